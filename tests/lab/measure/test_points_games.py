"""Whole games for points in bulk: every one ends in the game hole, and they come out as the board says."""

import numpy as np
import pytest

from fifteentwo.strategy.board import TARGET, board
from lab.board.deal import scores_after
from lab.measure.points_games import play_games

PONE, DEALER = 0, 1


def event(side: int, points: int) -> int:
    return points << 4 | side


def test_r2_nothing_is_pegged_once_a_side_is_home() -> None:
    events = np.array(
        [
            [event(PONE, 2), event(DEALER, 5), event(PONE, 8), 0],
            [event(DEALER, 3), event(PONE, 2), event(DEALER, 29), 0],
            [event(PONE, 1), event(DEALER, 1), 0, 0],
        ],
        np.int16,
    )
    scores = np.array([[118, 120], [0, 119], [5, 6]])
    # Player 1 deals: player 0 is the pone.
    assert scores_after(scores, events, 1).tolist() == [[120, 121], [0, 121], [6, 7]]
    assert scores_after(np.array([[5, 6]]), events[2:], 0).tolist() == [[6, 7]]


def test_games_end_at_the_game_hole_and_repeat() -> None:
    games = play_games(300, 4)
    assert (games.scores.max(axis=1) == TARGET).all()
    assert (games.scores.min(axis=1) < TARGET).all()
    assert (games.deals >= 3).all()
    again = play_games(300, 4)
    assert (again.scores == games.scores).all()
    assert (again.deals == games.deals).all()


@pytest.mark.slow
def test_the_first_dealer_wins_as_often_as_by_the_board() -> None:
    games = play_games(200_000, 8)
    won = (games.scores[:, 0] == TARGET).mean()
    assert won == pytest.approx((1 + board().game[0, 0]) / 2, abs=0.005)
    assert games.deals.mean() == pytest.approx(9.11, abs=0.03)
