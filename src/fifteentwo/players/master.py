"""`master`: for two with six cards, plays to win the game, not to win points.

It discards for the chance of winning from this score (`analysis.win`); where the equilibrium's discard has a
chance within a twentieth of a hundredth of the best it takes that, and so mixes as `expert` does. In pegging
it searches every card to the end of the deal (`analysis.pegging.look_ahead`): what the other
holds, by Bayes from what the equilibrium keeps; how the other plays, from the solved book or by a club
player's reckoning, again by Bayes; its own best responses; the show in its order; the board. Near the end of
the game the last few cards are re-solved (`analysis.pegging.endgame`), against an opponent half as believed
and half free to play best. Far from the end it leads what the equilibrium leads, of such cards the one
that does best against everyday opponents. Where skunks are played for, it plays for games instead of chances.

Without numba it decides the same, within a second. If a solved table is damaged it says so in `trouble` and
plays as `expert`, or as `club`. In every other variant it is `expert`.
"""

from typing import final

from fifteentwo.analysis import win
from fifteentwo.analysis.discards.shows import WAYS
from fifteentwo.analysis.near_end import provenance as near_end_provenance
from fifteentwo.analysis.pegging import endgame, look_ahead
from fifteentwo.analysis.pegging.beliefs import history, role_of
from fifteentwo.analysis.pegging.leads import best_rank
from fifteentwo.players.expert import Expert, drawn
from fifteentwo.players.manners import Courteous, chance
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.board import board
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.pegging import load_pegging_book
from fifteentwo.strategy.pegging_points import provenance as play_points_provenance

AS_GOOD = 0.0005
"""A chance of winning this near the best is as good: the equilibrium's discard stays."""
NEAR_TO_PLAY = 26
"""A side this near the game hole makes pegging a matter of chances."""
FEW = (3, 4)
"""So many cards in both hands together are re-solved."""
SOMETIMES = 0.05
"""The least probability of a card that is played at all."""


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
        if not self._solved(view):
            return usual
        own, other = view.front[view.side], view.front[1 - view.side]
        known = win.prospects(view.hand, view.is_dealer)
        games = view.rules.skunk
        expected = known.values(own, other, win.payoff_of(view.rules), games=games)
        ways = [tuple([view.hand[place] for place in way]) for way in WAYS]
        by_equilibrium = next(i for i, way in enumerate(ways) if set(way) == set(usual.cards))
        # A value runs from -1 to 1, a chance from 0 to 1.
        good = expected[by_equilibrium] >= expected.max() - 2 * AS_GOOD
        discarded = usual.cards if good else ways[int(expected.argmax())]
        return Discard(view.seat, discarded)

    def play(self, view: View) -> Play:
        if not self._solved(view):
            return self._expert.play(view)
        fitting = {card.index >> 2: card for card in view.playable}
        if len(fitting) == 1:
            return Play(view.seat, next(iter(fitting.values())))
        if view.played or _is_near(view, NEAR_TO_PLAY):
            return Play(view.seat, fitting[self._by_search(view, sorted(fitting))])
        return Play(view.seat, fitting[self._lead(view)])

    def _by_search(self, view: View, ranks: list[int]) -> int:
        """The rank that is best to the end of the deal; near the end of the game, pegging is re-solved."""
        search = look_ahead.LookAhead(view, look_ahead.PEOPLE)
        if _is_small(view):
            policy = endgame.resolved(search, games=view.rules.skunk).policy
            likely = {rank: probability for rank, probability in policy.items() if probability >= SOMETIMES}
            return drawn(likely, chance(self.seed, view).random())
        values = search.chances(games=view.rules.skunk)
        return max(ranks, key=lambda rank: (values[rank], rank))

    def _lead(self, view: View) -> int:
        """Return the equilibrium's lead that does best against everyday opponents."""
        book = load_pegging_book()
        own = [card.index // 4 + 1 for card in view.hand]
        often = book.strategy(own, history(view), role_of(view, view.seat))
        likely = [rank - 1 for rank, probability in often.items() if probability >= SOMETIMES]
        return best_rank(view, chance(self.seed, view), likely)

    def _solved(self, view: View) -> bool:
        """Whether this is a game for two with six cards, and the tables are whole."""
        return not self.trouble and view.rules.variant is Variant.SIX_CARD


def _is_small(view: View) -> bool:
    """Whether the end of the game is near, and so few cards are left that they are re-solved."""
    return min(view.held) > 0 and sum(view.held) in FEW and _is_near(view, NEAR_TO_PLAY)


def _is_near(view: View, near: int) -> bool:
    return max(view.front) >= view.rules.target - near
