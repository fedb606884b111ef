"""Values of cards for a club player equal those found by trying every card and every order."""

import random
from math import comb
from types import ModuleType

import numpy as np
import pytest

from fifteentwo.analysis.win.counting import VALUES, played_points
from fifteentwo.fast import club
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.play import Turn

MODULES = [pytest.param(club, id="plain"), pytest.param(compiled("fifteentwo.fast.club"), id="compiled")]
Ranks = tuple[int, ...]


def alone(pile: Ranks, count: int, hand: Ranks) -> int:
    best = 1 if count < 31 else 0
    for rank in hand:
        if count + VALUES[rank] <= 31:
            rest = list(hand)
            rest.remove(rank)
            after = alone((*pile, rank), count + VALUES[rank], tuple(rest))
            best = max(best, played_points(pile, count, rank) + after)
    return best


def reply(pile: Ranks, count: int, held: int, left: list[int]) -> tuple[float, float]:
    """Return mean points of the best reply, and the probability that there is none."""
    number = sum(left)
    points = {rank: played_points(pile, count, rank) for rank in range(13) if left[rank]}
    points = {rank: made for rank, made in points.items() if count + VALUES[rank] <= 31}
    mean, before = 0.0, 1.0
    for made in sorted(set(points.values()), reverse=True):
        better = sum(left[rank] for rank in points if points[rank] >= made)
        none = comb(number - better, held) / comb(number, held)
        mean += made * (before - none)
        before = none
    return mean, before


def value(pile: Ranks, count: int, rank: int, rest: Ranks, held: int, left: list[int], sign: float) -> float:
    points, after, pile = played_points(pile, count, rank), count + VALUES[rank], (*pile, rank)
    if after == 31:
        return points
    mean, silent = reply(pile, after, held, left) if held else (0.0, 1.0)
    return points + sign * mean + silent * alone(pile, after, rest)


@pytest.mark.parametrize("kernels", MODULES)
def test_r53_to_r75_the_value_of_a_card_within_one_reply(kernels: ModuleType) -> None:
    chance = random.Random(5)
    fell_silent = 0
    for _ in range(400):
        deck = [rank for rank in range(13) for _ in range(4)]
        chance.shuffle(deck)
        hand = sorted(deck[: chance.randint(1, 4)])
        pile: list[int] = []
        for rank in deck[4 : 4 + chance.randint(0, 6)]:
            if sum(VALUES[one] for one in pile) + VALUES[rank] <= 31:
                pile.append(rank)
        count = sum(VALUES[rank] for rank in pile)
        if count == 31:
            continue
        left = [deck[12:].count(rank) for rank in range(13)]
        held, sign = chance.randint(0, 4), chance.choice([-1.0, 1.0, -0.5])
        array = np.array([0, *pile, *[0] * 8], np.int64)
        scratch = club.empty_scratch()
        counts = np.bincount(hand, minlength=13)
        now = Turn(0, count, 1, 1 + len(pile), 0, 1)
        best = kernels.reckon(now, array, counts, np.array(left, np.int64), held, sign, scratch)
        fits = [rank for rank in sorted(set(hand)) if count + VALUES[rank] <= 31]
        values = {}
        for rank in fits:
            rest = list(hand)
            rest.remove(rank)
            values[rank] = value(tuple(pile), count, rank, tuple(rest), held, left, sign)
            assert scratch.values[rank] == pytest.approx(values[rank])
        assert best == max(fits, key=lambda rank: (round(values[rank], 9), rank), default=club.GO)
        fell_silent += count > 20 and len(fits) > 1
    assert fell_silent > 20
