"""What is played in bulk: discards and pegging by the score, near enough to those of `expert`, or for points.

The discards of a board are those of the nearest board of a grid, by `analysis.win_by_ranks`; as with `expert`
the equilibrium's discard stays where it is as good. They are for points where both sides of that board have
few points, since `win_by_ranks` errs by more than is lost so, and where it is decided. Pegging is by the book
of the nearest board (`strategy.pegging_by_score`).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis import win
from fifteentwo.analysis.win import AS_GOOD
from fifteentwo.analysis.win_by_ranks import discards_by_ranks
from fifteentwo.fast.deal import DEALER, PONE, DiscardValues, Options, Policies, best_discards
from fifteentwo.fast.layout import Cards
from fifteentwo.solver.board.deal_counts import playable, strategies
from fifteentwo.solver.board.induction import Cell
from fifteentwo.strategy import pegging_by_score
from fifteentwo.strategy.board import TARGET, board
from fifteentwo.strategy.pegging import PeggingBook, load_pegging_book
from fifteentwo.strategy.pegging_by_score import NET

Ints = NDArray[np.int64]

SCORES = (20, 45, 60, 70, 82, 92, 99, 104, 108, 111, 113, 115, 117, 118, 119, 120)
"""The scores of the boards of the grid."""
FEW = 50
"""Boards of the grid with fewer points to either side have discards for points."""
OPEN = 0.01
"""A board that a side wins less often than this is decided."""
DECIDED = -1
"""The cell of boards that are decided."""
Both = tuple[DiscardValues, DiscardValues]
"""Of pone and dealer."""


class Policy(NamedTuple):
    """What both sides discard and peg by the score."""

    cells: tuple[Cell, ...]
    """The open boards of the grid."""
    values: tuple[Both | None, ...]
    """By what they discard at each of them; None for points."""
    of: NDArray[np.int16]
    """(121, 121) number of the cell that stands for a board, [dealer's score, pone's], or DECIDED."""
    books: tuple[PeggingBook, ...]
    """By what they peg; first the book for net points."""
    pegging: Ints
    """(cells + 1,) number of the book at each cell, and last at boards that are decided."""

    def policies(self, cell: int) -> Policies:
        """How both sides peg at a cell's boards."""
        return strategies().policies()._replace(book=playable(self.books[self.pegging[cell]]))

    def with_book(self, number: int) -> "Policy":
        """The same, pegging by one book everywhere."""
        return self._replace(pegging=np.full(len(self.cells) + 1, number))

    def discard(self, dealt: Cards, cells: NDArray[np.int16], options: Options) -> None:
        """Write what both sides discard of deals at boards of these cells (n,).

        options: (n, 2) the equilibrium's discards before, as `deal.play_deals` has them.
        """
        for cell in np.unique(cells[cells != DECIDED]).tolist():
            values = self.values[cell]
            if values is None:
                continue
            rows = np.flatnonzero(cells == cell)
            changed = options[rows]
            for side in (PONE, DEALER):
                best_discards(dealt[rows], values[side], side, changed, 2 * AS_GOOD)
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
    """Return the policy of discards and pegging for points."""
    nowhere = np.full((TARGET, TARGET), DECIDED, np.int16)
    return Policy((), (), nowhere, (load_pegging_book(),), np.array([NET]))


def by_score(progress: Callable[[str], None], scores: tuple[int, ...] = SCORES) -> Policy:
    """Return that of `expert`; half a core-second for each of some hundred boards, 18 MB each."""
    found = discards_by_score(progress, scores)
    pegging = np.array([*[pegging_by_score.number_at(*cell) for cell in found.cells], NET])
    return found._replace(books=pegging_by_score.books(), pegging=pegging)


def discards_by_score(progress: Callable[[str], None], scores: tuple[int, ...] = SCORES) -> Policy:
    """Return the same, but pegging for points everywhere."""
    chance = (1 + board().game.astype(np.float64)) / 2
    cells = [(dealer, pone) for dealer in scores for pone in scores if OPEN < chance[dealer, pone] < 1 - OPEN]
    values: list[Both | None] = []
    for number, cell in enumerate(cells):
        values.append(_values(cell) if max(cell) >= FEW else None)
        if number % 20 == 19:
            progress(f"Discards of {number + 1} of {len(cells)} boards")
    near = np.abs(np.subtract.outer(np.arange(TARGET), np.array(scores))).argmin(axis=1)
    of = np.full((len(scores), len(scores)), DECIDED, np.int16)
    for number, (dealer, pone) in enumerate(cells):
        of[scores.index(dealer), scores.index(pone)] = number
    pegging = np.full(len(cells) + 1, NET)
    return Policy(tuple(cells), tuple(values), of[near[:, None], near], (load_pegging_book(),), pegging)


def _values(cell: Cell) -> Both:
    dealer, pone = cell
    behind = [win.after_deal("game", dealt, False) for dealt in (False, True)]
    return (
        discards_by_ranks((pone, dealer), behind[PONE], dealer=False),
        discards_by_ranks((dealer, pone), behind[DEALER], dealer=True),
    )
