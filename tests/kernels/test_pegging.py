"""What a card makes in the play: the quick count and the rules' agree."""

import random
from itertools import product

import numpy as np
import pytest

from fifteentwo.kernels import pegging
from fifteentwo.rules import pegging as rules
from fifteentwo.rules.cards import PACK, cards


def rows(counts: list[list[int]]) -> np.ndarray:
    longest = max(map(len, counts))
    return np.array([count + [pegging.NO_CARD] * (longest - len(count)) for count in counts])


def random_counts(number: int, seed: int, ranks: int = 13) -> list[list[int]]:
    """Counts as long as they go, cut at random; few ranks make many pairs and runs."""
    chance = random.Random(seed)
    found = []
    for _ in range(number):
        pack = chance.sample(PACK[: 4 * ranks], 4 * min(ranks, 13))
        laid: list[int] = []
        count = 0
        for card in pack:
            if count + card.value > 31 or len(laid) == 13:
                break
            laid.append(card.index)
            count += card.value
        found.append(laid[: chance.randint(1, len(laid))])
    return found


def by_the_rules(laid: list[int]) -> int:
    return sum(score.points for score in rules.scores([PACK[card] for card in laid]))


@pytest.mark.parametrize("ranks", [3, 5, 7, 13])
def test_r68_to_r75_as_the_rules_count_them(ranks: int) -> None:
    counts = random_counts(1500, ranks, ranks)
    found = pegging.points(rows(counts)).tolist()
    assert found == [by_the_rules(laid) for laid in counts]
    assert max(found) >= 5


def test_compiled_as_plain() -> None:
    counts = random_counts(pegging.COMPILE_ROWS, 40, 6)
    whole = pegging.points(rows(counts))
    assert whole[:500].tolist() == pegging.points(rows(counts)[:500]).tolist()
    assert whole[-500:].tolist() == pegging.points(rows(counts)[-500:]).tolist()


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ("7H 8S", 2),
        ("TH 5S", 2),
        ("4C 5D 6S", 5),
        ("3H 3S 3D 3C", 12),
        ("AH 3S 2D 4C 5H", 7),
        ("7S 9H 8D", 3),
        ("KH QS AD TH", 2),
    ],
)
def test_known_counts(laid: str, points: int) -> None:
    assert pegging.points([[card.index for card in cards(laid)]]).tolist() == [points]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([0, 4, 0], "AS twice"),
        ([48, 49, 50, 51], "past 31"),
        ([0, 255, 4], "gap"),
        ([255, 255, 255], "no card"),
        ([0, 60, 255], "no card"),
        ([0, -3, 255], "no card"),
    ],
)
def test_impossible_counts_are_refused_with_their_row(wrong: list[int], why: str) -> None:
    good = [0, 4, 8] + [255] * (len(wrong) - 3)
    with pytest.raises(ValueError, match=f"row 2 .*{why}"):
        pegging.points([good, good, wrong, wrong])


def test_nothing_makes_nothing_and_halves_are_no_cards() -> None:
    assert pegging.points([]).tolist() == []
    with pytest.raises(ValueError, match="whole numbers"):
        pegging.points([[0.5, 4.0]])
    with pytest.raises(ValueError, match="shape"):
        pegging.points([0, 4])


@pytest.mark.slow
def test_every_order_of_ranks_to_six_cards() -> None:
    values = [card.value for card in PACK[::4]]
    for length in range(1, 7):
        counts = [
            [4 * rank + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
            for ranks in product(range(13), repeat=length)
            if sum(values[rank] for rank in ranks) <= 31 and all(ranks.count(rank) <= 4 for rank in ranks)
        ]
        assert pegging.points(np.array(counts)).tolist() == [by_the_rules(laid) for laid in counts]
