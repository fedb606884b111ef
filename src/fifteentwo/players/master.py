"""`master`: for two with six cards, plays the best card against what the opponent probably is.

It believes that the opponent is the equilibrium, or plays as `club`, `casual` or `beginner` with ε-noise: by
Bayes over every act of the game that the View shows (`analysis.pegging.recognition`). It searches every card
to the end of the deal (`analysis.pegging.look_ahead`) for win probability; if skunks count, for games. It
never mixes. A card that loses more than `RISKED` against the equilibrium is played only if the belief that
the opponent is something weaker exceeds `CERTAIN`. It discards what wins most often against the equilibrium.

A View without earlier deals is enough; then every deal begins with the same belief. If a solved table is
damaged it says so in `trouble` and plays as `expert`, or as `club`. In every other variant it is `expert`.
"""

from collections.abc import Mapping
from typing import final

from fifteentwo.analysis import win
from fifteentwo.analysis.discards.shows import WAYS_OF
from fifteentwo.analysis.near_end import provenance as near_end_provenance
from fifteentwo.analysis.pegging.look_ahead import EQUILIBRIUM, LookAhead
from fifteentwo.analysis.pegging.opponents import BOOK
from fifteentwo.analysis.pegging.recognition import recognised
from fifteentwo.players.expert import Expert
from fifteentwo.players.manners import Courteous
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.board import board
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.pegging_points import provenance as play_points_provenance

RISKED = 0.005
"""The most a card may lose against the equilibrium, in win probability."""
CERTAIN = 0.9
"""Belief that the opponent is weaker than the equilibrium, above which `RISKED` no longer holds."""
SURE = 0.95
"""Belief in the equilibrium above which the search against it alone decides."""


@final
class Master(Courteous):
    """Plays the opponent as well as the cards."""

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
        if not self._solved(view):
            return self._expert.discard(view)
        known, rules = win.prospects(view.hand, view.is_dealer), view.rules
        own, other = view.front[view.side], view.front[1 - view.side]
        values = known.values(own, other, win.payoff_of(rules), games=rules.skunk)
        way = WAYS_OF[len(view.hand)][int(values.argmax())]
        return Discard(view.seat, tuple([view.hand[place] for place in way]))

    def play(self, view: View) -> Play:
        if not self._solved(view):
            return self._expert.play(view)
        cards = {card.index >> 2: card for card in view.playable}
        return Play(view.seat, cards[best_rank(view)] if len(cards) > 1 else view.playable[0])

    def _solved(self, view: View) -> bool:
        """Whether this is a game for two with six cards, and the tables are whole."""
        return not self.trouble and view.rules.variant is Variant.SIX_CARD


def best_rank(view: View) -> int:
    """Return the rank to play; raise ImpossiblePlay if no play of two with six cards leads to this View."""
    games = view.rules.skunk
    search = LookAhead(view, recognised(view))
    equilibrium = search.chance_of(BOOK)
    if equilibrium < 1 - CERTAIN:
        return _best(search.chances(games=games))
    against = LookAhead(view, EQUILIBRIUM).chances(games=games)
    if equilibrium > SURE:
        return _best(against)
    values = search.chances(games=games)
    # A value runs from -1 to 1, a win probability from 0 to 1.
    least = max(against.values()) - 2 * RISKED
    return _best({rank: value for rank, value in values.items() if against[rank] >= least})


def _best(values: Mapping[int, float]) -> int:
    return max(values, key=lambda rank: (values[rank], rank))
