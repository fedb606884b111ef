"""The mean crib of each two cards, and how often they are discarded, in six-card cribbage for two.

    python -m lab.six_card.crib_averages FILE     rebuilds data/crib_averages.json in about two minutes

Best discards are iterated over a million deals. Each side discards the two cards with the best exact mean of
the kept hand, plus or minus the mean crib of those cards. The mean cribs are then computed again from the
other side's discards in the same deals and all 40 starters left, suits included, until no mean changes by
0.01. Pegging is left out. The standard error is about 0.01.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.fast import discards, random_deals
from fifteentwo.fast.crib_weights import PAIR_INDEX, pair_crib_points, unseen
from fifteentwo.fast.layout import JACK, Cards
from fifteentwo.strategy.means import Chart, CribAverages

DEALS = 1_000_000
"""Number of random deals over which the averages are computed."""
SEED = 15
"""Seed of the random deals."""
MAX_CHANGE = 0.01
"""The iteration stops when no mean crib changes by more points than this."""
MAX_ROUNDS = 30
"""Maximum number of rounds in which both sides' discards are chosen again."""


class _Side(NamedTuple):
    """One side's hands in all n deals."""

    hands: Cards
    """(n, 6) cards dealt."""
    kept: NDArray[np.float32]
    """(n, 15) mean points of the kept hand over the 46 starters, for each discard."""
    places: NDArray[np.uint8]
    """(n, 15) index of each discard in a 13 × 13 chart of pairs, flattened."""


def measure(number: int = DEALS, seed: int = SEED) -> tuple[CribAverages, int, float]:
    """Return the averages, the number of rounds, and the last round's largest change; 2 minutes, 400 MB."""
    dealt = random_deals.random_deals(number, 12, seed)
    dealer, pone = (_side(np.ascontiguousarray(dealt[:, seat::2])) for seat in (1, 0))
    own, opponents = np.zeros((13, 13)), np.zeros((13, 13))
    rounds, moved = 0, np.inf
    dealer_discards = pone_discards = own
    while moved > MAX_CHANGE and rounds < MAX_ROUNDS:
        dealers, pones = _best(dealer, own), _best(pone, -opponents)
        dealer_discards, pone_discards = _frequencies(dealer, dealers), _frequencies(pone, pones)
        before = own, opponents
        own = _mean_cribs(dealer, _discarded(pone, pones), pone.hands)
        opponents = _mean_cribs(pone, _discarded(dealer, dealers), dealer.hands)
        moved = max(float(abs(own - before[0]).max()), float(abs(opponents - before[1]).max()))
        rounds += 1
    hands = _hands(dealer, _best(dealer, own)), _hands(pone, _best(pone, -opponents))
    return CribAverages(own, opponents, dealer_discards, pone_discards, *hands), rounds, moved


def _side(hands: Cards) -> _Side:
    return _Side(hands, (discards.kept_sums(hands) / 46).astype(np.float32), _places(hands))


