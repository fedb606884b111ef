"""Pegging at a real table: one game for each rank of the starter, hands as twelve cards of a deck fall.

A player knows its four kept ranks, the starter, and every card and go so far. How both sides' kept hands fall
together is counted over all pairs of six-card hands and what the shipped discards keep of them
(`kept_together`), and given to the walk as range weights and affinities (`ranges.fit_affinity`). What a side
discarded is in these ranges only: its own two cards are not known to its strategy.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.solver.discards.discard_kernels import RankPolicy
from fifteentwo.solver.discards.six_cards import SixCards
from fifteentwo.solver.pegging.pegging_solve import load, save
from fifteentwo.solver.pegging.ranges import COPIES, HANDS, couplings, fit_affinity, fit_ranges, floored
from fifteentwo.solver.pegging.regret import CELL_PARTS, Cells, PeggingGame
from fifteentwo.solver.pegging.tree import DEALER, PONE

Say = Callable[[str], None]
Doubles = npt.NDArray[np.float64]
_DISCARD_KERNELS = "fifteentwo.solver.discards.discard_kernels"
FLOOR = 0.001
"""The share of hands dealt at random, so that every hand is solved."""
KEPT_REGRETS = 0.1
"""What regrets of the game without a starter count in one with: little, so that they are soon forgotten."""
UNAVERAGED = 2
"""Iterations with each starter that do not count in the averages."""


class Setting(NamedTuple):
    """How the hands of a game fall."""

    starter: int | None
    affinity: Doubles
    ranges: tuple[Doubles, Doubles]
    """Weights of pone's and dealer's hands, as they are kept."""
    trained: tuple[Doubles, Doubles]
    """The same with a part `FLOOR` of hands dealt at random."""


def dealt_pairs(six: SixCards, pone: RankPolicy, dealer: RankPolicy) -> Doubles:
    """(1820, 1820, 13) how often the pone keeps a hand, the dealer another, with each starter; sums to 1."""
    pairs = np.zeros((HANDS, HANDS, 13))
    compiled(_DISCARD_KERNELS).kept_together(six.copies, six.deals(), pone, dealer, pairs)
    return np.asarray(pairs / pairs.sum())


def setting(pairs: Doubles, starter: int | None) -> Setting:
    """Return how hands fall with a starter, or with any (None)."""
    often = pairs.sum(axis=2) if starter is None else pairs[:, :, starter]
    affinity = fit_affinity(often, starter)
    ways = couplings(starter, affinity)
    possible = np.ones(HANDS, bool) if starter is None else COPIES[:, starter] < 4
    keeps = [np.where(possible, often.sum(axis=axis) / often.sum() + 1e-12, 0) for axis in (1, 0)]
    trained = [np.where(possible, floored(keep, FLOOR), 0) for keep in keeps]
    return Setting(
        starter,
        affinity,
        fit_ranges(ways, keeps[PONE], keeps[DEALER]),
        fit_ranges(ways, trained[PONE], trained[DEALER]),
    )


def solve_common(game: PeggingGame, table: Setting, iterations: int, folder: Path | None, say: Say) -> None:
    """Solve the game without a starter; goes on from, and saves, a checkpoint every minute."""
    game.starter, game.affinity = None, table.affinity
    if folder is not None:
        load(game, folder)
    saved = time.monotonic()
    while game.iteration < iterations:
        game.step(table.trained)
        if folder is not None and (time.monotonic() - saved > 60 or game.iteration == iterations):
            save(game, folder)
            saved = time.monotonic()
            say(f"{game.iteration} of {iterations} iterations without a starter")


def solve_starter(game: PeggingGame, table: Setting, common: Cells, iterations: int) -> Cells:
    """Return the average strategies with a starter, from the regrets of the game without."""
    game.starter, game.affinity = table.starter, table.affinity
    game.regret = Cells(*(np.float32(KEPT_REGRETS) * getattr(common, part) for part in CELL_PARTS))
    game.total = Cells.zeros(game.tree.cells)
    game.iteration = 0
    for _ in range(iterations):
        game.averaging_delay = min(game.iteration, UNAVERAGED)
        game.step(table.trained)
    return game.total
