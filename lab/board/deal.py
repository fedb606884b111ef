"""Whole deals of two-player six-card cribbage in bulk: the one engine, both sides' policies given as records.

    policies = by_points(charts)
    played = play_deals(random_deals(100_000, 13, seed=1), policies, seed=1)

About 12 µs of a core a deal with numba, 1.2 ms without; by a solved book about 5 µs. Sides: 0 pone, 1 dealer.
"""

from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.fast.layout import Cards, as_records, card_rows, refuse_repeats
from fifteentwo.fast.play import WIDTH
from fifteentwo.fast.show import MOST_POINTS, rank_points
from lab.board.deal_choices import CHANCE, PLAY_SPAN, TARGET
from lab.board.deal_kernels import BOOK, MOST_EVENTS, POINTS

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Options = NDArray[np.int8]
"""(n, 2) pairs discarded: first * 6 + second of the six ascending cards; -1 where a policy is to choose."""

KERNELS = "lab.board.deal_kernels"
PONE, DEALER = 0, 1
KEEPS = 1820
STARTERS = 46
"""Cards that a side has not seen when it discards."""
SPAN = 128
"""Points of one deal stay below this."""
Book = tuple[Any, ...]


class Policy(NamedTuple):
    """How one side plays, and discards where no pairs are given beforehand: for points."""

    play_aim: int
    """POINTS, CHANCE or BOOK, in pegging."""
    opponent_weight: float
    """What a point of the other side costs, for POINTS."""
    crib_chart: Floats
    """(13, 13) value of two cards in the crib: one suit at [low, high], else [high, low]; for POINTS."""
    keep_values: Floats
    """(1820,) net points that four ranks kept peg, for POINTS."""
    likely: Floats
    """(13,) how much more often than at random the other side keeps a rank."""
    in_play: Singles
    """(9, 30, PLAY_SPAN, PLAY_SPAN) values for CHANCE: cards played, own hand, own and other's since
    `start`."""
    start: Ints
    """(2,) own and other's score before pegging."""


class DiscardValues(NamedTuple):
    """The value of every discard to one side at one board; `lab.board.win_by_ranks` makes them."""

    by_ranks: Singles
    """(1820, 91, 13) by four ranks kept, two discarded and the starter's; suits left out."""
    by_suit: Singles
    """(1820, 5, 13) what 1, 4, 5 and 6 points more in the hand add, and a point more in the crib; by four
    ranks kept and the starter's."""


_SHAPES: dict[str, tuple[int, ...]] = {
    "opponent_weight": (),
    "crib_chart": (13, 13),
    "keep_values": (KEEPS,),
    "likely": (13,),
}
_SHAPES_FOR_CHANCE: dict[str, tuple[int, ...]] = {
    "in_play": (9, MOST_POINTS + 1, PLAY_SPAN, PLAY_SPAN),
    "start": (2,),
}
MOST_VALUE = 1_000_000
"""No part of a policy is further from 0: the kernels take -10**9 for a value below any card's."""


class Policies(NamedTuple):
    """Both sides' policies, and the solved book that BOOK plays by."""

    pone: Policy
    dealer: Policy
    book: Book
    """Arrays of a solved book; see `no_book` and `strategy.pegging.book_arrays`."""


class Tables(NamedTuple):
    """What the rules need to be quick."""

    ranks: Cards
    """(13**5,) `show.rank_points`."""
    fours: Ints
    """(13**4,) `hands.number_by_digits`."""
    pairs: Ints
    """(13**2,) the same for two ranks."""


class Table(NamedTuple):
    """Buffers for one deal under way, used again for the next."""

    public: Ints
    """The public play, as `fast.play` keeps it."""
    pile: Ints
    """(16,) ranks played, and places to try cards on."""
    hands: Ints
    """(2, 4) ranks held, ascending."""
    six: Ints
    """(2, 6) cards dealt, ascending."""
    kept: Ints
    """(2, 4) cards kept, ascending."""
    crib: Ints
    """(4,)."""
    four: Ints
    """(4,) cards that a discard keeps."""
    scores: Ints
    """(2,)."""
    shows: Ints
    """(2,) points of each hand."""
    left: Ints
    """(13,) cards of each rank a side has not seen when it discards."""
    suits: Ints
    """(4,) cards of each suit among the six."""
    weights: Floats
    """(13,) how likely a card of the other side is of each rank."""
    reply_points: Ints
    """(13,) what each reply makes."""
    reply_values: Floats
    """(13,) the value after each reply; the book's policy too."""


