"""Games in the notations of other programs, and files of such games.

HALSCRIB's "PGN for cribbage" and the forum's transcript are read and written, for two players with six
cards. They do not contain how the deck was cut, the order of dealing, or how the first dealer was found, so
a game read from them has a named first dealer (R28) and no cuts (R32, R45). Cribbage-zero's PGN and
OpenSpiel's histories are only read.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from fifteentwo.formats import (
    detection,
    document,
    halscrib,
    openspiel,
    pgn,
    transcript,
    transcript_writing,
)
from fifteentwo.formats.deals import CannotBeWritten, GameBuilder, Notice
from fifteentwo.formats.encodings import UTF_8, decode
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.record import Record
from fifteentwo.rules.record import read as read_record

__all__ = ["FORMATS", "CannotBeWritten", "ImportedGame", "Notice", "read", "read_all", "read_one", "write"]

FORMATS = ("halscrib", "transcript")
"""Notations that can be written."""
MAX_GAMES = 1000
"""Default limit on games of a file; each takes some 50 ms."""
_WRITERS = {"json": document.write, "halscrib": halscrib.write, "transcript": transcript_writing.write}


class ImportedGame(NamedTuple):
    """A game that was read, with its notation and notices."""

    record: Record
    format: str
    """`record`, `json`, one of FORMATS, `cribbage-zero` or `openspiel`."""
    suits_added: int = 0
    """Number of missing suits that were filled in on request."""
    notices: tuple[Notice, ...] = ()
    """Notices of what was filled in, and of differences to these rules."""
    line: int = 1
    """First line of the game in the file."""
    stopped: NotationError | None = None
    """The error at which reading stopped: the game depends on a card that is not written down."""


def read(data: bytes | str, *, target: int = 121, fill_suits: bool = False) -> tuple[ImportedGame, ...]:
    """Return every game of a file, at least one. Encoding and notation are detected.

    Args:
        data: the file's bytes or text.
        target: the target of the game, which only records contain.
        fill_suits: whether to choose suits that a transcript omits so that all scores are as written.

    Raises:
        NotationError: with the first line that is wrong.
    """
    return tuple(_raising_errors(read_all(data, target=target, fill_suits=fill_suits), partly=False))


def read_one(
    data: bytes | str, *, target: int = 121, fill_suits: bool = False, partly: bool = False
) -> ImportedGame:
    """Return the only game of a file; raise NotationError 'several-games' if there are more.

    partly: whether a game may end at a card that is not written down, with `stopped`.
    """
    games = tuple(_raising_errors(read_all(data, target=target, fill_suits=fill_suits), partly=partly))
    if len(games) > 1:
        raise NotationError("several-games", str(len(games)), games[1].line)
    return games[0]


def _raising_errors(found: Iterable[ImportedGame | NotationError], *, partly: bool) -> Iterator[ImportedGame]:
    for one in found:
        if isinstance(one, NotationError):
            raise one
        if one.stopped is not None and not partly:
            raise one.stopped
        yield one


def read_all(
    data: bytes | str, *, target: int = 121, fill_suits: bool = False, max_games: int = MAX_GAMES
) -> tuple[ImportedGame | NotationError, ...]:
    """Return the games as `read` does, with an error in the place of each game that cannot be read.

    A game that depends on a card that is not written down ends before that deal, with `stopped`.
    NotationError is raised if the whole file cannot be read, or has more than `max_games` games.
    """
    text, encoding = decode(data)
    text = openspiel.shorten_playthrough(text)
    notation = detection.detect_format(text)
    games = tuple(islice(detection.split_games(text, notation), max_games + 1))
    if len(games) > max_games:
        raise NotationError("too-many-games", str(max_games), games[-1].before + 1)
    added = () if encoding == UTF_8 else (Notice("encoding", values={"encoding": encoding}),)
    found: list[ImportedGame | NotationError] = []
    for game in games:
        try:
            one = _read(game.text, notation, target=target, fill_suits=fill_suits)
        except NotationError as error:
            found.append(_with_line_offset(error, game.before))
        else:
            notices = tuple(
                notice._replace(line=notice.line + game.before if notice.line else 0)
                for notice in one.notices
            )
            stopped = None if one.stopped is None else _with_line_offset(one.stopped, game.before)
            found.append(one._replace(notices=added + notices, line=game.before + 1, stopped=stopped))
    return tuple(found)


def _read(text: str, notation: str, *, target: int, fill_suits: bool) -> ImportedGame:
    match notation:
        case "record":
            return ImportedGame(read_record(text), notation)
        case "json":
            return ImportedGame(document.read(text), notation)
        case "halscrib":
            return _imported_game(notation, *halscrib.read(text, target=target))
        case "transcript":
            built, record, added = transcript.read(text, target=target, fill_suits=fill_suits)
            return _imported_game(notation, built, record, suits_added=added)
        case "cribbage-zero":
            built, record, notices = pgn.read(text, target=target)
            return _imported_game(notation, built, record, notices)
        case _:
            record, notices = openspiel.read(text)
    return ImportedGame(record, notation, notices=notices)


def _imported_game(
    notation: str, built: GameBuilder, record: Record, notices: tuple[Notice, ...] = (), suits_added: int = 0
) -> ImportedGame:
    if record.unknown:
        notices += (Notice("cards-unknown", built.unknown_line, {"n": len(record.unknown)}),)
    return ImportedGame(record, notation, suits_added, notices, stopped=built.stopped)


def _with_line_offset(error: NotationError, lines: int) -> NotationError:
    """Return the error with its line counted from the beginning of the file."""
    if not lines or not error.position:
        return error
    moved = NotationError(error.code, error.text, error.position + lines)
    moved.__cause__ = error.__cause__
    return moved


def write(record: Record, name: str) -> str:
    """Return the game in one of FORMATS, or "json"; raise CannotBeWritten if the format cannot express it."""
    return _WRITERS[name](record)
