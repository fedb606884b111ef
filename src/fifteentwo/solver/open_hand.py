"""A player that averages open hands: each card by its mean best worth over the hands the other may hold.

Both hands seen and both sides at their best, the play has a value for every pair of hands. The player takes
the card after which its mean is best, over the hands the other side keeps and may still hold after the cards
and goes so far; what the other's play says about its hand is left out.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import UP4
from fifteentwo.solver import open_hand_loops as kernel
from fifteentwo.solver.regret import HANDS, Cells, Tree, branch_start, couplings
from fifteentwo.solver.tree_loops import LEVELS

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


def branch_values(
    tree: Tree, branch: int, ranges: tuple[Doubles, Doubles] | None = None, cells: Floats | None = None
) -> Floats:
    """(455, 455) net points to the pone after one lead and reply, [pone's three cards, dealer's three].

    With `ranges` the cells of the branch are written too.
    """
    first, second = divmod(branch, 13)
    stack, _, left, pile, _, _ = branch_start(first, second)
    weight = np.zeros(1024 + (LEVELS + 1) * kernel.WEIGHTS)
    where = np.zeros((LEVELS + 1, 2), dtype=np.int64)
    where[0] = 0, 512
    if ranges is not None:
        weight[:455] = ranges[0][UP4[first]]
        weight[512:967] = ranges[1][UP4[second]]
    value = np.zeros(kernel.TOP + LEVELS * kernel.DEEP, dtype=np.float32)
    e = tree.endings
    kernel.open_hands(
        ranges is not None,
        stack,
        where,
        weight,
        value,
        np.zeros(kernel.DEEP, dtype=np.float32),
        np.zeros((LEVELS + 1) * kernel.LIKES),
        left,
        pile,
        tree.starts[branch].copy(),
        np.zeros(0, dtype=np.float32) if cells is None else cells,
        e.single,
        e.single_at,
        e.pair,
        e.pair_at,
        e.triple,
        e.triple_at,
    )
    return value[: kernel.TOP].reshape(455, 455).copy()


def after_lead(replies: Sequence[Floats], points: Sequence[float]) -> Floats:
    """(455, 1820) net points to the pone once a card is led: the dealer takes its best reply.

    `replies`, `points`: per reply what follows (455, 455) and what the reply scores.
    """
    found = np.full((455, HANDS), np.inf, dtype=np.float32)
    for card in range(13):
        found[:, UP4[card]] = np.minimum(found[:, UP4[card]], replies[card] - np.float32(points[card]))
    return found


def play(
    tree: Tree,
    ranges: tuple[Doubles, Doubles] | None = None,
    threads: int = 2,
    leads: Sequence[int] = range(13),
) -> tuple[Floats, Cells | None]:
    """(1820, 1820) net points to the pone of every two kept hands; with `ranges` also how the player plays.

    Net points only (price 1). Pairs no pack can deal hold numbers that mean nothing. About 10 core-seconds.
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
            points = [branch_start(lead, reply)[5] for reply in range(13)]
            follows = after_lead(replies, points)
            values[UP4[lead]] = np.maximum(values[UP4[lead]], follows)
            if ranges is not None and cells is not None:
                likes = np.zeros((13, 455))
                seen = ways[UP4[lead]] * ranges[0][UP4[lead]][:, None]
                for card in range(13):
                    here = seen[:, UP4[card]]
                    likes[card] = points[card] - _mean(here, replies[card], 0)
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
    likes = likes + np.arange(13)[:, None] * 1e-6
    best = np.full(HANDS, -np.inf)
    np.maximum.at(best, UP4.ravel(), likes.ravel())
    return (likes >= best[UP4]).astype(np.float32)


def _mean(weights: Doubles, values: Floats, axis: int) -> Doubles:
    mass = weights.sum(axis=axis)
    total: Any = (weights * values).sum(axis=axis)
    return np.asarray(np.where(mass > 0, total / np.where(mass > 0, mass, 1), 0.0))
