"""A copy of everything that is stored, made while the server plays on, and the way back.

A copy is checked before it gets its name, and carries a checksum. Nothing is written over half-way.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import backup_checksum
from fifteentwo.server.store.connection import database_url
from fifteentwo.server.store.file_lock import claim
from fifteentwo.server.store.store import HEAD

PAGES_AT_ONCE = 2000
"""8 MB: the server writes between two parts, and waits for neither."""
_PARTS = ("", "-wal", "-shm", "-journal")
_JSON = {b"body", b"rules", b"options"}
"""Columns whose text is JSON."""


class Contents(msgspec.Struct, frozen=True):
    """What a database holds."""

    tables: int
    rows: int
    finished: int
    checksum: bool = True
    """Whether the copy it was read from carries one."""


def back_up(database: str | None, file: Path) -> Contents:
    """Copy everything into a new file, while the server runs too; StoreError where that cannot be."""
    source = _sqlite(database)
    if not source.is_file():
        raise StoreError("no-such-database", file=str(source))
    for part in _PARTS:
        if (taken := file.with_name(file.name + part)).exists():
            raise StoreError("backup-exists", file=str(taken))
    temporary = _temporary(file)
    try:
        with _clearly(), _open(source, "ro") as there, _open(temporary, "rwc") as copy:
            # Of one moment: without this the copy would start again with every new row, and never end.
            there.execute("BEGIN")
            there.execute("SELECT 1 FROM sqlite_master").fetchone()
            there.backup(copy, pages=PAGES_AT_ONCE)
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute(f"PRAGMA application_id={backup_checksum.APPLICATION_ID}")
            held = _contents(copy)
        if held is None:
            raise StoreError("database-damaged")
        backup_checksum.add(temporary)
        if check_whole(temporary) != held:
            raise StoreError("backup-not-whole", file=str(file))
        _name_it(temporary, file)
    finally:
        _remove(temporary)
    return held


def restore(database: str | None, file: Path) -> tuple[Contents, Path | None]:
    """Put a copy in the database's place; what it holds, and where the one before lies now.

    StoreError where a server has the database open, or the copy is not whole: then nothing has changed.
    """
    target = _sqlite(database)
    held = check_whole(file)
    temporary = _temporary(target)
    alone = claim(target)
    try:
        with _clearly(), _open(file, _read_only(file)) as there, _open(temporary, "rwc") as copy:
            there.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute("PRAGMA application_id=0")
            same = _contents(copy) == msgspec.structs.replace(held, checksum=True)
        if not same:
            raise StoreError("backup-not-whole", file=str(file))
        before = _move_away(target)
        try:
            _name_it(temporary, target)
        except BaseException:
            if before is not None:
                before.replace(target)
            raise
    finally:
        alone.release()
        _remove(temporary)
    return held, before


def check_whole(file: Path) -> Contents:
    """What a copy holds; StoreError unless its checksum, every page, reference, log and text is whole.

    A copy by an earlier version carries no checksum: a text that was changed into another is not noticed.
    """
    if not file.is_file():
        raise StoreError("no-such-backup", file=str(file))
    checksum = backup_checksum.holds(file)
    try:
        with _clearly(), _open(file, _read_only(file)) as copy:
            held = _contents(copy, file)
    except StoreError as error:
        if error.code != "database-damaged":
            raise
        held = None
    if held is None:
        raise StoreError("backup-not-whole", file=str(file))
    return msgspec.structs.replace(held, checksum=checksum)


def _contents(copy: sqlite3.Connection, file: Path | None = None) -> Contents | None:
    """What a database holds; None where something is not whole, StoreError where it is not one of ours."""
    copy.text_factory = bytes
    tables = {row[0] for row in copy.execute("SELECT name FROM sqlite_master WHERE type='table'")}
    if not {b"alembic_version", b"match", b"player", b"log_row"} <= tables:
        if file is None:
            raise StoreError("database-of-another-program")
        raise StoreError("backup-of-another-program", file=str(file))
    version = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    if version is None or not isinstance(version[0], bytes) or version[0] > HEAD.encode():
        raise StoreError("database-of-another-version")
    gaps = "SELECT 1 FROM log_row GROUP BY match_id HAVING max(seq) <> count(*) OR min(seq) <> 1 LIMIT 1"
    whole = (
        copy.execute("PRAGMA integrity_check(1)").fetchone() == (b"ok",)
        and copy.execute("PRAGMA foreign_key_check").fetchone() is None
        and copy.execute(gaps).fetchone() is None
        and all(_can_be_read(copy, table.decode()) for table in tables)
    )
    if not whole:
        return None
    games, rows, finished = (
        int(copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) if table.encode() in tables else 0
        for table in ("match", "log_row", "finished_game")
    )
    return Contents(games, rows, finished)


def _can_be_read(copy: sqlite3.Connection, table: str) -> bool:
    """Whether every text of a table is UTF-8, and JSON where it should be."""
    found = copy.execute(f'SELECT * FROM "{table}"')
    is_json = [column[0].encode() in _JSON for column in found.description]
    try:
        for row in found:
            for cell, wanted in zip(row, is_json, strict=True):
                if wanted and cell is not None:
                    msgspec.json.decode(cell)
                elif isinstance(cell, bytes):
                    cell.decode()
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        return False
    return True


def _sqlite(database: str | None) -> Path:
    url = database_url(database)
    if url.get_backend_name() != "sqlite":
        raise StoreError("backup-by-its-own-tool")
    if url.database in (None, "", ":memory:"):
        raise StoreError("database-address-unreadable")
    return Path(str(url.database)).absolute()


def _move_away(target: Path) -> Path | None:
    """Rename the database, and a log left without one; StoreError where another program has it open."""
    before = target.with_name(f"{target.name}.before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
    if before.exists():
        raise StoreError("backup-exists", file=str(before))
    if not target.exists():
        # SQLite would read it as the log of the database that is restored under this name.
        for part in _PARTS:
            if (left := target.with_name(target.name + part)).exists():
                left.rename(before.with_name(before.name + part))
        return None
    with _clearly(), _open(target, "rw") as there:
        there.execute("PRAGMA busy_timeout=1000")
        # What leaves its log behind must be alone; a server that has the file open prevents it.
        if there.execute("PRAGMA journal_mode=DELETE").fetchone() != ("delete",):
            raise StoreError("database-in-use")
    target.rename(before)
    return before


def _temporary(file: Path) -> Path:
    if not file.absolute().parent.is_dir():
        raise StoreError("no-such-folder", folder=str(file.absolute().parent))
    return file.with_name(f".{file.name}.{os.getpid()}.part")


def _read_only(file: Path) -> str:
    """Return how to open a copy: by itself, unless its header says that a write-ahead log belongs to it.

    A log that lies next to it by chance would change what is read, and no checksum covers it.
    """
    with file.open("rb") as there:
        needs_log = there.read(20)[18:] == b"\2\2"
    return "ro" if needs_log else "ro&immutable=1"


def _name_it(temporary: Path, file: Path) -> None:
    """On disk first, then under its name."""
    _sync(temporary)
    temporary.replace(file)
    with contextlib.suppress(OSError):
        _sync(file.absolute().parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(temporary: Path) -> None:
    for part in _PARTS:
        temporary.with_name(temporary.name + part).unlink(missing_ok=True)


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
        message = str(error).lower()
        if "locked" in message or "busy" in message:
            raise StoreError("database-in-use") from error
        if "full" in message:
            raise StoreError("disk-full") from error
        if "unable to open" in message or "readonly" in message or "disk i/o" in message:
            raise StoreError("database-out-of-reach") from error
        raise StoreError("database-damaged") from error
