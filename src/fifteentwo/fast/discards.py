"""All discards of many hands: points of the kept cards, and the crib (R39–R41, R80–R90).

Discards are in the order of `itertools.combinations(range(size), discarded)`: 15 for six cards, the first of
cards 0 and 1. Everything uses NumPy, so nothing waits for a compiler. `workers` above 1 splits the rows among
processes; a script that uses it needs `if __name__ == "__main__":`.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fifteentwo.fast.crib_weights import (
    PAIR_INDEX,
    CribWeights,
    Floats,
    pair_crib_points,
    pair_crib_weights,
    pair_sums,
    triple_crib_points,
    triple_crib_weights,
    unseen,
)
from fifteentwo.fast.hands import TRIPLES
from fifteentwo.fast.layout import JACK, Cards, card_rows, refuse_repeats
from fifteentwo.fast.show import MOST_POINTS, rank_points, suit_points

if TYPE_CHECKING:
    from fifteentwo.processes import WorkerPool

Places = NDArray[np.intp]
"""Indices of array elements."""
ByPoints = tuple[Places, Places, Cards]
"""Indices of a table's cells, sorted by points; the first cell of each number of points; and these
numbers."""

UNIFORM: Floats = np.ones((13, 13))
"""(13, 13) the chart for `pair_crib_weights` of an opponent whose discards are all equally likely."""
UNIFORM_SINGLES: Floats = np.ones(len(TRIPLES))
"""(455,) weights for `triple_crib_weights` of other players whose discards are all equally likely."""
UNIFORM.setflags(write=False)
UNIFORM_SINGLES.setflags(write=False)
SIZES = {2: (6, 5, 4, 3, 2), 1: (5, 4, 3, 2, 1)}
"""Allowed sizes of hands, by number of discarded cards; the first is the usual size."""


@cache
def ways(size: int, discarded: int) -> tuple[Places, Places]:
    """Return the w discards of a hand: indices of discarded cards (w, discarded), and of kept cards."""
    gone = list(combinations(range(size), discarded))
    kept = [[place for place in range(size) if place not in chosen] for chosen in gone]
    return np.array(gone, np.intp), np.array(kept, np.intp).reshape(len(gone), size - discarded)


def kept_counts(hands: ArrayLike, discarded: int = 2, *, workers: int = 1) -> NDArray[np.int64]:
    """Return how many unseen starters give the kept cards each number of points, for each discard.

    hands: (n, size) cards, of which `discarded` are discarded; three or four must remain. returns: (n, w, 30)
    int64; each row of 30 sums to 52 - size. About 15 µs a hand.
    """
    rows = _check_kept_hands(hands, discarded)
    if workers > 1:
        return _spread(kept_counts, rows, workers, discarded)

    def part(held: Cards) -> NDArray[np.int64]:
        made = _kept_points(held, discarded)
        number = made.shape[0] * made.shape[1]
        # Cards in the hand cannot be starters: they have 31 points here and are dropped.
        places = made.reshape(number, 52) + (np.arange(number) * 32)[:, None]
        counted = np.bincount(places.ravel(), minlength=number * 32).reshape(*made.shape[:2], 32)
        return counted[..., : MOST_POINTS + 1]

    return _in_parts(part, rows, (len(ways(rows.shape[1], discarded)[0]), MOST_POINTS + 1), np.int64)


def kept_sums(hands: ArrayLike, discarded: int = 2, *, workers: int = 1) -> NDArray[np.int64]:
    """Return (n, w) int64 sums of points of the kept cards over all unseen starters, 52 - size of them."""
    rows = _check_kept_hands(hands, discarded)
    if workers > 1:
        return _spread(kept_sums, rows, workers, discarded)

    def part(held: Cards) -> NDArray[np.int64]:
        made = _kept_points(held, discarded)
        summed: NDArray[np.int64] = np.where(made == 31, 0, made).sum(axis=2, dtype=np.int64)
        return summed

    return _in_parts(part, rows, (len(ways(rows.shape[1], discarded)[0]),), np.int64)


def crib_sums(hands: ArrayLike, chart: Floats = UNIFORM, *, workers: int = 1) -> tuple[Floats, Floats]:
    """Return the crib's points for each discard, summed over all discards of one opponent and all starters.

    hands: (n, size) cards, two of which are discarded; the other two crib cards come from the opponent.
    chart: (13, 13) frequencies as for `pair_crib_weights`; integers give integer sums, exact below 2**53.
    returns: weighted sums (n, w) and the total weight (n,); their quotient is the mean. With six cards and
    UNIFORM the weight is 46 * 990 = 45,540. About 20 µs a hand.
    """
    rows = _check_hands(hands, 2)
    frequencies = _check_chart(chart)
    if workers > 1:
        both: Floats = _spread(_crib_sums_and_weight, rows, workers, frequencies)
        return both[:, :-1], both[:, -1]
    gone, _ = ways(rows.shape[1], 2)
    starters = 52 - rows.shape[1] - 2

    def part(held: Cards) -> Floats:
        total, plain, nobs, held_nobs, flush = pair_sums(unseen(held), frequencies)
        ranks, suits = held >> 2, held & 3
        one, other = gone.T
        own = PAIR_INDEX[ranks[:, one], ranks[:, other]]
        # `@` would start BLAS threads, which compete with other processes for the cores.
        sums = np.einsum("nwc,nc->nw", _pair_crib_points()[own], plain)
        sums += nobs[:, None]
        nobs_by_card = np.where(ranks == JACK, np.take_along_axis(held_nobs, suits.astype(np.intp), 1), 0.0)
        sums += nobs_by_card[:, one] + nobs_by_card[:, other]
        flush_by_card = np.take_along_axis(flush, suits.astype(np.intp), 1)
        sums += np.where(suits[:, one] == suits[:, other], 5 * flush_by_card[:, one], 0.0)
        return np.column_stack([sums, total * starters])

    summed = _in_parts(part, rows, (len(gone) + 1,), np.float64, 32)
    return summed[:, :-1], summed[:, -1]


def crib_counts(hands: ArrayLike, chart: Floats = UNIFORM, *, workers: int = 1) -> Floats:
    """Return (n, w, 30) float64 weights with which the crib has each number of points, for each discard.

    Two cards are discarded; arguments as for `crib_sums`. About 0.2 ms a hand.
    """
    rows = _check_hands(hands, 2)
    frequencies = _check_chart(chart)
    if workers > 1:
        return _spread(crib_counts, rows, workers, frequencies)

    def part(held: Cards) -> Floats:
        return _pair_crib_counts(held, pair_crib_weights(unseen(held), frequencies))

    return _in_parts(part, rows, (len(ways(rows.shape[1], 2)[0]), MOST_POINTS + 1), np.float64)


def crib_counts_of_singles(hands: ArrayLike) -> Floats:
    """Return weights with which the crib has each number of points if one card is discarded (R40, R41).

    The other three are any unseen cards. hands: (n, size) cards. returns: (n, size, 30) float64. 1 ms a hand.
    """
    rows = _check_hands(hands, 1)

    def part(held: Cards) -> Floats:
        return _single_crib_counts(held, triple_crib_weights(unseen(held), UNIFORM_SINGLES))

    return _in_parts(part, rows, (rows.shape[1], MOST_POINTS + 1), np.float64, 8)


def _kept_points(held: Cards, discarded: int) -> NDArray[np.uint8]:
    """Return (n, w, 52) points of each kept hand with each card as starter; 31 if the card is in the hand."""
    _, kept = ways(held.shape[1], discarded)
    size = kept.shape[1]
    hands = held[:, kept]
    ranks = (hands >> 2).astype(np.intp)
    place = ranks[..., 0]
    for card in range(1, size):
        place = place * 13 + ranks[..., card]
    by_rank = rank_points(size + 1).reshape(-1, 13)[place]
    by_suit = suit_points(hands[..., None, :], np.arange(4, dtype=np.uint8))
    made = (by_rank[..., :, None] + by_suit[..., None, :]).reshape(*place.shape, 52)
    out = np.zeros((len(held), 52), np.bool_)
    np.put_along_axis(out, held.astype(np.intp), True, axis=1)
    made[np.broadcast_to(out[:, None, :], made.shape)] = 31
    return made


def _pair_crib_counts(held: Cards, weights: CribWeights) -> Floats:
    """Return (n, w, 30) weights of the crib's points if each pair of the held cards is discarded."""
    one, other = ways(held.shape[1], 2)[0].T
    ranks, suits = (held >> 2).astype(np.intp), (held & 3).astype(np.intp)
    own = PAIR_INDEX[ranks[:, one], ranks[:, other]]
    jack = _jacks(ranks, suits)
    flush_suit = np.where(suits[:, one] == suits[:, other], suits[:, one], -1)
    return _counts(own, jack[:, one] | jack[:, other], flush_suit, weights, _pair_cells_by_points)


