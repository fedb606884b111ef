"""Books of pegging for other weights of a point, for boards where a point of one side counts for more.

Each is solved as the book for net points is (`pegging_solve`), under the same keeps, a point of the dealer
counting its weight. What a side never reaches by its own play is left out.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.solver.pegging.pegging_book import cells_of, parts
from fifteentwo.solver.pegging.pegging_solve import LEAST, shipped_ranges
from fifteentwo.solver.pegging.regret import Discounts, PeggingGame
from fifteentwo.solver.pegging.regret_kernels import UPDATE
from fifteentwo.solver.pegging.tree import DEALER, PONE, build_tree, weighted

Bytes = npt.NDArray[np.uint8]

DEALER_WEIGHTS = (0.18, 0.5, 2.0)
"""What a point of the dealer counts where one of the pone counts 1, besides 1."""
FLOOR = 0.001
"""The part of hands dealt at random among the keeps, so that every hand has strategies."""


class Solved(NamedTuple):
    """A book for a weight."""

    weight: float
    packed: list[Bytes]
    """Parts as `pegging_by_score.Tables` has them."""
    exploitability: float
    """What best responses gain on average, as packed, in points of the pone."""


def solve(
    weights: Sequence[float],
    iterations: int,
    averaging_delay: int,
    jobs: int,
    progress: Callable[[str], None],
) -> list[Solved]:
    """Solve a book for each weight: two core-seconds an iteration, 1.3 GB.

    averaging_delay: iterations before the averages begin.
    """
    net, alone = build_tree(), build_tree(dealer_counts=0)
    trained, keeps = shipped_ranges(FLOOR), shipped_ranges()
    solved = []
    for weight in weights:
        game = PeggingGame(weighted(net, alone, weight), jobs)
        while game.iteration < iterations:
            game.averaging_delay = averaging_delay if game.iteration >= averaging_delay else 0
            game.step(trained)
        cells = cells_of(net, parts(net, game.total, LEAST))
        played = PeggingGame(net, jobs)
        for side in (PONE, DEALER):
            # The sums of one iteration are how often a side reaches each card and plays it.
            played.sweep(side, UPDATE, trained, cells, Discounts(sums=0.0))
        packed = parts(net, played.total, LEAST, even=False)
        exploited = game.exploitability(keeps, cells_of(net, packed))["exploitability"]
        progress(f"Weight {weight}: exploitability {exploited:.5f} points after {iterations} iterations")
        solved.append(Solved(weight, packed, exploited))
    return solved
