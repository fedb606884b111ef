"""One walk over the tree of pegging with a vector of hands on each side: values, and the regrets they change.

Vectors are float32 over the hands of a size, as `tree_kernels.SIZE` has them. The reach probability of a side
is its keep weight times its own strategy; the two hands are coupled by one factor for every card played: the
copies of its rank still unseen (`left`) times its affinities with the cards that the other side has played
(`weights`). Values are of the hands of one side, the one that learns, and in its own points.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import TRIPLES, UP3
from fifteentwo.fast.play import LIMIT, card_points, value_of
from lab.cfr import BEST_RESPONSE, MEASURE, UPDATE
from lab.six_card.endings_kernels import DIAGONAL
from lab.six_card.tree_kernels import (
    AFTER_GO,
    LEAST,
    LEVELS,
    MIRROR,
    SIZE,
    SLOT,
    ends,
    may_go,
    next_rank,
    open_node,
    play_card,
    say_go,
    take_back,
)

Floats = npt.NDArray[np.float32]

ROOTS = LEVELS
"""Two more frames: the reach probabilities of pone and dealer at the first node."""
FRAME = np.dtype(
    [
        ("reach_in", np.int64, 2),  # the frames that hold each side's reach probabilities here
        ("net", np.float32),  # public points so far, net points of the pone
        ("weights", np.float32, (2, 16)),  # of a side's next card: affinities with those played
        ("reach_probability", np.float32, 464),  # of the side on turn, below the card or go being looked at
        ("values", np.float32, 464),  # of the learning side's hands
        ("chances", np.float32, (13, 91)),  # of playing a rank with three cards, by the pair that stays
        ("of_two", np.float32, 208),  # of playing the row's rank with two cards
        ("by_card", np.float32, (13, 208)),  # the learning side's values below each rank
        ("sums", np.float32, 464),  # scratch
        ("number", np.float32, 464),  # scratch
    ],
    align=True,
)
ZERO, ONE, HALF = np.float32(0), np.float32(1), np.float32(0.5)
NEVER = np.float32(-1e30)


class Lesson(NamedTuple):
    """What a walk does, and for which side."""

    side: int
    mode: int
    dealer_counts: np.float32
    """What a dealer's point counts: 1, or 0."""
    keep_up: np.float32
    keep_down: np.float32
    keep_sum: np.float32
    """Discounts of positive regrets, of negative regrets, and of strategy sums."""


class RegretTables(NamedTuple):
    """Flat arrays of cells. A new strategy is added to the sums with weight 1."""

    source: Floats
    """Where strategies are read from: the regrets, or strategy sums."""
    regret: Floats
    total: Floats
    affinity: Floats
    """(2, 16, 16) how much likelier a side's card (row) makes a card of the other side; 1 past rank 12."""


@kernel(fastmath=True)
def walk(nodes: Any, frames: Any, state: Any, lesson: Lesson, tables: RegretTables, endings: Any) -> None:
    """frames[0].values: the learning side's values at nodes[0]; in mode UPDATE the cells below move too.

    frames: (LEVELS + 2,) FRAME with the weights in the first and both sides' reach probabilities in the last
    two. About 5 million
    endings from the deal on.
    """
    frames[0].reach_in[0], frames[0].reach_in[1] = ROOTS, ROOTS + 1
    level = 0
    while level >= 0:
        node, below = nodes[level], nodes[level + 1]
        frame, frame_below = frames[level], frames[level + 1]
        side = node.side
        held, others = frames[frame.reach_in[side]], frames[frame.reach_in[1 - side]]
        learns = side == lesson.side
        if node.step == 0:
            open_node(node, state)
            for hand in range(SIZE[node.held[lesson.side]]):
                frame.values[hand] = ZERO
            if node.held[side] == 2:
                state.cell = chances_of_two(node, frame, tables.source)
            elif node.held[side] == 3:
                state.cell = chances_of_three(node, frame, tables.source)
            if ends(node):
                play_last_cards(node, frame, frame_below, (held, others), state, lesson, tables, endings)
        elif node.step == AFTER_GO:
            take_values_after_go(node, frame, frame_below, learns, lesson.side)
            level -= 1
            continue
        else:
            rank = take_back(node, state)
            ways = state.left[rank] * frame.weights[side, rank]
            take_values(node, frame, frame_below, rank, ways, learns, lesson.side)
        rank = next_rank(node)
        if rank < 13:
            ways = ONE if learns else state.left[rank] * frame.weights[side, rank]
            reach_with_card(node, frame, held, rank, ways)
            weigh_card(side, rank, frame, frame_below, tables.affinity)
            net = net_after(node, frame, state, rank, lesson.dealer_counts)
            play_card(node, below, state, rank)
        else:
            if learns and node.held[side] == 2:
                learn_two(node, frame, held, lesson, tables.regret, tables.total)
            elif learns and node.held[side] == 3:
                learn_three(node, frame, held, lesson, tables.regret, tables.total)
            if not may_go(node):
                level -= 1
                continue
            reach_with_go(node, frame, held)
            net = frame.net
            if node.gone:
                net += ONE if node.last == 0 else -lesson.dealer_counts
            say_go(node, below)
            frame_below.weights[:] = frame.weights
        frame_below.net = net
        frame_below.reach_in[side], frame_below.reach_in[1 - side] = level, frame.reach_in[1 - side]
        level += 1


