"""The measurement of fair play: its pool of games is stored, and its simulated people come from it."""

import random
from pathlib import Path

import pytest

from lab.bench.rated_games import Game
from lab.measure import fair_play
from lab.measure.fair_play import LEVELS, count_clear, first_marked, people, read_pool


def test_simulated_people_draw_from_their_levels_and_the_first_mark_is_counted() -> None:
    pool = {level: [(number, 17)] for number, level in enumerate(LEVELS)}
    rng = random.Random(1)
    kinds = people(pool)
    assert kinds["club"](rng, 3) == [(2, 17)] * 3
    assert kinds["improving"](rng, 6) == [(0, 17)] * 2 + [(1, 17)] * 2 + [(2, 17)] * 2
    assert set(kinds["mixed"](rng, 100)) == {(0, 17), (1, 17), (2, 17)}
    assert first_marked([(17, 17)] * 9) == 4
    assert first_marked([(8, 17)] * 9) == 10


def test_stored_games_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def count(game: Game) -> dict[str, object]:
        played.append(game)
        return {"levels": list(game.levels), "number": game.number, "clear": [[1, 2], [3, 4]]}

    monkeypatch.setattr(fair_play, "count_clear", count)
    for _ in range(2):
        pool = read_pool(tmp_path / "games.jsonl", games=2)
        assert {level: len(games) for level, games in pool.items()} == dict.fromkeys(LEVELS, 8)
    assert len(played) == 20
    assert count_clear is not count
