"""`club`: a sound club player. It counts averages, and looks one reply ahead in pegging.

Discarding: the exact mean of the kept hand over every unseen starter, plus or minus the average crib of
the discard. In pegging: the points of a card, less what the next player can be expected to peg on it if
any unseen cards are as likely to be held as any others, and the point for last card if no seat can follow.
It draws no conclusion from the others' cards, does not look at the score, and plans no second card.
"""

from typing import final

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.pegging.one_reply import foreseen
from fifteentwo.players.manners import Courteous
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.view import View


@final
class Club(Courteous):
    """Averages before the starter, one reply after it."""

    def discard(self, view: View) -> Discard:
        means = hand_and_crib(view)
        return Discard(view.seat, max(means, key=lambda discarded: sum(means[discarded])))

    def play(self, view: View) -> Play:
        fitting = {card.index >> 2: card for card in view.playable}
        if len(fitting) == 1:
            return Play(view.seat, next(iter(fitting.values())))
        values = foreseen(view)
        # Among equals high cards go first.
        return Play(view.seat, fitting[max(fitting, key=lambda rank: (values[rank], rank))])
