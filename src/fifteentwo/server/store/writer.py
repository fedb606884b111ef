"""Rows on their way to disk: one writer takes all that wait, and keeps them in one transaction.

While one transaction is being written the next rows gather, so the busier the tables the more share one. Here
alone the program does not go through SQLAlchemy, whose greenlets and hops to a thread were most of what a
move cost: a thread with the plain driver takes a whole batch in one hop.
"""

import abc
import asyncio
import contextlib
import functools
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy.engine import URL

from fifteentwo.server.background import begin
from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Condition
from fifteentwo.server.store.database_errors import code_of

MOST_AT_ONCE = 500
"""Rows of one transaction."""
APART = 0.004
"""Seconds from one transaction's beginning to the next one's, at least: what comes meanwhile shares it."""
LOCKED_FOR = 2.0
"""Seconds that another program may hold a SQLite file before a row is refused."""
PATIENCE = {"connect_timeout": 4, "tcp_user_timeout": 4000}
"""Seconds, and milliseconds, after which a silent PostgreSQL is out of reach, where its address says none."""


class NewRow(NamedTuple):
    """A row of the log as the database holds it."""

    game: str
    seq: int
    type: str
    body: str
    at: int | None
    epoch: int | None = None
    """Stored only while the table's lease has this epoch; None: under any lease."""


