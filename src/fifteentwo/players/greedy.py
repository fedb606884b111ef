"""The level `greedy`: a player that keeps the most points and plays the card that pegs most.

This level ignores starters and replies. The points of the discard decide only between equal hands.
"""

from itertools import combinations
from typing import final

from fifteentwo.analysis.win.counting import held_points, played_points, ranks_of
from fifteentwo.players.base import BasePlayer
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.view import View


@final
class Greedy(BasePlayer):
    """A player that counts only points it has now; of equal cards, it plays the highest."""

    def discard(self, view: View) -> Discard:
        own_crib = view.rules.side(view.dealer) == view.side

        def merit(discarded: tuple[Card, ...]) -> tuple[int, int]:
            kept = tuple(card for card in view.hand if card not in discarded)
            in_crib = held_points(discarded)
            return held_points(kept), in_crib if own_crib else -in_crib

        return Discard(view.seat, max(combinations(view.hand, view.rules.discards), key=merit))

    def play(self, view: View) -> Play:
        in_count = tuple(card.index >> 2 for card in view.in_count)
        fitting = sorted(view.playable)

        def merit(card: Card) -> tuple[int, int]:
            return played_points(in_count, view.count, ranks_of((card,))[0]), card.value

        return Play(view.seat, max(fitting, key=merit))
