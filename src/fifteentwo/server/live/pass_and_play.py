"""Pass-and-play: several people share one page, which is covered when they pass it on.

The page is sent only those hidden cards that the person who has pressed may see, until it is passed on.
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
from fifteentwo.server.live.page_updates import table_extras, waiting_message
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.table_log.dealing import commitment_to
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Person

MAX_COVER_SENTENCES = 8
"""Sentences on the cover, about what has happened since the next person last looked."""


def assign_page_sharers(people: Sequence[Person], owner: str, lang: str) -> tuple[Person, ...]:
    """Return a new table's people; those who share the creating page get its owner, and a name if needed."""
    seated, here = list(people), [number for number, one in enumerate(people) if shares_page(one)]
    for seat in here:
        other = i18n.text("pass_and_play.player", lang, n=seat + 1) if len(here) > 1 else ""
        seated[seat] = msgspec.structs.replace(people[seat], owner=owner, name=people[seat].name or other)
    return tuple(seated)


def shares_page(person: Person) -> bool:
    """Return whether a seat of a new table is for a person who shares the page that creates the table."""
    return person.level is None and person.invitation is None


class PassAndPlay(Part):
    """The part of a table that updates shared pages, and covers them until the next person uncovers them."""

    def update(self, table: LiveTable, page: OpenPage, *, whole: bool = False) -> None:
        """Send a shared page new events (whole: the table); cover it if it is another person's turn."""
        screen, ledger = page.screen, table.ledger
        if screen is None:
            return
        if screen.shown is not None:
            self._send_to_shown(table, page, screen, whole=whole)
            screen.seen_versions[screen.shown] = ledger.v
            own = _sharers_to_act(table, screen)
            can_stay = screen.is_uncovered or not _has_hidden_cards(ledger, screen.shown)
            if can_stay and (not own or screen.shown in own):
                return
        self._pass_on(table, page, screen)

    def uncover(self, table: LiveTable, page: OpenPage, pass_number: int) -> None:
        """Show the page to the person it was passed to. Raise Refused if it has been passed on since."""
        screen = page.screen
        is_covered = screen is not None and screen.shown is None and screen.pass_number == pass_number
        if screen is None or screen.next_person is None or not is_covered:
            raise Refused("screen-passed-on", status=409)
        screen.shown, screen.is_uncovered, screen.last_pass = screen.next_person, True, None
        page.person = screen.shown
        self.update(table, page, whole=True)

    def on_row_added(self, table: LiveTable, row: RowAdded) -> None:
        for page in table.pages:
            self.update(table, page)

    def on_page_joined(self, table: LiveTable, page: OpenPage) -> None:
        self.update(table, page)

    def on_people_changed(self, table: LiveTable, before: list[Person]) -> None:
        for page in table.pages:
            self.update(table, page, whole=True)

    def _send_to_shown(self, table: LiveTable, page: OpenPage, screen: SharedScreen, *, whole: bool) -> None:
        ledger, shown = table.ledger, screen.shown
        assert shown is not None
        behind = page.version is None or not ledger.restart_version <= page.version <= ledger.v
        if behind and not whole:
            # After another game's start or an undo, the person must press again.
            screen.is_uncovered = False
        whole = whole or behind
        names, sides = table.names(page.lang), table.rules.sides
        for v in range(ledger.v + 1 if whole else (page.version or 0) + 1, ledger.v + 1):
            entry = ledger.entry(v)
            if isinstance(entry.event, Dealt | DealEnded):
                screen.is_uncovered = False
            person = shown if screen.is_uncovered else None
            page.send(wire.event_message(v, entry, person, page.lang, names, sides, shared=True))
        page.version = ledger.v
        if not _has_hidden_cards(ledger, shown):
            screen.is_uncovered = False
        elif not screen.is_uncovered:
            return
        now = table_extras(table, shown)
        if whole:
            page.send(wire.table_message(ledger, shown, page.lang, names, now, shared=True))
        else:
            page.send(wire.view_message(ledger, shown, now, shared=True))
        page.send(waiting_message(table))

    def _pass_on(self, table: LiveTable, page: OpenPage, screen: SharedScreen) -> None:
        """Cover the page, unless nothing is hidden, and send who receives it."""
        ledger = table.ledger
        own = _sharers_to_act(table, screen)
        to = own[0] if own else None
        if to is None and not any(_has_hidden_cards(ledger, person) for person in screen.persons):
            to = screen.persons[0]
        covered = to is None or _has_hidden_cards(ledger, to)
        names = table.names(page.lang)
        passed = wire.ScreenPass(
            number=screen.pass_number,
            to_seat=None if to is None else ledger.seat_of(to),
            is_covered=covered,
            own_seats=tuple([ledger.match.seating.index(person) for person in screen.persons]),
            names=tuple([names[person] for person in ledger.seated]),
            waiting_seats=table.waiting,
            front=ledger.table.state.front,
            sentences=_sentences_on_cover(table, page, screen, to) if covered else (),
        )
        screen.shown, screen.next_person = None, to
        if screen.last_pass == passed:
            return
        screen.pass_number += 1
        screen.last_pass = msgspec.structs.replace(passed, number=screen.pass_number)
        page.send(wire.encode(wire.PassMessage(screen.last_pass)))


