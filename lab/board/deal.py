"""Bulk play of whole deals of six-card cribbage for two, with a policy for each side.

    known = deal_counts.strategies()
    dealt = random_deals(100_000, 13, seed=1)
    chance = np.random.default_rng(1)
    played = play_deals(dealt, known.policies(), chance, known.discard(dealt, chance))

A deal takes about 5 µs of a core with numba. Sides: 0 pone, 1 dealer.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.fast.layout import Cards, as_records
from fifteentwo.fast.play import WIDTH
from fifteentwo.fast.show import MOST_POINTS, rank_points
from fifteentwo.strategy.board import TARGET
from lab.board.deal_choices import BOOK, PLAY_SPAN
from lab.board.deal_kernels import MOST_EVENTS, UNKNOWN

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Options = NDArray[np.int8]
"""(n, 2) pairs discarded by pone and dealer: first * 6 + second of the six ascending cards."""

KERNELS = "lab.board.deal_kernels"
PONE, DEALER = 0, 1
KEEPS = 1820
SPAN = 128
"""More than the points of a side in one deal."""
NOTHING_KNOWN: Ints = np.full((9, 2), UNKNOWN, np.int64)
"""Known cards of `play_drawn` if there are none."""
Book = tuple[Any, ...]


class Policy(NamedTuple):
    """How one side pegs."""

    play_aim: int
    """BOOK: by the solved book; CHANCE: for the win probability."""
    likely: Floats
    """(13,) how often the other side keeps a card of each rank, relative to random hands; used if
    `play_aim` is CHANCE."""
    in_play: Singles
    """(9, 30, PLAY_SPAN, PLAY_SPAN) values by cards played, points of the own hand, and points of both sides
    since `start`; used if `play_aim` is CHANCE."""
    start: Ints
    """(2,) scores of this side and the other before pegging; used if `play_aim` is CHANCE."""


class DiscardValues(NamedTuple):
    """The value of every discard to one side at one board; `win_by_ranks` computes them."""

    by_ranks: Singles
    """(1820, 91, 13) by the ranks kept, the ranks discarded and the starter's rank, without suits."""
    by_suit: Singles
    """(1820, 5, 13) value of 1, 4, 5 and 6 more points in the hand and of one more in the crib; by the ranks
    kept and the starter's rank."""


class Policies(NamedTuple):
    """The policies of pone and dealer, and the solved book."""

    pone: Policy
    dealer: Policy
    book: Book
    """The arrays of `strategy.pegging.book_arrays`, then `number_by_digits` of three and two ranks."""


class Tables(NamedTuple):
    """Lookup tables of the kernels."""

    ranks: Cards
    """(13**5,) `show.rank_points`."""
    fours: Ints
    """(13**4,) `hands.number_by_digits` of four ranks."""
    pairs: Ints
    """(13**2,) `hands.number_by_digits` of two ranks."""


class Table(NamedTuple):
    """Buffers for one deal."""

    public: Ints
    """The public state, in the layout of `fast.play`."""
    pile: Ints
    """(16,) ranks played, then space for trial cards."""
    hands: Ints
    """(2, 4) ranks held, ascending."""
    six: Ints
    """(2, 6) cards dealt, ascending."""
    kept: Ints
    """(2, 4) cards kept, ascending."""
    crib: Ints
    """(4,) cards of the crib: two of the pone, then two of the dealer."""
    four: Ints
    """(4,) cards kept by the discard that is evaluated."""
    scores: Ints
    """(2,) score of each side."""
    shows: Ints
    """(2,) points of each hand."""
    left: Ints
    """(13,) unseen cards of each rank at the discard."""
    suits: Ints
    """(4,) cards of each suit among the six."""
    weights: Floats
    """(13,) probability of each rank for a card of the other side, not normalised."""
    reply_points: Ints
    """(13,) points of each reply."""
    reply_values: Floats
    """(13,) value after each reply; also the book's policy."""
    likelihood: Floats
    """(1,) probability of the known cards of the other side."""


class Played(NamedTuple):
    """Deals that were played."""

    events: NDArray[np.int16]
    """(n, MOST_EVENTS), in the format of `deal_kernels`."""
    kept: NDArray[np.int16]
    """(n, 2) numbers of the hands kept."""
    ranks: NDArray[np.uint8]
    """(n, 8) ranks in the order of play."""
    options: Options
    weights: Floats
    """(n,) probability that the other side plays its known cards; 1 if none is known."""


