"""The level `master`: the best card against the opponent's probable type, in six-card cribbage for two.

The opponent's type is the equilibrium, `club`, `casual` or `beginner`, each with ε-noise. Bayes over every
act in the View's earlier deals gives a belief (`analysis.pegging.recognition`). The look-ahead search
(`analysis.pegging.look_ahead`) then finds the card with the highest win probability; if skunks count, with
the highest value in games. `master` never mixes cards. A card that loses more than `MAX_RISK` against the
equilibrium is played only if the belief that the opponent is weaker exceeds `MIN_WEAKER_BELIEF`. Discards
maximise win probability against the equilibrium.

If a View has no earlier deals, the belief is the prior. If a solved table is damaged, `trouble` holds the
error, and `master` plays as `expert` or `club`. In all other variants it plays as `expert`.
"""

from collections.abc import Mapping
from typing import final

from fifteentwo.analysis.pegging.look_ahead import EQUILIBRIUM, LookAhead
from fifteentwo.analysis.pegging.opponents import BOOK
from fifteentwo.analysis.pegging.recognition import opponent_belief
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import provenance as near_end_provenance
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.players.expert import Expert
from fifteentwo.players.manners import Courteous
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.board import board
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.pegging_points import provenance as play_points_provenance

MAX_RISK = 0.005
"""Win probability that a card may lose against the equilibrium."""
MIN_WEAKER_BELIEF = 0.9
"""Belief that the opponent is weaker than the equilibrium, above which `MAX_RISK` no longer holds."""
EQUILIBRIUM_ALONE_BELIEF = 0.95
"""Belief in the equilibrium above which the search against it alone decides."""


@final
class Master(Courteous):
    """A player with a belief about its opponent."""

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
    search = LookAhead(view, opponent_belief(view))
    equilibrium = search.chance_of(BOOK)
    if equilibrium < 1 - MIN_WEAKER_BELIEF:
        return _best(search.chances(games=games))
    against = LookAhead(view, EQUILIBRIUM).chances(games=games)
    if equilibrium > EQUILIBRIUM_ALONE_BELIEF:
        return _best(against)
    values = search.chances(games=games)
    # A value runs from -1 to 1, a win probability from 0 to 1.
    least = max(against.values()) - 2 * MAX_RISK
    return _best({rank: value for rank, value in values.items() if against[rank] >= least})


def _best(values: Mapping[int, float]) -> int:
    return max(values, key=lambda rank: (values[rank], rank))
