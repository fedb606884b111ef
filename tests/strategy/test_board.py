"""The board: allowed and refused questions, and damaged tables."""

from pathlib import Path

import numpy as np
import pytest

from fifteentwo.analysis.win import model as win
from fifteentwo.strategy import board as race
from fifteentwo.strategy.files import DamagedTable, data_file
from lab.files import write_tables


def test_at_120_all_the_pone_wants_is_a_point() -> None:
    assert race.board().game[60, 120] < -0.98


def test_r18_r20_skunks_count_two_and_double_skunks_four() -> None:
    board = race.board()
    assert board.game[110, 20] == pytest.approx(1, abs=0.01)
    assert 1.9 < board.skunk[110, 20] <= 2
    assert 3.5 < board.double[110, 20] <= 4
    # The pone is 90 points ahead.
    assert -4 <= board.double[20, 110] < -3.5
    assert board.double[95, 95] == pytest.approx(board.game[95, 95], abs=2e-6)


def test_a_game_that_is_over_pays(subtests: pytest.Subtests) -> None:
    for own, opponent, payoff, games in (
        (121, 120, "skunk", 1),
        (121, 91, "skunk", 1),
        (121, 90, "skunk", 2),
        (60, 121, "double", -4),
        (61, 121, "double", -2),
        (61, 30, "half", 2),
        (31, 61, "half", -1),
        (130, 0, "game", 1),
    ):
        with subtests.test(own=own, opponent=opponent, payoff=payoff, games=games):
            assert win.after_deal(payoff, True, True)[own, opponent] == games
            assert win.after_deal(payoff, False, False)[own, opponent] == (1 if games > 0 else -1)


def test_an_unknown_payoff_is_refused() -> None:
    with pytest.raises(race.ImpossibleScore):
        race.games_paid(3, "best")  # type: ignore[arg-type]


def test_standard_errors_come_with_the_board_and_none_is_above_a_twentieth_of_a_per_cent() -> None:
    errors = race.board().game_error
    assert errors[0, 0] > 0
    assert 0 < float(errors.max()) / 2 <= 0.0005


def test_a_table_of_something_else_is_no_board(tmp_path: Path) -> None:
    path = tmp_path / "other.table"
    good = {name: np.zeros((121, 121), np.float32) for name in race.Board._fields}
    for wrong in (
        {**good, "skunk": np.zeros((120, 121), np.float32)},
        {**good, "game": np.full((121, 121), np.nan, np.float32)},
    ):
        write_tables(path, {}, wrong)
        with pytest.raises(DamagedTable, match="no board"):
            race.read_board(path)
    del good["double_error"]
    write_tables(path, {}, good)
    with pytest.raises(DamagedTable, match="no board"):
        race.read_board(path)


def test_the_board_is_small_and_cannot_be_changed() -> None:
    assert data_file(race.NAME).stat().st_size <= 1_000_000
    with pytest.raises(ValueError, match="read-only"):
        race.board().game[0, 0] = 1
