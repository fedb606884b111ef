"""Points of the own hand, the other's hand and the crib for each discard of six cards, or five.

The own hand is exact for every starter. The other side's cards are exact in ranks: all that it may have been
dealt, and what it discards of them. Suits of unseen cards, for flushes and nobs, use probabilities. `kept` is
the number of cards that a hand keeps, 4 with six cards and 3 with five; documented shapes are for six cards.
"""

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from types import ModuleType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.background_compilation import stored_kernels
from fifteentwo.fast import show
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.crib_weights import pair_crib_points
from fifteentwo.fast.hands import FOURS, PAIRS, TRIPLES, hand_numbers
from fifteentwo.fast.hands import copies as copies_of
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.products import product
from fifteentwo.rules.cards import Card
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.five_card import ROLES
from fifteentwo.strategy.pegging_points import Keeping, dealt_ranks, hand_classes, keeping

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WAYS = tuple(combinations(range(6), 2))
"""The 15 discards: positions 0–5 of the two cards. Arrays by discard (ways) are in this order."""
WAYS_OF = {6: WAYS, 5: tuple(combinations(range(5), 2))}
"""The discards (`WAYS`) by the number of dealt cards, six or five."""
_HANDS = {3: TRIPLES, 4: FOURS}
"""Ranks of all kept hands, by the number of cards."""
HAND, SHOW = 30, 60
"""Array lengths for the points of one hand (0–29), and of a hand and a crib together."""
KERNELS = "fifteentwo.analysis.win.shows_kernels"
_FLUSH_STARTER_PROBABILITY = 0.22
"""Probability that the starter has the same suit as an unseen hand of one suit."""


class Shows(NamedTuple):
    """Distributions of points in the show, by discard and by part of the deals (as in `Prospects`)."""

    points: Floats
    """(ways, parts, own points, other's points) probabilities in a part; the dealer's include the crib."""
    part_probability: Floats
    """(parts,) probability of each part."""
    crib: Floats
    """(ways, HAND) probabilities of the crib's points, over all parts."""


def shows(own: Ints, kept: Ints, given: Ints, dealer: bool, starter: int | None = None) -> Shows:
    """Return the distributions of both sides' points in the show, by discard.

    own: the six or five dealt cards (0–51); kept, given: (ways, 4 or 3) and (ways, 2) of them. dealer:
    whether the own side deals. starter: its card, or None for the mean over all.
    """
    unseen = np.ones(52, np.bool_)
    unseen[own] = False
    hands = _other_hands(unseen.tobytes(), "pone" if dealer else "dealer", kept.shape[1])
    made = _own_points(kept, given, np.flatnonzero(unseen) if starter is None else np.array([starter]))
    if starter is not None:
        made /= hands[starter >> 2].sum()
    parts = hands.shape[1] + 1
    # The pone's hand, then the dealer's hand and crib together.
    shown = np.zeros((len(kept), parts, HAND, SHOW))
    crib = np.zeros((len(kept), HAND))
    memory = np.zeros((len(kept), HAND))
    _kernels_or_arrays().add_shows(hands, _crib_points(given, unseen), made, dealer, memory, shown, crib)
    if dealer:
        shown = shown.swapaxes(2, 3)
    some: npt.NDArray[np.bool_] = np.any(shown, axis=(0, 1))
    mine, theirs = (int(np.flatnonzero(some.any(axis=axis))[-1]) + 1 for axis in (1, 0))
    together = np.ascontiguousarray(shown[..., :mine, :theirs])
    frequency = together[0].sum(axis=(1, 2))
    together /= np.where(frequency > 0, frequency, 1)[:, None, None]
    return Shows(together, frequency, crib)


def _kernels_or_arrays() -> ModuleType:
    """Return the compiled kernels if numba is imported already (that takes 0.5 s), otherwise this module."""
    module = stored_kernels(KERNELS, __name__) if "numba" in sys.modules else None
    return module or sys.modules[__name__]


