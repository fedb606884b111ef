"""Classes of hands that differ only in the names of suits, and the row of each class in a table.

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
    """Index of a table of all hands of six or five cards, of which hands with renamed suits are one row."""

    ranks: NDArray[np.int64]
    """(m,) each combination of ranks, ascending, as digits to base 13; sorted."""
    class_start: NDArray[np.int64]
    """(m + 1,) first row of each combination of ranks."""
    shape_start: NDArray[np.int64]
    """(m,) index in `patterns` of the first pattern of suits of each combination."""
    patterns: NDArray[np.int64]
    """Suits of the cards in rank order, by new names, as digits to base 4; ascending for each combination."""


@kernel
def suit_bit(rank: int, suit: int) -> int:
    """Return a card's bit in the set of cards that `suit_names` reads."""
    return 1 << (RANKS * suit + RANKS - 1 - rank)


@kernel
def suit_names(held: int) -> int:
    """Return the new names (0–3) of the four suits, two bits each. held: the sum of the cards' `suit_bit`."""
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
    """Return the table row of ascending cards, and write to `order` the card at each position of the row."""
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