def _sharers_to_act(table: LiveTable, screen: SharedScreen) -> list[int]:
    """Return the people at this screen who must act, starting with the one who receives it next."""
    # The last player to discard also cuts and leads, so the dealer discards first.
    ledger = table.ledger
    own = [ledger.seated[seat] for seat in table.waiting]
    own = [person for person in own if person in screen.persons]
    if ledger.table.state.phase is Phase.DISCARD:
        pone = ledger.table.state.eldest
        own.sort(key=lambda person: (pone - 1 - ledger.seat_of(person)) % table.rules.seats)
    return own


def _sentences_on_cover(
    table: LiveTable, page: OpenPage, screen: SharedScreen, receiver: int | None
) -> tuple[str, ...]:
    ledger = table.ledger
    few = ledger.v - MAX_COVER_SENTENCES // 2
    seen = few if receiver is None else screen.seen_versions.get(receiver, few)
    began = max(seen, ledger.restart_version, ledger.dropped_events)
    names, sides = table.names(page.lang), table.rules.sides
    entries = [ledger.entry(v) for v in range(began + 1, ledger.v + 1)]
    sentences = [wire.event_sentence(entry, None, page.lang, names, sides) for entry in entries]
    return tuple([sentence for sentence in sentences if sentence][-MAX_COVER_SENTENCES:])


def check_uncovered(page: OpenPage) -> None:
    """Raise Refused while a page is covered, because its people cannot act."""
    if page.screen is not None and page.screen.shown is None:
        raise Refused("screen-covered", status=409)


def _has_hidden_cards(ledger: Ledger, person: int) -> bool:
    if ledger.is_abandoned or ledger.table.over:
        return False
    state, seat = ledger.table.state, ledger.seat_of(person)
    # Five-card hands have cards left after pegging: they are hidden until the show.
    return bool(state.hands[seat]) and not public(state).open_hands[seat]


def next_to_commit(ledger: Ledger, page: OpenPage) -> int:
    """Return the first person of a page who has not committed yet; a shared page has a seed for each."""
    known = {} if ledger.seeds is None else ledger.seeds.commitments
    return next((person for person in page.persons if person not in known), page.person)


def seed_owner(ledger: Ledger, page: OpenPage, seed: str) -> int:
    """Return the person of a page whose commitment fits a seed."""
    try:
        promised = commitment_to(bytes.fromhex(seed))
    except ValueError:
        return page.person
    known = {} if ledger.seeds is None else ledger.seeds.commitments
    fitting = [person for person in page.persons if known.get(person) == promised]
    awaited = [person for person in fitting if person in ledger.awaited_for_seeds]
    return (awaited or fitting or [page.person])[0]
