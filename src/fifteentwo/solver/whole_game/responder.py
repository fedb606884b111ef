"""What a responder may do in a deal: ways to discard and ways to peg.

Ways to peg are made for weights (what a point of the other side counts where an own point counts 1), and one
for a board. No way uses anything that a player at a table does not know.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.deal import DEALER, PONE, Book, DiscardValues, Policies
from fifteentwo.solver.board.board_ends import WAYS, aims_at
from fifteentwo.solver.board.deal_counts import playable
from fifteentwo.solver.board.induction import Cell
from fifteentwo.solver.pegging.pegging_book import as_bytes, read_cells
from fifteentwo.solver.pegging.pegging_solve import shipped_ranges
from fifteentwo.solver.pegging.regret import CELL_PARTS, Cells, Discounts, PeggingGame
from fifteentwo.solver.pegging.regret_kernels import CHOOSE, UPDATE
from fifteentwo.solver.pegging.tree import Tree, build_tree, weighted
from fifteentwo.solver.pegging.weighted_books import FLOOR
from fifteentwo.strategy.board import board
from fifteentwo.strategy.pegging import PeggingBook

Floats = NDArray[np.float64]

WEIGHTS = (0.05, 0.2, 0.5, 0.8, 1.25, 2.0, 5.0)
"""What the other side's point counts, where an own one counts 1."""


PLAY = WAYS.index((False, True))


class Way(NamedTuple):
    """One way to peg: policies of both sides, and the scores (pone's, dealer's) they are for."""

    policies: Policies
    start: tuple[int, int] = (0, 0)


class Aim(NamedTuple):
    """One way to discard, with the ways to peg that go with it."""

    values: DiscardValues | None
    """None where it discards as the policy does."""
    ways: tuple[Way, ...]


def best_pegging(
    against: Sequence[PeggingBook], weights: Sequence[float], progress: Callable[[str], None]
) -> list[tuple[list[Book], list[Book]]]:
    """Against each book those in which the pone, or the dealer, pegs a best response for each weight.

    Exact within the model of `solver.pegging`. About 2 core-seconds each, 15 before; 25 MB each.
    """
    net, alone = build_tree(), build_tree(dealer_counts=0)
    ranges = shipped_ranges()
    game = PeggingGame(net, threads=1)
    found = []
    for number, book in enumerate(against):
        cells = read_cells(net, book)
        books: tuple[list[Book], list[Book]] = ([], [])
        for side in (PONE, DEALER):
            for weight in weights:
                game.tree = weighted(net, alone, weight if side == PONE else 1 / weight)
                game.total = _copy(cells)
                game.sweep(side, CHOOSE, ranges, cells)
                books[side].append(_changed(book, net, cells, game.total))
        progress(f"best pegging against {number + 1} of {len(against)} books")
        found.append(books)
    return found


def sided(books: Sequence[PeggingBook]) -> tuple[list[Book], list[Book]]:
    """Books in which the pone, or the dealer, pegs by each of these; the other side by the first."""
    net, ranges = build_tree(), shipped_ranges(FLOOR)
    game = PeggingGame(net, threads=1)
    cells = read_cells(net, books[0])
    found: tuple[list[Book], list[Book]] = ([], [])
    for side in (PONE, DEALER):
        for book in books:
            game.total = _copy(cells)
            game.sweep(side, UPDATE, ranges, read_cells(net, book), Discounts(sums=0.0))
            found[side].append(_changed(books[0], net, cells, game.total))
    return found


def _copy(cells: Cells) -> Cells:
    return Cells(*(getattr(cells, part).copy() for part in CELL_PARTS))


def _changed(book: PeggingBook, tree: Tree, cells: Cells, changed: Cells) -> Book:
    """A book with the strategies of one side put in; the other side's stay to the byte."""
    usual, before = playable(book), as_bytes(tree, cells)
    top, packed = as_bytes(tree, changed)
    new_top = np.where(top == before[0], usual[4], top)
    # As that of a book is: kernels are compiled for arrays that cannot be written.
    new_top.setflags(write=False)
    return (*usual[:2], np.where(packed == before[1], usual[2], packed), usual[3], new_top, *usual[5:])


def ways_at(side: int, cell: Cell, books: Sequence[Book], usual: Policies) -> tuple[Way, ...]:
    """The ways to peg at a board: by each book, then looking a card and its reply ahead by win chance.

    usual: how the policy pegs there.
    """
    net = board().game.astype(np.float64)
    aim = aims_at(cell, (PLAY, 0) if side == PONE else (0, PLAY), net)[side]
    chances = usual._replace(pone=aim.policy) if side == PONE else usual._replace(dealer=aim.policy)
    return (*[Way(usual._replace(book=book)) for book in books], Way(chances, (cell[1], cell[0])))
