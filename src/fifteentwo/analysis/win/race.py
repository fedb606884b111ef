"""Win probability by the score, for three and four players: variants that are not solved.

A game is a race: in every deal all sides peg, then the hands are counted from the dealer's left, then the
crib, and the first side at the target wins (R78, R91). Points of each step are drawn from their distribution
between club players (`strategy.means.points_made`), independently of the other steps.

Sides are counted from the dealer's side, which is 0; side 1 sits on its left.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.win.counting import mean_points, ranks_of, unseen
from fifteentwo.fast import show
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import Rules, Variant, rules_for
from fifteentwo.rules.view import View
from fifteentwo.strategy.means import mean_crib, mean_pegging, points_made

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_NEEDED = 121
"""Most points that a side can need."""
MAX_DEALS = 40
"""Number of deals after which every game has ended."""
MIN_REACHED = 1e-4
"""Steps of the race that are reached with a lower probability are left out."""
_BASE_13 = 13 ** np.arange(4, -1, -1)


class Step(NamedTuple):
    """Points that are counted at one moment of a deal."""

    side: int
    """Side that counts, 0 for the dealer's; -1 for pegging, in which every side counts."""
    probabilities: tuple[Floats, ...]
    """Probabilities of 0, 1, … points for that side, or for every side in order."""


@cache
def deal_steps(variant: Variant) -> tuple[Step, ...]:
    """Return how points are counted in a deal: pegging with heels, hands from the dealer's left, crib."""
    rules, made = rules_for(variant), points_made(variant)
    hands = [Step(place % rules.sides, (often,)) for place, often in enumerate(made.hands, start=1)]
    return (Step(-1, made.pegging), *hands, Step(0, (made.crib,)))


def still_open(first: Sequence[Step], then: Sequence[Step], sides: int) -> Floats:
    """Return (sides, points needed, steps) probabilities that a side still has fewer points after a step.

    The last two axes begin at 0. first: remaining steps of this deal; then: steps of each later deal, which
    the next side deals.
    """
    steps = [(step, 0) for step in first] + [(step, deal) for deal in range(1, MAX_DEALS) for step in then]
    made = np.zeros((sides, MAX_NEEDED))
    made[:, 0] = 1
    open_after = [np.ones((sides, MAX_NEEDED))]
    for step, deal in steps:
        made = made.copy()
        for side in range(sides):
            # Side 1 of this deal deals next.
            now = (side - deal) % sides
            if step.side in (-1, now):
                often = step.probabilities[now if step.side == -1 else 0]
                made[side] = np.convolve(made[side], often)[:MAX_NEEDED]
        open_after.append(made)
    likely = np.array([np.zeros((sides, MAX_NEEDED)), *open_after[1:]]).cumsum(axis=2)
    likely[0] = 1
    whole = np.concatenate([np.zeros((len(likely), sides, 1)), likely], axis=2)
    return np.ascontiguousarray(whole.transpose(1, 2, 0))


@cache
def _races(variant: Variant, *, crib_only: bool) -> Floats:
    """Return `still_open` from the beginning of a deal, or from before its crib."""
    steps = deal_steps(variant)
    return still_open(steps[-1:] if crib_only else steps, steps, rules_for(variant).sides)


def chances(open_still: Floats, needs: Ints, side: int) -> Floats:
    """Return (n,) win probabilities of a side. open_still: as from `still_open`; needs: (n, sides) points."""
    reached = np.array([open_still[other, need] for other, need in enumerate(needs.max(axis=0))])
    last = int((np.sort(reached, axis=0)[0] > MIN_REACHED).sum()) + 1
    own = open_still[side, :, :last][needs[:, side]]
    chance = own[:, :-1] - own[:, 1:]
    for other in range(needs.shape[1]):
        if other != side:
            theirs = open_still[other, :, :last][needs[:, other]]
            # Sides that reach the target in the same step win equally often.
            chance *= (theirs[:, :-1] + theirs[:, 1:]) / 2
    total: Floats = chance.sum(axis=1)
    return total


def chances_at_deal(rules: Rules, needs: Ints) -> Floats:
    """Return (n, sides) win probabilities before a deal. needs: (n, sides), the dealer's side first."""
    races = _races(rules.variant, crib_only=False)
    return np.stack([chances(races, needs, side) for side in range(rules.sides)], axis=1)