def _places(hands: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return (n, 15) the index of each discard in a 13 × 13 chart of pairs, flattened."""
    one, other = discards.ways(6, 2)[0].T
    ranks, suits = hands >> 2, hands & 3
    low = np.minimum(ranks[:, one], ranks[:, other])
    high = np.maximum(ranks[:, one], ranks[:, other])
    alike = suits[:, one] == suits[:, other]
    places: NDArray[np.uint8] = np.where(alike, low * 13 + high, high * 13 + low).astype(np.uint8)
    return places


def _best(side: _Side, crib: Chart) -> NDArray[np.intp]:
    """Return (n,) the discard with the best mean of the kept hand plus `crib`, the chart of crib points."""
    flat = crib.ravel().astype(np.float32)
    best = np.empty(len(side.kept), np.intp)
    for part in _parts(len(best)):
        best[part] = (side.kept[part] + flat[side.places[part]]).argmax(axis=1)
    return best


def _discarded(side: _Side, chosen: NDArray[np.intp]) -> Cards:
    """Return (n, 2) the cards that the chosen discards put into the crib."""
    discarded: Cards = np.take_along_axis(side.hands, discards.ways(6, 2)[0][chosen], axis=1)
    return discarded


def _hands(side: _Side, chosen: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return (30,) probabilities of the points 0–29 of a kept hand, over some deals and all starters."""
    sample = np.arange(min(len(chosen), 65_536))
    counts = discards.kept_counts(side.hands[sample])[sample, chosen[sample]]
    probabilities: NDArray[np.float64] = counts.sum(axis=0) / counts.sum()
    return probabilities


def _frequencies(side: _Side, chosen: NDArray[np.intp]) -> Chart:
    """Return (13, 13) how often each pair is discarded by a side that holds it, 0–1."""
    discarded = np.bincount(side.places[np.arange(len(chosen)), chosen], minlength=169)
    held = np.bincount(side.places.ravel(), minlength=169)
    chart: Chart = (discarded / np.maximum(held, 1)).reshape(13, 13)
    return chart


def _mean_cribs(side: _Side, theirs: Cards, their_hands: Cards) -> Chart:
    """Return (13, 13) mean crib points of each discarded pair. theirs: (n, 2) the opponent's discards."""
    total, number = np.zeros(169), np.zeros(169)
    for part in _parts(len(theirs)):
        cribs = _crib_means(side.hands[part], theirs[part], their_hands[part])
        places = side.places[part].ravel()
        total += np.bincount(places, cribs.ravel(), 169)
        number += np.bincount(places, minlength=169)
    means: Chart = (total / np.maximum(number, 1)).reshape(13, 13)
    return means


def _crib_means(hands: Cards, theirs: Cards, their_hands: Cards) -> NDArray[np.float64]:
    """Return (n, 15) mean crib points of each discard with the other side's, over the 40 starters left."""
    left = unseen(np.concatenate([hands, their_hands], axis=1))
    one, other = discards.ways(6, 2)[0].T
    ranks, suits = (hands >> 2).astype(np.intp), (hands & 3).astype(np.intp)
    their_ranks, their_suits = (theirs >> 2).astype(np.intp), (theirs & 3).astype(np.intp)
    own = PAIR_INDEX[ranks[:, one], ranks[:, other]]
    added = PAIR_INDEX[their_ranks[:, 0], their_ranks[:, 1]]
    points = pair_crib_points().reshape(91, 91, 13)[own, added[:, None]]
    made = np.einsum("nwr,nr->nw", points.astype(np.float64), left.sum(axis=2))
    # The number of starters left of each suit, for nobs and flushes.
    of_suit = left.sum(axis=1)
    nobs = np.where(ranks == JACK, np.take_along_axis(of_suit, suits, 1), 0.0)
    their_nobs = np.where(their_ranks == JACK, np.take_along_axis(of_suit, their_suits, 1), 0.0).sum(axis=1)
    made += nobs[:, one] + nobs[:, other] + their_nobs[:, None]
    suit = suits[:, one]
    theirs_alike = (their_suits[:, 0] == their_suits[:, 1])[:, None]
    flush = (suit == suits[:, other]) & theirs_alike & (suit == their_suits[:, :1])
    made += np.where(flush, 5 * np.take_along_axis(of_suit, suit, 1), 0.0)
    means: NDArray[np.float64] = made / 40
    return means


def _parts(number: int) -> list[slice]:
    return [slice(start, start + 8192) for start in range(0, number, 8192)]


def main(file: str) -> None:
    """Compute the mean cribs and the frequencies of discards, and write them to a JSON file."""
    target = Path(file)
    averages, rounds, moved = measure()
    charts: dict[str, Any] = {
        name: np.round(chart, 6).tolist() for name, chart in zip(CribAverages._fields, averages, strict=True)
    }
    table = {
        "made_by": "python -m lab.six_card.crib_averages",
        "deals": DEALS,
        "rounds": rounds,
        "moved_in_last_round": round(moved, 6),
        "layout": "one suit at [lower rank][higher rank]; two suits, and pairs, at [higher][lower]",
        **charts,
    }
    lines = ",\n".join(f" {json.dumps(key)}: {_rows(value)}" for key, value in table.items())
    target.write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    print(f"{rounds} rounds, means moved at most {moved:.4f}; {target.name} written")


def _rows(value: object) -> str:
    """Return the JSON text of a value, with one line for each row of a chart."""
    if not isinstance(value, list) or not isinstance(value[0], list):
        return json.dumps(value)
    return "[\n  " + ",\n  ".join(json.dumps(row) for row in value) + "]"


if __name__ == "__main__":
    main(*sys.argv[1:])
