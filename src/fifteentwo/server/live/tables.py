"""The tables that this process holds for their players, and reading of all other tables.

A process that opens a table's page becomes the table's holder: the database accepts rows from the holder
alone. `read` returns a table without holding it.
"""

import asyncio
import contextlib
import functools
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator

from fifteentwo.processes import WorkerPool
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, to_json
from fifteentwo.rules.state import NO_SEAT
from fifteentwo.rules.variants import Rules
from fifteentwo.server.background import log, repeat, start_task
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live.challenge_clock import ChallengeClock
from fifteentwo.server.live.coach import Coach
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.move_clock import MoveClock
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT, OpenPage
from fifteentwo.server.live.page_updates import PageUpdates
from fifteentwo.server.live.pass_and_play import PassAndPlay
from fifteentwo.server.live.quick_chat import QuickChat
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.shared_board import BoardUpdates, SharedBoards
from fifteentwo.server.live.spectators import RowTimes, Spectators
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.live.table_state import TableState, human_persons
from fifteentwo.server.live.thinking import Thinking
from fifteentwo.server.store import matches
from fifteentwo.server.store.history import History, PlayedGame
from fifteentwo.server.store.holding import SeenPages, become_holder, find_changes
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.reviews import ReviewedGames, StoredReviews
from fifteentwo.server.table_log import dealing, proposals
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import BeganBody, Person, StoredTable

MAX_HOME_PAGE_TABLES = 8
MAX_IDLE_TABLES = 64
"""Tables that may stay in memory without a page or task. The least recently used is dropped first."""
MAX_LOADS = 6
"""Tables loaded at a time. All pages reconnect when a server starts; other requests need connections too."""
COMPARE_INTERVAL_SECONDS = 2.0
"""Seconds between two comparisons of the open tables with a database that other processes use."""
PAGE_SEEN_INTERVAL_SECONDS = 3600.0
"""Seconds between two writes of the time at which a page of the table was open."""
_TABLE_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{16}")


