"""What a card of the play is worth for two with six cards: the other's cards, reply, an answer, the show.

Beliefs are Bayes' from what the equilibrium keeps and lays (`beliefs`); then the other's reply by the solved
book, this seat's best answer, the rest of the play as it comes over all hands, the show in its order (`win`).
One reply deep: near the game hole that is what matters, far from it the equilibrium itself knows better.
"""

from collections.abc import Callable

import numpy as np

from fifteentwo.analysis import win
from fifteentwo.analysis.beliefs import Floats, believed, role_of, shares
from fifteentwo.analysis.counting import VALUES, laid_points, points_by_starter, ranks_of
from fifteentwo.analysis.one_reply import alone
from fifteentwo.analysis.possible_play import check_play_of_two
from fifteentwo.book.play import Laid, PeggingBook, follow
from fifteentwo.book.play_points import SPAN
from fifteentwo.fast.hands import hands
from fifteentwo.rules import show
from fifteentwo.rules.view import View

Ranks = tuple[int, ...]
"""Ranks 0 (ace) to 12 (king)."""
Valued = Callable[[int, int, int], float]
"""Valued of own and other's score after so many cards of the play."""


def points_ahead(view: View, book: PeggingBook) -> dict[int, float]:
    """The value of each rank that fits, in points: own less the other's, from now to the end of the play."""
    acts = check_play_of_two(view)
    dealer = view.is_dealer
    lead = view.front[view.side] - view.front[1 - view.side]

    def value(own: int, other: int, laid: int) -> float:
        laid = min(laid, 8)
        coming = win.to_come(laid, dealer=dealer) - win.to_come(laid, dealer=not dealer)
        return own - other - lead + coming

    return _each(view, acts, book, believed(view, acts, book), value)


def chances_ahead(view: View, book: PeggingBook, *, games: bool) -> dict[int, float]:
    """The value of each rank that fits: -1 a sure loss, 1 a sure win; `games`: times what skunks pay."""
    acts = check_play_of_two(view)
    weights = believed(view, acts, book)
    start = (view.front[view.side], view.front[1 - view.side])
    shown = _show(view, weights, games=games)
    leaves: dict[int, Floats] = {}

    def value(own: int, other: int, laid: int) -> float:
        laid = min(laid, 8)
        if laid not in leaves:
            leaves[laid] = win.in_play(shown, laid, start, view.rules.target, dealer=view.is_dealer)
        last = SPAN - 1
        return float(leaves[laid][min(own - start[0], last), min(other - start[1], last)])

    return _each(view, acts, book, weights, value)


def _each(
    view: View, acts: tuple[Laid, ...], book: PeggingBook, weights: Floats, value: Valued
) -> dict[int, float]:
    hand = ranks_of(view.hand)
    values = {}
    for rank in sorted(set(hand)):
        if view.count + VALUES[rank] <= 31:
            rest = list(hand)
            rest.remove(rank)
            values[rank] = _card(view, acts, book, weights, rank, tuple(rest), value)
    return values


def _card(
    view: View,
    acts: tuple[Laid, ...],
    book: PeggingBook,
    weights: Floats,
    rank: int,
    rest: Ranks,
    value: Valued,
) -> float:
    """Valued of laying this rank: every reply by its chance, and this seat's best answer to it."""
    laid = tuple(card.index >> 2 for card in view.laid)
    own = view.front[view.side] + laid_points(laid, view.count, rank)
    other = view.front[1 - view.side]
    laid, count, number = (*laid, rank), view.count + VALUES[rank], len(view.played) + 1
    if own >= view.rules.target or count == 31:
        return value(own, other, number)
    foe = 1 - view.seat
    if not view.held[foe] or foe in view.gone:
        return value(own + alone(laid, count, rest), other, number + 1)
    here = follow((*acts, (role_of(view, view.seat), rank + 1)), role_of(view, foe))
    chances = weights @ shares(book, here)
    total = 0.0
    for their in np.flatnonzero(chances > 1e-6).tolist():
        after = other + laid_points(laid, count, their)
        answer = _answer((*laid, their), count + VALUES[their], rest) if after < view.rules.target else 0
        total += float(chances[their]) * value(own + answer, after, number + 1 + (answer > 0))
    silent = 1 - float(chances.sum())
    if silent > 1e-6:
        total += silent * value(own + alone(laid, count, rest), other, number + 1)
    return total


def _answer(laid: Ranks, count: int, hand: Ranks) -> int:
    """The most points a hand can peg on these cards now."""
    return max((laid_points(laid, count, rank) for rank in hand if count + VALUES[rank] <= 31), default=0)


def _show(view: View, weights: Floats, *, games: bool) -> Floats:
    """Values once the play is over, from beliefs about the other's hand and the crib."""
    assert view.starter is not None
    starter = view.starter.index >> 2
    foe = 1 - view.seat
    laid = [card.index >> 2 for seat, card in view.played if seat == foe]
    points = np.zeros(30)
    if view.held[foe]:
        for held, weight in zip(hands(view.held[foe]), weights, strict=True):
            if weight > 1e-5:
                points[points_by_starter(tuple(sorted((*held, *laid))))[starter]] += weight
    else:
        points[points_by_starter(tuple(sorted(laid)))[starter]] = 1
    rules, dealer = view.rules, view.is_dealer
    crib = win.crib_chances(view.laid_away, role_of(view, foe), view.starter, win.unseen_by(view))
    over = win.after_deal(win.payoff_of(rules), dealer, games)
    hand = show.points(view.kept, view.starter)
    return win.after_play(over, hand, points / points.sum(), crib, rules.target, dealer=dealer)
