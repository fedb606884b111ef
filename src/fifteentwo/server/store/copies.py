"""Copies of a whole database: backups, restoring them, and moves between SQLite and PostgreSQL.

A backup is a SQLite file, followed by a line with the SHA-256 of all before it. SQLite reads only the pages
that the file's header counts, so any SQLite tool opens a backup.
"""

import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import URL

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.connection import (
    SQLITE_LOCK_TIMEOUT_SECONDS,
    copy_owner,
    database_url,
    lock_database,
    translate_errors,
)
from fifteentwo.server.store.schema import finished_game, log_row, match, metadata
from fifteentwo.server.store.store import SCHEMA_VERSION, migrate, schema_version_of

ROWS_PER_COPY = 1000
"""Rows in memory at a time while a table is copied to or from PostgreSQL."""
_FILE_SUFFIXES = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files that together are a SQLite database."""
_SEAL_PREFIX = b"\nFIFTEENTWO BACKUP 1 SHA-256 "
"""Beginning of a backup's last line, which has the SHA-256 of all bytes before it."""
_SEAL_BYTES = len(_SEAL_PREFIX) + 64 + 1


class Contents(msgspec.Struct, frozen=True):
    """The number of matches, of the rows in their logs, and of finished games in a database."""

    tables: int
    """Number of matches."""
    rows: int
    finished: int


def back_up(database: str | None, file: Path) -> Contents:
    """Copy a database into a new file while servers use it. If StoreError is raised, no file is left."""
    source = database_url(database)
    if source.get_backend_name() == "sqlite" and not _sqlite_file(source).is_file():
        raise StoreError("no-such-database", file=str(_sqlite_file(source)))
    _check_names_unused(file)
    with _temporary_file(file) as temporary:
        held = copy_database(source, _sqlite_url(temporary))
        with temporary.open("r+b") as copy:
            digest = hashlib.file_digest(copy, "sha256").hexdigest()
            copy.write(_SEAL_PREFIX + digest.encode() + b"\n")
        _rename_durably(temporary, file)
    return held


def restore(database: str | None, file: Path) -> tuple[Contents, Path | None]:
    """Restore a backup; return its contents, and the new name of the replaced file. Errors change nothing."""
    # The backup replaces a SQLite database, but is copied into an empty PostgreSQL database.
    target = database_url(database)
    check_backup(file)
    # A write-ahead log of another database beside the file must not be read.
    source = _sqlite_url(file).set(query={"immutable": "1"})
    if target.get_backend_name() != "sqlite":
        return copy_database(source, target), None
    place = _sqlite_file(target)
    with _temporary_file(place) as temporary:
        lock = lock_database(place)
        try:
            held = copy_database(source, _sqlite_url(temporary))
            copy_owner(temporary, place if place.exists() else place.parent)
            before = _move_away(place)
            _rename_durably(temporary, place)
        finally:
            lock.release()
    return held, before


def copy_database(source: URL, target: URL) -> Contents:
    """Copy a database at one moment into an empty one, and check that every row has arrived."""
    # Between SQLite files the pages are copied; otherwise the rows of each table.
    with translate_errors(), _connect(source, "ro") as there, _connect(target, "rw") as copy:
        version, known = schema_version_of(there), set(sa.inspect(there).get_table_names())
        if version is None or not {match.name, log_row.name, finished_game.name} <= known:
            raise StoreError("database-of-another-program")
        if version > SCHEMA_VERSION:
            raise StoreError("database-of-another-version")
        if there.dialect.name == copy.dialect.name == "sqlite":
            _sqlite_connection(there).backup(_sqlite_connection(copy))
        else:
            _copy_rows(there, copy)
        counts = [_count_rows(one, known) for one in (there, copy)]
        if counts[0] != counts[1]:
            raise StoreError("database-damaged")
        copy.commit()
        if copy.dialect.name == "sqlite" and not _is_copy_intact(copy):
            raise StoreError("database-damaged")
    return Contents(*[counts[0][table.name] for table in (match, log_row, finished_game)])


def check_backup(file: Path) -> None:
    """Raise StoreError unless a file is a backup in which no byte was changed, added or lost."""
    if not file.is_file():
        raise StoreError("no-such-backup", file=str(file))
    with file.open("rb") as there:
        is_database = there.read(16) == b"SQLite format 3\0"
        there.seek(max(file.stat().st_size - _SEAL_BYTES, 0))
        size, line = there.tell(), there.read()
        if not line.startswith(_SEAL_PREFIX):
            raise StoreError("backup-torn" if is_database else "backup-of-another-program", file=str(file))
        there.seek(0)
        digest = hashlib.sha256()
        while part := there.read(min(size - there.tell(), 1 << 20)):
            digest.update(part)
    if line != _SEAL_PREFIX + digest.hexdigest().encode() + b"\n":
        raise StoreError("backup-changed", file=str(file))


