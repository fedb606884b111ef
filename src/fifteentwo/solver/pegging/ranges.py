"""Ranges: which hands a side may hold, and how two sides' hands fall together from one deck.

A range is a weight per kept hand. Pairs of hands come with probability x[a] · y[b] · F(a, b), where F counts
the ways the eight cards fall from a deck of four of each rank.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import copies, hands

Doubles = npt.NDArray[np.float64]

COPIES = copies(4)
"""(1820, 13) cards of each rank in each kept hand."""
HANDS = len(hands(4))
DRAWN = 1e-300
"""Where a frequency is divided by less, no deck deals the hand."""


def couplings() -> Doubles:
    """(1820, 1820) float64: F(a, b), ordered ways to draw the ranks of both hands from one deck."""
    falling = np.zeros((5, 5))
    for i in range(5):
        for j in range(5 - i):
            falling[i, j] = np.prod([4 - k for k in range(i + j)]) if i + j else 1.0
    ways = np.ones((HANDS, HANDS))
    for rank in range(13):
        ways *= falling[COPIES[:, rank][:, None], COPIES[:, rank][None, :]]
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
