"""A lock on a SQLite file for one server: two would each hold tables the other does not know of.

The lock is a file of its own next to the database: SQLite drops its locks when any other handle of the same
file is closed. It is free when its process ends, however that is; the file stays.
"""

from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from fifteentwo.server.errors import StoreError


def claim(database: Path) -> BaseFileLock:
    """Return a lock on a database file until it is released; StoreError where another process has it."""
    lock = FileLock(database.with_name(f"{database.name}-serving"), timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise StoreError("database-served-already", file=database.name) from None
    except OSError:
        raise StoreError("database-read-only") from None
    return lock