def prepare() -> None:
    """Load the kernels of `shows_kernels`; compile them first if they are not stored."""
    nothing, none, no_cells = np.zeros((1, HAND)), np.zeros(0, np.int64), np.zeros((13, 0), np.int64)
    hands = np.zeros((13, 0, HAND, 91))
    hands.setflags(write=False)
    crib = CribPoints(np.zeros((13, 91, 1), np.int64), none, nothing[0], nothing[0])
    own, shown = np.zeros((13, 1, HAND, 2)), np.zeros((1, 1, HAND, SHOW))
    kernels = compiled(KERNELS)
    kernels.add_shows(hands, crib, own, True, nothing, shown, nothing)
    weight = nothing[0, :0]
    kernels.add_hands(weight, none, nothing[0], shown[0, 0, :13, :0], weight, no_cells, shown[0, 0, :13])


def add_shows(
    hands: Floats, crib: "CribPoints", own: Floats, dealer: bool, _: Floats, shown: Floats, cribs: Floats
) -> None:
    """Add probabilities to `shown` (ways, parts, pone's, dealer's points) and `cribs` (ways, HAND)."""
    for rank in np.flatnonzero(own.any(axis=(1, 2, 3))).tolist():
        part = slice(-1, None) if rank == JACK else slice(0, -1)
        by_pair = _crib_distributions(crib, rank)
        counted = _hand_and_crib(hands[rank], by_pair, dealer)
        if rank == JACK:
            counted = counted.sum(axis=1, keepdims=True)
        without = np.einsum("p,pwh->wh", hands[rank].sum(axis=(0, 1)), by_pair)
        for way, made, nobs in np.argwhere(own[rank]).tolist():
            chance = own[rank, way, made, nobs]
            cribs[way, nobs:] += chance * without[way, : HAND - nobs]
            if dealer:
                first = made + nobs
                shown[way, part, :, first : first + HAND] += chance * counted[way]
            else:
                shown[way, part, made, nobs:] += chance * counted[way, :, : SHOW - nobs]


class UsualShows(NamedTuple):
    """(HAND,) probabilities of the points of both hands and the crib, if both sides discard as stored."""

    pone_hand: Floats
    dealer_hand: Floats
    crib: Floats


class _RoleDiscards(NamedTuple):
    """All discards that a role makes, as arrays (discards,) prepared for counting its hands."""

    keeps: Keeping
    """The stored strategy of the role: dealt, kept and discarded ranks with their frequency."""
    dealt_copies: Floats
    """(13, discards) number of cards of each rank among the six dealt ones."""
    cells: Ints
    """(13, discards) by the starter's rank: class, points of the hand and discarded pair as one number."""
    jacks: Floats
    """(discards,) number of jacks in the kept hand."""
    points: Ints
    """(13, 1820) by the starter's rank and kept hand: its class and points as one number."""
    kept_copies: Ints
    """(1820, 13) number of cards of each rank in each kept hand."""
    class_count: int


@cache
def _role_discards(role: Role, kept: int = 4) -> _RoleDiscards:
    keeps = keeping(role, kept)
    points = hand_classes(kept).astype(np.int64) * HAND + hand_points(kept)
    cells = np.ascontiguousarray(points[:, keeps.kept] * 91 + keeps.given)
    held = np.ascontiguousarray(_dealt_copies(kept)[:, keeps.dealt], np.float64)
    jacks = (_HANDS[kept][keeps.kept] == JACK).sum(axis=1).astype(np.float64)
    classes = int(hand_classes(kept).max()) + 1
    return _RoleDiscards(keeps, held, cells, jacks, points, copies_of(kept), classes)


@cache
def shows_by_ranks(role: Role, kept: int = 4) -> npt.NDArray[np.float32]:
    """Return (13, other's, own crib's, classes, 91) probabilities of all points but the own hand's.

    Axes: starter's rank, points, class of the other hand, own discarded ranks (of different suits). If the
    role is the pone, the dealer's crib is among the other's points. No card is seen, so that each starter and
    discard sums to 1. Takes a second.
    """
    unseen = np.ones(52, np.bool_)
    dealer = role == "dealer"
    hands = _other_hands(unseen.tobytes(), "pone" if dealer else "dealer", kept)
    given = 4 * PAIRS + np.array([0, 1])
    crib = _crib_points(given, unseen)
    by_starter = []
    for rank in range(13):
        cribs = _hand_and_crib(hands[rank] / hands[rank].sum(), _crib_distributions(crib, rank), dealer)
        by_starter.append(cribs.reshape(*cribs.shape[:3], -1).transpose(2, 3, 1, 0))
    made = np.stack(by_starter)
    others, own = (int(np.flatnonzero(made.any(axis=axes))[-1]) + 1 for axes in ((0, 2, 3, 4), (0, 1, 3, 4)))
    return np.ascontiguousarray(made[:, :others, :own], np.float32)


