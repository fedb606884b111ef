"""Addresses of databases, and the SQLAlchemy engines that connect to them."""

import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from fifteentwo.places import games_file
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.writer import DURABLE, LOCKED_FOR, PATIENCE, in_memory

READERS = 4
"""Connections that look things up in a SQLite file, next to the one that writes; each has a thread."""


def database_url(database: str | None) -> URL:
    """The database asked for, or the person's own. StoreError where unreadable.

    A file's name means SQLite where it has a folder or an ending, or the file is there.
    """
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
    drivers = {
        "sqlite": "sqlite+aiosqlite",
        "postgresql": "postgresql+psycopg",
        "postgres": "postgresql+psycopg",
    }
    backend = url.drivername.split("+")[0]
    if backend not in drivers:
        raise StoreError("database-not-supported", kind=backend)
    return url.set(drivername=drivers[backend])


def engine_of(url: URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        silent = {name: patience for name, patience in PATIENCE.items() if name not in url.query}
        return create_async_engine(url, pool_pre_ping=True, connect_args=silent, hide_parameters=True)
    # One connection besides the log's writer: SQLite writes one at a time anyway.
    return _sqlite(url, 1, DURABLE)


def readers_of(url: URL) -> AsyncEngine | None:
    """Connections that only read; None where those that write do it too: a database in memory has but one."""
    if url.get_backend_name() != "sqlite" or in_memory(url):
        return None
    return _sqlite(url, READERS, ("PRAGMA query_only=ON",))


def _sqlite(url: URL, connections: int, pragmas: tuple[str, ...]) -> AsyncEngine:
    made = create_async_engine(
        url,
        pool_size=connections,
        max_overflow=0,
        # The one last used has the pages that are asked for in its memory; the others may never be opened.
        pool_use_lifo=True,
        poolclass=sa.AsyncAdaptedQueuePool,
        connect_args={"timeout": LOCKED_FOR},
        hide_parameters=True,  # a log shows no session and no secret
    )

    @sa.event.listens_for(made.sync_engine, "connect")
    def _run_pragmas(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    return made
