"""All 12,994,800 hands with their starters, as hand and as crib, against the known distribution.

The columns are public figures: the hand column agrees with S. Lumetta's published table, row for row.
"""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context

import pytest

from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card, Rank
from tests.fast.test_show import CRIBS, HANDS
from tests.rules.second_scorer import show_parts

AS_HAND, AS_CRIB = (
    {points: hands for points, hands in enumerate(column) if hands} for column in (HANDS, CRIBS)
)
KINDS = {"R81": "fifteens", "R82": "pairs", "R83": "runs", "R87": "nobs"}


def some(step: int, first: int = 0) -> Iterator[tuple[tuple[Card, ...], Card]]:
    """Yield every step-th of all hands with their starters, in the order of the deck."""
    wanted = first
    for place, hand in enumerate(combinations(DECK, 4)):
        if wanted >= place * 48 + 48:
            continue
        stock = [card for card in DECK if card not in hand]
        while wanted < place * 48 + 48:
            yield hand, stock[wanted - place * 48]
            wanted += step


def test_a_sample_equals_the_second_scorer() -> None:
    tried = 0
    for hand, starter in some(5003):
        words = [card.text for card in hand]
        for crib in (False, True):
            parts = show_parts(words, starter.text, crib)
            made: Counter[str] = Counter()
            for score in show.scores(hand, starter, crib=crib):
                made[KINDS.get(score.rule, "flush")] += score.points
            assert {kind: points for kind, points in parts.items() if points} == dict(made), (words, starter)
            assert show.points(hand, starter, crib=crib) == sum(parts.values())
        tried += 1
    assert tried == 2_598


def test_scores_name_cards_of_their_own_hand() -> None:
    """Hands with the same ranks share what was counted, so each must get its own cards in counting order."""
    hands_of_ranks: Counter[tuple[int, ...]] = Counter()
    for hand, starter in some(5003):
        together = sorted((*hand, starter))
        hands_of_ranks[tuple([card.rank for card in together])] += 1
        by_ranks = [score for score in show.scores(hand, starter) if KINDS.get(score.rule, "nobs") != "nobs"]
        expected = [
            *[one for size in (2, 3, 4, 5) for one in _fifteens(together, size)],
            *[alike for rank in Rank if len(alike := _of_rank(together, rank)) > 1],
            *_longest_runs(together),
        ]
        assert Counter([score.cards for score in by_ranks]) == Counter(expected), (hand, starter)
    assert max(hands_of_ranks.values()) > 1


def _fifteens(together: list[Card], size: int) -> list[tuple[Card, ...]]:
    return [one for one in combinations(together, size) if sum([card.value for card in one]) == 15]


def _of_rank(together: list[Card], rank: Rank) -> tuple[Card, ...]:
    return tuple([card for card in together if card.rank == rank])


def _longest_runs(together: list[Card]) -> list[tuple[Card, ...]]:
    for size in (5, 4, 3):
        runs = [
            one
            for one in combinations(together, size)
            if [card.rank - one[0].rank for card in one] == [*range(size)]
        ]
        if runs:
            return runs
    return []


def test_a_sample_shows_no_impossible_total_and_the_known_share_of_each() -> None:
    """5 standard deviations of a sample of 1 in 997; 19, 25, 26 and 27 are never seen."""
    found: Counter[int] = Counter(show.points(hand, starter) for hand, starter in some(997))
    size = sum(found.values())
    assert set(found) <= set(AS_HAND)
    for points, hands in AS_HAND.items():
        share = hands / 12_994_800
        assert abs(found[points] - size * share) <= 5 * (size * share) ** 0.5 + 5, points


def test_every_28_and_29() -> None:
    """Every hand of four fives and a ten card: 76 make 28, and 4 make 29."""
    fives = [card for card in DECK if card.rank == 5]
    tens = [card for card in DECK if card.value == 10]
    found: Counter[int] = Counter()
    for ten in tens:
        found[show.points(fives, ten)] += 1
        for starter in fives:
            hand = [*(five for five in fives if five is not starter), ten]
            found[show.points(hand, starter)] += 1
    assert found == {28: 76, 29: 4}


def counted(first: int) -> tuple[Counter[int], Counter[int]]:
    """Return the points of all hands whose lowest card is this one."""
    as_hand: Counter[int] = Counter()
    as_crib: Counter[int] = Counter()
    for rest in combinations(DECK[first + 1 :], 3):
        hand = (DECK[first], *rest)
        for starter in DECK:
            if starter not in hand:
                as_hand[show.points(hand, starter)] += 1
                as_crib[show.points(hand, starter, crib=True)] += 1
    return as_hand, as_crib


@pytest.mark.slow
def test_all_hands() -> None:
    as_hand: Counter[int] = Counter()
    as_crib: Counter[int] = Counter()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as workers:
        for hand, crib in workers.map(counted, range(49)):
            as_hand.update(hand)
            as_crib.update(crib)
    assert as_hand == AS_HAND
    assert as_crib == AS_CRIB
