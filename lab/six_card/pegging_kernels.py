"""The walk over the pegging tree with a vector of hands on each side: values, and updates of the regrets.

Vectors are float32 over hands, in the order of `tree_kernels.VECTOR_LENGTH`. A side's reach probability
is its keep weight times the probabilities of its own cards. The two hands are coupled by one factor for every
card played: the number of unseen cards of its rank (`left`). Values belong to the hands of one side, the
updated one (`TraversalSettings.side`), and are in its points.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import TRIPLES, UP3
from fifteentwo.fast.play import LIMIT, card_points, value_of
from lab.cfr import BEST_RESPONSE, MEASURE, UPDATE, RegretTables, TraversalSettings
from lab.six_card.endings_kernels import EQUAL_RANKS_ROW
from lab.six_card.tree_kernels import (
    AFTER_GO,
    LOWEST_VALUE,
    MAX_DEPTH,
    MIRROR,
    SLOT,
    VECTOR_LENGTH,
    leads_to_endings,
    may_go,
    next_rank,
    open_node,
    play_card,
    say_go,
    take_back,
)

ROOT_FRAMES = MAX_DEPTH
"""Index of the frame with the pone's reach at the first node; the dealer's is in the next frame."""
FRAME = np.dtype(
    [
        ("reach_in", np.int64, 2),  # the frames that hold each side's reach probabilities here
        ("net", np.float32),  # net points of the pone at this node
        ("reach_probability", np.float32, 464),  # of the side on turn, below the current card or go
        ("values", np.float32, 464),  # of the updated side's hands
        ("chances", np.float32, (13, 91)),  # of playing a rank with three cards, by the pair kept
        ("of_two", np.float32, 208),  # of playing the row's rank with two cards
        ("by_card", np.float32, (13, 208)),  # the updated side's values below each rank
        ("sums", np.float32, 464),  # scratch
        ("number", np.float32, 464),  # scratch
    ],
    align=True,
)
"""Arrays of one node on the stack of a traversal: reach probabilities, values and strategies by hand."""
ZERO, ONE, HALF = np.float32(0), np.float32(1), np.float32(0.5)
UNREACHED_VALUE = np.float32(-1e30)
"""Initial value of a maximum over cards; it is less than every value."""


@kernel(fastmath=True)
def walk(
    nodes: Any, frames: Any, state: Any, settings: TraversalSettings, tables: RegretTables, endings: Any
) -> None:
    """Write one side's values at nodes[0] to frames[0].values. Mode UPDATE also updates its cells.

    The side is `settings.side`. frames: MAX_DEPTH records FRAME, then one for each side with its reach at
    nodes[0].
    """
    frames[0].reach_in[0], frames[0].reach_in[1] = ROOT_FRAMES, ROOT_FRAMES + 1
    level = 0
    while level >= 0:
        node, below = nodes[level], nodes[level + 1]
        frame, frame_below = frames[level], frames[level + 1]
        side = node.side
        held, others = frames[frame.reach_in[side]], frames[frame.reach_in[1 - side]]
        is_updated = side == settings.side
        if node.step == 0:
            open_node(node, state)
            for hand in range(VECTOR_LENGTH[node.held[settings.side]]):
                frame.values[hand] = ZERO
            if node.held[side] == 2:
                state.cell = read_probabilities_of_two(node, frame, tables.source)
            elif node.held[side] == 3:
                state.cell = read_probabilities_of_three(node, frame, tables.source)
            if leads_to_endings(node):
                play_last_cards(node, frame, (held, others), state, settings, endings)
        elif node.step == AFTER_GO:
            add_values_after_go(node, frame, frame_below, is_updated, settings.side)
            level -= 1
            continue
        else:
            rank = take_back(node, state)
            ways = state.left[rank]
            add_values_after_card(node, frame, frame_below, rank, ways, is_updated, settings.side)
        rank = next_rank(node)
        if rank < 13:
            ways = ONE if is_updated else state.left[rank]
            reach_with_card(node, frame, held, rank, ways)
            net = net_after(node, frame, state, rank, settings.dealer_point_value)
            play_card(node, below, state, rank)
        else:
            if is_updated and node.held[side] == 2:
                update_two(node, frame, held, settings, tables.regret, tables.total)
            elif is_updated and node.held[side] == 3:
                update_three(node, frame, held, settings, tables.regret, tables.total)
            if not may_go(node):
                level -= 1
                continue
            reach_with_go(node, frame, held)
            net = frame.net
            if node.gone:
                net += ONE if node.last == 0 else -settings.dealer_point_value
            say_go(node, below)
        frame_below.net = net
        frame_below.reach_in[side], frame_below.reach_in[1 - side] = level, frame.reach_in[1 - side]
        level += 1


@kernel(fastmath=True)
def net_after(node: Any, frame: Any, state: Any, rank: int, dealer_point_value: Any) -> Any:
    """Return the pone's net points so far after the side on turn plays this rank."""
    state.pile[node.end] = rank
    points = np.float32(card_points(state.pile, node.start, node.end + 1, node.count + value_of(rank)))
    return frame.net + points if node.side == 0 else frame.net - dealer_point_value * points


