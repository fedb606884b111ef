"""How well a player plays: marks for losses, the decisions that count, and the rating.

A rating is the mean win probability that the counted decisions lost, in hundredths for a hundred decisions: 0
is perfect, lower is better. The weight of a decision is the value of a point at its score, 1 at the beginning
of a game. Without weights a player with weak opponents would look better, because nearly decided games cost
little.
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
"""Smallest loss of win probability for each mark. One hundredth is about half a point at an even score; the
error of the figures is below three thousandths."""
MARKS_BY_POINTS = ((BLUNDER, 1.5), (MISTAKE, 0.5), (SMALL, 0.15))
"""Smallest loss of points for each mark, if win probabilities are unknown."""

AT_STAKE, AT_STAKE_POINTS = 0.001, 0.05
"""A decision does not count if its worst choice loses less than this."""
CLEAR, CLEAR_POINTS = 0.05, 2.5
"""A decision does not count if its best choice leads by this much and was taken. A missed one counts."""

SCALE = 10_000
"""Factor from mean loss of a decision to hundredths for a hundred decisions."""

BANDS = (
    ("master", 12.0),
    ("expert", 25.0),
    ("club", 51.0),
    ("casual", 88.0),
    ("beginner", 193.0),
    ("random", math.inf),
)
"""Upper ends of the ratings nearest to each level: halfway to the next level (docs/rating.md)."""
WEAKNESSES = ((10.2, 0.0), (13.8, 0.128), (36.0, 0.224), (66.7, 0.482), (109.1, 0.893), (276.2, 2.689))
"""Rating of each level, master first, and its weakness in standard errors of one game, fitted to games
between the levels. Values between are interpolated (docs/rating.md)."""


class Rating(NamedTuple):
    """Hundredths of win probability lost in a hundred decisions, standard error, counted decisions."""

    rating: float
    error: float
    counted: int


def mark(loss: float, *, by_chance: bool) -> str | None:
    """Return the mark of a loss of win probability or of points; None for a smaller loss."""
    marks = MARKS_BY_CHANCE if by_chance else MARKS_BY_POINTS
    return next((name for name, least in marks if loss >= least), None)


def is_obvious(losses: Sequence[float], chosen: float, *, by_chance: bool) -> bool:
    """Return whether a decision does not count.

    losses: loss of every choice, 0 for the best; chosen: loss of the chosen one.
    """
    at_stake, clear = (AT_STAKE, CLEAR) if by_chance else (AT_STAKE_POINTS, CLEAR_POINTS)
    by_loss = sorted(losses)
    return by_loss[-1] < at_stake or (by_loss[1] >= clear and chosen < at_stake)


STEP = 2
"""Points by which a score is changed to find the value of a point."""


def weight(rules: Rules, scores: tuple[int, int], *, dealer: bool) -> float:
    """Return the value of a point at these scores, own and the other's; 1 when a game begins."""
    even = (_swing(rules, (0, 0), True) + _swing(rules, (0, 0), False)) / 2
    return _swing(rules, scores, dealer) / even


@cache
def _swing(rules: Rules, scores: tuple[int, int], dealer: bool) -> float:
    """Return the own win probability with `STEP` more points less that with `STEP` more for the other."""
    value = win.after_deal(win.race_of(rules), not dealer, False)
    own, other = scores
    return float(value[own + STEP, other] - value[own, other + STEP])


def rated(losses: Sequence[float], weights: Sequence[float]) -> Rating | None:
    """Return the rating from losses and weights of the counted decisions; None without any."""
    number, whole = len(losses), sum(weights)
    if not whole > 0:
        return None
    mean = sum(losses) / whole
    spread = sum((loss - mean * one) ** 2 for loss, one in zip(losses, weights, strict=True))
    error = math.sqrt(spread * number / (number - 1)) / whole if number > 1 else 0.0
    return Rating(SCALE * mean, SCALE * error, number)


def band(rating: float) -> str:
    """Return the level with the nearest rating."""
    return next(level for level, end in BANDS if rating <= end)


def predicted(own: float, other: float) -> float:
    """Return how often a player of the first rating beats one of the second, each dealing first as often.

    >>> predicted(20.0, 20.0)
    0.5
    """
    lead = _weakness(other) - _weakness(own)
    return (1 + math.erf(lead / math.sqrt(2))) / 2


def _weakness(rating: float) -> float:
    ratings, weaknesses = zip(*WEAKNESSES, strict=True)
    return float(np.interp(rating, ratings, weaknesses))
