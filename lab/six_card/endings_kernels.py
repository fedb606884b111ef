"""Kernels that score endings: a card on each side, or one side with two or three cards."""

from typing import Any, NamedTuple

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import PAIRS, TRIPLES
from fifteentwo.fast.play import (
    LIMIT,
    Turn,
    after_card,
    after_go,
    card_points,
    play_alone,
    playable,
    value_of,
)
from lab.six_card.tree_kernels import MIRROR, SLOT, TAIL_CODES, unpack_tail

EQUAL_RANKS_ROW = 13
"""Row of a table of endings that repeats its diagonal: both sides hold a card of the same rank."""


class Ending(NamedTuple):
    """A decoded key of a position in which a side has just played a card that ends the tree."""

    side: int
    """The side that played last: 0 pone, 1 dealer."""
    gone: int
    """1 if the other side had said go, otherwise 0."""
    total: int
    """The count after the last card."""
    size: int
    """Number of cards of the pile that can still be part of a score."""


@kernel
def play_singles(pile: Any, now: Turn, one: int, other: int, scores: Any) -> None:
    """Add to `scores` (2,) the points of the last cards: rank `one` of side 0, `other` of side 1."""
    while one >= 0 or other >= 0:
        mine = now.seat == 0
        card, against = (one, other) if mine else (other, one)
        held = 1 << (1 - now.seat) if against >= 0 else 0
        if card >= 0 and playable(now.total, value_of(card)):
            pile[now.end] = card
            scores[now.seat] += card_points(pile, now.start, now.end + 1, now.total + value_of(card))
            now = after_card(2, now, value_of(card), held)
            if mine:
                one = -1
            else:
                other = -1
        else:
            now = after_go(2, now, held | 1 << now.seat if card >= 0 else held)
            scores[now.last] += 1 if now.total == 0 else 0
    if now.total > 0:
        scores[now.last] += 1


@kernel
def read_ending(key: int, pile: Any) -> Ending:
    """Return the ending of a key, and write the ranks that can still score to `pile`."""
    size = unpack_tail(key % TAIL_CODES, pile)
    head = key // TAIL_CODES
    return Ending(head // 64, head // 32 % 2, head % 32, size)


@kernel
def fill_singles(keys: Any, dealer_point_value: int, table: Any) -> None:
    """Write net points to `table` (n, 2, 14, 16) for endings in which each side holds one card.

    table[n, side, c, d]: the net points of `side` if it holds rank d and the other side rank c; row 13 is the
    diagonal. dealer_point_value: 1, or 0 to ignore the dealer's points.
    """
    pile, scores = np.zeros(32, dtype=np.int64), np.zeros(2, dtype=np.int64)
    for n in range(len(keys)):
        ending = read_ending(keys[n], pile)
        # Below, side 0 is the side that has played its last card but one.
        if ending.total == LIMIT:
            now = Turn(1, 0, 0, 0, 0, 0)
        else:
            now = Turn(0 if ending.gone else 1, ending.total, 0, ending.size, 2 * ending.gone, 0)
        for own in range(13):
            for other in range(13):
                scores[0], scores[1] = 0, 0
                play_singles(pile, now, own, other, scores)
                points, others = scores[0], scores[1]
                if ending.side == 0:
                    pone, dealer, net = own, other, points - dealer_point_value * others
                else:
                    pone, dealer, net = other, own, others - dealer_point_value * points
                table[n, 0, dealer, pone] = net
                table[n, 1, pone, dealer] = -net
        for card in range(13):
            for side in range(2):
                table[n, side, EQUAL_RANKS_ROW, card] = table[n, side, card, card]


@kernel
def fill_alone(keys: Any, size: int, dealer_point_value: int, table: Any) -> None:
    """Write the pone's net points if only one side has cards: `size` of them. table: (n, 208 or 455)."""
    pile = np.zeros(32, dtype=np.int64)
    for n in range(len(keys)):
        ending = read_ending(keys[n], pile)
        count = ending.total if ending.total < LIMIT else 0
        for hand in range(91 if size == 2 else 455):
            cards = PAIRS[hand] if size == 2 else TRIPLES[hand]
            alone = play_alone(pile, 0, ending.size, count, cards, size)
            # The side alone did not play the last card.
            if ending.side == 0:
                net = alone.needs_go - dealer_point_value * alone.points
            else:
                net = alone.points - dealer_point_value * alone.needs_go
            if size == 2:
                table[n, SLOT[hand]] = net
                table[n, MIRROR[hand]] = net
            else:
                table[n, hand] = net
