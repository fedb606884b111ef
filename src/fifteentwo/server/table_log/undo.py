"""Which of a seat's actions may be taken back: those by which, and since which, it has learned nothing."""

from collections.abc import Iterator

from fifteentwo.contest.table import Taken
from fifteentwo.rules.events import Claimed, CountCleared, Discarded, Event, Pegged, Played, WentGo
from fifteentwo.rules.state import NO_SEAT, Phase
from fifteentwo.server.table_log.ledger import Ledger


def undoable(ledger: Ledger, seat: int) -> int | None:
    """Return the row of a seat's last action, where nothing has been learned by it or since it.

    While pegging, a card that leaves another to act is knowledge by itself: had they none that fits, they
    would have gone. Whether it may be taken back thus never depends on a card that the seat cannot see.
    """
    for seq, taken in _own_steps(ledger, seat):
        state = taken.state
        return None if state.phase is Phase.PLAY and state.turn != seat else seq
    return None


def first_undoable(ledger: Ledger, seat: int) -> int | None:
    """Return the first row that a seat may come to take back, one after another."""
    return min((seq for seq, _ in _own_steps(ledger, seat)), default=None)


def _own_steps(ledger: Ledger, seat: int) -> Iterator[tuple[int, Taken]]:
    """Yield the last rows in which a seat acted, latest first, as long as it has learned nothing since."""
    for seq, taken in () if ledger.closed else reversed(ledger.steps):
        if not all(_reveals_nothing(event, seat) for event in taken.events):
            return
        if getattr(taken.actions[0], "seat", NO_SEAT) == seat:
            yield seq, taken


def _reveals_nothing(event: Event, seat: int) -> bool:
    """Whether a seat learns nothing from an event that it did not know: no card, and no word about one."""
    match event:
        case Discarded() | Pegged() | CountCleared():
            return True
        case Played() | WentGo() | Claimed():
            return event.seat == seat
        case _:
            return False
