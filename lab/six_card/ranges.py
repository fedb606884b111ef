"""Ranges: which hands a side may hold, and how two sides' hands fall together from one deck.

A range is a weight per kept hand. Pairs of hands come with probability x[a] · y[b] · F(a, b), where F counts
the ways the eight cards fall from a deck of four of each rank.
"""

from dataclasses import dataclass, field
from math import perm

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import copies, hands

Doubles = npt.NDArray[np.float64]

COPIES = copies(4)
"""(1820, 13) cards of each rank in each kept hand."""
HANDS = len(hands(4))
DRAWN = 1e-300
"""Where a frequency is divided by less, no deck deals the hand."""


def couplings(affinity: Doubles | None = None) -> Doubles:
    """(1820, 1820) float64: F(a, b), ordered ways to draw the ranks of both hands from one deck.

    affinity: (13, 13) a factor for each card of the pone (row) with each of the dealer.
    """
    falling = np.array([[perm(4, i + j) for j in range(5)] for i in range(5)], np.float64)
    ways = np.ones((HANDS, HANDS))
    for rank in range(13):
        ways *= falling[COPIES[:, rank][:, None], COPIES[:, rank][None, :]]
    if affinity is not None:
        ways *= np.exp(COPIES @ np.log(affinity) @ COPIES.T)
    return ways


def hand_ways() -> Doubles:
    """(1820,) float64: how many of the 270,725 four-card hands have each rank multiset."""
    choose = np.array([1.0, 4.0, 6.0, 4.0, 1.0])
    return np.asarray(np.prod(choose[COPIES], axis=1))


def floored(frequencies: Doubles, floor: float) -> Doubles:
    """Keep frequencies with a part `floor` of the hands dealt at random, so that each hand is trained."""
    random = hand_ways()
    return np.asarray((1 - floor) * frequencies / frequencies.sum() + floor * random / random.sum())


@dataclass
class Ranges:
    """Keep frequencies of both roles coupled through one deck; weights keep warm between fits."""

    ways: Doubles = field(default_factory=couplings)
    pone: Doubles = field(default_factory=lambda: np.ones(HANDS))
    dealer: Doubles = field(default_factory=lambda: np.ones(HANDS))

    def fit(self, pone: Doubles, dealer: Doubles, rounds: int) -> tuple[Doubles, Doubles]:
        """(x, y) with x[a]·y[b]·F(a, b) of total mass 1 and the given margins."""
        for _ in range(rounds):
            self.pone = pone / np.maximum(self.ways @ self.dealer, DRAWN)
            self.dealer = dealer / np.maximum(self.ways.T @ self.pone, DRAWN)
        self.pone = self.pone / (self.pone @ self.ways @ self.dealer)
        return self.pone, self.dealer


def fit_ranges(ways: Doubles, pone: Doubles, dealer: Doubles, rounds: int = 60) -> tuple[Doubles, Doubles]:
    """Range weights (x, y) whose coupled pairs have these keep frequencies."""
    keeps = pone / pone.sum(), dealer / dealer.sum()
    return Ranges(ways, *keeps).fit(*keeps, rounds)


def fit_affinity(pairs: Doubles, rounds: int = 8) -> Doubles:
    """(13, 13) the affinities with which `couplings` deals each rank of the pone with each of the dealer as
    often as `pairs` (1820, 1820) has them.

    The other discards and the way hands are kept make some ranks likelier together than cards of one deck.
    """
    often = pairs / pairs.sum()
    keeps = often.sum(axis=1), often.sum(axis=0)
    wanted = COPIES.T @ often @ COPIES
    one, other = (np.linalg.pinv(_spread(keep), rcond=1e-6) for keep in keeps)
    ranges = Ranges(couplings(), *keeps)
    logs = np.zeros((13, 13))
    ranges.fit(*keeps, 30)
    for _ in range(rounds):
        x, y = ranges.fit(*keeps, 3)
        dealt = COPIES.T @ (x[:, None] * ranges.ways * y) @ COPIES
        # A step of Newton, as if the two hands were independent.
        logs += 0.8 * one @ (wanted - dealt) @ other
        ranges.ways = couplings(np.exp(logs))
    return np.exp(logs)


def _spread(keep: Doubles) -> Doubles:
    """(13, 13) covariances of the copies of each rank in a kept hand."""
    mean = keep @ COPIES
    return np.asarray(COPIES.T @ (COPIES * keep[:, None]) - np.outer(mean, mean))
