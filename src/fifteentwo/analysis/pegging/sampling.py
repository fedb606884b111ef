"""Hands others may hold, drawn by what they played and their goes.

Ranks here are 0 (ace) to 12 (king).
"""

import random
from collections.abc import Sequence
from itertools import pairwise

from fifteentwo.analysis.counting import VALUES, played_points
from fifteentwo.analysis.pegging.one_reply import unseen
from fifteentwo.fast.play import playable
from fifteentwo.rules.goes import above
from fifteentwo.rules.view import View

Hands = list[list[int]]
"""Ranks held by each seat."""

SEEN_PAST = 0.35
"""The probability that a seat passes over points it could peg, for a better plan. Chosen, not measured."""


def sample(view: View, number: int, luck: random.Random) -> list[Hands]:
    """Hands the others may hold, likelier ones more often; this seat's own place is left empty.

    Where a card played bears on them, draws three times as many and picks by how well they agree
    with it. Gives fewer where drawing fails, as it may when goes leave few cards to choose from.
    """
    pool = [card.index >> 2 for card in unseen(view)]
    bounds = above(view)
    seats = [seat for seat in range(view.rules.seats) if seat != view.seat and view.held[seat]]
    # The most limited draws first, or the cards it needs may be gone.
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
        played: tuple[int, ...] = ()
        count = 0
        for seat, card in view.played[began:ended]:
            rank = card.index >> 2
            if played and seat != view.seat and view.held[seat]:
                tries.append((seat, played, count, played_points(played, count, rank)))
            played, count = (*played, rank), count + VALUES[rank]
    return tries


def _likelihood(hands: Hands, tries: Sequence[Tried]) -> float:
    """How well hands agree with what was played: seats seldom leave points they could have pegged."""
    weight = 1.0
    for seat, played, count, pegged in tries:
        for rank in hands[seat]:
            if playable(count, VALUES[rank]) and played_points(played, count, rank) > pegged:
                weight *= SEEN_PAST
                break
    return weight
