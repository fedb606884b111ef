"""Who sits at a table, what they are called in each reader's language, and what they may do there."""

import secrets
from collections.abc import Iterable, Mapping, Sequence

from fifteentwo import i18n
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import Audience
from fifteentwo.server.live.log import TableLog
from fifteentwo.server.signals import Signal
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person
from fifteentwo.server.table_log.undo import undoable

MARK = " (guest)"
"""How a name is stored that is the username of another account; each page shows it in its own language."""


def shown(name: str, lang: str) -> str:
    """Return a name as a reader of this language sees it."""
    own = name.removesuffix(MARK)
    return name if own == name else i18n.text("name.as-guest", lang, name=own)


def called(people: Sequence[Person], lang: str) -> tuple[str, ...]:
    """Return people's names in the order they came; a computer without one is called by its level."""
    return tuple(
        shown(one.name, lang) or i18n.text("name.guest" if one.level is None else f"level.{one.level}", lang)
        for one in people
    )


def persons_of(people: Sequence[Person], owner: str | None) -> tuple[int, ...]:
    """Return everyone at a table who plays in one session, in the order they came; none for a stranger."""
    if owner is None:
        return ()
    return tuple([number for number, one in enumerate(people) if one.owner == owner])


def asked_for_seeds(people: Iterable[Person]) -> tuple[int, ...]:
    """Return everyone at a table who is asked for a seed: all but the computers."""
    return tuple([number for number, one in enumerate(people) if one.level is None])


class Seating:
    """The people of one table."""

    def __init__(
        self, log: TableLog, audience: Audience, rules: Rules, options: Options, people: Iterable[Person]
    ) -> None:
        self.people = list(people)
        self.rules = rules
        self.options = options
        self.changed = Signal[[Sequence[Person]]]()
        """People have come, gone or changed seats; sent with the people before."""
        self._log = log
        self._audience = audience

    def person_of(self, owner: str | None) -> int | None:
        """Return which person a session is, the first of those who share its page; None for a stranger."""
        return next(iter(persons_of(self.people, owner)), None)

    def viewer_of(self, owner: str | None) -> int | None:
        """Return the one person who is "you" to a session; None for a stranger, or where several share it."""
        persons = persons_of(self.people, owner)
        return persons[0] if len(persons) == 1 else None

    def names(self, lang: str) -> tuple[str, ...]:
        """Return people's names in the order they came."""
        return called(self.people, lang)

    def invited(self, invitation: str) -> int:
        """Return the person an invitation is for; Refused where the seat is taken or there is none."""
        for number, one in enumerate(self.people):
            own = one.invitation
            if own is not None and secrets.compare_digest(own.encode(), invitation.encode(errors="replace")):
                if one.owner is not None:
                    raise Refused("place-taken", status=409)
                return number
        raise Refused("no-such-invitation", status=404)

    def invitations(self) -> tuple[wire.Invitation, ...]:
        """Return the seats still open, each with its link, for those at the table to pass on."""
        seated = self._log.ledger.seated
        return tuple(
            wire.Invitation(seated.index(number), f"/game/{self._log.id}/join/{one.invitation}")
            for number, one in enumerate(self.people)
            if one.invitation is not None and one.owner is None
        )

    def replace(self, people: Sequence[Person]) -> None:
        """Take over who sits here by the database: seats changed hands, or people have come or gone."""
        if people and list(people) != self.people:
            before, self.people[:] = list(self.people), people
            self.changed.send(before)

    def now(self, elsewhere: Mapping[int, bool], spectators: int) -> wire.People:
        """Return who is present and which seats are open. elsewhere: who has a page in another process."""
        present = {person for page in self._audience for person in page.persons} | elsewhere.keys()
        seated = [(number, self.people[number]) for number in self._log.ledger.seated]
        return wire.People(
            present=tuple([one.level is not None or number in present for number, one in seated]),
            open=tuple([one.invitation is not None and one.owner is None for _, one in seated]),
            came=self._log.ledger.seated,
            spectators=spectators,
        )

    # ── What they may do ─────────────────────────────────────────────────────────────────────────────────

    @property
    def alone(self) -> bool:
        """Whether only one person plays here; the others are computers."""
        return sum(one.level is None for one in self.people) == 1

    @property
    def hints(self) -> bool:
        """Whether hints may be asked for: against computers, where the table counts pegging."""
        return self.alone and not self.rules.claims_pegging and self.options.daily is None

    def may_undo(self, person: int) -> bool:
        """Return whether a person's last action can be taken back."""
        if self.options.daily is not None or not self.alone:
            return False
        return undoable(self._log.ledger, self._log.ledger.seat_of(person)) is not None

    def view_of(self, person: int) -> View:
        """Return what a person at the table sees now."""
        return view(self._log.ledger.table.state, self._log.ledger.seat_of(person))

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that the table waits for; every person's, where a dealer is to be named."""
        ledger = self._log.ledger
        if ledger.awaited:
            return ()
        if ledger.table.state.phase is Phase.NAME_DEALER:
            return tuple([seat for seat in range(self.rules.seats) if self.level(seat) is None])
        return ledger.waiting

    def level(self, seat: int) -> str | None:
        """Return the level that plays a seat now, for a person away too; None where a person does."""
        ledger = self._log.ledger
        person = ledger.seated[seat]
        return self.people[person].level or ledger.disconnects.levels.get(person)
