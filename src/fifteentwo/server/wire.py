"""What goes over the socket, both ways (docs/protocol.md): envelopes {v, t, d}, one JSON text each."""

from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from fifteentwo import i18n
from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.rules.errors import FifteenTwoError, NotationError
from fifteentwo.rules.events import ClaimSettled, Event, Pegged, PeggedFor
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.view import choices, see, view
from fifteentwo.server.errors import Refused
from fifteentwo.server.ledger import Ledger, Line

MOST_BYTES = 2048
"""The longest message a page may send."""
TOLD_LINES = 30
_SHOWN = (PeggedFor.HAND, PeggedFor.CRIB)


class Act(msgspec.Struct, frozen=True, tag_field="t", tag="act"):
    d: SeatAction | NameDealer


class Next(msgspec.Struct, frozen=True, tag_field="t", tag="next"):
    pass


class Undo(msgspec.Struct, frozen=True, tag_field="t", tag="undo"):
    pass


class Lang(msgspec.Struct, frozen=True, tag_field="t", tag="lang"):
    d: Literal["en", "ja"]


Message = Act | Next | Undo | Lang


def read(text: str | bytes) -> Message:
    """A page's message; Refused where it is none."""
    if len(text) > MOST_BYTES:
        raise Refused("message-too-long", most=MOST_BYTES)
    try:
        return from_json(text, Message)  # type: ignore[arg-type]
    except (NotationError, RecursionError):
        raise Refused("message-unreadable") from None


Names = Callable[[str], tuple[str, ...]]
"""People's names in a language, by the order they came."""


def table(ledger: Ledger, person: int, lang: str, names: Names, more: dict[str, Any]) -> bytes:
    """The whole table as somebody may see it; `more` is what the room adds (levels, options, …)."""
    seat = ledger.seat_of(person)
    own = names(lang)
    began = max(ledger.restarted, ledger.v - TOLD_LINES)
    told = [tell(line, person, lang, names, ledger.match.rules.sides) for line in ledger.lines[began:]]
    d = {
        **settled(ledger, seat),
        "names": [own[other] for other in ledger.seated],
        "commitment": ledger.commitment,
        "told": [sentence for sentence in told if sentence],
        **more,
    }
    return to_json({"v": ledger.v, "t": "table", "d": d})


def settled(ledger: Ledger, seat: int) -> dict[str, Any]:
    """The view, what the seat may do now, and how the match stands."""
    seen = view(ledger.table.state, seat)
    standing = ledger.standing
    return {
        "view": seen,
        "choices": choices(seen),
        "match": {"tally": standing.tally, "game": ledger.match.game},
    }


def view_now(ledger: Ledger, person: int, more: dict[str, Any]) -> bytes:
    """The settled view after a batch of events."""
    d = {**settled(ledger, ledger.seat_of(person)), **more}
    return to_json({"v": ledger.v, "t": "view", "d": d})


def event(v: int, line: Line, person: int, lang: str, names: Names, sides: int) -> bytes:
    """One event as somebody may see it."""
    seen = None if line.event is None else see(line.event, line.seated.index(person))
    d = {
        "event": seen,
        "told": tell(line, person, lang, names, sides),
        "spoken": None if seen is None else spoken(seen, lang),
    }
    return to_json({"v": v, "t": "event", "d": d})


def spoken(seen: Event, lang: str) -> list[str] | None:
    """What is said aloud: a hand's count score by score, or the one word of the play."""
    if isinstance(seen, ClaimSettled) or (isinstance(seen, Pegged) and seen.reason in _SHOWN):
        return i18n.spoken(seen.scores, lang) or None
    said = i18n.spoken_count(seen, lang)
    return None if said is None else [said]


def tell(line: Line, person: int, lang: str, names: Names, sides: int) -> str:
    """An event as a sentence, told to somebody at the table."""
    if line.event is None:
        return ""
    seat = line.seated.index(person)
    own = names(lang)
    seated = tuple(own[other] for other in line.seated)
    return i18n.tell(see(line.event, seat), lang, seated, viewer=seat, sides=sides)


def waiting(seats: Iterable[int], until: float | None) -> bytes:
    """Whom the table waits for, and how many seconds at most."""
    rounded = None if until is None else round(max(until, 0.0), 2)
    return to_json({"t": "waiting", "d": {"seats": list(seats), "until": rounded}})


def refused(error: FifteenTwoError, lang: str) -> bytes:
    """Why something was not done."""
    d = {"code": error.code, "rule": getattr(error, "rule", None), "message": i18n.refusal(error, lang)}
    return to_json({"t": "refused", "d": d})
