"""The level `master`: the best discard and card against the opponent's probable type, in six-card cribbage.

The opponent's type is the equilibrium, `club`, `casual` or `beginner`, each with ε-noise. Bayes over every
act in the View's earlier deals gives a belief (`analysis.pegging.recognition`). The look-ahead search
(`analysis.pegging.look_ahead`) then finds the card with the highest win probability; if skunks count, with
the highest value in games. Discards maximise the value against the equilibrium (`analysis.discards.by_score`)
plus the points that they gain against the probable type. `master` never mixes. A choice that loses more than
`MAX_RISK` against the equilibrium is made only if the belief that the opponent is weaker exceeds
`MIN_WEAKER_BELIEF`.

If a View has no earlier deals, the belief is the prior. If a solved table is damaged, `trouble` holds the
error, and `master` plays as `expert` or `club`. All other variants are played as by `expert`.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar, final

from fifteentwo.analysis.discards.by_score import discard_values, is_near_end
from fifteentwo.analysis.pegging.beliefs import role_of
from fifteentwo.analysis.pegging.look_ahead import EQUILIBRIUM, LookAhead
from fifteentwo.analysis.pegging.opponents import BOOK, discard_gains, pegging_gains
from fifteentwo.analysis.pegging.recognition import opponent_belief
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import provenance as near_end_provenance
from fifteentwo.players.base import BasePlayer
from fifteentwo.players.expert import Expert
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View
from fifteentwo.strategy.board import board
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.pegging_points import provenance as play_points_provenance

T = TypeVar("T", int, tuple[Card, ...])

MAX_RISK = 0.005
"""Most win probability that a choice may give up against the equilibrium."""
MIN_WEAKER_BELIEF = 0.9
"""Belief that the opponent is weaker than the equilibrium, above which `MAX_RISK` no longer holds."""
EQUILIBRIUM_ALONE_BELIEF = 0.95
"""Belief in the equilibrium above which the values against it alone decide."""
DEAL_POINTS = {True: 16, False: 10}
"""Mean points that the dealer and the pone make in a deal."""
POINT_SPAN = 3
"""Points by which scores after a deal are moved to find the value of one point."""


@final
class Master(BasePlayer):
    """A player with a belief about its opponent."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._expert = Expert(seed)
        self.trouble: DamagedTable | None = self._expert.trouble
        try:
            board()
            play_points_provenance()
            near_end_provenance()
            pegging_gains()
        except DamagedTable as damaged:
            self.trouble = self.trouble or damaged

    def discard(self, view: View) -> Discard:
        if not self._solved(view):
            return self._expert.discard(view)
        return Discard(view.seat, best_discard(view))

    def play(self, view: View) -> Play:
        if not self._solved(view):
            return self._expert.play(view)
        cards = {card.index >> 2: card for card in view.playable}
        return Play(view.seat, cards[best_rank(view)] if len(cards) > 1 else view.playable[0])

    def _solved(self, view: View) -> bool:
        """Return whether this is a game for two with six cards and no table is damaged."""
        return not self.trouble and view.rules.variant is Variant.SIX_CARD


def best_rank(view: View) -> int:
    """Return the rank to play; raise ImpossiblePlay if no play of two with six cards leads to this View."""
    games, search = view.rules.skunk, LookAhead(view, opponent_belief(view))
    return _choose(
        search.chance_of(BOOK),
        lambda: search.chances(games=games),
        lambda: LookAhead(view, EQUILIBRIUM).chances(games=games),
    )


def best_discard(view: View) -> tuple[Card, ...]:
    """Return the cards to discard; near the end of a game, the best discard against the equilibrium."""
    against = discard_values(view)
    if len(against) == 1 or is_near_end(view):
        return _best(against)
    belief, point = opponent_belief(view).prior, _point_value(view)
    gains = {way: discard_gains(belief, role_of(view, view.seat), view.hand, way) for way in against}
    return _choose(
        belief[BOOK],
        lambda: {way: value + point * gains[way] for way, value in against.items()},
        lambda: against,
    )


def _point_value(view: View) -> float:
    """Return the mean value of an own point more or a point of the other side less, in this deal."""
    over = win.after_deal(win.payoff_of(view.rules), view.is_dealer, view.rules.skunk)
    own = view.front[view.side] + DEAL_POINTS[view.is_dealer]
    other = view.front[1 - view.side] + DEAL_POINTS[not view.is_dealer]
    gained = over[own + POINT_SPAN, other] - over[own - POINT_SPAN, other]
    saved = over[own, other - POINT_SPAN] - over[own, other + POINT_SPAN]
    return float(gained + saved) / (4 * POINT_SPAN)


def _choose(
    equilibrium: float, values: Callable[[], Mapping[T, float]], against: Callable[[], Mapping[T, float]]
) -> T:
    """Return the best choice, within `MAX_RISK` unless the opponent is weaker.

    equilibrium: the belief in it; values, against: values of choices against the belief and the equilibrium.
    """
    if equilibrium < 1 - MIN_WEAKER_BELIEF:
        return _best(values())
    usual = against()
    if equilibrium > EQUILIBRIUM_ALONE_BELIEF:
        return _best(usual)
    # A value runs from -1 to 1, a win probability from 0 to 1.
    least = max(usual.values()) - 2 * MAX_RISK
    return _best({choice: value for choice, value in values().items() if usual[choice] >= least})


def _best(values: Mapping[T, float]) -> T:
    return max(values, key=lambda choice: (values[choice], choice))
