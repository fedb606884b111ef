"""Probabilities with which the five-card solution plays each card, in any position of a game for two.

After an own card that the solution never plays from this hand, the card is the best response to the other
side, which discards and plays by the table with a little noise.
"""

from collections.abc import Sequence
from functools import cache
from math import factorial, perm

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.pegging.possible_play import check_play
from fifteentwo.fast.five_card import after_go, after_third, fitting, pair_place
from fifteentwo.fast.hands import PAIRS, UP2, UP3, copies
from fifteentwo.fast.play import card_points, value_of
from fifteentwo.rules.view import View
from fifteentwo.strategy import five_card
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.pegging import ImpossiblePlay

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NOISE = 0.001
"""ε-noise that a best response assumes in the discards and cards of the other side."""
_ORDERED_DRAWS = np.array([[perm(m, n) if n <= m else 0 for n in range(6)] for m in range(5)], np.float64)
"""(5, 6) ordered ways to draw n of m cards."""


def play_frequencies(view: View) -> dict[int, float]:
    """Return by playable rank (0–12) the probability that the five-card solution plays it in this View.

    Raise ImpossiblePlay or DamagedTable. At most 10 ms, 30 for a best response.
    """
    check_play(view)
    assert view.starter is not None
    able = sorted({card.index >> 2 for card in view.playable})
    if len(able) == 1:
        return {able[0]: 1.0}
    # If a choice is left, no side has said go, so the sides have alternated.
    seats = [1 - view.dealer, view.dealer, 1 - view.dealer, view.dealer][: len(view.played) + 1]
    if [*(seat for seat, _ in view.played), view.seat] != seats:
        raise ImpossiblePlay("These cards were not played in turn from the pone on.")
    kept, discarded = ([card.index >> 2 for card in cards] for cards in (view.kept, view.discarded))
    played, starter = [card.index >> 2 for _, card in view.played], view.starter.index >> 2
    often = five_card.card_frequencies(kept, discarded, starter, played)
    if often is not None:
        return {rank: chance for rank, chance in often.items() if rank in able}
    hidden = np.bincount(
        [starter, *played, *discarded, *(card.index >> 2 for card in view.hand)], minlength=13
    )
    respond = _second_card_values if len(played) == 2 else _third_card_values
    values = respond(able, played, starter, 4 - hidden)
    return {rank: float(rank == max(able, key=lambda each: values[each])) for rank in able}


def _second_card_values(
    able: Sequence[int], played: Sequence[int], starter: int, left: Ints
) -> dict[int, float]:
    """Return net points by the pone's second card, summed over the dealer's possible hands."""
    lead, reply = played
    reached = _weight_per_order("dealer")[UP3[reply]] * (five_card.first_cards(starter, lead)[reply] + NOISE)
    reached *= _ordered_ways(copies(2)[:, None] + copies(2), left)
    values = {}
    for second, stays in (able, able[::-1]):
        pile = [lead, reply, second, 0, 0, 0]
        count = sum(map(value_of, pile[:3]))
        ranks = fitting(count)
        lower = five_card.second_cards(starter, pile[:3])
        net = np.zeros((len(PAIRS), five_card.PILES))
        for at, (low, high) in enumerate(PAIRS.tolist()):
            if low >= ranks:
                net[at] = after_go(pile, stays)
                continue
            net[at] = after_third(pile, count, low, high, stays)
            if low < high < ranks:
                chance = lower[pair_place(low, high, ranks)]
                net[at] += (1 - chance) * (after_third(pile, count, high, low, stays) - net[at])
        values[second] = float((reached * (net + card_points(pile, 0, 3, count))).sum())
    return values


def _third_card_values(
    able: Sequence[int], played: Sequence[int], starter: int, left: Ints
) -> dict[int, float]:
    """Return net points by the dealer's second card, summed over the pone's possible hands."""
    lead, reply, second = played
    rests = UP2[second]
    reached = _weight_per_order("pone")[UP3[lead][rests]] * (
        five_card.first_cards(starter)[lead][rests] + NOISE
    )
    lower = five_card.second_cards(starter, (lead, reply))
    for last in {*range(13)} - {second}:
        chance = lower[pair_place(min(second, last), max(second, last), 13)]
        reached[last] *= (chance if second < last else 1 - chance) + NOISE
    reached *= _ordered_ways(copies(1)[:, None] + copies(2), left)
    by_last = reached.sum(axis=1)
    pile = [*played, 0, 0, 0]
    count = sum(map(value_of, played))
    return {
        third: -float(sum(by_last[last] * after_third(pile, count, third, stays, last) for last in range(13)))
        for third, stays in (able, able[::-1])
    }


@cache
def _weight_per_order(role: Role) -> Doubles:
    """Return (455, 91) probabilities of a role's kept and discarded ranks, divided by their orders."""
    orders = np.array([factorial(n) for n in range(6)])[copies(3)[:, None] + copies(2)].prod(axis=2)
    return np.asarray((five_card.fractions(role) + NOISE) / orders)


def _ordered_ways(held: Ints, left: Ints) -> Doubles:
    """Return ordered ways to draw `held` (…, 13) cards of each rank from the `left` (13,) unseen ones."""
    return np.asarray(np.prod([_ORDERED_DRAWS[left[rank]][held[..., rank]] for rank in range(13)], axis=0))
