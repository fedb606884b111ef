"""Pegging with both hands seen: the best net points of every pair of hands, and the card best on average.

Hands are numbered as multisets in ascending order: 13 of one card, 91 of two, 455 of three. A node's matrix
is [hand of the side on turn, other's hand] in net points of the side on turn from there on. Pairs that cannot
be (a fifth card of a rank, a card small enough to have been played instead of a go) hold numbers that mean
nothing; their coupling is 0 wherever they are counted.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import PAIRS, SIZES, UP2, UP3
from fifteentwo.fast.play import LIMIT, card_points, value_of
from fifteentwo.solver.pegging.tree_kernels import (
    AFTER_GO,
    LEAST,
    LEVELS,
    SLOT,
    cells_in,
    ends,
    may_go,
    next_rank,
    open_node,
    play_card,
    say_go,
    take_back,
)

TOP, DEEP = 455 * 455, 455 * 91
"""Size of the matrix of the first node, and of the largest below it."""
ROOTS = LEVELS
"""Two more frames: the keep weights of pone and dealer at the first node."""
FRAME = np.dtype(
    [
        ("weights_in", np.int64, 2),  # the frames that hold each side's weights here
        ("weights", np.float64, 455),  # of the side on turn, below the card or go being looked at
        ("likes", np.float64, (13, 91)),  # mean value of playing a rank, by the hand that stays
        ("ways", np.float64, 455),  # scratch: how likely the other side's hands are
        ("best", np.float64, 455),  # scratch
    ],
    align=True,
)
NEVER = np.float32(-1e9)
TIE = 1e-6
"""A rank more, among cards liked as much: the highest is played."""


@kernel(fastmath=True)
def open_hands(
    nodes: Any, frames: Any, state: Any, matrices: Any, after: Any, cells: Any, endings: Any, filling: bool
) -> None:
    """matrices[0]: the value of each pair of hands at nodes[0], below which the tree is visited.

    With `filling` the card liked best on average gets 1 in `cells`, others 0. frames: (LEVELS + 2,) FRAME
    with the weights of both sides' three cards in the last two; matrices: (LEVELS + 1, 455²); after:
    (DEEP,) scratch.
    """
    frames[0].weights_in[0], frames[0].weights_in[1] = ROOTS, ROOTS + 1
    level = 0
    while level >= 0:
        node, below, frame = nodes[level], nodes[level + 1], frames[level]
        side = node.side
        held, others = frames[frame.weights_in[side]], frames[frame.weights_in[1 - side]]
        if node.step == 0:
            open_node(node, state)
            clear(node, frame, matrices[level])
            state.cell += cells_in(node.held[side], node.ranks)
            if ends(node):
                play_last_cards(node, frame, others, state, matrices[level], after, endings, filling)
        elif node.step == AFTER_GO:
            take_values_after_go(node, below, matrices[level], matrices[level + 1])
            level -= 1
            continue
        else:
            read_values(node, below, matrices[level + 1], after)
            add_card(node, frame, others, state, node.step - 1, matrices[level], after, filling)
            take_back(node, state)
        rank = next_rank(node)
        if rank < 13:
            weights_with_card(node, frame, held, rank)
            play_card(node, below, state, rank)
        else:
            if filling and node.held[side] == 2:
                choose_of_two(node, frame, cells)
            elif filling and node.held[side] == 3:
                choose_of_three(node, frame, cells)
            if not may_go(node):
                level -= 1
                continue
            weights_with_go(node, frame, held)
            say_go(node, below)
        frames[level + 1].weights_in[side] = level
        frames[level + 1].weights_in[1 - side] = frame.weights_in[1 - side]
        level += 1


@kernel(fastmath=True)
def clear(node: Any, frame: Any, matrix: Any) -> None:
    """Nothing is known of a node yet."""
    for pair in range(SIZES[node.held[0]] * SIZES[node.held[1]]):
        matrix[pair] = NEVER
    for rank in range(13):
        for stays in range(91):
            frame.likes[rank, stays] = 0.0


@kernel(fastmath=True)
def least_value(cards: int, hand: int) -> int:
    """The least counting value in a hand of one to three."""
    return int(LEAST[cards, SLOT[hand] if cards == 2 else hand])


@kernel(fastmath=True)
def weights_with_card(node: Any, frame: Any, held: Any, rank: int) -> None:
    """The weights of the hands that stay once the side on turn has played this rank."""
    if node.held[node.side] == 2:
        for stays in range(13):
            frame.weights[stays] = held.weights[UP2[rank, stays]]
    else:
        for stays in range(91):
            frame.weights[stays] = held.weights[UP3[rank, stays]]


@kernel(fastmath=True)
def weights_with_go(node: Any, frame: Any, held: Any) -> None:
    """The weights of the hands with nothing that fits."""
    cards = node.held[node.side]
    for hand in range(SIZES[cards]):
        frame.weights[hand] = held.weights[hand] if least_value(cards, hand) > LIMIT - node.count else 0.0


@kernel(fastmath=True)
def read_values(node: Any, below: Any, matrix: Any, after: Any) -> None:
    """The matrix below a card, [hand that stays, other's hand], as the side that played it sees it."""
    rows, columns = SIZES[node.held[node.side] - 1], SIZES[node.held[1 - node.side]]
    same = below.side == node.side
    for stays in range(rows):
        for other in range(columns):
            if same:
                after[stays * columns + other] = matrix[stays * columns + other]
            else:
                after[stays * columns + other] = -matrix[other * rows + stays]


@kernel(fastmath=True)
def take_values_after_go(node: Any, below: Any, matrix: Any, matrix_below: Any) -> None:
    """Bring the matrix below a go up, for the hands that had to go."""
    cards = node.held[node.side]
    rows, columns = SIZES[cards], SIZES[node.held[1 - node.side]]
    same = below.side == node.side
    gained = np.float32(0)
    if node.gone:
        gained = np.float32(1 if node.last == node.side else -1)
    for hand in range(rows):
        if least_value(cards, hand) <= LIMIT - node.count:
            continue
        for other in range(columns):
            if same:
                matrix[hand * columns + other] = matrix_below[hand * columns + other] + gained
            else:
                matrix[hand * columns + other] = gained - matrix_below[other * rows + hand]


@kernel(fastmath=True)
def points_of(node: Any, state: Any, rank: int) -> int:
    """Points of playing this rank."""
    state.pile[node.end] = rank
    return card_points(state.pile, node.start, node.end + 1, node.count + value_of(rank))


@kernel(fastmath=True)
def play_last_cards(
    node: Any, frame: Any, others: Any, state: Any, matrix: Any, after: Any, endings: Any, filling: bool
) -> None:
    """Count every ending that a card played here leads to."""
    side = node.side
    other = node.held[1 - side]
    sign = 1 if side == 0 else -1
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        if other == 1:
            at = endings.single_at[state.single]
            state.single += 1
            for card in range(13):
                for stays in range(13):
                    after[stays * 13 + card] = endings.single[at, side, card, stays]
            state.left[rank] -= 1
            add_card(node, frame, others, state, rank, matrix, after, filling)
            state.left[rank] += 1
        elif other == 2:
            at = endings.pair_at[state.pair]
            state.pair += 1
            points = points_of(node, state, rank)
            for hand in range(91):
                matrix[rank * 91 + hand] = points + sign * endings.pair[at, SLOT[hand]]
        else:
            at = endings.triple_at[state.triple]
            state.triple += 1
            points = points_of(node, state, rank)
            for hand in range(455):
                matrix[rank * 455 + hand] = points + sign * endings.triple[at, hand]


@kernel(fastmath=True)
def add_card(
    node: Any, frame: Any, others: Any, state: Any, rank: int, matrix: Any, after: Any, filling: bool
) -> None:
    """Count a rank in: after[hand that stays, other's hand] is the mover's value once it is played.

    With `filling` likes[rank, hand that stays] becomes its mean over the other side's hands.
    """
    cards = node.held[node.side]
    low = node.low[node.side]
    columns = SIZES[node.held[1 - node.side]]
    points = points_of(node, state, rank)
    for stays in range(SIZES[cards - 1]):
        one, two = (stays, stays) if cards == 2 else (PAIRS[stays, 0], PAIRS[stays, 1])
        if value_of(one) <= low or state.left[one] <= 0 or state.left[two] <= 0:
            continue
        hand = UP2[rank, stays] if cards == 2 else UP3[rank, stays]
        begins = stays * columns
        for other in range(columns):
            matrix[hand * columns + other] = max(
                matrix[hand * columns + other], after[begins + other] + np.float32(points)
            )
        if filling:
            state.left[one] -= 1
            if cards == 3:
                state.left[two] -= 1
            likelihoods(node, frame, others, state)
            mass = 0.0
            mean = 0.0
            for other in range(columns):
                mass += frame.ways[other]
                mean += frame.ways[other] * after[begins + other]
            frame.likes[rank, stays] = (mean / mass if mass > 0.0 else 0.0) + points + rank * TIE
            state.left[one] += 1
            if cards == 3:
                state.left[two] += 1


@kernel(fastmath=True)
def likelihoods(node: Any, frame: Any, others: Any, state: Any) -> None:
    """ways[b]: how likely each of the other side's hands is when `left` are the cards not yet seen."""
    left = state.left
    cards = node.held[1 - node.side]
    hand = 0
    for one in range(13):
        if cards == 1:
            frame.ways[hand] = others.weights[hand] * left[one]
            hand += 1
            continue
        for two in range(one, 13):
            ways = left[one] * (left[two] - (1.0 if one == two else 0.0))
            if cards == 2:
                frame.ways[hand] = others.weights[hand] * ways
                hand += 1
                continue
            for three in range(two, 13):
                taken = (1.0 if three == one else 0.0) + (1.0 if three == two else 0.0)
                frame.ways[hand] = others.weights[hand] * ways * (left[three] - taken)
                hand += 1


@kernel(fastmath=True)
def choose_of_two(node: Any, frame: Any, cells: Any) -> None:
    """The cells of a decision between two ranks: 1 for the one liked better, 0 for the other."""
    cell = node.first_cell
    for low in range(13):
        if node.ranks >> low & 1 == 0:
            continue
        for high in range(low + 1, 13):
            if node.ranks >> high & 1:
                plays_low = frame.likes[low, high] > frame.likes[high, low]
                cells[cell] = 1 if plays_low else 0
                cells[cell + 1] = 0 if plays_low else 1
                cell += 2


@kernel(fastmath=True)
def choose_of_three(node: Any, frame: Any, cells: Any) -> None:
    """The cells of a decision of three cards: 1 for the card each hand likes best, 0 for others."""
    for hand in range(455):
        frame.best[hand] = NEVER
    for rank in range(13):
        if node.ranks >> rank & 1:
            for pair in range(91):
                hand = UP3[rank, pair]
                frame.best[hand] = max(frame.best[hand], frame.likes[rank, pair])
    cell = node.first_cell
    for rank in range(13):
        if node.ranks >> rank & 1:
            for pair in range(91):
                cells[cell] = 1 if frame.likes[rank, pair] >= frame.best[UP3[rank, pair]] else 0
                cell += 1
