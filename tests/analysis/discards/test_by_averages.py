"""The stored mean cribs: complete, monotonic, near published figures, and equal to newly measured ones."""

import numpy as np
import pytest

from fifteentwo.rules.cards import RANK_TEXT
from fifteentwo.strategy import means
from fifteentwo.strategy.means import Chart, averages
from lab.six_card import crib_averages

# Hessel's averages by pair, own crib and opponent's: iterated best discards by rank, without crib flushes.
PUBLISHED = {
    "AA": (5.26, 6.07), "A4": (5.45, 5.74), "AK": (3.42, 4.34), "22": (5.67, 6.43), "23": (6.97, 7.34),
    "45": (6.54, 7.46), "46": (3.87, 5.47), "55": (8.95, 9.39), "56": (6.65, 7.66), "5J": (7.04, 7.75),
    "67": (4.94, 6.64), "6T": (3.15, 4.41), "78": (6.58, 7.88), "9K": (3.05, 4.13), "TK": (2.86, 3.99),
    "TJ": (4.64, 5.60), "QK": (3.50, 4.56), "KK": (4.62, 5.72),
}  # fmt: skip


def by_ranks(chart: Chart) -> dict[str, float]:
    """Return a chart of averages by two ranks, averaged over suits: {"AA": 5.2, "A2": …}, 91 entries."""
    return {
        "".join(RANK_TEXT[rank] for rank in pair): mean for pair, mean in means._means_by_pair(chart).items()
    }


def test_all_91_pairs_for_both_cribs() -> None:
    tables = averages()
    for chart in (tables.own, tables.opponents):
        means = by_ranks(chart)
        assert len(means) == 91
        assert all(2 < mean < 10 for mean in means.values())
        assert max(means, key=lambda pair: means[pair]) == "55"


def test_near_the_published_averages() -> None:
    own, opponents = by_ranks(averages().own), by_ranks(averages().opponents)
    for pair, (dealers, pones) in PUBLISHED.items():
        assert own[pair] == pytest.approx(dealers, abs=0.2), pair
        assert opponents[pair] == pytest.approx(pones, abs=0.3), pair


def test_the_other_sides_crib_is_dearer() -> None:
    tables = averages()
    assert (tables.opponents > tables.own).all()


def test_two_cards_of_one_suit_make_more() -> None:
    tables = averages()
    five, jack = RANK_TEXT.index("5"), RANK_TEXT.index("J")
    assert tables.own[five, jack] > tables.own[jack, five]
    assert (tables.opponents > 3).all()


def test_frequencies_are_of_two_cards_in_fifteen() -> None:
    tables = averages()
    low, high = np.triu_indices(13)
    twos = np.where(low == high, 6, 12)
    for chart in (tables.dealer_discards, tables.pone_discards):
        assert (chart >= 0).all()
        assert (chart <= 1).all()
        frequency = (chart[high, low] * twos).sum() + 4 * np.triu(chart, 1).sum()
        # Every hand of six discards one of its 15 twos, out of 1,326.
        assert frequency * 15 / 1326 == pytest.approx(1, abs=0.01)


@pytest.mark.long
def test_the_programme_makes_them_again() -> None:
    found, _, _ = crib_averages.measure(30_000, seed=99)
    shipped = averages()
    for name in ("own", "opponents"):
        made, kept = by_ranks(getattr(found, name)), by_ranks(getattr(shipped, name))
        apart = [made[pair] - kept[pair] for pair in kept]
        assert abs(np.mean(apart)) < 0.05
        assert max(map(abs, apart)) < 0.5