def by_book(book: Book) -> Policies:
    """Return the policies of two sides that peg by a solved book."""
    in_play = np.zeros((9, MOST_POINTS + 1, PLAY_SPAN, PLAY_SPAN), np.float32)
    policy = Policy(BOOK, np.ones(13), in_play, np.zeros(2, np.int64))
    return Policies(policy, policy, book)


def play_deals(
    dealt: Cards,
    policies: Policies,
    seed: int | np.random.Generator,
    options: Options,
    start: tuple[int, int] = (0, 0),
) -> Played:
    """Play deals. The seed decides between the cards of a mixed strategy.

    dealt: (n, 13) pone's six cards, dealer's six, starter; start: scores of pone and dealer.
    """
    draws = np.random.default_rng(seed).random((len(dealt), 8), np.float32)
    return play_drawn(dealt, draws, policies, options, start)


def play_drawn(
    dealt: Cards,
    draws: Singles,
    policies: Policies,
    options: Options,
    start: tuple[int, int] = (0, 0),
    known: Ints = NOTHING_KNOWN,
) -> Played:
    """Play deals as `play_deals` does, with given random numbers in which known cards are played first.

    draws: (n, 8) in [0, 1); known: (9, 2) side and rank of each card in the order of play, or UNKNOWN;
    known[8, 0] is the side whose known cards do not count in the weights.
    """
    number = len(dealt)
    played = Played(
        np.zeros((number, MOST_EVENTS), np.int16),
        np.zeros((number, 2), np.int16),
        np.zeros((number, 8), np.uint8),
        options.astype(np.int8),
        np.ones(number),
    )
    scores = np.array(start, np.int64)
    sides, buffers = as_records(policies.pone, policies.dealer), as_records(table())[0]
    deals = dealt, draws
    compiled(KERNELS).play_deals(deals, known, scores, sides, policies.book, tables(), buffers, played)
    return played


def best_discards(dealt: Cards, values: DiscardValues, side: int, options: Options) -> None:
    """Write to options[:, side] the discard with the best value in each deal; about 2 µs each."""
    compiled(KERNELS).best_discards(dealt, values, side, tables(), as_records(table())[0], options)


def tables() -> Tables:
    return Tables(rank_points(5), number_by_digits(4), number_by_digits(2))


def table() -> Table:
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
        likelihood=np.ones(1),
    )


class Tally(NamedTuple):
    """Counts of deals from which the induction computes every board."""

    reached: Ints
    """(2, 128, 128), [side, gain, other's gain]: deals in which the side first gains this many points when
    the other side has gained that many."""
    ended: Ints
    """(128, 128) deals by the points of dealer and pone."""
    by_kind: Ints
    """(2, 5) points of each side by kind of event."""

    @property
    def deals(self) -> int:
        return int(self.ended.sum())


def empty_tally() -> Tally:
    return Tally(
        np.zeros((2, SPAN, SPAN), np.int64), np.zeros((SPAN, SPAN), np.int64), np.zeros((2, 5), np.int64)
    )


def add(tally: Tally, played: Played) -> None:
    """Add deals to the arrays of a tally."""
    compiled(KERNELS).tally(played.events, tally)


def prepare() -> None:
    """Compile the kernels, or load them."""
    top, whole = np.zeros(0, np.uint8), np.zeros(0, np.int64)
    # Arrays of a book are read-only; writable ones would be compiled for again.
    top.setflags(write=False)
    book = (whole, whole, np.zeros(0, np.uint8), np.zeros(170, np.int64), top, whole, whole)
    no_deals, no_options = np.zeros((0, 13), np.uint8), np.zeros((0, 2), np.int8)
    played = play_deals(no_deals, by_book(book), 0, no_options)
    add(empty_tally(), played)
    values = DiscardValues(np.zeros((KEEPS, 91, 13), np.float32), np.zeros((KEEPS, 5, 13), np.float32))
    best_discards(no_deals, values, PONE, no_options)
    net, pays = np.zeros((1, TARGET, TARGET)), np.zeros((1, TARGET))
    compiled(KERNELS).outcomes(played.events, 0, 0, net, pays, np.zeros((0, 1)))
