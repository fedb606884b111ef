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
"""Marks of decisions by their loss, the greatest first."""

MARKS_BY_CHANCE = ((BLUNDER, 0.03), (MISTAKE, 0.01), (SMALL, 0.003))
"""Smallest loss of win probability (0–1) for each mark. A loss of 0.01 is about half a point at an even
score; the error of the figures is below 0.003."""
MARKS_BY_POINTS = ((BLUNDER, 1.5), (MISTAKE, 0.5), (SMALL, 0.15))
"""Smallest loss of points for each mark, if win probabilities are unknown."""

MIN_RANGE_WIN, MIN_RANGE_POINTS = 0.001, 0.05
"""A decision is obvious if its worst choice loses less: win probability (0–1), or else points."""
CLEAR_LEAD_WIN, CLEAR_LEAD_POINTS = 0.05, 2.5
"""A right decision is obvious if every other choice loses at least this: win probability (0–1), or points."""

RATING_SCALE = 10_000
"""The rating of a player who loses a win probability of 1 by every decision."""

LEVEL_BANDS = (
    ("master", 12.0),
    ("expert", 25.0),
    ("club", 51.0),
    ("casual", 88.0),
    ("beginner", 193.0),
    ("random", math.inf),
)
"""Each level, with the highest rating that is nearer to it than to the next level (docs/rating.md)."""
WEAKNESSES = ((10.2, 0.0), (13.8, 0.128), (36.0, 0.224), (66.7, 0.482), (109.1, 0.893), (276.2, 2.689))
"""(rating, weakness) of each level, master first, between which weaknesses are interpolated. A weakness is in
standard deviations of a game's result, fitted to games between the levels (docs/rating.md)."""


class Rating(NamedTuple):
    """How well a player decided; 0 is perfect, lower is better."""

    rating: float
    """Mean loss of win probability, in hundredths per 100 decisions."""
    error: float
    """Standard error of the rating."""
    counted: int
    """Number of decisions that it counts."""


def mark(loss: float, *, by_chance: bool) -> str | None:
    """Return the mark of a loss of win probability (by_chance) or points, for example "blunder"."""
    marks = MARKS_BY_CHANCE if by_chance else MARKS_BY_POINTS
    return next((name for name, least in marks if loss >= least), None)


def is_obvious(losses: Sequence[float], chosen: float, *, by_chance: bool) -> bool:
    """Return whether the rating ignores a decision because it was too easy, or its choices are equally good.

    losses: loss of every choice, 0 for the best; chosen: loss of the chosen one; by_chance: as in `mark`.
    """
    at_stake, clear = (MIN_RANGE_WIN, CLEAR_LEAD_WIN) if by_chance else (MIN_RANGE_POINTS, CLEAR_LEAD_POINTS)
    by_loss = sorted(losses)
    return by_loss[-1] < at_stake or (by_loss[1] >= clear and chosen < at_stake)


SCORE_STEP = 2
"""Points by which scores are changed to measure the value of a point."""


def weight(rules: Rules, scores: tuple[int, int], *, dealer: bool) -> float:
    """Return the value of a point at these (own, other's) scores; 1 at the beginning of a game."""
    even = (_swing(rules, (0, 0), True) + _swing(rules, (0, 0), False)) / 2
    return _swing(rules, scores, dealer) / even


@cache
def _swing(rules: Rules, scores: tuple[int, int], dealer: bool) -> float:
    """Return how much the value changes if the own side has SCORE_STEP points more, not the other side."""
    value = win.after_deal(win.race_of(rules), not dealer, False)
    own, other = scores
    return float(value[own + SCORE_STEP, other] - value[own, other + SCORE_STEP])


def rated(losses: Sequence[float], weights: Sequence[float]) -> Rating | None:
    """Return the rating from the losses (win probability, 0–1) and weights of decisions; None without any."""
    number, whole = len(losses), sum(weights)
    if not whole > 0:
        return None
    mean = sum(losses) / whole
    spread = sum((loss - mean * one) ** 2 for loss, one in zip(losses, weights, strict=True))
    error = math.sqrt(spread * number / (number - 1)) / whole if number > 1 else 0.0
    return Rating(RATING_SCALE * mean, RATING_SCALE * error, number)


def band(rating: float) -> str:
    """Return the level with the nearest rating."""
    return next(level for level, end in LEVEL_BANDS if rating <= end)


def predicted(own: float, other: float) -> float:
    """Return the probability that a player with rating `own` beats one with rating `other`.

    Each deals first equally often.

    >>> predicted(20.0, 20.0)
    0.5
    """
    lead = _weakness(other) - _weakness(own)
    return (1 + math.erf(lead / math.sqrt(2))) / 2


def _weakness(rating: float) -> float:
    ratings, weaknesses = zip(*WEAKNESSES, strict=True)
    return float(np.interp(rating, ratings, weaknesses))