class Played(NamedTuple):
    """Deals that were played: events (n, MOST_EVENTS), kept (n, 2), ranks (n, 8) as played, options (n,
    2)."""

    events: NDArray[np.int16]
    kept: NDArray[np.int16]
    ranks: NDArray[np.uint8]
    options: Options


def by_points(
    charts: Floats,
    keep_values: Floats | None = None,
    likely: Floats | None = None,
    book: Book | None = None,
) -> Policies:
    """Both sides discard for net points, and play for them or, where a book is given, by it.

    charts: (2, 13, 13) signed value of two cards in the crib to pone and dealer; keep_values: (2, 1820) net
    points; likely: (2, 13).
    """
    keeps = np.zeros((2, KEEPS)) if keep_values is None else keep_values
    rates = np.ones((2, 13)) if likely is None else likely
    pone, dealer = (
        Policy(
            play_aim=POINTS if book is None else BOOK,
            opponent_weight=1.0,
            crib_chart=np.array(charts[side], np.float64),
            keep_values=np.array(keeps[side], np.float64),
            likely=np.array(rates[side], np.float64),
            in_play=np.zeros((9, MOST_POINTS + 1, PLAY_SPAN, PLAY_SPAN), np.float32),
            start=np.zeros(2, np.int64),
        )
        for side in (PONE, DEALER)
    )
    return Policies(pone, dealer, no_book() if book is None else book)


@cache
def no_book() -> Book:
    """Arrays of the types of a book's, for policies without one."""
    top = np.zeros(0, np.uint8)
    # As that of a book is; another type would be compiled for again.
    top.setflags(write=False)
    whole = np.zeros(0, np.int64)
    return (whole, whole, np.zeros(0, np.uint8), np.zeros(170, np.int64), top, whole, whole)


def play_deals(
    dealt: Cards,
    policies: Policies,
    seed: int | np.random.Generator | Singles,
    start: tuple[int, int] = (0, 0),
    options: Options | None = None,
) -> Played:
    """Play deals. dealt: (n, 13) pone's six cards, dealer's six, starter; start: scores (pone, dealer).

    options: pairs to discard given beforehand. The seed serves mixed strategies only, and may be their luck
    itself: (n, 8) in [0, 1).
    ValueError where something is no card, score, pair or policy.
    """
    dealt = card_rows(dealt, "dealt", (13,))
    refuse_repeats(dealt, "dealt")
    number = len(dealt)
    _check_how(policies, start, options, number)
    mixed = BOOK in (policies.pone.play_aim, policies.dealer.play_aim)
    if isinstance(seed, np.ndarray):
        draws = seed
    elif mixed:
        draws = np.random.default_rng(seed).random((number, 8), np.float32)
    else:
        draws = np.zeros((number, 8), np.float32)
    if draws.shape != (number, 8) or draws.dtype != np.float32:
        raise ValueError(f"seed: expected luck of shape ({number}, 8), float32, got {draws.shape}")
    played = Played(
        np.zeros((number, MOST_EVENTS), np.int16),
        np.zeros((number, 2), np.int16),
        np.zeros((number, 8), np.uint8),
        np.full((number, 2), -1, np.int8) if options is None else options.astype(np.int8),
    )
    scores = np.array(start, np.int64)
    sides, buffers = as_records(policies.pone, policies.dealer), as_records(table())[0]
    compiled(KERNELS).play_deals(dealt, draws, scores, sides, policies.book, tables(), buffers, played)
    return played


_PAIRS = np.zeros(256, np.bool_)
"""Which bytes stand for two different places, or for -1."""
_PAIRS[[one * 6 + other for one, other in combinations(range(6), 2)]] = True
_PAIRS[255] = True


def _check_how(policies: Policies, start: tuple[int, int], options: Options | None, number: int) -> None:
    """ValueError where kernels would be led astray."""
    if not all(0 <= score < TARGET for score in start):
        raise ValueError(f"start: expected scores from 0 to {TARGET - 1}, got {start}")
    if options is not None and (
        options.shape != (number, 2) or not _PAIRS[options.astype(np.int8).view(np.uint8)].all()
    ):
        raise ValueError(f"options: expected shape ({number}, 2) of first * 6 + second, or -1")
    if len(policies.book[0]) == 0 and BOOK in (policies.pone.play_aim, policies.dealer.play_aim):
        raise ValueError("policies: no book to play by")
    for policy, scores in ((policies.pone, start), (policies.dealer, start[::-1])):
        by_chance = policy.play_aim == CHANCE
        for name, shape in (_SHAPES | _SHAPES_FOR_CHANCE if by_chance else _SHAPES).items():
            values = getattr(policy, name)
            bounded = (
                np.shape(values) == shape and -MOST_VALUE <= np.min(values) <= np.max(values) <= MOST_VALUE
            )
            if not bounded:
                raise ValueError(f"{name}: expected shape {shape}, no value past {MOST_VALUE:,}")
        if by_chance and tuple(policy.start) != tuple(scores):
            raise ValueError(f"start: a policy for {tuple(policy.start)} is none for {scores}")