class Log(abc.ABC):
    """The table of rows behind one connection of a plain driver. Every method may block."""

    channels: tuple[str, ...] = ()
    """On which other processes are notified of new rows."""
    _connection: Any
    _find = "SELECT type, body, created_at FROM log_row WHERE match_id = ? AND seq = ?"

    @abc.abstractmethod
    def insert(self, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        """Add rows in one transaction; return those refused: their place is taken, or their epoch is over."""

    @abc.abstractmethod
    def touch(self) -> None:
        """Write what changes nothing, as durably as a row."""

    def has(self, row: NewRow) -> bool:
        """Return whether exactly this row is there."""
        found = self._connection.execute(self._find, (row.game, row.seq))
        return bool(found.fetchone() == (row.type, row.body, row.at))

    @property
    def broken(self) -> bool:
        """Whether the other end has gone, and another connection may do better; never that of a file."""
        return False

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()


class Driver(NamedTuple):
    """How to reach a database, and what its driver may raise."""

    connect: Callable[[], Log]
    error: type[Exception]
    unfit: tuple[type[Exception], ...]
    """Errors that are one row's own: its table is gone."""


T = TypeVar("T")
Waiting = list[tuple[NewRow, asyncio.Future[bool]]]


class Writer:
    """Stores rows; several at once where several wait."""

    def __init__(self, driver: Driver, condition: Condition | None = None) -> None:
        """condition: whether the database takes what is written."""
        self._driver = driver
        self._condition = condition or Condition("writing to the database")
        self._log: Log | None = None
        self._thread = ThreadPoolExecutor(1, "fifteentwo-writer")
        self._waiting: Waiting = []
        self._writing: asyncio.Task[None] | None = None
        self._began = 0.0
        self.channels: tuple[str, ...] = ()
        """On which other processes are notified of new rows."""

    async def keep(self, row: NewRow) -> bool:
        """Put a row on disk; StoreError where it may not be there.

        False where its place was taken, or where it has an epoch, which is over.
        """
        loop = asyncio.get_running_loop()
        kept: asyncio.Future[bool] = loop.create_future()
        self._waiting.append((row, kept))
        if self._writing is None:
            self._writing = begin(self._write_all())
        return await kept

    async def must_write(self) -> None:
        """Try whether the database takes what is written; StoreError where it does not."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._touched)
        except self._driver.error as error:
            self._condition.fails(code := code_of(error), error)
            raise StoreError(code) from error
        self._condition.works()

    async def close(self) -> None:
        """Store what waits, and let go of the connection."""
        if self._writing is not None:
            await self._writing
        await asyncio.get_running_loop().run_in_executor(self._thread, self._let_go)
        self._thread.shutdown()

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                if (early := self._began + APART - loop.time()) > 0:
                    await asyncio.sleep(early)
                self._began = loop.time()
                batch, self._waiting = _together(self._waiting)
                try:
                    rows = [row for row, _ in batch]
                    answers = await loop.run_in_executor(self._thread, self._kept, rows)
                    self._condition.works()
                except Exception as error:  # whatever it is, no caller may wait for ever
                    self._condition.fails(code := code_of(error), error)
                    answers = [StoreError(code)] * len(batch)
                for (_, kept), answer in zip(batch, answers, strict=True):
                    if kept.done():
                        continue
                    if isinstance(answer, StoreError):
                        kept.set_exception(answer)
                    else:
                        kept.set_result(answer)
        finally:
            self._writing = None

    # ── In the writer's thread ───────────────────────────────────────────────────────────────────────────

    def _kept(self, rows: list[NewRow]) -> Sequence[bool | StoreError]:
        try:
            return self._kept_together(rows)
        except self._driver.unfit:
            if len(rows) == 1:
                return [StoreError("conflict")]
        # Where one row cannot be kept at all, the others do not suffer for it.
        return [answer for row in rows for answer in self._kept([row])]

    def _kept_together(self, rows: list[NewRow]) -> list[bool]:
        refused, is_second = self._done(lambda log: log.insert(rows))
        log = self._connected()
        # A connection that broke may have stored them before.
        return [(row.game, row.seq) not in refused or (is_second and log.has(row)) for row in rows]

    def _done(self, work: Callable[[Log], T]) -> tuple[T, bool]:
        """Return what the work returns, and whether it was done again, where a connection broke."""
        try:
            return work(self._connected()), False
        except self._driver.unfit:
            raise
        except self._driver.error:
            broken = self._log is not None and self._log.broken
            self._let_go()
            if not broken:
                raise
        return work(self._connected()), True

    def _touched(self) -> None:
        self._done(lambda log: log.touch())

    def _connected(self) -> Log:
        if self._log is None:
            self._log = self._driver.connect()
        self._log.channels = self.channels
        return self._log

    def _let_go(self) -> None:
        if self._log is not None:
            log, self._log = self._log, None
            with contextlib.suppress(self._driver.error):
                log.close()


def _together(waiting: Waiting) -> tuple[Waiting, Waiting]:
    """What goes to disk together, and what waits longer: never two rows for one place."""
    batch, rest = waiting[:MOST_AT_ONCE], waiting[MOST_AT_ONCE:]
    first = {(row.game, row.seq): number for number, (row, _) in reversed(list(enumerate(batch)))}
    if len(first) == len(batch):
        return batch, rest
    numbers = set(first.values())
    later = [one for number, one in enumerate(batch) if number not in numbers]
    return [one for number, one in enumerate(batch) if number in numbers], later + rest


class SqliteLog(Log):
    """The log in a SQLite file, which one process serves: there are no leases and no notifications."""

    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, timeout=LOCKED_FOR, isolation_level=None)
        for pragma in DURABLE:
            self._connection.execute(pragma)

    def insert(self, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        """See `Log`."""
        connection, refused = self._connection, set()
        connection.execute("BEGIN IMMEDIATE")
        try:
            for row in rows:
                found = connection.execute(
                    "INSERT INTO log_row (match_id, seq, type, body, created_at) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT DO NOTHING",
                    row[:5],
                )
                if found.rowcount != 1:
                    refused.add((row.game, row.seq))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return refused

    def touch(self) -> None:
        """See `Log`. An unused number is the one thing that SQLite writes even if it is the same."""
        [number] = self._connection.execute("PRAGMA user_version").fetchone()
        self._connection.execute(f"PRAGMA user_version = {int(number)}")


DURABLE = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON")
"""The pragmas of every connection to a SQLite file: what is stored survives a failure of the machine."""


_NOTIFIED_TOGETHER = 150
"""Rows of one notification, which holds 8,000 bytes at most."""
_INSERT = """
WITH fresh AS (
    SELECT * FROM json_to_recordset(%s)
    AS fresh (game varchar, seq int, type varchar, body text, at bigint, epoch int)
), added AS (
    INSERT INTO log_row (match_id, seq, type, body, created_at)
    SELECT game, seq, type, body, at FROM fresh
    WHERE epoch IS NULL
       OR EXISTS (SELECT FROM lease WHERE lease.match_id = fresh.game AND lease.epoch = fresh.epoch)
    ORDER BY game, seq
    ON CONFLICT DO NOTHING RETURNING match_id AS game, seq
), notified AS (
    SELECT pg_notify(channel, string_agg(game || ' ' || seq, ','))
    FROM (SELECT game, seq, row_number() OVER () / %s AS part FROM added) AS parts,
         unnest(%s::text[]) AS channel
    GROUP BY part, channel
)
SELECT (SELECT count(*) FROM notified), (
    SELECT array_agg(game || ' ' || seq) FROM fresh LEFT JOIN added USING (game, seq) WHERE added.game IS NULL
)
"""
"""One value in and next to none out: packing six lists was a tenth of what a move cost. In the order of their
keys, so that two processes that write the same tables never wait for each other. Notified is "GAME SEQ", with
commas between several."""


class PostgresLog(Log):
    """The log in PostgreSQL."""

    _find = Log._find.replace("?", "%s")

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        import psycopg
        import psycopg.types.json

        self._connection = psycopg.connect(**{**PATIENCE, **arguments}, autocommit=True)
        self._packed = functools.partial(psycopg.types.json.Json, dumps=msgspec.json.encode)

    def insert(self, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        """See `Log`; one statement, so one transaction and one way there and back."""
        packed = self._packed([row._asdict() for row in rows])
        found = self._connection.execute(
            _INSERT, [packed, _NOTIFIED_TOGETHER, list(self.channels)]
        ).fetchone()
        refused = [] if found is None or found[1] is None else [place.split() for place in found[1]]
        return {(game, int(seq)) for game, seq in refused}

    def touch(self) -> None:
        """See `Log`."""
        self._connection.execute("UPDATE alembic_version SET version_num = version_num")

    @property
    def broken(self) -> bool:
        """See `Log`."""
        return bool(self._connection.broken)


def in_memory(url: URL) -> bool:
    """Whether a SQLite database is in no file, so that one connection alone can see it."""
    return url.database in (None, "", ":memory:")


def writer(url: URL, arguments: Mapping[str, Any], condition: Condition) -> Writer | None:
    """The writer for a database; None for SQLite in memory, which only one connection can see.

    arguments: what SQLAlchemy would call PostgreSQL's driver with.
    """
    if url.get_backend_name() == "sqlite":
        if in_memory(url):
            return None
        file = url.database
        driver = Driver(lambda: SqliteLog(str(file)), sqlite3.Error, (sqlite3.IntegrityError,))
        return Writer(driver, condition)
    import psycopg

    unfit = psycopg.IntegrityError, psycopg.DataError
    return Writer(Driver(lambda: PostgresLog(arguments), psycopg.Error, unfit), condition)
