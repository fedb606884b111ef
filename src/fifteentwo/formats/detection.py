"""Detection of a text's notation, and of the line where each of its games begins."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fifteentwo.formats import document
from fifteentwo.formats.forfeit_lines import MARK
from fifteentwo.rules.errors import NotationError

_RECORD = re.compile(r"\s*fifteentwo record\b")
_TRANSCRIPT = re.compile(r"\s*PONE\s*\(\s*(\d{1,3})\s*\)\s*:?")
_HALSCRIB = re.compile(r"\s*(?:deal\s*(\d{1,3})|player\s*[ab])\s*:", re.IGNORECASE)
_HALSCRIB_DEAL = re.compile(r"\s*deal\s*(\d{1,3})\s*:(?:\s+[<>#\w?]{1,3}){13,}\s*$", re.IGNORECASE)
_HALSCRIB_HEAD = re.compile(
    r"\s*(?:pgn\b|portable game notation\b|player a\s*:|date\s*:|event\s*:)", re.IGNORECASE
)
_PGN = re.compile(r"\s*(?:\[\s*(?:FirstDealer|FirstPone)(?:Type)?\b|[HD][12](?:\s+\w\w)+)", re.IGNORECASE)
_PGN_ROUND = re.compile(r"\s*(\d{1,3})\.\s*$")
_OPENSPIEL = re.compile(
    r"\s*(?:\[?\s*\d{1,4}\s*(?:,\s*\d{1,4}\s*){4,}\]?\s*$|\[Game\]\s*$|cribbage\("
    r"|(?:Deal|Choose) [A2-9TJQK][SHDC]\b)"
)
_NUMBER = re.compile(r"\s*\d{1,4}\s*$")
_MARKS = (
    ("record", _RECORD),
    ("cribbage-zero", _PGN),
    ("openspiel", _OPENSPIEL),
    ("transcript", _TRANSCRIPT),
)
_CERTAIN_MARKS = (*_MARKS, ("halscrib", _HALSCRIB_DEAL))
"""(notation, pattern) of lines that prove the notation, because no other has them, not even in comments."""
_MAX_SEARCHED = 2000
"""Characters of a line that are searched; only OpenSpiel's histories have longer lines."""
_MAX_LINE_LENGTH = 30_000
"""Limit on characters of a line, more than in OpenSpiel's longest history."""
_MAX_LINES = 500_000
_MIN_MARK_LENGTH = 8
"""Shortest line that identifies a notation, in characters."""


class TextOfGame(NamedTuple):
    """The lines of one game, and the number of lines before it."""

    text: str
    before: int


def detect_format(text: str) -> str:
    """Return the notation of a text; raise NotationError if it has none, or two."""
    lines = text.splitlines()
    long = next((number for number, line in enumerate(lines, 1) if len(line) > _MAX_LINE_LENGTH), 0)
    if long:
        raise NotationError("long-line", str(_MAX_LINE_LENGTH), long)
    if len(lines) > _MAX_LINES:
        raise NotationError("too-many-lines", str(_MAX_LINES), _MAX_LINES)
    number, first = next(((n, line) for n, line in enumerate(lines, 1) if line.strip()), (1, ""))
    if document.MARK.match(first):
        return "json"
    found = _first_mark(lines)
    if not found and any(line.startswith(MARK) for line in lines):
        # A game that ended within the first deal consists of our own lines.
        found = "transcript"
    if not found or (found == "record" and not _RECORD.match(first)):
        raise NotationError("not-a-known-format", first, number)
    for place, line in enumerate(lines, 1):
        if len(line) < _MIN_MARK_LENGTH:
            continue
        other = next(
            (name for name, mark in _CERTAIN_MARKS if name != found and mark.match(line[:_MAX_SEARCHED])), ""
        )
        if other:
            raise NotationError("two-formats", line, place)
    return found


def _first_mark(lines: list[str]) -> str:
    numbers = 0
    for line in lines:
        for name, mark in _MARKS:
            if mark.match(line if name == "openspiel" else line[:_MAX_SEARCHED]):
                return name
        if _HALSCRIB.match(line):
            return "halscrib"
        numbers = numbers + 1 if _NUMBER.match(line) else 0
        if numbers == 12:
            return "openspiel"
    return ""


def split_games(text: str, notation: str) -> Iterator[TextOfGame]:
    """Yield the games of a text in order; every line belongs to one of them."""
    lines = text.splitlines()
    begins = [at for at in _first_lines(lines, notation) if at]
    for first, end in zip([0, *begins], [*begins, len(lines)], strict=True):
        yield TextOfGame("\n".join(lines[first:end]) + "\n", first)


def _first_lines(lines: list[str], notation: str) -> Iterator[int]:
    """Yield the indices of lines where a game begins; lines before the first game belong to it."""
    match notation:
        case "json":
            pass
        case "record":
            # Lines before the first game are an error in the first game.
            yield from [at for at, line in enumerate(lines) if _RECORD.match(line)][1:]
        case "transcript":
            yield from _transcripts(lines)
        case "halscrib":
            yield from _with_headers(
                lines, _HALSCRIB_HEAD, re.compile(r"\s*deal\s*(\d{1,3})\s*:", re.IGNORECASE)
            )
        case "cribbage-zero":
            yield from _with_headers(lines, re.compile(r"\s*\["), _PGN_ROUND)
        case _:
            yield from _histories(lines)


def _transcripts(lines: list[str]) -> Iterator[int]:
    """Yield the lines with a pone at 0: in later deals of a game, the pone has dealt and pegged before."""
    begun = ended = False
    for at, line in enumerate(lines):
        head = _TRANSCRIPT.match(line)
        if (head is not None and begun and int(head[1]) == 0) or (
            ended and line.startswith(MARK + "seat ") and not lines[at - 1].strip()
        ):
            yield at
            ended = False
        begun = begun or head is not None
        ended = ended or (line.startswith(MARK) and not line.startswith(MARK + "seat "))
        begun = begun or ended


def _with_headers(lines: list[str], head: re.Pattern[str], deal: re.Pattern[str]) -> Iterator[int]:
    """Yield the lines with a header after a deal, and those with deal 1 after another deal."""
    deals = False
    for at, line in enumerate(lines):
        number = deal.match(line)
        if deals and (head.match(line) or (number is not None and int(number[1]) == 1)):
            yield at
            deals = False
        deals = deals or number is not None or line.startswith(MARK)


def _histories(lines: list[str]) -> Iterator[int]:
    """Yield the lines where a history begins: one line each, or lines up to an empty line or a header."""
    begun = apart = False
    for at, line in enumerate(lines):
        whole = "," in line
        action = _NUMBER.match(line) is not None or line.strip().startswith(("Deal ", "Choose ", "Pass"))
        head = line.strip() == "[Game]"
        if begun and (whole or head or (apart and action)):
            yield at
            begun = False
        begun = begun or whole or action
        apart = whole or (begun and not line.strip())
