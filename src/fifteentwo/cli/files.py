"""Files as they are named on the command line; - is standard input."""

from pathlib import Path

from fifteentwo.cli import terminal
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import Record, read


def text_of(file: Path) -> str:
    """All of a file; NotationError where it is not UTF-8, OSError with its name where it cannot be read."""
    name = "stdin" if str(file) == "-" else str(file)
    try:
        written = terminal.given().read() if name == "stdin" else file.read_bytes()
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    try:
        return str(written.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotationError("not-text", Path(name).name, error.start) from None


def record_of(file: Path) -> Record:
    """A game's record; NotationError names the line that is wrong."""
    return read(text_of(file))
