"""The one count of five-card cribbage (R102) by the fast rules: three ranks a side, 0–12, the pone leads.

Each side plays at most two cards of its choice; the last is forced.
"""

from typing import Any

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import LIMIT, card_points, playable, value_of


@kernel
def fitting(count: int) -> int:
    """How many ranks fit on a count: the lowest so many."""
    return 13 if count <= LIMIT - 10 else LIMIT - count


@kernel
def pair_place(low: int, high: int, ranks: int) -> int:
    """The place of two different ranks among all pairs of the lowest so many."""
    return low * (2 * ranks - low - 1) // 2 + high - low - 1


@kernel
def end_of_count(pile: Any, count: int, pone: int, dealer: int) -> int:
    """Net points of the pone once each side has one card, the pone on turn after four; `pile` is written."""
    end, net, last = 4, 0, -1
    if count < LIMIT and playable(count, value_of(pone)):
        pile[end] = pone
        end += 1
        count += value_of(pone)
        net += card_points(pile, 0, end, count)
        last = 1
    if count < LIMIT and playable(count, value_of(dealer)):
        pile[end] = dealer
        end += 1
        count += value_of(dealer)
        net -= card_points(pile, 0, end, count)
        last = -1
    return net + last if count < LIMIT else net


@kernel
def after_third(pile: Any, count: int, third: int, stays: int, last: int) -> int:
    """Net points of the pone from the dealer's second card on, the last two known; `pile` is written."""
    pile[3] = third
    total = count + value_of(third)
    return end_of_count(pile, total, last, stays) - card_points(pile, 0, 4, total)


@kernel
def after_go(pile: Any, count: int, last: int) -> int:
    """Points of the pone where the dealer has to go after three cards; `pile` is written."""
    if not playable(count, value_of(last)):
        return 1
    pile[3] = last
    total = count + value_of(last)
    return card_points(pile, 0, 4, total) + (1 if total < LIMIT else 0)
