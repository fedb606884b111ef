"""Hands of one to four ranks by number: multisets of ranks 0–12 in the order of combinations.

A hand's number is its index among all hands of its size: 13 of one card, 91 of two, 455 of three, 1,820 of
four. Suits do not matter.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

SIZES = np.array([1, 13, 91, 455, 1820], dtype=np.int64)
"""Numbers of different hands with 0 to 4 cards, by ranks."""


@cache
def hands(size: int) -> tuple[tuple[int, ...], ...]:
    """Return every hand of `size` ranks, each in ascending order; the index of a hand is its number."""
    return tuple(combinations_with_replacement(range(13), size))


@cache
def place(size: int) -> dict[tuple[int, ...], int]:
    """Return a dict from the ascending ranks of each hand of `size` cards to the hand's number."""
    return {hand: at for at, hand in enumerate(hands(size))}


PAIRS: Ints = np.array(hands(2), dtype=np.int64)
"""(91, 2) ranks of every pair of ranks, the lower first."""
TRIPLES: Ints = np.array(hands(3), dtype=np.int64)
"""(455, 3) ranks of every three ranks, ascending."""
FOURS: Ints = np.array(hands(4), dtype=np.int64)
"""(1820, 4) ranks of every four ranks, ascending."""


@cache
def with_one_more(size: int) -> Ints:
    """Return (13, smaller hands) the number of the hand made of a rank and a hand of `size` - 1 cards."""
    return np.array(
        [[place(size)[tuple(sorted((*rest, rank)))] for rest in hands(size - 1)] for rank in range(13)],
        dtype=np.int64,
    )


UP2, UP3 = with_one_more(2), with_one_more(3)
"""(13, 13) number of the pair of two ranks; (13, 91) number of the triple of a rank and a pair."""


@cache
def up() -> Ints:
    """Return (5, 13, 455) the arrays `with_one_more(size)`, [size, rank, smaller hand], padded with 0."""
    table = np.zeros((5, 13, 455), np.int64)
    for size in range(1, 5):
        table[size, :, : SIZES[size - 1]] = with_one_more(size)
    return table


@cache
def without(size: int) -> Ints:
    """Return (hands, 13) the number of the hand that is left without a card of a rank, -1 if it has none."""
    left = np.full((len(hands(size)), 13), -1, np.int64)
    for rank in range(13):
        left[with_one_more(size)[rank], rank] = np.arange(SIZES[size - 1])
    return left


@cache
def copies(size: int) -> Ints:
    """Return (hands, 13) how many cards of each rank a hand of `size` cards contains."""
    return np.array([[hand.count(rank) for rank in range(13)] for hand in hands(size)], np.int64)


@cache
def number_by_digits(size: int) -> Ints:
    """Return (13**size,) hand numbers by their ascending ranks as digits to base 13; -1 for other digits."""
    table = np.full(13**size, -1, np.int64)
    table[np.array(hands(size)) @ 13 ** np.arange(size - 1, -1, -1)] = np.arange(SIZES[size])
    return table


def hand_numbers(ranks: npt.NDArray[np.integer[Any]]) -> Ints:
    """Return the numbers (…) of hands from their ranks (…, size) in any order."""
    size = ranks.shape[-1]
    numbers: Ints = number_by_digits(size)[np.sort(ranks, axis=-1) @ 13 ** np.arange(size - 1, -1, -1)]
    return numbers
