"""A second scorer, written from the rules' text alone: slow, plain, and without code of the package.

Cards are text.
"""

from collections.abc import Sequence
from itertools import combinations

RANKS = "A23456789TJQK"


def value(card: str) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def consecutive(cards: Sequence[str]) -> bool:
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def show_parts(hand: Sequence[str], starter: str, crib: bool = False) -> dict[str, int]:
    """Return points by kind: two for every fifteen, two for every pair, the longest runs, flush, nobs."""
    five = [*hand, starter]
    every = [some for size in range(2, len(five) + 1) for some in combinations(five, size)]
    fifteens = 2 * len([some for some in every if sum(value(card) for card in some) == 15])
    pairs = 2 * len([some for some in every if len(some) == 2 and some[0][0] == some[1][0]])
    runs = [some for some in every if len(some) >= 3 and consecutive(some)]
    longest = max((len(run) for run in runs), default=0)
    flush = 0
    if all(card[1] == hand[0][1] for card in hand):
        if starter[1] == hand[0][1]:
            flush = len(hand) + 1
        elif not crib:
            flush = len(hand)
    return {
        "fifteens": fifteens,
        "pairs": pairs,
        "runs": sum(len(run) for run in runs if len(run) == longest),
        "flush": flush,
        "nobs": 1 if "J" + starter[1] in hand else 0,
    }


def show_points(hand: Sequence[str], starter: str, crib: bool = False) -> int:
    return sum(show_parts(hand, starter, crib).values())


def play_points(played: Sequence[str]) -> int:
    """Return the points of the last card played within one count, without last card."""
    points = 0
    count = sum(value(card) for card in played)
    if count in (15, 31):
        points += 2
    same = 0
    for card in reversed(played):
        if card[0] != played[-1][0]:
            break
        same += 1
    points += same * (same - 1)
    for size in range(len(played), 2, -1):
        if consecutive(played[-size:]):
            return points + size
    return points
