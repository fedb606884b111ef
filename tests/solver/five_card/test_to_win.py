"""Five-card play for the chance of winning: discards at a board, the end of the board, a responder."""

import importlib.util

import numpy as np
import pytest

from fifteentwo.analysis import win
from fifteentwo.analysis.near_end import five_card_moves, moved
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.fast.suits import class_row
from fifteentwo.rules.cards import DECK
from fifteentwo.solver.five_card import near_end, responder, whole_game
from fifteentwo.solver.five_card.chances import KERNELS, Solution
from fifteentwo.solver.five_card.deals import OPTIONS, five_cards
from fifteentwo.solver.five_card.discards import mixed
from fifteentwo.solver.five_card.pegging import DEALER, PONE, FiveCardPegging, payoffs
from fifteentwo.solver.five_card.walk_kernels import BEST_RESPONSE, MEASURE
from fifteentwo.solver.five_card.win_discards import option_values
from fifteentwo.strategy.board import five_card_board
from fifteentwo.strategy.discards import class_index, tables
from fifteentwo.strategy.five_card import FILE

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="minutes without numba")


@pytest.mark.parametrize("role", [PONE, DEALER])
@pytest.mark.parametrize("board", [(30, 34), (52, 50), (58, 57)])
def test_values_of_all_hands_at_once_are_near_those_of_each(board: tuple[int, int], role: int) -> None:
    """What is left out: one's own cards in the other side's hand, and most of what suits do."""
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


def test_an_option_discards_the_cards_it_is_said_to() -> None:
    dealt = random_deals(40, 11, 8)
    chance = np.random.default_rng(2)
    choices = chance.integers(0, 10, (3, len(five_cards().weight))).astype(np.int8)
    which, options = chance.integers(0, 3, 40), np.full((40, 2), -1, np.int8)
    index = class_index(tables(FILE).arrays)
    compiled(KERNELS).choose(dealt, DEALER, choices, which, index, options)
    assert (options[:, PONE] == -1).all()
    for deal in range(40):
        five, order = sorted(dealt[deal, 5:10].tolist()), [0] * 5
        option = OPTIONS[choices[which[deal], class_row(five, index, order)]]
        places = divmod(int(options[deal, DEALER]), 5)
        assert {five[place] for place in places} == {five[order[place]] for place in option}


# ── The end of the board ─────────────────────────────────────────────────────────────────────────────────


def test_the_tables_discard_stays_where_it_is_as_good() -> None:
    table = np.zeros((3, 10), np.float32)
    table[:, 2], table[:, 5] = 0.75, 0.25
    values = np.zeros((3, 10), np.float32)
    values[0, 5] = values[1, 7] = 0.5
    values[2, 2], values[2, 5] = 0.5, 0.5 - win.AS_GOOD
    chances = np.diff(near_end.discards_to_win(table, values), axis=1, prepend=0)
    assert chances[0, 5] == chances[1, 7] == 1
    assert chances[2] == pytest.approx(table[2])


def test_log_odds_move_so_far_that_the_mean_is_as_asked() -> None:
    chances, weight = np.array([0.0, 0.2, 0.6, 1.0]), np.array([0.1, 0.4, 0.3, 0.2])
    move = near_end.move(chances, weight, 0.5)
    assert float(moved(chances, np.array(move)) @ weight) == pytest.approx(0.5)


@pytest.mark.parametrize("board", [(57, 57), (52, 55)])
def test_both_seats_best_discards_add_up_to_a_hundred_per_cent(board: tuple[int, int]) -> None:
    total = 0.0
    weight = five_cards().weight.astype(np.float64)
    for dealer, (own, other) in ((False, board), (True, board[::-1])):
        values = option_values((own, other), win.after_deal("five-card", dealer, False), dealer=dealer)
        best = np.clip((1 + values.max(axis=1).astype(np.float64)) / 2, 0, 1)
        move = five_card_moves("dealer" if dealer else "pone")[60 - own, 60 - other]
        assert move < 0
        total += float(moved(best, np.array(move)) @ weight / weight.sum())
    assert total == pytest.approx(1, abs=0.005)


