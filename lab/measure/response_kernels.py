"""Kernels that compute a kept hand's points against a book, with a best response and by the book.

A walk visits every public history of the hand once, with a vector over the hands that the other side may
still hold. Sides: 0 pone, 1 dealer; ranks 0–12. The public state has the layout of `fast.play`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel, part
from fifteentwo.fast.hands import FOURS, PAIRS, SIZES, TRIPLES, without
from fifteentwo.fast.play import (
    COUNT,
    END,
    HELD,
    LAST,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    play_alone,
    play_rank,
    playable,
    value_of,
)
from lab.six_card.play_counts_kernels import begin_play, card_policy

LEVELS = 24
"""More than the number of nodes in a line of play."""
SILENT = 13
"""The row of a go, after the rows of the ranks."""
BEST, BY_BOOK = 0, 1
CARDS = np.zeros((5, 1820, 4), np.int64)
"""[cards, hand]: the ranks of each hand, ascending."""
CARDS[1, :13, 0] = np.arange(13)
CARDS[2, :91, :2], CARDS[3, :455, :3], CARDS[4] = PAIRS, TRIPLES, FOURS
WITHOUT = np.zeros((5, 1820, 13), np.int64)
"""[cards, hand, rank]: the number of the hand without this rank."""
for _size in range(2, 5):
    WITHOUT[_size, : SIZES[_size]] = without(_size)


class Walk(NamedTuple):
    """A stack of the nodes on the path to the current node."""

    public: npt.NDArray[np.int64]
    """(LEVELS + 1, WIDTH) the public state at each node."""
    own: npt.NDArray[np.int64]
    """(LEVELS, 4) the own cards left, ascending."""
    step: npt.NDArray[np.int64]
    """(LEVELS,) the next child: the place of an own card, or a row of `rows`."""
    reached: npt.NDArray[np.int64]
    """(LEVELS, 2) level and row of the other side's reach probabilities at this node."""
    rows: npt.NDArray[np.float64]
    """(LEVELS, 14, 1820) the other side's reach probabilities below a node, by its rank or go."""
    values: npt.NDArray[np.float64]
    """(LEVELS, 2) counterfactual net points from this node on."""
    edge: npt.NDArray[np.float64]
    """(LEVELS, 2) the probability in the book and the net points of the action before this node."""
    policy: npt.NDArray[np.float64]
    """(LEVELS, 4) the book's probability of each own card."""
    pile: npt.NDArray[np.int64]
    """(32,) ranks of the cards played on the path to the current node. All levels share it."""


