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

HARDLY = 0.0001
"""Largest additional mean loss for which a band takes a discard that is best at more boards."""
BANDS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 60), (61, 121))
"""Bands of points needed in six-card cribbage: first and last number of each."""
FIVE_CARD_BANDS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 30), (31, 61))
"""Bands of points needed in five-card cribbage: first and last number of each."""


class Zone(NamedTuple):
    """The boards at which one discard is best."""

    way: int
    """Index in `analysis.win.shows.WAYS_OF`, for the cards in order."""
    discard: tuple[Card, ...]
    boards: int
    """Number of boards at which it is best."""
    clearly: int
    """Number of these boards at which it leads every other discard by `TIE_MARGIN`."""


class Band(NamedTuple):
    """A band of needs of both sides, and the discard with the lowest mean loss in it."""

    own: tuple[int, int]
    other: tuple[int, int]
    zone: int
    """Index of the discard in the zones."""
    loses: float
    """Mean loss of win probability by this discard in the band."""
    most: float
    """Largest loss in the band."""


class Zones(NamedTuple):
    """The best discards of six cards, or five, in one role; five-card games end at 61."""

    dealt: tuple[Card, ...]
    dealer: bool
    zones: tuple[Zone, ...]
    """Discards that are best at some board, by number of boards."""
    best: npt.NDArray[np.uint8]
    """(target, target) index in `zones` of the best discard, by own and other's score."""
    clear: npt.NDArray[np.bool_]
    """(target, target) whether it leads every other discard by `TIE_MARGIN`."""
    bands: tuple[tuple[Band, ...], ...]
    """By own needs, then the other's, in the order of `bands_of`."""


def bands_of(dealt: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    """Return the bands of the game in which these cards are dealt."""
    return FIVE_CARD_BANDS if len(dealt) == 5 else BANDS


def zones(dealt: Sequence[Card], *, dealer: bool) -> Zones:
    """Return the zones of these cards; NotationError unless six different ones, or five. 50 to 70 ms.

    If several discards are equally good at a board, the discard that is best at most boards is chosen.
    """
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
    by_band = _bands(most - wins[order[shown]], bands)
    return Zones(dealt, dealer, found, numbered[best], alone, by_band)


def _bands(lost: Floats, bands: tuple[tuple[int, int], ...]) -> tuple[tuple[Band, ...], ...]:
    """Return bands from (zones, own, other's) losses of each discard."""
    return tuple(tuple(_band(own, other, lost) for other in bands) for own in bands)


def _band(own: tuple[int, int], other: tuple[int, int], lost: Floats) -> Band:
    target = lost.shape[1]
    rows, columns = (slice(target - most, target - least + 1) for least, most in (own, other))
    lost = lost[:, rows, columns]
    mean = lost.mean(axis=(1, 2))
    # A discard that costs little more but is best at more boards is easier to remember.
    zone = int((mean <= mean.min() + HARDLY).argmax())
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
