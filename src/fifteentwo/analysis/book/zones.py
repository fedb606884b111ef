"""The best discard at every board, and for bands of points needed.

found = zones(cards("5H 5S 6D 7C JC KD"), dealer=False)
found.best[110, 116], found.bands[0][0].zone
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.book.entry import in_order, key_of, rules_of
from fifteentwo.analysis.win.all_boards import chances
from fifteentwo.analysis.win.model import JSON_DECIMALS, TIE_MARGIN, prospects
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.rules.cards import Card

Floats = npt.NDArray[np.float64]

BAND_TOLERANCE = 0.0001
"""Mean loss of win probability (0–1) up to which a band shows the discard that is best at most scores."""
SIX_CARD_BANDS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 60), (61, 121))
"""(first, last) number of points that a side needs to win in each band of six-card cribbage."""
FIVE_CARD_BANDS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 61))
"""(first, last) number of points that a side needs to win in each band of five-card cribbage."""


class Zone(NamedTuple):
    """One discard, and the number of boards (pairs of scores) at which it is best."""

    way: int
    """Index of the discard in `analysis.win.shows.WAYS_OF`, for the cards in the order of the Book."""
    discard: tuple[Card, ...]
    boards: int
    """Number of boards at which the discard is best."""
    clearly: int
    """Number of these boards at which every other discard is worse by at least `TIE_MARGIN`."""


class Band(NamedTuple):
    """Boards in which both sides need a certain number of points, and the best discard for all of them."""

    own: tuple[int, int]
    """First and last number of points that the own side needs."""
    other: tuple[int, int]
    """First and last number of points that the other side needs."""
    zone: int
    """Index of the best discard in `Zones.zones`."""
    loses: float
    """Mean loss of win probability (0–1) by this discard in the band."""
    most: float
    """Largest loss of win probability (0–1) by this discard in the band."""


class Zones(NamedTuple):
    """The best discards of one hand in one role, at all scores."""

    dealt: tuple[Card, ...]
    dealer: bool
    zones: tuple[Zone, ...]
    """Discards that are best at some scores, in the order of the number of scores."""
    best: npt.NDArray[np.uint8]
    """(target, target) index in `zones` of the best discard, by own and other's score."""
    clear: npt.NDArray[np.bool_]
    """(target, target) whether the best discard leads by at least `TIE_MARGIN`, by both scores."""
    bands: tuple[tuple[Band, ...], ...]
    """Bands by the own side's need (rows) and the other side's need, in the order of `bands_of`."""


def bands_of(dealt: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    """Return (first, last) points needed of each band, in the game that deals this number of cards."""
    return FIVE_CARD_BANDS if len(dealt) == 5 else SIX_CARD_BANDS


def zones(dealt: Sequence[Card], *, dealer: bool) -> Zones:
    """Return the best discards at all scores, in 50 to 70 ms; NotationError unless six, or five, cards."""
    dealt = in_order(dealt)
    target, bands = rules_of(dealt).target, bands_of(dealt)
    wins = chances(prospects(dealt, dealer))
    most = wins.max(axis=0)
    good = wins > most - TIE_MARGIN
    alone = good.sum(axis=0) == 1
    # Boards with one clear best count first, so that equal discards make no zones.
    often = (good & alone).sum(axis=(1, 2)) * target**2 + good.sum(axis=(1, 2))
    order = np.argsort(-often, kind="stable")
    best = good[order].argmax(axis=0)
    shown = np.flatnonzero(np.bincount(best.ravel(), minlength=len(order)))
    found = tuple(
        Zone(
            int(order[place]),
            tuple([dealt[card] for card in WAYS_OF[len(dealt)][order[place]]]),
            int((best == place).sum()),
            int(((best == place) & alone).sum()),
        )
        for place in shown
    )
    numbered = np.zeros(len(order), np.uint8)
    numbered[shown] = np.arange(len(shown))
    lost = most - wins[order[shown]]
    by_band = tuple(tuple(_band(own, other, lost) for other in bands) for own in bands)
    return Zones(dealt, dealer, found, numbered[best], alone, by_band)


def _band(own: tuple[int, int], other: tuple[int, int], lost: Floats) -> Band:
    """Return one band. own, other: (first, last) number of points needed.

    lost: (zones, own score, other's) loss of win probability by each discard.
    """
    target = lost.shape[1]
    rows, columns = (slice(target - most, target - least + 1) for least, most in (own, other))
    lost = lost[:, rows, columns]
    mean = lost.mean(axis=(1, 2))
    # A discard that costs little more but is best at more boards is easier to remember.
    zone = int((mean <= mean.min() + BAND_TOLERANCE).argmax())
    return Band(own, other, zone, float(mean[zone]), float(lost[zone].max()))


def report(found: Zones) -> dict[str, Any]:
    """Return zones as plain values for JSON: `best` has a row of indexes for each own score."""
    return {
        key_of(found.dealt): [card.text for card in found.dealt],
        "role": "dealer" if found.dealer else "pone",
        "zones": [
            {"discard": [card.text for card in zone.discard], "boards": zone.boards, "clearly": zone.clearly}
            for zone in found.zones
        ],
        "bands": [
            {
                "own": list(band.own),
                "other": list(band.other),
                "discard": [card.text for card in found.zones[band.zone].discard],
                "loses": round(band.loses, JSON_DECIMALS),
                "most": round(band.most, JSON_DECIMALS),
            }
            for row in found.bands
            for band in row
        ],
        "best": found.best.tolist(),
    }
