"""Five-card pegging with the full information of a player, one game for each rank of the starter (R100–R104).

A player knows its three kept and two discarded ranks, the starter, and all cards and goes. Points are net
points of the pone.
"""

from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cache
from typing import Any

import numpy as np

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.five_card import fitting
from fifteentwo.fast.hands import TRIPLES, UP3
from fifteentwo.fast.play import value_of
from lab import cfr
from lab.cfr import BRANCH_COUNT, MEASURE, PONE, UPDATE, Arrays, Doubles, Floats, RegretTables
from lab.five_card.types import DISCARDED, KEPT, play_orders, removal
from lab.five_card.walk_kernels import LAST_CARD_SLOTS, Payoffs, TypeWeights, count_cells

_KERNELS = "lab.five_card.walk_kernels"
_RANKS = np.array([len({*three}) for three in TRIPLES.tolist()], np.float32)[UP3][:, :, None]
"""Number of different ranks in a kept hand, by one of its ranks and the two others."""


@cache
def payoffs() -> Payoffs:
    """Return the pone's net points for every end of five-card pegging; 6 MB."""
    made = Payoffs(
        np.zeros((2197, 13, 13, LAST_CARD_SLOTS), np.int8), np.zeros((2197, LAST_CARD_SLOTS), np.int8)
    )
    compiled(_KERNELS).fill_payoffs(made)
    return made


@cache
def branch_cells() -> tuple[int, ...]:
    """Return the first cell of each of the 169 branches (lead and reply), then the number of cells."""
    starts = [0]
    for branch in range(BRANCH_COUNT):
        count = value_of(branch // 13) + value_of(branch % 13)
        below = sum(count_cells(fitting(count + value_of(second))) for second in range(13))
        starts.append(starts[-1] + count_cells(13) + below)
    return tuple(starts)


def weights(fractions: Doubles) -> Floats:
    """Return (455, 91) weights of kept and discarded ranks, from the frequencies of `discards.fractions`."""
    return (fractions / play_orders()).astype(np.float32)


def empty_cells() -> cfr.Cells:
    """Return zeros for one starter's regrets or strategy sums."""
    return cfr.Cells.zeros(FiveCardPegging.remaining_shape, branch_cells()[-1])


class FiveCardPegging(cfr.Pegging):
    """Regrets and strategy sums of both sides' pegging with one starter, by type (455, 91)."""

    hands = cfr.Hands(UP3, KEPT, _RANKS)
    """The 455 kept hands of three ranks."""
    remaining_shape = (91, DISCARDED)
    """Two kept ranks that remain, and the two discarded ranks."""

    def __init__(self, starter: int, threads: int = 2) -> None:
        """Start with zero regrets and strategy sums. starter: rank 0–12."""
        super().__init__(branch_cells()[-1])
        self.starter = starter
        self.deck = removal(starter)
        self.points = payoffs()
        """The net points of every end of a count."""
        self._pool = ThreadPoolExecutor(threads)

    def values_after_reply(self, traversal: cfr.Traversal) -> Floats:
        settings = cfr.traversal_settings(traversal.mode, traversal.factors, traversal.side)
        tables = RegretTables(traversal.source.rest, self.regret.rest, self.total.rest)
        below = np.zeros((13, 13, *self.remaining_shape), np.float32)
        kernel, starts = compiled(_KERNELS).walk, branch_cells()

        def job(branch: int) -> None:
            first, second = divmod(branch, 13)
            reach, values = (
                TypeWeights(traversal.pone[first], traversal.dealer[first][second]),
                below[first, second],
            )
            kernel(branch, starts[branch], reach, self.deck, self.points, settings, tables, values)

        list(self._pool.map(job, traversal.branches))
        return below

    def type_ways(self, side: int, ranges: tuple[Floats, Floats]) -> Doubles:
        """Return (455, 91): for each type of `side`, the weighted ways to deal the other side's types."""
        sign = np.int8(1 if side == PONE else -1)
        counting = copy(self)
        counting.points = Payoffs(*(np.full_like(part, sign) for part in payoffs()))
        return counting.traverse(side, MEASURE, ranges, self.total)

    def total_weight(self, ranges: tuple[Floats, Floats]) -> float:
        return float((ranges[PONE].astype(np.float64) * self.type_ways(PONE, ranges)).sum())

    def checkpoint_arrays(self) -> dict[str, Any]:
        return super().checkpoint_arrays() | {"starter": self.starter}

    def restore_checkpoint(self, stored: Arrays) -> None:
        """Continue from a checkpoint. Raise ValueError if it has another starter."""
        if int(stored["starter"]) != self.starter:
            raise ValueError("the checkpoint is of another starter")
        super().restore_checkpoint(stored)


def prepare() -> None:
    """Compile the kernels of this module, or load them from the cache."""
    game = FiveCardPegging(0, threads=1)
    flat = np.ones((KEPT, DISCARDED), np.float32)
    walk = compiled(_KERNELS).walk
    values = np.zeros((91, 91), np.float32)
    settings = cfr.traversal_settings(UPDATE, cfr.NO_DISCOUNTS)
    tables = RegretTables(game.regret.rest, game.regret.rest, game.total.rest)
    walk(168, 0, TypeWeights(flat[:91], flat[:91]), game.deck, payoffs(), settings, tables, values)
