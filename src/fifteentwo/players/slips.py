"""How people miscount: scores of several cards are missed more easily than pairs, and nobs most of all."""

from abc import ABC

from fifteentwo.players.manners import Courteous, chance, claimable
from fifteentwo.rules.events import Score, ScoreName
from fifteentwo.rules.game import MAX_POINTS
from fifteentwo.rules.variants import Muggins
from fifteentwo.rules.view import View

_EASY = frozenset({ScoreName.PAIR, ScoreName.PAIR_ROYAL, ScoreName.DOUBLE_PAIR_ROYAL, ScoreName.THIRTY_ONE})


class Slipping(Courteous, ABC):
    """A player who overlooks scores when it counts for itself, and does not check every claim."""

    overlooks = 0.0
    """How often a score of average difficulty is missed."""
    counts_twice = 0.0
    """How often a fifteen is counted a second time."""
    checks = 1.0
    """How often an opponent's claim is counted again at all."""

    def count(self, view: View) -> int:
        """The points this player finds; another look at the same cards is another chance to slip."""
        luck = chance(self.seed, view)
        counted = 0
        for score in claimable(view):
            if luck.random() >= self.overlooks * _difficulty(score):
                counted += score.points
            if score.name is ScoreName.FIFTEEN and luck.random() < self.counts_twice:
                counted += score.points
        return min(counted, MAX_POINTS)

    def doubts(self, view: View) -> bool:
        """Call only what it found itself: a claim it did not check, or misread the same way, stands."""
        assert view.claim is not None
        if chance(self.seed + 1, view).random() >= self.checks:
            return False
        own_count = self.count(view)
        return own_count > view.claim or (
            own_count < view.claim and view.rules.muggins is Muggins.MISSED_AND_OVERCLAIMS
        )


def _difficulty(score: Score) -> float:
    if score.name is ScoreName.NOBS:
        return 3.0
    if score.name in _EASY:
        return 0.3
    return 0.5 * (len(score.cards) - 1)
