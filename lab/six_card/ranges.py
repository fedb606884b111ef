"""Ranges: weights of the hands that each side may hold, and how one deck couples two hands.

A range is a weight for each kept hand. A pair of hands has the probability x[a] · y[b] · F(a, b), where F
counts the ways to draw the eight cards from a deck.
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
"""Smallest divisor; only frequencies of hands that no deck deals are divided by less."""


def couplings() -> Doubles:
    """(1820, 1820) float64: F(a, b), ordered ways to draw the ranks of both hands from one deck."""
    falling = np.array([[perm(4, i + j) for j in range(5)] for i in range(5)], np.float64)
    ways = np.ones((HANDS, HANDS))
    for rank in range(13):
        ways *= falling[COPIES[:, rank][:, None], COPIES[:, rank][None, :]]
    return ways


def hand_ways() -> Doubles:
    """(1820,) number of four-card hands with each ranks."""
    return ways_to_hold(COPIES)


def ways_to_hold(held: npt.NDArray[np.int64]) -> Doubles:
    """(n,) number of hands with these copies of each rank (n, 13)."""
    return np.asarray(np.array([1.0, 4.0, 6.0, 4.0, 1.0])[held].prod(axis=1))


def floored(frequencies: Doubles, floor: float) -> Doubles:
    """Return frequencies mixed with a part `floor` of random hands, so that every hand is solved."""
    random = hand_ways()
    return np.asarray((1 - floor) * frequencies / frequencies.sum() + floor * random / random.sum())


@dataclass
class Ranges:
    """Weights of both roles' hands; a fit starts from the weights of the fit before."""

    ways: Doubles = field(default_factory=couplings)
    pone: Doubles = field(default_factory=lambda: np.ones(HANDS))
    dealer: Doubles = field(default_factory=lambda: np.ones(HANDS))

    def fit(self, pone: Doubles, dealer: Doubles, rounds: int) -> tuple[Doubles, Doubles]:
        """Return (x, y) for which x[a]·y[b]·F(a, b) has mass 1 and the given margins."""
        for _ in range(rounds):
            self.pone = pone / np.maximum(self.ways @ self.dealer, DRAWN)
            self.dealer = dealer / np.maximum(self.ways.T @ self.pone, DRAWN)
        self.pone = self.pone / (self.pone @ self.ways @ self.dealer)
        return self.pone, self.dealer


def fit_ranges(ways: Doubles, pone: Doubles, dealer: Doubles, rounds: int = 60) -> tuple[Doubles, Doubles]:
    """Return weights (x, y) whose coupled pairs have these keep frequencies."""
    keeps = pone / pone.sum(), dealer / dealer.sum()
    return Ranges(ways, *keeps).fit(*keeps, rounds)
