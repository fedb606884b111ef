"""`make rating` for games whose ratings and luck are known."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lab.bench import rated_games, rating
from lab.bench.judged_decisions import spearman
from lab.bench.rated_games import LEVELS, Game, rows

LOSSES = dict(zip(LEVELS, (0.03, 0.011, 0.0065, 0.004, 0.002, 0.0001), strict=True))


def game(weak: str, strong: str, number: int) -> dict[str, Any]:
    won = number % 2
    seats = [
        {"losses": [[LOSSES[level], 1.0]] * 10, "result": float(seat == won), "adjusted_result": 0.5}
        for seat, level in enumerate((weak, strong))
    ]
    luck = [0.1, -0.1] if won else [-0.2, 0.2]
    return {"levels": [weak, strong], "number": number, "luck": luck, "kinds": {}, "seats": seats}


POOL = [game(LEVELS[place], LEVELS[place + 1], number) for place in range(5) for number in range(20)]


def test_levels_are_rated_by_what_they_lost_and_ranked_in_every_draw() -> None:
    for level, lost in LOSSES.items():
        assert rating.total_rating(rating.level_losses(POOL, level)) == pytest.approx(10_000 * lost)
    table = rating.levels_table(POOL)
    assert len(table) == 2 + len(LEVELS)
    assert not any("NO" in line for line in table)
    assert rating.ranking(POOL)[0].startswith("All six in order in 100 of 100")


def test_a_level_that_plays_like_another_is_not_ranked() -> None:
    swapped = json.loads(
        json.dumps(POOL).replace("casual", "#").replace("club", "casual").replace("#", "club")
    )
    assert rating.ranking(swapped)[0].startswith("All six in order in 0 of 100")
    assert any("NO" in line for line in rating.levels_table(swapped))


def test_luck_that_is_not_zero_is_printed() -> None:
    assert "(within 2" in rating.mean_and_error(np.array([0.1, -0.1, 0.2, -0.2]))
    assert "(NOT within 2" in rating.mean_and_error(np.array([0.1, 0.1, 0.2, 0.2]))
    assert "200 deals" in rating.luck_table(POOL)[0]


def test_ranks_that_are_alike_are_shared() -> None:
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 30.0])) == pytest.approx(1)
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])) == pytest.approx(-1)
    # Ranks 1.5 1.5 3 against 1 2 3.
    assert spearman(np.array([0.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0])) == pytest.approx(0.75**0.5)


def test_games_are_played_once_and_an_incomplete_line_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Game] = []

    def row(one: Game) -> dict[str, Any]:
        played.append(one)
        return game(*one.levels, one.number)

    monkeypatch.setattr(rated_games, "row", row)
    wanted = [Game(("casual", "club"), number) for number in range(3)]
    kept = tmp_path / "games.jsonl"
    first = list(rows(wanted, kept))
    assert played == wanted
    assert sorted(map(str, rows(wanted, kept))) == sorted(map(str, first))
    assert played == wanted
    kept.write_text(kept.read_text()[:-20])
    assert len(list(rows(wanted, kept))) == 3
    assert played == [*wanted, wanted[-1]]
    # An incomplete line does not damage the next line.
    assert len(list(rows(wanted, kept))) == 3
    assert len(played) == 4
