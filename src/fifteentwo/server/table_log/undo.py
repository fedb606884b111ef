"""Which of a seat's actions may be taken back: those by which, and since which, it has learned nothing."""

from collections.abc import Sequence

from fifteentwo.contest.table import Taken
from fifteentwo.rules.events import Claimed, CountCleared, Discarded, Event, Pegged, Played, WentGo
from fifteentwo.rules.state import NOBODY, Phase

Steps = Sequence[tuple[int, Taken]]
"""Rows of the log, each with what was done in it."""


def last(steps: Steps, seat: int) -> int | None:
    """The row of a seat's last action, where nothing has been learned by it or since it.

    In the play a card that leaves another to act is knowledge by itself: had they none that fits, they
    would have gone. Whether it may be taken back thus never depends on a card that the seat cannot see.
    """
    for seq, taken in reversed(steps):
        if not all(_tells_nothing(event, seat) for event in taken.events):
            return None
        if getattr(taken.actions[0], "seat", NOBODY) == seat:
            state = taken.state
            return None if state.phase is Phase.PLAY and state.turn != seat else seq
    return None


def first(steps: Steps, seat: int) -> int | None:
    """The first row that a seat may come to take back, one after another."""
    found = None
    for seq, taken in reversed(steps):
        if not all(_tells_nothing(event, seat) for event in taken.events):
            break
        if getattr(taken.actions[0], "seat", NOBODY) == seat:
            found = seq
    return found


def _tells_nothing(event: Event, seat: int) -> bool:
    """Whether a seat learns nothing from an event that it did not know: no card, and no word about one."""
    match event:
        case Discarded() | Pegged() | CountCleared():
            return True
        case Played() | WentGo() | Claimed():
            return event.seat == seat
        case _:
            return False
