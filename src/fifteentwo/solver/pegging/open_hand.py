"""A player that averages open hands: each card by its mean best value over the hands the other may hold.

Both hands seen and both sides at their best, pegging has a value for every pair of hands. The player takes
the card after which its mean is best, over the hands the other side keeps and may still hold after the cards
and goes so far; what the other's play says about its hand is left out.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import UP4
from fifteentwo.solver.pegging.open_hand_kernels import DEEP, FRAME, ROOTS, TOP
from fifteentwo.solver.pegging.ranges import HANDS, couplings
from fifteentwo.solver.pegging.regret import Cells, best_per_hand
from fifteentwo.solver.pegging.tree import BRANCHES, DEALER, PONE, Tree, build_tree, records, reply_points
from fifteentwo.solver.pegging.tree_kernels import LEVELS, NODE

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_KERNELS = "fifteentwo.solver.pegging.open_hand_kernels"
_TIE = 1e-6
"""A rank more, among cards liked as much: the highest is played."""


def branch_values(
    tree: Tree, branch: int, ranges: tuple[Doubles, Doubles] | None = None, cells: Floats | None = None
) -> Floats:
    """(455, 455) net points to the pone after one lead and reply, [pone's three cards, dealer's three].

    With `ranges` the cells of the branch are written too.
    """
    lead, reply = divmod(branch, 13)
    nodes, frames = records(NODE, LEVELS), records(FRAME, ROOTS + 2)
    nodes[0] = tree.firsts[branch]
    if ranges is not None:
        frames[ROOTS].weights[:] = ranges[PONE][UP4[lead]]
        frames[ROOTS + 1].weights[:] = ranges[DEALER][UP4[reply]]
    matrices = np.zeros((ROOTS + 1, TOP), dtype=np.float32)
    after = np.zeros(DEEP, dtype=np.float32)
    rest = np.zeros(0, dtype=np.float32) if cells is None else cells
    state = tree.states[branch].copy()
    filling = ranges is not None
    compiled(_KERNELS).open_hands(nodes, frames, state, matrices, after, rest, tree.endings, filling)
    return np.array(matrices[0].reshape(455, 455))


def after_lead(replies: Sequence[Floats], points: Sequence[float]) -> Floats:
    """(455, 1820) net points to the pone once a card is led: the dealer takes its best reply.

    `replies`, `points`: per reply what follows (455, 455) and what the reply scores.
    """
    worst = np.full((455, HANDS), np.inf, dtype=np.float32)
    for card in range(13):
        worst[:, UP4[card]] = np.minimum(worst[:, UP4[card]], replies[card] - np.float32(points[card]))
    return worst


def play(
    tree: Tree,
    ranges: tuple[Doubles, Doubles] | None = None,
    threads: int = 2,
    leads: Sequence[int] = range(13),
) -> tuple[Floats, Cells | None]:
    """(1820, 1820) net points to the pone of every two kept hands; with `ranges` also how the player plays.

    Pairs no deck can deal hold numbers that mean nothing. About 10 core-seconds.
    `leads`: the ranks the pone may lead (0–12); hands with others come out wrong.
    """
    ways = couplings()
    cells = None if ranges is None else Cells.zeros(tree.cells)
    values = np.full((HANDS, HANDS), -np.inf, dtype=np.float32)
    lead_likes = np.zeros((13, 455))

    def job(branch: int) -> Floats:
        return branch_values(tree, branch, ranges, None if cells is None else cells.rest)

    with ThreadPoolExecutor(threads) as pool:
        for lead in leads:
            replies = list(pool.map(job, range(lead * 13, lead * 13 + 13)))
            points = [reply_points(lead, reply) for reply in range(13)]
            follows = after_lead(replies, points)
            values[UP4[lead]] = np.maximum(values[UP4[lead]], follows)
            if ranges is not None and cells is not None:
                likes = np.zeros((13, 455))
                seen = ways[UP4[lead]] * ranges[0][UP4[lead]][:, None]
                for card in range(13):
                    likes[card] = points[card] - _mean(seen[:, UP4[card]], replies[card], 0)
                cells.reply[lead] = liked(likes)
                lead_likes[lead] = _mean(ways[UP4[lead]] * ranges[1], follows, 1)
    if cells is not None:
        cells.lead[:] = liked(lead_likes)
    return values, cells


def mean_pegging(values: Floats, ranges: tuple[Doubles, Doubles], ways: Doubles) -> tuple[Doubles, Doubles]:
    """(1820,) mean net points of each kept hand of the pone and of the dealer, both hands seen."""
    x, y = ranges
    coupled = ways * values
    pone = (coupled @ y) / (ways @ y)
    dealer = -(x @ coupled) / (x @ ways)
    return np.asarray(pone), np.asarray(dealer)


def liked(likes: Doubles) -> Floats:
    """(13, 455): 1 where the card is the one its hand of four likes best; among equals the highest."""
    likes = likes + np.arange(13)[:, None] * _TIE
    return (likes >= best_per_hand(likes)[UP4]).astype(np.float32)


def _mean(weights: Doubles, values: Floats, axis: int) -> Doubles:
    mass = weights.sum(axis=axis)
    total: Any = (weights * values).sum(axis=axis)
    return np.asarray(np.where(mass > 0, total / np.where(mass > 0, mass, 1), 0.0))


def prepare() -> None:
    """Compile the kernels, or load them."""
    branch_values(build_tree([BRANCHES - 1]), BRANCHES - 1)
