"""The first dealer, and partners, by cards drawn (R24–R29, C13).

A seat's draws are compared in order, so a second card only decides between seats that tied on the first.
"""

from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.variants import FirstDealer, Rules

Drawn = tuple[tuple[Card, ...], ...]
"""Cards drawn by each seat, in order of the draws."""


def tied_seats(rules: Rules, drawn: Drawn) -> tuple[int, ...]:
    """Return the seats that must draw again: tied for the deal, or for a place between the pairs (R27)."""
    ranks = [_ranks_of(cards) for cards in drawn]
    best = _dealing_ranks(rules, ranks)
    again = {seat for seat, own in enumerate(ranks) if own == best and ranks.count(own) > 1}
    if rules.partners_by_draw:
        second, third = sorted(ranks, reverse=True)[1:3]
        if second == third:
            again |= {seat for seat, own in enumerate(ranks) if own == second}
    return tuple(sorted(again))


def dealer(rules: Rules, drawn: Drawn) -> int:
    """Return the seat with the lowest or the highest draw, as the rules say (R25)."""
    ranks = [_ranks_of(cards) for cards in drawn]
    return ranks.index(_dealing_ranks(rules, ranks))


def seating(drawn: Drawn) -> tuple[int, ...]:
    """Return new seats in which the two highest draws are opposite each other; seat 0 stays (R29, R110)."""
    order = sorted(range(4), key=lambda seat: _ranks_of(drawn[seat]), reverse=True)
    own_pair = order[:2] if 0 in order[:2] else order[2:]
    partner = next(seat for seat in own_pair if seat != 0)
    left, right = sorted(seat for seat in range(4) if seat not in own_pair)
    return (0, left, partner, right)


def _ranks_of(cards: tuple[Card, ...]) -> tuple[Rank, ...]:
    return tuple(card.rank for card in cards)


def _dealing_ranks(rules: Rules, ranks: list[tuple[Rank, ...]]) -> tuple[Rank, ...]:
    return max(ranks) if rules.first_dealer is FirstDealer.HIGH else min(ranks)