@kernel(fastmath=True)
def weigh_card(side: int, rank: int, frame: Any, below: Any, affinity: Any) -> None:
    """Write the weights once a side has played this rank."""
    for card in range(16):
        below.weights[side, card] = frame.weights[side, card]
        below.weights[1 - side, card] = frame.weights[1 - side, card] * affinity[side, rank, card]


@kernel(fastmath=True)
def net_after(node: Any, frame: Any, state: Any, rank: int, dealer_counts: Any) -> Any:
    """Net points of the pone once the side on turn has played this rank."""
    state.pile[node.end] = rank
    points = np.float32(card_points(state.pile, node.start, node.end + 1, node.count + value_of(rank)))
    return frame.net + points if node.side == 0 else frame.net - dealer_counts * points


@kernel(fastmath=True)
def chances_of_two(node: Any, frame: Any, source: Any) -> int:
    """Write `of_two` of two cards by the rank played and the rank that stays; return the next cell."""
    for slot in range(208):
        frame.of_two[slot] = ONE
    cell = node.first_cell
    for low in range(13):
        if node.ranks >> low & 1 == 0:
            continue
        for high in range(low + 1, 13):
            if node.ranks >> high & 1:
                one, two = max(source[cell], ZERO), max(source[cell + 1], ZERO)
                chance = one / (one + two) if one + two > ZERO else HALF
                frame.of_two[low * 16 + high] = chance
                frame.of_two[high * 16 + low] = ONE - chance
                cell += 2
    return int(cell)


@kernel(fastmath=True)
def chances_of_three(node: Any, frame: Any, source: Any) -> int:
    """Write `chances` of three cards by the rank played and the pair that stays; return the next cell."""
    for hand in range(455):
        frame.sums[hand] = ZERO
        frame.number[hand] = ZERO
    cell = node.first_cell
    for rank in range(13):
        if node.ranks >> rank & 1:
            for pair in range(91):
                hand = UP3[rank, pair]
                frame.sums[hand] += max(source[cell + pair], ZERO)
                frame.number[hand] += ONE
            cell += 91
    cell = node.first_cell
    for rank in range(13):
        if node.ranks >> rank & 1:
            for pair in range(91):
                hand = UP3[rank, pair]
                if frame.sums[hand] > ZERO:
                    frame.chances[rank, pair] = max(source[cell + pair], ZERO) / frame.sums[hand]
                else:
                    frame.chances[rank, pair] = ONE / frame.number[hand]
            cell += 91
    return int(cell)


@kernel(fastmath=True)
def reach_with_card(node: Any, frame: Any, held: Any, rank: int, scale: Any) -> None:
    """The reach probabilities of the side on turn over the hands that stay once it has played this rank."""
    if node.held[node.side] == 2:
        for card in range(16):
            frame.reach_probability[card] = (
                held.reach_probability[rank * 16 + card] * frame.of_two[rank * 16 + card] * scale
            )
        return
    for pair in range(91):
        reach_probability = held.reach_probability[UP3[rank, pair]] * frame.chances[rank, pair] * scale
        frame.reach_probability[SLOT[pair]] = reach_probability
        frame.reach_probability[MIRROR[pair]] = reach_probability
    for low in range(13):
        for slot in range(13, 16):
            frame.reach_probability[low * 16 + slot] = ZERO


@kernel(fastmath=True)
def reach_with_go(node: Any, frame: Any, held: Any) -> None:
    """The reach probabilities of the side on turn over the hands with nothing that fits."""
    cards = node.held[node.side]
    highest = LIMIT - node.count
    for hand in range(SIZE[cards]):
        has_to_go = LEAST[cards, hand] > highest
        frame.reach_probability[hand] = held.reach_probability[hand] if has_to_go else ZERO


