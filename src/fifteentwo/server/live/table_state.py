"""A table as the database stores it: its options, its people, and the ledger of its log.

Pages read tables in this form. A table that this process holds for its players is a `LiveTable`, which adds
the open pages and the parts that react to rows.
"""

import secrets
from collections.abc import Collection, Iterable, Sequence

import msgspec

from fifteentwo import i18n
from fifteentwo.rules.record import from_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.proposals import undoable_row
from fifteentwo.server.table_log.rows import Person, StoredTable

GUEST_MARK = " (guest)"
"""Suffix of a guest's stored name if it is the username of an account. Pages translate it."""


def display_name(name: str, lang: str) -> str:
    """Return a stored name as a reader of this language sees it."""
    own = name.removesuffix(GUEST_MARK)
    return name if own == name else i18n.text("name.as-guest", lang, name=own)


def display_names(people: Sequence[Person], lang: str) -> tuple[str, ...]:
    """Return the names of people by person number. A computer without a name is named by its level."""
    return tuple(
        display_name(one.name, lang)
        or i18n.text("name.guest" if one.level is None else f"level.{one.level}", lang)
        for one in people
    )


def persons_of_owner(people: Sequence[Person], owner: str | None) -> tuple[int, ...]:
    """Return the numbers of an owner's people: several if they share a page, none for a stranger."""
    if owner is None:
        return ()
    return tuple([number for number, one in enumerate(people) if one.owner == owner])


def human_persons(people: Iterable[Person]) -> tuple[int, ...]:
    return tuple([number for number, one in enumerate(people) if one.level is None])


class TableState:
    """A table: its rules and options, its people by number, and the ledger of its log."""

    def __init__(self, store: Store, stored: StoredTable, ledger: Ledger | None = None) -> None:
        """Create the table from its stored form; build the ledger from its rows if `ledger` is None."""
        self.store = store
        self.id = stored.id
        self.created_at = stored.created_at
        self.rules = from_json(stored.rules_json, Rules)
        self.options = from_json(stored.options_json, Options)
        self.people = list(stored.people)
        self.ledger = ledger or matches.ledger_of(self.rules, self.options, stored.rows)
        self._stored = msgspec.structs.replace(stored, rows=())

    @property
    def games_played(self) -> int:
        return self.ledger.match_so_far.played

    async def ledger_with_game(self, number: int) -> Ledger:
        """Return a ledger that has the record and the result of a game, numbered from 1."""
        if number < 1 or self.ledger.has_game(number):
            return self.ledger
        return await matches.load_game(self.store, self._stored, number)

    def person_of(self, owner: str | None) -> int | None:
        """Return the number of an owner's first person; None if the owner does not play here."""
        return next(iter(persons_of_owner(self.people, owner)), None)

    def viewer_of(self, owner: str | None) -> int | None:
        """Return the number of an owner's only person; None if the owner has none here, or several."""
        persons = persons_of_owner(self.people, owner)
        return persons[0] if len(persons) == 1 else None

    def names(self, lang: str) -> tuple[str, ...]:
        return display_names(self.people, lang)

    def invited_person(self, invitation: str) -> int:
        """Return the person number of an invitation. Raise Refused if the seat is taken or unknown."""
        for number, one in enumerate(self.people):
            own = one.invitation
            if own is not None and secrets.compare_digest(own.encode(), invitation.encode(errors="replace")):
                if one.owner is not None:
                    raise Refused("place-taken", status=409)
                return number
        raise Refused("no-such-invitation", status=404)

    def open_invitations(self) -> tuple[wire.Invitation, ...]:
        """Return the open seats with the links that the people at the table can pass on."""
        seated = self.ledger.seated
        return tuple(
            wire.Invitation(seated.index(number), f"/game/{self.id}/join/{one.invitation}")
            for number, one in enumerate(self.people)
            if one.is_seat_open
        )

    def present_people(self) -> Collection[int]:
        """Return the people who have a page open in this process; nobody, because this table is only read."""
        return ()

    def presence(self, spectators: int = 0) -> wire.People:
        """Return for each seat whether its person is present and whether the seat is open."""
        present = set(self.present_people())
        seated = [(number, self.people[number]) for number in self.ledger.seated]
        return wire.People(
            present=tuple([one.level is not None or number in present for number, one in seated]),
            open=tuple([one.is_seat_open for _, one in seated]),
            player_numbers=self.ledger.seated,
            spectators=spectators,
        )

    @property
    def is_solo(self) -> bool:
        """Whether one person plays here for themselves, against computers; not at an evening's table."""
        return not self.options.evening and sum(one.level is None for one in self.people) == 1

    @property
    def has_hints(self) -> bool:
        """Whether hints are offered: to one person against computers, if pegging is counted automatically."""
        return self.is_solo and not self.rules.claims_pegging and self.options.daily is None

    def can_undo(self, person: int) -> bool:
        if self.options.daily is not None or not self.is_solo:
            return False
        return undoable_row(self.ledger, self.ledger.seat_of(person)) is not None

    def view_of(self, person: int) -> View:
        return view(self.ledger.table.state, self.ledger.seat_of(person))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that the table waits for; the seat of every person while a dealer must be named."""
        ledger = self.ledger
        if ledger.awaited_for_seeds:
            return ()
        if ledger.table.state.phase is Phase.NAME_DEALER:
            return tuple([seat for seat in range(self.rules.seats) if self.level(seat) is None])
        return ledger.waiting

    def level(self, seat: int) -> str | None:
        """Return the level that plays a seat now, also for an absent person; None if a person plays it."""
        person = self.ledger.seated[seat]
        return self.people[person].level or self.ledger.disconnects.levels_by_person.get(person)
