"""The line of one page: when it is read, and when it is left alone."""

import asyncio
from collections.abc import Iterator

import pytest

from fifteentwo.server.http.outbox import _Gathering


class Wire(asyncio.Transport):
    """A transport that notes what is done to it."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []

    def pause_reading(self) -> None:
        self.done.append("paused")

    def resume_reading(self) -> None:
        self.done.append("resumed")


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def line(wire: Wire) -> Iterator[_Gathering]:
    loop = asyncio.new_event_loop()
    yield _Gathering(wire, loop)
    loop.close()


def test_a_message_that_is_taken_at_once_leaves_the_network_alone(wire: Wire, line: _Gathering) -> None:
    for _ in range(3):
        line.came()
        line.pause_reading()
        line.resume_reading()
    assert wire.done == []


def test_a_page_that_sends_on_before_it_is_heard_is_read_no_further(wire: Wire, line: _Gathering) -> None:
    line.came()
    line.pause_reading()
    for _ in range(3):
        line.came()
    assert wire.done == ["paused"]
    line.resume_reading()
    assert wire.done == ["paused", "resumed"]
    line.came()
    assert wire.done == ["paused", "resumed"]
