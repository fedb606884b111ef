"""The tables that this process holds for their players, and how pages read the others.

Opening a table's page makes this process its holder (its `held_by`); the database accepts rows of the
holder alone. `read` returns a table without holding it.
"""

import asyncio
import contextlib
import functools
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator

from fifteentwo.processes import WorkerPool
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, to_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.background import begin
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live.challenge_clock import ChallengeClock
from fifteentwo.server.live.coach import Coach
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.move_clock import MoveClock
from fifteentwo.server.live.open_page import TRY_AGAIN, OpenPage
from fifteentwo.server.live.page_updates import PageUpdates
from fifteentwo.server.live.pass_and_play import PassAndPlay
from fifteentwo.server.live.quick_chat import QuickChat
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.spectators import RowTimes, Spectators
from fifteentwo.server.live.table import LiveTable, Part, RowAdded
from fifteentwo.server.live.table_state import TableState, asked_for_seeds, read_table
from fifteentwo.server.live.thinking import Thinking
from fifteentwo.server.store import matches
from fifteentwo.server.store.history import History
from fifteentwo.server.store.holding import compare, hold, note_page
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.reviews import ReviewedGames, StoredReviews
from fifteentwo.server.table_log import dealing, proposals
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, StoredTable

log = logging.getLogger("fifteentwo.server")

MAX_AT_HOME = 8
"""Unfinished tables listed on a person's home page."""
MAX_IDLE = 64
"""Tables in memory without pages or tasks; the least recently used leave first."""
COMPARE_SECONDS = 2.0
"""Seconds between two comparisons of the open tables with a database that other processes write to."""
NOTE_PAGE_SECONDS = 3600.0
"""Seconds after which it is stored again that a page of a table in memory was opened or closed."""
_NAME = re.compile(r"[A-Za-z0-9_-]{16}")


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
        self.spectators = Spectators(store, self._spectators_changed, self._held)
        self.forget_owner: Callable[[str], None] = lambda _: None
        """Called when a cached session of an owner may have ended."""
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}
        self._comparing: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._opening)

    async def create(
        self,
        rules: Rules,
        options: Options,
        people: tuple[Person, ...],
        position: Record | None = None,
        *,
        name: str | None = None,
        secret: bytes | None = None,
    ) -> str:
        """Store a new table and its first game, which may begin at a record's position; return its id."""
        name, secret = name or secrets.token_urlsafe(12), secret or dealing.new_secret()
        ledger = matches.ledger_of(rules, options)
        if position is None:
            first = proposals.new_game(ledger, secret, asked_for_seeds(people))
        else:
            first = proposals.go_on(ledger, secret, position)
        await self.store.create(
            StoredTable(
                id=name,
                rules=to_json(rules).decode(),
                options=to_json(options).decode(),
                people=people,
                rows=(first,),
            )
        )
        return name

    async def import_game(self, game: Record, owner: str, seat: int | None, kind: str) -> str:
        """Store a finished game that was played elsewhere; return its id. seat: the owner's, or None."""
        stored = matches.imported(secrets.token_urlsafe(12), game, owner, seat, kind)
        await self.store.create(stored)
        return stored.id

    # ── Reading ──────────────────────────────────────────────────────────────────────────────────────────

    async def read(self, name: str) -> TableState:
        """Return a table that a page only reads, from memory or from its log; Refused if it is unknown."""
        if (held := self._held(name)) is not None:
            return held
        if not _NAME.fullmatch(name):
            raise Refused("no-such-game", status=404)
        with _damaged(name):
            table = await read_table(self.store, name)
        if table is None:
            raise Refused("no-such-game", status=404)
        return table

    async def of_owner(
        self, owner: str, most: int = MAX_AT_HOME, *, taken_out_instead: bool = False
    ) -> list[TableState]:
        """Return the readable tables where a session may have an unfinished game."""
        tables = []
        for name in await self.store.of_owner(owner, most, taken_out_instead=taken_out_instead):
            with contextlib.suppress(StoreError):
                tables.append(await self.read(name))
        return tables

    # ── Holding ──────────────────────────────────────────────────────────────────────────────────────────

    async def open(self, name: str) -> LiveTable:
        """Hold a table for one of its pages; Refused if it does not exist."""
        if not _NAME.fullmatch(name):
            raise Refused("no-such-game", status=404)
        table = self._held(name)
        if table is not None and self.store.is_shared and not await hold(self.store, name):
            # Another process has held it since, and may have written rows.
            table.drop()
        task = self._opening.pop(name, None)
        if task is None or _is_over(task):
            self._make_room()
            task = asyncio.get_running_loop().create_task(self._load(name))
        self._opening[name] = task  # the most recently used last
        try:
            return await asyncio.shield(task)
        except BaseException:
            if self._opening.get(name) is task and _is_over(task):
                del self._opening[name]
            raise

    async def _load(self, name: str) -> LiveTable:
        await hold(self.store, name)
        if self.store.is_shared and self._comparing is None:
            self._comparing = begin(self._keep_comparing())
        with _damaged(name):
            found = await matches.opened(self.store, name)
        if found is None:
            raise Refused("no-such-game", status=404)
        stored, ledger = found
        spectators = functools.partial(self.spectators.number, name)
        return LiveTable(
            self.store, stored, parts(self.thinking, self.history, self.reviews), ledger, spectators
        )

    def _make_room(self) -> None:
        idle = [name for name, table in self.opened().items() if table.is_idle]
        for name in idle[: max(0, len(idle) - MAX_IDLE + 1)]:
            del self._opening[name]

    def opened(self) -> dict[str, LiveTable]:
        """Return the tables that this process holds, the least recently used first."""
        return {name: table for name in self._opening if (table := self._held(name)) is not None}

    def _held(self, name: str) -> LiveTable | None:
        task = self._opening.get(name)
        return None if task is None or not task.done() or _is_over(task) else task.result()

    async def close_tables(self, names: Iterable[str]) -> None:
        """Close these tables if they are in memory; their pages reconnect."""
        for name in names:
            task = self._opening.pop(name, None)
            if task is not None:
                with contextlib.suppress(FifteenTwoError):
                    await (await task).close()

    async def close(self) -> None:
        """Close every table."""
        if self._comparing is not None:
            self._comparing.cancel()
        await self.spectators.close()
        for task in self._opening.values():
            task.cancel()
        await asyncio.gather(*[table.close() for table in self.opened().values()])
        await self.thinking.close()

    # ── People ───────────────────────────────────────────────────────────────────────────────────────────

    async def read_people(self, names: Iterable[str]) -> None:
        """Read again who sits at those of these tables that are in memory; close one without people."""
        here = [name for name in names if self._held(name) is not None]
        for name, people in (await self.store.people_of(here)).items():
            if not people:
                await self.close_tables([name])
            elif (table := self._held(name)) is not None:
                table.replace_people(people)

    def close_pages(self, owner: str) -> None:
        """Close every page of an owner, so that it reconnects and says whose it is."""
        self.forget_owner(owner)
        for table in self.opened().values():
            for page in list(table.pages):
                if table.people[page.person].owner == owner:
                    page.close(TRY_AGAIN)

    def _spectators_changed(self, name: str) -> None:
        if (table := self._held(name)) is not None:
            table.part(PageUpdates).send_people(table)

    # ── Comparing with the database ──────────────────────────────────────────────────────────────────────

    async def _keep_comparing(self) -> None:
        while True:
            await asyncio.sleep(COMPARE_SECONDS)
            try:
                await self.compare()
            except StoreError:
                continue  # The store has logged it.
            except Exception:
                log.exception("open tables could not be compared with the database")

    async def compare(self) -> None:
        """Drop tables that other processes hold; take over changed people; close pages of ended sessions."""
        here = self.opened()
        if not here:
            return
        sessions = {page.session for table in here.values() for page in table.pages if page.session}
        found = await compare(self.store, {name: table.people for name, table in here.items()}, sessions)
        for name in found.lost:
            log.info("table %s is held by another process now", name)
            here[name].drop()
        await self.read_people(found.reseated)
        for table in here.values():
            for page in [one for one in table.pages if one.session in found.ended]:
                page.close(TRY_AGAIN)
                self.forget_owner(table.people[page.person].owner or "")


