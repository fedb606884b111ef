"""Points of many hands and cribs in the show (R80–R90, R103).

Fifteens, pairs and runs come from a table of 13**5 bytes indexed by the five ranks; flush and nobs from the
suits. NumPy (about 10 ns a hand) handles fewer than `COMPILE_ROWS` rows and systems without numba; kernels
(about 0.7 ns a hand, after compiling for a second once) handle the others.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.fast.compiled import compiled, has_numba
from fifteentwo.fast.layout import VALUES, Cards, card_column, card_rows, in_range, refuse_repeats
from fifteentwo.fast.show_kernels import FLUSH, WHOLE_FLUSH, flush_and_nobs, suits_apart

COMPILE_ROWS = 65_536
"""Smallest number of rows for which kernels are compiled."""
MOST_POINTS = 29
"""Points of the best hand."""
FLUSH_OF_THREE, WHOLE_FLUSH_OF_THREE = 3, 4
"""Points of a flush without and with the starter, in the five-card game (R103)."""
_KERNELS = "fifteentwo.fast.show_kernels"
_BLOCK = 8192
"""Rows that are scored in one vectorised step."""


def points(hands: ArrayLike, starters: ArrayLike, *, crib: bool = False, workers: int = 1) -> Cards:
    """Return (n,) uint8 points in the show of each hand (or crib) with its starter.

    hands: (n, 4) card indices, or (n, 3) hands of the five-card game; starters: (n,). Any integer dtype;
    uint8 is not copied. workers: threads that share the rows. ValueError names the first invalid row.
    """
    given = np.asarray(hands)
    bulk = given.ndim == 2 and given.shape[1] == 4 and len(given) >= COMPILE_ROWS and has_numba()
    rows = card_rows(hands, "hands", (4, 3), look=not bulk)
    column = card_column(starters, "starters", len(rows), look=not bulk)
    if crib and rows.shape[1] != 4:
        raise ValueError(f"hands: a crib has four cards, got shape {rows.shape}")
    made = np.empty(len(rows), np.uint8)
    if bulk:
        score = compiled(_KERNELS).score
        packed, table, flush = _packed(rows), rank_points(5), 0 if crib else FLUSH

        def part(begin: int, end: int) -> bool:
            return bool(score(packed[begin:end], column[begin:end], flush, table, made[begin:end]))

    else:

        def part(begin: int, end: int) -> bool:
            repeat = False
            for start in range(begin, end, _BLOCK):
                stop = min(start + _BLOCK, end)
                made[start:stop], twice = _vectorised(rows[start:stop], column[start:stop], crib)
                repeat = repeat or twice
            return repeat

    if _shared(part, len(rows), workers):
        in_range(rows, "hands")
        in_range(column, "starters")
        refuse_repeats(np.column_stack([rows, column]), "hands and starters")
    return made


def totals() -> NDArray[np.int64]:
    """Return (30, 2) how many of all 12,994,800 hands score each number of points: as hands, as cribs."""
    kernels = compiled(_KERNELS)
    packed = np.empty(270_725, np.uint32)
    kernels.all_fours(packed)
    flushes = packed[suits_apart(packed) == 0]
    as_hands = _totals(kernels, packed, crib=False)
    # A crib counts like a hand but for the flush of four.
    as_cribs = as_hands - _totals(kernels, flushes, crib=False) + _totals(kernels, flushes, crib=True)
    return np.column_stack([as_hands, as_cribs])


def prepare() -> None:
    """Compile the kernels, or load them."""
    totals()


def _totals(kernels: ModuleType, packed: NDArray[np.uint32], *, crib: bool) -> NDArray[np.int64]:
    """Return (30,) int64: how many of these hands, with each of 48 starters, score each number of points."""
    counted = np.zeros((2, 32), np.int64)
    made = np.empty(len(packed), np.uint8)
    hands = packed.view(np.uint8).reshape(-1, 4)
    for card in range(52):
        starters = np.full(len(packed), card, np.uint8)
        if has_numba():
            kernels.score(packed, starters, 0 if crib else FLUSH, rank_points(5), made)
            kernels.tally(packed, card, made, counted)
        else:
            free = (hands != card).all(axis=1)
            points, _ = _vectorised(hands[free], starters[free], crib)
            counted[0] += np.bincount(points, minlength=32)
    summed: NDArray[np.int64] = counted.sum(axis=0)[: MOST_POINTS + 1]
    return summed


@cache
def rank_points(size: int) -> Cards:
    """Return points of fifteens, pairs and runs of 4 or 5 cards, by their ranks as digits to base 13.

    returns: (13**size,) uint8. Five equal ranks, which no deck has, make 0. About 30 ms for five.
    """
    digits = 13 ** np.arange(size - 1, -1, -1)
    ordered = np.array(list(combinations_with_replacement(range(13), size)))
    points = _combination_points(ordered)
    table = np.zeros(13**size, np.uint8)
    for order in permutations(digits):
        table[ordered @ order] = points
    if size == 5:
        table[:: int(digits.sum())] = 0
    table.setflags(write=False)
    return table


def _combination_points(ranks: Cards) -> NDArray[np.int64]:
    """Return points of fifteens, pairs and runs by enumeration. ranks: (n, size), 0–12."""
    size = ranks.shape[1]
    values = VALUES[ranks]
    made = np.zeros(len(ranks), np.int64)
    for number in range(2, size + 1):
        for chosen in combinations(range(size), number):
            made += 2 * (values[:, chosen].sum(axis=1) == 15)
    for one, other in combinations(range(size), 2):
        made += 2 * (ranks[:, one] == ranks[:, other])
    length, ways = np.zeros_like(made), np.ones_like(made)
    for rank in range(14):
        copies = (ranks == rank).sum(axis=1)
        present = copies > 0
        made += np.where(~present & (length >= 3), length * ways, 0)
        length = np.where(present, length + 1, 0)
        ways = np.where(present, ways * copies, 1)
    return made


def _vectorised(hands: Cards, starters: Cards, crib: bool) -> tuple[Cards, bool]:
    """Return points by NumPy, and whether a row contains a card twice. hands: (n, 4) or (n, 3)."""
    size = hands.shape[1]
    columns = [np.ascontiguousarray(hands[:, i]) for i in range(size)]
    index = (columns[0] >> 2).astype(np.int32)
    repeats = False
    for i, column in enumerate(columns):
        if i:
            index *= 13
            index += column >> 2
        repeats = repeats or any(bool((column == other).any()) for other in (*columns[:i], starters))
    index *= 13
    index += starters >> 2
    made = rank_points(size + 1)[index]
    made += suit_points(hands, starters, crib=crib)
    return made, repeats


def suit_points(hands: Cards, starters: Cards, *, crib: bool = False) -> Cards:
    """Return points of flush and nobs (R85–R87, R103). hands: (…, 4 or 3) uint8, contiguous."""
    size = hands.shape[-1]
    four = hands if size == 4 else np.concatenate([hands, hands[..., :1]], axis=-1)
    packed = np.ascontiguousarray(four).view(np.uint32)[..., 0]
    flush, whole = (FLUSH, WHOLE_FLUSH) if size == 4 else (FLUSH_OF_THREE, WHOLE_FLUSH_OF_THREE)
    suits = starters.astype(np.uint32)
    made: Cards = flush_and_nobs(packed, suits, np.uint8(0 if crib else flush), np.uint8(whole))
    return made


def _packed(hands: Cards) -> NDArray[np.uint32]:
    """Return four cards as one number; kernels do not depend on the order of its bytes."""
    return hands.view(np.uint32).reshape(len(hands))


def _shared(part: Callable[[int, int], bool], rows: int, workers: int) -> bool:
    """Run `part(begin, end)` over all rows, in threads if requested; return whether any part was true."""
    if workers <= 1:
        return part(0, rows)
    from concurrent.futures import ThreadPoolExecutor  # a hundredth of a second that one hand need not wait

    bounds = [rows * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        return any(list(pool.map(part, bounds[:-1], bounds[1:])))
