"""How well a player plays: which losses are marked, which decisions count, and the rating they make.

A rating is the mean chance of winning lost by the decisions that count, in points (hundredths) of win chance
a hundred decisions: 0 is perfect, and the lower the better. A decision counts for as much as a point does
at its score, 1 at the beginning of a game: where a game is as good as over little can be lost, and a player
with weak opponents would look better for it.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.win import model as win
from fifteentwo.rules.variants import Rules

BLUNDER, MISTAKE, SMALL = "blunder", "mistake", "small"

MARKS_BY_CHANCE = ((BLUNDER, 0.03), (MISTAKE, 0.01), (SMALL, 0.003))
"""From which loss of win chance on a decision is marked so. A hundredth is about half a point on an
even board; below three thousandths the figures themselves are not sure."""
MARKS_BY_POINTS = ((BLUNDER, 1.5), (MISTAKE, 0.5), (SMALL, 0.15))
"""The same in points, where win chance is not known."""

AT_STAKE, AT_STAKE_POINTS = 0.001, 0.05
"""A decision whose worst choice loses less than this cannot be got wrong: it does not count."""
CLEAR, CLEAR_POINTS = 0.05, 2.5
"""Nor does one whose best choice is this far ahead of the next, if it was taken: it is plain. Missed, it
counts, or the worst errors would be no part of a rating."""

SCALE = 10_000
"""Mean chance lost a decision, in points of win chance a hundred decisions."""

BANDS = (
    ("master", 9.0),
    ("expert", 27.0),
    ("club", 49.0),
    ("casual", 87.0),
    ("beginner", 199.0),
    ("random", math.inf),
)
"""Which of our levels a rating is nearest to: each band ends halfway to the next level (docs/rating.md)."""
WEAKNESSES = ((0.9, 0.0), (17.3, 0.128), (36.7, 0.224), (61.0, 0.482), (113.8, 0.893), (284.2, 2.689))
"""The ratings of our levels, master first, and how much weaker each is, in standard errors of a game, so as
to foretell best the games among themselves. Between them in a straight line (docs/rating.md)."""


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


STEP = 2
"""Points by which a score is moved to find the value of a point there: about what a decision is about."""


def weight(rules: Rules, scores: tuple[int, int], *, dealer: bool) -> float:
    """Return the value of a point at these scores, own and the other's; 1 when a game begins."""
    even = (_swing(rules, (0, 0), True) + _swing(rules, (0, 0), False)) / 2
    return _swing(rules, scores, dealer) / even


@cache
def _swing(rules: Rules, scores: tuple[int, int], dealer: bool) -> float:
    """Return the own chance with a few points more, less that with the other having them."""
    value = win.after_deal(win.race_of(rules), not dealer, False)
    own, other = scores
    return float(value[own + STEP, other] - value[own, other + STEP])


def rated(losses: Sequence[float], weights: Sequence[float]) -> Rating | None:
    """Return the rating by the losses of the decisions that count; None without any."""
    number, whole = len(losses), sum(weights)
    if not whole > 0:
        return None
    mean = sum(losses) / whole
    spread = sum((loss - mean * one) ** 2 for loss, one in zip(losses, weights, strict=True))
    error = math.sqrt(spread * number / (number - 1)) / whole if number > 1 else 0.0
    return Rating(SCALE * mean, SCALE * error, number)


def band(rating: float) -> str:
    """Return the level that plays like this."""
    return next(level for level, end in BANDS if rating <= end)


def predicted(own: float, other: float) -> float:
    """Return how often a player of the first rating beats one of the second, each dealing first as often.

    >>> predicted(20.0, 20.0)
    0.5
    """
    lead = _weakness(other) - _weakness(own)
    return (1 + math.erf(lead / math.sqrt(2))) / 2


def _weakness(rating: float) -> float:
    """Return how weak a player of this rating is, between our first level and our last."""
    ratings, weaknesses = zip(*WEAKNESSES, strict=True)
    return float(np.interp(rating, ratings, weaknesses))