class Needs:
    """Points that the sides of n games need to win, updated as they count, and which side won first (R91)."""

    def __init__(self, needs: Ints) -> None:
        self.needs = needs.copy()
        self.won = np.zeros(needs.shape)
        """(n, sides) 1 for the winning side; sides that reach the target together share the 1 equally."""
        self._record_winners()

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """(n,) whether no side has won yet."""
        undecided: NDArray[np.bool_] = self.won.sum(axis=1) == 0
        return undecided

    def score(self, side: int, points: Ints) -> None:
        """Give a side points, (n,) one number for each game."""
        self.needs[:, side] -= points
        self._record_winners()

    def score_together(self, points: Ints) -> None:
        """Give all sides points at the same time, (n, sides)."""
        self.needs -= points
        self._record_winners()

    def _record_winners(self) -> None:
        there = self.needs <= 0
        first = np.flatnonzero(there.any(axis=1) & self.undecided)
        self.won[first] = there[first] / there[first].sum(axis=1, keepdims=True)


class ChanceAfterPegging:
    """Win probability of the View's side by the points pegged: a `playouts.AfterPegging` function."""

    def __init__(self, view: View) -> None:
        assert view.starter is not None
        self._rules, self._dealer, self._starter = view.rules, view.dealer, view.starter.index >> 2
        self._own, self._seat = (view.seat - view.dealer) % view.rules.sides, view.seat
        self._needs = view.rules.target - np.array(view.front, np.int64)
        self._own_points = int(mean_points([view.kept], [view.starter])[0])

    def __call__(self, kept: Ints, pegged: Ints) -> Floats:
        """Return (n, cards) win probabilities. kept: (n, seats, 13) hands; pegged: (n, cards, sides)."""
        rules = self._rules
        still = (self._needs - pegged).reshape(-1, rules.sides)
        needs = Needs(np.roll(still, -rules.side(self._dealer), axis=1))
        for place in range(1, rules.seats + 1):
            seat = (self._dealer + place) % rules.seats
            needs.score(
                place % rules.sides, np.repeat(self._hand_points(kept[:, seat], seat), pegged.shape[1])
            )
        values: Floats = needs.won[:, self._own]
        going = needs.undecided
        if going.any():
            races = _races(rules.variant, crib_only=True)
            values[going] = chances(races, needs.needs[going], self._own)
        return values.reshape(pegged.shape[:2])

    def _hand_points(self, kept: Ints, seat: int) -> Ints:
        """Return (n,) show points of a seat's hands; without flush and nobs unless it is the own seat."""
        if seat == self._seat:
            return np.full(len(kept), self._own_points)
        held = kept.copy()
        held[:, self._starter] += 1
        ranks = np.repeat(np.tile(np.arange(13), len(held)), held.ravel()).reshape(-1, 5)
        points: Ints = show.rank_points(5)[ranks @ _BASE_13].astype(np.int64)
        return points


def mean_net_pegging(view: View, discarded: tuple[Card, ...]) -> float:
    """Return mean pegging points after this discard, own less the others', in unsolved variants."""
    place = (view.seat - view.dealer) % view.rules.seats
    return mean_pegging(
        view.rules.variant, place, ranks_of([card for card in view.hand if card not in discarded])
    )


def discard_chances(view: View) -> dict[tuple[Card, ...], float]:
    """Return the win probability (0–1) by discard of one card, with the usual points of all other hands."""
    rules, variant = view.rules, view.rules.variant
    own = (view.seat - view.dealer) % rules.sides
    place = (view.seat - view.dealer - 1) % rules.seats
    needs = np.roll(rules.target - np.array(view.front, np.int64), -rules.side(view.dealer))[None]
    pegging, *hands, crib = deal_steps(variant)
    starters = unseen(view)
    found: dict[tuple[Card, ...], float] = {}
    for card in view.hand:
        kept = [other for other in view.hand if other is not card]
        points = show.points([[other.index for other in kept]] * len(starters), [s.index for s in starters])
        hands[place] = Step(own, (np.bincount(points) / len(points),))
        pegged = list(pegging.probabilities)
        pegged[own] = shifted(pegged[own], mean_net_pegging(view, (card,)))
        cribs = shifted(
            crib.probabilities[0],
            mean_crib(variant, own == 0, ranks_of([card])) - _mean(crib.probabilities[0]),
        )
        first = (Step(-1, tuple(pegged)), *hands, Step(0, (cribs,)))
        races = still_open(first, deal_steps(variant), rules.sides)
        found[(card,)] = float(chances(races, needs, own)[0])
    return found


def _mean(distribution: Floats) -> float:
    return float(np.arange(len(distribution)) @ distribution)


def shifted(distribution: Floats, difference: float) -> Floats:
    """Return probabilities of 0, 1, … points, shifted by a difference in points; no points fall below 0."""
    whole = int(np.floor(difference))
    part = difference - whole
    made = np.zeros(len(distribution) + max(whole, 0) + 2)
    for points, chance in enumerate(distribution.tolist()):
        made[max(points + whole, 0)] += (1 - part) * chance
        made[max(points + whole + 1, 0)] += part * chance
    return made