class Tables:
    """The tables that this process holds."""

    def __init__(
        self, store: Store, thinking: Thinking | None = None, study_pool: WorkerPool | None = None
    ) -> None:
        self.store = store
        self.history = History(store)
        self.reviews = ReviewedGames(study_pool)
        self.stored_reviews = StoredReviews(self.history, self.reviews)
        self.thinking = thinking or Thinking()
        self.boards = SharedBoards()
        self.spectators = Spectators(store, self._send_spectator_count, self._held_table)
        self.drop_cached_sessions: Callable[[str], None] = lambda _: None
        """Called with an owner whose cached session may have ended."""
        self.on_evening_game_ended: Callable[[TableState], object] = lambda _: None
        """Called with a table of an evening whose game has ended."""
        self._seen_pages = SeenPages(store)
        self._loads: dict[str, asyncio.Task[LiveTable]] = {}
        """The task that loads each table, by table id. The least recently used is first."""
        self._load_slots = asyncio.Semaphore(MAX_LOADS)
        self._comparing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._loads)

    async def create(
        self,
        rules: Rules,
        options: Options,
        people: tuple[Person, ...],
        position: Record | None = None,
        *,
        table_id: str | None = None,
        secret: bytes | None = None,
    ) -> str:
        """Store a new table with its first game, which may start at a record's position; return its id."""
        stored = new_table(
            table_id or secrets.token_urlsafe(12), rules, options, people, position, secret=secret
        )
        await self.store.create(stored)
        return stored.id

    async def import_game(self, game: Record, owner: str, seat: int | None, notation: str) -> str:
        """Store a finished game that was played elsewhere; return its id. seat: the owner's, or None."""
        stored = matches.imported_match(secrets.token_urlsafe(12), game, owner, seat, notation)
        await self.store.create(stored)
        return stored.id

    async def read(self, table_id: str) -> TableState:
        """Return a table for a page that only reads it. Raise Refused if it does not exist."""
        if (held := self._held_table(table_id)) is not None:
            return held
        if not _TABLE_ID_PATTERN.fullmatch(table_id):
            raise Refused("no-such-game", status=404)
        with _replay_errors_as_damage(table_id):
            found = await matches.load_match(self.store, table_id)
            if found is None:
                raise Refused("no-such-game", status=404)
            return TableState(self.store, *found)

    async def review_game(self, game: PlayedGame) -> None:
        """Review a finished game, and store the review, or the error that prevents it."""
        try:
            ledger = await (await self.read(game.match_id)).ledger_with_game(game.game_number)
            record = ledger.record(game.game_number, ("",) * len(game.summary.players))
            await self.stored_reviews.report(game.match_id, game.game_number, record)
        except Exception as error:  # an error in one game must not stop the others
            await self.history.save_failure(game, error)

    async def unfinished_of(
        self, owner: str, limit: int = MAX_HOME_PAGE_TABLES, *, only_hidden: bool = False
    ) -> list[TableState]:
        """Return the tables where an owner may have an unfinished game. Skip those that cannot be read."""
        tables = []
        for name in await self.store.unfinished_of(owner, limit, only_hidden=only_hidden):
            with contextlib.suppress(StoreError):
                tables.append(await self.read(name))
        return tables

    async def open(self, table_id: str) -> LiveTable:
        """Return a table and make this process its holder. Raise Refused if it does not exist."""
        if not _TABLE_ID_PATTERN.fullmatch(table_id):
            raise Refused("no-such-game", status=404)
        table = self._held_table(table_id)
        if table is not None and self.store.is_shared and not await become_holder(self.store, table_id):
            # Another process has become its holder and may have written rows.
            table.drop()
        task = self._loads.pop(table_id, None)
        if task is None or _failed_or_dropped(task):
            self._drop_idle()
            task = asyncio.get_running_loop().create_task(self._load_live_table(table_id))
        self._loads[table_id] = task  # the most recently used last
        try:
            return await asyncio.shield(task)
        except BaseException:
            if self._loads.get(table_id) is task and _failed_or_dropped(task):
                del self._loads[table_id]
            raise

    async def _load_live_table(self, table_id: str) -> LiveTable:
        async with self._load_slots:
            if self.store.is_shared:
                await become_holder(self.store, table_id)
                if self._comparing is None:
                    self._comparing = start_task(repeat(COMPARE_INTERVAL_SECONDS, self.compare_with_database))
            with _replay_errors_as_damage(table_id):
                found = await matches.load_match(self.store, table_id)
        if found is None:
            raise Refused("no-such-game", status=404)
        stored, ledger = found
        # The parts react in this order.
        first = Coach(), ChallengeClock(), Computers(self.thinking), Seeding(), PassAndPlay(), PageUpdates()
        books = Bookkeeping(self.history, self.reviews, self._seen_pages, self.on_evening_game_ended)
        parts = (*first, MoveClock(), QuickChat(), RowTimes(), BoardUpdates(self.boards), books)
        spectators = functools.partial(self.spectators.count, table_id)
        return LiveTable(self.store, stored, parts, ledger, spectators)

    def _drop_idle(self) -> None:
        idle = [name for name, table in self.held_tables().items() if table.is_idle]
        for name in idle[: max(0, len(idle) - MAX_IDLE_TABLES + 1)]:
            del self._loads[name]

    def held_tables(self) -> dict[str, LiveTable]:
        """Return the tables that this process holds, the least recently used first."""
        return {name: table for name in self._loads if (table := self._held_table(name)) is not None}

    def _held_table(self, table_id: str) -> LiveTable | None:
        task = self._loads.get(table_id)
        return None if task is None or not task.done() or _failed_or_dropped(task) else task.result()

    async def close_tables(self, table_ids: Iterable[str]) -> None:
        """Close tables that are in memory. Their pages reconnect."""
        for name in table_ids:
            task = self._loads.pop(name, None)
            if task is not None:
                with contextlib.suppress(FifteenTwoError):
                    await (await task).close()

    async def close(self) -> None:
        if self._comparing is not None:
            self._comparing.cancel()
        await self._seen_pages.close()
        await self.spectators.close()
        self.boards.close()
        for task in self._loads.values():
            task.cancel()
        await asyncio.gather(*[table.close() for table in self.held_tables().values()])
        await self.thinking.close()

    async def read_people(self, table_ids: Iterable[str]) -> None:
        """Read the people of tables that are in memory again; close tables without people."""
        here = [name for name in table_ids if self._held_table(name) is not None]
        for name, people in (await self.store.people_of(here)).items():
            if not people:
                await self.close_tables([name])
            elif (table := self._held_table(name)) is not None:
                table.replace_people(people)

    def close_pages(self, owner: str) -> None:
        """Close every page of an owner, so that it reconnects with the owner's present session."""
        self.drop_cached_sessions(owner)
        for table in self.held_tables().values():
            for page in list(table.pages):
                if table.people[page.person].owner == owner:
                    page.close(CLOSE_AND_RECONNECT)

    def _send_spectator_count(self, table_id: str) -> None:
        if (table := self._held_table(table_id)) is not None:
            table.part(PageUpdates).send_people(table)

    async def compare_with_database(self) -> None:
        """Drop tables that others hold, update changed people, close pages of ended sessions."""
        here = self.held_tables()
        if not here:
            return
        sessions = {page.session for table in here.values() for page in table.pages if page.session}
        found = await find_changes(self.store, {name: table.people for name, table in here.items()}, sessions)
        for name in found.lost_matches:
            log.info("table %s is held by another process now", name)
            here[name].drop()
        await self.read_people(found.reseated_matches)
        for table in here.values():
            for page in [one for one in table.pages if one.session in found.ended_sessions]:
                page.close(CLOSE_AND_RECONNECT)
                self.drop_cached_sessions(table.people[page.person].owner or "")


