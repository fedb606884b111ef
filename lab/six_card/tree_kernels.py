"""Kernels that walk the public tree of pegging, and the keys of its endings.

A node is a public history after the lead and the reply. Nodes are not stored: all walks visit them in the
same order (a node before its children, ranks ascending, the go last) and advance through flat arrays of cells
and endings. The tree ends when one side has no card left; these endings are scored in advance.

Ranks are 0–12 (ace low), sides 0 pone and 1 dealer. A walk has its own stack, because numba cannot cache
recursive functions.
"""

from typing import Any, NamedTuple

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import PAIRS, TRIPLES
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import LIMIT, Turn, after_card, after_go, holding, playable, value_of
from lab.cfr import Ints

VECTOR_LENGTH = np.array([1, 16, 208, 455, 1820], dtype=np.int64)
"""Length of a vector over hands of 0–4 cards. Two cards: 13 rows of 16, with {i, j} in slots (i, j) and (j,
i). Otherwise the multisets in ascending order, with unused slots at the end."""
SLOT = PAIRS[:, 0] * 16 + PAIRS[:, 1]
"""(91,) index of each pair, lower rank first, in a vector over hands of two cards."""
MIRROR = PAIRS[:, 1] * 16 + PAIRS[:, 0]
"""(91,) index of each pair, higher rank first, in a vector over hands of two cards."""
LOWEST_VALUE = np.zeros((4, 455), np.int64)
"""[cards, index in the vector]: the lowest counting value in each hand, 0 for unused slots."""
LOWEST_VALUE[1, :13] = VALUES
LOWEST_VALUE[2, SLOT] = LOWEST_VALUE[2, MIRROR] = VALUES[PAIRS[:, 0]]
LOWEST_VALUE[3] = VALUES[TRIPLES[:, 0]]

MAX_DEPTH = 20
"""More than the number of nodes on a path after the reply."""
AFTER_GO = 20
"""The `step` of a node whose children have all been visited."""
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
"""A node of the public tree as a record. The stack of a traversal has MAX_DEPTH nodes."""
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
"""The state of a traversal of the tree: the cards on the table, the next free index of each flat array."""
TAIL_CODES = 14**7
"""Upper bound of the results of `tail_code`; other parts of an ending's key are multiplied by it."""


class Nodes(NamedTuple):
    """Decision nodes in tree order: the side has two or three cards and may play two or more ranks."""

    history: Ints
    """Cards and goes before each node as a number: base-15 digits, rank + 1 or 14 for a go."""
    cell: Ints
    """Index of the first cell of each node."""
    ranks: Ints
    """Bits of the ranks that may be played at each node."""
    cards: Ints
    """Number of cards of the side on turn at each node."""


class Survey(NamedTuple):
    """Keys of all endings in tree order, and all decision nodes. Endings with equal keys score the same."""

    single: Ints
    """Keys of endings in which each side has one card."""
    pair: Ints
    """Keys of endings in which one side has two cards and the other none."""
    triple: Ints
    """Keys of endings in which one side has three cards and the other none."""
    nodes: Nodes


@kernel
def set_turn(node: Any, now: Turn) -> None:
    """Write the turn and the count to a new node."""
    node.side = now.seat
    node.count = now.total
    node.start = now.start
    node.end = now.end
    node.gone = now.gone
    node.last = now.last
    node.step = 0


@kernel
def open_node(node: Any, state: Any) -> None:
    """Write to a node the bits of the ranks that may be played, and the index of its first cell."""
    low = node.low[node.side]
    ranks = 0
    for rank in range(13):
        value = value_of(rank)
        if value > low and playable(node.count, value) and state.left[rank] > 0:
            ranks |= 1 << rank
    node.ranks = ranks
    node.first_cell = state.cell


@kernel
def leads_to_endings(node: Any) -> bool:
    """Return whether every card played at this node ends the tree."""
    own = node.held[node.side]
    return bool(own == 1 or (own == 2 and node.held[1 - node.side] == 1))


