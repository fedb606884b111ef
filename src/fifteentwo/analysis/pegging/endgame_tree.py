"""The public tree of the rest of a play of two, grown from one position on with a value at every end.

Rows stand parents before children. Vectors go over hands of so many ranks, as in `beliefs_loops`; to each row
belong stretches of flat arrays. A leaf carries a table [own hand, other hand] of value × ways to hold both
and to have laid what was laid, so no row needs to know what came before it.
"""

from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.pegging.beliefs_loops import Floats, Ints
from fifteentwo.analysis.pegging.look_ahead_loops import Stakes, digits_of, is_won, shown
from fifteentwo.fast.compiled import borrowing, part
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import (
    COUNT,
    END,
    HELD,
    LAST,
    LIMIT,
    LOWS,
    SEEN,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    lay,
    play_alone,
    play_singles,
    playable,
    turn_of,
    value_of,
)

INNER, OWN_SIZE, FOE_SIZE, ROOM, CELLS, OWN_AT, FOE_AT, OWN_VALUE, FOE_VALUE, TABLE, CHILD = range(11)
"""Places of a row: whose choice is left, cards held, room below 31, where its strategy begins, where its
reach and values begin, where a leaf's table begins, its children."""
ROW = CHILD + 14
NOBODY, OWN, FOE = range(3)
"""Whose choice is left at a row."""
GO = 13
"""The child after a go."""
PILE = 16
COUNTERS = 7
ROWS, CELL, OWN_REACH, FOE_REACH, OWN_WORTH, FOE_WORTH, TABLES = range(COUNTERS)
"""How much of each a tree takes."""
LEVELS = 24
"""Cards and goes of a deal, with room to spare."""
FRESH = -1
"""The step of a level before any."""


class Position(NamedTuple):
    """The public play from the own side's eyes."""

    side: int
    public: Ints
    pile: Ints
    scores: Ints
    """(2,): own and the other's."""
    laid: Ints
    """(2, 4): ranks laid so far by the own side and the other."""
    starter: int
    stakes: Stakes
    kept: int
    """The own hand as it was kept, by digits: its flush and nobs are known, of no other hand."""
    hands: tuple[Ints, ...]
    """The ranks of every hand of none to three cards."""


class Tree(NamedTuple):
    """What is written of a tree."""

    rows: Ints
    """(ROWS, ROW)."""
    plays: Ints
    """(ROWS, WIDTH + PILE): public play and pile of each row."""
    tables: Floats
    """(2, TABLES): values at the leaves, by own hands and by the other's."""
    used: Ints
    """(COUNTERS,): how much of each it takes."""


class Growth(NamedTuple):
    """Where the growing stands, level by level."""

    states: Ints
    """(levels, WIDTH)."""
    scores: Ints
    """(levels, 2)."""
    steps: Ints
    chances: Floats
    """Ways to have laid what was laid since the root."""
    row_at: Ints
    laid: Ints
    pile: Ints
    left: Ints
    """(13,): cards of each rank still to be held."""
    foes: Ints
    """(455,): the other's hands at a leaf, by digits."""
    four: Ints
    """(4,)."""
    ended: Ints
    """(2,): scores at an end."""


@borrowing
def ways(left: Ints, one: Ints, other: Ints) -> float:
    """Ways to lay these ranks, in their order, from so many cards left of each rank."""
    product = 1.0
    for place in range(len(one)):
        rank = one[place]
        drawn = 0
        for before in range(place):
            drawn += one[before] == rank
        product *= max(left[rank] - drawn, 0)
    for place in range(len(other)):
        rank = other[place]
        drawn = 0
        for before in range(len(one)):
            drawn += one[before] == rank
        for before in range(place):
            drawn += other[before] == rank
        product *= max(left[rank] - drawn, 0)
    return product


@part
def alone(public: Ints, pile: Ints, who: int, target: int, cards: Ints, scores: Ints) -> None:
    """Play out the last cards of one side (0 the own), the other out of them; scores (2,) are raised.

    The order with most points is taken.
    """
    best = play_alone(pile, public[START], public[END], public[COUNT], cards, len(cards))
    scores[1 - who] += best.given
    if target == 0 or scores[1 - who] < target:
        scores[who] += best.points


