"""Ranges: weights of the hands that each side may hold, and how one deck couples two hands.

A range is a weight for each kept hand. A pair of hands has the probability x[a] · y[b] · F(a, b), where F
counts the ways to draw the eight cards from a deck.
"""

from dataclasses import dataclass, field
from math import perm

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import copies, hands
from lab.cfr import Doubles

COPIES = copies(4)
"""(1820, 13) number of cards of each rank in each kept hand."""
HANDS = len(hands(4))
"""Number of kept hands by ranks, 1820."""
MIN_DIVISOR = 1e-300


def couplings() -> Doubles:
    """Return (1820, 1820) ordered ways to draw the ranks of two hands (pone's, dealer's) from one deck."""
    falling = np.array([[perm(4, i + j) for j in range(5)] for i in range(5)], np.float64)
    ways = np.ones((HANDS, HANDS))
    for rank in range(13):
        ways *= falling[COPIES[:, rank][:, None], COPIES[:, rank][None, :]]
    return ways


def hand_ways() -> Doubles:
    """Return (1820,) the number of four-card hands with these ranks."""
    return ways_to_hold(COPIES)


def ways_to_hold(held: npt.NDArray[np.int64]) -> Doubles:
    """Return (n,) the number of hands with this number of cards of each rank. held: (n, 13)."""
    return np.asarray(np.array([1.0, 4.0, 6.0, 4.0, 1.0])[held].prod(axis=1))


def mix_random_hands(frequencies: Doubles, floor: float) -> Doubles:
    """Return (1820,) frequencies with a part `floor` (0–1) of random hands, so that all are solved."""
    random = hand_ways()
    return np.asarray((1 - floor) * frequencies / frequencies.sum() + floor * random / random.sum())


@dataclass
class Ranges:
    """Weights of both roles' hands; fits start from the last weights."""

    ways: Doubles = field(default_factory=couplings)
    """(1820, 1820) ordered ways to draw both hands from one deck, from `couplings`."""
    pone: Doubles = field(default_factory=lambda: np.ones(HANDS))
    """(1820,) weight of each hand of the pone."""
    dealer: Doubles = field(default_factory=lambda: np.ones(HANDS))
    """(1820,) weight of each hand of the dealer."""

    def fit(self, pone: Doubles, dealer: Doubles, rounds: int) -> tuple[Doubles, Doubles]:
        """Return weights (x, y) of hands: the sums of x[a] · y[b] · ways[a, b] are `pone` and `dealer`."""
        for _ in range(rounds):
            self.pone = pone / np.maximum(self.ways @ self.dealer, MIN_DIVISOR)
            self.dealer = dealer / np.maximum(self.ways.T @ self.pone, MIN_DIVISOR)
        self.pone = self.pone / (self.pone @ self.ways @ self.dealer)
        return self.pone, self.dealer


def fit_ranges(ways: Doubles, pone: Doubles, dealer: Doubles, rounds: int = 60) -> tuple[Doubles, Doubles]:
    """Return weights (x, y) for which pairs of hands from one deck have these frequencies of hands."""
    keeps = pone / pone.sum(), dealer / dealer.sum()
    return Ranges(ways, *keeps).fit(*keeps, rounds)
