"""Points of an evening as clubs count them, the score card of each player, and the standings.

A win is 2 points, a win by 31 or more (a skunk) 3, a loss 0. A forfeit is 2 points without a spread. A bye is
2 points too, but no game won. Equal points are ordered by games won, then by spread.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from fifteentwo.server.club.pairing import Pairing

WIN_POINTS = 2
SKUNK_POINTS = 3
BYE_POINTS = 2
SKUNK_SPREAD = 31
MARKED_POINTS = 12
"""Points of an evening from which clubs mark a score card."""
T = TypeVar("T")
Place = tuple[int, int]
"""A round of the evening and a table of the round, both numbered from 0."""


class Outcome(msgspec.Struct, frozen=True):
    """How a table ended; both fields are in the order of the table's players."""

    scores: tuple[int, int] = (0, 0)
    """The final scores on the board; (0, 0) if the game was forfeited before its end."""
    has_left: tuple[bool, bool] = (False, False)
    """Who forfeited the game; if both did, neither gets points."""


class CardLine(NamedTuple):
    """One round on a score card."""

    round_number: int
    """Number of the round, from 1."""
    opponent: int | None
    """The opponent's record; None in a bye."""
    points: int
    """Points of the evening: 0, 2 or 3."""
    spread: int
    """Points by which the game was won (positive) or lost (negative): the card's plus or minus column."""
    is_won: bool
    total: int
    """Points of the evening up to this round."""


class ScoreCard(msgspec.Struct, frozen=True):
    """The finished rounds of one record, in order."""

    record: int
    lines: tuple[CardLine, ...] = ()

    @property
    def points(self) -> int:
        return self.lines[-1].total if self.lines else 0

    @property
    def won(self) -> int:
        return sum(line.is_won for line in self.lines)

    @property
    def spread(self) -> int:
        return sum(line.spread for line in self.lines)

    @property
    def skunks(self) -> int:
        return sum(line.spread >= SKUNK_SPREAD for line in self.lines)

    @property
    def is_marked(self) -> bool:
        return self.points >= MARKED_POINTS

    @property
    def order(self) -> tuple[int, int, int]:
        """The key of the standings; the largest is first."""
        return self.points, self.won, self.spread


def score_cards(
    records: Iterable[int], rounds: Sequence[Pairing], outcomes: Mapping[Place, Outcome]
) -> dict[int, ScoreCard]:
    """Return the score card of each record. outcomes: those of the tables that have ended."""
    cards = {record: ScoreCard(record) for record in records}

    def add(record: int, number: int, opponent: int | None, points: int, spread: int, is_won: bool) -> None:
        line = CardLine(number + 1, opponent, points, spread, is_won, cards[record].points + points)
        cards[record] = ScoreCard(record, (*cards[record].lines, line))

    for number, one in enumerate(rounds):
        for table, pair in enumerate(one.pairs):
            if (outcome := outcomes.get((number, table))) is None:
                continue
            for side, record in enumerate(pair):
                spread = outcome.scores[side] - outcome.scores[1 - side]
                is_won = spread > 0
                if any(outcome.has_left):
                    spread, is_won = 0, not outcome.has_left[side]
                points = SKUNK_POINTS if spread >= SKUNK_SPREAD else WIN_POINTS
                add(record, number, pair[1 - side], points * is_won, spread, is_won)
        if one.bye is not None:
            add(one.bye, number, None, BYE_POINTS, 0, is_won=False)
    return cards


def standings(cards: Iterable[ScoreCard]) -> list[tuple[int, ScoreCard]]:
    """Return the place of each card, the best first."""
    return ranked(cards, lambda card: card.order)


def ranked(lines: Iterable[T], order: Callable[[T], tuple[int, ...]]) -> list[tuple[int, T]]:
    """Return each line with its place from 1, the largest first. Lines that are equal share a place."""
    ordered = sorted(lines, key=order, reverse=True)
    keys = [order(line) for line in ordered]
    return [(keys.index(key) + 1, line) for key, line in zip(keys, ordered, strict=True)]
