"""`beginner`: knows the rules and takes most of the points in sight.

It discards to keep the points it sees, but it misreads hands, thinks of the crib only when it is its own,
and does not foresee starters. In pegging it overlooks one score in three and then plays any card. Where
players count for themselves it misses about one score in eight, may count one twice, and seldom checks.
"""

from itertools import combinations
from typing import final

from fifteentwo.analysis.win.counting import held_points, played_points
from fifteentwo.players.manners import chance
from fifteentwo.players.slips import Slipping
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.view import View


@final
class Beginner(Slipping):
    """A player on the first evening of cribbage."""

    overlooks = 0.12
    counts_twice = 0.02
    checks = 0.3

    def discard(self, view: View) -> Discard:
        luck = chance(self.seed, view)
        own_crib = view.rules.side(view.dealer) == view.side

        def seems(discarded: tuple[Card, ...]) -> float:
            kept = [card for card in view.hand if card not in discarded]
            in_crib = held_points(discarded) if own_crib else 0
            return held_points(kept) + in_crib + luck.gauss(0, 1.5)

        return Discard(view.seat, max(combinations(view.hand, view.rules.discards), key=seems))

    def play(self, view: View) -> Play:
        luck = chance(self.seed, view)
        in_count = tuple(card.index >> 2 for card in view.in_count)

        def seems(card: Card) -> float:
            noticed = luck.random() >= 1 / 3
            return noticed * played_points(in_count, view.count, card.index >> 2) + luck.random()

        return Play(view.seat, max(view.playable, key=seems))