def new_walk() -> Walk:
    """Return a walk, which can be used again; 5 MB."""
    return Walk(
        np.zeros((LEVELS + 1, WIDTH), np.int64),
        np.zeros((LEVELS, 4), np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros((LEVELS, 2), np.int64),
        np.zeros((LEVELS, SILENT + 1, 1820)),
        np.zeros((LEVELS, 2)),
        np.zeros((LEVELS, 2)),
        np.zeros((LEVELS, 4)),
        np.zeros(32, np.int64),
    )


@kernel
def hand_values(side: int, own: Any, others: Any, book: Any, walk: Walk, values: Any) -> None:
    """Write to values (2,) the net points of `side` with a best response and by the book.

    own: its four ranks, ascending. others: (1820,) probability of each hand of the other side. book: see
    `deal.Policies.book`.
    """
    begin_play(walk.public[0])
    for card in range(4):
        walk.own[0, card] = own[card]
    # The last level's first row, which no node uses, has the probabilities at the root.
    walk.reached[0, 0], walk.reached[0, 1] = LEVELS - 1, 0
    for hand in range(SIZES[4]):
        walk.rows[LEVELS - 1, 0, hand] = others[hand]
    level = 0
    _enter(0, side, book, walk)
    while level >= 0:
        row = _next_child(level, side, walk)
        if row < 0:
            level -= 1
            if level >= 0:
                _take_values(level, side, walk)
            continue
        _go_below(level, row, side, walk)
        level += 1
        _enter(level, side, book, walk)
    for which in range(2):
        values[which] = walk.values[0, which]


@part
def _enter(level: int, side: int, book: Any, walk: Walk) -> None:
    """Write the value of an ending, or the actions at another node."""
    public, chances = walk.public[level], walk.rows[walk.reached[level, 0], walk.reached[level, 1]]
    turn = public[TURN]
    held, other = public[HELD + side], public[HELD + 1 - side]
    walk.values[level, BEST], walk.values[level, BY_BOOK] = 0.0, 0.0
    walk.step[level] = 0
    if held == 0 or other == 0:
        value = _ending(level, side, chances, walk)
        walk.values[level, BEST], walk.values[level, BY_BOOK] = value, value
        walk.step[level] = SILENT + 1
    elif turn == side:
        fitting = card_policy(public, walk.own[level], held, walk.pile, book, walk.policy[level])
        if fitting == 0:
            walk.step[level] = SILENT
        else:
            walk.values[level, BEST] = -1e9
    else:
        _split(level, chances, other, book, walk)


@part
def _ending(level: int, side: int, chances: Any, walk: Walk) -> float:
    """Return the net points if a side has no card left; the other side plays its best order."""
    public = walk.public[level]
    held, other = public[HELD + side], public[HELD + 1 - side]
    value = 0.0
    if held == 0 and other == 0:
        mass = _mass(chances, 1)
        return 0.0 if public[COUNT] == 0 else (mass if public[LAST] == side else -mass)
    start, end, count = public[START], public[END], public[COUNT]
    if other == 0:
        alone = play_alone(walk.pile, start, end, count, walk.own[level], held)
        return _mass(chances, 1) * (alone.points - alone.needs_go)
    for hand in range(SIZES[other]):
        if chances[hand] > 0:
            alone = play_alone(walk.pile, start, end, count, CARDS[other, hand], other)
            value -= chances[hand] * (alone.points - alone.needs_go)
    return value


@part
def _mass(chances: Any, hands: int) -> float:
    mass = 0.0
    for hand in range(hands):
        mass += chances[hand]
    return mass


@part
def _split(level: int, chances: Any, held: int, book: Any, walk: Walk) -> None:
    """Write the rows of a node with the other side on turn."""
    public, rows = walk.public[level], walk.rows[level]
    for rank in range(13):
        for hand in range(SIZES[held - 1]):
            rows[rank, hand] = 0.0
    policy = walk.policy[level]
    for hand in range(SIZES[held]):
        rows[SILENT, hand] = 0.0
        if chances[hand] == 0.0:
            continue
        cards = CARDS[held, hand]
        if card_policy(public, cards, held, walk.pile, book, policy) == 0:
            rows[SILENT, hand] = chances[hand]
            continue
        for card in range(held):
            if policy[card] > 0:
                rest = WITHOUT[held, hand, cards[card]]
                rows[cards[card], rest] += chances[hand] * policy[card]


@part
def _next_child(level: int, side: int, walk: Walk) -> int:
    """Return the next action at a node: the place of an own card, a rank, or SILENT; -1 if there is none."""
    public = walk.public[level]
    own = public[TURN] == side
    held = public[HELD + public[TURN]]
    while walk.step[level] <= SILENT:
        at = walk.step[level]
        walk.step[level] += 1
        if own:
            if at == SILENT:
                return SILENT
            if at >= held:
                return -1
            card = walk.own[level, at]
            if playable(public[COUNT], value_of(card)) and (at == 0 or card != walk.own[level, at - 1]):
                return int(at)
        else:
            size = SIZES[held] if at == SILENT else SIZES[held - 1]
            for hand in range(size):
                if walk.rows[level, at, hand] > 0:
                    return int(at)
    return -1


@part
def _go_below(level: int, row: int, side: int, walk: Walk) -> None:
    public, below = walk.public[level], walk.public[level + 1]
    own = public[TURN] == side
    for card in range(4):
        walk.own[level + 1, card] = walk.own[level, card]
    if own:
        walk.reached[level + 1, 0], walk.reached[level + 1, 1] = (
            walk.reached[level, 0],
            walk.reached[level, 1],
        )
    else:
        walk.reached[level + 1, 0], walk.reached[level + 1, 1] = level, row
    walk.edge[level + 1, 0] = 1.0
    if row == SILENT:
        last = public[LAST]
        ended = go(public, below)
        walk.edge[level + 1, 1] = 0.0 if ended == 0 else (1.0 if last == side else -1.0)
        return
    rank = walk.own[level, row] if own else row
    if own:
        walk.edge[level + 1, 0] = walk.policy[level, row]
        for card in range(row, 3):
            walk.own[level + 1, card] = walk.own[level, card + 1]
    walk.pile[public[END]] = rank
    points = card_points(walk.pile, public[START], public[END] + 1, public[COUNT] + value_of(rank))
    walk.edge[level + 1, 1] = float(points) if own else -float(points)
    play_rank(public, below, rank)


@part
def _take_values(level: int, side: int, walk: Walk) -> None:
    below = level + 1
    public = walk.public[level]
    chances = walk.rows[walk.reached[below, 0], walk.reached[below, 1]]
    gained = 0.0
    if walk.edge[below, 1] != 0.0:
        gained = walk.edge[below, 1] * _mass(chances, SIZES[walk.public[below, HELD + 1 - side]])
    best, by_book = walk.values[below, BEST] + gained, walk.values[below, BY_BOOK] + gained
    if public[TURN] == side:
        walk.values[level, BEST] = max(walk.values[level, BEST], best)
        walk.values[level, BY_BOOK] += walk.edge[below, 0] * by_book
        if walk.step[level] == SILENT + 1:
            walk.values[level, BEST] = best
    else:
        walk.values[level, BEST] += best
        walk.values[level, BY_BOOK] += by_book
