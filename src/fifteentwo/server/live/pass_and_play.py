"""Several people of one table before one screen: whose cards it shows, and when it is covered and passed on.

Such a page is told of hidden cards only what the person who has pressed may see, and only until it is passed
on; all that it is told in words everybody knows. Cards that are dealt are told to nobody before a press.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from fifteentwo import i18n
from fifteentwo.rules.events import DealEnded, Dealt
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import public
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.table_log.dealing import commitment
from fifteentwo.server.table_log.rows import Person

if TYPE_CHECKING:
    from fifteentwo.server.live.audience import Listener
    from fifteentwo.server.live.rooms import Room
    from fifteentwo.server.table_log.ledger import Ledger

TOLD_LINES = 8
"""Sentences on the cover: what happened since whoever it is passed to last looked."""


def persons_of(people: Sequence[Person], owner: str | None) -> tuple[int, ...]:
    """Everyone at a table who plays in one session, in the order they came; nobody for a stranger."""
    if owner is None:
        return ()
    return tuple([number for number, one in enumerate(people) if one.owner == owner])


def seated_here(people: Sequence[Person], owner: str, lang: str) -> tuple[Person, ...]:
    """The people of a new table with whoever plays on the screen that lays it, the first of them at least.

    Where there are several, each needs a name to be passed the screen by: who gives none is numbered.
    """
    here = [number for number, one in enumerate(people) if is_here(one)]

    def name(number: int, one: Person) -> str:
        return one.name or (i18n.text("one_screen.player", lang, n=number + 1) if len(here) > 1 else "")

    return tuple(
        [
            msgspec.structs.replace(one, owner=owner, name=name(number, one)) if number in here else one
            for number, one in enumerate(people)
        ]
    )


def is_here(one: Person) -> bool:
    """Whether a place of a new table is for somebody before the screen that lays it."""
    return one.level is None and one.invitation is None


class Screen:
    """Whose place one page shows, of several people who share it."""

    def __init__(self, persons: tuple[int, ...]) -> None:
        self.persons = persons
        self.shown: int | None = None
        """Whose place it shows; None while it is on its way to somebody."""
        self.open = False
        """They have pressed, and may see their cards."""
        self.to: int | None = None
        """Whom it is passed to; None where nobody of them is to act yet."""
        self.number = 0
        """Of the last time it was passed on: a press for an earlier one opens nothing."""
        self.told: wire.Passed | None = None
        self.looked: dict[int, int] = {}
        """Up to which event each of them has seen the table."""


def screen_for(people: Sequence[Person], owner: str | None) -> Screen | None:
    """The screen of a session's page, where several people of the table share it."""
    persons = persons_of(people, owner)
    return Screen(persons) if len(persons) > 1 else None


def _hides(ledger: "Ledger", person: int) -> bool:
    """Whether somebody holds cards that nobody else may see."""
    if ledger.closed or ledger.table.over:
        return False
    state, seat = ledger.table.state, ledger.seat_of(person)
    # With five cards some are left when the play ends: they are hidden until the hand is shown.
    return bool(state.hands[seat]) and not public(state).open_hands[seat]


def tell(room: "Room", listener: "Listener", *, whole: bool = False) -> None:
    """Tell a shared page what has happened since; then cover it and pass it on where it is another's turn."""
    screen, ledger = listener.screen, room.ledger
    assert screen is not None
    if screen.shown is not None:
        _tell_shown(room, listener, screen, whole=whole)
        screen.looked[screen.shown] = ledger.v
        own = _to_act(room, screen)
        if (screen.open or not _hides(ledger, screen.shown)) and (not own or screen.shown in own):
            return
    _pass_on(room, listener, screen)


def _tell_shown(room: "Room", listener: "Listener", screen: Screen, *, whole: bool) -> None:
    ledger, shown = room.ledger, screen.shown
    assert shown is not None
    behind = listener.v is None or not ledger.restarted <= listener.v <= ledger.v
    if behind and not whole:
        # Another game, or an undo: what they pressed for is over.
        screen.open = False
    anew = whole or behind
    for v in range(ledger.v + 1 if anew else (listener.v or 0) + 1, ledger.v + 1):
        line = ledger.line(v)
        if isinstance(line.event, Dealt | DealEnded):
            screen.open = False
        person = shown if screen.open else None
        listener.send(wire.shared_event(v, line, person, listener.lang, room.names, room.rules.sides))
    listener.v = ledger.v
    if not _hides(ledger, shown):
        screen.open = False
    elif not screen.open:
        return
    now = room.now(shown)
    if anew:
        listener.send(wire.table(ledger, shown, listener.lang, room.names, now, shared=True))
    else:
        listener.send(wire.view_now(ledger, shown, now, shared=True))
    listener.send(wire.waiting(room.waiting, room.clock.left))


