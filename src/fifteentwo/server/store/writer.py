"""Appends rows to the logs of matches. One statement, in a thread, writes all rows that wait.

Other rows gather while a statement runs. The busier the server is, the more rows share one write to the disk.
"""

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from fifteentwo.server.background import start_task
from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Health
from fifteentwo.server.store.connection import error_code

MAX_ROWS_PER_STATEMENT = 500
MIN_STATEMENT_INTERVAL_SECONDS = 0.004
"""Seconds from the start of one statement to the start of the next, so that rows gather."""

_LOG_COLUMNS = "match_id, seq, type, body, created_at"
_RETURN_INSERTED_KEYS = "ON CONFLICT DO NOTHING RETURNING match_id, seq"
APPEND = {
    "postgresql": sa.text(
        f"""
        WITH fresh AS (
            SELECT * FROM json_to_recordset(CAST(:rows AS json))
            AS fresh (match_id varchar, seq int, type varchar, body text, created_at bigint)
        ), held AS (
            SELECT id FROM "match" WHERE id IN (SELECT match_id FROM fresh) AND held_by = :holder
            ORDER BY id FOR SHARE
        )
        INSERT INTO log_row ({_LOG_COLUMNS})
        SELECT {_LOG_COLUMNS} FROM fresh JOIN held ON held.id = fresh.match_id ORDER BY match_id, seq
        {_RETURN_INSERTED_KEYS}
        """
    ),
    "sqlite": sa.text(
        f"""
        INSERT INTO log_row ({_LOG_COLUMNS})
        SELECT {", ".join(f"json_extract(value, '$[{place}]')" for place in range(5))}
        FROM json_each(:rows) WHERE true
        {_RETURN_INSERTED_KEYS}
        """
    ),
}
"""Statements that append rows of the log and return those appended, by SQL dialect. PostgreSQL appends only
to matches that this process holds. Their holder cannot change until the rows are committed. Matches are
locked in the order of their keys, so that two processes cannot wait for each other."""
_FIND_ROW = sa.text("SELECT type, body, created_at FROM log_row WHERE match_id = :match_id AND seq = :seq")
_TEST_WRITE_STATEMENTS = {
    "postgresql": "UPDATE alembic_version SET version_num = version_num",
    "sqlite": "PRAGMA user_version = 0",
}
"""Statements that write and change nothing. SQLite skips writing an unchanged row, but not `user_version`."""


class NewRow(NamedTuple):
    """A row of a log as the database stores it."""

    match_id: str
    seq: int
    type: str
    body: str
    created_at: int | None


T = TypeVar("T")
WaitingRows = list[tuple[NewRow, asyncio.Future[bool]]]
"""Rows that wait to be written, each with the future that gets whether it was appended."""


def encode_rows(rows: list[NewRow], dialect: str) -> str:
    """Return rows as the JSON that the statement of a database takes."""
    return msgspec.json.encode([row._asdict() for row in rows] if dialect == "postgresql" else rows).decode()


