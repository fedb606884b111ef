"""Pages with the board for everyone around it: what all seats may know, without delay and without a hand."""

from fifteentwo.server.errors import Refused
from fifteentwo.server.live import spectator_view
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT
from fifteentwo.server.live.spectators import SpectatorPage
from fifteentwo.server.live.table import LiveTable, Part
from fifteentwo.server.live.table_state import TableState

MAX_BOARDS_PER_TABLE = 4


class SharedBoards:
    """The board pages of all tables in this process. A board page keeps no table in memory."""

    def __init__(self) -> None:
        self._pages: dict[str, dict[SpectatorPage, bytes]] = {}
        """The pages of each table, by table id, each with the last message that it was sent."""

    def join(self, table: TableState, page: SpectatorPage) -> None:
        """Add a page and send it the table. Raise Refused if there are too many."""
        pages = self._pages.setdefault(table.id, {})
        if len(pages) >= MAX_BOARDS_PER_TABLE:
            raise Refused("too-many-boards", status=429, most=MAX_BOARDS_PER_TABLE)
        pages[page] = b""
        self.send(table)

    def leave(self, table_id: str, page: SpectatorPage) -> None:
        pages = self._pages.get(table_id, {})
        pages.pop(page, None)
        if not pages:
            self._pages.pop(table_id, None)

    def send(self, table: TableState) -> None:
        """Send a table to its board pages unless they have it."""
        pages = self._pages.get(table.id, {})
        for page, sent in list(pages.items()):
            now = spectator_view.table_message(table.ledger, table.people, table.options, page.lang)
            if now != sent:
                pages[page] = now
                page.send(now)

    def close(self) -> None:
        """Close every page; the pages may reconnect."""
        for pages in self._pages.values():
            for page in pages:
                page.close(CLOSE_AND_RECONNECT)


class BoardUpdates(Part):
    """The part of a table that sends its board pages each change."""

    def __init__(self, boards: SharedBoards) -> None:
        self._boards = boards

    def on_change(self, table: LiveTable) -> None:
        self._boards.send(table)
