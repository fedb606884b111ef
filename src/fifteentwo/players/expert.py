"""The level `expert`: the equilibrium of the solved tables, for two with six cards or five.

Each card is drawn from the mixed strategy of the tables, against every opponent. Discards are drawn from the
tables too, unless another discard has a clearly higher win probability (`analysis.discards.by_score`). If a
table is damaged, `trouble` holds the error and this level plays as `club`. If only the tables of win
probability are damaged, discards are for points.

No other variant is solved. Discards then maximise win probability (`win.race`); with five cards, if their
table is damaged, the points of hand, crib and pegging. Cards are compared by rollouts against many sets of
hands that the others may hold (`analysis.rollouts.playouts`). Such hands are drawn as people keep them,
weighted by the cards played, and without cards that a go excludes.
"""

from collections.abc import Mapping
from typing import TypeVar, final

from fifteentwo.analysis.discards.by_averages import hand_and_crib
from fifteentwo.analysis.discards.by_score import discard_by_score
from fifteentwo.analysis.discards.kept_hands import kept_ratios
from fifteentwo.analysis.pegging import five_card
from fifteentwo.analysis.pegging.beliefs import book_frequencies, role_of
from fifteentwo.analysis.pegging.possible_play import check_play
from fifteentwo.analysis.rollouts import playouts
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.race import ChanceAfterPegging, discard_chances, mean_net_pegging
from fifteentwo.players.base import BasePlayer, generator
from fifteentwo.players.club import Club
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.variants import Variant
from fifteentwo.rules.view import View, go_bounds
from fifteentwo.strategy import five_card as five_card_tables
from fifteentwo.strategy.discards import discard_frequencies, provenance
from fifteentwo.strategy.files import DamagedTable
from fifteentwo.strategy.pegging import load_pegging_book

T = TypeVar("T")


def drawn(often: Mapping[T, float], luck: float) -> T:
    """Return a choice drawn by its frequency; luck: a uniform random number from 0 to 1."""
    left = luck * sum(often.values())
    for choice, frequency in often.items():
        left -= frequency
        if left < 0:
            return choice
    return max(often, key=lambda choice: often[choice])


def _is_solved_with_five(view: View) -> bool:
    """Return whether this is five-card cribbage and its table is not damaged."""
    if view.rules.variant is not Variant.FIVE_CARD:
        return False
    try:
        five_card_tables.provenance()
    except DamagedTable:
        return False
    return True


@final
class Expert(BasePlayer):
    """A player of the solved tables."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.trouble: DamagedTable | None = None
        self._club = Club(seed)
        try:
            load_pegging_book()
            provenance()
        except DamagedTable as damaged:
            self.trouble = damaged

    def discard(self, view: View) -> Discard:
        if view.rules.variant is Variant.SIX_CARD and self.trouble:
            return self._club.discard(view)
        if view.rules.variant is Variant.SIX_CARD:
            often = discard_frequencies(view.hand, role_of(view, view.seat))
        elif _is_solved_with_five(view):
            often = five_card_tables.discard_frequencies(view.hand, role_of(view, view.seat))
        else:
            values = self._discard_values(view)
            return Discard(view.seat, max(values, key=lambda discarded: values[discarded]))
        drawn_pair = drawn(often, generator(self.seed, view).random())
        discarded = tuple([card for card in view.hand if card in drawn_pair])
        if win.has_win_probability(view.rules):
            discarded = discard_by_score(view, discarded)
        return Discard(view.seat, discarded)

    def play(self, view: View) -> Play:
        if view.rules.variant is Variant.SIX_CARD:
            if self.trouble:
                return self._club.play(view)
            often = book_frequencies(view)
        elif _is_solved_with_five(view):
            often = five_card.play_frequencies(view)
        else:
            return self._by_rollouts(view)
        rank = drawn(often, generator(self.seed, view).random())
        return Play(view.seat, next(card for card in view.hand if card.index >> 2 == rank))

    def _discard_values(self, view: View) -> dict[tuple[Card, ...], float]:
        if view.rules.variant is not Variant.FIVE_CARD:
            return discard_chances(view)
        means = hand_and_crib(view)
        return {discarded: sum(both) + mean_net_pegging(view, discarded) for discarded, both in means.items()}

    def _by_rollouts(self, view: View) -> Play:
        check_play(view)
        fitting = {card.index >> 2: card for card in view.playable}
        if len(fitting) == 1:
            return Play(view.seat, next(iter(fitting.values())))
        ratios, luck = kept_ratios(view.rules.variant), generator(self.seed, view)
        payoff, number = (
            (None, playouts.CARDS)
            if view.rules.variant is Variant.FIVE_CARD
            else (ChanceAfterPegging(view), playouts.CLOSE_CARDS)
        )
        values = playouts.card_values(view, go_bounds(view), ratios, luck, number, payoff)
        return Play(view.seat, fitting[max(values, key=lambda rank: (values[rank], rank))])