def best_discards(
    dealt: Cards, values: DiscardValues, side: int, options: Options, as_good: float = 0.0
) -> None:
    """Write to options[:, side] which pair that side discards of each deal; about 2 µs each.

    dealt: (n, 13) as in `play_deals`; as_good: a pair given in `options` stays where its mean value over the
    starters is this near the best. ValueError where something is no card, side, or of another shape.
    """
    dealt = card_rows(dealt, "dealt", (13,))
    shapes = (options.shape, *(np.shape(part) for part in values))
    if side not in (PONE, DEALER) or shapes != ((len(dealt), 2), (KEEPS, 91, 13), (KEEPS, 5, 13)):
        raise ValueError(f"options, values: not for {len(dealt)} deals of a side, got shapes {shapes}")
    buffers, within = as_records(table())[0], as_good * STARTERS
    compiled(KERNELS).best_discards(dealt, values, side, tables(), buffers, options, within)


def tables() -> Tables:
    """What the rules need to be quick."""
    return Tables(rank_points(5), number_by_digits(4), number_by_digits(2))


def table() -> Table:
    """Return buffers for one deal."""

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    return Table(
        public=ints(WIDTH),
        pile=ints(16),
        hands=ints(2, 4),
        six=ints(2, 6),
        kept=ints(2, 4),
        crib=ints(4),
        four=ints(4),
        scores=ints(2),
        shows=ints(2),
        left=ints(13),
        suits=ints(4),
        weights=np.zeros(13),
        reply_points=ints(13),
        reply_values=np.zeros(13),
    )


class Tally(NamedTuple):
    """Sums over deals, enough for any board: who was where first, how deals end, points part by part."""

    reached: Ints
    """(2, 128, 128), [side, gain, other's gain]: deals in which the side first gains so many points while the
    other has gained those."""
    ended: Ints
    """(128, 128) deals by the points of dealer and pone."""
    by_kind: Ints
    """(2, 5) points of each side by kind of event."""

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return int(self.ended.sum())


def empty_tally() -> Tally:
    """No deals yet."""
    return Tally(
        np.zeros((2, SPAN, SPAN), np.int64),
        np.zeros((SPAN, SPAN), np.int64),
        np.zeros((2, 5), np.int64),
    )


def add(tally: Tally, played: Played) -> None:
    """Count deals in, as `play_deals` played them; the arrays of `tally` are raised in place.

    ValueError where they are no deals.
    """
    events = played.events
    if events.ndim != 2 or events.shape[1] != MOST_EVENTS or events[:, -1].any():
        raise ValueError(f"events: expected shape (n, {MOST_EVENTS}), 0 at the end, got {events.shape}")
    compiled(KERNELS).tally(played.events, tally)


def scores_after(scores: Ints, events: NDArray[np.int16], dealer: int) -> Ints:
    """Return scores after each deal's events, scored in their order until a side is at TARGET (R2, R91).

    scores: (n, 2) by player; events: (n, MOST_EVENTS) as `play_deals` gives; dealer: which player dealt.
    """
    after = np.array(scores, np.int64)
    compiled(KERNELS).score_events(events, dealer, after)
    return after


def prepare() -> None:
    """Compile the kernels, or load them."""
    played = play_deals(np.zeros((0, 13), np.uint8), by_points(np.zeros((2, 13, 13))), 0)
    add(empty_tally(), played)
    scores_after(np.zeros((0, 2), np.int64), played.events, DEALER)
    unpaid = np.zeros((1, TARGET))
    no_values = DiscardValues(np.zeros((KEEPS, 91, 13), np.float32), np.zeros((KEEPS, 5, 13), np.float32))
    best_discards(np.zeros((0, 13), np.uint8), no_values, PONE, np.zeros((0, 2), np.int8))
    compiled(KERNELS).outcomes(played.events, 0, 0, np.zeros((1, TARGET, TARGET)), unpaid, np.zeros((0, 1)))
