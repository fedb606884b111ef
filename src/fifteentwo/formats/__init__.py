"""Games as others write them down: HALSCRIB's "PGN for cribbage" and the forum's transcript, both ways.

Both are for two players with six cards. Neither carries how the deck was cut, in what order it was dealt,
or how the first dealer was found: a game read from them has its first dealer named (R28) and nothing cut
(R32, R45).
"""

import re
from typing import NamedTuple

from fifteentwo.formats import halscrib, transcript
from fifteentwo.formats.deals import CannotBeWritten
from fifteentwo.formats.ending import MARK
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import Record
from fifteentwo.rules.record import read as read_record

__all__ = ["FORMATS", "CannotBeWritten", "ImportedGame", "read", "write"]

FORMATS = ("halscrib", "transcript")
_WRITERS = {"halscrib": halscrib.write, "transcript": transcript.write}


class ImportedGame(NamedTuple):
    """A game that was read, and what had to be added to what was written."""

    record: Record
    format: str
    """`record`, or one of FORMATS."""
    suits_added: int = 0
    """Suits that were missing and were filled in on request."""


def format_of(text: str) -> str:
    """Which of the formats a text is in; NotationError where it is none."""
    lines = text.removeprefix("\ufeff").splitlines()
    first = next(((number, line) for number, line in enumerate(lines, 1) if line.strip()), (1, ""))
    if first[1].startswith("fifteentwo record"):
        return "record"
    for line in lines:
        if transcript.HEAD.match(line):
            return "transcript"
        if re.match(r"\s*(deal\s*\d+|player\s*[ab])\s*:", line, re.IGNORECASE):
            return "halscrib"
    if any(line.startswith(MARK) for line in lines):
        # Given up before a deal was over: all of it stands in our own lines.
        return "transcript"
    raise NotationError("not-a-known-format", first[1], first[0])


def read(text: str, *, target: int = 121, fill_suits: bool = False) -> ImportedGame:
    """A game in any of the formats; NotationError names the first line that is wrong, and nothing is kept.

    target: what was played to, which only records say; fill_suits: suits that a transcript leaves out may be
    chosen so that every score stands as it is written.
    """
    match format_of(text):
        case "record":
            return ImportedGame(read_record(text), "record")
        case "halscrib":
            return ImportedGame(halscrib.read(text, target=target), "halscrib")
        case _:
            return ImportedGame(*transcript.read(text, target=target, fill_suits=fill_suits))


def write(record: Record, name: str) -> str:
    """The game in a format of FORMATS; CannotBeWritten where that cannot hold it."""
    return _WRITERS[name](record)
