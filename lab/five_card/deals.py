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

from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import TRIPLES, hand_numbers
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.show import FLUSH_OF_THREE, rank_points
from fifteentwo.strategy.pegging_points import dealt_ranks
from lab.cfr import Doubles, Floats, Ints
from lab.five_card.types import DISCARDED
from lab.six_card.ranges import ways_to_hold
from lab.six_card.six_cards import suit_classes, suit_tables

OPTIONS = tuple(combinations(range(5), 2))
"""The ten pairs of positions that can be discarded, of five cards in ascending order."""
DEALS = 2_598_960
"""Number of different five-card hands."""
UNSEEN = 47
"""Cards that a player with five cards has not seen."""


class FiveCards(NamedTuple):
    """Arrays over all five-card hands. Suit classes: hands that differ only in the names of suits."""

    copies: Ints
    """(6175, 13) number of cards of each rank, by rank class."""
    deals: Doubles
    """(6175,) number of hands with the ranks of each rank class."""
    type_of: Ints
    """(6175, 10) number of the three kept ranks · 91 + number of the discarded pair, by class and option."""
    pair_of: Ints
    """(6175, 10) number of the two discarded ranks, 0–90, by rank class and option."""
    class_of: Ints
    """(134459,) the rank class of each suit class."""
    weight: Floats
    """(134459,) number of hands in each suit class."""
    show: Floats
    """(134459, 10) mean points of the kept hand over the 47 starters, with flushes (R103) and nobs."""
    crib_nobs: Floats
    """(134459, 10) mean points of nobs from the discarded jacks."""
    crib_flush: Floats
    """(134459, 10) mean flush points of the crib if the other side discards two random cards."""
    suited: Floats
    """(134459, 10) 1 if the two discarded cards have the same suit, otherwise 0."""
    has_flush: npt.NDArray[np.bool_]
    """(134459, 10) whether the three kept cards have the same suit."""


@cache
def five_cards() -> FiveCards:
    """Compute the arrays over all five-card hands; about a second."""
    ranks = dealt_ranks(3)
    gone, kept = ways(5, 2)
    keep_of, pair_of = hand_numbers(ranks[:, kept]), hand_numbers(ranks[:, gone])
    copies = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    classes = suit_classes(copies)
    class_of, pattern = classes.rows()
    flush, crib_flush, jack, suited = suit_tables(classes.suits[pattern], FLUSH_OF_THREE)
    nobs = np.where(ranks[class_of] == JACK, jack, 0.0)
    shown = rank_points(4).reshape((13,) * 4)[tuple(TRIPLES.T)]
    means = np.einsum("mos,ms->mo", shown[keep_of], (4 - copies) / UNSEEN)[class_of]
    for places in kept.T:
        means += nobs[:, places]
    show = means.astype(np.float32)
    show += flush
    return FiveCards(
        copies,
        ways_to_hold(copies),
        keep_of * DISCARDED + pair_of,
        pair_of,
        class_of,
        classes.weight[pattern],
        show,
        nobs[:, gone].sum(axis=2).astype(np.float32),
        crib_flush.astype(np.float32),
        suited.astype(np.float32),
        flush > 0,
    )
