"""The belief about the opponent's type, by Bayes over every act in the earlier deals of a game.

A deal that has been counted shows the opponent's six cards, its discard and each card it played. Each model
of `opponents` gives a probability for these acts. The models ignore the score.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import erf

import numpy as np
from numpy.polynomial.hermite_e import hermegauss

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.pegging.beliefs import Floats, believe, history, role_of
from fifteentwo.analysis.pegging.look_ahead import PEOPLE, PILE, Opponent, opponent_types
from fifteentwo.analysis.pegging.one_reply import foreseen
from fifteentwo.analysis.pegging.opponents import BEGINNER, BOOK, CASUAL, CLUB, DISCARD_NOISE, MODELS
from fifteentwo.analysis.win.counting import held_points
from fifteentwo.fast.hands import place
from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.past import replay
from fifteentwo.rules.state import PastDeal, Phase, State
from fifteentwo.rules.variants import Rules
from fifteentwo.rules.view import View, view
from fifteentwo.strategy.discards import discard_frequencies
from fifteentwo.strategy.pegging import follow, starting

DISCARDS = 15
"""Number of ways to discard two of six cards."""
MIN_PRIOR = 0.005
"""Models with a lower belief before a deal are left out of its searches."""

TIE_MARGIN = 1e-9
"""Discards whose values differ by less, in points, are ties."""


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
    """Return (models,) each model's probability of the opponent's discard and cards, in about 5 ms.

    The level `club` is deterministic. Its cards are computed from its own View, with its discard and suits.
    """
    foe, noise = 1 - seat, PEOPLE.noise
    states = replay(deal, rules, seat)
    dealt = next(view(state, foe) for state in states if len(state.hands[foe]) > rules.kept)
    given = tuple([card for card in dealt.hand if card not in deal.kept[foe]])
    discarded = discard_chances(dealt, given)
    played = _played(deal, foe, place(4)[_ranks(deal.kept[foe])])
    played[CLUB] = _played_by_club(states, foe)
    found: Floats = ((1 - noise) * discarded + noise / DISCARDS) * played
    found.setflags(write=False)
    return found


def discard_chances(dealt: View, given: tuple[Card, ...]) -> Floats:
    """Return (models,) each model's probability of this discard."""
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
        chances[kind] = _best_with_noise((values[way] - np.delete(values, way)) / DISCARD_NOISE[kind])
    return chances


def _best_with_noise(ahead: Floats) -> float:
    """Return the probability that a value is the highest after normal errors with standard deviation 1.

    ahead: the value less each other value.
    """
    points, weights = hermegauss(48)
    each = 0.5 * (1 + np.vectorize(erf)((ahead[:, None] + points) / 2**0.5))
    return float(weights @ each.prod(axis=0) / weights.sum())


def _played_by_club(states: Sequence[State], foe: int) -> float:
    """Return the probability that `club` plays the cards of a seat, with ε-noise."""
    chance = 1.0
    for state, then in pairwise(states):
        if state.phase is Phase.PLAY and state.turn == foe and len(then.played) > len(state.played):
            seen = view(state, foe)
            ranks = {card.index >> 2 for card in seen.playable}
            if len(ranks) > 1:
                by_rank = foreseen(seen)
                best = max(by_rank, key=lambda rank: (by_rank[rank], rank))
                hit = then.played[len(state.played)][1].index >> 2 == best
                chance *= (1 - PEOPLE.noise) * hit + PEOPLE.noise / len(ranks)
    return chance


def _ranks(cards: tuple[Card, ...] | list[Card]) -> tuple[int, ...]:
    return tuple(sorted(card.index >> 2 for card in cards))


def _played(deal: PastDeal, foe: int, kept: int) -> Floats:
    """Return (models,) each model's probability of the first three cards; the last card is forced."""
    acts, role = history(deal), role_of(deal, foe)
    theirs = [at for at, (who, rank) in enumerate(acts) if who == role and rank is not None]
    acts = acts[: theirs[2] + 1]
    side = int(role == "dealer")
    numbers = [(int(who == "dealer"), -1 if rank is None else rank - 1) for who, rank in acts]
    belief = np.zeros((len(MODELS), 1820))
    belief[:, kept] = 1.0
    types = opponent_types(deal.starter.index >> 2, PEOPLE.noise, MODELS)
    pile = np.zeros(PILE, np.int64)
    size = believe(np.array(numbers), follow(acts).turn, 1 - side, belief, types, starting(), pile)
    assert size == 1
    chances: Floats = belief[:, :13].sum(axis=1)
    return chances
