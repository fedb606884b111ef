"""Win chances by score: what a player may ask, what is refused, and what a damaged table does."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from fifteentwo.book import board as race
from fifteentwo.book.board import Payoff
from fifteentwo.book.files import DamagedTable, data_file, write_tables


@pytest.mark.parametrize(("own", "opponent"), [(0, 0), (120, 120), (60, 91), (117, 3)])
def test_one_side_wins(own: int, opponent: int) -> None:
    for dealer in (True, False):
        both = race.win_chance(own, opponent, dealer) + race.win_chance(opponent, own, not dealer)
        assert both == pytest.approx(1, abs=1e-6)


def test_at_120_all_the_pone_wants_is_a_point() -> None:
    assert race.win_chance(120, 60, dealer=False) > 0.99
    assert race.win_chance(60, 120, dealer=True) < 0.01


def test_r19_a_half_game_is_the_same_race_begun_at_sixty() -> None:
    for own, opponent, dealer in ((0, 0, True), (31, 12, False), (60, 60, True)):
        assert race.win_chance(own, opponent, dealer, "half") == race.win_chance(
            own + 60, opponent + 60, dealer
        )
        assert race.expected_games(own, opponent, dealer, "half") == race.expected_games(
            own + 60, opponent + 60, dealer, "skunk"
        )


def test_r18_r20_skunks_count_two_and_double_skunks_four() -> None:
    assert race.expected_games(110, 20, True, "game") == pytest.approx(1, abs=0.01)
    assert 1.9 < race.expected_games(110, 20, True, "skunk") <= 2
    assert 3.5 < race.expected_games(110, 20, True, "double") <= 4
    assert -4 <= race.expected_games(20, 110, True, "double") < -3.5
    assert race.expected_games(95, 95, True, "double") == pytest.approx(
        2 * race.win_chance(95, 95, True) - 1, abs=1e-6
    )


@pytest.mark.parametrize(
    ("own", "opponent", "payoff", "games"),
    [
        (121, 120, "skunk", 1),
        (121, 91, "skunk", 1),
        (121, 90, "skunk", 2),
        (60, 121, "double", -4),
        (61, 121, "double", -2),
        (61, 30, "half", 2),
        (31, 61, "half", -1),
        (130, 0, "game", 1),
    ],
)
def test_a_game_that_is_over_pays(own: int, opponent: int, payoff: Payoff, games: int) -> None:
    assert race.next_deal_games(own, opponent, dealt=True, payoff=payoff) == games
    assert race.next_deal_chance(own, opponent, dealt=False, payoff=payoff) == (games > 0)


def test_after_a_deal_the_other_side_deals() -> None:
    assert race.next_deal_chance(40, 50, dealt=True) == race.win_chance(40, 50, dealer=False)
    assert race.next_deal_games(40, 50, dealt=False) == race.expected_games(40, 50, dealer=True)


@pytest.mark.parametrize(
    ("own", "opponent", "payoff"),
    [(121, 0, "game"), (-1, 0, "game"), (61, 0, "half"), (0, 400, "double"), (3, 3, "best")],
)
def test_scores_no_deal_starts_with_are_refused(own: int, opponent: int, payoff: Payoff) -> None:
    for ask in (race.win_chance, race.expected_games, race.standard_error):
        with pytest.raises(race.ImpossibleScore):
            ask(own, opponent, True, payoff)


def test_two_winners_are_refused() -> None:
    with pytest.raises(race.ImpossibleScore, match="both"):
        race.next_deal_chance(121, 124, dealt=True)
    with pytest.raises(race.ImpossibleScore):
        race.games_paid(3, "best")  # type: ignore[arg-type]


def test_standard_errors_come_with_the_board_and_none_is_above_a_twentieth_of_a_per_cent() -> None:
    assert race.standard_error(0, 0, True) > 0
    assert 0 < float(race.board().game_error.max()) / 2 <= 0.0005
    assert race.standard_error(10, 20, True, "half") == race.standard_error(70, 80, True)


def test_a_damaged_board_is_named(tmp_path: Path) -> None:
    whole = data_file(race.NAME).read_bytes()
    for number, damaged in enumerate((whole[:-7], whole[:40_000] + b"!" + whole[40_001:], b"", b"no board")):
        path = tmp_path / f"{number}.table"
        path.write_bytes(damaged)
        with pytest.raises(DamagedTable, match=rf"^{number}\.table") as caught:
            race.read_board(path)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(DamagedTable, match="missing"):
        race.read_board(tmp_path / "missing.table")


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
