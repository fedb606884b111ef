"""Plays, cards and scores that compiled kernels cannot handle are refused first.

Without a check, each made a kernel leave its arrays or loop without end.
"""

import random
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis.discards.kept_hands import kept_ratios
from fifteentwo.analysis.pegging.look_ahead import LookAhead, Opponent
from fifteentwo.analysis.pegging.possible_play import check_play, check_play_of_two
from fifteentwo.analysis.rollouts import playouts
from fifteentwo.analysis.win import model as win
from fifteentwo.contest.table import Table
from fifteentwo.library.hands import discards
from fifteentwo.players import player
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.errors import NotationError
from fifteentwo.rules.game import legal
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import View, go_bounds, view
from fifteentwo.strategy.board import ImpossibleScore
from fifteentwo.strategy.pegging import ImpossiblePlay
from tests.support.pegging_views import pegging_views


@cache
def seen(variant: str = "six-card", cards_played: int = 4) -> View:
    """Return the View of the seat on turn after some random cards, with two of its cards fitting."""
    for seed in range(1000):
        table, luck = Table(rules_for(variant), seeded(seed)), random.Random(seed)
        while len(table.state.played) < cards_played or table.state.phase is not Phase.PLAY:
            if table.over:
                break
            action = luck.choice(legal(table.state))
            table.submit(action.seat, action)  # type: ignore[union-attr, arg-type]
        found = view(table.state, table.state.turn)
        fits = [card for card in found.hand if found.count + card.value <= 31]
        if not table.over and len(found.played) == cards_played and len(fits) > 1 and found.count:
            return found
    raise AssertionError("no such View")


def reneged() -> View:
    """Return a View in which the other side says go and then plays a low card that fitted (R55)."""
    for one in pegging_views("club"):
        other = 1 - one.seat
        low = go_bounds(one)[other]
        known = {card for _, card in one.played} | {*one.kept, *one.discarded, one.starter}
        if one.count_ends and low and one.played[-1][0] == other and len(one.played) > one.count_ends[-1]:
            card = next(card for card in DECK if card not in known and card.value <= low)
            count = one.count - one.played[-1][1].value + card.value
            if sum(count + own.value <= 31 for own in one.hand) > 1:
                return replace(one, played=(*one.played[:-1], (other, card)), count=count)
    raise AssertionError("no one could renege")


def unseen(one: View) -> Card:
    known = {card for _, card in one.played} | {*one.kept, *one.discarded, one.starter}
    return next(card for card in DECK if card not in known)


CHANGES: dict[str, Callable[[View], View]] = {
    "no such seat": lambda one: replace(one, seat=9),
    "no such dealer": lambda one: replace(one, dealer=-1),
    "no starter": lambda one: replace(one, starter=None),
    "a card of no seat": lambda one: replace(one, played=((7, one.played[0][1]), *one.played[1:])),
    "a card too many in the hand": lambda one: replace(one, hand=(*one.hand, unseen(one))),
    "a card too few in the hand": lambda one: replace(one, hand=one.hand[1:]),
    "a hand that was not kept": lambda one: replace(one, hand=(*one.hand[1:], unseen(one))),
    "too many kept": lambda one: replace(one, kept=(*one.kept, unseen(one))),
    "a card played twice": lambda one: replace(one, played=(one.played[0], *one.played[:-1])),
    "a card of the crib played": lambda one: replace(
        one, played=tuple((who, card if who == one.seat else one.discarded[0]) for who, card in one.played)
    ),
    "nothing discarded": lambda one: replace(one, discarded=()),
    "no one holds so many": lambda one: replace(one, hand_sizes=tuple(cards + 1 for cards in one.hand_sizes)),
    "a count below nought": lambda one: replace(one, count=-(2**40)),
    "a count of other cards": lambda one: replace(one, count=one.count - 1),
    "a count that ended later": lambda one: replace(one, count_ends=(len(one.played) + 4,)),
    "counts in no order": lambda one: replace(one, count_ends=(2, 1)),
    "scores past the game hole": lambda one: replace(one, front=(2**40, *one.front[1:])),
    "a score below nought": lambda one: replace(one, front=(-1, *one.front[1:])),
    "no scores": lambda one: replace(one, front=()),
}


