"""A lock that lets only one server use a SQLite file: two would not see each other's open tables.

The lock is a separate file next to the database: SQLite drops its locks when any other handle of the database
file is closed. It is released when its process ends, even if it crashes; the file stays.
"""

import contextlib
import os
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from fifteentwo.server.errors import StoreError


def lock_database(database: Path) -> BaseFileLock:
    """Lock a database file until the lock is released. Raise StoreError if another process has it."""
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

    The service could not open files that an administrator restores as root otherwise.
    """
    found = like.stat()
    if not like.is_dir():
        file.chmod(found.st_mode & 0o777)
    # Only root may do this; Windows has no such owners.
    with contextlib.suppress(OSError, AttributeError):
        os.chown(file, found.st_uid, found.st_gid)
