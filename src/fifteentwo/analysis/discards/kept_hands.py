"""Hands that seats keep if they discard like `club`, without suits; for all variants but six-card."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast import noise
from fifteentwo.fast.discards import ways
from fifteentwo.fast.show import rank_points
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.strategy.means import mean_crib

Floats = NDArray[np.float64]


class RankDiscards(NamedTuple):
    """Every discard (ways) from every combination of dealt ranks (classes), suits left out."""

    copies: NDArray[np.int64]
    """(classes, 13) number of cards of each rank dealt."""
    kept: NDArray[np.int64]
    """(classes, ways) the kept ranks, as digits of one number to base 13."""
    means: Floats
    """(classes, ways) mean points of the hand, plus the own crib or less the other side's share of it."""
    class_of: NDArray[np.int16]
    """(13 ** dealt,) class by the dealt ranks, ascending, as digits of one number to base 13."""


@cache
def ways_by_averages(variant: Variant, own: bool) -> RankDiscards:
    """Return every discard with its mean points, in 0.25 s once. own: whether the crib is the own side's."""
    rules = rules_for(variant)
    sign = 1.0 if own else -1.0 / (rules.sides - 1)
    deals = np.array(
        [
            deal
            for deal in combinations_with_replacement(range(13), rules.dealt)
            if max(Counter(deal).values()) <= 4
        ]
    )
    gone, stays = ways(rules.dealt, rules.discards)
    kept = deals[:, stays] @ powers(rules.kept)
    copies = np.array([np.bincount(deal, minlength=13) for deal in deals])
    shows = rank_points(rules.kept + 1).reshape(-1, 13)[kept].astype(np.float64)
    cribs = [[mean_crib(variant, own, tuple(gave)) for gave in row] for row in deals[:, gone].tolist()]
    means = np.einsum("nor,nr->no", shows, 4 - copies) / (52 - rules.dealt) + sign * np.array(cribs)
    class_of = np.full(13**rules.dealt, -1, np.int16)
    class_of[deals @ powers(rules.dealt)] = np.arange(len(deals))
    return RankDiscards(copies, kept, means, class_of)


def powers(size: int) -> NDArray[np.int64]:
    """Return the place values of a number with `size` digits to base 13, the highest first."""
    return 13 ** np.arange(size - 1, -1, -1)


@cache
def kept_ratios(variant: Variant) -> Floats:
    """Return (2, 13 ** kept) factors by which each hand is more likely to be kept than dealt at random.

    A hand is indexed by its ascending ranks, as digits of one number to base 13. The second row is for seats
    whose side has the crib. The first call takes 0.5 s.
    """
    return np.array([_ratios(variant, own) for own in (False, True)])


def _ratios(variant: Variant, own: bool) -> Floats:
    """Return (13 ** kept,) factors of one side (see `kept_ratios`). own: whether it has the crib."""
    copies, kept, means, _ = ways_by_averages(variant, own)
    often = np.array([prod([comb(4, number) for number in row]) for row in copies.tolist()], np.float64)
    size = 13 ** rules_for(variant).kept
    chosen = np.bincount(kept[np.arange(len(kept)), means.argmax(1)], often, size)
    any_keep = np.bincount(kept.ravel(), np.repeat(often / kept.shape[1], kept.shape[1]), size)
    with np.errstate(invalid="ignore"):
        ratios = (1 - noise.UNSOLVED_EPSILON) * chosen / any_keep + noise.UNSOLVED_EPSILON
    return np.where(any_keep > 0, ratios, 0.0)
