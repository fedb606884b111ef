"""A fast rollout policy for every variant, and the value of deals played by it, many deals at once.

All seats discard by averages; two players also peg the points that they see. Both choices contain a little
noise, so that rollouts of one deal differ. Three and four sides peg at random with the distribution of club
players. Only arrays are used: numba changes nothing. Seats and sides are counted from the dealer's left, the
dealer last.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.discards.kept_hands import powers, ways_by_averages
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win import race
from fifteentwo.fast import plays
from fifteentwo.fast.counting_out import after_show
from fifteentwo.fast.counting_out import pegged as scored
from fifteentwo.fast.discards import kept_sums, ways
from fifteentwo.fast.layout import JACK, VALUES, Cards
from fifteentwo.fast.play import COUNT, HELD, LAST, PLAYED, TURN, WIDTH, playable
from fifteentwo.fast.plays import Plays
from fifteentwo.fast.show import points
from fifteentwo.rules.variants import Rules, Variant
from fifteentwo.strategy.board import pays
from fifteentwo.strategy.means import averages, points_made

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PONE, DEALER = 0, 1
NOISE_POINTS = 0.5
"""Noise in choices: standard deviation for a discard, maximum for a card, in points. Chosen, not measured."""
HEELS_POINTS = 2

_COUNT_RISK = np.isin(np.arange(42), (5, 21)).astype(np.int64)
"""Cost in points, by count, of leaving 5 or 21 to the other side."""


class Hands(NamedTuple):
    """The cards (0–51) of n deals after the discards."""

    kept: Cards
    """(n, seats, 3 or 4) kept hands, ascending."""
    crib: Cards
    """(n, 4) cards of the crib."""
    starters: Cards
    """(n,) starter of each deal."""


def discard(rules: Rules, dealt: Cards, noise: Floats) -> Hands:
    """Return n deals after every seat has made the discard of highest mean points, with a little noise.

    dealt: (n, cards) cards of each seat, cards dealt directly to the crib, starter. noise: (n, seats,
    ways) random numbers from the standard normal distribution.
    """
    size = rules.seats * rules.dealt
    hands = np.sort(dealt[:, :size].reshape(-1, rules.seats, rules.dealt), axis=2)
    gone, stays = ways(rules.dealt, rules.discards)
    kept, given = [], [dealt[:, size:-1]]
    each = np.arange(len(dealt))[:, None]
    for seat in range(rules.seats):
        held = hands[:, seat]
        net = _discard_means(rules, held, seat % rules.sides == rules.sides - 1)
        way = (net + NOISE_POINTS * noise[:, seat]).argmax(axis=1)
        kept.append(held[each, stays[way]])
        given.append(held[each, gone[way]])
    return Hands(np.stack(kept, axis=1), np.concatenate(given, axis=1), dealt[:, -1])


def _discard_means(rules: Rules, held: Cards, own_crib: bool) -> Floats:
    """Return (n, ways) mean points by discard: hand plus own crib, or less the other side's."""
    if rules.variant is not Variant.SIX_CARD:
        known = ways_by_averages(rules.variant, own_crib)
        means: Floats = known.means[known.class_of[(held >> 2).astype(np.int64) @ powers(rules.dealt)]]
        return means
    chart = averages().own if own_crib else -averages().opponents
    discarded = held[:, ways(6, 2)[0]]
    low, high = (discarded[..., place].astype(np.int64) >> 2 for place in (0, 1))
    one_suit = (discarded[..., 0] ^ discarded[..., 1]) & 3 == 0
    net: Floats = kept_sums(held) / 46 + np.where(one_suit, chart[low, high], chart[high, low])
    return net


def pegged(rules: Rules, kept: Cards, noise: Floats) -> Ints:
    """Return the points pegged in n deals: (n, sides), but for two players (n, moves) in order of play.

    With two players points are positive for the dealer and negative for the pone. They play the card that
    pegs most and avoid leaving counts of 5 and 21. kept: (n, seats, cards). noise: random numbers from 0 to
    1, of the same shape: for two players the noise in the value of each card.
    """
    if rules.seats > 2:
        return _random_pegging(rules, noise)
    number, cards = len(kept), kept.shape[2]
    ranks, held = (kept >> 2).astype(np.int64), np.ones(kept.shape, np.bool_)
    public = np.zeros((number, WIDTH), np.int64)
    public[:, HELD : HELD + 2] = cards
    public[:, LAST] = DEALER
    going, rows = Plays(public, np.zeros((number, 9), np.int64)), np.arange(number)
    moves = []
    while len(rows):
        turn, last = going.public[:, TURN], going.public[:, LAST]
        places = _choose_cards(going, ranks[rows, turn], held[rows, turn], NOISE_POINTS * noise[rows, turn])
        playing, goes = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        ranks_played = ranks[rows[playing], turn[playing], places[playing]]
        held[rows[playing], turn[playing], places[playing]] = False
        made = plays.points(plays.of(going, playing), ranks_played[:, None])[:, 0]
        played, gone = plays.play_rank(going, playing, ranks_played), plays.go(going, goes)
        done = played.public[:, PLAYED] == 2 * cards
        counted_out = gone.public[:, COUNT] == 0
        move, ending = np.zeros((2, number), np.int64)
        move[rows[playing]] = _signed(turn[playing], made)
        move[rows[goes]] = _signed(last[goes], counted_out)
        # The point for last card, unless the count is 31.
        ending[rows[playing]] = _signed(turn[playing], done & (played.public[:, COUNT] > 0))
        moves += [move, ending]
        # Pegging ends with the first count (R102).
        on = ~done & ~(rules.one_count & (played.public[:, COUNT] == 0)), ~(rules.one_count & counted_out)
        rows = np.concatenate([rows[playing[on[0]]], rows[goes[on[1]]]])
        going = Plays(*(np.concatenate([a[on[0]], b[on[1]]]) for a, b in zip(played, gone, strict=True)))
    return np.stack(moves, axis=1)