@borrowing
def digits_with(laid: Ints, size: int, held: Ints, four: Ints) -> int:
    """The hand of four that laid[:size] and the ranks still held make, by digits."""
    for place in range(size):
        four[place] = laid[place]
    for place in range(size, 4):
        four[place] = held[place - size]
    return digits_of(four, 0)


@part
def fill_leaf(level: int, position: Position, growth: Growth, tree: Tree) -> None:
    """Write the tables of a leaf: value × ways by [own hand, other hand] and the other way about."""
    public = growth.states[level]
    stakes, hands, left = position.stakes, position.hands, growth.left
    own_size, foe_size = public[HELD + position.side], public[HELD + 1 - position.side]
    owns, foes = hands[own_size], hands[foe_size]
    over = is_won(growth.scores[level, 0], growth.scores[level, 1], stakes.target)
    counts = stakes.target > 0 and not over
    for rank in range(13):
        left[rank] = 4 - public[SEEN + rank] - (rank == position.starter)
    if counts:
        for other in range(len(foes)):
            growth.foes[other] = digits_with(growth.laid[1], 4 - foe_size, foes[other], growth.four)
    begin = tree.used[TABLES]
    for one in range(len(owns)):
        possible = ways(left, owns[one], hands[0][0]) > 0
        show = 0
        if possible and counts:
            digits = digits_with(growth.laid[0], 4 - own_size, owns[one], growth.four)
            show = stakes.show if digits == position.kept else stakes.shows[digits]
        for other in range(len(foes)):
            value = 0.0
            if possible:
                value = growth.chances[level] * ways(left, owns[one], foes[other])
            if value != 0:
                growth.ended[0] = growth.scores[level, 0]
                growth.ended[1] = growth.scores[level, 1]
                if not over:
                    play_out(public, position, growth, owns[one], foes[other])
                value *= shown(growth.ended[0], growth.ended[1], show, growth.foes[other], stakes)
            tree.tables[0, begin + one * len(foes) + other] = value
            tree.tables[1, begin + other * len(owns) + one] = value


@part
def play_out(public: Ints, position: Position, growth: Growth, own: Ints, foe: Ints) -> None:
    """Raise growth.ended to the scores at the end of the play, where nothing is left to choose."""
    side, target, pile, ended = position.side, position.stakes.target, growth.pile, growth.ended
    if len(own) > 0 and len(foe) > 0:
        play_singles(pile, turn_of(public), side, (own[0], foe[0]), ended, target)
    elif len(own) > 0:
        alone(public, pile, 0, target, own, ended)
    else:
        alone(public, pile, 1, target, foe, ended)


@part
def has_choice(public: Ints, own: int, other: int, target: int) -> bool:
    """Whether both sides still hold cards, and not just one each, and nobody is out."""
    if is_won(own, other, target):
        return False
    return bool(public[HELD] > 0 and public[HELD + 1] > 0 and public[HELD] + public[HELD + 1] > 2)


def empty_growth(position: Position) -> Growth:
    """A growth that stands at the root."""
    states, scores = np.zeros((LEVELS, WIDTH), np.int64), np.zeros((LEVELS, 2), np.int64)
    states[0], scores[0] = position.public, position.scores
    return Growth(
        states,
        scores,
        np.zeros(LEVELS, np.int64),
        np.ones(LEVELS),
        np.zeros(LEVELS, np.int64),
        position.laid.copy(),
        position.pile.copy(),
        np.zeros(13, np.int64),
        np.zeros(455, np.int64),
        np.zeros(4, np.int64),
        np.zeros(2, np.int64),
    )


@borrowing
def grow(position: Position, growth: Growth, filling: bool, tree: Tree) -> None:
    """Write the public tree below a position, or only count in tree.used what it takes.

    A rank is followed where a card of it may be held. growth: at the root.
    """
    for counter in range(COUNTERS):
        tree.used[counter] = 0
    tree.used[OWN_REACH] = SIZES[position.public[HELD + position.side]]
    tree.used[FOE_REACH] = SIZES[position.public[HELD + 1 - position.side]]
    level = 0
    growth.steps[0] = FRESH
    while level >= 0:
        if growth.steps[level] == FRESH and not add_row(level, position, growth, filling, tree):
            level -= 1
        elif go_down(level, position, growth):
            level += 1
            growth.steps[level] = FRESH
        else:
            level -= 1


