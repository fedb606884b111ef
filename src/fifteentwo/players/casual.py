"""`casual`: plays a few times a year and remembers what matters.

It has a feeling for what a starter can bring, give or take half a point; it keeps fives and
pairs out of another's crib by rule of thumb instead of averages. In pegging it takes the points it sees
(one score in twelve escapes it), leads no five and leaves no count of 5 or 21, but it does not weigh
replies. Where players count for themselves it misses about one score in thirty and checks most claims.
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
from fifteentwo.players.manners import chance
from fifteentwo.players.slips import Slipping
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card, Rank
from fifteentwo.rules.view import View


@final
class Casual(Slipping):
    """A player with rules of thumb and no tables."""

    overlooks = 0.03
    counts_twice = 0.005
    checks = 0.8

    def discard(self, view: View) -> Discard:
        luck = chance(self.seed, view)
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
        luck = chance(self.seed, view)
        in_count = tuple(card.index >> 2 for card in view.in_count)

        def seems(card: Card) -> float:
            rank = card.index >> 2
            noticed = luck.random() >= 1 / 12
            risky = view.count + VALUES[rank] in (5, 21)
            return noticed * played_points(in_count, view.count, rank) - risky + 0.5 * luck.random()

        return Play(view.seat, max(view.playable, key=seems))
