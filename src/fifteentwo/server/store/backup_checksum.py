"""The checksum of a backup: SHA-256 of the SQLite file, on a line after its last page.

SQLite reads as many pages as the file's header counts, so any SQLite tool opens a backup and sees no line. An
application id in the header says that the line must be there. A backup of an earlier version has neither.
"""

import hashlib
from pathlib import Path

from fifteentwo.server.errors import StoreError

APPLICATION_ID = 0x46543032
_MARK = APPLICATION_ID.to_bytes(4)
_LINE = b"\nFIFTEENTWO BACKUP 2 SHA-256 "
LENGTH = len(_LINE) + 64 + 1
"""Bytes of the line."""


def add(file: Path) -> None:
    """Put its checksum after a SQLite file that has the application id."""
    with file.open("r+b") as there:
        digest = hashlib.file_digest(there, "sha256").hexdigest()
        there.write(_LINE + digest.encode() + b"\n")


def holds(file: Path) -> bool:
    """Return whether a backup carries a checksum; StoreError where it is cut short or changed."""
    size = file.stat().st_size
    with file.open("rb") as there:
        head = there.read(100)
        there.seek(max(size - LENGTH, 0))
        line = there.read()
    is_database, is_marked = head.startswith(b"SQLite format 3\0"), head[68:72] == _MARK
    has_line = line.startswith(_LINE)
    if not (is_database or has_line):
        raise StoreError("backup-of-another-program", file=str(file))
    # In the header 1 stands for pages of 65,536 bytes.
    page = int.from_bytes(head[16:18])
    pages = (page if page > 1 else 65536) * int.from_bytes(head[28:32])
    if size < max(pages + LENGTH * is_marked, 100) and not has_line:
        raise StoreError("backup-torn", file=str(file))
    if not (is_marked or has_line):
        return False
    if line != _LINE + _digest(file, size - LENGTH).encode() + b"\n":
        raise StoreError("backup-changed", file=str(file))
    return True


def _digest(file: Path, size: int) -> str:
    """The SHA-256, in hex, of so many bytes at the beginning of a file."""
    read = hashlib.sha256()
    with file.open("rb") as there:
        while size > 0 and (part := there.read(min(size, 1 << 20))):
            read.update(part)
            size -= len(part)
    return read.hexdigest()
