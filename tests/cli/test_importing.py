"""`fifteentwo import` with files of several games, and the commands that read any notation."""

import json
from pathlib import Path

from fifteentwo.rules.record import read
from tests.formats.other_programs import HISTORIES, cribbage_zero, whole_games
from tests.support.commands import run

GAMES = whole_games(range(5))


def test_each_game_of_a_file_is_written(tmp_path: Path) -> None:
    file, out = tmp_path / "club.pgn", tmp_path / "club.txt"
    file.write_bytes("\n".join(map(cribbage_zero, GAMES)).encode("utf-16"))
    result = run("import", str(file), "--out", str(out))
    assert result.exit_code == 0
    assert f"{len(GAMES)} of {len(GAMES)} games were read" in result.stderr
    for number, game in enumerate(GAMES, 1):
        assert read((tmp_path / f"club-{number}.txt").read_text()).names == game.names
    lines = run("import", str(file), "--json").stdout.splitlines()
    assert [json.loads(line)["format"] for line in lines] == ["cribbage-zero"] * len(GAMES)


def test_a_refused_game_is_named_and_other_games_are_written(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    wrong = cribbage_zero(GAMES[0]).replace("S1 ", "S1 9", 1)
    file.write_text(cribbage_zero(GAMES[0]) + wrong)
    result = run("import", str(file))
    assert result.exit_code == 1
    assert result.stdout.count("fifteentwo record 1") == 1
    assert "Game 2: Line " in result.stderr
    assert "Traceback" not in result.stderr


def test_notices_of_a_history_are_in_both_languages(tmp_path: Path) -> None:
    file = tmp_path / "history.txt"
    file.write_text(next(one.history for one in HISTORIES if "counting-order" in one.notices))
    assert "R78" in run("import", str(file)).stderr
    assert "ノンディーラーから順に数え（R78）" in run("import", str(file), "--lang", "ja").stderr


def test_replay_and_export_read_other_notations(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(cribbage_zero(GAMES[0]))
    assert run("replay", str(file)).exit_code == 0
    assert run("export", str(file), "--as", "halscrib").stdout.startswith("PGN for cribbage")
    file.write_text(cribbage_zero(GAMES[0]) + cribbage_zero(GAMES[1]))
    result = run("replay", str(file))
    assert result.exit_code == 1
    assert "2 games" in result.stderr