@part
def add_row(level: int, position: Position, growth: Growth, filling: bool, tree: Tree) -> bool:
    """Add the row of a level; whether it has a choice, and so children."""
    public, used, side = growth.states[level], tree.used, position.side
    own_size, foe_size = public[HELD + side], public[HELD + 1 - side]
    chooses = has_choice(public, growth.scores[level, 0], growth.scores[level, 1], position.stakes.target)
    growth.row_at[level] = used[ROWS]
    if filling:
        write_row(level, chooses, position, growth, tree)
    used[ROWS] += 1
    if level > 0 and growth.states[level - 1, TURN] == side:
        used[OWN_REACH] += SIZES[own_size]
    elif level > 0:
        used[FOE_REACH] += SIZES[foe_size]
    used[OWN_WORTH] += SIZES[own_size]
    used[FOE_WORTH] += SIZES[foe_size]
    if chooses:
        used[CELL] += 13 * SIZES[public[HELD + public[TURN]] - 1]
        return True
    if filling:
        fill_leaf(level, position, growth, tree)
    used[TABLES] += SIZES[own_size] * SIZES[foe_size]
    return False


@part
def write_row(level: int, chooses: bool, position: Position, growth: Growth, tree: Tree) -> None:
    """Write where everything of a row lies, and tell its parent."""
    public, used, rows, side = growth.states[level], tree.used, tree.rows, position.side
    row = used[ROWS]
    mover = OWN if public[TURN] == side else FOE
    rows[row, INNER] = mover if chooses else NOBODY
    rows[row, OWN_SIZE] = public[HELD + side]
    rows[row, FOE_SIZE] = public[HELD + 1 - side]
    rows[row, ROOM] = LIMIT - public[COUNT]
    rows[row, CELLS] = used[CELL]
    rows[row, OWN_VALUE] = used[OWN_WORTH]
    rows[row, FOE_VALUE] = used[FOE_WORTH]
    rows[row, TABLE] = used[TABLES]
    for step in range(14):
        rows[row, CHILD + step] = -1
    for place in range(WIDTH):
        tree.plays[row, place] = public[place]
    for place in range(public[END]):
        tree.plays[row, WIDTH + place] = growth.pile[place]
    if level == 0:
        rows[row, OWN_AT] = 0
        rows[row, FOE_AT] = 0
        return
    parent = growth.row_at[level - 1]
    rows[parent, CHILD + growth.steps[level - 1]] = row
    # Only who chose has another reach below.
    owns = rows[parent, INNER] == OWN
    rows[row, OWN_AT] = used[OWN_REACH] if owns else rows[parent, OWN_AT]
    rows[row, FOE_AT] = rows[parent, FOE_AT] if owns else used[FOE_REACH]


@part
def go_down(level: int, position: Position, growth: Growth) -> bool:
    """Write the level below for the next rank that may be laid, or for a go; False where nothing is left."""
    public, then = growth.states[level], growth.states[level + 1]
    scores, side = growth.scores, position.side
    scores[level + 1, 0] = scores[level, 0]
    scores[level + 1, 1] = scores[level, 1]
    mover = 0 if public[TURN] == side else 1
    for rank in range(growth.steps[level] + 1, 13):
        copies = 4 - public[SEEN + rank] - (rank == position.starter)
        now = public[COUNT] + value_of(rank)
        if (
            playable(public[COUNT], value_of(rank))
            and value_of(rank) > public[LOWS + public[TURN]]
            and copies > 0
        ):
            growth.pile[public[END]] = rank
            scores[level + 1, mover] += card_points(growth.pile, public[START], public[END] + 1, now)
            growth.laid[mover, 4 - public[HELD + public[TURN]]] = rank
            growth.chances[level + 1] = growth.chances[level] * copies
            lay(public, then, rank)
            growth.steps[level] = rank
            return True
    if growth.steps[level] == GO or public[COUNT] <= 21:
        return False
    growth.chances[level + 1] = growth.chances[level]
    if go(public, then):
        scores[level + 1, 0 if public[LAST] == side else 1] += 1
    growth.steps[level] = GO
    return True
