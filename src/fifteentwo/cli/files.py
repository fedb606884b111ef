"""Reading and writing the files that a command line names. The name - is standard input."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fifteentwo.cli import terminal
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import Record

if TYPE_CHECKING:
    from fifteentwo.formats import ImportedGame

MAX_FILE_BYTES = 16_000_000
"""A record has some 10 kB; a list of a million hands has 15 MB."""
MAX_LINE_BYTES = 1_000_000
"""Limit of one line of standard input. A View has some 2 kB."""


def read_bytes(file: Path) -> bytes:
    """Return the content of a file. Raise NotationError if it is too long, OSError with the file's name."""
    name = "stdin" if str(file) == "-" else str(file)
    try:
        if name == "stdin":
            content = terminal.standard_input().read(MAX_FILE_BYTES + 1)
        else:
            with file.open("rb") as stream:
                content = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    if len(content) > MAX_FILE_BYTES:
        raise NotationError("file-too-long", Path(name).name, MAX_FILE_BYTES // 1_000_000)
    return bytes(content)


def read_text(file: Path) -> str:
    """Return the text of a file. Raise NotationError if it is too long or not UTF-8, or OSError."""
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = "stdin" if str(file) == "-" else file.name
        raise NotationError("not-text", name, error.start) from None


def write_file(file: Path, content: str) -> None:
    """Write a file. Raise OSError with the file's name, even if the disk is full."""
    try:
        file.write_text(content, encoding="utf-8")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from error


def input_lines() -> Iterator[bytes]:
    """Yield the lines of standard input as they arrive. Raise NotationError if a line is too long."""
    number = 0
    while line := terminal.standard_input().readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise NotationError("line-too-long", str(MAX_LINE_BYTES // 1_000_000), number)
        yield line


def read_record(file: Path) -> Record:
    """Return the one game of a file in any supported notation. Raise NotationError with the wrong line."""
    return read_game(file, partly=False).record


def read_game(file: Path, *, partly: bool = True) -> "ImportedGame":
    """Return the one game of a file and its notices. partly: accept a game that ends at a missing card."""
    from fifteentwo.formats import read_one

    try:
        return read_one(read_bytes(file), partly=partly)
    except NotationError as error:
        if error.code != "not-decoded":
            raise
        raise NotationError("file-not-decoded", file.name, error.position) from None
