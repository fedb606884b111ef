"""The points of forced endings: a card on each side, or one side alone."""

import numpy as np

from fifteentwo.fast.hands import MIRROR, PAIRS, SLOT, TRIPLES
from fifteentwo.fast.peg_compiled import compiled
from fifteentwo.fast.peg_rules import TAIL, alone, forced_ending, unpack_tail

ENDING = 224
"""Numbers in an ending with a card each: 13 rows of 16, and a row for the diagonal."""


@compiled
def fill_endings(keys, price, table):  # type: ignore[no-untyped-def]
    """Endings with a card each: table (n, 2, 224) float32, the side's points less the other's at `price`.

    price: what a dealer's point costs the pone (1 = net points). table[n, side] row c: the other side's card
    c, lanes the side's own card; row 13 the diagonal.
    """
    pile = np.empty(16, dtype=np.int64)
    points = np.zeros(2, dtype=np.int64)
    for n in range(len(keys)):
        head = keys[n] // TAIL
        count = head % 32
        gone = (head // 32) % 2
        turn = head // 64
        for i in range(13):
            for k in range(13):
                end = unpack_tail(keys[n] % TAIL, pile)
                points[0] = 0
                points[1] = 0
                # Seen from side 0 of the ending: the side that has just laid its last card but one.
                if count == 31:
                    forced_ending(pile, 0, 0, 1, 0, 0, i, k, points)
                elif gone:
                    forced_ending(pile, end, count, 0, 1, 0, i, k, points)
                else:
                    forced_ending(pile, end, count, 1, 0, 0, i, k, points)
                if turn == 0:
                    worth = points[0] - price * points[1]
                    table[n, 0, k * 16 + i] = worth
                    table[n, 1, i * 16 + k] = -worth
                else:
                    worth = points[1] - price * points[0]
                    table[n, 0, i * 16 + k] = worth
                    table[n, 1, k * 16 + i] = -worth
        for side in range(2):
            for i in range(13):
                table[n, side, 208 + i] = table[n, side, i * 16 + i]
    return 0


@compiled
def fill_alone(keys, size, price, table):  # type: ignore[no-untyped-def]
    """Endings of one side alone with `size` cards: table (n, 208 or 455) float32, in pone's currency."""
    pile = np.empty(16, dtype=np.int64)
    cards = np.empty(3, dtype=np.int64)
    order = np.empty(3, dtype=np.int64)
    scored = np.zeros(3, dtype=np.int64)
    for n in range(len(keys)):
        head = keys[n] // TAIL
        count = head % 32
        finished = head // 32
        if count == 31:
            count = 0
        hands = 91 if size == 2 else 455
        for h in range(hands):
            end = unpack_tail(keys[n] % TAIL, pile)
            for c in range(size):
                cards[c] = PAIRS[h, c] if size == 2 else TRIPLES[h, c]
            alone(pile, end, count, cards, size, order, scored)
            # The side alone is the one that has not finished.
            worth = scored[1] - price * scored[0] if finished == 0 else scored[0] - price * scored[1]
            if size == 2:
                table[n, SLOT[h]] = worth
                table[n, MIRROR[h]] = worth
            else:
                table[n, h] = worth
    return 0