@cache
def usual_shows() -> UsualShows:
    """Return the distributions of both hands' and the crib's points over all deals."""
    pone, dealer = (_other_hands(b"\1" * 52, role) for role in ROLES)
    crib = np.zeros(HAND)
    cribs = shows_by_ranks("dealer").sum(axis=(1, 3), dtype=np.float64)
    given = dealer.sum(axis=(1, 2))
    for rank in range(13):
        crib[: cribs.shape[1]] += cribs[rank] @ given[rank]
    return UsualShows(pone.sum(axis=(0, 1, 3)), dealer.sum(axis=(0, 1, 3)), crib)


@cache
def class_frequencies(role: Role) -> Floats:
    """Return (classes,) probabilities of each class of kept hands of a role, over all deals without heels."""
    hands = _other_hands(b"\1" * 52, role)
    often = np.delete(hands, JACK, axis=0).sum(axis=(0, 2, 3))
    frequencies: Floats = often / often.sum()
    return frequencies


@cache
def hand_points(kept: int = 4) -> Ints:
    """Return (13, 1820) points of each kept hand with a starter of each rank, without flush and nobs."""
    places = _HANDS[kept] @ 13 ** np.arange(kept, 0, -1)
    points: Ints = show.rank_points(kept + 1)[places + np.arange(13)[:, None]].astype(np.int64)
    return points


_BINOMIAL = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], float
)
"""(5, 5) ways to choose n of m cards."""


@lru_cache(maxsize=4)
def _other_hands(cards: bytes, role: Role, kept: int = 4) -> Floats:
    """Return (13, classes, HAND, 91) joint probabilities of the starter's rank and the other side's hand.

    The hand has a class, points and a discarded pair. cards: 52 bytes, 1 for each card that is not in the own
    hand; role: the other side's. Cached for both seats of a deal, which ask again after the starter.
    """
    unseen = np.frombuffer(cards, np.bool_).reshape(13, 4)
    ways = _role_discards(role, kept)
    left = unseen.sum(axis=1)
    weight = ways.keeps.frequency * dealt_ways(tuple(left.tolist()), kept)[ways.keeps.dealt]
    suited = _flush_weights(ways, weight, left)
    hands = np.zeros((13, ways.class_count, HAND, 91))
    flat = hands.reshape(13, -1)
    _kernels_or_arrays().add_hands(
        weight, left, nobs_chances(unseen), ways.dealt_copies, ways.jacks, ways.cells, flat
    )
    for by_points, cells, chances in zip(hands.reshape(13, -1, 91), ways.points, suited.T, strict=True):
        flushes = np.bincount(cells, chances, minlength=len(by_points))
        rows = np.flatnonzero(flushes)
        plain = by_points[rows].sum(axis=1)
        rate = np.minimum(flushes[rows] / np.where(plain > 0, plain, 1), 1)
        moved = by_points[rows] * rate[:, None]
        by_points[rows] -= moved
        # A flush counts its cards (R85, R103).
        by_points[rows + kept] += (1 - _FLUSH_STARTER_PROBABILITY) * moved
        by_points[rows + kept + 1] += _FLUSH_STARTER_PROBABILITY * moved
    hands /= hands.sum()
    hands.setflags(write=False)
    return hands


def add_hands(
    weight: Floats, left: Ints, nobs: Floats, held: Floats, jacks: Floats, cells: Ints, hands: Floats
) -> None:
    """Add the probabilities of `_other_hands` to `hands` (13, classes * HAND * 91), without flushes.

    weight: (discards,) probability of each discard of the other side; left: (13,) unseen cards; nobs: from
    `nobs_chances`; held, jacks, cells: `dealt_copies`, `jacks` and `cells` of `_RoleDiscards`.
    """
    rows = np.flatnonzero(jacks)
    for rank in range(13):
        often = weight * (left[rank] - held[rank])
        size = hands.shape[1]
        hands[rank] += np.bincount(cells[rank], often, minlength=size)
        if nobs[rank] > 0:
            moved = np.bincount(cells[rank, rows], often[rows] * jacks[rows] * nobs[rank], minlength=size)
            hands[rank] -= moved
            hands[rank, 91:] += moved[:-91]


