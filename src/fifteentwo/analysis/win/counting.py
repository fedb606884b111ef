"""Points of a few cards by the tables and kernels of `fast`, and the cards that a seat has not seen.

Ranks are 0 (ace) to 12 (king), indexes of tuples of 13.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from fifteentwo.fast import play, show
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.pegging import playable
from fifteentwo.rules.view import View

VALUES = tuple(play.value_of(rank) for rank in range(13))
"""Value of each rank in the count: 1 for an ace, 10 for ten to king (R7)."""


def ranks_of(cards: Sequence[Card]) -> tuple[int, ...]:
    """Return the ranks (0–12) of cards in ascending order."""
    return tuple(sorted([card.index >> 2 for card in cards]))


def rank_points(ranks: tuple[int, ...]) -> int:
    """Return the points for fifteens, pairs and runs of up to five ranks in any order (R81–R83)."""
    return int(show.rank_points(len(ranks))[_base_13_number(ranks)]) if len(ranks) > 1 else 0


def _base_13_number(ranks: tuple[int, ...]) -> int:
    digits = 0
    for rank in ranks:
        digits = digits * 13 + rank
    return digits


def mean_points(
    hands: Sequence[Sequence[Card]], starters: Sequence[Card], *, crib: bool = False
) -> list[float]:
    """Return the mean show points of each hand, or of each crib, over these starters (R80–R90, R103)."""
    cards = np.array([[card.index for card in hand] for hand in hands], np.uint8)
    turned = np.array([card.index for card in starters], np.uint8)
    every = np.repeat(cards, len(turned), axis=0)
    points = show.points(every, np.tile(turned, len(cards)), crib=crib)
    means: list[float] = points.reshape(len(cards), -1).mean(axis=1).tolist()
    return means


def held_points(kept: Sequence[Card]) -> int:
    """Return the show points of kept cards without a starter."""
    flush = len(kept) > 2 and all(card.index & 3 == kept[0].index & 3 for card in kept)
    return rank_points(ranks_of(kept)) + (len(kept) if flush else 0)


@lru_cache(maxsize=50_000)
def played_points(before: tuple[int, ...], count: int, rank: int) -> int:
    """Return the points of playing a rank (R68–R75, R59). before: ranks of this count; count: their total."""
    played = (*before, rank)
    return play.card_points(played, 0, len(played), count + VALUES[rank])


def points_at_once(view: View, card: Card) -> int:
    """Return the points of playing a card, including last card if certainly no seat can follow."""
    rank = card.index >> 2
    points = played_points(tuple(other.index >> 2 for other in view.in_count), view.count, rank)
    count = view.count + VALUES[rank]
    others = [seat for seat in range(view.rules.seats) if seat != view.seat and seat not in view.said_go]
    if count == play.LIMIT or any(view.hand_sizes[seat] for seat in others):
        return points
    follows = playable([other for other in view.hand if other is not card], count)
    return points if follows else points + 1


def unseen(view: View) -> list[Card]:
    """Return the cards that this seat has not seen in this deal, in index order."""
    seen = {*view.hand, *view.discarded, *[card for _, card in view.played], view.starter}
    return [card for card in DECK if card not in seen]


def opponent_weight(view: View) -> float:
    """Return the weight of one opponent's point against an own point: 1 / number of opposing sides."""
    return 1 / (view.rules.sides - 1)
