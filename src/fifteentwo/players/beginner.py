"""The level `beginner`: a player that knows the rules and takes most of the points it sees.

Discards keep the most points, which this level judges with a normal error of 1.5 points. The crib counts only
for the dealer, and starters are ignored. One score in three is overlooked in pegging, and then any card is
played. Claims miss about one score in eight and may count a fifteen twice; few claims of others are checked.
"""

from itertools import combinations
from typing import final

from fifteentwo.analysis.win.counting import held_points, played_points
from fifteentwo.players.base import MiscountingPlayer, generator
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.view import View


@final
class Beginner(MiscountingPlayer):
    """A player who has just learned cribbage."""

    overlooks = 0.12
    counts_twice = 0.02
    checks = 0.3

    def discard(self, view: View) -> Discard:
        luck = generator(self.seed, view)
        own_crib = view.rules.side(view.dealer) == view.side

        def seems(discarded: tuple[Card, ...]) -> float:
            kept = [card for card in view.hand if card not in discarded]
            in_crib = held_points(discarded) if own_crib else 0
            return held_points(kept) + in_crib + luck.gauss(0, 1.5)

        return Discard(view.seat, max(combinations(view.hand, view.rules.discards), key=seems))

    def play(self, view: View) -> Play:
        luck = generator(self.seed, view)
        in_count = tuple(card.index >> 2 for card in view.in_count)

        def seems(card: Card) -> float:
            noticed = luck.random() >= 1 / 3
            return noticed * played_points(in_count, view.count, card.index >> 2) + luck.random()

        return Play(view.seat, max(view.playable, key=seems))
