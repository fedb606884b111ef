"""What a seat can tell of the cards others hold, from what they laid and when they said go.

Ranks here are 0 (ace) to 12 (king).
"""

import random
from collections.abc import Sequence
from itertools import pairwise

from fifteentwo.analysis.counting import VALUES, laid_points
from fifteentwo.analysis.one_reply import unseen
from fifteentwo.rules.view import View

Hands = list[list[int]]
"""Ranks held by each seat."""

SEEN_PAST = 0.35
"""How likely it is that a seat passes over a point it could have pegged: people do, for better plans."""


def above(view: View) -> tuple[int, ...]:
    """By seat, a counting value that every card it still holds must exceed: it said go with less room (R55).

    Goes of counts that are over are told by the cards: a count that ends below 31 ends because nobody could
    play, and a seat passed over while it held cards had none to play.
    """
    seats = view.rules.seats
    least = [0] * seats
    held = [view.rules.kept] * seats
    bounds = [0, *view.cleared]
    for began, ended in pairwise((*bounds, len(view.played))):
        if began == ended:
            continue
        count = 0
        over = ended in view.cleared
        for at in range(began, ended):
            seat, card = view.played[at]
            if at > began:
                _passed(least, held, view.played[at - 1][0], seat, 31 - count)
            count += card.value
            held[seat] -= 1
        if over and count < 31:
            for seat in range(seats):
                least[seat] = max(least[seat], 31 - count)
        elif not over:
            for seat in view.gone:
                least[seat] = max(least[seat], 31 - count)
            _passed(least, held, view.played[ended - 1][0], view.turn, 31 - count)
    return tuple(least)


def _passed(least: list[int], held: Sequence[int], last: int, seat: int, room: int) -> None:
    """The turn went from `last` to `seat` with so much room: those between held nothing that fits."""
    seats = len(least)
    other = (last + 1) % seats
    while other != seat:
        if held[other]:
            least[other] = max(least[other], room)
        other = (other + 1) % seats


def sample(view: View, number: int, luck: random.Random) -> list[Hands]:
    """Hands the others may hold, likelier ones more often; this seat's own place is left empty.

    Where something was laid that tells of them, draws three times as many and picks by how well they agree
    with it. Gives fewer where drawing fails, as it may when goes leave few cards to choose from.
    """
    pool = [card.index >> 2 for card in unseen(view)]
    bounds = above(view)
    seats = [seat for seat in range(view.rules.seats) if seat != view.seat and view.held[seat]]
    # Whoever is most limited draws first, or the cards it needs may be gone.
    seats.sort(key=lambda seat: -bounds[seat])
    tries = _missed_points(view)
    drawn: list[Hands] = []
    weights: list[float] = []
    for _ in range(3 * number if tries else number):
        hands = _deal(view, pool, bounds, seats, luck)
        if hands is not None:
            drawn.append(hands)
            weights.append(_likelihood(hands, tries))
    if not drawn or not tries:
        return drawn
    return luck.choices(drawn, weights, k=number)


def _deal(
    view: View, pool: list[int], bounds: Sequence[int], seats: Sequence[int], luck: random.Random
) -> Hands | None:
    limited = any(bounds[seat] for seat in seats)
    rest = luck.sample(pool, len(pool) if limited else sum([view.held[seat] for seat in seats]))
    hands: Hands = [[] for _ in range(view.rules.seats)]
    for seat in seats:
        least, need = bounds[seat], view.held[seat]
        if least == 0:
            hands[seat], rest = rest[:need], rest[need:]
            continue
        taken = [at for at, rank in enumerate(rest) if VALUES[rank] > least][:need]
        if len(taken) < need:
            return None
        hands[seat] = [rest[at] for at in taken]
        gone = set(taken)
        rest = [rank for at, rank in enumerate(rest) if at not in gone]
    return hands


Tried = tuple[int, tuple[int, ...], int, int]
"""A seat, the ranks and the count it played on, and the points it pegged."""


def _missed_points(view: View) -> list[Tried]:
    """What every other seat that still holds cards played on."""
    tries: list[Tried] = []
    bounds = (0, *view.cleared, len(view.played))
    for began, ended in pairwise(bounds):
        laid: tuple[int, ...] = ()
        count = 0
        for seat, card in view.played[began:ended]:
            rank = card.index >> 2
            if laid and seat != view.seat and view.held[seat]:
                tries.append((seat, laid, count, laid_points(laid, count, rank)))
            laid, count = (*laid, rank), count + VALUES[rank]
    return tries


def _likelihood(hands: Hands, tries: Sequence[Tried]) -> float:
    """How well hands agree with what was laid: seats seldom leave points they could have pegged."""
    weight = 1.0
    for seat, laid, count, pegged in tries:
        for rank in hands[seat]:
            if count + VALUES[rank] <= 31 and laid_points(laid, count, rank) > pegged:
                weight *= SEEN_PAST
                break
    return weight
