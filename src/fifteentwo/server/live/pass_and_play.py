"""Pass and play: several people share one page. Whose cards it shows, and when it is covered and passed on.

Such a page is sent of hidden cards only what the person who has pressed may see, and only until it is passed
on; all sentences on it are public. Cards that are dealt are not sent before a press.
"""

from collections.abc import Sequence

import msgspec

from fifteentwo import i18n
from fifteentwo.rules.events import DealEnded, Dealt
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import public
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.live.open_page import OpenPage, SharedScreen
from fifteentwo.server.live.page_updates import table_now, waiting
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.live.table_state import persons_of
from fifteentwo.server.table_log.dealing import commitment
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Person

MOST_SENTENCES = 8
"""Sentences on the cover: what happened since the next person last looked."""


def seated_here(people: Sequence[Person], owner: str, lang: str) -> tuple[Person, ...]:
    """Return the people of a new table with those who share the page that makes it, the first at least.

    Where there are several, each needs a name to be passed the screen by: who gives none is numbered.
    """
    here = [number for number, one in enumerate(people) if is_here(one)]

    def name(number: int, one: Person) -> str:
        return one.name or (i18n.text("pass_and_play.player", lang, n=number + 1) if len(here) > 1 else "")

    return tuple(
        [
            msgspec.structs.replace(one, owner=owner, name=name(number, one)) if number in here else one
            for number, one in enumerate(people)
        ]
    )


def is_here(one: Person) -> bool:
    """Return whether a seat of a new table is for a person at the page that makes it."""
    return one.level is None and one.invitation is None


def screen_for(people: Sequence[Person], owner: str | None) -> SharedScreen | None:
    """Return the shared screen of a session's page, where several people of the table use it."""
    persons = persons_of(people, owner)
    return SharedScreen(persons) if len(persons) > 1 else None


class PassAndPlay(Part):
    """Brings the shared pages of one table up to date, and passes them on."""

    def update(self, table: LiveTable, page: OpenPage, *, whole: bool = False) -> None:
        """Send a shared page what has happened; then cover it and pass it on where it is another's turn."""
        screen, ledger = page.screen, table.ledger
        if screen is None:
            return
        if screen.shown is not None:
            self._update_shown(table, page, screen, whole=whole)
            screen.seen[screen.shown] = ledger.v
            own = _to_act(table, screen)
            if (screen.open or not _hides(ledger, screen.shown)) and (not own or screen.shown in own):
                return
        self._pass_on(table, page, screen)

    def take(self, table: LiveTable, page: OpenPage, number: int) -> None:
        """Open a page for the one it was passed to; Refused where it was passed on since, or to no one."""
        screen = page.screen
        if screen is None or screen.shown is not None or screen.to is None or number != screen.number:
            raise Refused("screen-passed-on", status=409)
        screen.shown, screen.open, screen.sent = screen.to, True, None
        page.person = screen.shown
        self.update(table, page, whole=True)

    def row_added(self, table: LiveTable, row: RowAdded) -> None:
        for page in table.pages:
            self.update(table, page)

    def page_joined(self, table: LiveTable, page: OpenPage) -> None:
        self.update(table, page)

    def people_changed(self, table: LiveTable, before: list[Person]) -> None:
        for page in table.pages:
            self.update(table, page, whole=True)

    def _update_shown(self, table: LiveTable, page: OpenPage, screen: SharedScreen, *, whole: bool) -> None:
        ledger, shown = table.ledger, screen.shown
        assert shown is not None
        behind = page.v is None or not ledger.restarted <= page.v <= ledger.v
        if behind and not whole:
            # Another game, or an undo: what they pressed for is over.
            screen.open = False
        whole = whole or behind
        names, sides = table.names(page.lang), table.rules.sides
        for v in range(ledger.v + 1 if whole else (page.v or 0) + 1, ledger.v + 1):
            entry = ledger.entry(v)
            if isinstance(entry.event, Dealt | DealEnded):
                screen.open = False
            person = shown if screen.open else None
            page.send(wire.event(v, entry, person, page.lang, names, sides, shared=True))
        page.v = ledger.v
        if not _hides(ledger, shown):
            screen.open = False
        elif not screen.open:
            return
        now = table_now(table, shown)
        if whole:
            page.send(wire.table(ledger, shown, page.lang, names, now, shared=True))
        else:
            page.send(wire.view_now(ledger, shown, now, shared=True))
        page.send(waiting(table))

    def _pass_on(self, table: LiveTable, page: OpenPage, screen: SharedScreen) -> None:
        """Cover the page, unless nothing is hidden, and send whom it goes to."""
        ledger = table.ledger
        own = _to_act(table, screen)
        to = own[0] if own else None
        if to is None and not any(_hides(ledger, person) for person in screen.persons):
            to = screen.persons[0]
        covered = to is None or _hides(ledger, to)
        names = table.names(page.lang)
        passed = wire.ScreenPass(
            number=screen.number,
            to_seat=None if to is None else ledger.seat_of(to),
            is_covered=covered,
            own_seats=tuple([ledger.match.seating.index(person) for person in screen.persons]),
            names=tuple([names[person] for person in ledger.seated]),
            waiting_seats=table.waiting,
            front=ledger.table.state.front,
            sentences=_since(table, page, screen, to) if covered else (),
        )
        screen.shown, screen.to = None, to
        if screen.sent == passed:
            return
        screen.number += 1
        screen.sent = msgspec.structs.replace(passed, number=screen.number)
        page.send(wire.message(wire.PassMessage(screen.sent)))


