"""All five-card hands as rank classes and suit patterns, with the mean points of their 10 options.

6,175 rank classes with the suit patterns of their shapes make the 134,459 classes of five-card hands, of
2,598,960 deals. Positions are the five cards in ascending order of rank; option o discards positions
OPTIONS[o].
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import TRIPLES, place
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.show import FLUSH_OF_THREE, rank_points
from lab.five_card.types import DISCARDED, five_ranks
from lab.six_card.six_cards import shape_of, suit_patterns

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

OPTIONS = tuple(combinations(range(5), 2))
DEALS = 2_598_960
UNSEEN = 47


class FiveCards(NamedTuple):
    """Arrays over rank classes (m), suit classes (n) and options (o)."""

    copies: Ints
    """(6175, 13)."""
    deals: Doubles
    """(6175,) deals of each rank class."""
    type_of: Ints
    """(6175, 10) the type of an option: kept · 91 + discarded."""
    pair_of: Ints
    """(6175, 10) the two ranks discarded."""
    class_of: Ints
    """(134459,) the rank class of each suit class."""
    weight: Floats
    """(134459,) deals of each suit class."""
    show: Floats
    """(134459, 10) mean points of the kept hand over the 47 starters, flush (R103) and nobs in it."""
    crib_nobs: Floats
    """(134459, 10) mean nobs of the jacks discarded."""
    crib_flush: Floats
    """(134459, 10) mean flush points of the crib, if the other side's two cards are random."""
    suited: Floats
    """(134459, 10) 1 if the two cards discarded have one suit."""


@cache
def five_cards() -> FiveCards:
    """Build the arrays; about a second."""
    counts, _ = five_ranks()
    ranks = np.repeat(np.tile(np.arange(13), len(counts)), counts.ravel()).reshape(-1, 5)
    kept = [[i for i in range(5) if i not in option] for option in OPTIONS]
    keep_of = np.array([[place(3)[tuple(hand[own].tolist())] for own in kept] for hand in ranks])
    pair_of = np.array([[place(2)[tuple(hand[[*option]].tolist())] for option in OPTIONS] for hand in ranks])
    patterns = [suit_patterns(shape_of(tuple(hand))) for hand in ranks.tolist()]
    class_of = np.repeat(np.arange(len(ranks)), [len(each) for each in patterns])
    suits = np.array([suits for each in patterns for suits, _ in each])
    shown = rank_points(4).reshape((13,) * 4)[tuple(TRIPLES.T)]
    by_ranks = np.einsum("mos,ms->mo", shown[keep_of], (4 - counts) / UNSEEN)
    return FiveCards(
        counts,
        np.array([1.0, 4.0, 6.0, 4.0, 1.0])[counts].prod(axis=1),
        keep_of * DISCARDED + pair_of,
        pair_of,
        class_of,
        np.array([ways for each in patterns for _, ways in each], np.float32),
        *_by_suits(by_ranks[class_of], ranks[class_of], suits),
    )


def _by_suits(by_ranks: Doubles, ranks: Ints, suits: Ints) -> tuple[Floats, Floats, Floats, Floats]:
    held = (suits[:, :, None] == np.arange(4)).sum(axis=1)
    left = 13 - np.take_along_axis(held, suits, 1)
    nobs = np.where(ranks == JACK, left / UNSEEN, 0.0)
    show, crib_nobs, crib_flush, suited = (np.zeros(by_ranks.shape, np.float32) for _ in range(4))
    for o, (i, j) in enumerate(OPTIONS):
        a, b, c = (n for n in range(5) if n not in (i, j))
        flush = (suits[:, a] == suits[:, b]) & (suits[:, b] == suits[:, c])
        crib_nobs[:, o] = nobs[:, i] + nobs[:, j]
        show[:, o] = by_ranks[:, o] + nobs[:, a] + nobs[:, b] + nobs[:, c]
        show[:, o] += np.where(flush, FLUSH_OF_THREE + left[:, a] / UNSEEN, 0)
        n = left[:, i]
        suited[:, o] = suits[:, i] == suits[:, j]
        crib_flush[:, o] = suited[:, o] * 5 * n * (n - 1) * (n - 2) / (UNSEEN * 46 * 45)
    return show, crib_nobs, crib_flush, suited