def new_table(
    table_id: str,
    rules: Rules,
    options: Options,
    people: tuple[Person, ...],
    position: Record | None = None,
    *,
    secret: bytes | None = None,
) -> StoredTable:
    """Return a table with its first game (see `Tables.create`)."""
    ledger, secret = matches.ledger_of(rules, options), secret or dealing.new_secret()
    if position is None:
        dealer = 0 if options.evening else NO_SEAT
        first = proposals.new_game(ledger, secret, human_persons(people) or None, dealer)
    else:
        # A starter that was not turned up, and all later deals, follow from the secret.
        first = proposals.make_row(ledger, "began", BeganBody(secret.hex(), position.actions))
    ruled, chosen = to_json(rules).decode(), to_json(options).decode()
    return StoredTable(id=table_id, rules_json=ruled, options_json=chosen, people=people, rows=(first,))


class Bookkeeping(Part):
    """The part of a table that stores finished games with a clock, and when a page was last open."""

    def __init__(
        self,
        history: History,
        reviews: ReviewedGames,
        seen_pages: SeenPages,
        on_evening_game_ended: Callable[[TableState], object],
    ) -> None:
        self._history = history
        self._reviews = reviews
        self._seen_pages = seen_pages
        self._on_evening_game_ended = on_evening_game_ended
        self._recorded_at = 0.0

    def on_row_added(self, table: LiveTable, row: RowAdded) -> None:
        """Store a finished game with a clock. Others are stored when a player opens the history."""
        self._reviews.warm_up_near_the_end(table.ledger.table.state)
        if table.ledger.table.over and table.options.clock is not None:
            table.tasks.start(self._history.store_games(table.id))
        if table.options.evening and (table.ledger.table.over or table.ledger.is_abandoned):
            self._on_evening_game_ended(table)

    def on_page_joined(self, table: LiveTable, page: OpenPage) -> None:
        if time.time() >= self._recorded_at + PAGE_SEEN_INTERVAL_SECONDS:
            self._recorded_at = time.time()
            self._seen_pages.add(table.id)

    on_page_left = on_page_joined


def _failed_or_dropped(task: asyncio.Task[LiveTable]) -> bool:
    if not task.done():
        return False
    return task.cancelled() or task.exception() is not None or task.result().is_dropped


@contextlib.contextmanager
def _replay_errors_as_damage(name: str) -> Iterator[None]:
    """Log errors of reading a table's log, and raise them as StoreError("game-damaged")."""
    try:
        yield
    except (Refused, StoreError):
        raise
    except (FifteenTwoError, ValueError, LookupError) as error:
        log.exception("the log of table %s cannot be replayed", name)
        raise StoreError("game-damaged") from error
