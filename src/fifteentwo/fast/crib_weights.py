"""Possible cards in the crib besides the own ones, and the starter, with their weights.

Other players' cards are counted by ranks (a "combination") and the starter by rank, so that one table of
points serves every hand. Suits give three further weights: with nobs, with a flush, with both. All weights
are sums of products of the opponents' frequencies. They are integers if the frequencies are, and exact below
2**53.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast.hands import PAIRS, TRIPLES, copies, with_one_more
from fifteentwo.fast.layout import JACK, Cards
from fifteentwo.fast.show import rank_points

Floats = NDArray[np.float64]

PAIR_INDEX = with_one_more(2)
"""(13, 13) number (0–90) of the pair of two ranks, in either order."""


class CribWeights(NamedTuple):
    """How probable the crib's other cards (m combinations of ranks) and starters are, for n hands."""

    plain: Floats
    """(n, m, 13) weight of all cases."""
    nobs: Floats
    """(n, m, 13) weight of the cases with nobs by another player's jack."""
    held_nobs: Floats
    """(n, 4, m, 13) weight of the cases with nobs if the own jack of the suit is in the crib."""
    flush: Floats
    """(n, 4, m, 13) weight of the cases in which the other cards and the starter have the suit."""
    flush_nobs: Floats
    """(n, 4, m, 13) weight of the flushes of the suit that contain its jack."""


def unseen(held: Cards) -> Floats:
    """Return (n, 13, 4) 1 for each card (rank, suit) that is not held, otherwise 0. held: (n, k) cards."""
    left = np.ones((len(held), 52))
    np.put_along_axis(left, held.astype(np.intp), 0.0, axis=1)
    return left.reshape(len(held), 13, 4)


def pair_crib_weights(left: Floats, chart: Floats) -> CribWeights:
    """Return the weights if one opponent discards two cards to the crib.

    left: (n, 13, 4) 1 for each unseen card. chart: (13, 13) frequency of two particular cards: of one suit at
    [lower rank, higher rank]; of two suits at [higher, lower] and, for pairs, on the diagonal.
    """
    ranks, suited, mixed = left.sum(axis=2), *_suited_and_mixed(chart)
    low, high = PAIRS.T
    both = left[:, low] * left[:, high]
    by_combination = _pair_weights(ranks, both.sum(axis=2), suited, mixed)
    plain = by_combination[:, :, None] * (ranks[:, None, :] - copies(2))

    starters = left.copy()
    starters[:, JACK] = 0.0
    jacks = left[:, JACK]
    # With the jack of each suit: the rank of the other card, of the same suit or not.
    other_mixed = mixed[JACK][:, None] * (ranks[:, :, None] - left)
    other_suited = suited[JACK][:, None] * left
    with_jack = (jacks[:, None, :] * (other_mixed + other_suited)) @ starters.transpose(0, 2, 1)
    # The starter cannot be the card discarded.
    diagonal = np.arange(13)
    with_jack[:, diagonal, diagonal] -= (jacks[:, None, :] * other_suited * starters).sum(axis=2)
    nobs = np.zeros_like(plain)
    nobs[:, PAIR_INDEX[JACK]] = with_jack

    by_suit = starters.transpose(0, 2, 1)[:, :, None, :]
    held_nobs = by_suit * by_combination[:, None, :, None] - by_suit * _pairs_using(
        left, ranks, suited, mixed
    )
    distinct = np.where(copies(2) == 0, suited[low, high][:, None], 0.0)
    flush = both.transpose(0, 2, 1)[:, :, :, None] * left.transpose(0, 2, 1)[:, :, None, :] * distinct
    holds_jack = (low == JACK) | (high == JACK)
    return CribWeights(plain, nobs, held_nobs, flush, flush * holds_jack[:, None])


def triple_crib_weights(left: Floats, weights: Floats) -> CribWeights:
    """Return the weights if three other cards are in the crib, discarded by other players or dealt to it.

    left: (n, 13, 4) 1 for each unseen card. weights: (455,) frequency of three particular cards by ranks.
    """
    ranks = left.sum(axis=2)
    by_combination = _ways(ranks, TRIPLES) * weights
    plain = by_combination[:, :, None] * (ranks[:, None, :] - copies(3))
    starters = left.copy()
    starters[:, JACK] = 0.0
    # Suits have no weight here, so every suit of a starter's rank is equally likely.
    chance = starters.transpose(0, 2, 1) / np.maximum(ranks, 1)[:, None, :]
    held_nobs = plain[:, None] * chance[:, :, None, :]

    free_jacks = starters @ left[:, JACK][:, :, None]
    nobs = np.zeros_like(plain)
    with_jack = with_one_more(3)[JACK]
    for starter in range(13):
        if starter == JACK:
            continue
        fewer = ranks.copy()
        fewer[:, JACK] -= 1
        fewer[:, starter] -= 1
        others = _ways(np.maximum(fewer, 0), PAIRS) * free_jacks[:, starter]
        nobs[:, with_jack, starter] = others * weights[with_jack]

    first, second, third = TRIPLES.T
    distinct = (first != second) & (second != third)
    in_suit = (left[:, first] * left[:, second] * left[:, third]).transpose(0, 2, 1)
    allowed = np.where((copies(3) == 0) & distinct[:, None], weights[:, None], 0.0)
    flush = in_suit[:, :, :, None] * left.transpose(0, 2, 1)[:, :, None, :] * allowed
    holds_jack = (TRIPLES == JACK).any(axis=1)
    return CribWeights(plain, nobs, held_nobs, flush, flush * holds_jack[:, None])


