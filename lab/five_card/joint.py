"""The joint solution of five-card discards and pegging, with every rank of the starter (R100–R104)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, perm
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import copies
from lab import cfr
from lab.cfr import BEST_RESPONSE, DEALER, MEASURE, PONE, SIDES, Doubles, Floats, HandPoints
from lab.five_card import discards
from lab.five_card.discards import Discards, action_probabilities, for_hand_and_crib, fractions
from lab.five_card.pegging import FiveCardPegging, weights
from lab.five_card.types import deck

FLOOR = 0.01
"""Part (0–1) of random discards mixed into the hands that pegging is solved for, so that all occur."""
CRIB_CORRECTION_ROUNDS = 20
"""Rounds between two computations of exact cribs."""
HANDS_LEFT = comb(46, 5)
"""Number of five-card hands that the other side can hold, given five cards and the starter."""
EVEN_PROBABILITY = 0.1
"""Probability of each of ten options if all are equally likely."""
UNAVERAGED_ROUNDS = 40
"""Number of first rounds that the average strategies leave out."""
DISCARDS_A_ROUND = 4
"""Iterations of the discards in each averaged round, because discards converge more slowly than pegging."""


def ordered_ways(left: npt.NDArray[np.int64]) -> Doubles:
    """Return (41405,) ordered ways to draw the five ranks of each type. left: (13,) cards of each rank."""
    falling = np.array([[perm(m, n) if n <= m else 0 for n in range(6)] for m in range(5)], np.float64)
    held = copies(3)[:, None] + copies(2)[None, :]
    return np.asarray(np.prod([falling[left[r]][held[..., r]] for r in range(13)], axis=0).ravel())


def mean_points_by_type(values: Sequence[Doubles], starters: Sequence[int]) -> Doubles:
    """Return (41405,) mean points of each type from its counterfactual values with each of these starters."""
    deals = sum(ordered_ways(deck(starter)) for starter in starters) * HANDS_LEFT
    total = np.asarray(sum(values), dtype=np.float64).ravel()
    return np.where(deals > 0, total / np.where(deals > 0, deals, 1), 0.0)


@dataclass
class Joint(cfr.Joint):
    """A solution of five-card pegging with each starter, and of both sides' discards."""

    starters: Sequence[int] = range(13)
    """The ranks of the starters whose pegging is solved, 0–12."""

    @classmethod
    def empty(cls, starters: Sequence[int] = range(13), threads: int = 2) -> "Joint":
        """Return a solution without regrets; call `load` or `start` next. 0.2 GB for each starter."""
        games = tuple(FiveCardPegging(starter, threads) for starter in starters)
        return cls(games, (Discards(PONE), Discards(DEALER)), starters=starters)

    @property
    def iterations_done(self) -> int:
        return self.rounds

    def start(self) -> None:
        """Set discards that are solved for hand and crib only."""
        self.adopt(for_hand_and_crib())

    def adopt(self, pair: tuple[Discards, Discards]) -> None:
        """Replace the pone's and the dealer's discards, and recompute their cribs."""
        self.discards = pair
        self.means = [each.average() for each in pair]
        self.correct_cribs()

    def approximate_crib_means(self, average_discards: Doubles) -> Floats:
        return discards.approximate_crib_means(average_discards)

    def exact_crib_means(self, average_discards: Doubles) -> Floats:
        return discards.exact_crib_means(average_discards)

    def ranges(self, floor: float = 0.0) -> tuple[Floats, Floats]:
        """Return both sides' weights (455, 91) of types. floor: part of random discards, 0–1."""
        pone, dealer = (
            weights(fractions((1 - floor) * mean + floor * EVEN_PROBABILITY)) for mean in self.means
        )
        return pone, dealer

    def points_by_type(self, values: Sequence[Sequence[Doubles]]) -> list[Doubles]:
        """Return (41405,) mean points of each type, for both roles. values: by starter and role."""
        return [mean_points_by_type([each[role] for each in values], self.starters) for role in SIDES]

    def run_iteration(self) -> None:
        if self.rounds == UNAVERAGED_ROUNDS:
            self.begin_averages()
        ranges = self.ranges(FLOOR)
        self.pegging = self.points_by_type([game.step(ranges) for game in self.games])
        self.update_discards(1 if self.rounds < UNAVERAGED_ROUNDS else DISCARDS_A_ROUND)
        self.rounds += 1
        if self.rounds % CRIB_CORRECTION_ROUNDS == 0:
            self.correct_cribs()

    def begin_averages(self) -> None:
        """Restart the average strategies from the present iteration."""
        for game in self.games:
            game.averaging_delay = game.iteration
        for each in self.discards:
            each.total[:] = 0
            each.total += action_probabilities(each.regret)
        self.means = [each.average() for each in self.discards]

    def hand_points(self) -> HandPoints:
        """Return the points that each type pegs under the average strategies, without random discards."""
        ranges = self.ranges()
        value, best = (
            self.points_by_type([game.values(mode, ranges) for game in self.games])
            for mode in (MEASURE, BEST_RESPONSE)
        )
        return HandPoints(value, best)

    def exploitability_figures(self) -> dict[str, Any]:
        """Return the exploitability of each part in points a deal, with exact cribs."""
        self.correct_cribs()
        return super().exploitability_figures()
