"""Games as others write them down, and files of them.

Written are HALSCRIB's "PGN for cribbage" and the forum's transcript, both for two players with six cards.
Neither carries how the deck was cut, in what order it was dealt, or how the first dealer was found: a game
read from them has its first dealer named (R28) and nothing cut (R32, R45). Read are also cribbage-zero's
PGN, the histories of OpenSpiel, and the events that `fifteentwo replay --json` prints.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from fifteentwo.formats import (
    detection,
    document,
    events,
    halscrib,
    openspiel,
    pgn,
    transcript,
    transcript_writing,
)
from fifteentwo.formats.deals import CannotBeWritten, GameBuilder
from fifteentwo.formats.encodings import UTF_8, decoded
from fifteentwo.formats.notices import Notice
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import Record
from fifteentwo.rules.record import read as read_record

__all__ = ["FORMATS", "CannotBeWritten", "ImportedGame", "Notice", "read", "read_all", "read_one", "write"]

FORMATS = ("halscrib", "transcript")
"""The notations that are written."""
MOST_GAMES = 1000
"""Of a file that is read at once; some 50 ms each."""
_WRITERS = {"halscrib": halscrib.write, "transcript": transcript_writing.write}


class ImportedGame(NamedTuple):
    """A game that was read, and what had to be added to what was written."""

    record: Record
    format: str
    """`record`, `json`, one of FORMATS, `cribbage-zero`, `openspiel` or `events`."""
    suits_added: int = 0
    """Suits that were missing and were filled in on request."""
    notices: tuple[Notice, ...] = ()
    """What a reader should know: what was filled in, and where the writer's rules were not these."""
    line: int = 1
    """Where the game begins in the file."""
    stopped: NotationError | None = None
    """Why the record ends before the game does: a card is not written down, and the game depends on it."""


def read(data: bytes | str, *, target: int = 121, fill_suits: bool = False) -> tuple[ImportedGame, ...]:
    """Return every game of a file, in order, at least one; NotationError names the first line that is wrong.

    The encoding and the notation are found. target: what was played to, which only records say; fill_suits:
    suits that a transcript leaves out may be chosen so that every score stands as it is written.
    """
    return tuple(_whole(read_all(data, target=target, fill_suits=fill_suits), partly=False))


def read_one(
    data: bytes | str, *, target: int = 121, fill_suits: bool = False, partly: bool = False
) -> ImportedGame:
    """Return the game of a file; NotationError 'several-games' where there are more.

    partly: also a game that cannot be read on at a card that is not written down, with `stopped`.
    """
    games = tuple(_whole(read_all(data, target=target, fill_suits=fill_suits), partly=partly))
    if len(games) > 1:
        raise NotationError("several-games", str(len(games)), games[1].line)
    return games[0]


def _whole(found: Iterable[ImportedGame | NotationError], *, partly: bool) -> Iterator[ImportedGame]:
    for one in found:
        if isinstance(one, NotationError):
            raise one
        if one.stopped is not None and not partly:
            raise one.stopped
        yield one


def read_all(
    data: bytes | str, *, target: int = 121, fill_suits: bool = False, most: int = MOST_GAMES
) -> tuple[ImportedGame | NotationError, ...]:
    """Return what `read` does, with the reason in the place of each game that cannot be read.

    A game with a card that is not written down and matters is there up to that deal, with `stopped`.
    NotationError where the file as a whole cannot be, or holds more than `most` games.
    """
    text, encoding = decoded(data)
    notation = detection.format_of(text)
    games = tuple(islice(detection.games_in(text, notation), most + 1))
    if len(games) > most:
        raise NotationError("too-many-games", str(most), games[-1].before + 1)
    added = () if encoding == UTF_8 else (Notice("encoding", values={"encoding": encoding}),)
    found: list[ImportedGame | NotationError] = []
    for game in games:
        try:
            one = _read(game.text, notation, target=target, fill_suits=fill_suits)
        except NotationError as error:
            found.append(_moved(error, game.before))
        else:
            notices = tuple(
                notice._replace(line=notice.line + game.before if notice.line else 0)
                for notice in one.notices
            )
            stopped = None if one.stopped is None else _moved(one.stopped, game.before)
            found.append(one._replace(notices=added + notices, line=game.before + 1, stopped=stopped))
    return tuple(found)


def _read(text: str, notation: str, *, target: int, fill_suits: bool) -> ImportedGame:
    match notation:
        case "record":
            return ImportedGame(read_record(text), notation)
        case "json":
            return ImportedGame(document.read(text), notation)
        case "halscrib":
            return _put_together(notation, *halscrib.read(text, target=target))
        case "transcript":
            built, record, added = transcript.read(text, target=target, fill_suits=fill_suits)
            return _put_together(notation, built, record, suits_added=added)
        case "cribbage-zero":
            built, record, notices = pgn.read(text, target=target)
            return _put_together(notation, built, record, notices)
        case "openspiel":
            record, notices = openspiel.read(text)
        case _:
            record, notices = events.read(text)
    return ImportedGame(record, notation, notices=notices)


def _put_together(
    notation: str,
    built: GameBuilder,
    record: Record,
    notices: tuple[Notice, ...] = (),
    suits_added: int = 0,
) -> ImportedGame:
    if record.unknown:
        notices += (Notice("cards-unknown", built.unknown_line, {"n": len(record.unknown)}),)
    return ImportedGame(record, notation, suits_added, notices, stopped=built.stopped)


def _moved(error: NotationError, lines: int) -> NotationError:
    """The error with its line counted from the beginning of the file."""
    if not lines or not error.position:
        return error
    moved = NotationError(error.code, error.text, error.position + lines)
    moved.__cause__ = error.__cause__
    return moved


def write(record: Record, name: str) -> str:
    """The game in a format of FORMATS; CannotBeWritten where that cannot hold it."""
    return _WRITERS[name](record)
