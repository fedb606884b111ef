"""Base classes of the levels: random draws and cuts, claims, and challenges of claims."""

import random
from abc import ABC, abstractmethod
from typing import assert_never

from fifteentwo.analysis.win.counting import points_at_once
from fifteentwo.rules import pegging, show
from fifteentwo.rules.actions import Accept, CallMuggins, Claim, Discard, Play, SeatAction
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.events import Score, ScoreName
from fifteentwo.rules.game import MAX_POINTS
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Muggins
from fifteentwo.rules.view import View, choices

MOST_AT_ONCE = 15
"""A bound of the points of one card. The most are 13: four of a rank, and last card."""
_EASY_SCORES = frozenset(
    {ScoreName.PAIR, ScoreName.PAIR_ROYAL, ScoreName.DOUBLE_PAIR_ROYAL, ScoreName.THIRTY_ONE}
)


def claimable(view: View) -> tuple[Score, ...]:
    """Return every score of the card just played, or of the hand or crib that is counted now (R93)."""
    if not any(view.open_hands):
        return pegging.scores(view.in_count)
    assert view.starter is not None
    if view.open_crib:
        return show.scores(view.open_crib, view.starter, crib=True)
    return show.scores(view.open_hands[view.turn], view.starter)


def generator(seed: int, view: View) -> random.Random:
    """Return a random generator that depends on the seed and the View only."""
    known = (
        seed,
        view.seat,
        view.phase.value,
        view.dealer,
        view.deal,
        view.turn,
        view.claim,
        view.front,
        view.drawn_at,
        [[card.index for card in cards] for cards in view.drawn],
        [card.index for card in view.hand],
        [card.index for card in view.discarded],
        [card.index for _, card in view.played],
        [card.index for cards in view.open_hands for card in cards],
        len(view.open_crib),
    )
    return random.Random(repr(known))


class BasePlayer(ABC):
    """A player that draws and cuts at random, and counts and challenges without mistakes."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: View) -> SeatAction:
        """Return the action of this View's seat."""
        match view.phase:
            case Phase.PLAY:
                winning = self.winning_card(view)
                return Play(view.seat, winning) if winning else self.play(view)
            case Phase.DISCARD:
                return self.discard(view)
            case Phase.DRAW | Phase.CUT | Phase.CUT_STOCK:
                return generator(self.seed, view).choice(choices(view))
            case Phase.CLAIM:
                return Claim(view.seat, self.count(view))
            case Phase.CHALLENGE:
                return CallMuggins(view.seat) if self.doubts(view) else Accept(view.seat)
            case Phase.NAME_DEALER | Phase.DRAW_TURN | Phase.DEAL | Phase.STARTER | Phase.OVER:
                raise IllegalAction("not-now", "R50", view.seat, phase=view.phase.value)
            case _:
                assert_never(view.phase)

    def winning_card(self, view: View) -> Card | None:
        """Return the card that wins the game at once, the highest of those with most points, or None."""
        needed = view.rules.target - view.front[view.side]
        if needed > MOST_AT_ONCE:
            return None
        pegs = {card: points for card in view.playable if (points := points_at_once(view, card)) >= needed}
        return max(pegs, key=lambda card: (pegs[card], card), default=None)

    @abstractmethod
    def discard(self, view: View) -> Discard:
        """Return the cards to discard."""

    @abstractmethod
    def play(self, view: View) -> Play:
        """Return the card to play."""

    def count(self, view: View) -> int:
        """Return the points that this player claims for its own card, hand or crib."""
        return sum(score.points for score in claimable(view))

    def doubts(self, view: View) -> bool:
        """Return whether to challenge the claim that was made (R94, R95)."""
        return self._is_wrong(view, sum(score.points for score in claimable(view)))

    def _is_wrong(self, view: View, points: int) -> bool:
        """Return whether muggins can be called on the claim if `points` is right."""
        assert view.claim is not None
        overclaims = view.rules.muggins is Muggins.MISSED_AND_OVERCLAIMS
        return view.claim < points or (overclaims and view.claim > points)


class MiscountingPlayer(BasePlayer, ABC):
    """A player that overlooks scores when it claims, and does not check every claim of its opponents.

    Scores of several cards are overlooked more often than pairs, and nobs most often.
    """

    overlooks = 0.0
    """Probability that a score of average difficulty is overlooked."""
    counts_twice = 0.0
    """Probability that a fifteen is counted a second time."""
    checks = 1.0
    """Probability that a claim is checked."""

    def count(self, view: View) -> int:
        """Return the points that this player finds. Its mistakes depend on its seed and the View."""
        luck = generator(self.seed, view)
        counted = 0
        for score in claimable(view):
            if luck.random() >= self.overlooks * _difficulty(score):
                counted += score.points
            if score.name is ScoreName.FIFTEEN and luck.random() < self.counts_twice:
                counted += score.points
        return min(counted, MAX_POINTS)

    def doubts(self, view: View) -> bool:
        """Return whether this player checks the claim and finds other points than claimed."""
        is_checked = generator(self.seed + 1, view).random() < self.checks
        return is_checked and self._is_wrong(view, self.count(view))


def _difficulty(score: Score) -> float:
    if score.name is ScoreName.NOBS:
        return 3.0
    if score.name in _EASY_SCORES:
        return 0.3
    return 0.5 * (len(score.cards) - 1)
