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
from lab.six_card.tree_kernels import MIRROR, SLOT, TAIL, unpack_tail

DIAGONAL = 13
"""The row of a table of single cards for two cards of the same rank."""


class Ending(NamedTuple):
    """The decoded key: the side that played last, whether the other side had said go, and the count."""

    side: int
    """The side that played last."""
    gone: int
    total: int
    size: int
    """Number of cards of the pile that can still score."""


@kernel
def play_singles(pile: Any, now: Turn, one: int, other: int, scores: Any) -> None:
    """Play out a rank of side 0 and a rank of side 1; scores (2,) are raised.

    `pile` is written past `now.end`.
    """
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
    """Decode a key; write the ranks to `pile`."""
    size = unpack_tail(key % TAIL, pile)
    head = key // TAIL
    return Ending(head // 64, head // 32 % 2, head % 32, size)


@kernel
def fill_singles(keys: Any, dealer_counts: int, table: Any) -> None:
    """Write the net points of endings with a card on each side to a table (n, 2, 14, 16).

    table[n, side, c]: the points of `side` if the other side holds c, by the own card; row 13 is the
    diagonal. dealer_counts: 1, or 0 to count the pone's points only.
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
                    pone, dealer, net = own, other, points - dealer_counts * others
                else:
                    pone, dealer, net = other, own, others - dealer_counts * points
                table[n, 0, dealer, pone] = net
                table[n, 1, pone, dealer] = -net
        for card in range(13):
            for side in range(2):
                table[n, side, DIAGONAL, card] = table[n, side, card, card]


@kernel
def fill_alone(keys: Any, size: int, dealer_counts: int, table: Any) -> None:
    """Write the pone's net points of endings with one side alone to a table (n, 208 or 455)."""
    pile = np.zeros(32, dtype=np.int64)
    for n in range(len(keys)):
        ending = read_ending(keys[n], pile)
        count = ending.total if ending.total < LIMIT else 0
        for hand in range(91 if size == 2 else 455):
            cards = PAIRS[hand] if size == 2 else TRIPLES[hand]
            alone = play_alone(pile, 0, ending.size, count, cards, size)
            # The side alone did not play the last card.
            if ending.side == 0:
                net = alone.needs_go - dealer_counts * alone.points
            else:
                net = alone.points - dealer_counts * alone.needs_go
            if size == 2:
                table[n, SLOT[hand]] = net
                table[n, MIRROR[hand]] = net
            else:
                table[n, hand] = net
