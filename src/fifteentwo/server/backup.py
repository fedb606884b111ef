"""A copy of everything that is kept, made while the server plays on, and the way back.

A copy is looked through before it bears its name; nothing that is there is ever written over half-way.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from fifteentwo.server.errors import StoreError
from fifteentwo.server.one_program import claim
from fifteentwo.server.store import HEAD, database_url

PAGES_AT_ONCE = 2000
"""8 MB: the server writes between two parts, and waits for neither."""
_PARTS = ("", "-wal", "-shm", "-journal")


class Contents(msgspec.Struct, frozen=True):
    """What a database holds."""

    tables: int
    rows: int
    finished: int


def back_up(database: str | None, file: Path) -> Contents:
    """Copy everything into a new file, while the server runs too; StoreError where that cannot be."""
    source = _sqlite(database)
    if not source.is_file():
        raise StoreError("no-such-database", file=str(source))
    if file.exists():
        raise StoreError("backup-exists", file=str(file))
    beside = _beside(file)
    try:
        with _clearly(), _open(source, "ro") as there, _open(beside, "rwc") as copy:
            # Of one moment: without this the copy would begin anew with every row that comes, and never end.
            there.execute("BEGIN")
            there.execute("SELECT 1 FROM sqlite_master").fetchone()
            there.backup(copy, pages=PAGES_AT_ONCE)
            copy.execute("PRAGMA journal_mode=DELETE")
        held = look_through(beside)
        _name_it(beside, file)
    finally:
        _remove(beside)
    return held


def restore(database: str | None, file: Path) -> tuple[Contents, Path | None]:
    """Put a copy in the database's place; what it holds, and where the one before lies now.

    StoreError where a server has the database open, or the copy is not whole: then nothing has changed.
    """
    target = _sqlite(database)
    held = look_through(file)
    beside = _beside(target)
    alone = claim(target)
    try:
        with _clearly(), _open(file, "ro") as there, _open(beside, "rwc") as copy:
            there.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
        if look_through(beside) != held:
            raise StoreError("backup-not-whole", file=str(file))
        before = _set_aside(target)
        try:
            _name_it(beside, target)
        except BaseException:
            if before is not None:
                before.replace(target)
            raise
    finally:
        alone.close()
        _remove(beside)
    return held, before


def look_through(file: Path) -> Contents:
    """What a copy holds; StoreError unless every page, every reference and every log is whole."""
    if not file.is_file():
        raise StoreError("no-such-backup", file=str(file))
    with _clearly(), _open(file, "ro") as copy:
        tables = {row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        if not {"alembic_version", "game", "person", "event"} <= tables:
            raise StoreError("backup-of-another-program", file=str(file))
        version = copy.execute("SELECT version_num FROM alembic_version").fetchone()
        if version is None or version[0] > HEAD:
            raise StoreError("database-of-another-version")
        whole = copy.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
        whole = whole and copy.execute("PRAGMA foreign_key_check").fetchone() is None
        gaps = "SELECT 1 FROM event GROUP BY game HAVING max(seq) <> count(*) OR min(seq) <> 1 LIMIT 1"
        if not whole or copy.execute(gaps).fetchone() is not None:
            raise StoreError("backup-not-whole", file=str(file))
        counted = [
            copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] if table in tables else 0
            for table in ("game", "event", "finished")
        ]
    return Contents(*counted)


def _sqlite(database: str | None) -> Path:
    url = database_url(database)
    if url.get_backend_name() != "sqlite":
        raise StoreError("backup-by-its-own-tool")
    if url.database in (None, "", ":memory:"):
        raise StoreError("database-address-unreadable")
    return Path(str(url.database)).absolute()


def _set_aside(target: Path) -> Path | None:
    """Give the present database another name; StoreError where somebody has it open."""
    if not target.exists():
        return None
    with _clearly(), _open(target, "rw") as there:
        there.execute("PRAGMA busy_timeout=1000")
        # What leaves its log behind must be alone; a server that has the file open prevents it.
        if there.execute("PRAGMA journal_mode=DELETE").fetchone() != ("delete",):
            raise StoreError("database-in-use")
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    before = target.with_name(f"{target.name}.before-{stamp}")
    if before.exists():
        raise StoreError("backup-exists", file=str(before))
    target.rename(before)
    return before


def _beside(file: Path) -> Path:
    if not file.absolute().parent.is_dir():
        raise StoreError("no-such-folder", folder=str(file.absolute().parent))
    return file.with_name(f".{file.name}.{os.getpid()}.part")


def _name_it(beside: Path, file: Path) -> None:
    """On disk first, then under its name."""
    descriptor = os.open(beside, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    beside.replace(file)
    with contextlib.suppress(OSError):
        folder = os.open(file.absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _remove(beside: Path) -> None:
    for part in _PARTS:
        beside.with_name(beside.name + part).unlink(missing_ok=True)


@contextlib.contextmanager
def _open(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    address = f"{file.absolute().as_uri()}?mode={mode}"
    if mode == "rwc":
        file.touch(mode=0o600)
    connection = sqlite3.connect(address, uri=True, timeout=10.0, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@contextlib.contextmanager
def _clearly() -> Iterator[None]:
    """What SQLite says, as a StoreError with a code."""
    try:
        yield
    except sqlite3.Error as error:
        said = str(error).lower()
        if "locked" in said or "busy" in said:
            raise StoreError("database-in-use") from error
        if "full" in said:
            raise StoreError("disk-full") from error
        if "unable to open" in said or "readonly" in said or "disk i/o" in said:
            raise StoreError("database-out-of-reach") from error
        raise StoreError("database-damaged") from error