def _to_act(room: "Room", screen: Screen) -> list[int]:
    """Who of those at this screen is to act, the one it goes to first at the head.

    Whoever lays away last goes on to cut and to lead, so the dealer is asked first.
    """
    own = [room.ledger.seated[seat] for seat in room.waiting]
    own = [person for person in own if person in screen.persons]
    if room.ledger.table.state.phase is Phase.DISCARD:
        pone = room.ledger.table.state.eldest
        own.sort(key=lambda person: (pone - 1 - room.ledger.seat_of(person)) % room.rules.seats)
    return own


def _pass_on(room: "Room", listener: "Listener", screen: Screen) -> None:
    """Cover the page, but where nothing is hidden, and say whom it goes to."""
    ledger = room.ledger
    own = _to_act(room, screen)
    to = own[0] if own else None
    if to is None and not any(_hides(ledger, person) for person in screen.persons):
        to = screen.persons[0]
    covered = to is None or _hides(ledger, to)
    passed = wire.Passed(
        number=screen.number,
        to=None if to is None else ledger.seat_of(to),
        covered=covered,
        own=tuple([ledger.match.seating.index(person) for person in screen.persons]),
        names=_seated(ledger, room.names(listener.lang)),
        waits=room.waiting,
        front=ledger.table.state.front,
        told=_since(room, listener, to) if covered else (),
    )
    screen.shown, screen.to = None, to
    if screen.told == passed:
        return
    screen.number += 1
    screen.told = wire.renumbered(passed, screen.number)
    listener.send(wire.passed(screen.told))


def _seated(ledger: "Ledger", names: Sequence[str]) -> tuple[str, ...]:
    return tuple([names[person] for person in ledger.seated])


def _since(room: "Room", listener: "Listener", to: int | None) -> tuple[str, ...]:
    """What everybody could see happen since somebody last looked, in words."""
    ledger, screen = room.ledger, listener.screen
    assert screen is not None
    looked = ledger.v - TOLD_LINES // 2 if to is None else screen.looked.get(to, ledger.v - TOLD_LINES // 2)
    began = max(looked, ledger.restarted, ledger.forgotten)
    lines: Iterable[str] = [
        wire.tell(ledger.line(v), None, listener.lang, room.names, room.rules.sides)
        for v in range(began + 1, ledger.v + 1)
    ]
    return tuple([line for line in lines if line][-TOLD_LINES:])


def take(room: "Room", listener: "Listener", number: int) -> None:
    """Whoever a page was passed to has pressed; Refused where it has been passed on since, or is nobody's."""
    screen = listener.screen
    if screen is None or screen.shown is not None or screen.to is None or number != screen.number:
        raise Refused("screen-not-passed", status=409)
    screen.shown, screen.open, screen.told = screen.to, True, None
    listener.person = screen.shown
    tell(room, listener, whole=True)


def must_show(listener: "Listener") -> None:
    """Refused while a page is covered: nobody acts from behind it."""
    if listener.screen is not None and listener.screen.shown is None:
        raise Refused("screen-covered", status=409)


# ── Seeds: a shared page brings one for each of its people ───────────────────────────────────────────────


def committing(room: "Room", listener: "Listener") -> int:
    """For whom a commitment of this page is: the first of its people who has not committed yet."""
    seeds = room.ledger.seeds
    known = {} if seeds is None else seeds.commitments
    return next((person for person in listener.persons if person not in known), listener.person)


def revealing(room: "Room", listener: "Listener", seed: str) -> int:
    """Whose seed this is: whoever of the page's people committed to it."""
    seeds = room.ledger.seeds
    try:
        promised = commitment(bytes.fromhex(seed))
    except ValueError:
        return listener.person
    known = {} if seeds is None else seeds.commitments
    fitting = [person for person in listener.persons if known.get(person) == promised]
    awaited = [person for person in fitting if person in room.ledger.awaited]
    return (awaited or fitting or [listener.person])[0]
