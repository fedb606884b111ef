"""Spectators of a table: they see it after a delay, read from its log.

A row is released DELAY_SECONDS after this process added it or first read it, by the monotonic clock, but not
in the middle of a show, and not while it can still be taken back.
"""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic as steady_clock

import msgspec

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import from_json
from fifteentwo.rules.state import Phase
from fifteentwo.server.background import log, start_task
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import seeding, spectator_view
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT, CLOSE_FOR_GOOD, Outbox
from fifteentwo.server.live.table import LiveTable, Part
from fifteentwo.server.live.table_state import human_persons
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.proposals import first_undoable_row
from fifteentwo.server.table_log.rows import Row, StoredTable, first_undone

DELAY_SECONDS = 30.0
"""Seconds that a row is at least withheld from spectators."""
LOG_POLL_SECONDS = 3.0
MAX_SPECTATORS_PER_TABLE = 24


class SpectatorPage(Outbox):
    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang
        self.sent_dealing: bytes | None = None


class RowTimes(Part):
    """The part of a table that stores when this process read or added the last rows (monotonic seconds)."""

    def __init__(self) -> None:
        self._times: deque[tuple[int, float]] = deque()
        """The number of the last row at a time, and the time; all but the first within DELAY_SECONDS."""

    def on_change(self, table: LiveTable) -> None:
        if not self._times or table.ledger.seq > self._times[-1][0]:
            self._times.append((table.ledger.seq, steady_clock()))
        while len(self._times) > 1 and steady_clock() - self._times[1][1] >= DELAY_SECONDS:
            self._times.popleft()

    def time_of(self, seq: int) -> float | None:
        """Return a time at which this process had a row; None for an unknown row."""
        return next((at for last, at in self._times if last >= seq), None)


class _WithheldRow(msgspec.Struct):
    row: Row
    seen_at: float
    """Time at which this process had the row, by the monotonic clock."""
    can_be_shown: bool
    """Whether the table may be shown after this row: outside a show, and not undone."""


class DelayedTable:
    """A table after a delay. Rows are added when they are stored, and released when they may be seen."""

    def __init__(self, stored: StoredTable, empty: Ledger) -> None:
        """Create the table. empty: a ledger without rows, whose next row is the first to be added."""
        options = from_json(stored.options_json, Options)
        self.latest = empty
        """The ledger of all rows."""
        self.ledger = matches.ledger_of(empty.match.rules, options, start=empty.game_start)
        """The ledger of the released rows."""
        self.first_seq = empty.game_start.seq
        self._waiting: deque[_WithheldRow] = deque()
        persons = human_persons(stored.people)
        self._solo_person = persons[0] if len(persons) == 1 else None
        """The only person among computers, who alone can undo; None if several people play."""

    def add_rows(self, rows: Sequence[Row], *, seen_at: float) -> None:
        """Add rows of the log. seen_at: when this process had them, by the monotonic clock."""
        for row in rows:
            self.latest.add(row)
            self.latest.drop_finished_games()
            if row.type == "undone":
                for one in self._waiting:
                    one.can_be_shown &= one.row.seq < first_undone(row)
            state = self.latest.table.state
            in_show = state.shown > 0 and state.phase is not Phase.OVER and not self.latest.is_abandoned
            self._waiting.append(_WithheldRow(row, seen_at, not in_show))

    def release(self) -> bool:
        """Release the rows that may be seen now; return whether there were any."""
        held, ready, due = self.latest.seq + 1, 0, steady_clock() - DELAY_SECONDS
        # The log of a table that is being deleted may lack even its first row.
        if self._solo_person is not None and self.latest.seq >= self.first_seq:
            held = first_undoable_row(self.latest, self.latest.seat_of(self._solo_person)) or held
        for place, one in enumerate(self._waiting, 1):
            if one.row.seq >= held or one.seen_at > due:
                break
            if one.can_be_shown:
                ready = place
        for _ in range(ready):
            self.ledger.add(self._waiting.popleft().row)
            self.ledger.drop_finished_games()
        return ready > 0


