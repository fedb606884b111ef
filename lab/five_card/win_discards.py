"""The win probability of every discard of all five-card hands at a board, for deals in bulk.

The values are computed from the tables of `analysis.win`, with two simplifications: the other side may hold
the same cards, and the value of points from suits does not depend on the discards.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.win.model import STAGE_POINTS_BOUND, with_pone_first
from fifteentwo.analysis.win.shows import hand_points, shows_by_ranks
from fifteentwo.fast.hands import PAIRS, TRIPLES
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.show import FLUSH_OF_THREE
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging_points import ALWAYS, NEAR, SUM, mean_points, play_points
from lab.board.win_by_ranks import cap_points
from lab.cfr import Doubles, Floats
from lab.five_card.deals import UNSEEN, five_cards

HEELS = 2
"""Points of the dealer for a jack as the starter."""
PEGGED = 14
"""Number of different totals that a side pegs, 0–13; the last includes all higher ones, 0.3 % of deals."""


class _Tables(NamedTuple):
    """A role's tables for win probabilities that do not depend on the board."""

    going: Floats
    """(3, 455, PEGGED, PEGGED, classes) by kept hand, both sides' pegging points and class of the opponent's
    hand: probabilities; then those times each side's deviation from its mean points."""
    moved: Floats
    """(455, 91, 2) by kept hand and discarded pair: factors of `going[1:]` that correct the mean points."""
    first: Doubles
    """(455, NEAR, NEAR) probability that the role pegs x before the other side pegs y, if both do."""
    shows: Floats
    """Probabilities at the show by starter, opponent's points, own crib's points, class, own pair."""


@cache
def _tables(role: Role) -> _Tables:
    table = play_points(role, 3)
    shows = shows_by_ranks(role, 3)
    often = np.delete(shows, JACK, axis=0).sum(axis=(0, 1, 2, 4), dtype=np.float64)
    often /= often.sum()
    joint = table.joint / SUM
    joint /= joint.sum(axis=(2, 3), keepdims=True)
    points = np.stack(np.meshgrid(*[np.arange(joint.shape[2])] * 2, indexing="ij"))
    means = np.einsum("hcij,kij->hck", joint, points)
    apart = points[None, None] - means[..., None, None]
    spread = np.einsum("c,hcij,hckij,hclij->hkl", often, joint, apart, apart, optimize=True)
    missing = mean_points(role) - np.einsum("c,hck->hk", often, means)[:, None]
    going = np.stack([joint, joint * apart[:, :, 0], joint * apart[:, :, 1]])
    return _Tables(
        np.ascontiguousarray(cap_points(going, PEGGED).transpose(0, 1, 3, 4, 2), np.float32),
        np.linalg.solve(spread[:, None], missing[..., None])[..., 0].astype(np.float32),
        table.first / ALWAYS,
        shows,
    )


@cache
def _suited() -> Doubles:
    """Return (134459, 10) the mean points of the kept hand that come from suits: flushes and nobs."""
    five = five_cards()
    left = (4 - five.copies) / UNSEEN
    by_ranks = np.einsum("mor,mr->mo", hand_points(3).T[five.type_of // len(PAIRS)], left)
    return np.asarray(five.show - by_ranks[five.class_of])


def option_values(board: tuple[int, int], over: Doubles, *, dealer: bool) -> Floats:
    """Return (134459, 10) the value of each discard, -1 (lost) to 1 (won), for all five-card hands.

    board: own and other side's score. over: values after the deal, from `win.model.after_deal`. About 0.2 s.
    """
    five = five_cards()
    tables = _tables("dealer" if dealer else "pone")
    target = len(over) - STAGE_POINTS_BOUND
    first = with_pone_first(over, target, dealt=dealer).astype(np.float32)
    needed = target - board[0], target - board[1]
    after_heels = (needed[0] - HEELS, needed[1]) if dealer else (needed[0], needed[1] - HEELS)
    by_class = np.zeros(five.type_of.shape, np.float32)
    suits = np.zeros(len(TRIPLES), np.float32)
    for rank in range(13):
        needs = after_heels if rank == JACK else needed
        weight = ((4 - five.copies[:, rank]) / UNSEEN).astype(np.float32)[:, None]
        if min(needs) <= 0:
            by_class += weight * (1 if dealer else -1)
            continue
        values, flush = _with_starter(tables, first, needs, rank)
        by_class += weight * values.ravel()[five.type_of]
        suits += flush / 13
    a_point = (suits / FLUSH_OF_THREE)[five.type_of // len(PAIRS)][five.class_of]
    more = _suited() + (five.crib_nobs if dealer else -five.crib_nobs)
    return np.asarray(by_class[five.class_of] + a_point * more, np.float32)


def _with_starter(tables: _Tables, over: Floats, needed: tuple[int, int], rank: int) -> tuple[Floats, Floats]:
    """Return (455, 91) values of hands and pairs with a starter of this rank, and (455,) of a flush."""
    target = len(over) - STAGE_POINTS_BOUND
    x, y = min(needed[0], PEGGED), min(needed[1], PEGGED)
    shows = tables.shows[rank]
    others, crib, _, pairs = shows.shape
    going = tables.going[:, :, :x, :y]
    flat = going.reshape(3, len(TRIPLES), -1)
    made = hand_points(3)[rank]
    # The largest own gain after pegging and the own hand, at most to the game hole.
    most = min(needed[0], x - 1 + int(made.max()) + FLUSH_OF_THREE)
    mine = target - needed[0] + np.arange(most + 1)
    theirs = target - needed[1] + np.arange(y)
    led_to = over[
        mine[:, None, None, None] + np.arange(crib), theirs[None, :, None, None] + np.arange(others)[:, None]
    ]
    shown = (led_to.reshape((most + 1) * y, -1) @ shows.reshape(others * crib, -1)).reshape(most + 1, -1)
    values = np.empty((len(TRIPLES), pairs), np.float32)
    flush = np.empty(len(TRIPLES), np.float32)
    for points in np.unique(made).tolist():
        rows = np.flatnonzero(made == points)
        cells, more = (
            shown[np.minimum(np.arange(x) + points + flushed, most)].reshape(-1, pairs)
            for flushed in (0, FLUSH_OF_THREE)
        )
        parts = flat[:, rows] @ cells
        values[rows] = parts[0] + (tables.moved[rows].transpose(2, 0, 1) * parts[1:]).sum(axis=0)
        flush[rows] = flat[0, rows] @ (more - cells).mean(axis=1)
    out = _pegged_out(tables, needed, shows.sum(axis=(0, 1)).mean(axis=1))
    values += (
        out[0][:, None] + tables.moved[..., 0] * out[1][:, None] + tables.moved[..., 1] * out[2][:, None]
    )
    return values, flush


def _pegged_out(tables: _Tables, needed: tuple[int, int], often: Floats) -> Floats:
    """Return (3, 455) the value of games that end in pegging. often: (classes,) of opponents' hands."""
    x, y = needed
    played = tables.going @ often
    first = tables.first[:, min(x, NEAR) - 1, min(y, NEAR) - 1]
    won, lost = played[:, :, x:, :y].sum(axis=(2, 3)), played[:, :, :x, y:].sum(axis=(2, 3))
    both = played[:, :, x:, y:].sum(axis=(2, 3))
    return np.asarray(won - lost + both * (2 * first - 1), np.float32)
