"""What is played in bulk: discards by the score, near enough to those of `expert`, or for points.

The discards of a board are those of the nearest board of a grid, by `analysis.win_by_ranks`; as with `expert`
the equilibrium's discard stays where it is as good. Where that board is decided they are for points.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis import win
from fifteentwo.analysis.discards.by_score import AS_GOOD
from fifteentwo.analysis.win_by_ranks import discards_by_ranks
from fifteentwo.fast.deal import DEALER, PONE, DiscardValues, Options, best_discards
from fifteentwo.fast.layout import Cards
from fifteentwo.solver.board.induction import Cell
from fifteentwo.strategy.board import TARGET, board

SCORES = (0, 40, 60, 70, 82, 92, 99, 104, 108, 111, 113, 115, 117, 118, 119, 120)
"""The scores of the boards of the grid."""
OPEN = 0.01
"""A board that a side wins less often than this is decided."""
POINTS = -1
"""The cell of boards with discards for points."""


class Policy(NamedTuple):
    """What both sides discard by the score; pegging is that of the book that ships."""

    cells: tuple[Cell, ...]
    """The boards that have discards of their own."""
    values: tuple[tuple[DiscardValues, DiscardValues], ...]
    """Of pone and dealer at each of them."""
    of: NDArray[np.int16]
    """(121, 121) number of the cell that stands for a board, [dealer's score, pone's], or POINTS."""

    def discard(self, dealt: Cards, cells: NDArray[np.int16], options: Options) -> None:
        """Write what both sides discard of deals at boards of these cells (n,).

        options: (n, 2) the equilibrium's discards before, as `deal.play_deals` has them.
        """
        for cell in np.unique(cells[cells != POINTS]).tolist():
            rows = np.flatnonzero(cells == cell)
            changed = options[rows]
            for side in (PONE, DEALER):
                best_discards(dealt[rows], self.values[cell][side], side, changed, 2 * AS_GOOD)
            options[rows] = changed

    def around(self, cell: int) -> list[int]:
        """The cells next to one, with the other score the same."""
        found = []
        for scores in (0, 1):
            line = [one for one in self.cells if one[1 - scores] == self.cells[cell][1 - scores]]
            at = line.index(self.cells[cell])
            found += line[max(at - 1, 0) : at] + line[at + 1 : at + 2]
        return [self.cells.index(one) for one in found]


def for_points() -> Policy:
    """Return the policy of the tables alone."""
    return Policy((), (), np.full((TARGET, TARGET), POINTS, np.int16))


def by_score(progress: Callable[[str], None], scores: tuple[int, ...] = SCORES) -> Policy:
    """Return that of `expert`; half a core-second for each of some hundred boards, 18 MB each."""
    chance = (1 + board().game.astype(np.float64)) / 2
    cells = [(dealer, pone) for dealer in scores for pone in scores if OPEN < chance[dealer, pone] < 1 - OPEN]
    over = tuple(win.after_deal("game", side == DEALER, False) for side in (PONE, DEALER))
    values = []
    for number, (dealer, pone) in enumerate(cells):
        values.append(
            (
                discards_by_ranks((pone, dealer), over[PONE], dealer=False),
                discards_by_ranks((dealer, pone), over[DEALER], dealer=True),
            )
        )
        if number % 20 == 19:
            progress(f"Discards of {number + 1} of {len(cells)} boards")
    near = np.abs(np.subtract.outer(np.arange(TARGET), np.array(scores))).argmin(axis=1)
    of = np.full((len(scores), len(scores)), POINTS, np.int16)
    for number, (dealer, pone) in enumerate(cells):
        of[scores.index(dealer), scores.index(pone)] = number
    return Policy(tuple(cells), tuple(values), of[near[:, None], near])
