"""`master`: for two with six cards, plays to win the game, not to win points.

It discards as `expert` does, for the chance of winning from this score. In pegging it mixes its cards as the
equilibrium does, unless a search to the end of the deal prefers another clearly and that loses little against
the equilibrium (`analysis.pegging.mixture`); the search believes what the other holds, by Bayes from what the
equilibrium keeps, and how the other plays, from the solved book or by a club player's reckoning, again by
Bayes. From the third card on the rest is re-solved (`analysis.pegging.endgame`), against an opponent partly
as believed and partly free to play best. Where skunks are played for, it plays for games instead of chances.

Without numba it decides the same, within a second. If a solved table is damaged it says so in `trouble` and
plays as `expert`, or as `club`. In every other variant it is `expert`.
"""

from typing import final

from fifteentwo.analysis.near_end import provenance as near_end_provenance
from fifteentwo.analysis.pegging import mixture
from fifteentwo.players.expert import Expert, drawn
from fifteentwo.players.manners import Courteous, chance
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.board import board
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.pegging_points import provenance as play_points_provenance


@final
class Master(Courteous):
    """Plays the board as well as the cards."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._expert = Expert(seed)
        self.trouble: DamagedTable | None = self._expert.trouble
        try:
            board()
            play_points_provenance()
            near_end_provenance()
        except DamagedTable as damaged:
            self.trouble = self.trouble or damaged

    def discard(self, view: View) -> Discard:
        return self._expert.discard(view)

    def play(self, view: View) -> Play:
        if not self._solved(view):
            return self._expert.play(view)
        rank = drawn(mixture.frequencies(view), chance(self.seed, view).random())
        return Play(view.seat, {card.index >> 2: card for card in view.playable}[rank])

    def _solved(self, view: View) -> bool:
        """Whether this is a game for two with six cards, and the tables are whole."""
        return not self.trouble and view.rules.variant is Variant.SIX_CARD
