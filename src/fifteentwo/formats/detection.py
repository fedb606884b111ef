"""Which notation a text is in, and where each of its games begins."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fifteentwo.formats import document
from fifteentwo.formats.ending import MARK
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
_EVENT = re.compile(r'\s*\{\s*"type"\s*:\s*"')
_MARKS = (
    ("record", _RECORD),
    ("events", _EVENT),
    ("cribbage-zero", _PGN),
    ("openspiel", _OPENSPIEL),
    ("transcript", _TRANSCRIPT),
)
_CERTAIN = (*_MARKS, ("halscrib", _HALSCRIB_DEAL))
"""Lines that no other notation has, not even as the free text of a transcript."""
_LONGEST = 2000
"""Characters of a line that are looked at; only a history of OpenSpiel has longer ones."""
_LONGEST_LINE = 30_000
"""Characters of a line that is read: more than OpenSpiel's longest history."""
_MOST_LINES = 500_000
_SHORTEST_MARK = 8
"""Characters that every line has by which a notation is known for certain."""


class Game(NamedTuple):
    """One game of a text: its lines, and how many lines come before."""

    text: str
    before: int


def format_of(text: str) -> str:
    """Return which notation a text is in; NotationError where it is none, or two."""
    lines = text.splitlines()
    long = next((number for number, line in enumerate(lines, 1) if len(line) > _LONGEST_LINE), 0)
    if long:
        raise NotationError("long-line", str(_LONGEST_LINE), long)
    if len(lines) > _MOST_LINES:
        raise NotationError("too-many-lines", str(_MOST_LINES), _MOST_LINES)
    number, first = next(((n, line) for n, line in enumerate(lines, 1) if line.strip()), (1, ""))
    if document.MARK.match(first):
        return "json"
    found = _first_mark(lines)
    if not found and any(line.startswith(MARK) for line in lines):
        # Given up before a deal was over: all of it stands in our own lines.
        found = "transcript"
    if not found or (found == "record" and not _RECORD.match(first)):
        raise NotationError("not-a-known-format", first, number)
    for place, line in enumerate(lines, 1):
        if len(line) < _SHORTEST_MARK:
            continue
        other = next((name for name, mark in _CERTAIN if name != found and mark.match(line[:_LONGEST])), "")
        if other:
            raise NotationError("two-formats", line, place)
    return found


def _first_mark(lines: list[str]) -> str:
    numbers = 0
    for line in lines:
        for name, mark in _MARKS:
            if mark.match(line if name == "openspiel" else line[:_LONGEST]):
                return name
        if _HALSCRIB.match(line):
            return "halscrib"
        numbers = numbers + 1 if _NUMBER.match(line) else 0
        if numbers == 12:
            return "openspiel"
    return ""


def games_in(text: str, notation: str) -> Iterator[Game]:
    """Yield the games of a text in this notation, in order; all of the text belongs to one of them."""
    lines = text.splitlines()
    begins = [at for at in _begins(lines, notation) if at]
    for first, end in zip([0, *begins], [*begins, len(lines)], strict=True):
        yield Game("\n".join(lines[first:end]) + "\n", first)


def _begins(lines: list[str], notation: str) -> Iterator[int]:
    """Yield the places of lines at which a game begins; what stands before the first belongs to it."""
    match notation:
        case "json":
            pass
        case "record":
            yield from _each(lines, _RECORD)
        case "transcript":
            yield from _transcripts(lines)
        case "halscrib":
            yield from _headed(lines, _HALSCRIB_HEAD, re.compile(r"\s*deal\s*(\d{1,3})\s*:", re.IGNORECASE))
        case "cribbage-zero":
            yield from _headed(lines, re.compile(r"\s*\["), _PGN_ROUND)
        case "openspiel":
            yield from _histories(lines)
        case _:
            yield from _events(lines)


def _each(lines: list[str], mark: re.Pattern[str]) -> Iterator[int]:
    # What stands before the first game is an error of the first game.
    found = [at for at, line in enumerate(lines) if mark.match(line)]
    yield from found[1:]


def _transcripts(lines: list[str]) -> Iterator[int]:
    """A pone at 0 begins a game: the dealer of a deal before would have pegged a point."""
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


def _headed(lines: list[str], head: re.Pattern[str], deal: re.Pattern[str]) -> Iterator[int]:
    """A head after a deal begins a game, and so does a deal of number 1 after another one."""
    deals = False
    for at, line in enumerate(lines):
        number = deal.match(line)
        if deals and (head.match(line) or (number is not None and int(number[1]) == 1)):
            yield at
            deals = False
        deals = deals or number is not None or line.startswith(MARK)


def _histories(lines: list[str]) -> Iterator[int]:
    """A history on one line is a game; one of a line for each action ends at an empty line or a head."""
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


def _events(lines: list[str]) -> Iterator[int]:
    """The draw or the naming of the first dealer, after a card was dealt, begins a game."""
    dealt = False
    for at, line in enumerate(lines):
        kind = _EVENT.match(line)
        name = line[kind.end() :].partition('"')[0] if kind is not None else ""
        if dealt and name in ("Picked", "DealerChosen"):
            yield at
            dealt = False
        dealt = dealt or name == "Dealt"
