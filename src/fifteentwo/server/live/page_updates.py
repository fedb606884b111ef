"""Brings each open page up to date: with the events it lacks, or with the whole table."""

from fifteentwo.server.live import wire
from fifteentwo.server.live.challenge_clock import ChallengeClock
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.open_page import TRY_AGAIN, OpenPage
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.table_log.rows import Person


def table_now(table: LiveTable, person: int) -> wire.TableNow:
    """Return what the table adds to the game as a person may see it."""
    options = table.options
    return wire.TableNow(
        levels=tuple([table.people[other].level for other in table.ledger.seated]),
        options=wire.TableOptions(options.board, options.challenge_seconds, options.daily),
        undo=table.may_undo(person),
        hints=table.has_hints,
        fallbacks=table.part(Computers).fallbacks(table),
        invitations=table.invitations(),
    )


def waiting(table: LiveTable) -> bytes:
    """Return the message of whom the table waits for, and how long they have."""
    return wire.waiting(table.waiting, table.part(ChallengeClock).seconds_left())


class PageUpdates(Part):
    """Sends each page what is new; `PassAndPlay` does so for pages that several people share."""

    def send_people(self, table: LiveTable) -> None:
        """Send who is at the table to every page that does not know it."""
        now = table.people_now(table.spectators())
        for page in table.pages:
            if page.people != now:
                page.people = now
                page.send(wire.message(wire.PeopleMessage(now)))

    def send_table(self, table: LiveTable, page: OpenPage) -> None:
        """Send one page the whole table."""
        if page.screen is None:
            now, names = table_now(table, page.person), table.names(page.lang)
            page.send(wire.table(table.ledger, page.person, page.lang, names, now))
            page.v = table.ledger.v
            page.send(waiting(table))

    def _catch_up(self, table: LiveTable, page: OpenPage) -> None:
        """Send one page the events it lacks."""
        ledger = table.ledger
        if page.v is None or not ledger.restarted <= page.v <= ledger.v:
            self.send_table(table, page)
            return
        names, sides = table.names(page.lang), table.rules.sides
        for v in range(page.v + 1, ledger.v + 1):
            page.send(wire.event(v, ledger.entry(v), page.person, page.lang, names, sides))
        page.v = ledger.v
        page.send(wire.view_now(ledger, page.person, table_now(table, page.person)))
        page.send(waiting(table))

    def row_added(self, table: LiveTable, row: RowAdded) -> None:
        for page in table.pages:
            if page.screen is None:
                self._catch_up(table, page)
        self.send_people(table)

    def page_joined(self, table: LiveTable, page: OpenPage) -> None:
        if page.screen is None:
            self._catch_up(table, page)
        self.send_people(table)

    def page_left(self, table: LiveTable, page: OpenPage) -> None:
        self.send_people(table)

    def people_changed(self, table: LiveTable, before: list[Person]) -> None:
        """Close pages at seats that changed hands, so that they reconnect; send the others the table."""
        for page in list(table.pages):
            if any(table.people[person].owner != before[person].owner for person in page.persons):
                page.close(TRY_AGAIN)
            else:
                self.send_table(table, page)
        self.send_people(table)
