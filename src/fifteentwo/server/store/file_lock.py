"""A lock on a SQLite file for one server: two would each hold tables the other does not know of.

The lock is a file of its own next to the database: SQLite drops its locks when any other handle of the same
file is closed. It is free when its process ends, however that is; the file stays.
"""

import contextlib
import os
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from fifteentwo.server.errors import StoreError


def lock_database(database: Path) -> BaseFileLock:
    """Return a lock on a database file until it is released; StoreError if another process has it."""
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


def copy_owner(file: Path, like: Path) -> None:
    """Give a file the owner, if this process may, and the mode of another file; of a folder only the owner.

    An administrator who restores a database must not leave files that the service cannot open.
    """
    found = like.stat()
    if not like.is_dir():
        file.chmod(found.st_mode & 0o777)
    # Only root may; Windows has no owners of this kind.
    with contextlib.suppress(OSError, AttributeError):
        os.chown(file, found.st_uid, found.st_gid)
