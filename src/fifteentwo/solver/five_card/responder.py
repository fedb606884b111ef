"""A responder that plays a whole five-card game to win: its discards and its ways to peg.

It discards by the chance of winning at a board of a grid near its own. It pegs by a best response to its own
points less the other side's, weighted, which is exact: with the starter and its own discards, against all
that the table may hold. Nothing in it is unknown to a player at a table.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win import AS_GOOD, value_after
from fifteentwo.fast.hands import UP3
from fifteentwo.solver.five_card.chances import own_points
from fifteentwo.solver.five_card.pegging import (
    BRANCHES,
    DEALER,
    PONE,
    Cells,
    FiveCardPegging,
    branch_cells,
)
from fifteentwo.solver.five_card.types import best_kept
from fifteentwo.solver.five_card.walk_kernels import UPDATE, Payoffs, cells_of
from fifteentwo.solver.five_card.win_discards import option_values
from fifteentwo.strategy.board import five_card_board

Floats = npt.NDArray[np.float32]
Bits = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

WEIGHTS = ((5, 1), (3, 2), (2, 3), (1, 5))
"""What an own point counts, and one of the other side's: a way to peg each."""
SCORES = np.array([*range(0, 30, 6), *range(30, 50, 3), *range(50, 61)])
"""Boards of these scores have discards of their own; other boards use the nearest."""
OPEN = 0.01
"""At a board that a side wins less often than this it discards by the nearest that has them."""


class Way(NamedTuple):
    """A best response in pegging with one starter, a bit for each choice."""

    first: Bits
    """The lead, (13, 91, 91), or the reply to each, (13, 13, 91, 91): whether it is played."""
    rest: Bits
    """(cells / 2,) whether the lower rank is."""


@cache
def own_decisions(side: int) -> npt.NDArray[np.bool_]:
    """(cells / 2,) which decisions between two ranks are the pone's, or the dealer's."""
    pone = np.zeros(branch_cells()[-1] // 2, np.bool_)
    for branch in range(BRANCHES):
        start = branch_cells()[branch] // 2
        pone[start : start + cells_of(13) // 2] = True
    return pone if side == PONE else ~pone


def weighted_points(side: int, weight: tuple[int, int]) -> Payoffs:
    """Payoffs of the pone in which a side's point and the other's have these weights."""
    own, other = own_points(side), own_points(1 - side)
    sign = 1 if side == PONE else -1
    plays, goes = (
        (sign * (weight[0] * one.astype(np.int64) - weight[1] * two)).astype(np.int8)
        for one, two in zip(own, other, strict=True)
    )
    return Payoffs(plays, goes)


def best_pegging(
    game: FiveCardPegging, side: int, weight: tuple[int, int], ranges: tuple[Floats, Floats], cells: Cells
) -> Way:
    """Return a best response to the cells that ship with the starter of `game`; some 1.5 core-seconds.

    One step of regrets from nothing shows which card is better at each last choice; with those, another shows
    which lead or reply is.
    """
    points = weighted_points(side, weight)
    game.regret = Cells.zeros()
    game.sweep(side, UPDATE, ranges, cells, points=points)
    gained, before = game.regret.rest.reshape(-1, 2), cells.rest.reshape(-1, 2)
    even = gained[:, 0] == gained[:, 1]
    lower = np.where(even, before[:, 0] >= before[:, 1], gained[:, 0] > gained[:, 1])
    after = played(cells, side, Way(np.zeros(0, np.uint8), np.packbits(lower)))
    game.regret = Cells.zeros()
    game.sweep(side, UPDATE, ranges, after, points=points)
    gains = [game.regret.lead] if side == PONE else list(game.regret.reply)
    first = np.stack([gain == best_kept(gain.astype(np.float64))[UP3] for gain in gains])
    return Way(np.packbits(first), np.packbits(lower))


def played(cells: Cells, side: int, way: Way) -> Cells:
    """Return the cells with one side's replaced by a way; without first cards those that ship stay."""
    rest = cells.rest.copy().reshape(-1, 2)
    lower = np.unpackbits(way.rest, count=len(rest))
    for place, chance in enumerate((lower, 1 - lower)):
        np.copyto(rest[:, place], chance, where=own_decisions(side))
    lead, reply = cells.lead, cells.reply
    if len(way.first):
        first = (lead, reply)[side]
        bits = np.unpackbits(way.first, count=first.size).reshape(first.shape).astype(np.float32)
        lead, reply = (bits, reply) if side == PONE else (lead, bits)
    return Cells(lead, reply, rest.ravel())


class WinDiscards(NamedTuple):
    """What is discarded for the chance of winning."""

    choices: npt.NDArray[np.int8]
    """(n, 134459) the best option of `deals.OPTIONS` for every suit class."""
    by_score: npt.NDArray[np.int8]
    """The same, or -1 where all that the table discards is as good and stays, as with `expert`."""
    at: Ints
    """(2, 61, 61) which row of both, as pone or dealer, by own and other's score."""


def win_discards(table: tuple[Floats, Floats]) -> WinDiscards:
    """Choose by the chance of winning if the table plays on from the board that ships; two core-minutes.

    table: (134459, 10) how often pone and dealer discard each option.
    """
    net = five_card_board().game_by_points.astype(np.float64)
    chance = (1 + net) / 2
    choices: list[npt.NDArray[np.int8]] = []
    by_score: list[npt.NDArray[np.int8]] = []
    at = np.zeros((2, 61, 61), np.int64)
    nearest = np.abs(np.arange(61)[:, None] - SCORES).argmin(axis=1)
    for side in (PONE, DEALER):
        over = value_after(net, np.ones(len(net)), dealt=side == DEALER)
        rows = np.full((len(SCORES), len(SCORES)), -1)
        wins = chance if side == DEALER else 1 - chance.T
        for own, score in enumerate(SCORES.tolist()):
            for other, theirs in enumerate(SCORES.tolist()):
                if OPEN < wins[score, theirs] < 1 - OPEN:
                    rows[own, other] = len(choices)
                    values = option_values((score, theirs), over, dealer=side == DEALER)
                    best = values.argmax(axis=1).astype(np.int8)
                    worse = values < values.max(axis=1, keepdims=True) - 2 * AS_GOOD
                    choices.append(best)
                    by_score.append(np.where((worse & (table[side] > 0)).any(axis=1), best, np.int8(-1)))
        known = np.argwhere(rows >= 0)
        for own, other in np.argwhere(rows < 0):
            close = known[np.abs(known - (own, other)).sum(axis=1).argmin()]
            rows[own, other] = rows[tuple(close)]
        at[side] = rows[nearest[:, None], nearest]
    return WinDiscards(np.stack(choices), np.stack(by_score), at)