def _single_crib_counts(held: Cards, weights: CribWeights) -> Floats:
    """Return (n, size, 30) weights of the crib's points if each held card is discarded."""
    ranks, suits = (held >> 2).astype(np.intp), (held & 3).astype(np.intp)
    return _counts(ranks, _jacks(ranks, suits), suits, weights, _single_cells_by_points)


def _jacks(ranks: Places, suits: Places) -> NDArray[np.bool_]:
    """Return (n, size, 4) whether each card is the jack of each suit."""
    jacks: NDArray[np.bool_] = (ranks == JACK)[..., None] & (suits[..., None] == np.arange(4))
    return jacks


def _counts(
    own: Places,
    jack: NDArray[np.bool_],
    flush_suit: Places,
    weights: CribWeights,
    table: Callable[[int], ByPoints],
) -> Floats:
    """Return (n, w, 30) weights with which the crib has each number of points, for w discards of n hands.

    own: (n, w), the discarded ranks as an index of the table. jack: (n, w, 4), whether the jack of each suit
    is discarded. flush_suit: (n, w), the suit of all discarded cards, or -1.
    """
    counted = np.zeros((*own.shape, MOST_POINTS + 1))
    # np.unique would import masked arrays first, a tenth of the time of one hand.
    for ranks in np.flatnonzero(np.bincount(own.ravel())).tolist():
        points = table(ranks)
        row, way = np.nonzero(own == ranks)
        plain, nobs = weights.plain[row], weights.nobs[row]
        for suit in range(4):
            held = jack[row, way, suit]
            if held.any():
                nobs[held] += weights.held_nobs[row[held], suit]
        alike = flush_suit[row, way] >= 0
        if alike.any():
            in_row, in_way = row[alike], way[alike]
            suit_of = flush_suit[in_row, in_way]
            flush = weights.flush[in_row, suit_of]
            own_jack = jack[in_row, in_way, suit_of]
            both = np.where(own_jack[:, None, None], flush, weights.flush_nobs[in_row, suit_of])
            plain[alike] -= flush
            nobs[alike] -= both
            counted[in_row, in_way, 5:] += _sum_by_points(flush - both, points)[:, :-5]
            counted[in_row, in_way, 6:] += _sum_by_points(both, points)[:, :-6]
        counted[row, way] += _sum_by_points(plain - nobs, points)
        counted[row, way, 1:] += _sum_by_points(nobs, points)[:, :-1]
    return counted


