"""Policies of two-player six-card cribbage as arrays, and whole deals in bulk under them.

    policies = by_points(charts)
    played = play_deals(random_deals(100_000, 13, seed=1), policies, seed=1)

About 12 µs of a core a deal with numba, 1.2 ms without.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast import deal_choices, deal_loops
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.show import rank_points

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LOOPS = "fifteentwo.fast.deal_loops"
CHOICES = "fifteentwo.fast.deal_choices"
PONE, DEALER = 0, 1
KEEPS = 1820
Book = tuple[Any, ...]


class Policies(NamedTuple):
    """How pone (row 0) and dealer (row 1) lay away and play."""

    lay_aims: Ints
    """(2,) deal_choices.POINTS or CHANCE, in laying away; not read where pairs are given beforehand."""
    aims: Ints
    """(2,) deal_choices.POINTS, CHANCE or BOOK, in the play."""
    prices: Floats
    """(2,) what the other side's point costs, for POINTS."""
    charts: Floats
    """(2, 13, 13) worth of two cards in the crib: one suit at [low, high], else [high, low]."""
    keep_worth: Floats
    """(2, 1820) what four ranks kept bring in the play: net points, for CHANCE chances of winning."""
    likely: Floats
    """(2, 13) how much more often than at random the other side keeps a rank."""
    tables: NDArray[np.float32]
    """(2, 9, 160, 128) chance of winning, [cards laid, own score + own hand, other's score], for CHANCE."""
    outs: NDArray[np.float32]
    """(2, 9, 122) chance to peg out in the rest of the play, [cards laid, points needed], for CHANCE."""
    shifts: Floats
    """(2, 13, 13) how far two cards move the crib from its mean, for CHANCE."""
    by_show: Floats
    """(2, 30, SHIFTS) chance of winning by own hand and shift of the crib, for CHANCE."""
    book: Book
    """Arrays of a solved book, for BOOK; see `no_book` and `book_arrays`."""


class Played(NamedTuple):
    """Deals that were played: events (n, MOST_EVENTS) int16, kept (n, 2), laid (n, 8), options (n, 2)."""

    events: NDArray[np.int16]
    kept: NDArray[np.int16]
    laid: NDArray[np.uint8]
    options: NDArray[np.int8]


def by_points(charts: Floats, keep_worth: Floats | None = None, likely: Floats | None = None) -> Policies:
    """Both sides aim at net points. charts: (2, 13, 13) signed worth of two cards in the crib."""
    return Policies(
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.ones(2),
        np.ascontiguousarray(charts, np.float64),
        np.zeros((2, KEEPS)) if keep_worth is None else np.ascontiguousarray(keep_worth, np.float64),
        np.ones((2, 13)) if likely is None else np.ascontiguousarray(likely, np.float64),
        np.zeros((2, 9, 160, 128), np.float32),
        np.zeros((2, 9, 122), np.float32),
        np.zeros((2, 13, 13)),
        np.zeros((2, 30, deal_choices.SHIFTS)),
        no_book(),
    )


@cache
def no_book() -> Book:
    """Arrays of the right types for policies without a book."""
    return (
        np.zeros(0, np.int64),
        np.zeros(0, np.int64),
        np.zeros(0, np.uint8),
        np.zeros(170, np.int64),
        np.zeros(0, np.uint8),
        np.zeros(0, np.int16),
        np.zeros(0, np.int16),
    )


def play_deals(
    dealt: Cards,
    policies: Policies,
    seed: int | np.random.Generator,
    start: tuple[int, int] = (0, 0),
    options: NDArray[np.int8] | None = None,
) -> Played:
    """Play deals. dealt: (n, 13) pone's six cards, dealer's six, starter; start: scores (pone, dealer).

    options: (n, 2) pairs to lay away given beforehand (first * 6 + second of the six ascending cards; -1: the
    policy's). The seed serves mixed strategies only.
    """
    number = len(dealt)
    mixed = bool((policies.aims == deal_choices.BOOK).any())
    draws = (
        np.random.default_rng(seed).random((number, 8), np.float32)
        if mixed
        else np.zeros((number, 8), np.float32)
    )
    played = Played(
        np.zeros((number, deal_loops.MOST_EVENTS), np.int16),
        np.zeros((number, 2), np.int16),
        np.zeros((number, 8), np.uint8),
        np.full((number, 2), -1, np.int8) if options is None else options.astype(np.int8),
    )
    compiled(LOOPS).play_deals(
        dealt,
        draws,
        np.array(start, np.int64),
        policies.lay_aims,
        policies.aims,
        policies.prices,
        policies.tables,
        policies.outs,
        policies.likely,
        policies.book,
        rank_points(5),
        number_by_digits(4),
        policies.charts,
        policies.keep_worth,
        policies.shifts,
        policies.by_show,
        played.options,
        played.events,
        played.kept,
        played.laid,
    )
    return played


class Tally(NamedTuple):
    """Sums over deals: all that a board needs of them. See `deal_loops.tally`."""

    reached: Ints
    ended: Ints
    by_kind: Ints

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return int(self.ended.sum())


def empty_tally() -> Tally:
    """No deals yet."""
    return Tally(
        np.zeros((2, 128, 128), np.int64),
        np.zeros((128, 128), np.int64),
        np.zeros((2, 5), np.int64),
    )


def add(tally: Tally, played: Played) -> None:
    """Count deals in; the arrays of `tally` are raised in place."""
    compiled(LOOPS).tally(played.events, *tally)
