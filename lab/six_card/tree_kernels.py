"""Kernels that walk the public tree of pegging, and the keys of its endings.

A node is a public history after the lead and the reply. Nodes are not stored: all walks visit them in the
same order (a node before its children, ranks ascending, the go last) and advance through flat arrays of cells
and endings. The tree ends when one side has no card left; these endings are scored in advance.

Ranks are 0–12 (ace low), sides 0 pone and 1 dealer. A walk has its own stack, because numba cannot cache
recursive functions.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import PAIRS, TRIPLES
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import LIMIT, Turn, after_card, after_go, holding, playable, value_of

Ints = npt.NDArray[np.int64]

SIZE = np.array([1, 16, 208, 455, 1820], dtype=np.int64)
"""Length of a vector over the hands of a size. One card: a slot for each rank (13 used). Two cards: 13 rows
of 16, with the pair {i, j} in slots (i, j) and (j, i). Three and four cards: the multisets in ascending
order."""
SLOT = PAIRS[:, 0] * 16 + PAIRS[:, 1]
MIRROR = PAIRS[:, 1] * 16 + PAIRS[:, 0]
"""(91,) the two slots of each pair."""
LEAST = np.zeros((4, 455), np.int64)
"""[cards, place in the vector]: the lowest counting value in each hand, 0 for unused places."""
LEAST[1, :13] = VALUES
LEAST[2, SLOT] = LEAST[2, MIRROR] = VALUES[PAIRS[:, 0]]
LEAST[3] = VALUES[TRIPLES[:, 0]]

LEVELS = 20
"""More than the number of nodes in a line of play after the reply."""
AFTER_GO = 20
"""The step of a node all whose children have been visited."""
NODE = np.dtype(
    [
        ("held", np.int64, 2),  # cards of each side
        ("low", np.int64, 2),  # the side has no card of this value or less, because it said go
        ("side", np.int64),  # the fields of fast.play.Turn
        ("count", np.int64),
        ("start", np.int64),
        ("end", np.int64),
        ("gone", np.int64),
        ("last", np.int64),
        ("history", np.int64),  # digits to the base 15: rank + 1, or 14 for a go
        ("ranks", np.int64),  # bits of the ranks that may be played here
        ("step", np.int64),  # 0 at first, rank + 1 below a card, AFTER_GO below a go
        ("first_cell", np.int64),
    ]
)
"""A node. The stack of a walk has LEVELS nodes."""
STATE = np.dtype(
    [
        ("left", np.float32, 16),  # cards of each rank not played; 13 used
        ("pile", np.int64, 32),  # ranks played
        ("cell", np.int64),  # the next place in each flat array
        ("single", np.int64),
        ("pair", np.int64),
        ("triple", np.int64),
        ("node", np.int64),
    ],
    align=True,
)
"""The cards on the table, and the next places of a walk in the flat arrays."""
TAIL = 14**7
"""More than the largest tail code."""


class Nodes(NamedTuple):
    """Nodes where a side has two or three cards and may play two or more ranks, in the order of the walk."""

    history: Ints
    cell: Ints
    """The first cell of each."""
    ranks: Ints
    """The bits of its ranks."""
    cards: Ints
    """Cards of the side on turn."""


class Survey(NamedTuple):
    """The result of a survey: the key of every ending, and every decision node."""

    single: Ints
    """Endings with a card on each side."""
    pair: Ints
    """Endings with one side alone with two cards."""
    triple: Ints
    """Endings with one side alone with three cards."""
    nodes: Nodes


@kernel
def enter(node: Any, now: Turn) -> None:
    """Write the turn at a new node."""
    node.side = now.seat
    node.count = now.total
    node.start = now.start
    node.end = now.end
    node.gone = now.gone
    node.last = now.last
    node.step = 0


@kernel
def open_node(node: Any, state: Any) -> None:
    """Write the ranks that may be played, and the first cell."""
    low = node.low[node.side]
    ranks = 0
    for rank in range(13):
        value = value_of(rank)
        if value > low and playable(node.count, value) and state.left[rank] > 0:
            ranks |= 1 << rank
    node.ranks = ranks
    node.first_cell = state.cell


@kernel
def ends(node: Any) -> bool:
    """Return whether every card played here leads to an ending."""
    own = node.held[node.side]
    return bool(own == 1 or (own == 2 and node.held[1 - node.side] == 1))


@kernel
def next_rank(node: Any) -> int:
    """Return the next rank whose card leads to a node, 13 if there is none."""
    if ends(node):
        return 13
    rank = int(node.step)
    while rank < 13 and node.ranks >> rank & 1 == 0:
        rank += 1
    return rank


@kernel
def play_card(node: Any, below: Any, state: Any, rank: int) -> None:
    """Play a rank; `below` becomes the node that follows."""
    side = node.side
    node.step = rank + 1
    state.left[rank] -= 1
    state.pile[node.end] = rank
    for each in range(2):
        below.held[each] = node.held[each]
        below.low[each] = node.low[each]
    below.held[side] -= 1
    below.history = node.history * 15 + rank + 1
    now = Turn(side, node.count, node.start, node.end, node.gone, node.last)
    enter(below, after_card(2, now, value_of(rank), holding(below.held[0], below.held[1])))


@kernel
def take_back(node: Any, state: Any) -> int:
    """Take back the last rank played, and return it."""
    rank = int(node.step) - 1
    state.left[rank] += 1
    return rank


@kernel
def may_go(node: Any) -> bool:
    """Return whether the side on turn may have to say go."""
    return bool(node.count > 21)


@kernel
def say_go(node: Any, below: Any) -> None:
    """Say go; `below` becomes the node that follows."""
    side = node.side
    node.step = AFTER_GO
    for each in range(2):
        below.held[each] = node.held[each]
        below.low[each] = node.low[each]
    below.low[side] = max(node.low[side], LIMIT - node.count)
    below.history = node.history * 15 + 14
    now = Turn(side, node.count, node.start, node.end, node.gone, node.last)
    enter(below, after_go(2, now, holding(node.held[0], node.held[1])))


@kernel
def next_level(nodes: Any, level: int, state: Any) -> int:
    """Advance a walk to the next child or back to the parent; return the level of the next node."""
    node, below = nodes[level], nodes[level + 1]
    rank = next_rank(node)
    if rank < 13:
        play_card(node, below, state, rank)
    elif may_go(node):
        say_go(node, below)
    else:
        return level - 1
    return level + 1


@kernel
def ranks_in(ranks: int) -> int:
    number = 0
    for rank in range(13):
        number += ranks >> rank & 1
    return number


@kernel
def cells_in(cards: int, ranks: int) -> int:
    """Return the number of cells of a node, by the cards of the side on turn and the ranks it may play.

    Two cards have a cell for each of two ranks; three cards have a row of the 91 pairs kept for each rank.
    """
    number = ranks_in(ranks)
    if cards == 3:
        return number * 91
    return number * (number - 1) if cards == 2 else 0


@kernel
def survey(nodes: Any, state: Any, surveyed: Survey, filling: bool) -> None:
    """Count the cells, nodes and endings below nodes[0]; if `filling`, write them to `surveyed`."""
    level = 0
    while level >= 0:
        node = nodes[level]
        if node.step == 0:
            open_node(node, state)
            survey_node(node, state, surveyed, filling)
        elif node.step == AFTER_GO:
            level -= 1
            continue
        else:
            take_back(node, state)
        level = next_level(nodes, level, state)


@kernel
def survey_node(node: Any, state: Any, surveyed: Survey, filling: bool) -> None:
    """Count the cells and endings of a node."""
    cards = node.held[node.side]
    other = node.held[1 - node.side]
    if cards >= 2 and ranks_in(node.ranks) >= 2:
        if filling:
            surveyed.nodes.history[state.node] = node.history
            surveyed.nodes.cell[state.node] = state.cell
            surveyed.nodes.ranks[state.node] = node.ranks
            surveyed.nodes.cards[state.node] = cards
        state.node += 1
    state.cell += cells_in(cards, node.ranks)
    if not ends(node):
        return
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        key = 0
        if filling:
            state.pile[node.end] = rank
            key = ending_key(node, state, rank, other if cards == 1 else 2)
        if cards == 2:
            if filling:
                surveyed.single[state.single] = key
            state.single += 1
        elif other == 2:
            if filling:
                surveyed.pair[state.pair] = key
            state.pair += 1
        else:
            if filling:
                surveyed.triple[state.triple] = key
            state.triple += 1


@kernel
def ending_key(node: Any, state: Any, rank: int, ahead: int) -> int:
    """Return the key of an ending: the last side, the count, and the cards that can still score."""
    count = node.count + value_of(rank)
    gone = 1 if node.gone and count < LIMIT and node.held[node.side] == 2 else 0
    key = ((node.side * 2 + gone) * 32 + count) * TAIL
    if count < LIMIT:
        key += tail_code(state.pile, node.start, node.end + 1, ahead)
    return int(key)


@kernel
def tail_code(pile: Any, start: int, end: int, ahead: int) -> int:
    """Return the end of a pile that can score with the next `ahead` cards: digits to the base 14."""
    size = end - start
    top = pile[end - 1]
    keep = 1
    while keep < size and pile[end - 1 - keep] == top:
        keep += 1
    if keep == 1:
        seen = 1 << top
        low, high, length = top, top, 1
        while length < size:
            rank = pile[end - 1 - length]
            if seen >> rank & 1:
                break
            seen |= 1 << rank
            low, high = min(low, rank), max(high, rank)
            length += 1
            if high - low <= length + ahead - 1:
                keep = length
    code = 0
    for at in range(end - keep, end):
        code = code * 14 + pile[at] + 1
    return code


@kernel
def unpack_tail(code: int, pile: Any) -> int:
    """Write the ranks of a tail code to pile[0:n] and return n."""
    size = 0
    rest = code
    while rest > 0:
        rest //= 14
        size += 1
    for at in range(size - 1, -1, -1):
        pile[at] = code % 14 - 1
        code //= 14
    return size
