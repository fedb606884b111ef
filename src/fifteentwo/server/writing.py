"""Rows on their way to disk: one writer takes all that wait, and keeps them in one transaction.

While one transaction is being written the next rows gather, so the busier the tables the more share one. Here
alone the program does not go through SQLAlchemy, whose greenlets and hops to a thread were most of what a
move cost: a thread with the plain driver takes a whole batch in one hop.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

from sqlalchemy.engine import URL

from fifteentwo.server.database_trouble import code_of
from fifteentwo.server.errors import StoreError

MOST_AT_ONCE = 500
"""Rows of one transaction."""
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


class Log(Protocol):
    """The table of rows behind one connection of a plain driver. Every method may block."""

    def insert(self, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        """Add rows in one transaction; which of them were added: those whose place was free."""

    def holds(self, row: NewRow) -> bool:
        """Whether exactly this row is there."""

    @property
    def broken(self) -> bool:
        """Whether the other end has gone, and another connection may do better."""

    def close(self) -> None:
        """Let go of the connection."""


class Driver(NamedTuple):
    """How to reach a database, and what its driver may raise."""

    connect: Callable[[], Log]
    error: type[Exception]
    unfit: tuple[type[Exception], ...]
    """Errors that are one row's own: its table is gone."""


class Writer:
    """Keeps rows; several at once where several wait."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._log: Log | None = None
        self._thread = ThreadPoolExecutor(1, "fifteentwo-writer")
        self._waiting: list[tuple[NewRow, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def keep(self, row: NewRow) -> bool:
        """Put a row on disk; False where its place was taken; StoreError where it may not be there."""
        loop = asyncio.get_running_loop()
        kept: asyncio.Future[bool] = loop.create_future()
        self._waiting.append((row, kept))
        if self._writing is None:
            self._writing = loop.create_task(self._write_all())
        return await kept

    async def close(self) -> None:
        """Keep what waits, and let go of the connection."""
        if self._writing is not None:
            await self._writing
        await asyncio.get_running_loop().run_in_executor(self._thread, self._let_go)
        self._thread.shutdown()

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
                try:
                    rows = [row for row, _ in batch]
                    answers = await loop.run_in_executor(self._thread, self._kept, rows)
                except Exception as error:  # whatever it is, nobody may wait for ever
                    answers = [StoreError(code_of(error))] * len(batch)
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
                return [StoreError("moved-on")]
        # Where one row cannot be kept at all, the others do not suffer for it.
        return [answer for row in rows for answer in self._kept([row])]

    def _kept_together(self, rows: list[NewRow]) -> list[bool]:
        """A connection that broke is made anew once; what it may have kept before it broke is looked up."""
        try:
            return self._inserted(rows)
        except self._driver.unfit:
            raise
        except self._driver.error:
            broken = self._log is not None and self._log.broken
            self._let_go()
            if not broken:
                raise
        kept = self._inserted(rows)
        assert self._log is not None
        return [was_free or self._log.holds(row) for row, was_free in zip(rows, kept, strict=True)]

    def _inserted(self, rows: list[NewRow]) -> list[bool]:
        if self._log is None:
            self._log = self._driver.connect()
        added = self._log.insert(rows)
        return [(row.game, row.seq) in added for row in rows]

    def _let_go(self) -> None:
        if self._log is not None:
            log, self._log = self._log, None
            with contextlib.suppress(self._driver.error):
                log.close()


class SqliteLog:
    """The log in a SQLite file."""

    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, timeout=LOCKED_FOR, isolation_level=None)
        for pragma in DURABLE:
            self._connection.execute(pragma)

    def insert(self, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        """See `Log`."""
        connection, added = self._connection, set()
        connection.execute("BEGIN IMMEDIATE")
        try:
            for row in rows:
                told = connection.execute(
                    "INSERT INTO event (game, seq, type, body, at) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT DO NOTHING",
                    row,
                )
                if told.rowcount == 1:
                    added.add((row.game, row.seq))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return added

    def holds(self, row: NewRow) -> bool:
        """See `Log`."""
        told = self._connection.execute(
            "SELECT type, body, at FROM event WHERE game = ? AND seq = ?", (row.game, row.seq)
        )
        return bool(told.fetchone() == (row.type, row.body, row.at))

    @property
    def broken(self) -> bool:
        """Never: a file is not far away."""
        return False

    def close(self) -> None:
        """See `Log`."""
        self._connection.close()


DURABLE = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON")
"""What every connection to a SQLite file is told first: what is kept survives the machine's failing."""


class PostgresLog:
    """The log in PostgreSQL."""

    def __init__(self, arguments: Mapping[str, Any]) -> None:
        import psycopg

        self._connection = psycopg.connect(**{**PATIENCE, **arguments}, autocommit=True)

    def insert(self, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        """See `Log`; one statement, so one transaction and one way there and back."""
        columns = [list(column) for column in zip(*rows, strict=True)]
        told = self._connection.execute(
            "INSERT INTO event (game, seq, type, body, at) "
            "SELECT * FROM unnest(%s::varchar[], %s::int[], %s::varchar[], %s::text[], %s::bigint[]) "
            "ON CONFLICT DO NOTHING RETURNING game, seq",
            columns,
        )
        return {(game, seq) for game, seq in told.fetchall()}

    def holds(self, row: NewRow) -> bool:
        """See `Log`."""
        told = self._connection.execute(
            "SELECT type, body, at FROM event WHERE game = %s AND seq = %s", (row.game, row.seq)
        )
        return bool(told.fetchone() == (row.type, row.body, row.at))

    @property
    def broken(self) -> bool:
        """See `Log`."""
        return bool(self._connection.broken)

    def close(self) -> None:
        """See `Log`."""
        self._connection.close()


def writer(url: URL, arguments: Mapping[str, Any]) -> Writer | None:
    """The writer for a database; None for SQLite in memory, which only one connection can see.

    arguments: what SQLAlchemy would call PostgreSQL's driver with.
    """
    if url.get_backend_name() == "sqlite":
        file = url.database
        if file in (None, "", ":memory:"):
            return None
        return Writer(Driver(lambda: SqliteLog(str(file)), sqlite3.Error, (sqlite3.IntegrityError,)))
    import psycopg

    unfit = psycopg.IntegrityError, psycopg.DataError
    return Writer(Driver(lambda: PostgresLog(arguments), psycopg.Error, unfit))
