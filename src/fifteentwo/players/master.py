"""`master`: for two with six cards, plays to win the game, not to win points.

While the game hole is far it lays away as `expert` does. Once a side is near, it lays away for the chance of
winning from this score: the play about its mean, then hand and crib in the order they are pegged. In the play
it looks every card through to the end of the deal (`analysis.look_ahead`): what the other holds, by Bayes
from what the equilibrium keeps; how the other plays, from the solved book or by a club player's reckoning,
again by Bayes; its own best answers; the show in its order; the board. Near the end of the game the last few
cards are solved anew (`analysis.endgame`), against somebody half as believed and half free to do what is
best. Far from the end it leads what the equilibrium leads, of such cards the one that does best against
everyday habits. Where skunks are played for, it plays for games instead of chances.

Without numba the same loops run as plain Python, a decision within a second; only a lead near the end, which
would take four, is reckoned one reply deep (`analysis.plain_look_ahead`). If a solved table is damaged it says
so in `trouble` and plays as `expert`, or as `club`. In every other form it is `expert`.
"""

from typing import final

from fifteentwo.analysis import endgame, look_ahead
from fifteentwo.analysis.beliefs import history, role_of
from fifteentwo.analysis.deal_chances import Window
from fifteentwo.analysis.discard import options
from fifteentwo.analysis.plain_look_ahead import chances_ahead
from fifteentwo.book.board import board
from fifteentwo.book.files import DamagedTable
from fifteentwo.book.play import load_pegging_book
from fifteentwo.players.expert import Expert, drawn
from fifteentwo.players.manners import Courteous, chance
from fifteentwo.players.plain_playouts import best_rank
from fifteentwo.rules.actions import LayAway, Play
from fifteentwo.rules.variants import Form
from fifteentwo.rules.view import View

CONSIDERED = 2.0
"""Ways to lay away so many points a deal worse than the best are not weighed."""
NEAR_TO_LAY_AWAY, NEAR_TO_PLAY = 36, 26
"""A side this near the game hole makes laying away, and the play, a matter of chances."""
FEW = (3, 4)
"""So many cards in both hands together are solved anew."""
SOMETIMES = 0.05
"""The least share of a card that is laid at all."""
HABIT = 0.02
"""Games that the equilibrium's own choice is worth beyond what the reckoning sees."""


@final
class Master(Courteous):
    """Plays the board as well as the cards."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._expert = Expert(seed)
        self.trouble: DamagedTable | None = self._expert.trouble
        try:
            board()
        except DamagedTable as damaged:
            self.trouble = self.trouble or damaged

    def lay_away(self, view: View) -> LayAway:
        if not (self._solved(view) and _is_near(view, NEAR_TO_LAY_AWAY)):
            return self._expert.lay_away(view)
        own, other = view.front[view.side], view.front[1 - view.side]
        found = options(view.hand, own_crib=view.is_dealer)
        window = Window(view.rules, own, other, view.is_dealer, games=view.rules.skunk)
        worth_it = [option for option in found if option.net > found[0].net - CONSIDERED]
        best = max(worth_it, key=window.option) if len(worth_it) > 1 else worth_it[0]
        return LayAway(view.seat, tuple([card for card in view.hand if card in best.discard]))

    def play(self, view: View) -> Play:
        if not self._solved(view):
            return self._expert.play(view)
        fitting = {card.index >> 2: card for card in view.hand if view.count + card.value <= 31}
        if len(fitting) == 1:
            return Play(view.seat, next(iter(fitting.values())))
        if view.played or (_is_near(view, NEAR_TO_PLAY) and look_ahead.at_hand()):
            return Play(view.seat, fitting[self._looked_through(view, sorted(fitting))])
        return Play(view.seat, fitting[self._lead(view, sorted(fitting))])

    def _looked_through(self, view: View, ranks: list[int]) -> int:
        """The rank that is best to the end of the deal; near the end of the game, as the play is solved anew."""
        answers = look_ahead.Answers(view)
        if _is_small(view):
            shares = endgame.resolved(answers, games=view.rules.skunk).shares
            likely = {rank: share for rank, share in shares.items() if share >= SOMETIMES}
            return drawn(likely, chance(self.seed, view).random())
        values = answers.chances(games=view.rules.skunk)
        return max(ranks, key=lambda rank: (values[rank], rank))

    def _lead(self, view: View, ranks: list[int]) -> int:
        """The first card where looking it through is too far off, or takes too long uncompiled."""
        book = load_pegging_book()
        own = [card.index // 4 + 1 for card in view.hand]
        often = book.strategy(own, history(view), role_of(view, view.seat))
        if _is_near(view, NEAR_TO_PLAY):
            values = chances_ahead(view, book, games=view.rules.skunk)
            return max(ranks, key=lambda rank: values[rank] + HABIT * often.get(rank + 1, 0.0))
        return best_rank(view, self.seed, [rank - 1 for rank, share in often.items() if share >= SOMETIMES])

    def _solved(self, view: View) -> bool:
        """Whether this is a game for two with six cards, and the tables are whole."""
        return not self.trouble and view.rules.form is Form.SIX_CARD


def _is_small(view: View) -> bool:
    """Whether the end of the game is near, and so little of the play left that it is solved anew."""
    return min(view.held) > 0 and sum(view.held) in FEW and _is_near(view, NEAR_TO_PLAY)


def _is_near(view: View, near: int) -> bool:
    return max(view.front) >= view.rules.target - near
