"""What a responder may do in a deal against the strategies that ship: ways to discard and ways to peg.

A way is made for weights (what a point of the other side counts where an own point counts 1) or for a board,
and may be used at any board. No way uses anything that a player at a table does not know.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.win import PAST
from fifteentwo.analysis.win_by_ranks import discards_by_ranks
from fifteentwo.fast.deal import DEALER, PONE, Book, DiscardValues, Policies
from fifteentwo.solver.board.board_ends import aims_at
from fifteentwo.solver.board.deal_counts import strategies
from fifteentwo.solver.board.induction import Cell
from fifteentwo.solver.pegging.pegging_book import as_bytes, read_cells
from fifteentwo.solver.pegging.pegging_solve import shipped_ranges
from fifteentwo.solver.pegging.regret import CELL_PARTS, Cells, PeggingGame
from fifteentwo.solver.pegging.regret_kernels import CHOOSE
from fifteentwo.solver.pegging.tree import Tree, build_tree, weighted
from fifteentwo.strategy.board import TARGET, board
from fifteentwo.strategy.pegging import load_pegging_book

Floats = NDArray[np.float64]

WEIGHTS = (0.05, 0.5, 0.8, 1.25, 2.0, 20.0)
"""What the other side's point counts, where an own one counts 1."""
NEAR = 1
"""Pegging for so many weights to either side is tried with the discards for a weight."""
SCORES = (70, 82, 92, 99, 104, 108, 111, 113, 115, 117, 118, 119, 120)
"""Boards of these scores have discards of their own, and boards near them use those."""
OPEN = 0.015
"""A board that a side wins less often than this has none."""


class Way(NamedTuple):
    """One way to peg: policies of both sides, and the scores (pone's, dealer's) they are for."""

    policies: Policies
    start: tuple[int, int] = (0, 0)


class Aim(NamedTuple):
    """One way to discard, with the ways to peg that go with it."""

    cell: Cell | None
    """The board it is made for; None where it is for a weight."""
    values: DiscardValues
    ways: tuple[Way, ...]


def best_pegging(weights: Sequence[float], progress: Callable[[str], None]) -> tuple[list[Book], list[Book]]:
    """Books in which the pone, or the dealer, pegs a best response for each weight; the other as what ships.

    Exact within the model of `solver.pegging`. About 2 core-seconds each, 15 before.
    """
    shipped, usual = load_pegging_book(), strategies().book
    net, alone = build_tree(), build_tree(dealer_counts=0)
    cells = read_cells(net, shipped)
    before = as_bytes(net, cells)
    ranges = shipped_ranges()
    game = PeggingGame(net, threads=1)
    books: tuple[list[Book], list[Book]] = ([], [])
    for side in (PONE, DEALER):
        for weight in weights:
            game.tree = weighted(net, alone, weight if side == PONE else 1 / weight)
            game.total = Cells(*(getattr(cells, part).copy() for part in CELL_PARTS))
            game.sweep(side, CHOOSE, ranges, cells)
            books[side].append(_changed(usual, before, net, game.total))
            progress(f"best pegging of {('pone', 'dealer')[side]} at weight {weight}")
    return books


def _changed(usual: Book, before: tuple[NDArray[np.uint8], ...], tree: Tree, cells: Cells) -> Book:
    """The book that ships with the strategies of the responder put in; the other side's stay to the byte."""
    top, packed = as_bytes(tree, cells)
    new_top = np.where(top == before[0], usual[4], top)
    # As that of a book is: kernels are compiled for arrays that cannot be written.
    new_top.setflags(write=False)
    return (*usual[:2], np.where(packed == before[1], usual[2], packed), usual[3], new_top, *usual[5:])


def weight_aims(side: int, books: Sequence[Book], weights: Sequence[float] = WEIGHTS) -> list[Aim]:
    """Aims for each weight: any board, points of the deal count evenly."""
    usual = strategies().policies()
    points = np.arange(TARGET + PAST)
    aims = []
    for n, weight in enumerate(weights):
        over = (points[:, None] - weight * points[None, :]) / (1 + weight)
        near = books[max(n - NEAR, 0) : n + NEAR + 1]
        ways = tuple(Way(usual._replace(book=book)) for book in near)
        aims.append(Aim(None, discards_by_ranks((0, 0), over, dealer=side == DEALER), ways))
    return aims


def board_aim(side: int, cell: Cell, books: Sequence[Book]) -> Aim:
    """An aim for one board near the end: win chances over the board that ships; a quarter of a second."""
    net = board().game.astype(np.float64)
    aim = aims_at(cell, (3, 0) if side == PONE else (0, 3), net)[side]
    usual = strategies().policies()
    chances = usual._replace(pone=aim.policy) if side == PONE else usual._replace(dealer=aim.policy)
    by_weight = [Way(usual._replace(book=book)) for book in books]
    assert aim.discard_values is not None
    return Aim(cell, aim.discard_values, (*by_weight, Way(chances, (cell[1], cell[0]))))


def boards_aimed_at() -> list[Cell]:
    """The boards that have aims of their own."""
    chance = (1 + board().game.astype(np.float64)) / 2
    return [(dealer, pone) for dealer in SCORES for pone in SCORES if OPEN < chance[dealer, pone] < 1 - OPEN]
