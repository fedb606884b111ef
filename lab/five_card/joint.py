"""The joint solution of five-card discards and pegging, with every rank of the starter (R100–R104)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, perm
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import copies
from lab import cfr
from lab.cfr import BEST_RESPONSE, DEALER, MEASURE, PONE, SIDES, HandPoints
from lab.five_card import discards
from lab.five_card.discards import Discards, for_hand_and_crib, fractions, mixed
from lab.five_card.pegging import FiveCardPegging, weights
from lab.five_card.types import deck

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

FLOOR = 0.01
"""The share of random discards in the ranges, so that every type is solved."""
CORRECT_EVERY = 20
"""Rounds between two counts of exact cribs."""
HANDS_LEFT = comb(46, 5)
"""Hands that the other side may hold, for each type and starter."""
EVEN = 0.1
ROUGH = 40
"""Rounds that the averages leave out."""
DISCARDS_A_ROUND = 4
"""Iterations of the discards in each later round, because discards converge more slowly and cost little."""


def ordered_ways(left: npt.NDArray[np.int64]) -> Doubles:
    """(41405,) ordered ways to draw the five ranks of each type; left: cards of each rank."""
    falling = np.array([[perm(m, n) if n <= m else 0 for n in range(6)] for m in range(5)], np.float64)
    held = copies(3)[:, None] + copies(2)[None, :]
    return np.asarray(np.prod([falling[left[r]][held[..., r]] for r in range(13)], axis=0).ravel())


def mean_of_types(values: Sequence[Doubles], starters: Sequence[int]) -> Doubles:
    """(41405,) mean points of each type from its counterfactual values with each of these starters."""
    deals = sum(ordered_ways(deck(starter)) for starter in starters) * HANDS_LEFT
    total = np.asarray(sum(values), dtype=np.float64).ravel()
    return np.where(deals > 0, total / np.where(deals > 0, deals, 1), 0.0)


@dataclass
class Joint(cfr.Joint):
    """Pegging with each starter, and both sides' discards."""

    starters: Sequence[int] = range(13)

    @classmethod
    def empty(cls, starters: Sequence[int] = range(13), threads: int = 2) -> "Joint":
        """Return a solution without regrets; call `load` or `begin` next. 0.2 GB for each starter."""
        games = tuple(FiveCardPegging(starter, threads) for starter in starters)
        return cls(games, (Discards(PONE), Discards(DEALER)), starters=starters)

    @property
    def done(self) -> int:
        return self.rounds

    def begin(self) -> None:
        """Start with discards for hand and crib only."""
        self.adopt(for_hand_and_crib())

    def adopt(self, pair: tuple[Discards, Discards]) -> None:
        """Set the discards, and count their cribs."""
        self.discards = pair
        self.means = [each.average() for each in pair]
        self.correct()

    def quick_cribs(self, mean: Doubles) -> Floats:
        return discards.quick_cribs(mean)

    def exact_cribs(self, mean: Doubles) -> Floats:
        return discards.exact_cribs(mean)

    def ranges(self, floor: float = 0.0) -> tuple[Floats, Floats]:
        """Return the weights of both sides' types under the average discards."""
        pone, dealer = (weights(fractions((1 - floor) * mean + floor * EVEN)) for mean in self.means)
        return pone, dealer

    def per_type(self, values: Sequence[Sequence[Doubles]]) -> list[Doubles]:
        """Return each role's mean points by type (41405,), from both roles' values with every starter."""
        return [mean_of_types([each[role] for each in values], self.starters) for role in SIDES]

    def advance(self) -> None:
        if self.rounds == ROUGH:
            self.begin_averages()
        ranges = self.ranges(FLOOR)
        self.pegging = self.per_type([game.step(ranges) for game in self.games])
        self.learn_discards(1 if self.rounds < ROUGH else DISCARDS_A_ROUND)
        self.rounds += 1
        if self.rounds % CORRECT_EVERY == 0:
            self.correct()

    def begin_averages(self) -> None:
        """Leave all earlier iterations out of the averages."""
        for game in self.games:
            game.averaging_delay = game.iteration
        for each in self.discards:
            each.total[:] = 0
            each.total += mixed(each.regret)
        self.means = [each.average() for each in self.discards]

    def hand_points(self) -> HandPoints:
        """Measure the pegging of the average strategies, with ranges that contain no random discards."""
        ranges = self.ranges()
        value, best = (
            self.per_type([game.values(mode, ranges) for game in self.games])
            for mode in (MEASURE, BEST_RESPONSE)
        )
        return HandPoints(value, best)

    def figures(self) -> dict[str, Any]:
        """Return the exploitability to print, with exact cribs."""
        self.correct()
        return super().figures()
