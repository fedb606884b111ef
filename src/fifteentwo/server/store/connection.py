"""Connections to databases: their addresses, SQLAlchemy engines and errors, and the lock of a SQLite file."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Health
from fifteentwo.server.settings import games_file

SQLITE_LOCK_TIMEOUT_SECONDS = 2.0
"""Seconds for which another program may lock a SQLite file before a statement fails."""
POSTGRES_TIMEOUTS = {
    "connect_timeout": 4,
    "tcp_user_timeout": 4000,
    "options": "-c idle_in_transaction_session_timeout=2000",
}
"""Seconds, and milliseconds, after which PostgreSQL counts as unavailable, and after which it ends the
transaction of a suspended process. The database's address may set others."""
DURABLE_PRAGMAS = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON")
"""The pragmas of every connection that writes to a SQLite file: committed rows survive a power failure."""
MAX_READ_CONNECTIONS = 8
"""Connections that only read a SQLite file. Each has a thread, and is opened when the others are in use."""
ERROR_WORDS = {
    "database-locked": ("locked", "busy"),
    "database-damaged": ("malformed", "not a database", "corrupt"),
    "database-read-only": ("readonly", "read-only", "permission"),
    "disk-full": ("full", "no space"),
}
"""Words in the messages of database drivers, by the error code that they lead to."""
POOL_TIMEOUT_SECONDS = 2.0
"""Seconds for which a request may wait for a connection before it is refused."""


def database_url(database: str | None) -> URL:
    """Return the URL of a database; None: the person's own. Raise StoreError if the address is invalid."""
    # A name without "://" is a SQLite file if it has a folder or a suffix, or if the file exists.
    if database is None:
        file = games_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        return URL.create("sqlite+aiosqlite", database=str(file))
    if "://" not in database:
        file = Path(database)
        named = database == ":memory:" or file.suffix or "/" in database or os.sep in database
        if not (named or file.is_file()):
            raise StoreError("database-address-unreadable")
        return URL.create("sqlite+aiosqlite", database=database)
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):
        raise StoreError("database-address-unreadable") from None
    drivers = {"sqlite": "sqlite+aiosqlite"} | dict.fromkeys(("postgresql", "postgres"), "postgresql+psycopg")
    backend = url.drivername.split("+")[0]
    if backend not in drivers:
        raise StoreError("database-not-supported", kind=backend)
    return url.set(drivername=drivers[backend])


def is_in_memory(url: URL) -> bool:
    """Return whether a SQLite database is in no file, so that one connection alone can see it."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def make_write_engine(url: URL) -> AsyncEngine:
    """Return the engine of all connections that write, except the log's."""
    if url.get_backend_name() != "sqlite":
        return create_async_engine(
            url,
            pool_pre_ping=True,
            pool_timeout=POOL_TIMEOUT_SECONDS,
            connect_args=_postgres_connect_arguments(url),
            hide_parameters=True,
        )
    # SQLite writes one transaction at a time anyway.
    return _make_sqlite_engine(url, 1, DURABLE_PRAGMAS)


def make_log_engine(url: URL) -> sa.Engine:
    """Return the engine of the one connection that appends to the log, in autocommit."""
    if url.get_backend_name() != "sqlite":
        arguments = _postgres_connect_arguments(url)
    else:
        url, arguments = url.set(drivername="sqlite"), {"timeout": SQLITE_LOCK_TIMEOUT_SECONDS}
    pool = {"poolclass": sa.QueuePool, "pool_size": 1, "max_overflow": 0, "pool_reset_on_return": None}
    options = {"isolation_level": "AUTOCOMMIT", "connect_args": arguments, "hide_parameters": True}
    made = sa.create_engine(url, **pool, **options)
    if made.dialect.name == "sqlite":
        run_on_connect(made, DURABLE_PRAGMAS)
    return made


def _postgres_connect_arguments(url: URL) -> dict[str, Any]:
    return {name: value for name, value in POSTGRES_TIMEOUTS.items() if name not in url.query}


def make_read_engine(url: URL) -> AsyncEngine | None:
    """Return the engine of a SQLite file's readers; None if the connections that write also read."""
    if url.get_backend_name() != "sqlite" or is_in_memory(url):
        return None
    return _make_sqlite_engine(url, MAX_READ_CONNECTIONS, ("PRAGMA query_only=ON",))


def _make_sqlite_engine(url: URL, connections: int, pragmas: tuple[str, ...]) -> AsyncEngine:
    pool = {"poolclass": sa.AsyncAdaptedQueuePool, "pool_size": connections, "max_overflow": 0}
    # The connection used last has cached pages; the others may never be opened.
    pool |= {"pool_timeout": POOL_TIMEOUT_SECONDS, "pool_use_lifo": True}
    # With hidden parameters a log shows no session and no secret.
    options = {"connect_args": {"timeout": SQLITE_LOCK_TIMEOUT_SECONDS}, "hide_parameters": True}
    made = create_async_engine(url, **pool, **options)
    run_on_connect(made.sync_engine, pragmas)
    return made


def run_on_connect(engine: sa.Engine, pragmas: tuple[str, ...]) -> None:

    @sa.event.listens_for(engine, "connect")
    def run_pragmas(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()


@contextlib.contextmanager
def translate_errors(health: Health | None = None) -> Iterator[None]:
    """Raise the errors of a driver as StoreError with a code, and note whether the database works."""
    try:
        yield
    except IntegrityError as error:
        raise StoreError("conflict") from error
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        code = error_code(error)
        # A value that no database accepts is no failure of this one.
        if health is not None and not isinstance(error, DataError):
            health.note_failure(code, driver_error(error))
        raise StoreError(code) from error
    if health is not None:
        health.note_success()


def driver_error(error: BaseException) -> BaseException:
    """Return the driver's own error, which SQLAlchemy wraps in another."""
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error


def error_code(error: BaseException) -> str:
    """Return the code of an error, found by words of the driver's message."""
    if isinstance(error, PoolTimeout):
        return "database-busy"
    message = str(driver_error(error)).lower()
    codes = (code for code, words in ERROR_WORDS.items() if any(one in message for one in words))
    return next(codes, "database-unreachable")


def lock_database(database: Path) -> BaseFileLock:
    """Lock a database file until the lock is released. Raise StoreError if another process has it."""
    # Two servers would not see each other's open tables. The lock is another file, because SQLite drops its
    # locks when any handle of the database file is closed. The lock ends with its process; the file stays.
    file = database.with_name(f"{database.name}-serving")
    lock = FileLock(file, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError("database-already-served", file=database.name) from None
    except OSError:
        raise StoreError("database-read-only") from None
    copy_owner(file, database.parent)
    return lock


def copy_owner(file: Path, example: Path) -> None:
    """Give a file the owner, if permitted, and the mode of another file; of a folder only the owner."""
    # The service could not open files that an administrator restores as root otherwise.
    found = example.stat()
    if not example.is_dir():
        file.chmod(found.st_mode & 0o777)
    # Only root may do this; Windows has no such owners.
    with contextlib.suppress(OSError, AttributeError):
        os.chown(file, found.st_uid, found.st_gid)
