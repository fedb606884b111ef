"""Spectators of a table: they see it as it was a while ago, read from its log.

A row is released DELAY seconds after this process added it or first read it, never in the middle of a show,
and never while it may still be taken back. Only the monotonic clock decides: a row's own time comes from the
wall clock, which may be set during a game.
"""

import asyncio
import contextlib
import logging
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic as steady_clock

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import from_json
from fifteentwo.rules.state import Phase
from fifteentwo.server.background import begin
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import seeding, spectator_view
from fifteentwo.server.live.open_page import TRY_AGAIN, Outbox
from fifteentwo.server.live.table import LiveTable, Part
from fifteentwo.server.live.table_state import asked_for_seeds
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.proposals import first_undoable
from fifteentwo.server.table_log.rows import Row, StoredTable, back_to

log = logging.getLogger("fifteentwo.server")

DELAY = 30.0
"""Seconds after which spectators see a row, or later."""
POLL = 3.0
"""Seconds between two reads of a spectated table's log."""
MOST_SPECTATORS = 24
"""Spectators that one table may have."""
GONE = 1008


class SpectatorPage(Outbox):
    """The page of one spectator."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang
        self.dealing: bytes | None = None
        """The dealing as it was last sent."""


class RowTimes(Part):
    """When this process read or added the last rows of a table that it holds, by its monotonic clock."""

    def __init__(self) -> None:
        self._times: deque[tuple[int, float]] = deque()
        """The last row at a time, and the time; all but the first less than DELAY seconds ago."""

    def changed(self, table: LiveTable) -> None:
        """Note the time of new rows."""
        if not self._times or table.ledger.seq > self._times[-1][0]:
            self._times.append((table.ledger.seq, steady_clock()))
        while len(self._times) > 1 and steady_clock() - self._times[1][1] >= DELAY:
            self._times.popleft()

    def of(self, seq: int) -> float | None:
        """Return a time at which this process had a row; None for a row that it does not know."""
        return next((at for last, at in self._times if last >= seq), None)


class _WaitingRow:
    """A row that is not released yet."""

    def __init__(self, row: Row, seen_at: float, whole: bool) -> None:
        self.row = row
        self.seen_at = seen_at
        """When this process had it, by the monotonic clock."""
        self.whole = whole
        """Whether the table may be shown as it is after it: no show has begun, and it was not taken back."""


class Past:
    """A table some while ago: rows are taken as they are stored, and released when they may be seen."""

    def __init__(self, stored: StoredTable, since: Ledger) -> None:
        """since: an empty ledger, from where rows will be taken."""
        options = from_json(stored.options, Options)
        self._now = since
        self.ledger = matches.ledger_of(since.match.rules, options, since=since.beginning)
        """As spectators may know it."""
        self._first = since.beginning.seq
        self._waiting: deque[_WaitingRow] = deque()
        persons = asked_for_seeds(stored.people)
        self._alone = persons[0] if len(persons) == 1 else None
        """The one person among computers, who alone may take back; None where several play."""

    @property
    def begun(self) -> bool:
        """Whether there is anything yet to be shown."""
        return self.ledger.seq >= self._first

    @property
    def next(self) -> int:
        """The row that is to be taken next."""
        return self._now.seq + 1

    def take(self, rows: Sequence[Row], *, seen_at: float) -> None:
        """Take rows of the log. seen_at: when this process had them, by the monotonic clock."""
        for row in rows:
            self._now.add(row)
            self._now.forget()
            if row.type == "undone":
                self._taken_back(row)
            state = self._now.table.state
            in_show = state.shown > 0 and state.phase is not Phase.OVER and not self._now.closed
            self._waiting.append(_WaitingRow(row, seen_at, not in_show))

    def _taken_back(self, undone: Row) -> None:
        first = back_to(undone)
        for one in self._waiting:
            if one.row.seq >= first:
                one.whole = False

    def release(self) -> bool:
        """Release the rows that may be seen by now; return whether there were any."""
        held, ready, due = self._may_be_taken_back(), 0, steady_clock() - DELAY
        for place, one in enumerate(self._waiting, 1):
            if one.row.seq >= held or one.seen_at > due:
                break
            if one.whole:
                ready = place
        for _ in range(ready):
            self.ledger.add(self._waiting.popleft().row)
            self.ledger.forget()
        return ready > 0

    def _may_be_taken_back(self) -> int:
        """Return the first row that may still be undone; where none may, one that is never reached."""
        never = self._now.seq + 1
        # Of a table that is being deleted not even the first row may be left.
        if self._alone is None or self._now.seq < self._first:
            return never
        return first_undoable(self._now, self._now.seat_of(self._alone)) or never


class _SpectatedTable:
    """One table that has spectators."""

    def __init__(self, store: Store, stored: StoredTable, held: Callable[[str], LiveTable | None]) -> None:
        self._store = store
        self._stored = stored
        self._held = held
        self._people = stored.people
        self._options = from_json(stored.options, Options)
        self._past: Past | None = None
        self.pages: list[SpectatorPage] = []
        self.following = begin(self._follow())

    async def _follow(self) -> None:
        """Send every spectator what may be known by now, as long as there is one."""
        while True:
            try:
                await self._read()
                if self._past is not None and self._past.release():
                    self.send()
            except StoreError:
                pass  # The database is away for a while: nothing is sent meanwhile.
            except Exception:
                log.exception("table %s cannot be spectated", self._stored.id)
                self.close(TRY_AGAIN)
                return
            await asyncio.sleep(min(POLL, DELAY / 4))

    async def _read(self) -> None:
        """Read what was added to the log, and who sits there."""
        people = await self._store.people(self._stored.id)
        if not people:
            self.close(GONE)
            return
        if people != self._people:
            self._people = people
            self.send()
        past = self._past or await self._opened()
        while rows := await self._store.rows(self._stored.id, past.next, matches.IN_LOOP):
            table, now = self._held(self._stored.id), steady_clock()
            for row in rows:
                known = None if table is None else table.part(RowTimes).of(row.seq)
                past.take([row], seen_at=now if known is None else known)
        self._past = past

    async def _opened(self) -> Past:
        begun = await self._store.begun(self._stored.id, 1 << 30)
        number = 1 if begun is None else max(1, begun.game_number - 1)
        return Past(self._stored, await matches.read_from(self._store, self._stored, number))

    def send(self) -> None:
        """Send every spectator the table."""
        for page in self.pages:
            self.send_to(page)

    def send_to(self, page: SpectatorPage) -> None:
        """Send one page the table, and of the dealing what it does not know."""
        if self._past is None or not self._past.begun:
            return
        ledger = self._past.ledger
        # As every page was sent it then, so that it may be checked.
        dealing = seeding.message(ledger)
        if page.dealing != dealing:
            page.dealing = dealing
            page.send(dealing)
        page.send(spectator_view.table(ledger, self._people, self._options, page.lang))

    def close(self, code: int) -> None:
        """Let everyone go."""
        for page in self.pages:
            page.close(code)


class Spectators:
    """The spectators of all tables in this process."""

    def __init__(
        self,
        store: Store,
        number_changed: Callable[[str], None],
        held: Callable[[str], LiveTable | None] = lambda _: None,
    ) -> None:
        """number_changed: called with a table's id when its number of spectators has changed.

        held: returns a table that this process holds, or None.
        """
        self._store = store
        self._held = held
        self._number_changed = number_changed
        self._tables: dict[str, _SpectatedTable] = {}

    def number(self, name: str) -> int:
        """Return how many spectators a table has."""
        table = self._tables.get(name)
        return 0 if table is None else len(table.pages)

    async def admitted(self, name: str, secret: str) -> StoredTable:
        """Return the table that a link for spectators opens, without its log; Refused where it opens none."""
        stored = await self._store.load(name, rows=False)
        if stored is not None:
            own = from_json(stored.options, Options).spectator_key
            if own and secrets.compare_digest(own.encode(), secret.encode(errors="replace")):
                return stored
        raise Refused("no-such-spectator-link", status=404)

    def join(self, stored: StoredTable, page: SpectatorPage) -> None:
        """Add a spectator's page; Refused where there are too many."""
        table = self._tables.get(stored.id)
        if table is not None and table.following.done():
            table = None
        if table is None:
            table = self._tables[stored.id] = _SpectatedTable(self._store, stored, self._held)
        if len(table.pages) >= MOST_SPECTATORS:
            raise Refused("too-many-spectators", status=429, most=MOST_SPECTATORS)
        table.pages.append(page)
        self._send_number(stored.id, table)
        table.send_to(page)

    def leave(self, name: str, page: SpectatorPage) -> None:
        """Remove a spectator's page."""
        table = self._tables.get(name)
        if table is None or page not in table.pages:
            return
        table.pages.remove(page)
        if not table.pages:
            table.following.cancel()
            del self._tables[name]
        self._send_number(name, table)

    def _send_number(self, name: str, table: _SpectatedTable) -> None:
        for one in table.pages:
            one.send(spectator_view.number_of(DELAY, len(table.pages)))
        self._number_changed(name)

    async def close(self) -> None:
        """Let everyone go; they may come back."""
        for table in list(self._tables.values()):
            table.close(TRY_AGAIN)
            table.following.cancel()
            with contextlib.suppress(asyncio.CancelledError, FifteenTwoError):
                await table.following
