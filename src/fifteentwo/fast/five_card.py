"""The single count of five-card cribbage (R102) by the fast rules: three ranks a side, 0–12, the pone leads.

Each side chooses at most two cards; the last is forced.
"""

from typing import Any

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import LIMIT, card_points, playable, value_of


@kernel
def fitting(count: int) -> int:
    """Return how many ranks fit on a count; they are the lowest ranks."""
    return 13 if count <= LIMIT - 10 else LIMIT - count


@kernel
def pair_place(low: int, high: int, ranks: int) -> int:
    """Return the index of two different ranks among all pairs of the lowest `ranks` ranks."""
    return low * (2 * ranks - low - 1) // 2 + high - low - 1


@kernel
def end_of_count(pile: Any, end: int, pone: int, dealer: int, latest: int) -> tuple[int, int, int]:
    """Play the last card of each side if it fits, the pone first; return points. `pile` is written.

    end: number of cards in `pile`, all of this count. pone, dealer: ranks, -1 for no card. latest: 1 if the
    pone played the last card of the pile, -1 if the dealer did. Return the points of the pone's card, of the
    dealer's card, and for last card: 1 for the pone, -1 for the dealer, 0 at 31.
    """
    count, by_pone, by_dealer = 0, 0, 0
    for at in range(end):
        count += value_of(pile[at])
    if pone >= 0 and count < LIMIT and playable(count, value_of(pone)):
        pile[end] = pone
        end += 1
        count += value_of(pone)
        by_pone = card_points(pile, 0, end, count)
        latest = 1
    if dealer >= 0 and count < LIMIT and playable(count, value_of(dealer)):
        pile[end] = dealer
        end += 1
        count += value_of(dealer)
        by_dealer = card_points(pile, 0, end, count)
        latest = -1
    return by_pone, by_dealer, latest if count < LIMIT else 0


@kernel
def after_third(pile: Any, count: int, third: int, dealer_last: int, pone_last: int) -> int:
    """Return the pone's net points from the dealer's second card, `third`, on, with the given last ranks."""
    pile[3] = third
    by_pone, by_dealer, last_card = end_of_count(pile, 4, pone_last, dealer_last, -1)
    return by_pone - by_dealer + last_card - card_points(pile, 0, 4, count + value_of(third))


@kernel
def after_go(pile: Any, pone_last: int) -> int:
    """Return the pone's points if the dealer says go after three cards; pone_last: the pone's last rank."""
    by_pone, _, last_card = end_of_count(pile, 3, pone_last, -1, 1)
    return by_pone + last_card
