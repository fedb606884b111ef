"""The level `casual`: a player with rules of thumb, who plays a few times a year.

Discards keep the hand with the best mean over starters, judged with a normal error of 0.5 points; fives and
scores in the discard count for or against it by the owner of the crib. This level pegs the
points it sees, leads no five and leaves no count of 5 or 21. One score in twelve is overlooked, and replies
are ignored. Claims miss about one score in thirty, and most claims of others are checked.
"""

from itertools import combinations
from typing import final

from fifteentwo.analysis.win.counting import (
    VALUES,
    held_points,
    mean_points,
    opponent_weight,
    played_points,
    unseen,
)
from fifteentwo.players.base import MiscountingPlayer, generator
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.view import View


@final
class Casual(MiscountingPlayer):
    """A player with rules of thumb and no tables."""

    overlooks = 0.03
    counts_twice = 0.005
    checks = 0.8

    def discard(self, view: View) -> Discard:
        luck = generator(self.seed, view)
        others = unseen(view)
        sign = 1.0 if view.rules.side(view.dealer) == view.side else -opponent_weight(view)

        ways = list(combinations(view.hand, view.rules.discards))
        kept = [[card for card in view.hand if card not in discarded] for discarded in ways]
        hands = dict(zip(ways, mean_points(kept, others), strict=True))

        def seems(discarded: tuple[Card, ...]) -> float:
            fives = sum(card.rank is Rank.FIVE for card in discarded)
            return hands[discarded] + sign * (held_points(discarded) + fives) + luck.gauss(0, 0.5)

        return Discard(view.seat, max(ways, key=seems))

    def play(self, view: View) -> Play:
        luck = generator(self.seed, view)
        in_count = tuple(card.index >> 2 for card in view.in_count)

        def seems(card: Card) -> float:
            rank = card.index >> 2
            noticed = luck.random() >= 1 / 12
            risky = view.count + VALUES[rank] in (5, 21)
            return noticed * played_points(in_count, view.count, rank) - risky + 0.5 * luck.random()

        return Play(view.seat, max(view.playable, key=seems))
