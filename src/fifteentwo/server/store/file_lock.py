"""One program to a SQLite file: two would each hold rooms the other does not know of.

The lock lies in a file of its own beside the database: locks of SQLite are dropped when any other handle of
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
    """Be the one program that serves a file until this is closed; StoreError where another does."""
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
