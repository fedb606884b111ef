"""Repeatable luck: secrets and computers depend on the name of the test."""

import hashlib
from itertools import count

import pytest

from fifteentwo.server.live import computers
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.table_log import dealing

# Mulberry32, so that cards are cut at the same places, and pages put the same seeds in.
DICE = """(() => {
  const dice = (state) => () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = dice(15);
  const bytes = dice(2);
  crypto.getRandomValues = (array) => array.map((_, at) => (array[at] = 256 * bytes()));
})();"""


@pytest.fixture(autouse=True)
def same_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the games of a test the same in every order of tests."""
    games = count()

    def new_secret() -> bytes:
        return hashlib.sha256(f"{request.node.nodeid}/{next(games)}".encode()).digest()

    def seed(table: LiveTable, person: int) -> int:
        # From the game, not from a counter: which computer thinks first is a matter of time.
        return int.from_bytes(hashlib.sha256(table.ledger.dealing.secret + bytes([person])).digest()[:4])

    monkeypatch.setattr(dealing, "new_secret", new_secret)
    monkeypatch.setattr(computers, "computer_seed", seed)