@kernel(fastmath=True)
def take_values(node: Any, frame: Any, below: Any, rank: int, ways: Any, learns: bool, side: int) -> None:
    """Bring the values below a rank up; `ways`: cards of the rank that were left."""
    if learns:
        for hand in range(SIZE[node.held[side] - 1]):
            frame.by_card[rank, hand] = ways * below.values[hand]
    else:
        for hand in range(SIZE[node.held[side]]):
            frame.values[hand] += below.values[hand]


@kernel(fastmath=True)
def take_values_after_go(node: Any, frame: Any, below: Any, learns: bool, side: int) -> None:
    """Bring the values below a go up: of a learning side's hands only those that had to go have any."""
    cards = node.held[side]
    highest = LIMIT - node.count
    for hand in range(SIZE[cards]):
        if not learns:
            frame.values[hand] += below.values[hand]
        elif LEAST[cards, hand] > highest:
            frame.values[hand] = below.values[hand]


@kernel(fastmath=True)
def play_last_cards(
    node: Any,
    frame: Any,
    below: Any,
    both: Any,
    state: Any,
    lesson: Lesson,
    tables: RegretTables,
    endings: Any,
) -> None:
    """Count every ending that a card played here leads to; `below`: scratch; `both`: the frames of both
    sides' reach probabilities, the side on turn first."""
    held, others = both
    side = node.side
    learns = side == lesson.side
    other = node.held[1 - side]
    sign = ONE if lesson.side == 0 else -ONE
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        net = net_after(node, frame, state, rank, lesson.dealer_counts)
        left = state.left[rank]
        ways = left * frame.weights[side, rank]
        state.left[rank] = left - ONE
        weigh_card(side, rank, frame, below, tables.affinity)
        if other == 1:
            at = endings.single_at[state.single]
            state.single += 1
            if learns:
                against_single(frame, below, others, state, lesson, tables, endings.single[at], sign * net)
                for card in range(16):
                    frame.by_card[rank, card] = ways * frame.sums[card]
            else:
                reach_with_card(node, frame, held, rank, ways)
                against_single(frame, below, frame, state, lesson, tables, endings.single[at], sign * net)
                for card in range(16):
                    frame.values[card] += frame.sums[card]
        elif other == 2:
            table = endings.pair[endings.pair_at[state.pair]]
            state.pair += 1
            if learns:
                value = against_two(others, state, below.weights[1 - side], table, net)
                frame.values[rank] = sign * ways * value
            else:
                weight = sign * ways * held.reach_probability[rank]
                add_two_alone(frame, state, below.weights[1 - side], table, net, weight)
        else:
            table = endings.triple[endings.triple_at[state.triple]]
            state.triple += 1
            if learns:
                value = against_three(others, state, below.weights[1 - side], table, net)
                frame.values[rank] = sign * ways * value
            else:
                weight = sign * ways * held.reach_probability[rank]
                add_three_alone(frame, state, below.weights[1 - side], table, net, weight)
        state.left[rank] = left


@kernel(fastmath=True)
def against_single(
    frame: Any,
    below: Any,
    others: Any,
    state: Any,
    lesson: Lesson,
    tables: RegretTables,
    table: Any,
    net: Any,
) -> None:
    """Write `sums`: values of the learning side's last card, the other side holding one card too.

    others: the frame of the other side's reach probabilities. below: has the weights of both cards.
    """
    own, against = lesson.side, 1 - lesson.side
    affinity = tables.affinity[against]
    for card in range(16):
        frame.sums[card] = ZERO
    for other in range(13):
        reached = others.reach_probability[other] * state.left[other] * below.weights[against, other]
        for card in range(16):
            frame.sums[card] += reached * affinity[other, card] * (table[own, other, card] + net)
    for card in range(16):
        reached = others.reach_probability[card] * below.weights[against, card] * affinity[card, card]
        alike = reached * (table[own, DIAGONAL, card] + net)
        frame.sums[card] = state.left[card] * below.weights[own, card] * (frame.sums[card] - alike)


@kernel(fastmath=True)
def against_two(others: Any, state: Any, weights: Any, table: Any, net: Any) -> Any:
    """Net points of the pone where the side on turn has no card left, the other two."""
    left = state.left
    value = ZERO
    for low in range(13):
        part = ZERO
        for high in range(13):
            slot = low * 16 + high
            part += others.reach_probability[slot] * (table[slot] + net) * left[high] * weights[high]
        diagonal = others.reach_probability[low * 17] * (table[low * 17] + net)
        part += diagonal * (left[low] - ONE - ONE) * weights[low]
        value += left[low] * weights[low] * HALF * part
    return value