class Writer:
    """Appends rows; rows that wait at the same time share a statement."""

    def __init__(self, engine: sa.Engine, holder: str, condition: Health) -> None:
        """Create the writer. engine: in autocommit; holder: this process; condition: health of writes."""
        self._engine = engine
        self._dialect = engine.dialect.name
        self._holder = holder
        self._condition = condition
        self._connection: sa.Connection | None = None
        self._thread = ThreadPoolExecutor(1, "fifteentwo-writer")
        self._waiting: WaitingRows = []
        self._writing: asyncio.Task[None] | None = None
        self._statement_started_at = 0.0

    async def append(self, row: NewRow) -> bool:
        """Write a row; return False if its number is taken or another process holds the match."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((row, done))
        if self._writing is None:
            self._writing = start_task(self._write_waiting_rows())
        return await done

    async def check_writable(self) -> None:
        """Raise StoreError if the database accepts no writes now."""
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._run_with_retry, self._probe)
        except SQLAlchemyError as error:
            self._condition.note_failure(code := error_code(error), error)
            raise StoreError(code) from error
        self._condition.note_success()

    async def close(self) -> None:
        """Write the rows that wait, and close the connection."""
        if self._writing is not None:
            await self._writing
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._engine.dispose()
        self._thread.shutdown()

    async def _write_waiting_rows(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                if (early := self._statement_started_at + MIN_STATEMENT_INTERVAL_SECONDS - loop.time()) > 0:
                    await asyncio.sleep(early)
                self._statement_started_at = loop.time()
                batch, self._waiting = _split_batch(self._waiting)
                rows = [row for row, _ in batch]
                outcomes: list[bool | StoreError]
                try:
                    outcomes = await loop.run_in_executor(self._thread, self._append_in_thread, rows)
                    self._condition.note_success()
                except Exception as error:  # every caller must get a result
                    self._condition.note_failure(code := error_code(error), error)
                    outcomes = [StoreError(code)] * len(batch)
                for (_, done), outcome in zip(batch, outcomes, strict=True):
                    if done.done():
                        continue
                    if isinstance(outcome, StoreError):
                        done.set_exception(outcome)
                    else:
                        done.set_result(outcome)
        finally:
            self._writing = None

    # ── In the thread ────────────────────────────────────────────────────────────────────────────────────

    def _append_in_thread(self, rows: list[NewRow]) -> list[bool | StoreError]:
        try:
            appended, is_retry = self._run_with_retry(lambda connection: self._insert(connection, rows))
        except (IntegrityError, DataError):
            if len(rows) == 1:
                return [StoreError("conflict")]
            # One row that the database cannot store must not fail the others.
            return [outcome for row in rows for outcome in self._append_in_thread([row])]
        missing = [row for row in rows if (row.match_id, row.seq) not in appended]
        if is_retry and missing:
            # The first attempt may have stored them before its connection broke.
            found, _ = self._run_with_retry(lambda db: {row for row in missing if _is_stored(db, row)})
            appended |= {(row.match_id, row.seq) for row in found}
        return [(row.match_id, row.seq) in appended for row in rows]

    def _insert(self, connection: sa.Connection, rows: list[NewRow]) -> set[tuple[str, int]]:
        values = {"rows": encode_rows(rows, self._dialect), "holder": self._holder}
        return {(row.match_id, row.seq) for row in connection.execute(APPEND[self._dialect], values)}

    def _probe(self, connection: sa.Connection) -> None:
        connection.exec_driver_sql(_TEST_WRITE_STATEMENTS[self._dialect])

    def _run_with_retry(self, work: Callable[[sa.Connection], T]) -> tuple[T, bool]:
        """Return the result of the work, and whether it ran again because its connection had broken."""
        try:
            return work(self._connect()), False
        except SQLAlchemyError as error:
            self._disconnect()
            if not (isinstance(error, DBAPIError) and error.connection_invalidated):
                raise
        return work(self._connect()), True

    def _connect(self) -> sa.Connection:
        # One connection for all statements: checking it out of the pool costs four times as much.
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                connection.close()


def _is_stored(connection: sa.Connection, row: NewRow) -> bool:
    found = connection.execute(_FIND_ROW, {"match_id": row.match_id, "seq": row.seq}).first()
    return found is not None and tuple(found) == (row.type, row.body, row.created_at)


def _split_batch(waiting: WaitingRows) -> tuple[WaitingRows, WaitingRows]:
    """Return the rows of the next statement, one for each row number, and the rows that wait longer."""
    batch = {(row.match_id, row.seq): (row, done) for row, done in reversed(waiting[:MAX_ROWS_PER_STATEMENT])}
    now = {id(done) for _, done in batch.values()}
    return list(reversed(batch.values())), [one for one in waiting if id(one[1]) not in now]
