"""The layout of cards in arrays, and the checks of every array.

A card is 4 * rank + suit, with rank 0 (ace) to 12 (king) and suit 0–3 in the order S H D C.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.fast.compiled import has_numba
from fifteentwo.fast.play import value_of

Cards = NDArray[np.uint8]
"""Card indices 0–51."""

RANKS = 13
JACK = 10
"""Rank of a jack (0–12)."""
VALUES: NDArray[np.int64] = np.array([value_of(rank) for rank in range(RANKS)], np.int64)
"""Counting value of each rank (R7)."""
RANK_LETTERS = "A23456789TJQK"
SUIT_LETTERS = "SHDC"


def name(card: int) -> str:
    """Return the text of a card, for example "5H" for 17."""
    return RANK_LETTERS[card >> 2] + SUIT_LETTERS[card & 3]


def as_records(*named: Any) -> Any:
    """Return named tuples of arrays and numbers as NumPy records with the same fields, for use in kernels.

    Numba passes a record as one address. It takes a tuple of arrays apart and counts references at each call,
    which would take more than half of the time of short kernels. Without numba, return the tuples.
    """
    if not has_numba():
        return named
    fields = [(name, np.asarray(field).dtype, np.shape(field)) for name, field in named[0]._asdict().items()]
    rows = np.recarray(len(named), np.dtype(fields, align=True))
    for number, row in enumerate(named):
        for name, field in row._asdict().items():
            rows[name][number] = field
    return rows


def card_rows(given: ArrayLike, what: str, widths: tuple[int, ...], *, look: bool = True) -> Cards:
    """Return rows of cards as (n, width) uint8, contiguous; ValueError names the first invalid row.

    given: (n, width) of any integer type; what: its name in errors; widths: allowed widths. Empty input
    becomes (0, widths[0]). Repeated cards are not checked; without `look`, uint8 numbers past 51 are not
    checked either.
    """
    rows = _whole_numbers(given, what)
    if rows.size == 0:
        width = rows.shape[1] if rows.ndim == 2 and rows.shape[1] in widths else widths[0]
        return np.empty((0, width), np.uint8)
    if rows.ndim != 2 or rows.shape[1] not in widths:
        expected = " or ".join(str(width) for width in widths)
        raise ValueError(f"{what}: expected shape (n, {expected}), got {rows.shape}")
    return in_range(rows, what) if look or rows.dtype != np.uint8 else np.ascontiguousarray(rows, np.uint8)


def card_column(given: ArrayLike, what: str, length: int, *, look: bool = True) -> Cards:
    """Return a column of cards as (length,) uint8, contiguous; ValueError names the first invalid row."""
    column = _whole_numbers(given, what)
    if column.size == 0 and length == 0:
        return np.empty(0, np.uint8)
    if column.shape != (length,):
        raise ValueError(f"{what}: expected shape ({length},), got {column.shape}")
    return (
        in_range(column, what) if look or column.dtype != np.uint8 else np.ascontiguousarray(column, np.uint8)
    )


def refuse_repeats(rows: Cards, what: str) -> None:
    """Raise ValueError naming the first row that contains a card twice. rows: (n, k) cards."""
    row = first_repeat(rows)
    if row >= 0:
        ordered = np.sort(rows[row])
        twice = int(ordered[:-1][ordered[1:] == ordered[:-1]][0])
        raise ValueError(f"{what}: row {row} has {name(twice)} twice")


def first_repeat(rows: Cards) -> int:
    """Return the index of the first row that contains a card twice, or -1."""
    seen = np.zeros(len(rows), np.uint64)
    twice = np.zeros(len(rows), np.uint64)
    for column in range(rows.shape[1]):
        bit = np.left_shift(np.uint64(1), rows[:, column].astype(np.uint64))
        twice |= seen & bit
        seen |= bit
    repeats = np.flatnonzero(twice)
    return int(repeats[0]) if len(repeats) else -1


def _whole_numbers(given: ArrayLike, what: str) -> NDArray[np.integer[Any]]:
    array = np.asarray(given)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{what}: cards are whole numbers 0-51, got {array.dtype} (row 0)")
    return array


def in_range(array: NDArray[np.integer[Any]], what: str) -> Cards:
    """Return the array as uint8, contiguous; ValueError names the first row with an invalid card."""
    if int(array.max()) > 51 or (array.dtype.kind == "i" and int(array.min()) < 0):
        wrong = (array < 0) | (array > 51)
        row = int(np.flatnonzero(wrong.reshape(len(array), -1).any(axis=1))[0])
        card = int(array[row][wrong[row]].flat[0]) if array.ndim == 2 else int(array[row])
        raise ValueError(f"{what}: row {row} has {card}, no card 0-51")
    return np.ascontiguousarray(array, dtype=np.uint8)
