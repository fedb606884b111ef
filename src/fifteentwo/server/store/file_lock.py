"""A lock on a SQLite file for one server: two would each hold tables the other does not know of.

The lock is a file of its own next to the database: SQLite drops its locks when any other handle of
the same file is closed. It is free when its holder ends, however that is; the file stays.
"""

import sys
from pathlib import Path
from typing import BinaryIO

from fifteentwo.server.errors import StoreError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


def claim(database: Path) -> BinaryIO:
    """Return a lock on a database file, released when closed; StoreError where another process has it."""
    file = database.with_name(f"{database.name}-serving")
    try:
        held = file.open("ab")
    except OSError:
        raise StoreError("database-read-only") from None
    try:
        if sys.platform == "win32":
            held.seek(0)
            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise StoreError("database-served-already", file=database.name) from None
    return held
