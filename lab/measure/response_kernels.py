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

MAX_NODES = 24
"""Size of the arrays of `TreeWalk`; a line of play has fewer nodes."""
GO_ROW = 13
"""The row of a go in `TreeWalk.reach`, after the rows of the 13 ranks."""
BEST, BY_BOOK = 0, 1
"""Indices of the two values: with a best response, and by the book."""
RANKS_OF_HAND = np.zeros((5, 1820, 4), np.int64)
"""[number of cards, hand]: the ranks of each hand, ascending."""
RANKS_OF_HAND[1, :13, 0] = np.arange(13)
RANKS_OF_HAND[2, :91, :2], RANKS_OF_HAND[3, :455, :3], RANKS_OF_HAND[4] = PAIRS, TRIPLES, FOURS
HAND_WITHOUT_RANK = np.zeros((5, 1820, 13), np.int64)
"""[number of cards, hand, rank]: the number of the hand that is left without a card of this rank."""
for _size in range(2, 5):
    HAND_WITHOUT_RANK[_size, : SIZES[_size]] = without(_size)


class TreeWalk(NamedTuple):
    """Arrays for a walk through the tree of play: a stack of the nodes on the path to the current node."""

    public: npt.NDArray[np.int64]
    """(MAX_NODES + 1, WIDTH) the public state at each node, in the layout of `fast.play`."""
    own_cards: npt.NDArray[np.int64]
    """(MAX_NODES, 4) ranks that the own hand still holds at each node, ascending."""
    next_child: npt.NDArray[np.int64]
    """(MAX_NODES,) the child to visit next: the index of an own card, or a row of `reach`."""
    reach_row: npt.NDArray[np.int64]
    """(MAX_NODES, 2) indices [node, row] in `reach` of the probabilities with which each node is reached."""
    reach: npt.NDArray[np.float64]
    """(MAX_NODES, 14, 1820) probability that the other side holds a hand and plays so that a child is
    reached: [node, rank that it plays or GO_ROW, hand]."""
    values: npt.NDArray[np.float64]
    """(MAX_NODES, 2) counterfactual net points from each node to the end: [node, BEST or BY_BOOK]."""
    edge: npt.NDArray[np.float64]
    """(MAX_NODES, 2) the book's probability of the action before each node, and the net points of that
    action."""
    policy: npt.NDArray[np.float64]
    """(MAX_NODES, 4) the book's probability of each own card at each node."""
    pile: npt.NDArray[np.int64]
    """(32,) ranks of the cards played on the path to the current node. All nodes share it."""


def new_walk() -> TreeWalk:
    """Return the arrays for a walk, which can be used again; 5 MB."""
    return TreeWalk(
        np.zeros((MAX_NODES + 1, WIDTH), np.int64),
        np.zeros((MAX_NODES, 4), np.int64),
        np.zeros(MAX_NODES, np.int64),
        np.zeros((MAX_NODES, 2), np.int64),
        np.zeros((MAX_NODES, GO_ROW + 1, 1820)),
        np.zeros((MAX_NODES, 2)),
        np.zeros((MAX_NODES, 2)),
        np.zeros((MAX_NODES, 4)),
        np.zeros(32, np.int64),
    )


@kernel
def hand_values(side: int, own: Any, others: Any, book: Any, walk: TreeWalk, values: Any) -> None:
    """Write to values (2,) the net points in pegging of `side` with a best response and by the book.

    own: its ranks, ascending. others: (1820,) probability of each other hand. book: see `deal.Policies.book`.
    """
    begin_play(walk.public[0])
    for card in range(4):
        walk.own_cards[0, card] = own[card]
    # The last level's first row, which no node uses, has the probabilities at the root.
    walk.reach_row[0, 0], walk.reach_row[0, 1] = MAX_NODES - 1, 0
    for hand in range(SIZES[4]):
        walk.reach[MAX_NODES - 1, 0, hand] = others[hand]
    level = 0
    _evaluate_node(0, side, book, walk)
    while level >= 0:
        row = _next_child(level, side, walk)
        if row < 0:
            level -= 1
            if level >= 0:
                _add_child_values(level, side, walk)
            continue
        _write_child(level, row, side, walk)
        level += 1
        _evaluate_node(level, side, book, walk)
    for which in range(2):
        values[which] = walk.values[0, which]


@part
def _evaluate_node(level: int, side: int, book: Any, walk: TreeWalk) -> None:
    """Write a node's value if a side has no cards left, otherwise prepare its actions."""
    public, chances = walk.public[level], walk.reach[walk.reach_row[level, 0], walk.reach_row[level, 1]]
    turn = public[TURN]
    held, other = public[HELD + side], public[HELD + 1 - side]
    walk.values[level, BEST], walk.values[level, BY_BOOK] = 0.0, 0.0
    walk.next_child[level] = 0
    if held == 0 or other == 0:
        value = _ending(level, side, chances, walk)
        walk.values[level, BEST], walk.values[level, BY_BOOK] = value, value
        walk.next_child[level] = GO_ROW + 1
    elif turn == side:
        fitting = card_policy(public, walk.own_cards[level], held, walk.pile, book, walk.policy[level])
        if fitting == 0:
            walk.next_child[level] = GO_ROW
        else:
            walk.values[level, BEST] = -1e9
    else:
        _write_replies(level, chances, other, book, walk)


