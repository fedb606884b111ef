"""What the last card of a count makes in the play (R59, R68–R75)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.kernels import play_loops
from fifteentwo.kernels.cards import Cards, name
from fifteentwo.kernels.compiled import compiled

COMPILE_ROWS = 4096
"""Fewer rows than this never wait for a compiler."""
NO_CARD = 255
"""Fills a row after its last card."""


def points(laid: ArrayLike) -> Cards:
    """What the last card of each row makes: fifteen, thirty-one, pairs and run, all added.

    laid: (n, m) card indices of one count in the order they were laid, filled up with NO_CARD; 1 <= m <= 13.
    returns: (n,) uint8. About 10 ns a row compiled, 3 µs in plain Python. ValueError names the first row that
    is empty, has a gap, no card 0–51, a card twice or a count past 31.
    """
    rows = np.asarray(laid)
    if rows.size == 0:
        return np.empty(0, np.uint8)
    if not np.issubdtype(rows.dtype, np.integer):
        raise ValueError(f"laid: cards are whole numbers 0-51, got {rows.dtype} (row 0)")
    if rows.ndim != 2 or rows.shape[1] > 13:
        raise ValueError(f"laid: expected shape (n, 1 to 13), got {rows.shape}")
    cards = rows.astype(np.int64)
    lengths = (cards != NO_CARD).sum(axis=1)
    _check(cards, lengths)
    loops = compiled("fifteentwo.kernels.play_loops") if len(cards) >= COMPILE_ROWS else play_loops
    made = np.empty(len(cards), np.int64)
    loops.rows_points(cards.astype(np.uint8), lengths, made)
    return made.astype(np.uint8)


def _check(cards: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
    within = np.arange(cards.shape[1]) < lengths[:, None]
    _refuse(lengths == 0, "has no card")
    _refuse(((cards != NO_CARD) & ~within).any(axis=1), "has a gap before its last card")
    wrong = within & ((cards < 0) | (cards > 51))
    _refuse(wrong.any(axis=1), "has a number that is no card 0-51")
    ordered = np.sort(np.where(within, cards, -1 - np.arange(cards.shape[1])), axis=1)
    twice = ordered[:, 1:] == ordered[:, :-1]
    if twice.any():
        row = int(np.flatnonzero(twice.any(axis=1))[0])
        raise ValueError(f"laid: row {row} has {name(int(ordered[row, 1:][twice[row]][0]))} twice")
    counts = np.where(within, np.minimum((cards >> 2) + 1, 10), 0).sum(axis=1)
    _refuse(counts > 31, "counts past 31")


def _refuse(wrong: Any, why: str) -> None:
    if wrong.any():
        raise ValueError(f"laid: row {int(np.flatnonzero(wrong)[0])} {why}")
