"""Recorded games: loading, saving and reviewing."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import msgspec

from fifteentwo.library.arguments import file_path
from fifteentwo.rules import record as records
from fifteentwo.rules.errors import InvalidArgument
from fifteentwo.rules.state import State

if TYPE_CHECKING:
    from fifteentwo.analysis.review.review import Decision

SUFFIXES = {
    ".txt": "record",
    "": "record",
    ".json": "json",
    ".pgn": "halscrib",
    ".halscrib": "halscrib",
    ".transcript": "transcript",
}
"""Formats by the end of a file's name."""
FORMATS = ("record", "json", "halscrib", "transcript")


class Record(records.Record, frozen=True, kw_only=True):
    """A game, finished or not, that can be replayed card by card. `print` describes it in words."""

    @classmethod
    def load(cls, file: "str | PathLike[str]", *, target: int = 121, fill_suits: bool = False) -> "Record":
        """Return the game in a file, in any format that `fifteentwo import` reads.

        Args:
            file: path of the file.
            target: target of the game, if the format does not contain it.
            fill_suits: whether to choose suits that a transcript omits.

        Raises:
            NotationError: the text is wrong, or has several games (use `load_all`).
            OSError: the file cannot be read.
        """
        from fifteentwo.formats import read_one

        return cls.of(read_one(file_path(file).read_bytes(), target=target, fill_suits=fill_suits).record)

    @classmethod
    def load_all(
        cls, file: "str | PathLike[str]", *, target: int = 121, fill_suits: bool = False
    ) -> "tuple[Record, ...]":
        """Return all games in a file, or in the files of a folder; arguments and errors as `load`."""
        from fifteentwo.formats import read

        path = file_path(file)
        files = sorted(one for one in path.iterdir() if one.is_file()) if path.is_dir() else [path]
        games = [read(one.read_bytes(), target=target, fill_suits=fill_suits) for one in files]
        return tuple([cls.of(game.record) for of_file in games for game in of_file])

    @classmethod
    def of(cls, record: records.Record) -> "Record":
        """Return a record of `rules` as one of the library."""
        return record if isinstance(record, cls) else cls(**msgspec.structs.asdict(record))

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each side at the end of the record; a side of partners has one score."""
        return self._end.front

    @property
    def winner(self) -> int | None:
        """The winner's seat, of partners the lower one; None if the game is not over."""
        won = self._end.won
        return None if won is None else won.side

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self._end.deal

    @property
    def _end(self) -> State:
        return records.last_state(self)

    def save(self, file: "str | PathLike[str]", *, format: str | None = None) -> None:  # noqa: A002 - its name
        """Write the game to a file, which `load` reads.

        Args:
            file: path of the file.
            format: "record" (our text), "json", "halscrib" or "transcript". By default it follows from the
                name: .txt, .json, .pgn or .halscrib, .transcript. The last two formats are for two players
                with six cards, without cuts.

        Raises:
            InvalidArgument: the format is unknown.
            CannotBeWritten: the format cannot express the game.
        """
        name = file_path(file)
        chosen = SUFFIXES.get(name.suffix.lower()) if format is None else format
        if chosen not in FORMATS:
            raise InvalidArgument("not-a-format", "format", format or name.name)
        name.write_text(self.text(chosen), encoding="utf-8")

    def text(self, format: str = "record") -> str:  # noqa: A002 - its name
        """Return the game as text in one of the formats of `save`."""
        if format == "record":
            return records.write(self)
        if format not in FORMATS:
            raise InvalidArgument("not-a-format", "format", format)
        from fifteentwo.formats import write

        return write(self, format)

    def __str__(self) -> str:
        from fifteentwo.i18n.replay import replay_text

        return "\n".join(replay_text(self, "en"))

    def __repr__(self) -> str:
        state = records.last_state(self)
        sides = ", ".join(
            f"{name or f'seat {seat}'} {state.front[self.rules.side(state.seating.index(seat))]}"
            for seat, name in enumerate(self.names)
        )
        over = "won" if state.won else "unfinished"
        return f"<Record {self.rules.variant.value}: {sides}; {over}, {len(self.actions)} actions>"


class SeatReview(msgspec.Struct, frozen=True, kw_only=True):
    """Totals of one seat: its decisions and its luck. Values are None if they are unknown."""

    decisions: int
    counted: int
    """Decisions that count for the rating: all that are not obvious."""
    loss_points: float
    """Points lost by choices that were not the best."""
    loss_win: float | None
    """Win probability lost by choices that were not the best, summed over decisions."""
    luck: float | None
    """Luck of this seat, in win probability."""
    lost: float | None
    rating: float | None
    rating_error: float | None
    """Standard error of the rating."""
    band: str | None
    result: int | None
    """1 if won, 0 if lost."""
    adjusted_result: float | None
    """The result less luck."""
    dealt_luck: float | None
    """Luck of the deck alone, for players of any strength."""
    luck_adjusted_result: float | None
    """The result less `dealt_luck`."""


class Review:
    """A game in which every decision is judged. `print` writes what `fifteentwo review` writes."""

    def __init__(self, record: records.Record) -> None:
        """Review all decisions of a record."""
        from fifteentwo.analysis.review import review as analysis

        self._record = record
        self._course = list(analysis.reviewed(record))
        self._report = analysis.report(record, self._course)

    @property
    def record(self) -> records.Record:
        """The reviewed record."""
        return self._record

    @property
    def names(self) -> tuple[str, ...]:
        """Names by seat."""
        return tuple(self._report["names"])

    @property
    def seats(self) -> tuple[SeatReview, ...]:
        """Totals of each seat."""
        return msgspec.convert(self._report["seats"], tuple[SeatReview, ...])

    @property
    def decisions(self) -> Sequence["Decision"]:
        """All decisions in order, each with the chosen and the best choice and the loss."""
        from fifteentwo.analysis.review.review import Decision

        return tuple([one for one in self._course if isinstance(one, Decision)])

    @property
    def curve(self) -> tuple[float, ...]:
        """The first seat's win probability after each action that changed it; empty if it is unknown."""
        return tuple([point["win"] for point in self._report["curve"]])

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values: the fields of `fifteentwo review --json`."""
        return self._report

    def text(self, lang: str = "en") -> str:
        """Return the review in words with reasons. lang: "en" or "ja"."""
        from fifteentwo.analysis.review import reasons
        from fifteentwo.i18n.game_review import review_text

        found = [reasons.report(facts) for facts in reasons.of_game(self._record, self.decisions)]
        return review_text(self._report, lang, found)

    def _repr_html_(self) -> str:
        from fifteentwo.library.pictures import review_html

        return review_html(self._report)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        losses = ", ".join(
            f"{name or f'seat {seat}'} {one.loss_points} points"
            for seat, (name, one) in enumerate(zip(self.names, self.seats, strict=True))
        )
        return f"<Review of {len(self.decisions)} decisions; lost: {losses}>"


def review(record: "records.Record | str | PathLike[str]") -> Review:
    """Return the review of a game: every decision with the best choice and its loss, luck, and ratings.

    A decision of two players with six cards takes about 6 ms, 20 without numba.

    Args:
        record: a Record, or a file with one.

    Raises:
        IllegalAction: the record breaks the rules.
        NotationError, OSError: as `Record.load`.
    """
    if isinstance(record, records.Record):
        return Review(record)
    if isinstance(record, str | PathLike):
        return Review(Record.load(record))
    raise InvalidArgument("not-a-record", "record", record)