@kernel(fastmath=True)
def read_probabilities_of_two(node: Any, frame: Any, source: Any) -> int:
    """Write `of_two` (208,): probabilities by rank played and rank that remains. Return the next cell."""
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
def read_probabilities_of_three(node: Any, frame: Any, source: Any) -> int:
    """Write `chances` (13, 91): probabilities by rank played and pair that remains. Return the next cell."""
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
    """Write reach probabilities, times `scale`, of the hands that remain after this rank is played."""
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
    """Write reach probabilities after a go: 0 for hands that could play a card."""
    cards = node.held[node.side]
    max_value = LIMIT - node.count
    for hand in range(VECTOR_LENGTH[cards]):
        has_to_go = LOWEST_VALUE[cards, hand] > max_value
        frame.reach_probability[hand] = held.reach_probability[hand] if has_to_go else ZERO


@kernel(fastmath=True)
def add_values_after_card(
    node: Any, frame: Any, below: Any, rank: int, ways: Any, is_updated: bool, side: int
) -> None:
    """Add the values after a rank is played (frame `below`) to this node's frame.

    ways: unseen cards of the rank before it was played. is_updated: whether `side` is on turn here; its
    values are then stored by rank.
    """
    if is_updated:
        for hand in range(VECTOR_LENGTH[node.held[side] - 1]):
            frame.by_card[rank, hand] = ways * below.values[hand]
    else:
        for hand in range(VECTOR_LENGTH[node.held[side]]):
            frame.values[hand] += below.values[hand]


@kernel(fastmath=True)
def add_values_after_go(node: Any, frame: Any, below: Any, is_updated: bool, side: int) -> None:
    """Add the values after a go (frame `below`) to this node's frame; only hands that cannot play say go."""
    cards = node.held[side]
    max_value = LIMIT - node.count
    for hand in range(VECTOR_LENGTH[cards]):
        if not is_updated:
            frame.values[hand] += below.values[hand]
        elif LOWEST_VALUE[cards, hand] > max_value:
            frame.values[hand] = below.values[hand]


@kernel(fastmath=True)
def play_last_cards(
    node: Any, frame: Any, both: Any, state: Any, settings: TraversalSettings, endings: Any
) -> None:
    """Add the values of all endings that a card played here leads to. both: both sides' reach frames."""
    held, others = both
    side = node.side
    is_updated = side == settings.side
    other = node.held[1 - side]
    sign = ONE if settings.side == 0 else -ONE
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        net = net_after(node, frame, state, rank, settings.dealer_point_value)
        ways = state.left[rank]
        state.left[rank] = ways - ONE
        if other == 1:
            table = endings.single[endings.single_at[state.single]]
            state.single += 1
            if is_updated:
                value_against_single(frame, others, state, settings.side, table, sign * net)
                for card in range(16):
                    frame.by_card[rank, card] = ways * frame.sums[card]
            else:
                reach_with_card(node, frame, held, rank, ways)
                value_against_single(frame, frame, state, settings.side, table, sign * net)
                for card in range(16):
                    frame.values[card] += frame.sums[card]
        else:
            weight = sign * ways * (ONE if is_updated else held.reach_probability[rank])
            if other == 2:
                table_two = endings.pair[endings.pair_at[state.pair]]
                state.pair += 1
                if is_updated:
                    frame.values[rank] = weight * value_against_two(others, state.left, table_two, net)
                else:
                    add_values_of_two_alone(frame, state.left, table_two, net, weight)
            else:
                table_three = endings.triple[endings.triple_at[state.triple]]
                state.triple += 1
                if is_updated:
                    frame.values[rank] = weight * value_against_three(others, state.left, table_three, net)
                else:
                    add_values_of_three_alone(frame, state.left, table_three, net, weight)
        state.left[rank] = ways


@kernel(fastmath=True)
def value_against_single(frame: Any, others: Any, state: Any, side: int, table: Any, net: Any) -> None:
    """Write `sums` (16,): values of the last card of `side` if the other side also holds one card.

    others: the frame with the other side's reach. table: points of the ending. net: net points of `side` so
    far.
    """
    for card in range(16):
        frame.sums[card] = ZERO
    for other in range(13):
        reached = others.reach_probability[other] * state.left[other]
        for card in range(16):
            frame.sums[card] += reached * (table[side, other, card] + net)
    for card in range(16):
        same_rank = others.reach_probability[card] * (table[side, EQUAL_RANKS_ROW, card] + net)
        frame.sums[card] = state.left[card] * (frame.sums[card] - same_rank)


@kernel(fastmath=True)
def value_against_two(others: Any, left: Any, table: Any, net: Any) -> Any:
    """Return the pone's net points, weighted by reach, if only the side not on turn has cards: two."""
    value = ZERO
    for low in range(13):
        part = ZERO
        for high in range(13):
            slot = low * 16 + high
            part += others.reach_probability[slot] * (table[slot] + net) * left[high]
        part += others.reach_probability[low * 17] * (table[low * 17] + net) * (left[low] - ONE - ONE)
        value += left[low] * HALF * part
    return value


