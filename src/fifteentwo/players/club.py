"""The level `club`: a sound club player, who counts averages and looks one reply ahead in pegging.

The value of a discard is the exact mean of the kept hand over every unseen starter, plus or minus the average
crib of the discard. The value of a card is its points, less the mean points of the next player's best reply
if all unseen cards are equally likely, plus the point for last card if no seat can follow. This level draws
no conclusions from the cards that others play, ignores the score, and plans no second card.
"""

from typing import final

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.pegging.one_reply import foreseen
from fifteentwo.players.base import BasePlayer
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.view import View


@final
class Club(BasePlayer):
    """A player that compares averages."""

    def discard(self, view: View) -> Discard:
        means = hand_and_crib(view)
        return Discard(view.seat, max(means, key=lambda discarded: sum(means[discarded])))

    def play(self, view: View) -> Play:
        fitting = {card.index >> 2: card for card in view.playable}
        if len(fitting) == 1:
            return Play(view.seat, next(iter(fitting.values())))
        values = foreseen(view)
        # The highest of equal cards is played.
        return Play(view.seat, fitting[max(fitting, key=lambda rank: (values[rank], rank))])
