"""What a deal of two players and six cards does to the chance of winning, in the order in which it is pegged.

A worth is 1 for a game won and -1 for one lost; in games, times what a skunk or double skunk pays (R18–R20).
Worths stand in arrays [own score, other's score] that go on past the game hole: whoever gets there first has
won, and nothing that follows changes it. The play is spread about its mean; hands and cribs as given.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.counting import rank_points
from fifteentwo.analysis.discard import Option
from fifteentwo.book.board import Payoff, games_paid, next_deal_chance, next_deal_games
from fifteentwo.book.laying_away import Role, mean_pegging, pair_frequency
from fifteentwo.rules.variants import Rules

Floats = npt.NDArray[np.float64]

PAST = 61
"""More points than a side can peg in one stage of a deal."""

_PONE = "12 3 188 49 480 167 633 290 737 260 344 63 425 32 124 20 104 21 10 0 19 6 2 1 10"
_DEALER = "32 0 245 55 471 138 658 269 687 264 352 53 411 32 130 16 113 24 6 0 23 7 2 1 11"
HANDS: dict[Role, Floats] = {
    "pone": np.array(_PONE.split(), np.float64) / 4000,
    "dealer": np.array(_DEALER.split(), np.float64) / 4000,
}
"""How often a hand makes 0, 1, 2 … points: 4,000 deals of two experts."""

TO_COME: dict[Role, tuple[float, ...]] = {
    "pone": (2.04, 2.04, 2.04, 1.18, 1.12, 0.63, 0.54, 0.21, 0.0),
    "dealer": (3.43, 3.43, 3.01, 3.01, 2.20, 2.02, 1.39, 1.24, 0.0),
}
"""Mean points still to come in the play after so many cards: 3,000 deals of two experts."""


def payoff_of(rules: Rules) -> Payoff:
    """What is played for, in the words of the race."""
    if rules.target == 61:
        return "half"
    if rules.double_skunk:
        return "double"
    return "skunk" if rules.skunk else "game"


@cache
def after_deal(payoff: Payoff, dealt: bool, games: bool) -> Floats:
    """Worth of every score when a deal is over; `dealt`: by this side. 0 where both are past the end."""
    target = 61 if payoff == "half" else 121
    worth = np.zeros((target + PAST, target + PAST))
    for own in range(target):
        for other in range(target):
            if games:
                worth[own, other] = next_deal_games(own, other, dealt, payoff)
            else:
                worth[own, other] = 2 * next_deal_chance(own, other, dealt, payoff) - 1
    for score in range(target):
        paid = games_paid(score, payoff) if games else 1
        worth[target:, score], worth[score, target:] = paid, -paid
    return worth


def spread_about(mean: float, most: int = 24) -> Floats:
    """Chances of 0, 1, 2 … points where the variance is twice the mean, as it is in the play."""
    found = np.zeros(most)
    found[0] = 0.5**mean
    for points in range(1, most):
        found[points] = found[points - 1] * (points - 1 + mean) / (2 * points)
    total: Floats = found / found.sum()
    return total


class Window:
    """Worths of one deal from one score on; folding touches only what the deal can reach, so it is quick."""

    def __init__(self, rules: Rules, own: int, other: int, dealer: bool, *, games: bool) -> None:
        self.role: Role = "dealer" if dealer else "pone"
        self.foe: Role = "pone" if dealer else "dealer"
        self.target = rules.target
        self.over = after_deal(payoff_of(rules), dealer, games)
        self.own = own
        self.other = other

    def _pegged(self, worth: Floats, points: Floats, own: bool, reach: tuple[int, int]) -> Floats:
        """Worth before a side pegs points of these chances, for scores up to `reach` points on from here.

        At the game hole nothing changes any more; beyond the reach the worth stays what it was.
        """
        before = worth.copy()
        rows = slice(self.own, min(self.own + reach[0], self.target))
        columns = slice(self.other, min(self.other + reach[1], self.target))
        summed = np.zeros((rows.stop - rows.start, columns.stop - columns.start))
        for number in np.flatnonzero(points):
            if own:
                part = worth[rows.start + number : rows.stop + number, columns]
            else:
                part = worth[rows, columns.start + number : columns.stop + number]
            summed += points[number] * part
        before[rows, columns] = summed
        return before

    def option(self, option: Option) -> float:
        """Worth of laying away so: the play about its mean, then the show in its order (R78, R79)."""
        hand, crib = _chances(option.hand.weights), _chances(option.crib.weights)
        if self.role == "dealer":
            worth = self._pegged(self.over, np.convolve(hand, crib), True, (30, 60))
            worth = self._pegged(worth, HANDS[self.foe], False, (30, 30))
        else:
            worth = self._pegged(self.over, np.convolve(HANDS[self.foe], crib), False, (60, 30))
            worth = self._pegged(worth, hand, True, (30, 30))
        pegs = mean_pegging([card.index // 4 + 1 for card in option.keep], self.role)
        own, other = spread_about(pegs.own), spread_about(pegs.opponent)
        return float(own @ worth[self.own : self.own + 24, self.other : self.other + 24] @ other)

    def shown(self, hand: int, foes_hand: Floats, crib: Floats) -> Floats:
        """Worths when the play is over: this hand's points known, the other's and the crib's by chance."""
        known = np.zeros(hand + 1)
        known[hand] = 1
        if self.role == "dealer":
            worth = self._pegged(self.over, np.convolve(known, crib), True, (40, 60))
            return self._pegged(worth, foes_hand, False, (40, 40))
        worth = self._pegged(self.over, np.convolve(foes_hand, crib), False, (60, 40))
        return self._pegged(worth, known, True, (40, 40))

    def in_play(self, shown: Floats, laid: int) -> Floats:
        """Worths after so many cards of the play, the rest of it as on average."""
        own, other = TO_COME[self.role][laid], TO_COME[self.foe][laid]
        worth = self._pegged(shown, spread_about(own), True, (24, 40)) if own else shown
        return self._pegged(worth, spread_about(other), False, (24, 24)) if other else worth


def _chances(weights: Sequence[float]) -> Floats:
    found = np.array(weights, np.float64)
    chances: Floats = found / found.sum()
    return chances


@cache
def _pairs(role: Role) -> tuple[tuple[tuple[int, int], float], ...]:
    """What a role lays away, and how often."""
    pairs = combinations_with_replacement(range(13), 2)
    return tuple((pair, pair_frequency((pair[0] + 1, pair[1] + 1), role)) for pair in pairs)


def crib_chances(given: tuple[int, ...], giver: Role, starter: int, left: Sequence[int]) -> Floats:
    """Chances of the crib's points: own ranks given, the other's by habit and removal; suits left out."""
    found = np.zeros(30)
    for (low, high), often in _pairs(giver):
        ways = left[low] * (left[low] - 1) / 12 if low == high else left[low] * left[high] / 16
        if ways > 0:
            found[rank_points(tuple(sorted((*given, low, high, starter))))] += often * ways
    chances: Floats = found / found.sum()
    return chances