class _TableWithSpectators:
    def __init__(self, store: Store, stored: StoredTable, held: Callable[[str], LiveTable | None]) -> None:
        self._store = store
        self._stored = stored
        self._held_table = held
        self._people = stored.people
        self._options = from_json(stored.options_json, Options)
        self._delayed: DelayedTable | None = None
        self.pages: list[SpectatorPage] = []
        self.task = start_task(self._send_new_rows_until_closed())

    async def _send_new_rows_until_closed(self) -> None:
        while True:
            try:
                await self._read_new_rows()
                if self._delayed is not None and self._delayed.release():
                    self.send_to_all()
            except StoreError:
                pass  # The database is unavailable: nothing is sent until it works again.
            except Exception:
                log.exception("table %s cannot be spectated", self._stored.id)
                self.close(CLOSE_AND_RECONNECT)
                return
            await asyncio.sleep(min(LOG_POLL_SECONDS, DELAY_SECONDS / 4))

    async def _read_new_rows(self) -> None:
        people = await self._store.people(self._stored.id)
        if not people:
            self.close(CLOSE_FOR_GOOD)
            return
        if people != self._people:
            self._people = people
            self.send_to_all()
        past, name = self._delayed, self._stored.id
        if past is None:
            begun = await self._store.last_game_start(name, 1 << 30)
            number = 1 if begun is None else max(1, begun.game_number - 1)
            empty = await matches.ledger_before_game(self._store, self._stored, number)
            past = DelayedTable(self._stored, empty)
        while rows := await self._store.rows(name, past.latest.seq + 1, matches.MAX_ROWS_IN_LOOP):
            table, now = self._held_table(name), steady_clock()
            for row in rows:
                known = None if table is None else table.part(RowTimes).time_of(row.seq)
                past.add_rows([row], seen_at=now if known is None else known)
        self._delayed = past

    def send_to_all(self) -> None:
        for page in self.pages:
            self.send_to(page)

    def send_to(self, page: SpectatorPage) -> None:
        if self._delayed is None or self._delayed.ledger.seq < self._delayed.first_seq:
            return
        ledger = self._delayed.ledger
        # Players were sent the same message, so a spectator can check the deal too.
        dealing = seeding.dealing_message(ledger)
        if page.sent_dealing != dealing:
            page.sent_dealing = dealing
            page.send(dealing)
        page.send(spectator_view.table_message(ledger, self._people, self._options, page.lang))

    def close(self, code: int) -> None:
        for page in self.pages:
            page.close(code)


class Spectators:
    """The spectators of all tables in this process."""

    def __init__(
        self,
        store: Store,
        count_changed: Callable[[str], None],
        held_table: Callable[[str], LiveTable | None],
    ) -> None:
        self._store = store
        self._held_table = held_table
        """Returns a table that this process holds, or None."""
        self._count_changed = count_changed
        """Called with a table's id when its number of spectators changes."""
        self._tables: dict[str, _TableWithSpectators] = {}

    def count(self, table_id: str) -> int:
        table = self._tables.get(table_id)
        return 0 if table is None else len(table.pages)

    async def table_of_link(self, table_id: str, key: str) -> StoredTable:
        """Return the table that a spectators' link opens, without rows. Raise Refused if there is none."""
        stored = await self._store.load(table_id, with_rows=False)
        if stored is not None:
            own = from_json(stored.options_json, Options).spectator_key
            if own and secrets.compare_digest(own.encode(), key.encode(errors="replace")):
                return stored
        raise Refused("no-such-spectator-link", status=404)

    def join(self, stored: StoredTable, page: SpectatorPage) -> None:
        """Add a spectator's page. Raise Refused if there are too many."""
        table = self._tables.get(stored.id)
        if table is None or table.task.done():
            table = self._tables[stored.id] = _TableWithSpectators(self._store, stored, self._held_table)
        if len(table.pages) >= MAX_SPECTATORS_PER_TABLE:
            raise Refused("too-many-spectators", status=429, most=MAX_SPECTATORS_PER_TABLE)
        table.pages.append(page)
        self._send_count(stored.id, table)
        table.send_to(page)

    def leave(self, table_id: str, page: SpectatorPage) -> None:
        table = self._tables.get(table_id)
        if table is None or page not in table.pages:
            return
        table.pages.remove(page)
        if not table.pages:
            table.task.cancel()
            del self._tables[table_id]
        self._send_count(table_id, table)

    def _send_count(self, table_id: str, table: _TableWithSpectators) -> None:
        for one in table.pages:
            one.send(spectator_view.count_message(DELAY_SECONDS, len(table.pages)))
        self._count_changed(table_id)

    async def close(self) -> None:
        """Close every page; the pages may reconnect."""
        for table in list(self._tables.values()):
            table.close(CLOSE_AND_RECONNECT)
            table.task.cancel()
            with contextlib.suppress(asyncio.CancelledError, FifteenTwoError):
                await table.task
