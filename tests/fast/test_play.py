"""Pegging points of a card: the fast count equals the rules, compiled and plain."""

import random
from collections.abc import Iterable
from itertools import product

import numpy as np
import pytest

from fifteentwo.fast import play
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.layout import VALUES
from fifteentwo.rules import pegging as rules
from fifteentwo.rules.cards import DECK

KERNELS = [pytest.param(play, id="plain"), pytest.param(compiled("fifteentwo.fast.play"), id="compiled")]


def random_counts(number: int, seed: int, ranks: int = 13) -> list[list[int]]:
    """Return counts of random length; few ranks make many pairs and runs."""
    chance = random.Random(seed)
    found = []
    for _ in range(number):
        deck = chance.sample(DECK[: 4 * ranks], 4 * min(ranks, 13))
        played: list[int] = []
        count = 0
        for card in deck:
            if count + card.value > 31 or len(played) == 13:
                break
            played.append(card.index)
            count += card.value
        found.append(played[: chance.randint(1, len(played))])
    return found


def by_the_rules(played: Iterable[int]) -> int:
    return sum(score.points for score in rules.scores([DECK[card] for card in played]))


def fast_points(kernels: object, played: list[int]) -> int:
    """Return points of the last card, after ranks of an earlier count that must not matter."""
    pile = np.array([0, 1, 2, *(card >> 2 for card in played), 5], np.int64)
    count = int(VALUES[pile[3:-1]].sum())
    return int(kernels.card_points(pile, 3, 3 + len(played), count))  # type: ignore[attr-defined]


@pytest.mark.parametrize("kernels", KERNELS)
@pytest.mark.parametrize("ranks", [3, 5, 7, 13])
def test_r68_to_r75_as_the_rules_count_them(ranks: int, kernels: object) -> None:
    counts = random_counts(1500, ranks, ranks)
    points = [fast_points(kernels, played) for played in counts]
    assert points == [by_the_rules(played) for played in counts]
    assert max(points) >= 5


@pytest.mark.parametrize("kernels", KERNELS)
def test_r7_counting_values(kernels: object) -> None:
    assert [kernels.value_of(card.index >> 2) for card in DECK] == [card.value for card in DECK]  # type: ignore[attr-defined]


@pytest.mark.slow
def test_every_order_of_ranks_to_six_cards() -> None:
    kernels = compiled("fifteentwo.fast.play")
    values = [card.value for card in DECK[::4]]
    for length in range(1, 7):
        for ranks in product(range(13), repeat=length):
            if sum(values[rank] for rank in ranks) <= 31 and all(ranks.count(rank) <= 4 for rank in ranks):
                played = [4 * rank + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
                assert fast_points(kernels, played) == by_the_rules(played)