def _sum_by_points(weights: Floats, table: ByPoints) -> Floats:
    """Return (r, 30) the summed weight of each number of points. weights: (r, m, 13) of the table's cells."""
    cells, begins, points = table
    counted = np.zeros((len(weights), MOST_POINTS + 1))
    ordered = np.take(weights.reshape(len(weights), -1), cells, axis=1)
    counted[:, points] = np.add.reduceat(ordered, begins, axis=1)
    return counted


@cache
def _pair_crib_points() -> Floats:
    return pair_crib_points().astype(np.float64)


@cache
def _pair_cells_by_points(own: int) -> ByPoints:
    return _cells_by_points(pair_crib_points()[own])


@cache
def _single_cells_by_points(own: int) -> ByPoints:
    return _cells_by_points(triple_crib_points()[own])


def _cells_by_points(points: Cards) -> ByPoints:
    cells = np.argsort(points, kind="stable")
    distinct, begins = np.unique(points[cells], return_index=True)
    return cells, begins, distinct


def _check_hands(hands: ArrayLike, discarded: int) -> Cards:
    rows = card_rows(hands, "hands", SIZES[discarded])
    refuse_repeats(rows, "hands")
    return rows


def _check_kept_hands(hands: ArrayLike, discarded: int) -> Cards:
    rows = _check_hands(hands, discarded)
    if rows.shape[1] - discarded not in (3, 4):
        raise ValueError(f"hands: {rows.shape[1]} cards less {discarded} leave no hand of three or four")
    return rows


def _check_chart(chart: ArrayLike) -> Floats:
    given = np.asarray(chart, np.float64)
    if given.shape != (13, 13) or not np.isfinite(given).all() or (given < 0).any():
        raise ValueError(f"chart: expected (13, 13) finite and not negative, got shape {given.shape}")
    return given


def _in_parts(
    part: Callable[[Cards], NDArray[Any]],
    rows: Cards,
    shape: tuple[int, ...],
    dtype: type[np.generic],
    size: int = 64,
) -> NDArray[Any]:
    """Call `part` for `size` rows at a time, so that its arrays stay small; return the joined results."""
    whole = np.empty((len(rows), *shape), dtype)
    for start in range(0, len(rows), size):
        whole[start : start + size] = part(rows[start : start + size])
    return whole


def _spread(work: Callable[..., NDArray[Any]], rows: Cards, workers: int, *given: Any) -> NDArray[Any]:
    """Split the rows among processes, because threads would serialise NumPy's many small steps.

    Results are returned in one file, each part written to its place; pipes would add a tenth of the time.
    """
    nothing = work(rows[:0], *given)
    row = nothing.itemsize * int(np.prod(nothing.shape[1:]))
    cuts = np.linspace(0, len(rows), workers + 1).astype(int).tolist()
    with TemporaryDirectory() as folder:
        place = Path(folder, "found")
        place.touch()
        parts = [
            _processes(workers).submit(_write_part, place, start * row, work, rows[start:stop], *given)
            for start, stop in pairwise(cuts)
        ]
        try:
            for part in parts:
                part.result()
        except BaseException:
            _processes(workers).kill()
            _processes.cache_clear()
            raise
        return np.fromfile(place, nothing.dtype).reshape(len(rows), *nothing.shape[1:])


def _write_part(place: Path, begin: int, work: Callable[..., NDArray[Any]], rows: Cards, *given: Any) -> None:
    result = np.ascontiguousarray(work(rows, *given))
    with place.open("r+b") as file:
        file.seek(begin)
        file.write(result.data)


@cache
def _processes(workers: int) -> "WorkerPool":
    """Return the worker processes, started at first use in about half a second and then reused."""
    # Imported here, because one hand does not need processes.
    from fifteentwo.processes import WorkerPool

    return WorkerPool(workers)


def _crib_sums_and_weight(hands: Cards, chart: Floats) -> Floats:
    sums, weight = crib_sums(hands, chart)
    return np.column_stack([sums, weight])
