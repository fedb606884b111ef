"""The belief about the opponent's type, by Bayes over every act in the earlier deals of a game.

A deal that has been counted shows the opponent's six cards, its discard and each card it played. Every model
of `opponents` gives a probability for these acts. The models ignore the score.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import erf

import numpy as np
from numpy.polynomial.hermite_e import hermegauss

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.pegging.beliefs import Floats, book_frequencies, role_of
from fifteentwo.analysis.pegging.look_ahead import PEOPLE, Opponent
from fifteentwo.analysis.pegging.one_reply import foreseen
from fifteentwo.analysis.pegging.opponents import (
    BEGINNER,
    BOOK,
    CASUAL,
    CLUB,
    DISCARD_NOISE,
    MODELS,
    UNFIT,
    card_class,
    card_comparison,
)
from fifteentwo.analysis.win.counting import VALUES, held_points, played_points
from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.past import replay
from fifteentwo.rules.state import PastDeal, Phase, State
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view
from fifteentwo.strategy.discards import discard_frequencies

DISCARD_WAYS = 15
"""Number of ways to discard two of six cards."""
MIN_PRIOR = 0.005
"""Searches in a deal leave out models of the opponent that are less probable when the deal begins."""

TIE_MARGIN = 1e-9
"""Difference in points below which two discards are equally good."""
_NORMAL_POINTS, _NORMAL_WEIGHTS = hermegauss(48)
"""Points and weights of Gauss quadrature over the standard normal distribution."""
_erf = np.vectorize(erf)


def opponent_belief(seen: View) -> Opponent:
    """Return the belief about the opponent before the first card of this deal."""
    chances = np.array(PEOPLE.prior)
    for deal in seen.past:
        chances = chances * likelihood(deal, seen.rules, seen.seat)
        chances /= chances.sum()
    chances = np.where(chances < MIN_PRIOR, 0.0, chances)
    return Opponent(tuple((chances / chances.sum()).tolist()), PEOPLE.noise)


@lru_cache(maxsize=512)
def likelihood(deal: PastDeal, rules: Rules, seat: int) -> Floats:
    """Return (models,) the probability that each model discards and plays as the opponent of `seat` did."""
    foe, noise = 1 - seat, PEOPLE.noise
    states = replay(deal, rules, seat)
    dealt = next(view(state, foe) for state in states if len(state.hands[foe]) > rules.kept)
    given = tuple([card for card in dealt.hand if card not in deal.kept[foe]])
    discarded = discard_chances(dealt, given)
    found: Floats = ((1 - noise) * discarded + noise / DISCARD_WAYS) * _all_cards_probability(states, foe)
    found.setflags(write=False)
    return found


def discard_chances(dealt: View, given: tuple[Card, ...]) -> Floats:
    """Return (models,) the probability that each model makes the discard `given` from the cards `dealt`."""
    averages = hand_and_crib(dealt)
    ways = list(averages)
    hands, cribs = np.array(list(averages.values())).T
    own = 1.0 if dealt.is_dealer else -1.0
    held = np.array([held_points(way) for way in ways], np.float64)
    fives = np.array([sum(card.rank is Rank.FIVE for card in way) for way in ways])
    kept = [held_points([card for card in dealt.hand if card not in way]) for way in ways]
    way = next(at for at, cards in enumerate(ways) if {*cards} == {*given})
    often = discard_frequencies(dealt.hand, role_of(dealt, dealt.seat))
    best = hands + cribs > (hands + cribs).max() - TIE_MARGIN
    chances = np.zeros(len(MODELS))
    chances[BOOK] = sum([chance for cards, chance in often.items() if {*cards} == {*given}])
    chances[CLUB] = best[way] / best.sum()
    for kind, values in ((CASUAL, hands + own * (held + fives)), (BEGINNER, kept + max(own, 0) * held)):
        chances[kind] = _best_probability((values[way] - np.delete(values, way)) / DISCARD_NOISE[kind])
    return chances


def card_chances(seen: View, rank: int) -> Floats:
    """Return (models,) the probability that each model plays this rank (0–12) from the View's hand."""
    values, in_count = foreseen(seen), tuple([card.index >> 2 for card in seen.in_count])
    others = [card.index >> 2 for card in seen.hand]
    number = others.count(rank)
    others.remove(rank)
    chances = np.zeros(len(MODELS))
    chances[BOOK] = book_frequencies(seen).get(rank, 0.0)
    chances[CLUB] = rank == max(values, key=lambda one: (values[one], one))
    points = {one: played_points(in_count, seen.count, one) for one in values}
    for kind in CASUAL, BEGINNER:
        classes = {one: card_class(kind, pegged, seen.count + VALUES[one]) for one, pegged in points.items()}
        not_preferred, weight = card_comparison(kind)
        over = not_preferred[:, classes[rank], [classes.get(one, UNFIT) for one in others]]
        chances[kind] = number * (weight[:, classes[rank]] @ over.prod(axis=1))
    return chances


def _all_cards_probability(states: Sequence[State], foe: int) -> Floats:
    """Return (models,) the probability, with ε-noise, that each model plays all cards of seat `foe`."""
    chances = np.ones(len(MODELS))
    for state, then in pairwise(states):
        if state.phase is Phase.PLAY and state.turn == foe and len(then.played) > len(state.played):
            seen = view(state, foe)
            number = len({card.index >> 2 for card in seen.playable})
            if number > 1:
                rank = then.played[len(state.played)][1].index >> 2
                chances *= (1 - PEOPLE.noise) * card_chances(seen, rank) + PEOPLE.noise / number
    return chances


def _best_probability(leads: Floats) -> float:
    """Return the probability that a value with these leads stays the highest after standard normal errors."""
    each = 0.5 * (1 + _erf((leads[:, None] + _NORMAL_POINTS) / 2**0.5))
    return float(_NORMAL_WEIGHTS @ each.prod(axis=0) / _NORMAL_WEIGHTS.sum())
