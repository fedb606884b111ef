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
from lab.board.deal_choices import PEG_BY_BOOK, PLAY_SPAN
from lab.board.deal_kernels import MAX_EVENTS, UNKNOWN

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Options = NDArray[np.int8]
"""(n, 2) pairs discarded by pone and dealer: 6 * i + j for cards number i < j of the six ascending cards."""

KERNELS = "lab.board.deal_kernels"
PONE, DEALER = 0, 1
HAND_COUNT = 1820
"""Number of different four ranks that a side can keep."""
SPAN = 128
"""Size of an axis of points that a side makes in one deal; no side makes more than 127."""
NOTHING_KNOWN: Ints = np.full((9, 2), UNKNOWN, np.int64)
"""The argument `known` of `play_drawn` if no card played is known."""
Book = tuple[Any, ...]
"""Arrays of a solved pegging book; see `Policies.book`."""


class Policy(NamedTuple):
    """How one side chooses its cards in pegging."""

    play_aim: int
    """PEG_BY_BOOK: play by the solved book; PEG_TO_WIN: play for the win probability."""
    likely: Floats
    """(13,) how often the opponent keeps a card of each rank, divided by the mean of all ranks. Used only
    if `play_aim` is PEG_TO_WIN."""
    in_play: Singles
    """(9, 30, PLAY_SPAN, PLAY_SPAN) value to this side, -1 (loss) to 1 (win): [cards played, points of its
    hand in the show, its points in pegging since `start`, the opponent's]. Used only if `play_aim` is
    PEG_TO_WIN."""
    start: Ints
    """(2,) scores of this side and the opponent before pegging. Used only if `play_aim` is PEG_TO_WIN."""


class DiscardValues(NamedTuple):
    """The value of every discard to one side at one board, from -1 (loss) to 1 (win)."""

    by_ranks: Singles
    """(1820, 91, 13) value without points for suits: [ranks kept, ranks discarded, starter's rank]."""
    by_suit: Singles
    """(1820, 5, 13) value of 1, 4, 5 or 6 more points in the hand and of 1 more in the crib: [ranks kept,
    one of these five cases, starter's rank]."""


class Policies(NamedTuple):
    """The pegging policies of pone and dealer, and the solved book."""

    pone: Policy
    dealer: Policy
    book: Book
    """The arrays of `strategy.pegging.book_arrays`, then `number_by_digits` of three and two ranks."""


class LookupTables(NamedTuple):
    """Lookup tables of the kernels."""

    ranks: Cards
    """(13**5,) points from ranks of each five cards, from `show.rank_points`."""
    fours: Ints
    """(13**4,) number of each hand of four ranks, from `hands.number_by_digits`."""
    pairs: Ints
    """(13**2,) number of each pair of ranks, from `hands.number_by_digits`."""


class DealBuffers(NamedTuple):
    """Work arrays of the kernels for the deal that is being played; axes of length 2 are pone and dealer."""

    public: Ints
    """The public state of pegging, in the layout of `fast.play`."""
    pile: Ints
    """(16,) ranks of the cards played, then space for cards that are tried."""
    hands: Ints
    """(2, 4) ranks that each side still holds, ascending."""
    six: Ints
    """(2, 6) cards dealt to each side, ascending."""
    kept: Ints
    """(2, 4) cards that each side keeps, ascending."""
    crib: Ints
    """(4,) cards of the crib: two of the pone, then two of the dealer."""
    candidate_hand: Ints
    """(4,) cards kept by the discard that is being evaluated."""
    scores: Ints
    """(2,) score of each side."""
    show_points: Ints
    """(2,) points of each side's hand in the show."""
    unseen_ranks: Ints
    """(13,) cards of each rank that are not among the six cards of the discarding side."""
    suit_counts: Ints
    """(4,) cards of each suit among the six cards of the discarding side."""
    rank_weights: Floats
    """(13,) probability that a card of the opponent has each rank, not normalised."""
    reply_points: Ints
    """(13,) points that the opponent pegs by a reply of each rank; -1 if it cannot be played."""
    reply_values: Floats
    """(13,) value after a reply of each rank; also used for the book's action probabilities."""
    likelihood: Floats
    """(1,) probability that the opponent plays its known cards in this deal."""


class Played(NamedTuple):
    """The cards and events of deals that were played."""

    events: NDArray[np.int16]
    """(n, MAX_EVENTS) events that score points, in the format of `deal_kernels`."""
    kept: NDArray[np.int16]
    """(n, 2) numbers of the ranks that pone and dealer kept: rows of `hands.FOURS`."""
    ranks: NDArray[np.uint8]
    """(n, 8) ranks in the order in which both sides played them."""
    options: Options
    """(n, 2) pairs that pone and dealer discarded."""
    weights: Floats
    """(n,) probability that the opponent plays its known cards; 1 if no card is known."""


