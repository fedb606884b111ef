"""Means that players use: cribs by discard, and pegging of kept hands in the unsolved variants.

Two players with six cards have charts (made by `lab.six_card.crib_averages`); the other variants have figures
(made by `lab.measure.measuring`), each within ± 0.05.
"""

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.rules.variants import Variant
from fifteentwo.strategy.files import data_bytes

Chart = NDArray[np.float64]
"""(13, 13) values of two cards: of one suit at [lower, higher rank], of two suits and pairs at [higher,
lower]."""

CRIB_AVERAGES, MEANS = "crib_averages.json", "means.json"
"""Stored files of charts and of means of the unsolved variants."""
Rows = Mapping[tuple[int, ...], float]
"""Mean points by ascending ranks (0–12)."""
KEPT_STEPS = 32
"""Pegging means are stored in units of 1 / KEPT_STEPS point."""


class CribAverages(NamedTuple):
    """Charts of mean cribs and discards of both roles with six cards."""

    own: Chart
    """Mean points of the crib by the two cards discarded to the own crib."""
    opponents: Chart
    """Mean points of the crib by the two cards discarded to the opponent's crib."""
    dealer_discards: Chart
    """Frequency (0–1) with which the dealer discards two particular cards of the six that it holds."""
    pone_discards: Chart
    """Frequency (0–1) with which the pone discards two particular cards of the six that it holds."""
    dealer_hands: NDArray[np.float64]
    """(30,) weight of each number of points of the dealer's hand with the starter."""
    pone_hands: NDArray[np.float64]
    """(30,) weight of each number of points of the pone's hand with the starter."""


@cache
def averages() -> CribAverages:
    """Return the stored charts of six-card cribbage; a millisecond, once."""
    stored = json.loads(data_bytes(CRIB_AVERAGES))
    charts = [np.array(stored[name], np.float64) for name in CribAverages._fields]
    for chart in charts:
        chart.setflags(write=False)
    return CribAverages(*charts)


def _means_by_pair(chart: Chart) -> dict[tuple[int, ...], float]:
    """Return a chart's means by two ascending ranks. Two different ranks have one suit one time in four."""
    return {
        (low, high): float(chart[low, low] if low == high else (chart[low, high] + 3 * chart[high, low]) / 4)
        for low in range(13)
        for high in range(low, 13)
    }


def mean_crib(variant: Variant, own: bool, discarded: tuple[int, ...]) -> float:
    """Return mean points of the own or an opponent's crib; `discarded`: ascending ranks 0–12."""
    return _crib_means(variant)[0 if own else 1][discarded]


def mean_pegging(variant: Variant, place: int, keep: tuple[int, ...]) -> float:
    """Return mean net pegging points of the seat `place` seats after the dealer (0: the dealer).

    Only for unsolved variants; for five cards a sum over pairs of cards held. keep: ascending ranks 0–12.
    """
    if variant is not Variant.FIVE_CARD:
        return _pegging_by_hand(variant)[place - 1][keep]
    pairs = _pegging_by_pair(variant)[place - 1]
    return sum([pairs[pair] for pair in combinations(keep, 2)])


@cache
def _stored_means() -> dict[str, Any]:
    means: dict[str, Any] = json.loads(data_bytes(MEANS))
    return means


@cache
def _crib_means(variant: Variant) -> tuple[Rows, ...]:
    """Return mean cribs by discarded ranks: the own crib, and an opponent's crib."""
    if variant is Variant.SIX_CARD:
        return _means_by_pair(averages().own), _means_by_pair(averages().opponents)
    return tuple(_means_by_ranks(table) for table in _stored_means()["cribs"][variant.value])


@cache
def _pegging_by_pair(variant: Variant) -> tuple[Rows, ...]:
    """Return pegging means by pairs of ranks, for each seat after the dealer, the dealer last."""
    return tuple(_means_by_ranks(table) for table in _stored_means()["play"][variant.value])


class PointsMade(NamedTuple):
    """How often each number of points is scored in a deal between club players; index: points."""

    pegging: tuple[NDArray[np.float64], ...]
    """Points in pegging, with heels, of each side; the dealer's side is first."""
    hands: tuple[NDArray[np.float64], ...]
    """Points of the hands, from the seat at the dealer's left to the dealer."""
    crib: NDArray[np.float64]


@cache
def points_made(variant: Variant) -> PointsMade:
    """Return the frequencies of points in a variant for three or four players."""
    pegging, hands, crib = _stored_means()["points"][variant.value]
    likely = [[np.array(often) / sum(often) for often in part] for part in (pegging, hands, [crib])]
    return PointsMade(tuple(likely[0]), tuple(likely[1]), likely[2][0])


@cache
def _pegging_by_hand(variant: Variant) -> tuple[Rows, ...]:
    """Return pegging means by four ascending kept ranks, for each seat after the dealer, the dealer last."""
    means = np.frombuffer(b64decode(_stored_means()["kept"][variant.value]), np.int8) / KEPT_STEPS
    keeps = list(combinations_with_replacement(range(13), 4))
    return tuple([dict(zip(keeps, row, strict=True)) for row in means.reshape(-1, len(keeps)).tolist()])


def _means_by_ranks(table: Sequence[Sequence[int]]) -> Rows:
    """Return means by ranks, from one row of single cards or a row of pairs for each lower rank."""
    if len(table) == 1:
        return {(rank,): mean / 100 for rank, mean in enumerate(table[0])}
    return {(low, low + step): mean / 100 for low, row in enumerate(table) for step, mean in enumerate(row)}