def _flush_weights(ways: _RoleDiscards, weight: Floats, left: Ints) -> Floats:
    """Return (1820, 13) weights of kept hands of one suit, by the starter's rank. weight: of each discard."""
    number = len(ways.kept_copies)
    given = np.bincount(ways.keeps.kept * 91 + ways.keeps.given, weight, number * 91).reshape(number, 91)
    starters: Floats = given.sum(axis=1, keepdims=True) * (left - ways.kept_copies)
    starters -= product(given, copies_of(2).astype(np.float64))
    return starters * ways.keeps.flush[:, None]


def nobs_chances(unseen: npt.NDArray[np.bool_]) -> Floats:
    """Return (13,) probabilities that an unseen jack has the starter's suit, by its rank; 0 for a jack."""
    jacks = unseen[JACK]
    alike: Floats = (unseen & jacks).sum(axis=1) / np.maximum(unseen.sum(axis=1) * jacks.sum(), 1)
    alike[JACK] = 0.0
    return alike


@lru_cache(maxsize=16)
def dealt_ways(left: tuple[int, ...], kept: int = 4) -> Floats:
    """Return (18395,) the number of ways to be dealt each six ranks. left: (13,) cards of each rank."""
    dealt = np.ones(len(dealt_ranks(kept)))
    for number, copies in zip(left, _dealt_copies(kept), strict=True):
        dealt *= _BINOMIAL[number][copies]
    dealt.setflags(write=False)
    return dealt


@cache
def _dealt_copies(kept: int) -> Ints:
    """Return (13, 18395) the number of cards of each rank in every dealt hand."""
    ranks = dealt_ranks(kept)
    return np.stack([(ranks == rank).sum(axis=1) for rank in range(13)])


@lru_cache(maxsize=64)
def kept_and_given(role: Role, left: tuple[int, ...], kept: int = 4) -> tuple[Floats, Floats]:
    """Return (1820,) and (91,) probabilities of what a role keeps and discards, dealt from `left`."""
    ways = _role_discards(role, kept)
    weight = ways.keeps.frequency * dealt_ways(left, kept)[ways.keeps.dealt]
    weight /= weight.sum()
    stays: Floats = np.bincount(ways.keeps.kept, weight, len(_HANDS[kept])).astype(np.float64)
    given: Floats = np.bincount(ways.keeps.given, weight, len(PAIRS)).astype(np.float64)
    stays.setflags(write=False)
    given.setflags(write=False)
    return stays, given


def suits_add(role: Role, played: Sequence[Card], starter: Card, unseen: npt.NDArray[np.bool_]) -> Floats:
    """Return (1820, 5) probabilities that flush and nobs add 0, 1, 4, 5 or 6 points to a role's kept hand.

    played: cards of the hand that were played; unseen: (13, 4) cards that may be its other cards.
    """
    rank, suit = starter.index >> 2, starter.index & 3
    jacks = np.equal(FOURS, JACK).sum(axis=1)
    open_jacks = [card.index & 3 for card in played if card.index >> 2 == JACK]
    nobs = np.full(len(FOURS), float(suit in open_jacks))
    if suit not in open_jacks and rank != JACK and unseen[JACK, suit]:
        nobs = np.clip((jacks - len(open_jacks)) / unseen[JACK].sum(), 0, 1)
    # A played rank fixes the suit of that card, if the hand has four different ranks.
    held = np.array(unseen)
    for card in played:
        held[card.index >> 2] = False
    for card in played:
        held[card.index >> 2, card.index & 3] = True
    in_suit: npt.NDArray[np.bool_] = np.all(held.T[:, FOURS.T], axis=1)
    of_one_suit = in_suit.sum(axis=0)
    of_several = np.maximum(held.sum(axis=1)[FOURS].prod(axis=1) - of_one_suit, 0)
    often = keeping(role).flush
    flush = often / 4 * of_one_suit
    total = flush + (1 - often) / 252 * of_several
    flush = np.divide(flush, total, out=np.zeros_like(total), where=total > 0)
    five = flush * in_suit[suit] / np.maximum(of_one_suit, 1)
    alike = np.where(jacks > 0, five, 0.0)
    plain = 1 - flush
    return np.stack([plain * (1 - nobs), plain * nobs, flush - five, five - alike, alike], axis=1)


