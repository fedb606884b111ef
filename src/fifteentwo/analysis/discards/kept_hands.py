"""Which hands seats keep, in variants that are not solved: what `club` would, suits left out."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.counting import points_by_starter
from fifteentwo.fast import noise
from fifteentwo.fast.discards import ways
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.strategy.means import mean_crib

Floats = NDArray[np.float64]


@cache
def kept_ratios(variant: Variant) -> Floats:
    """(2, 13 ** kept) by how much likelier a hand is to be kept than dealt, its ascending ranks as digits to
    base 13; in the second row where the crib is its own side's. Half a second, once.
    """
    return np.array([_ratios(variant, own) for own in (False, True)])


def _ratios(variant: Variant, own: bool) -> Floats:
    rules = rules_for(variant)
    sign = 1.0 if own else -1.0 / (rules.sides - 1)
    keeps = {keep: at for at, keep in enumerate(combinations_with_replacement(range(13), rules.kept))}
    deals = [
        deal
        for deal in combinations_with_replacement(range(13), rules.dealt)
        if max(Counter(deal).values()) <= 4
    ]
    discarded, stays = (places.tolist() for places in ways(rules.dealt, rules.discards))
    shows = np.array([points_by_starter(keep) for keep in keeps], np.float64)
    copies = np.array([np.bincount(deal, minlength=13) for deal in deals])
    kept = np.array([[keeps[_at(deal, places)] for places in stays] for deal in deals])
    cribs = np.array([[mean_crib(variant, own, _at(deal, places)) for places in discarded] for deal in deals])
    means = np.einsum("nor,nr->no", shows[kept], 4 - copies) / (52 - rules.dealt) + sign * cribs
    often = np.array([prod([comb(4, number) for number in row]) for row in copies.tolist()], np.float64)
    chosen = np.bincount(kept[np.arange(len(deals)), means.argmax(1)], often, len(keeps))
    any_keep = np.bincount(kept.ravel(), np.repeat(often / len(discarded), len(discarded)), len(keeps))
    ratios = np.zeros(13**rules.kept)
    powers = 13 ** np.arange(rules.kept - 1, -1, -1)
    ratios[np.array(list(keeps)) @ powers] = (1 - noise.OFTEN) * chosen / any_keep + noise.OFTEN
    return ratios


def _at(deal: tuple[int, ...], places: list[int]) -> tuple[int, ...]:
    return tuple([deal[place] for place in places])
