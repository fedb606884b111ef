"""Value of a card for a club player: its points, less the expected best reply, plus last card.

The level `club`, all seats of rollouts, and one opponent model of the look-ahead search use it. All unseen
cards are equally likely to be held.
"""

from typing import Any, NamedTuple

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import LIMIT, Turn, card_points, playable, points_in_order, value_of

MOST_PEGGED = 16
"""Size of an axis of points that one card pegs; no card pegs more than 15."""
GO = -1
"""Value in place of a rank if a player says go."""


class Scratch(NamedTuple):
    """Work arrays for `reckon`."""

    ways: Any
    """(MOST_PEGGED,) number of unseen cards that would peg each number of points; all 0 between calls."""
    cards: Any
    """(4,) ranks that the player would still hold after the card."""
    values: Any
    """(13,) value, in points, of playing each rank; `reckon` writes it for the ranks that fit."""


def empty_scratch() -> Scratch:
    return Scratch(np.zeros(MOST_PEGGED, np.int64), np.zeros(4, np.int64), np.zeros(13))


@kernel
def best_reply(
    pile: Any, start: int, end: int, count: int, unseen: Any, replies: int, ways: Any
) -> tuple[float, float]:
    """Return the mean points of the best reply to pile[start:end], and the probability that no card fits.

    The best of `replies` random unseen cards is played. unseen: (13,) cards of each rank; ways:
    (MOST_PEGGED,) work array, all 0 before and after.
    """
    number, most = 0, 0
    for rank in range(13):
        cards = unseen[rank]
        if cards <= 0:
            continue
        number += cards
        if playable(count, value_of(rank)):
            pile[end] = rank
            points = card_points(pile, start, end + 1, count + value_of(rank))
            ways[points] += cards
            most = max(most, points)
    silent, without, mean = 1.0, number, 0.0
    for points in range(most, -1, -1):
        if ways[points] == 0:
            continue
        without -= ways[points]
        ways[points] = 0
        none = 1.0
        for card in range(replies):
            if number > card:
                none *= max(without - card, 0) / (number - card)
        mean += points * (silent - none)
        silent = none
    return mean, silent


@kernel
def points_alone(pile: Any, start: int, end: int, count: int, cards: Any, size: int) -> int:
    """Return the most points of ascending ranks cards[:size] played alone in this count, with last card."""
    if count == LIMIT:
        return 0
    orders = 1
    for more in range(2, size + 1):
        orders *= more
    best = 1
    for order in range(orders):
        best = max(best, points_in_order(pile, start, end, count, cards, size, order, True))
    return best


@kernel
def reckon(now: Turn, pile: Any, hand: Any, unseen: Any, replies: int, sign: float, scratch: Scratch) -> int:
    """Return the rank that a club player plays, or GO; write the values of all ranks that fit to scratch.

    hand, unseen: (13,) cards of each rank. replies: number of cards of the next seat to play, 0 if no other
    seat can play. sign: weight of its points. `pile` is written past `now.end`.
    """
    best = GO
    values, cards = scratch.values, scratch.cards
    for rank in range(12, -1, -1):
        count = now.total + value_of(rank)
        if hand[rank] == 0 or not playable(now.total, value_of(rank)):
            continue
        pile[now.end] = rank
        value = float(card_points(pile, now.start, now.end + 1, count))
        mean, silent = 0.0, 1.0
        if replies > 0 and count < LIMIT:
            mean, silent = best_reply(pile, now.start, now.end + 1, count, unseen, replies, scratch.ways)
        if silent > 0:
            size = 0
            for other in range(13):
                for _ in range(hand[other] - (1 if other == rank else 0)):
                    cards[size] = other
                    size += 1
            value += sign * mean + silent * points_alone(pile, now.start, now.end + 1, count, cards, size)
        else:
            value += sign * mean
        values[rank] = value
        if best == GO or value > values[best]:
            best = rank
    return best