@part
def _ending(level: int, side: int, chances: Any, walk: TreeWalk) -> float:
    """Return the net points if a side has no card left; the side with cards plays its best order."""
    public = walk.public[level]
    held, other = public[HELD + side], public[HELD + 1 - side]
    value = 0.0
    if held == 0 and other == 0:
        mass = _sum_first(chances, 1)
        return 0.0 if public[COUNT] == 0 else (mass if public[LAST] == side else -mass)
    start, end, count = public[START], public[END], public[COUNT]
    if other == 0:
        alone = play_alone(walk.pile, start, end, count, walk.own_cards[level], held)
        return _sum_first(chances, 1) * (alone.points - alone.needs_go)
    for hand in range(SIZES[other]):
        if chances[hand] > 0:
            alone = play_alone(walk.pile, start, end, count, RANKS_OF_HAND[other, hand], other)
            value -= chances[hand] * (alone.points - alone.needs_go)
    return value


@part
def _sum_first(chances: Any, hands: int) -> float:
    mass = 0.0
    for hand in range(hands):
        mass += chances[hand]
    return mass


@part
def _write_replies(level: int, chances: Any, held: int, book: Any, walk: TreeWalk) -> None:
    """Write the reach probabilities below a node at which the other side acts."""
    public, rows = walk.public[level], walk.reach[level]
    for rank in range(13):
        for hand in range(SIZES[held - 1]):
            rows[rank, hand] = 0.0
    policy = walk.policy[level]
    for hand in range(SIZES[held]):
        rows[GO_ROW, hand] = 0.0
        if chances[hand] == 0.0:
            continue
        cards = RANKS_OF_HAND[held, hand]
        if card_policy(public, cards, held, walk.pile, book, policy) == 0:
            rows[GO_ROW, hand] = chances[hand]
            continue
        for card in range(held):
            if policy[card] > 0:
                rest = HAND_WITHOUT_RANK[held, hand, cards[card]]
                rows[cards[card], rest] += chances[hand] * policy[card]


@part
def _next_child(level: int, side: int, walk: TreeWalk) -> int:
    """Return the next action at a node: the index of an own card, a rank, or GO_ROW; -1 if there is none."""
    public = walk.public[level]
    own = public[TURN] == side
    held = public[HELD + public[TURN]]
    while walk.next_child[level] <= GO_ROW:
        at = walk.next_child[level]
        walk.next_child[level] += 1
        if own:
            if at == GO_ROW:
                return GO_ROW
            if at >= held:
                return -1
            card = walk.own_cards[level, at]
            if playable(public[COUNT], value_of(card)) and (at == 0 or card != walk.own_cards[level, at - 1]):
                return int(at)
        else:
            size = SIZES[held] if at == GO_ROW else SIZES[held - 1]
            for hand in range(size):
                if walk.reach[level, at, hand] > 0:
                    return int(at)
    return -1


@part
def _write_child(level: int, row: int, side: int, walk: TreeWalk) -> None:
    """Write the state and the own cards after an action, and the action's probability and points."""
    public, below = walk.public[level], walk.public[level + 1]
    own = public[TURN] == side
    for card in range(4):
        walk.own_cards[level + 1, card] = walk.own_cards[level, card]
    if own:
        walk.reach_row[level + 1, 0], walk.reach_row[level + 1, 1] = (
            walk.reach_row[level, 0],
            walk.reach_row[level, 1],
        )
    else:
        walk.reach_row[level + 1, 0], walk.reach_row[level + 1, 1] = level, row
    walk.edge[level + 1, 0] = 1.0
    if row == GO_ROW:
        last = public[LAST]
        ended = go(public, below)
        walk.edge[level + 1, 1] = 0.0 if ended == 0 else (1.0 if last == side else -1.0)
        return
    rank = walk.own_cards[level, row] if own else row
    if own:
        walk.edge[level + 1, 0] = walk.policy[level, row]
        for card in range(row, 3):
            walk.own_cards[level + 1, card] = walk.own_cards[level, card + 1]
    walk.pile[public[END]] = rank
    points = card_points(walk.pile, public[START], public[END] + 1, public[COUNT] + value_of(rank))
    walk.edge[level + 1, 1] = float(points) if own else -float(points)
    play_rank(public, below, rank)


@part
def _add_child_values(level: int, side: int, walk: TreeWalk) -> None:
    """Take the values of the node below into the values of this node."""
    below = level + 1
    public = walk.public[level]
    chances = walk.reach[walk.reach_row[below, 0], walk.reach_row[below, 1]]
    gained = 0.0
    if walk.edge[below, 1] != 0.0:
        gained = walk.edge[below, 1] * _sum_first(chances, SIZES[walk.public[below, HELD + 1 - side]])
    best, by_book = walk.values[below, BEST] + gained, walk.values[below, BY_BOOK] + gained
    if public[TURN] == side:
        walk.values[level, BEST] = max(walk.values[level, BEST], best)
        walk.values[level, BY_BOOK] += walk.edge[below, 0] * by_book
        if walk.next_child[level] == GO_ROW + 1:
            walk.values[level, BEST] = best
    else:
        walk.values[level, BEST] += best
        walk.values[level, BY_BOOK] += by_book