@kernel(fastmath=True)
def add_values_of_two_alone(frame: Any, left: Any, table: Any, net: Any, weight: Any) -> None:
    """Add the points of an ending to the values of the side that alone holds two cards."""
    for low in range(13):
        part = weight * left[low]
        for high in range(16):
            slot = low * 16 + high
            frame.values[slot] += part * (table[slot] + net) * left[high]
        frame.values[low * 17] -= part * (table[low * 17] + net)


@kernel(fastmath=True)
def ways_of_three(left: Any, hand: int) -> Any:
    """Return the number of ways to draw a hand's three ranks in order. left: (13,) cards of each rank."""
    one, two, three = TRIPLES[hand, 0], TRIPLES[hand, 1], TRIPLES[hand, 2]
    ways = left[one]
    ways *= left[two] - ONE if one == two else left[two]
    ways *= left[three] - np.float32((one == three) + (two == three))
    return max(ways, ZERO)


@kernel(fastmath=True)
def value_against_three(others: Any, left: Any, table: Any, net: Any) -> Any:
    """Return the pone's net points, weighted by reach, if only the side not on turn has cards: 3."""
    value = ZERO
    for hand in range(455):
        value += ways_of_three(left, hand) * (table[hand] + net) * others.reach_probability[hand]
    return value


@kernel(fastmath=True)
def add_values_of_three_alone(frame: Any, left: Any, table: Any, net: Any, weight: Any) -> None:
    """Add the points of an ending to the values of the side that alone holds three cards."""
    for hand in range(455):
        frame.values[hand] += ways_of_three(left, hand) * (table[hand] + net) * weight


@kernel(fastmath=True)
def update_two(
    node: Any, frame: Any, held: Any, settings: TraversalSettings, regret: Any, total: Any
) -> None:
    """Write the values of a side with two cards at its decision. Mode UPDATE also updates its cells."""
    max_value = LIMIT - node.count
    cell = node.first_cell
    for low in range(13):
        if node.ranks >> low & 1 == 0:
            continue
        frame.values[low * 17] = frame.by_card[low, low]
        for other in range(13):
            if value_of(other) > max_value:
                frame.values[low * 16 + other] = frame.by_card[low, other]
                frame.values[other * 16 + low] = frame.by_card[low, other]
        for high in range(low + 1, 13):
            if node.ranks >> high & 1 == 0:
                continue
            slot = low * 16 + high
            one, two = frame.by_card[low, high], frame.by_card[high, low]
            chance = frame.of_two[slot]
            value = chance * one + (ONE - chance) * two
            if settings.mode == UPDATE:
                discount_and_add(regret, cell, one - value, settings)
                discount_and_add(regret, cell + 1, two - value, settings)
                total[cell] = total[cell] * settings.sum_discount + held.reach_probability[slot] * chance
                total[cell + 1] = total[cell + 1] * settings.sum_discount + held.reach_probability[slot] * (
                    ONE - chance
                )
            elif settings.mode != MEASURE:
                value = max(one, two)
            cell += 2
            frame.values[slot] = value
            frame.values[high * 16 + low] = value


@kernel(fastmath=True)
def update_three(
    node: Any, frame: Any, held: Any, settings: TraversalSettings, regret: Any, total: Any
) -> None:
    """Write the values of a side with three cards at its decision. Mode UPDATE also updates its cells."""
    is_best_response = settings.mode == BEST_RESPONSE
    if is_best_response:
        for hand in range(455):
            frame.values[hand] = UNREACHED_VALUE
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        for pair in range(91):
            hand = UP3[rank, pair]
            value = frame.by_card[rank, SLOT[pair]]
            if is_best_response:
                frame.values[hand] = max(frame.values[hand], value)
            else:
                frame.values[hand] += frame.chances[rank, pair] * value
    if is_best_response:
        for hand in range(455):
            if frame.values[hand] == UNREACHED_VALUE:
                frame.values[hand] = ZERO
    if settings.mode != UPDATE:
        return
    cell = node.first_cell
    for rank in range(13):
        if node.ranks >> rank & 1 == 0:
            continue
        for pair in range(91):
            hand = UP3[rank, pair]
            discount_and_add(regret, cell, frame.by_card[rank, SLOT[pair]] - frame.values[hand], settings)
            total[cell] = (
                total[cell] * settings.sum_discount + held.reach_probability[hand] * frame.chances[rank, pair]
            )
            cell += 1


@kernel(fastmath=True)
def discount_and_add(regret: Any, cell: int, gain: Any, settings: TraversalSettings) -> None:
    """Multiply a cell's regret by its discount, then add `gain`."""
    before = regret[cell]
    regret[cell] = (
        before * (settings.positive_discount if before > ZERO else settings.negative_discount) + gain
    )
