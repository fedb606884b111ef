"""Recorded games: loading, saving and reviewing them."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import msgspec

from fifteentwo.library.arguments import file_path
from fifteentwo.rules import record as records
from fifteentwo.rules.errors import InvalidArgument

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
"""The format of a file by the end of its name."""
FORMATS = ("record", "json", "halscrib", "transcript")


class Record(records.Record, frozen=True, kw_only=True):
    """One game, finished or not: enough to play it again card by card.

    `print` describes it from the first card to the last.
    """

    @classmethod
    def load(cls, file: "str | PathLike[str]", *, target: int = 121, fill_suits: bool = False) -> "Record":
        """Return the game in a file, in any format that `fifteentwo import` reads.

        target: what was played to, where the format does not say. fill_suits: choose suits that a transcript
        leaves out. NotationError says where the text is wrong and why, or that there
        are several games (`load_all`); OSError where the file cannot be read.
        """
        from fifteentwo.formats import read_one

        return cls.of(read_one(file_path(file).read_bytes(), target=target, fill_suits=fill_suits).record)

    @classmethod
    def load_all(
        cls, file: "str | PathLike[str]", *, target: int = 121, fill_suits: bool = False
    ) -> "tuple[Record, ...]":
        """Return all games in a file; as `load`."""
        from fifteentwo.formats import read

        games = read(file_path(file).read_bytes(), target=target, fill_suits=fill_suits)
        return tuple([cls.of(game.record) for game in games])

    @classmethod
    def of(cls, record: records.Record) -> "Record":
        """Return a record of the rules as one of the library."""
        return record if isinstance(record, cls) else cls(**msgspec.structs.asdict(record))

    def save(self, file: "str | PathLike[str]", *, format: str | None = None) -> None:  # noqa: A002 - its name
        """Write the game to a file, which `load` reads again.

        format: "record" (our text), "json", "halscrib" or "transcript"; by default by the end of the name:
        .txt, .json, .pgn or .halscrib, .transcript. InvalidArgument where it is none of these. The last two
        are for two players with six cards, and leave the cuts out; CannotBeWritten where a game does not fit.
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
        if format == "json":
            from fifteentwo.formats import document

            return document.write(self)
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
    """How one seat played, and what chance did for it; None where that is not known."""

    decisions: int
    counted: int
    """Decisions that count for the rating: not those that anyone would make."""
    loss_points: float
    """Points lost by choices that were not the best."""
    loss_win: float | None
    """Chance of winning lost by them, as a sum over decisions."""
    luck: float | None
    """What chance did for this seat, in chances of winning."""
    lost: float | None
    rating: float | None
    rating_error: float | None
    """Its standard error."""
    band: str | None
    result: int | None
    """1 won, 0 lost."""
    adjusted_result: float | None
    """The result less luck: what such play would win from the same cards."""
    dealt_luck: float | None
    """What the deck alone did, for players of any strength."""
    luck_adjusted_result: float | None
    """The result less `dealt_luck`."""


class Review:
    """A game with each decision judged. `print` writes what `fifteentwo review` does."""

    def __init__(self, record: records.Record) -> None:
        """Review all decisions; `review` does the same."""
        from fifteentwo.analysis.review import review as analysis

        self._record = record
        self._course = list(analysis.reviewed(record))
        self._report = analysis.report(record, self._course)

    @property
    def record(self) -> records.Record:
        """The game."""
        return self._record

    @property
    def names(self) -> tuple[str, ...]:
        """Who sat at each seat."""
        return tuple(self._report["names"])

    @property
    def seats(self) -> tuple[SeatReview, ...]:
        """The totals of each seat."""
        return msgspec.convert(self._report["seats"], tuple[SeatReview, ...])

    @property
    def decisions(self) -> Sequence["Decision"]:
        """Every decision in order: the chosen, the best, and the loss in points and in chance of winning."""
        from fifteentwo.analysis.review.review import Decision

        return tuple([one for one in self._course if isinstance(one, Decision)])

    @property
    def curve(self) -> tuple[float, ...]:
        """The first seat's chance of winning after each action that moved it; empty where it is not known."""
        return tuple([point["win"] for point in self._report["curve"]])

    def to_dict(self) -> dict[str, Any]:
        """Return what `fifteentwo review --json` writes, as plain values."""
        return self._report

    def text(self, lang: str = "en") -> str:
        """Return the review in words, in English ("en") or Japanese ("ja"), with reasons."""
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
    """Return the review of a game: each decision with the best choice and its loss, luck, and ratings.

    record: a Record, or a file with one. About 25 ms a decision for two with six cards.
    IllegalAction where the record breaks the rules; errors of `Record.load` for a file.
    """
    if isinstance(record, records.Record):
        return Review(record)
    if isinstance(record, str | PathLike):
        return Review(Record.load(record))
    raise InvalidArgument("not-a-record", "record", record)