def test_the_end_alone_is_played_to_win() -> None:
    found = five_card_board()
    change = np.abs(found.game - found.game_by_points)
    assert change[51:, 51:].max() > 0.05
    # Boards before it change by what they lead to.
    assert change[0, 3] < 0.01


# ── A responder over whole games ─────────────────────────────────────────────────────────────────────────


@needs_numba
@pytest.mark.parametrize("side", [PONE, DEALER])
def test_points_of_equal_weight_are_the_net_points_of_the_walk(side: int) -> None:
    for one, other in zip(responder.weighted_points(side, (1, 1)), payoffs(), strict=True):
        assert (one == other).all()


@needs_numba
@pytest.mark.long
@pytest.mark.parametrize("side", [PONE, DEALER])
def test_a_way_to_peg_gains_all_that_a_best_response_can(side: int) -> None:
    solution, game = Solution(), FiveCardPegging(4, threads=1)
    cells, ranges = solution.cells(4), solution.ranges()
    way = responder.best_pegging(game, side, (2, 3), ranges, cells)
    points, weight = responder.weighted_points(side, (2, 3)), ranges[side].astype(np.float64)
    made, best, before = (
        float((weight * game.sweep(side, mode, ranges, source, points=points)).sum())
        for source, mode in (
            (responder.played(cells, side, way), MEASURE),
            (cells, BEST_RESPONSE),
            (cells, MEASURE),
        )
    )
    assert best > before
    # Sums of 32 bits: which of two cards as good is played depends on the processor.
    assert abs(best - made) < 1e-5 * (best - before)


@needs_numba
@pytest.mark.long
def test_a_responder_that_plays_as_the_table_gains_nothing() -> None:
    """Discards without chance in them, the same pegging with every starter."""
    solution = Solution()
    choice = [np.diff(chances, axis=1, prepend=0).argmax(axis=1) for chances in solution._chances]
    solution._chances = [np.cumsum(np.eye(10)[one], axis=1).astype(np.float32) for one in choice]
    choices = np.stack(choice).astype(np.int8)
    at = np.broadcast_to(np.arange(2)[:, None, None], (2, 61, 61))
    ways = np.zeros((2, 61, 61, whole_game.BINS), np.int8)
    discards = responder.WinDiscards(choices, np.full_like(choices, -1), at)
    cells = [whole_game.in_sevenths(solution.cells(4))] * 13
    same = whole_game.Responder(solution, cells, [], discards, ways)
    for to_win in (True, False):
        results = whole_game.play_games(same, 600, np.random.default_rng(3), to_win=to_win)
        assert (results.gained == 0).all()
        assert set(results.plain.tolist()) == {-1.0, 1.0}
        assert abs(results.plain.mean()) < 0.2
    # Cards that the table never discards are worse: of the side the responder meets, or its own.
    bad = np.stack([chances.argmin(axis=1) for chances in (np.eye(10)[one] for one in choice)]).astype(
        np.int8
    )
    met = same._replace(discards=discards._replace(by_score=bad))
    for to_win, sign in ((True, 1), (False, -1)):
        results = whole_game.play_games(met, 600, np.random.default_rng(3), to_win=to_win)
        assert sign * results.plain.mean() > 0.3
        assert sign * results.gained.sum(axis=1).mean() > 0.3


def test_what_the_table_discards_stays_where_all_of_it_is_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(responder, "SCORES", np.array([0, 57]))
    table = [mixed(each.total) for each in Solution().discards]
    found = responder.win_discards((table[0], table[1]))
    begin, end = found.at[0, 0, 0], found.at[0, 57, 57]
    stays = (found.by_score == -1).mean(axis=1)
    assert stays[begin] > 0.9
    assert 0.2 < stays[end] < stays[begin]
    other = found.by_score != -1
    assert (found.by_score[other] == found.choices[other]).all()
