"""Points by rank alone, quick enough to be asked thousands of times a decision.

Ranks here are 0 (ace) to 12 (king), so that tuples of 13 can be indexed by them.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from fifteentwo.fast import play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.pegging import playable
from fifteentwo.rules.view import View

VALUES = tuple(play.value_of(rank) for rank in range(13))
"""Counting value by rank (R7)."""


def ranks_of(cards: Sequence[Card]) -> tuple[int, ...]:
    """The ranks of some cards in ascending order."""
    return tuple(sorted([card.index >> 2 for card in cards]))


@lru_cache(maxsize=20_000)
def rank_points(ranks: tuple[int, ...]) -> int:
    """Fifteens, pairs and runs of ranks in ascending order (R81–R83); any number of cards."""
    points = 0
    for size in range(2, len(ranks) + 1):
        for chosen in combinations(ranks, size):
            if sum([VALUES[rank] for rank in chosen]) == 15:
                points += 2
    copies = [0] * 14
    for rank in ranks:
        copies[rank] += 1
    length, ways = 0, 1
    for number in copies:
        points += number * (number - 1)
        if number:
            length, ways = length + 1, ways * number
        else:
            if length >= 3:
                points += length * ways
            length, ways = 0, 1
    return points


@lru_cache(maxsize=4_000)
def points_by_starter(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """`rank_points` of a kept hand with a starter of each rank (13 of them)."""
    return tuple(rank_points(tuple(sorted((*ranks, starter)))) for starter in range(13))


def hand_mean(kept: Sequence[Card], unseen: Sequence[Card], *, flush: bool = True) -> float:
    """Mean points of a kept hand over every unseen starter, exact, with flush and nobs (R85, R87, R103)."""
    by_starter = points_by_starter(ranks_of(kept))
    total = sum([by_starter[card.index >> 2] for card in unseen])
    suit = kept[0].index & 3
    if flush and all(card.index & 3 == suit for card in kept):
        total += len(kept) * len(unseen) + sum([card.index & 3 == suit for card in unseen])
    for card in kept:
        if card.index >> 2 == 10:
            suit = card.index & 3
            total += sum([other.index & 3 == suit for other in unseen])
    return total / len(unseen)


def held_points(kept: Sequence[Card]) -> int:
    """Points that kept cards make as they lie, before any starter is turned."""
    flush = len(kept) > 2 and all(card.index & 3 == kept[0].index & 3 for card in kept)
    return rank_points(ranks_of(kept)) + (len(kept) if flush else 0)


@lru_cache(maxsize=50_000)
def laid_points(before: tuple[int, ...], count: int, rank: int) -> int:
    """What a card of this rank pegs after those ranks of the present count (R68–R75, R59)."""
    laid = (*before, rank)
    return play.card_points(laid, 0, len(laid), count + VALUES[rank])


def points_at_once(view: View, card: Card) -> int:
    """What a card pegs as it is laid: its points, and last card where it is plain that nobody can follow."""
    rank = card.index >> 2
    points = laid_points(tuple(other.index >> 2 for other in view.laid), view.count, rank)
    count = view.count + VALUES[rank]
    others = [seat for seat in range(view.rules.seats) if seat != view.seat and seat not in view.gone]
    if count == play.LIMIT or any(view.held[seat] for seat in others):
        return points
    follows = playable([other for other in view.hand if other is not card], count)
    return points if follows else points + 1