def test_an_impossible_play_of_two_is_refused(subtests: pytest.Subtests) -> None:
    for what in CHANGES:
        with subtests.test(what=what):
            one = seen()
            check_play_of_two(one)
            with pytest.raises(ImpossiblePlay):
                LookAhead(CHANGES[what](one))


def test_an_impossible_play_of_any_variant_is_refused(subtests: pytest.Subtests) -> None:
    for variant in [variant for variant in Variant if variant is not Variant.SIX_CARD]:
        one, ratios, luck = seen(variant.value, cards_played=2), kept_ratios(variant), random.Random(1)
        bounds = go_bounds(one)
        assert playouts.card_values(one, bounds, ratios, luck, 4)
        for what, change in CHANGES.items():
            with subtests.test(variant=variant, what=what), pytest.raises(ImpossiblePlay):
                playouts.card_values(change(one), bounds, ratios, luck, 4)


def test_another_variant_is_not_searched() -> None:
    with pytest.raises(ImpossiblePlay, match="five-card"):
        LookAhead(seen("five-card", cards_played=2))


def test_a_hand_without_a_card_that_fits_is_refused() -> None:
    one = seen()
    high = tuple(card for card in DECK if card.value == 10 and card not in (*one.kept, *one.discarded))
    full = replace(one, hand=high[: len(one.hand)], kept=(*high[: len(one.hand)], *one.kept)[:4])
    with pytest.raises(ImpossiblePlay):
        check_play(replace(full, count=31))


def test_r55_a_reneging_opponent_is_refused() -> None:
    """Beliefs of 0 divided by their sum once made the search write outside its memory."""
    view = reneged()
    for reckon in (LookAhead, player("master", 1).act, player("expert", 1).act):
        with pytest.raises(ImpossiblePlay):
            reckon(view)


def test_beliefs_that_are_none_are_refused(subtests: pytest.Subtests) -> None:
    for prior in ((0.0, 0.0), (float("nan"), 1.0), (-1.0, 2.0), (float("inf"), 1.0), ()):
        with subtests.test(prior=prior), pytest.raises(ValueError, match="prior"):
            LookAhead(seen(), Opponent(prior, 0.03))


def test_hands_that_cannot_be_are_not_sampled() -> None:
    one, variant = seen("three-handed", cards_played=3), Variant.THREE_HANDED
    ratios, luck = kept_ratios(variant), random.Random(1)
    with pytest.raises(ImpossiblePlay, match="can hold no"):
        playouts.card_values(one, (10, 10, 10), ratios, luck, 4)
    with pytest.raises(ValueError, match="bounds"):
        playouts.card_values(one, (0, 0), ratios, luck, 4)
    with pytest.raises(ValueError, match="ratios"):
        playouts.card_values(one, go_bounds(one), kept_ratios(Variant.FIVE_CARD), luck, 4)
    with pytest.raises(ValueError, match="none"):
        playouts.card_values(one, go_bounds(one), ratios, luck, 0)


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_hands_of_equal_weight_count_alike(subtests: pytest.Subtests) -> None:
    for ratios in (0.0, float("nan"), float("inf")):
        with subtests.test(ratios=ratios):
            one = seen("three-handed", cards_played=3)
            even = np.full((2, 13**4), ratios)
            values = playouts.card_values(one, go_bounds(one), even, random.Random(1), 8)
            assert values
            assert np.isfinite(list(values.values())).all()


def test_entries_need_different_cards_and_an_open_game() -> None:
    for held in ("5H 5S 6D 7C", "5H 5S 6D 7C JC KD KS", "5H 5S 6D 7C 5H", "5H 5S 6D 7C JC 5H"):
        with pytest.raises(NotationError):
            discards(held, dealer=True, score=(0, 0))
    with pytest.raises(ImpossibleScore):
        win.chances(cards("5H 5S 6D 7C JC"), dealer=True, board=(61, 0), payoff="five-card")
    for board in ((121, 0), (0, 121), (-1, 0), (0, 2**40)):
        with pytest.raises(ImpossibleScore):
            win.chances(cards("5H 5S 6D 7C JC KD"), dealer=True, board=board)
