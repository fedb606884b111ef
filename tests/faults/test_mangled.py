"""Whatever a page or a program sends: the server stays, the game stays, nothing grows."""

import os
import sys

import pytest

from tests.faults.mangled import run

NUMBER = int(os.environ.get("FIFTEENTWO_MANGLED", "20000"))
MOST_GROWTH = 16.0
"""MB; a page's answers in flight and what SQLite keeps of its file."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_mangled_messages_and_requests_change_nothing_and_break_nothing() -> None:
    outcome = run(NUMBER)
    assert outcome.messages + outcome.requests >= NUMBER
    assert len(outcome.codes) > 5, "many kinds of wrong"
    assert {200, 400, 404} <= set(outcome.statuses)
    assert outcome.grown < MOST_GROWTH
