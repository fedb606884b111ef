"""What somebody learns from what happened: an action may be taken back only where that is nothing."""

from fifteentwo.rules.events import Claimed, CountCleared, Event, LaidAway, Pegged, Played, WentGo


def tells_nothing(event: Event, seat: int) -> bool:
    """Whether a seat learns nothing from an event that it did not know: no card, and no word about one."""
    match event:
        case LaidAway() | Pegged() | CountCleared():
            return True
        case Played() | WentGo() | Claimed():
            return event.seat == seat
        case _:
            return False
