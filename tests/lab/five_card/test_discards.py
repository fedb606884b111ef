"""Five-card hands and their options against the rules, one by one."""

import random
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import hand_numbers, place
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.events import ScoreName
from fifteentwo.strategy.pegging_points import dealt_ranks
from lab.five_card.deals import DEALS, OPTIONS, five_cards
from lab.five_card.discards import Discards, approximate_crib_means, fractions

SUITED = (ScoreName.FLUSH, ScoreName.NOBS)


def test_the_classes_are_all_deals_of_five_cards() -> None:
    five = five_cards()
    assert len(five.weight) == 134_459
    assert five.weight.astype(np.float64).sum() == DEALS == five.deals.sum()


def means_by_the_rules(hand: list[Card], option: tuple[int, int]) -> float:
    """Mean points of the kept hand over all starters (R80–R89, R103)."""
    kept = [card for at, card in enumerate(hand) if at not in option]
    starters = [card for card in DECK if card not in hand]
    return sum(score.points for one in starters for score in show.scores(kept, one)) / len(starters)


def test_r103_mean_hands_equal_the_rules_with_flush_and_nobs() -> None:
    rng = random.Random(11)
    five = five_cards()
    hands = [rng.sample(DECK, 5) for _ in range(12)]
    hands.append([card for card in DECK if card.text in ("JS", "QS", "KS", "5S", "2S")])
    for cards in hands:
        hand = sorted(cards, key=lambda card: card.index)
        counts = np.bincount([card.index >> 2 for card in hand], minlength=13)
        (m,) = np.flatnonzero((five.copies == counts).all(axis=1))
        expected = np.array([means_by_the_rules(hand, option) for option in OPTIONS])
        rows = five.show[five.class_of == m]
        # Suits are renamed and ordered in a class, and options with them: some row has these means.
        gaps = [np.abs(np.sort(row) - np.sort(expected)).max() for row in rows]
        assert min(gaps) < 1e-5


def test_fractions_of_a_strategy_sum_to_one_for_each_five_ranks() -> None:
    mean = Discards(0).average()
    fraction = fractions(mean)
    ranks, (gone, kept) = dealt_ranks(3), ways(5, 2)
    types = hand_numbers(ranks[:, kept]), hand_numbers(ranks[:, gone])
    for row, kinds in zip(fraction[types], (types[0] * 91 + types[1]).tolist(), strict=True):
        assert sum(dict(zip(kinds, row.tolist(), strict=True)).values()) == pytest.approx(1)


def test_mean_cribs_equal_the_rules_against_a_side_that_discards_any_two() -> None:
    """The other side's pair and the starter are then random; its jacks score nobs once in four times."""
    five = five_cards()
    cribs = approximate_crib_means(np.full((6175, 10), 0.1))
    hand = [4, 4, 8, 10, 12]
    counts = np.bincount(hand, minlength=13)
    (m,) = np.flatnonzero((five.copies == counts).all(axis=1))
    for option, own in ((0, (4, 4)), (7, (8, 10)), (8, (8, 12))):
        assert five.pair_of[m, option] == place(2)[own]
        points = number = 0.0
        for theirs in combinations_with_replacement(range(13), 2):
            drawn = np.bincount(theirs, minlength=13)
            pairs = prod(comb(4 - held, more) for held, more in zip(counts, drawn, strict=True))
            for starter in range(13):
                ways = pairs * max(4 - counts[starter] - drawn[starter], 0)
                if not ways:
                    continue
                ranks = [*own, *theirs]
                crib = [
                    DECK[4 * rank + sum(rank == other for other in ranks[:at])]
                    for at, rank in enumerate(ranks)
                ]
                turned = DECK[4 * starter + ranks.count(starter)]
                named = [
                    score.points for score in show.scores(crib, turned, crib=True) if score.name not in SUITED
                ]
                jacks = 0.25 * theirs.count(10) * (starter != 10)
                points += ways * (sum(named) + jacks)
                number += ways
        assert number == comb(47, 2) * 45
        assert cribs[m, option] == pytest.approx(points / number, abs=1e-4)