@kernel
def next_rank(node: Any) -> int:
    """Return the next rank to play at this node, 13 if there is none or its cards end the tree."""
    if leads_to_endings(node):
        return 13
    rank = int(node.step)
    while rank < 13 and node.ranks >> rank & 1 == 0:
        rank += 1
    return rank


@kernel
def play_card(node: Any, below: Any, state: Any, rank: int) -> None:
    """Play a rank at `node`; `below` becomes the node after it."""
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
    set_turn(below, after_card(2, now, value_of(rank), holding(below.held[0], below.held[1])))


@kernel
def take_back(node: Any, state: Any) -> int:
    """Undo the last card played at this node, and return its rank."""
    rank = int(node.step) - 1
    state.left[rank] += 1
    return rank


@kernel
def may_go(node: Any) -> bool:
    """Return whether the side on turn can be unable to play."""
    return bool(node.count > 21)


@kernel
def say_go(node: Any, below: Any) -> None:
    """Say go at `node`; `below` becomes the node after it."""
    side = node.side
    node.step = AFTER_GO
    for each in range(2):
        below.held[each] = node.held[each]
        below.low[each] = node.low[each]
    below.low[side] = max(node.low[side], LIMIT - node.count)
    below.history = node.history * 15 + 14
    now = Turn(side, node.count, node.start, node.end, node.gone, node.last)
    set_turn(below, after_go(2, now, holding(node.held[0], node.held[1])))


@kernel
def advance(nodes: Any, level: int, state: Any) -> int:
    """Move to the node's next child, or back to its parent; return the stack index of the new node."""
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
def count_ranks(ranks: int) -> int:
    """Return the number of bits set in `ranks`."""
    number = 0
    for rank in range(13):
        number += ranks >> rank & 1
    return number


@kernel
def count_cells(cards: int, ranks: int) -> int:
    """Return a node's number of cells. cards: of the side on turn. ranks: bits of those it may play."""
    number = count_ranks(ranks)
    if cards == 3:
        return number * 91
    return number * (number - 1) if cards == 2 else 0


@kernel
def survey(nodes: Any, state: Any, surveyed: Survey, filling: bool) -> None:
    """Count the cells, nodes and endings after nodes[0]. If `filling`, write them to `surveyed`."""
    level = 0
    while level >= 0:
        node = nodes[level]
        if node.step == 0:
            open_node(node, state)
            count_node(node, state, surveyed, filling)
        elif node.step == AFTER_GO:
            level -= 1
            continue
        else:
            take_back(node, state)
        level = advance(nodes, level, state)


@kernel
def count_node(node: Any, state: Any, surveyed: Survey, filling: bool) -> None:
    """Count a node's cells and endings. If `filling`, write them to `surveyed`."""
    cards = node.held[node.side]
    other = node.held[1 - node.side]
    if cards >= 2 and count_ranks(node.ranks) >= 2:
        if filling:
            surveyed.nodes.history[state.node] = node.history
            surveyed.nodes.cell[state.node] = state.cell
            surveyed.nodes.ranks[state.node] = node.ranks
            surveyed.nodes.cards[state.node] = cards
        state.node += 1
    state.cell += count_cells(cards, node.ranks)
    if not leads_to_endings(node):
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
    """Return the key of an ending; equal keys have equal points. rank: the last card. ahead: cards left."""
    count = node.count + value_of(rank)
    gone = 1 if node.gone and count < LIMIT and node.held[node.side] == 2 else 0
    key = ((node.side * 2 + gone) * 32 + count) * TAIL_CODES
    if count < LIMIT:
        key += tail_code(state.pile, node.start, node.end + 1, ahead)
    return int(key)


@kernel
def tail_code(pile: Any, start: int, end: int, ahead: int) -> int:
    """Return the end of a pile that can score with `ahead` more cards, as a number with base-14 digits."""
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
    """Write the ranks of a `tail_code` to `pile` and return their number."""
    size = 0
    rest = code
    while rest > 0:
        rest //= 14
        size += 1
    for at in range(size - 1, -1, -1):
        pile[at] = code % 14 - 1
        code //= 14
    return size
