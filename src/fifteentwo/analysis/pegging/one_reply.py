"""What a card of the play is worth if one reply to it is foreseen: any form, any seat, the score left out.

Points of the card, less what the next player can be expected to peg on it if any unseen cards are as likely
to be held as any others, and the point for last card if nobody can follow.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from fifteentwo.analysis.counting import VALUES, laid_points
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.view import View

Ranks = tuple[int, ...]
"""Ranks 0 (ace) to 12 (king)."""


def unseen(view: View) -> list[Card]:
    """The cards this seat has not seen this deal, in index order."""
    seen = {*view.hand, *view.discarded, *[card for _, card in view.played], view.starter}
    return [card for card in DECK if card not in seen]


def foes_share(view: View) -> float:
    """What a point to one opponent costs this side: with several opponents each is only one to beat."""
    return 1 / (view.rules.sides - 1)


def foreseen(view: View) -> dict[int, float]:
    """The value of each rank that fits, in points of the own side less the share of the others'."""
    laid = tuple(card.index >> 2 for card in view.laid)
    left = [0] * 13
    for card in unseen(view):
        left[card.index >> 2] += 1
    values = {}
    for card in view.hand:
        rank = card.index >> 2
        if rank not in values and view.count + card.value <= 31:
            hand = tuple(sorted([other.index >> 2 for other in view.hand if other is not card]))
            values[rank] = _value(view, laid, rank, hand, left)
    return values


def _value(view: View, laid: Ranks, rank: int, hand: Ranks, left: Sequence[int]) -> float:
    """Points of this card and what it brings, within one reply."""
    points = laid_points(laid, view.count, rank)
    laid, count = (*laid, rank), view.count + VALUES[rank]
    replier = _next(view)
    if count == 31:
        return points
    if replier is None:
        return points + alone(laid, count, hand)
    sign = 1.0 if view.rules.side(replier) == view.side else -foes_share(view)
    reply, silent = _reply(laid, count, view.held[replier], left)
    return points + sign * reply + silent * alone(laid, count, hand)


def _next(view: View) -> int | None:
    """Who may lay a card after this seat; nobody where all others are out of cards or have said go."""
    seats = view.rules.seats
    for place in range(1, seats):
        seat = (view.seat + place) % seats
        if view.held[seat] and seat not in view.gone:
            return seat
    return None


def _reply(laid: Ranks, count: int, held: int, left: Sequence[int]) -> tuple[float, float]:
    """Mean points of the best reply from so many unseen cards, and how likely there is none at all."""
    number = sum(left)
    by_points: dict[int, int] = {}
    for rank in range(13):
        if left[rank] and count + VALUES[rank] <= 31:
            points = laid_points(laid, count, rank)
            by_points[points] = by_points.get(points, 0) + left[rank]
    mean, without, before = 0.0, number, 1.0
    for points in sorted(by_points, reverse=True):
        without -= by_points[points]
        none_so_good = comb(without, held) / comb(number, held)
        mean += points * (before - none_so_good)
        before = none_so_good
    return mean, before


@lru_cache(maxsize=10_000)
def alone(laid: Ranks, count: int, hand: Ranks) -> int:
    """Points this seat goes on to peg in this count if nobody else can lay a card, last card included."""
    best = 1 if count < 31 else 0
    for rank in set(hand):
        if count + VALUES[rank] <= 31:
            left = list(hand)
            left.remove(rank)
            more = alone((*laid, rank), count + VALUES[rank], tuple(left))
            best = max(best, laid_points(laid, count, rank) + more)
    return best