class Bookkeeping(Part):
    """Stores finished games with a clock at once, so that they are rated; and when a page was open."""

    def __init__(self, history: History, reviews: ReviewedGames) -> None:
        self._history = history
        self._reviews = reviews
        self._noted_at = time.time()

    def row_added(self, table: LiveTable, row: RowAdded) -> None:
        """See `Part`. Games without a clock are stored when a player looks at the history."""
        self._reviews.warm_up_near_the_end(table.ledger.table.state)
        if table.ledger.table.over and table.options.clock is not None:
            table.tasks.begin(self._history.store_games(table.id))

    def page_joined(self, table: LiveTable, page: OpenPage) -> None:
        """See `Part`."""
        self._note_page(table)

    def page_left(self, table: LiveTable, page: OpenPage) -> None:
        """See `Part`."""
        self._note_page(table)

    def _note_page(self, table: LiveTable) -> None:
        if time.time() >= self._noted_at + NOTE_PAGE_SECONDS:
            self._noted_at = time.time()
            table.tasks.begin(note_page(table.store, table.id))


def parts(thinking: Thinking, history: History, reviews: ReviewedGames) -> tuple[Part, ...]:
    """Return the parts of a new table in the order in which they react."""
    return (
        Coach(),
        ChallengeClock(),
        Computers(thinking),
        Seeding(),
        PassAndPlay(),
        PageUpdates(),
        MoveClock(),
        QuickChat(),
        RowTimes(),
        Bookkeeping(history, reviews),
    )


def _is_over(task: asyncio.Task[LiveTable]) -> bool:
    if not task.done():
        return False
    return task.cancelled() or task.exception() is not None or task.result().is_dropped


@contextlib.contextmanager
def _damaged(name: str) -> Iterator[None]:
    """Raise StoreError if the log of a table cannot be replayed."""
    try:
        yield
    except (Refused, StoreError):
        raise
    except (FifteenTwoError, ValueError, LookupError) as error:
        log.exception("table %s cannot be rebuilt", name)
        raise StoreError("game-damaged") from error
