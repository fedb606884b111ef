"""Five-card play for the chance of winning: discards at a board, and the end of the board."""

import importlib.util

import numpy as np
import pytest

from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.near_end import five_card_moves, shift_log_odds
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.fast.suits import class_row
from fifteentwo.rules.cards import DECK
from fifteentwo.strategy.board import five_card_board
from fifteentwo.strategy.discards import class_index
from fifteentwo.strategy.files import tables
from fifteentwo.strategy.five_card import FILE
from lab.cfr import DEALER, PONE
from lab.five_card import near_end
from lab.five_card.deals import OPTIONS, five_cards
from lab.five_card.play_kernels import option_places
from lab.five_card.win_discards import option_values

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="minutes without numba")


@pytest.mark.parametrize(
    ("board", "role"), [((30, 34), PONE), ((52, 50), DEALER), ((58, 57), PONE), ((58, 57), DEALER)]
)
def test_values_in_bulk_are_near_those_of_each_hand(board: tuple[int, int], role: int) -> None:
    """The differences are due to the own cards in the other side's hand and to suits."""
    values = option_values(board, win.after_deal("five-card", role == DEALER, False), dealer=role == DEALER)
    index, lost, apart = class_index(tables(FILE).arrays), [], []
    for dealt in random_deals(12, 11, 3)[:, :5]:
        order = [0] * 5
        five = sorted(dealt.tolist())
        row = class_row(five, index, order)
        known = win.Prospects([DECK[five[place]] for place in order], dealer=role == DEALER)
        over, paid = win.after_deal("five-card", role == DEALER, False), np.ones(61)
        exact = known.expected(board, over, paid) / 2
        apart.append(values[row] / 2 - exact)
        lost.append(exact.max() - exact[values[row].argmax()])
    assert np.sqrt(np.mean(np.square(apart))) < 0.02
    assert np.mean(lost) < 0.004


def test_an_option_discards_its_two_cards() -> None:
    dealt = random_deals(40, 11, 8)
    index = class_index(tables(FILE).arrays)
    for deal in range(40):
        five, order = sorted(dealt[deal, 5:10].tolist()), [0] * 5
        class_row(five, index, order)
        for number, option in enumerate(OPTIONS):
            places = divmod(option_places(number, order), 5)
            assert {five[place] for place in places} == {five[order[place]] for place in option}


# ── The end of the board ─────────────────────────────────────────────────────────────────────────────────


def test_the_tables_discard_stays_if_it_is_as_good() -> None:
    table = np.zeros((3, 10), np.float32)
    table[:, 2], table[:, 5] = 0.75, 0.25
    values = np.zeros((3, 10), np.float32)
    values[0, 5] = values[1, 7] = 0.5
    values[2, 2], values[2, 5] = 0.5, 0.5 - win.TIE_MARGIN
    chances = np.diff(near_end.discards_to_win(table, values), axis=1, prepend=0)
    assert chances[0, 5] == chances[1, 7] == 1
    assert chances[2] == pytest.approx(table[2])


def test_move_gives_the_wanted_mean() -> None:
    chances, weight = np.array([0.0, 0.2, 0.6, 1.0]), np.array([0.1, 0.4, 0.3, 0.2])
    move = near_end.log_odds_shift(chances, weight, 0.5)
    assert float(shift_log_odds(chances, np.array(move)) @ weight) == pytest.approx(0.5)


@pytest.mark.parametrize("board", [(57, 57), (52, 55)])
def test_both_seats_best_discards_add_up_to_a_hundred_per_cent(board: tuple[int, int]) -> None:
    total = 0.0
    weight = five_cards().weight.astype(np.float64)
    for dealer, (own, other) in ((False, board), (True, board[::-1])):
        values = option_values((own, other), win.after_deal("five-card", dealer, False), dealer=dealer)
        best = np.clip((1 + values.max(axis=1).astype(np.float64)) / 2, 0, 1)
        move = five_card_moves("dealer" if dealer else "pone")[60 - own, 60 - other]
        assert move < 0
        total += float(shift_log_odds(best, np.array(move)) @ weight / weight.sum())
    assert total == pytest.approx(1, abs=0.005)


def test_only_the_end_is_played_to_win() -> None:
    found = five_card_board()
    change = np.abs(found.game - found.game_by_points)
    assert change[51:, 51:].max() > 0.05
    # Boards before it change by what they lead to.
    assert change[0, 3] < 0.01
