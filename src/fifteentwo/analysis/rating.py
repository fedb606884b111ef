"""How well somebody plays: which losses are marked, which decisions count, and the rating they come to.

A rating is the mean chance of winning lost by the decisions that count, in points (hundredths) of win chance
a hundred decisions: 0 is perfect, and the lower the better.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

BLUNDER, MISTAKE, SMALL = "blunder", "mistake", "small"

MARKS_BY_CHANCE = ((BLUNDER, 0.03), (MISTAKE, 0.01), (SMALL, 0.003))
"""From which loss of win chance on a decision is marked so. A hundredth is about half a point on an
even board; below three thousandths the figures themselves are not sure."""
MARKS_BY_POINTS = ((BLUNDER, 1.5), (MISTAKE, 0.5), (SMALL, 0.15))
"""The same in points, where win chance is not known."""

AT_STAKE, AT_STAKE_POINTS = 0.001, 0.05
"""A decision whose worst choice loses less than this cannot be got wrong: it does not count."""
CLEAR, CLEAR_POINTS = 0.05, 2.5
"""Nor does one whose best choice is this far ahead of the next, if it was taken: anybody sees it. Missed, it
counts, or the worst errors would be no part of a rating."""

SCALE = 10_000
"""Mean chance lost a decision, in points of win chance a hundred decisions."""


class Rating(NamedTuple):
    """Points of win chance lost a hundred decisions, the standard error, and how many decisions counted."""

    rating: float
    error: float
    counted: int


def mark(loss: float, *, by_chance: bool) -> str | None:
    """Whether a loss, of win chance or of points, is small, a mistake or a blunder; None for less."""
    marks = MARKS_BY_CHANCE if by_chance else MARKS_BY_POINTS
    return next((name for name, least in marks if loss >= least), None)


def is_obvious(losses: Sequence[float], chosen: float, *, by_chance: bool) -> bool:
    """Whether a decision does not count: what every choice loses, the best 0, and what the chosen loses."""
    at_stake, clear = (AT_STAKE, CLEAR) if by_chance else (AT_STAKE_POINTS, CLEAR_POINTS)
    by_loss = sorted(losses)
    return by_loss[-1] < at_stake or (by_loss[1] >= clear and chosen < at_stake)


def rated(losses: Sequence[float]) -> Rating | None:
    """The rating that the losses of the decisions that count come to; None without any."""
    number = len(losses)
    if not number:
        return None
    mean = sum(losses) / number
    spread = sum((loss - mean) ** 2 for loss in losses)
    error = math.sqrt(spread / (number - 1) / number) if number > 1 else 0.0
    return Rating(SCALE * mean, SCALE * error, number)
