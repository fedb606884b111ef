"""Brings each open page up to date: with what has happened, or with the whole table where it must be."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fifteentwo.server.live import wire
from fifteentwo.server.live.audience import TRY_AGAIN, Audience, OpenPage
from fifteentwo.server.live.log import TableLog
from fifteentwo.server.live.peer_link import PeerLink
from fifteentwo.server.live.seating import Seating
from fifteentwo.server.signals import Signal
from fifteentwo.server.table_log.rows import Person


class TableView(NamedTuple):
    """What messages about a table are made of."""

    log: TableLog
    seating: Seating
    trouble: Callable[[], tuple[wire.Trouble, ...]]
    """Computers that play below their level."""
    left: Callable[[], float | None]
    """Seconds left to challenge a claim."""

    def now(self, person: int) -> wire.TableNow:
        """Return what the table adds to the game as a person may see it."""
        seating = self.seating
        options = seating.options
        return wire.TableNow(
            levels=tuple([seating.people[other].level for other in self.log.ledger.seated]),
            options=wire.TableOptions(options.board, options.moment, options.daily),
            undo=seating.may_undo(person),
            hints=seating.hints,
            trouble=self.trouble(),
            invitations=seating.invitations(),
        )

    def waiting(self) -> bytes:
        """Return the message of whom the table waits for, and how long they have."""
        return wire.waiting(self.seating.waiting, self.left())


class PageUpdates:
    """Sends each page what is new; those that several people share are brought up to date elsewhere."""

    def __init__(
        self, view: TableView, audience: Audience, link: PeerLink, spectators: Callable[[], int]
    ) -> None:
        """spectators: how many the table has."""
        self.people_sent = Signal[[]]()
        """Every page knows who is at the table: whose clock runs depends on it."""
        self._view = view
        self._audience = audience
        self._link = link
        self._spectators = spectators
        view.log.changed.triggers(self._log_changed)
        audience.joined.subscribe(self._joined)
        audience.left.triggers(self.send_people)
        view.seating.changed.subscribe(self._seats_changed)
        link.presence_changed.triggers(self._presence_changed)

    def now(self) -> wire.People:
        """Return who is at the table, whichever process serves their page."""
        return self._view.seating.now(self._link.presence, self._spectators())

    def send_people(self) -> None:
        """Send who is at the table to every page that does not know it."""
        now = self.now()
        for page in self._audience:
            if page.people != now:
                page.people = now
                page.send(wire.message(wire.PeopleMessage(now)))
        self.people_sent.send()

    def send_table(self, page: OpenPage) -> None:
        """Send one page the whole table."""
        if page.screen is None:
            view = self._view
            ledger, now = view.log.ledger, view.now(page.person)
            names = view.seating.names(page.lang)
            page.send(wire.table(ledger, page.person, page.lang, names, now))
            page.v = ledger.v
            page.send(view.waiting())

    def _catch_up(self, page: OpenPage) -> None:
        """Send one page what has happened since it was last sent something."""
        view, ledger = self._view, self._view.log.ledger
        if page.v is None or not ledger.restarted <= page.v <= ledger.v:
            self.send_table(page)
            return
        names, sides = view.seating.names(page.lang), view.seating.rules.sides
        for v in range(page.v + 1, ledger.v + 1):
            page.send(wire.event(v, ledger.entry(v), page.person, page.lang, names, sides))
        page.v = ledger.v
        page.send(wire.view_now(ledger, page.person, view.now(page.person)))
        page.send(view.waiting())

    def _log_changed(self) -> None:
        for page in self._audience:
            if page.screen is None:
                self._catch_up(page)
        self.send_people()

    def _joined(self, page: OpenPage) -> None:
        if page.screen is None:
            self._catch_up(page)
        self.send_people()

    def _presence_changed(self) -> None:
        if self._audience:
            self.send_people()

    def _seats_changed(self, before: Sequence[Person]) -> None:
        """Close pages at seats that changed hands, so that they come again; send the others the table."""
        people = self._view.seating.people
        for page in list(self._audience):
            if any(people[person].owner != before[person].owner for person in page.persons):
                page.close(TRY_AGAIN)
            else:
                self.send_table(page)
        self.send_people()
