"""Plain ways to play, written into the cells of the walk so that they can be measured like a solution.

GREEDY takes the most points now (among equals the highest card); REPLY takes points less the mean points of
a reply drawn from the cards not yet seen.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import LIMIT, card_points, playable, value_of
from fifteentwo.solver.pegging.open_hand_kernels import choose_of_three, choose_of_two
from fifteentwo.solver.pegging.tree_kernels import AFTER_GO, cells_in, next_level, open_node, take_back

GREEDY, REPLY = 0, 1
LIKED = np.dtype([("likes", np.float64, (13, 91)), ("best", np.float64, 455)], align=True)
"""What a way of playing likes, as `open_hand_kernels` chooses by it; here whatever stays."""
TIE = 1e-6
"""A rank more, among cards liked as much: the highest is played."""
LAST_CARD = 0.5
"""What a reply that does not fit is reckoned to give: the last card to oneself, half the time."""


@kernel
def liking(kind: int, rank: int, pile: Any, start: int, end: int, left: Any) -> float:
    """How much a way of playing likes to play a rank on pile[start:end]; no two alike."""
    pile[end] = rank
    count = 0
    for at in range(start, end + 1):
        count += value_of(pile[at])
    liked = float(card_points(pile, start, end + 1, count))
    if kind == REPLY and count < LIMIT:
        seen = 0.0
        lost = 0.0
        for reply in range(13):
            ways = float(left[reply]) - (1.0 if reply == rank else 0.0)
            if ways <= 0:
                continue
            seen += ways
            if playable(count, value_of(reply)):
                pile[end + 1] = reply
                lost += ways * card_points(pile, start, end + 2, count + value_of(reply))
            else:
                lost -= ways * LAST_CARD
        liked -= lost / max(seen, 1.0)
    return liked + rank * TIE


@kernel
def fill_baseline(kind: int, nodes: Any, liked: Any, state: Any, cells: Any) -> None:
    """Visit the tree below nodes[0]; the liked card of every hand gets 1 in its cell, others 0."""
    level = 0
    while level >= 0:
        node = nodes[level]
        if node.step == 0:
            open_node(node, state)
            write_liked(kind, node, liked, state, cells)
        elif node.step == AFTER_GO:
            level -= 1
            continue
        else:
            take_back(node, state)
        level = next_level(nodes, level, state)


@kernel
def write_liked(kind: int, node: Any, liked: Any, state: Any, cells: Any) -> None:
    """The cells of one node."""
    cards = node.held[node.side]
    state.cell += cells_in(cards, node.ranks)
    for rank in range(13):
        if node.ranks >> rank & 1:
            liked.likes[rank] = liking(kind, rank, state.pile, node.start, node.end, state.left)
    if cards == 2:
        choose_of_two(node, liked, cells)
    elif cards == 3:
        choose_of_three(node, liked, cells)