def _to_act(table: LiveTable, screen: SharedScreen) -> list[int]:
    """Return who of those at this screen is to act, the one it goes to first at the head.

    The last to discard goes on to cut and to lead, so the dealer is asked first.
    """
    ledger = table.ledger
    own = [ledger.seated[seat] for seat in table.waiting]
    own = [person for person in own if person in screen.persons]
    if ledger.table.state.phase is Phase.DISCARD:
        pone = ledger.table.state.eldest
        own.sort(key=lambda person: (pone - 1 - ledger.seat_of(person)) % table.rules.seats)
    return own


def _since(table: LiveTable, page: OpenPage, screen: SharedScreen, to: int | None) -> tuple[str, ...]:
    ledger = table.ledger
    few = ledger.v - MOST_SENTENCES // 2
    began = max(few if to is None else screen.seen.get(to, few), ledger.restarted, ledger.forgotten)
    names, sides = table.names(page.lang), table.rules.sides
    entries = [ledger.entry(v) for v in range(began + 1, ledger.v + 1)]
    sentences = [wire.sentence(entry, None, page.lang, names, sides) for entry in entries]
    return tuple([sentence for sentence in sentences if sentence][-MOST_SENTENCES:])


def must_show(page: OpenPage) -> None:
    """Refuse while a page is covered: its people cannot act."""
    if page.screen is not None and page.screen.shown is None:
        raise Refused("screen-covered", status=409)


def _hides(ledger: Ledger, person: int) -> bool:
    if ledger.closed or ledger.table.over:
        return False
    state, seat = ledger.table.state, ledger.seat_of(person)
    # With five cards some are left when the pegging ends: they are hidden until the hand is shown.
    return bool(state.hands[seat]) and not public(state).open_hands[seat]


# ── Seeds: a shared page brings one for each of its people ───────────────────────────────────────────────


def committing(ledger: Ledger, page: OpenPage) -> int:
    """Return for whom a page's commitment is: the first of its people who has not committed yet."""
    known = {} if ledger.seeds is None else ledger.seeds.commitments
    return next((person for person in page.persons if person not in known), page.person)


def revealing(ledger: Ledger, page: OpenPage, seed: str) -> int:
    """Return whose seed this is: the one of the page's people who committed to it."""
    try:
        promised = commitment(bytes.fromhex(seed))
    except ValueError:
        return page.person
    known = {} if ledger.seeds is None else ledger.seeds.commitments
    fitting = [person for person in page.persons if known.get(person) == promised]
    awaited = [person for person in fitting if person in ledger.awaited]
    return (awaited or fitting or [page.person])[0]