def _copy_rows(source: sa.Connection, target: sa.Connection) -> None:
    if schema_version_of(source) != SCHEMA_VERSION:
        raise StoreError("database-of-another-version")
    schema_version_of(target)  # refuses the tables of another program
    if any(_count_rows(target, set(sa.inspect(target).get_table_names())).values()):
        raise StoreError("database-not-empty")
    migrate(target)
    for table in metadata.sorted_tables:
        rows = source.execute(table.select(), execution_options={"yield_per": ROWS_PER_COPY})
        for few in rows.mappings().partitions():
            target.execute(table.insert(), [dict(row) for row in few])


def _count_rows(connection: sa.Connection, known: set[str]) -> dict[str, int]:
    ours = [table for table in metadata.tables.values() if table.name in known]
    count = sa.select(sa.func.count())
    return {table.name: connection.execute(count.select_from(table)).scalar_one() for table in ours}


def _is_copy_intact(copy: sa.Connection) -> bool:
    """End a SQLite file's write-ahead log; return whether its pages, references and match logs are intact."""
    copy.exec_driver_sql("PRAGMA journal_mode=DELETE")
    gap = sa.select(log_row.c.match_id).group_by(log_row.c.match_id)
    is_gap = sa.or_(sa.func.min(log_row.c.seq) != 1, sa.func.max(log_row.c.seq) != sa.func.count())
    is_sound = copy.exec_driver_sql("PRAGMA quick_check(1)").scalar() == "ok"
    has_orphans = copy.exec_driver_sql("PRAGMA foreign_key_check").first() is not None
    return is_sound and not has_orphans and copy.execute(gap.having(is_gap).limit(1)).first() is None


@contextlib.contextmanager
def _connect(url: URL, mode: str) -> Iterator[sa.Connection]:
    """Connect to a database. A source (mode "ro") is read as of one moment, while others may write."""
    if url.get_backend_name() == "sqlite":
        query = urlencode({"mode": mode, **url.query})
        address, wait = f"{_sqlite_file(url).as_uri()}?{query}", SQLITE_LOCK_TIMEOUT_SECONDS
        open_file = lambda: sqlite3.connect(address, uri=True, timeout=wait)  # noqa: E731
        engine = sa.create_engine("sqlite://", creator=open_file, poolclass=sa.NullPool)
    else:
        engine = sa.create_engine(url, isolation_level="REPEATABLE READ", poolclass=sa.NullPool)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite" and mode == "ro":
            connection.exec_driver_sql("BEGIN")
        yield connection


def _sqlite_connection(connection: sa.Connection) -> Any:
    return connection.connection.driver_connection


def _sqlite_url(file: Path) -> URL:
    return URL.create("sqlite", database=str(file))


def _sqlite_file(url: URL) -> Path:
    if url.database in (None, "", ":memory:"):
        raise StoreError("database-address-unreadable")
    return Path(str(url.database)).absolute()


def _check_names_unused(file: Path) -> None:
    for part in _FILE_SUFFIXES:
        if (taken := file.with_name(file.name + part)).exists():
            raise StoreError("backup-exists", file=str(taken))


def _move_away(place: Path) -> Path | None:
    """Rename a SQLite database; raise StoreError if another program uses it. Return None if there is none."""
    before = place.with_name(f"{place.name}.before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
    _check_names_unused(before)
    if is_there := place.exists():
        with translate_errors(), _connect(_sqlite_url(place), "rw") as there:
            # Only the last connection can remove the write-ahead log.
            if there.exec_driver_sql("PRAGMA journal_mode=DELETE").scalar() != "delete":
                raise StoreError("database-in-use")
    for part in _FILE_SUFFIXES:
        # A log without its database would be read as the restored database's log.
        if (left := place.with_name(place.name + part)).exists():
            left.rename(before.with_name(before.name + part))
    return before if is_there else None


@contextlib.contextmanager
def _temporary_file(file: Path) -> Iterator[Path]:
    """Create an empty file beside a file, readable by its owner alone; delete it afterwards if it is left."""
    if not file.absolute().parent.is_dir():
        raise StoreError("no-such-folder", folder=str(file.absolute().parent))
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    with translate_errors():
        temporary.touch(mode=0o600)
    try:
        yield temporary
    finally:
        for part in _FILE_SUFFIXES:
            temporary.with_name(temporary.name + part).unlink(missing_ok=True)


def _rename_durably(temporary: Path, file: Path) -> None:
    _sync_to_disk(temporary)
    temporary.replace(file)
    with contextlib.suppress(OSError):
        _sync_to_disk(file.absolute().parent)


def _sync_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
