"""Hands up to the names of the suits: one name for all such hands, and its row in a table.

Suits are named 0–3 so that the hand, read rank by rank from the ace, is the smallest: of two suits, the one
that comes first with a rank that the other lacks has the smaller name; suits with equal ranks keep their
order.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.compiled import kernel

RANKS = 13


class ClassIndex(NamedTuple):
    """Rows of a table of all hands of six cards, or of five: by ranks (m), then by suits."""

    ranks: NDArray[np.int64]
    """(m,) ascending ranks as digits to base 13."""
    class_start: NDArray[np.int64]
    """(m + 1,) first row of each."""
    shape_start: NDArray[np.int64]
    """(m,) start of its suits in `patterns`."""
    patterns: NDArray[np.int64]
    """Names of the suits in order, as digits to base 4, ascending within a shape."""


@kernel
def suit_bit(rank: int, suit: int) -> int:
    """Return a card's bit in the set that `suit_names` reads."""
    return 1 << (RANKS * suit + RANKS - 1 - rank)


@kernel
def suit_names(held: int) -> int:
    """Return the names of the four suits, two bits each. held: the cards' `suit_bit` together."""
    names = 0
    for suit in range(4):
        ranks = held >> RANKS * suit & 0x1FFF
        name = 0
        for other in range(4):
            others = held >> RANKS * other & 0x1FFF
            if others > ranks or (others == ranks and other < suit):
                name += 1
        names |= name << 2 * suit
    return names


@kernel
def class_row(hand: Any, index: Any, order: Any) -> int:
    """Return the row of ascending cards, and write to `order` the card at each position of the row."""
    held = 0
    ranks = 0
    for i in range(len(hand)):
        held |= suit_bit(hand[i] >> 2, hand[i] & 3)
        ranks = ranks * 13 + (hand[i] >> 2)
    names = suit_names(held)
    for i in range(len(hand)):
        place = i
        named = (hand[i] & ~3) | (names >> 2 * (hand[i] & 3) & 3)
        while place > 0:
            before = hand[order[place - 1]]
            if (before & ~3) | (names >> 2 * (before & 3) & 3) < named:
                break
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
    pattern = 0
    for i in range(len(hand)):
        pattern = pattern * 4 + (names >> 2 * (hand[order[i]] & 3) & 3)
    at = np.searchsorted(index.ranks, ranks)
    first = index.shape_start[at]
    row = index.class_start[at]
    size = index.class_start[at + 1] - row
    return int(row + np.searchsorted(index.patterns[first : first + size], pattern))