def pair_sums(left: Floats, chart: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Return sums of the arrays of `pair_crib_weights` without making the arrays, for means only.

    returns: weight of all discards (n,), plain (n, 91 * 13), nobs (n,), held_nobs (n, 4), flush (n, 4).
    """
    ranks, suited, mixed = left.sum(axis=2), *_suited_and_mixed(chart)
    low, high = PAIRS.T
    in_suit = np.matmul(left, left.transpose(0, 2, 1))[:, low, high]
    by_combination = _pair_weights(ranks, in_suit, suited, mixed)
    plain = (by_combination[:, :, None] * (ranks[:, None, :] - copies(2))).reshape(len(left), 91 * 13)
    total = by_combination.sum(axis=1)

    jacks = left[:, JACK]
    starters = left.copy()
    starters[:, JACK] = 0.0
    # The weight of all discards that use a given card.
    in_suit_sum = np.matmul(suited, left)
    using = in_suit_sum + np.matmul(mixed, ranks[:, :, None] - left)
    number = starters.sum(axis=1)
    nobs = (jacks * (number * using[:, JACK] - np.einsum("r,nrs->ns", suited[JACK], starters))).sum(axis=1)
    held_nobs = number * total[:, None] - (starters * using).sum(axis=1)
    cards = left.sum(axis=1)
    flush = (left * in_suit_sum).sum(axis=1) / 2 * (cards - 2)
    return total, plain, nobs, held_nobs, flush


@cache
def pair_crib_points() -> Cards:
    """Return (91, 91 * 13) uint8 points of a crib by ranks: [own pair, other pair * 13 + starter]."""
    digits = rank_points(5).reshape((13,) * 5)
    own, others = PAIRS[:, None, None], PAIRS[None, :, None]
    return digits[own[..., 0], own[..., 1], others[..., 0], others[..., 1], np.arange(13)].reshape(91, -1)


@cache
def triple_crib_points() -> Cards:
    """Return (13, 455 * 13) uint8 points of a crib by ranks: [own card, other three * 13 + starter]."""
    digits = rank_points(5).reshape((13,) * 5)
    own, others = np.arange(13)[:, None, None], TRIPLES[None, :, None]
    return digits[own, others[..., 0], others[..., 1], others[..., 2], np.arange(13)].reshape(13, -1)


def _suited_and_mixed(chart: Floats) -> tuple[Floats, Floats]:
    """Return frequencies of two particular cards of the same suit and of two suits: (13, 13), symmetrical."""
    suited = np.triu(chart, 1)
    mixed = np.tril(chart)
    return suited + suited.T, mixed + np.tril(chart, -1).T


def _pair_weights(ranks: Floats, in_suit: Floats, suited: Floats, mixed: Floats) -> Floats:
    """Return (n, 91) weights of all unseen pairs by ranks. in_suit: (n, 91) number of pairs of one suit."""
    low, high = PAIRS.T
    same = low == high
    in_suit = np.where(same, 0.0, in_suit)
    ways = np.where(same, ranks[:, low] * (ranks[:, low] - 1) / 2, ranks[:, low] * ranks[:, high] - in_suit)
    weights: Floats = ways * mixed[low, high] + in_suit * suited[low, high]
    return weights


def _pairs_using(left: Floats, ranks: Floats, suited: Floats, mixed: Floats) -> Floats:
    """Return (n, 4, 91, 13) weights of the pairs by their ranks that contain the card of a suit and rank."""
    low, high = PAIRS.T
    of_suit = left.transpose(0, 2, 1)[:, :, None, :]
    with_other = suited * of_suit + mixed * (ranks[:, None, None, :] - of_suit)
    using = np.zeros((len(left), 4, 91, 13))
    every = np.arange(91)
    using[:, :, every, low] = with_other[:, :, low, high]
    using[:, :, every, high] = with_other[:, :, high, low]
    return using


def _ways(ranks: Floats, combination: NDArray[np.int64]) -> Floats:
    """Return the number of ways to choose the cards of each combination. ranks: (n, 13) cards left."""
    chosen = np.ones((len(ranks), len(combination)))
    for place in range(combination.shape[1]):
        rank = combination[:, place]
        before = (combination[:, :place] == rank[:, None]).sum(axis=1)
        chosen *= (ranks[:, rank] - before) / (before + 1)
    return chosen
