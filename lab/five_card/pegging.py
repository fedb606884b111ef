"""Five-card pegging with the full information of a player, one game for each rank of the starter (R100–R104).

A player knows its three kept and two discarded ranks, the starter, and all cards and goes. Points are net
points of the pone.
"""

from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.five_card import fitting
from fifteentwo.fast.hands import TRIPLES, UP3
from fifteentwo.fast.play import value_of
from lab import cfr
from lab.cfr import BRANCHES, MEASURE, PONE, UPDATE, Arrays, RegretTables
from lab.five_card.types import DISCARDED, KEPT, orders, removal
from lab.five_card.walk_kernels import LANES, Payoffs, TypeWeights, cells_of

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

_KERNELS = "lab.five_card.walk_kernels"
_RANKS = np.array([len({*three}) for three in TRIPLES.tolist()], np.float32)[UP3][:, :, None]


@cache
def payoffs() -> Payoffs:
    """Return the points of every end of a count, for all starters; 6 MB."""
    made = Payoffs(np.zeros((2197, 13, 13, LANES), np.int8), np.zeros((2197, LANES), np.int8))
    compiled(_KERNELS).fill_payoffs(made)
    return made


@cache
def branch_cells() -> tuple[int, ...]:
    """(170,) the first cell of each branch, and the number of cells."""
    starts = [0]
    for branch in range(BRANCHES):
        count = value_of(branch // 13) + value_of(branch % 13)
        below = sum(cells_of(fitting(count + value_of(second))) for second in range(13))
        starts.append(starts[-1] + cells_of(13) + below)
    return tuple(starts)


def weights(fractions: Doubles) -> Floats:
    """(455, 91) weights of types from the fractions of `discards.fractions`."""
    return (fractions / orders()).astype(np.float32)


def empty_cells() -> cfr.Cells:
    return cfr.Cells.zeros(FiveCardPegging.rests, branch_cells()[-1])


class FiveCardPegging(cfr.Pegging):
    """Regrets and average strategies of both sides with one starter; hands are types (455, 91)."""

    hands = cfr.Hands(UP3, KEPT, _RANKS)
    rests = (91, DISCARDED)

    def __init__(self, starter: int, threads: int = 2) -> None:
        super().__init__(branch_cells()[-1])
        self.starter = starter
        self.deck = removal(starter)
        self.points = payoffs()
        """The net points of every end of a count."""
        self._pool = ThreadPoolExecutor(threads)

    def below(self, walk: cfr.Walk) -> Floats:
        lesson = cfr.lesson(walk.mode, walk.factors, walk.side)
        tables = RegretTables(walk.source.rest, self.regret.rest, self.total.rest)
        below = np.zeros((13, 13, *self.rests), np.float32)
        kernel, starts = compiled(_KERNELS).walk, branch_cells()

        def job(branch: int) -> None:
            first, second = divmod(branch, 13)
            reach, values = TypeWeights(walk.pone[first], walk.dealer[first][second]), below[first, second]
            kernel(branch, starts[branch], reach, self.deck, self.points, lesson, tables, values)

        list(self._pool.map(job, walk.branches))
        return below

    def ways(self, side: int, ranges: tuple[Floats, Floats]) -> Doubles:
        """(455, 91) summed ways and weights of all types of the other side, by the type of `side`."""
        sign = np.int8(1 if side == PONE else -1)
        counting = copy(self)
        counting.points = Payoffs(*(np.full_like(part, sign) for part in payoffs()))
        return counting.sweep(side, MEASURE, ranges, self.total)

    def deals(self, ranges: tuple[Floats, Floats]) -> float:
        return float((ranges[PONE].astype(np.float64) * self.ways(PONE, ranges)).sum())

    def arrays(self) -> dict[str, Any]:
        return super().arrays() | {"starter": self.starter}

    def restore(self, stored: Arrays) -> None:
        """Continue from a checkpoint; raise ValueError if it is of another starter."""
        if int(stored["starter"]) != self.starter:
            raise ValueError("the checkpoint is of another starter")
        super().restore(stored)


def prepare() -> None:
    """Compile the kernels, or load them."""
    game = FiveCardPegging(0, threads=1)
    flat = np.ones((KEPT, DISCARDED), np.float32)
    walk = compiled(_KERNELS).walk
    values = np.zeros((91, 91), np.float32)
    lesson = cfr.lesson(UPDATE, cfr.NO_DISCOUNTS)
    tables = RegretTables(game.regret.rest, game.regret.rest, game.total.rest)
    walk(168, 0, TypeWeights(flat[:91], flat[:91]), game.deck, payoffs(), lesson, tables, values)
