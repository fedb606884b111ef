"""Files as they are named on the command line; - is standard input."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fifteentwo.cli import terminal
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import Record

if TYPE_CHECKING:
    from fifteentwo.formats import ImportedGame

MOST_BYTES = 16_000_000
"""Of a file that is read whole. A record has some 10 kB; these are a million hands."""
LONGEST_LINE = 1_000_000
"""Bytes of a line that is read by itself. A View has some 2 kB."""


def bytes_of(file: Path) -> bytes:
    """All of a file; NotationError where it is too long, OSError with its name."""
    name = "stdin" if str(file) == "-" else str(file)
    try:
        if name == "stdin":
            written = terminal.standard_input().read(MOST_BYTES + 1)
        else:
            with file.open("rb") as there:
                written = there.read(MOST_BYTES + 1)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    if len(written) > MOST_BYTES:
        raise NotationError("file-too-long", Path(name).name, MOST_BYTES // 1_000_000)
    return bytes(written)


def text_of(file: Path) -> str:
    """All of a file; NotationError where it is too long or not UTF-8, OSError with its name."""
    try:
        return bytes_of(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = "stdin" if str(file) == "-" else file.name
        raise NotationError("not-text", name, error.start) from None


def put(file: Path, written: str) -> None:
    """Write a file; OSError with its name, also where the disk is full."""
    try:
        file.write_text(written, encoding="utf-8")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


def given_lines() -> Iterator[bytes]:
    """The lines of standard input as they come; NotationError where one is too long."""
    number = 0
    while line := terminal.standard_input().readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise NotationError("line-too-long", str(LONGEST_LINE // 1_000_000), number)
        yield line


def record_of(file: Path) -> Record:
    """The game of a file, in any notation that is read; NotationError names the line that is wrong."""
    return game_of(file, partly=False).record


def game_of(file: Path, *, partly: bool = True) -> "ImportedGame":
    """As `record_of`, what is known of it too; partly: also up to a card that is not written down."""
    from fifteentwo.formats import read_one

    try:
        return read_one(bytes_of(file), partly=partly)
    except NotationError as error:
        if error.code != "not-decoded":
            raise
        raise NotationError("file-not-decoded", file.name, error.position) from None
