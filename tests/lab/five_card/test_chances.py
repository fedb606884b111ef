"""What five-card win chances are made of: deals by the kernels against the rules and the exact walk."""

import importlib.util
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from fifteentwo.fast.hands import copies, place
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card, Rank
from fifteentwo.strategy.discards import class_index
from fifteentwo.strategy.files import tables
from fifteentwo.strategy.five_card import FILE
from lab.board.deal import empty_tally
from lab.board.deal_kernels import CARD, CRIB, HAND, HEELS, KIND_SHIFT, LAST_CARD, POINTS_SHIFT
from lab.cfr import DEALER, PONE, Cells
from lab.five_card import chances
from lab.five_card.deals import five_cards
from lab.five_card.pegging import FiveCardPegging, empty_cells, payoffs, weights
from lab.five_card.play_kernels import Strategies
from lab.five_card.types import DISCARDED, KEPT, play_orders

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="minutes without numba")


def strategies(discards: npt.NDArray[Any], cells: Cells) -> Strategies:
    """Return strategies with which both sides discard by probabilities (134459, 10)."""
    summed = np.cumsum(discards, axis=1).astype(np.float32)
    index = class_index(tables(FILE).arrays)
    return chances.strategies(index, (summed, summed), cells)


@pytest.fixture
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "compiled", import_module)


def best_keeps(five: list[Card]) -> list[tuple[Card, ...]]:
    """Return all hands of three cards with the best mean points over all starters."""
    others = [card for card in DECK if card not in five]
    means = {kept: sum(show.points(kept, card) for card in others) for kept in combinations(five, 3)}
    return [kept for kept, points in means.items() if points == max(means.values())]


@pytest.mark.usefixtures("_plain")
def test_r101_r103_deals_discard_by_suit_class_and_show_as_in_the_rules() -> None:
    """Every hand keeps the three cards with the best mean hand, which depends on suits."""
    best = np.eye(10)[five_cards().show.argmax(axis=1)]
    dealt = random_deals(30, 11, 5)
    options = np.full((30, 2), -1, np.int8)
    found, types = chances.play_deals(
        dealt, options, strategies(best, empty_cells()), np.random.default_rng(1)
    )
    certain = 0
    for cards, row, kinds in zip(dealt.tolist(), found.tolist(), types.tolist(), strict=True):
        starter = DECK[cards[10]]
        fives = [DECK[card] for card in cards[:5]], [DECK[card] for card in cards[5:10]]
        keeps = [best_keeps([*five]) for five in fives]
        for side, kept in enumerate(keeps):
            numbers = [place(3)[tuple(sorted(card.index >> 2 for card in three))] for three in kept]
            assert kinds[side] // DISCARDED in numbers
        if len(keeps[0]) == len(keeps[1]) == 1:
            certain += 1
            crib = [card for side in (0, 1) for card in fives[side] if card not in keeps[side][0]]
            expected = {
                (HEELS, DEALER): 2 * (starter.rank is Rank.JACK),
                (HAND, PONE): show.points(keeps[0][0], starter),
                (HAND, DEALER): show.points(keeps[1][0], starter),
                (CRIB, DEALER): show.points(crib, starter, crib=True),
            }
            made = {
                (event >> KIND_SHIFT & 7, event & 1): event >> POINTS_SHIFT & 63 for event in row if event
            }
            assert {key: made.get(key, 0) for key in expected} == expected
    assert certain > 10


@pytest.mark.usefixtures("_plain")
def test_with_starter_gives_deals_with_this_rank() -> None:
    dealt = chances.deals_with_starter(300, 9, np.random.default_rng(3))
    assert {*(dealt[:, 10] >> 2).tolist()} == {9}
    assert all(len({*row}) == 11 for row in dealt.tolist())


@needs_numba
@pytest.mark.long
def test_own_points_of_both_sides_make_the_net_points_of_every_end() -> None:
    pone, dealer, net = chances.side_payoffs(PONE), chances.side_payoffs(DEALER), payoffs()
    assert np.array_equal(pone.plays - dealer.plays, net.plays)
    assert np.array_equal(pone.goes - dealer.goes, net.goes)
    assert min(pone.plays.min(), dealer.plays.min(), pone.goes.min(), dealer.goes.min()) == 0


@needs_numba
@pytest.mark.long
def test_points_pegged_in_deals_equal_the_walk() -> None:
    """Random strategies; any two cards are discarded alike, so that suits do not matter."""
    luck = np.random.default_rng(2)
    cells = Cells(*(luck.random(part.shape, np.float32) for part in vars(empty_cells()).values()))
    starter, number, tally = 4, 400_000, [empty_tally()]
    ours = strategies(np.full((len(five_cards().weight), 10), 0.1), cells)
    chances.count_board(ours, starter, number, tally, luck)
    often = np.bincount(five_cards().type_of.ravel(), minlength=KEPT * DISCARDED) / 10
    ranges = (weights(often.reshape(KEPT, DISCARDED)),) * 2
    means = chances.exact_means(cells, starter, ranges)
    by_type = FiveCardPegging(starter, 1).type_ways(PONE, ranges)
    ways = (ranges[PONE] * by_type).sum()
    for side in (PONE, DEALER):
        exact = float((ranges[PONE] * means[PONE][side]).sum() / ways)
        assert exact == pytest.approx(float((ranges[DEALER] * means[DEALER][1 - side]).sum() / ways))
        made = tally[0].by_kind[side, [CARD, LAST_CARD]].sum() / number
        assert made == pytest.approx(exact, abs=0.015)
    # Every kept hand as often, with any two discards.
    pegged = chances.PeggedPoints.zeros()
    chances.count_pegging(ours, starter, 200_000, PONE, np.zeros((KEPT, DISCARDED)), pegged, luck)
    points = np.arange(pegged.joint.shape[2])
    made = (pegged.joint.sum(axis=(0, 1, 3)) @ points) / pegged.joint.sum()
    own, dealt = ((each / play_orders()).sum(axis=1) for each in (means[PONE][PONE], by_type))
    left = 4 - copies(3)[:, starter]
    assert made == pytest.approx((left * own / dealt).sum() / left.sum(), abs=0.02)
