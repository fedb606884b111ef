"""`master`: for two with six cards, plays to win the game, not to win points.

It discards for the chance of winning from this score (`analysis.win`); where the equilibrium's discard has a
chance within a twentieth of a hundredth of the best it takes that, and so mixes as `expert` does. In pegging
it mixes its cards as the equilibrium does, unless a search to the end of the deal prefers another clearly and
that loses little against the equilibrium (`analysis.pegging.mixture`); the search believes what the other
holds, by Bayes from what the equilibrium keeps, and how the other plays, from the solved book or by a club
player's reckoning, again by Bayes. From the third card on the rest is re-solved (`analysis.pegging.endgame`),
against an opponent partly as believed and partly free to play best. Where skunks are played for, it plays
for games instead of chances.

Without numba it decides the same, within a second. If a solved table is damaged it says so in `trouble` and
plays as `expert`, or as `club`. In five-card cribbage it discards for the chance of winning, too, and pegs as
`expert`. In every other variant it is `expert`.
"""

from typing import final

from fifteentwo.analysis import win
from fifteentwo.analysis.discards.shows import WAYS_OF
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
        usual = self._expert.discard(view)
        if not (self._solved(view) or (view.rules.variant is Variant.FIVE_CARD and win.known(view.rules))):
            return usual
        own, other = view.front[view.side], view.front[1 - view.side]
        known = win.prospects(view.hand, view.is_dealer)
        games = view.rules.skunk
        expected = known.values(own, other, win.payoff_of(view.rules), games=games)
        ways = [tuple([view.hand[place] for place in way]) for way in WAYS_OF[len(view.hand)]]
        by_equilibrium = next(i for i, way in enumerate(ways) if set(way) == set(usual.cards))
        # A value runs from -1 to 1, a chance from 0 to 1.
        good = expected[by_equilibrium] >= expected.max() - 2 * win.AS_GOOD
        discarded = usual.cards if good else ways[int(expected.argmax())]
        return Discard(view.seat, discarded)

    def play(self, view: View) -> Play:
        if not self._solved(view):
            return self._expert.play(view)
        rank = drawn(mixture.frequencies(view), chance(self.seed, view).random())
        return Play(view.seat, {card.index >> 2: card for card in view.playable}[rank])

    def _solved(self, view: View) -> bool:
        """Whether this is a game for two with six cards, and the tables are whole."""
        return not self.trouble and view.rules.variant is Variant.SIX_CARD