def _random_pegging(rules: Rules, noise: Floats) -> Ints:
    """Return (n, sides) pegging points drawn from the distribution of club players."""
    # The distribution includes heels, which also count separately: 0.15 points in every compared deal.
    dealers, *others = points_made(rules.variant).pegging
    sides = [
        np.searchsorted(often[:-1].cumsum(), noise[:, side, 0], side="right")
        for side, often in enumerate([*others, dealers])
    ]
    return np.stack(sides, axis=1)


def _signed(side: Ints, made: npt.NDArray[Any]) -> Ints:
    """Return points with the sign of the side that made them: positive for the dealer."""
    signed: Ints = np.where(side == DEALER, 1, -1) * made
    return signed


def _choose_cards(going: Plays, ranks: Ints, held: npt.NDArray[np.bool_], likes: Floats) -> Ints:
    """Return (n,) index in the hand of the card that the side on turn plays, -1 for a go. likes: noise."""
    fits = held & playable(going.public[:, COUNT, None], VALUES[ranks])
    count = going.public[:, COUNT, None] + VALUES[ranks]
    seems = np.where(fits, plays.points(going, ranks) - _COUNT_RISK[count] + likes, -np.inf)
    return np.where(fits.any(axis=1), seems.argmax(axis=1), -1)


def show_points(hands: Hands) -> Ints:
    """Return (n, 2 + seats) points outside pegging: heels, each hand, the crib."""
    heels = HEELS_POINTS * (hands.starters >> 2 == JACK)
    seats = [points(hands.kept[:, seat], hands.starters) for seat in range(hands.kept.shape[1])]
    crib = points(hands.crib, hands.starters, crib=True)
    return np.stack([heels, *seats, crib], axis=-1).astype(np.int64)


def chances_at_deal(rules: Rules, scores: Ints) -> Floats:
    """Return (n, sides) win probabilities before a deal. scores: (n, sides), all below the target."""
    if rules.seats > 2:
        # Sides of the race begin with the dealer's.
        return np.roll(race.chances_at_deal(rules, np.roll(rules.target - scores, 1, axis=1)), -1, axis=1)
    value = win.after_deal(win.race_of(rules), False, False)[scores[:, DEALER], scores[:, PONE]]
    return np.stack([(1 - value) / 2, (1 + value) / 2], axis=1)


def chances(rules: Rules, scores: Ints, pegs: Ints, shows: Ints) -> Floats:
    """Return (n, sides) win probabilities after deals with these points (`pegged`, `show_points`)."""
    if rules.seats > 2:
        needs = race.Needs(rules.target - scores)
        needs.score(rules.sides - 1, shows[:, 0])
        needs.score_together(pegs)
        for seat in range(rules.seats):
            needs.score(seat % rules.sides, shows[:, 1 + seat])
        needs.score(rules.sides - 1, shows[:, -1])
        won, going = needs.won, needs.undecided
        if going.any():
            # The seat on the dealer's left deals next.
            won[going] = race.chances_at_deal(rules, needs.needs[going])
        return won
    dealer = dealer_chances(rules, scores, pegs, shows)
    return np.stack([1 - dealer, dealer], axis=1)


def dealer_chances(rules: Rules, scores: Ints, pegs: Ints, shows: Ints) -> Floats:
    """Return (n,) win probabilities of the dealer after n deals of two players; as `chances`."""
    payoff = win.race_of(rules)
    target = len(pays(payoff, False))
    heels, pones, dealers, cribs = shows.T
    pone = scores[:, PONE]
    dealer = scored(scores[:, DEALER], pone, heels, target)
    for move in pegs.T:
        pone, dealer = (
            scored(pone, dealer, np.maximum(-move, 0), target),
            scored(dealer, pone, np.maximum(move, 0), target),
        )
    pone, dealer = after_show(pone, dealer, pones, dealers, cribs, target)
    chance: Floats = (1 + win.after_deal(payoff, True, False)[dealer, pone]) / 2
    return chance