def book_policies(book: Book) -> Policies:
    """Return the policies of two sides that peg by a solved book."""
    in_play = np.zeros((9, MOST_POINTS + 1, PLAY_SPAN, PLAY_SPAN), np.float32)
    policy = Policy(PEG_BY_BOOK, np.ones(13), in_play, np.zeros(2, np.int64))
    return Policies(policy, policy, book)


def play_deals(
    dealt: Cards,
    policies: Policies,
    seed: int | np.random.Generator,
    options: Options,
    start: tuple[int, int] = (0, 0),
) -> Played:
    """Play deals from the discard to the show. seed: decides between the cards of a mixed strategy.

    dealt: (n, 13) pone's six cards, dealer's six, starter; options: pairs discarded; start: pone's, dealer's
    score.
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
    """Play deals as `play_deals` does, but with given random numbers and with known first cards.

    draws: (n, 8) random numbers in [0, 1), one a card; known: (9, 2) side and rank of each card in the order
    of play, or UNKNOWN if the side chooses; known[8, 0]: the side whose known cards do not count in the
    weights.
    """
    number = len(dealt)
    played = Played(
        np.zeros((number, MAX_EVENTS), np.int16),
        np.zeros((number, 2), np.int16),
        np.zeros((number, 8), np.uint8),
        options.astype(np.int8),
        np.ones(number),
    )
    scores = np.array(start, np.int64)
    sides, buffers = as_records(policies.pone, policies.dealer), as_records(deal_buffers())[0]
    deals = dealt, draws
    compiled(KERNELS).play_deals(deals, known, scores, sides, policies.book, lookup_tables(), buffers, played)
    return played


def best_discards(dealt: Cards, values: DiscardValues, side: int, options: Options) -> None:
    """Write to options[:, side] each deal's discard with the best value by `values`; about 2 µs each."""
    compiled(KERNELS).best_discards(
        dealt, values, side, lookup_tables(), as_records(deal_buffers())[0], options
    )


def lookup_tables() -> LookupTables:
    return LookupTables(rank_points(5), number_by_digits(4), number_by_digits(2))


def deal_buffers() -> DealBuffers:
    def ints(*shape: int) -> Ints:
        return np.zeros(shape, np.int64)

    return DealBuffers(
        public=ints(WIDTH),
        pile=ints(16),
        hands=ints(2, 4),
        six=ints(2, 6),
        kept=ints(2, 4),
        crib=ints(4),
        candidate_hand=ints(4),
        scores=ints(2),
        show_points=ints(2),
        unseen_ranks=ints(13),
        suit_counts=ints(4),
        rank_weights=np.zeros(13),
        reply_points=ints(13),
        reply_values=np.zeros(13),
        likelihood=np.ones(1),
    )


class Tally(NamedTuple):
    """Counts of the points made in many deals, from which the induction computes every board."""

    reached: Ints
    """(2, 128, 128), [side, its points, opponent's points]: number of deals in which the side first has
    this many points of the deal when the opponent has that many."""
    ended: Ints
    """(128, 128) number of deals by the points of the deal that dealer and pone made."""
    by_kind: Ints
    """(2, 5) points of pone and dealer in all deals, by kind of event."""

    @property
    def deals(self) -> int:
        return int(self.ended.sum())


def empty_tally() -> Tally:
    return Tally(
        np.zeros((2, SPAN, SPAN), np.int64), np.zeros((SPAN, SPAN), np.int64), np.zeros((2, 5), np.int64)
    )


def add_deals(tally: Tally, played: Played) -> None:
    """Add the points of deals to the arrays of a tally."""
    compiled(KERNELS).count_events(played.events, tally)


def prepare() -> None:
    """Compile the kernels, or load them."""
    top, whole = np.zeros(0, np.uint8), np.zeros(0, np.int64)
    # Arrays of a book are read-only; writable ones would be compiled for again.
    top.setflags(write=False)
    book = (whole, whole, np.zeros(0, np.uint8), np.zeros(170, np.int64), top, whole, whole)
    no_deals, no_options = np.zeros((0, 13), np.uint8), np.zeros((0, 2), np.int8)
    played = play_deals(no_deals, book_policies(book), 0, no_options)
    add_deals(empty_tally(), played)
    values = DiscardValues(
        np.zeros((HAND_COUNT, 91, 13), np.float32), np.zeros((HAND_COUNT, 5, 13), np.float32)
    )
    best_discards(no_deals, values, PONE, no_options)
    net, pays = np.zeros((1, TARGET, TARGET)), np.zeros((1, TARGET))
    compiled(KERNELS).outcomes(played.events, 0, 0, net, pays, np.zeros((0, 1)))
