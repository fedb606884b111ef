"""Mangled messages and requests: the server runs, the game is unchanged, and memory does not grow."""

import os
import sys

import pytest

from tests.faults.mangled import run

NUMBER = int(os.environ.get("FIFTEENTWO_MANGLED", "20000"))
MAX_GROWTH_MB = 16.0
"""Limit of the growth of memory, which contains unsent answers and the cache of SQLite."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
@pytest.mark.parametrize("number", [4_000, pytest.param(NUMBER, marks=pytest.mark.long)])
def test_mangled_messages_and_requests_change_nothing_and_break_nothing(number: int) -> None:
    outcome = run(number)
    assert outcome.messages + outcome.requests >= number
    assert len(outcome.codes) > 5, "too few kinds of refusals"
    assert {200, 400, 404} <= set(outcome.statuses)
    # Fewer messages only show the growth of a server that has just started.
    assert number < NUMBER or outcome.grown < MAX_GROWTH_MB