@kernel(fastmath=True)
def add_two_alone(frame: Any, state: Any, weights: Any, table: Any, net: Any, weight: Any) -> None:
    """The same for the side that has two cards: added to its values."""
    left = state.left
    for low in range(13):
        part = weight * left[low] * weights[low]
        for high in range(16):
            slot = low * 16 + high
            frame.values[slot] += part * (table[slot] + net) * left[high] * weights[high]
        frame.values[low * 17] -= part * (table[low * 17] + net) * weights[low]


@kernel(fastmath=True)
def ways_of_three(left: Any, weights: Any, hand: int) -> Any:
    """In how many ways, weighed, three cards in order are drawn from those left."""
    one, two, three = TRIPLES[hand, 0], TRIPLES[hand, 1], TRIPLES[hand, 2]
    ways = left[one] * weights[one] * weights[two] * weights[three]
    ways *= left[two] - ONE if one == two else left[two]
    ways *= left[three] - np.float32((one == three) + (two == three))
    return max(ways, ZERO)


@kernel(fastmath=True)
def against_three(others: Any, state: Any, weights: Any, table: Any, net: Any) -> Any:
    """Net points of the pone where the side on turn has no card left, the other three."""
    value = ZERO
    for hand in range(455):
        ways = ways_of_three(state.left, weights, hand)
        value += ways * (table[hand] + net) * others.reach_probability[hand]
    return value


@kernel(fastmath=True)
def add_three_alone(frame: Any, state: Any, weights: Any, table: Any, net: Any, weight: Any) -> None:
    """The same for the side that has three cards: added to its values."""
    for hand in range(455):
        frame.values[hand] += ways_of_three(state.left, weights, hand) * (table[hand] + net) * weight


@kernel(fastmath=True)
def learn_two(node: Any, frame: Any, held: Any, lesson: Lesson, regret: Any, total: Any) -> None:
    """Take the values of two cards; in mode UPDATE move regrets and sums."""
    highest = LIMIT - node.count
    cell = node.first_cell
    for low in range(13):
        if node.ranks >> low & 1 == 0:
            continue
        frame.values[low * 17] = frame.by_card[low, low]
        for other in range(13):
            if value_of(other) > highest:
                frame.values[low * 16 + other] = frame.by_card[low, other]
                frame.values[other * 16 + low] = frame.by_card[low, other]
        for high in range(low + 1, 13):
            if node.ranks >> high & 1 == 0:
                continue
            slot = low * 16 + high
            one, two = frame.by_card[low, high], frame.by_card[high, low]
            chance = frame.of_two[slot]
            value = chance * one + (ONE - chance) * two
            if lesson.mode == UPDATE:
                move(regret, cell, one - value, lesson)
                move(regret, cell + 1, two - value, lesson)
                total[cell] = total[cell] * lesson.keep_sum + held.reach_probability[slot] * chance
                total[cell + 1] = total[cell + 1] * lesson.keep_sum + held.reach_probability[slot] * (
                    ONE - chance
                )
            elif lesson.mode != MEASURE:
                value = max(one, two)
            cell += 2
            frame.values[slot] = value
            frame.values[high * 16 + low] = value


@kernel(fastmath=True)
def learn_three(node: Any, frame: Any, held: Any, lesson: Lesson, regret: Any, total: Any) -> None:
    """Take the values of three cards; in mode UPDATE move regrets and sums."""
    maximises = lesson.mode == BEST_RESPONSE
    if maximises:
        for hand in range(455):
            frame.values[hand] = NEVER
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        for pair in range(91):
            hand = UP3[rank, pair]
            value = frame.by_card[rank, SLOT[pair]]
            if maximises:
                frame.values[hand] = max(frame.values[hand], value)
            else:
                frame.values[hand] += frame.chances[rank, pair] * value
    if maximises:
        for hand in range(455):
            if frame.values[hand] == NEVER:
                frame.values[hand] = ZERO
    if lesson.mode != UPDATE:
        return
    cell = node.first_cell
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        for pair in range(91):
            hand = UP3[rank, pair]
            move(regret, cell, frame.by_card[rank, SLOT[pair]] - frame.values[hand], lesson)
            total[cell] = (
                total[cell] * lesson.keep_sum + held.reach_probability[hand] * frame.chances[rank, pair]
            )
            cell += 1


@kernel(fastmath=True)
def move(regret: Any, cell: int, gain: Any, lesson: Lesson) -> None:
    """Discount a regret and add a gain to it."""
    before = regret[cell]
    regret[cell] = before * (lesson.keep_up if before > ZERO else lesson.keep_down) + gain
