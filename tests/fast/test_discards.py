"""Discards by tables equal an enumeration of all discards and starters."""

from itertools import combinations

import numpy as np
import pytest

from fifteentwo.fast import discards, show
from fifteentwo.fast import random_deals as deals
from fifteentwo.fast.hands import TRIPLES
from fifteentwo.rules.cards import cards


def every_crib(hand: list[int], discarded: int, chart: np.ndarray) -> np.ndarray:
    """Return weights of the crib's points by enumeration of all other discards and starters."""
    unseen = [card for card in range(52) if card not in hand]
    combined = np.array(list(combinations(unseen, 2 if discarded == 2 else 3)), np.uint8)
    others = np.repeat(combined, len(unseen), axis=0)
    starters = np.tile(np.array(unseen, np.uint8), len(combined))
    apart = (others != starters[:, None]).all(axis=1)
    others, starters = others[apart], starters[apart]
    ranks = np.sort(others >> 2, axis=1)
    if discarded == 2:
        alike = ((others[:, 0] ^ others[:, 1]) & 3) == 0
        low, high = ranks.T
        weights = np.where(alike, chart[low, high], chart[high, low])
    else:
        place = {tuple(triple): i for i, triple in enumerate(TRIPLES.tolist())}
        weights = chart[[place[tuple(row)] for row in ranks.tolist()]]
    found = []
    for way in combinations(hand, discarded):
        own = np.tile(np.array(way, np.uint8), (len(others), 1))
        points = show.points(np.concatenate([own, others], axis=1), starters, crib=True)
        found.append(np.bincount(points, weights, minlength=30))
    return np.array(found)


def every_kept_hand(hand: list[int], discarded: int) -> np.ndarray:
    unseen = np.array([card for card in range(52) if card not in hand], np.uint8)
    found = []
    for way in combinations(hand, discarded):
        kept = [card for card in hand if card not in way]
        found.append(np.bincount(show.points([kept] * len(unseen), unseen), minlength=30))
    return np.array(found)


HANDS = [
    [card.index for card in cards(text)]
    for text in (
        "JS JH JD JC AS 2S",
        "AS 2S 3S 4S 5S JS",
        "JS QS KS AH 2H JH",
        "5H 5S 5D JC 5C JD",
        "AS AH AD AC KS KH",
        "7H 8H 9H TH JH 6C",
    )
] + deals.random_deals(6, 6, 1).tolist()


def chart_of(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 9, (13, 13)).astype(float)


@pytest.mark.parametrize("chart", [discards.UNIFORM, chart_of(1)], ids=["uniform", "chart"])
def test_six_cards_every_way_is_the_brute_force(chart: np.ndarray) -> None:
    counts = discards.crib_counts(HANDS, chart)
    sums, weight = discards.crib_sums(HANDS, chart)
    for hand, found, summed, total in zip(HANDS, counts, sums, weight, strict=True):
        expected = every_crib(hand, 2, chart)
        assert np.array_equal(found, expected)
        assert np.array_equal(summed, expected @ np.arange(30))
        assert (expected.sum(axis=1) == total).all()


def test_the_uniform_opponent_has_45_540_discards_and_starters() -> None:
    _, weight = discards.crib_sums(HANDS)
    assert set(weight.tolist()) == {45_540.0}


def test_kept_hands_over_46_starters() -> None:
    counts = discards.kept_counts(HANDS)
    assert (counts.sum(axis=2) == 46).all()
    assert np.array_equal(counts, [every_kept_hand(hand, 2) for hand in HANDS])
    assert np.array_equal(discards.kept_sums(HANDS), counts @ np.arange(30))


def test_r101_five_cards_keep_three() -> None:
    hands = [hand[:5] for hand in HANDS]
    assert np.array_equal(discards.kept_counts(hands), [every_kept_hand(hand, 2) for hand in hands])
    assert np.array_equal(
        discards.crib_counts(hands[:4], chart_of(2)), [every_crib(hand, 2, chart_of(2)) for hand in hands[:4]]
    )


def test_r40_of_five_cards_one_is_discarded() -> None:
    hands = [HANDS[place][:5] for place in (0, 1, 4)]
    found = discards.crib_counts_of_singles(hands)
    assert np.array_equal(found, [every_crib(hand, 1, discards.UNIFORM_SINGLES) for hand in hands])
    assert np.array_equal(discards.kept_counts(hands, 1), [every_kept_hand(hand, 1) for hand in hands])


def test_workers_change_nothing_however_few_the_hands() -> None:
    hands = deals.random_deals(200, 6, 4)
    assert np.array_equal(discards.crib_counts(hands), discards.crib_counts(hands, workers=2))
    assert np.array_equal(discards.crib_sums(hands)[0], discards.crib_sums(hands, workers=2)[0])
    for few in (hands[:0], hands[:1]):
        for count in (discards.crib_counts, discards.kept_counts, discards.kept_sums):
            alone, shared = count(few), count(few, workers=2)
            assert alone.dtype == shared.dtype
            assert np.array_equal(alone, shared)


def test_nothing_makes_nothing() -> None:
    sums, weight = discards.crib_sums([])
    assert sums.shape == (0, 15)
    assert weight.shape == (0,)
    assert discards.crib_counts(np.empty((0, 5), int)).shape == (0, 10, 30)
    assert discards.kept_counts([]).shape == (0, 15, 30)


@pytest.mark.parametrize("row", [0, 65])
def test_a_wrong_row_is_named(row: int) -> None:
    hands = deals.random_deals(70, 6, 5).astype(int)
    hands[row, 5] = hands[row, 0]
    for work in (discards.crib_sums, discards.crib_counts, discards.kept_counts, discards.kept_sums):
        with pytest.raises(ValueError, match=f"hands: row {row} has .. twice"):
            work(hands)
    hands[row, 5] = 52
    with pytest.raises(ValueError, match=f"hands: row {row} has 52"):
        discards.crib_sums(hands)


def test_wrong_shapes_and_charts_are_refused() -> None:
    hands = deals.random_deals(3, 6, 6)
    for chart in (np.ones(91), -discards.UNIFORM, np.full((13, 13), np.nan)):
        with pytest.raises(ValueError, match="chart"):
            discards.crib_sums(hands, chart)
    with pytest.raises(ValueError, match="shape"):
        discards.crib_sums(hands[0])
    with pytest.raises(ValueError, match="leave no hand"):
        discards.kept_counts(hands[:, :4])


def test_random_deals_are_deals() -> None:
    dealt = deals.random_deals(30_000, 13, 7)
    assert np.array_equal(dealt, deals.random_deals(30_000, 13, 7))
    assert (np.diff(np.sort(dealt, axis=1), axis=1) > 0).all()
    for place in (0, 12):
        seen = np.bincount(dealt[:, place], minlength=52)
        assert abs(seen - 30_000 / 52).max() < 5 * np.sqrt(30_000 / 52)
    assert deals.random_deals(0, 6, 1).shape == (0, 6)
    with pytest.raises(ValueError, match="53"):
        deals.random_deals(1, 53, 1)
