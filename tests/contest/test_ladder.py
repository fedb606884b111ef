"""Ladders: all pairs are played, ratings agree with results, intervals cover, stopped ladders continue."""

import json
import random
import sys
from pathlib import Path

import pytest

from fifteentwo.contest.arena import Running, arena
from fifteentwo.contest.ladder import MEAN_RATING, NameTwice, _Meeting, compute_ratings, ladder
from fifteentwo.i18n.ladder import ladder_html, ladder_text
from tests.support.commands import run

LEVELS = ["random", "greedy", "club"]


def test_all_pairs_are_played_and_a_stopped_ladder_goes_on(tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []
    running = Running(checkpoint=tmp_path, report=lambda played, games: reported.append((played, games)))
    result = ladder(LEVELS, 20, 1, running=running)
    assert reported[-1] == (60, 60)
    assert result["players"][-1]["name"] == "random"
    assert [one["levels"] for one in result["arenas"]] == [
        ["random", "greedy"],
        ["random", "club"],
        ["greedy", "club"],
    ]
    assert result["arenas"][1] == arena("random", "club", 20, 1)
    assert sum(one["wins"] for one in result["players"]) == 60
    assert sum(one["rating"] for one in result["players"]) == pytest.approx(3 * MEAN_RATING, abs=0.2)
    again: list[tuple[int, int]] = []
    resumed = Running(checkpoint=tmp_path, report=lambda played, games: again.append((played, games)))
    assert ladder(LEVELS, 20, 1, running=resumed) == result
    assert again == []
    assert json.loads(json.dumps(result)) == result
    for lang, word in (("en", "Rating"), ("ja", "レーティング")):
        page = ladder_html(result, lang)
        assert page.count("<svg") == 3
        assert word in page
        assert "http" not in page
        assert ladder_text(result, lang).count("\n") == 4


def test_the_intervals_of_ratings_cover_the_truth_95_times_in_100() -> None:
    truth, luck, covered = (-150.0, 0.0, 150.0), random.Random(4), 0
    for _ in range(200):
        meetings = []
        for first, second in ((0, 1), (0, 2), (1, 2)):
            chance = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            won = sum(luck.random() < chance for _ in range(400))
            meetings.append(_Meeting(first, second, 400, won, won / 400 * (1 - won / 400)))
        ratings = compute_ratings(3, meetings)
        covered += sum(
            abs(at - MEAN_RATING - was) <= wide for (at, wide), was in zip(ratings, truth, strict=True)
        )
    assert 0.92 <= covered / 600 <= 0.98


def test_a_name_stands_for_one_player() -> None:
    with pytest.raises(NameTwice):
        ladder(["club", "club"], 2, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="engines need process groups")
def test_the_command_reads_a_file_and_writes_a_page(tmp_path: Path) -> None:
    players = tmp_path / "players.txt"
    crash = f"{sys.executable} -c 'import sys; sys.exit(3)'"
    players.write_text(f"# a remark\n\ngreedy\n<Ada> = {crash}\n", encoding="utf-8")
    page = tmp_path / "ladder.html"
    result = run("arena", "--ladder", str(players), "--games", "2", "--jobs", "1", "--html", str(page))
    assert result.exit_code == 0
    assert "<Ada> lost 2 games" in result.stdout
    assert "&lt;Ada&gt;" in page.read_text(encoding="utf-8")
    assert "<Ada>" not in page.read_text(encoding="utf-8")


def test_a_file_that_names_no_players_is_refused(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for written in ("greedy\nclbu\n", "greedy\nAda = ./nowhere\n", "greedy\n", "greedy\ngreedy\n"):
        with subtests.test(written=written):
            players = tmp_path / "players.txt"
            players.write_text(written, encoding="utf-8")
            result = run("arena", "--ladder", str(players), "--games", "2")
            assert (result.exit_code, result.stdout) == (1, "")
            assert len(result.stderr.strip().splitlines()) == 1


def test_players_and_a_ladder_do_not_go_together(tmp_path: Path) -> None:
    players = tmp_path / "players.txt"
    players.write_text("greedy\nclub\n", encoding="utf-8")
    assert run("arena", "greedy", "club", "--ladder", str(players)).exit_code == 2
    assert run("arena", "--ladder", str(players), "--luck").exit_code == 2
    assert run("arena", "greedy", "club", "--html", str(tmp_path / "x.html")).exit_code == 2