def _own_points(kept: Ints, given: Ints, starters: Ints) -> Floats:
    """Return (13, ways, HAND, 2) joint probabilities by starter's rank: own points, nobs in own discards."""
    ways, number = len(kept), len(starters)
    rows = np.repeat(kept.astype(np.uint8), number, axis=0)
    made = show.points(rows, np.tile(starters.astype(np.uint8), ways)).reshape(ways, number).astype(np.int64)
    ranks = starters >> 2
    jack = np.where(ranks == JACK, -1, 4 * JACK + (starters & 3))
    nobs = (given[:, :, None] == jack).any(axis=1)
    cells = ((ranks * ways + np.arange(ways)[:, None]) * HAND + made) * 2 + nobs
    counted = np.bincount(cells.ravel(), minlength=13 * ways * HAND * 2).reshape(13, ways, HAND, 2)
    return counted / np.maximum(np.bincount(ranks, minlength=13), 1)[:, None, None, None]


class CribPoints(NamedTuple):
    """What the crib scores, for each own discard (ways) and each discard of the other side (91)."""

    points: Ints
    """(13, 91, ways) points by the starter's rank, without flush and nobs."""
    jacks: Ints
    """(91,) number of jacks in the other side's discards."""
    nobs: Floats
    """(13,) by the starter's rank: probability that one jack in the other side's discards has its suit."""
    flush: Floats
    """(ways,) probability that the crib has one suit."""


def _crib_points(given: Ints, unseen: npt.NDArray[np.bool_]) -> CribPoints:
    """Return what the crib scores for the own discards `given` (ways, 2). unseen: (52,) by card."""
    points = pair_crib_points()[hand_numbers(given >> 2)].reshape(len(given), 91, 13).astype(np.int64)
    suits = given & 3
    in_suit = np.array([comb(int(unseen[suit::4].sum()), 3) for suit in range(4)])[suits[:, 0]]
    flush = np.where(suits[:, 0] == suits[:, 1], in_suit / comb(int(unseen.sum()), 3), 0.0)
    jacks = (PAIRS == JACK).sum(axis=1)
    return CribPoints(np.ascontiguousarray(points.T), jacks, nobs_chances(unseen.reshape(13, 4)), flush)


def _crib_distributions(crib: CribPoints, rank: int) -> Floats:
    """Return (91, ways, HAND) probabilities of the crib's points with a starter of this rank, 0–12."""
    points, nobs = crib.points[rank], (crib.nobs[rank] * crib.jacks)[:, None]
    made = np.zeros((*points.shape, HAND))
    every, ways = np.ogrid[: points.shape[0], : points.shape[1]]
    made[every, ways, points] = 1 - nobs
    made[every, ways, points + 1] += nobs
    for way in np.flatnonzero(crib.flush):
        moved = made[:, way] * crib.flush[way]
        # The highest scores cannot be flushes; moving them would lose probability.
        made[:, way, :-5] -= moved[:, :-5]
        made[:, way, 5:] += moved[:, :-5]
    return made


def _hand_and_crib(hands: Floats, made: Floats, dealer: bool) -> Floats:
    """Return probabilities of the points of the other side's hand and of the crib, for one starter.

    For the dealer (ways, classes, HAND, HAND) by hand and crib; for the pone (ways, classes, SHOW) by their
    sum. hands: from `_other_hands`; made: from `_crib_distributions`. Nobs of own discards are left out.
    """
    ways_given = made.shape[1]
    flat = hands.reshape(-1, 91)
    rows = np.flatnonzero(flat.any(axis=1))
    together = product(flat[rows], made.reshape(91, -1)).reshape(len(rows), ways_given, HAND)
    if dealer:
        shown = np.zeros((ways_given, len(hands) * HAND, HAND))
        shown[:, rows] = together.swapaxes(0, 1)
        return shown.reshape(ways_given, len(hands), HAND, HAND)
    summed = np.zeros((len(hands), ways_given, SHOW))
    for points_made in np.unique(rows % HAND):
        these = rows % HAND == points_made
        summed[rows[these] // HAND, :, points_made : points_made + HAND] += together[these]
    return summed.swapaxes(0, 1)
