"""Sends each open page the events that it lacks, or the whole table."""

from fifteentwo.server.live import wire
from fifteentwo.server.live.challenge_clock import ChallengeClock
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT, OpenPage
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.table_log.rows import Person


def table_extras(table: LiveTable, person: int) -> wire.TableExtras:
    """Return the options of a table and the rights of a person, which the page shows beside the game."""
    options = table.options
    return wire.TableExtras(
        levels=tuple([table.people[other].level for other in table.ledger.seated]),
        options=wire.TableOptions(options.board, options.challenge_seconds, options.daily, options.evening),
        undo=table.can_undo(person),
        hints=table.has_hints,
        fallbacks=table.part(Computers).fallbacks(table),
        invitations=table.open_invitations(),
    )


def waiting_message(table: LiveTable) -> bytes:
    return wire.waiting_message(table.waiting, table.part(ChallengeClock).seconds_left())


class PageUpdates(Part):
    """The part that sends pages what is new. `PassAndPlay` does so for pages that several people share."""

    def send_people(self, table: LiveTable) -> None:
        """Send the people at the table to every page that does not have them."""
        now = table.presence(table.count_spectators())
        for page in table.pages:
            if page.sent_people != now:
                page.sent_people = now
                page.send(wire.encode(wire.PeopleMessage(now)))

    def send_table(self, table: LiveTable, page: OpenPage) -> None:
        if page.screen is None:
            now, names = table_extras(table, page.person), table.names(page.lang)
            page.send(wire.table_message(table.ledger, page.person, page.lang, names, now))
            page.version = table.ledger.v
            page.send(waiting_message(table))

    def _send_missed_events(self, table: LiveTable, page: OpenPage) -> None:
        ledger = table.ledger
        if page.version is None or not ledger.restart_version <= page.version <= ledger.v:
            self.send_table(table, page)
            return
        names, sides = table.names(page.lang), table.rules.sides
        for v in range(page.version + 1, ledger.v + 1):
            page.send(wire.event_message(v, ledger.entry(v), page.person, page.lang, names, sides))
        page.version = ledger.v
        page.send(wire.view_message(ledger, page.person, table_extras(table, page.person)))
        page.send(waiting_message(table))

    def on_row_added(self, table: LiveTable, row: RowAdded) -> None:
        for page in table.pages:
            if page.screen is None:
                self._send_missed_events(table, page)
        self.send_people(table)

    def on_page_joined(self, table: LiveTable, page: OpenPage) -> None:
        if page.screen is None:
            self._send_missed_events(table, page)
        self.send_people(table)

    def on_page_left(self, table: LiveTable, page: OpenPage) -> None:
        self.send_people(table)

    def on_people_changed(self, table: LiveTable, before: list[Person]) -> None:
        """Close pages whose seats have a new owner, so that they reconnect; send the others the table."""
        for page in list(table.pages):
            if any(table.people[person].owner != before[person].owner for person in page.persons):
                page.close(CLOSE_AND_RECONNECT)
            else:
                self.send_table(table, page)
        self.send_people(table)
