"""What people type first: cards, ranks, notes and lists in their usual forms."""

import csv
import json
from pathlib import Path

import msgspec
import pytest

import fifteentwo as ft
from tests.support.commands import run

CSV = (
    'hand,starter\n"5H 5S 5D JC",5C # a note\n5H5S5DJC 5C\n\n# only a note\n5H,5S,5D,JC,5C\n'
    "4H 5H 6H 7H 8S crib\ncrib: 4H5H6H7H8H\n"
)


def test_the_last_of_five_cards_is_the_starter() -> None:
    for words in (["5H", "5S", "5D", "JC", "5C"], ["5H5S5DJC5C"], ["♥5 ♠5 ♦5 ♣J ♣5"]):
        result = run("score", *words)
        assert result.stdout.splitlines()[0] == "The last card is the starter: 5C"
        assert result.stdout.splitlines()[-1] == "29"
    assert json.loads(run("score", "5H5S5DJC5C", "--json").stdout)["starter"] == "5C"
    for words in (["5H", "5S", "5D", "JC"], ["5H5S5DJC"]):
        assert "starter is missing" in run("score", *words).stderr


def test_a_list_of_hands_may_be_csv_with_notes_and_cribs() -> None:
    points = run("score", "--all", "-", given=CSV).stdout.splitlines()
    assert points == ["", "29", "29", "", "", "29", "9", "14"]


def test_ranks_alone_are_compared_and_the_suits_are_printed() -> None:
    for command, words in (("discard", "5 5 6 7 J K"), ("discard", "5567JK"), ("book", "5-5-6-7-J-K")):
        result = run(command, *words.split(), "--dealer")
        assert result.exit_code == 0
        assert "Only ranks are given" in result.stderr
    assert "5" in run("discard", "5 5 5 5 5 K", "--dealer").stderr


def test_a_note_may_follow_a_position() -> None:
    plain = run("discard", "110-116 pone 5H5S6D7CJCKD")
    noted = run("discard", "110-116 pone 5H5S6D7CJCKD # a note")
    assert plain.exit_code == noted.exit_code == 0
    assert noted.stdout == plain.stdout


def test_the_book_says_what_its_frequency_is() -> None:
    foot = run("book", "5H5S6D7CJCKD", "--pone", "--board", "110-116").stdout.splitlines()[-1]
    assert "“For points alone” is how often" in foot


def test_luck_is_the_mean_of_games_with_chances(tmp_path: Path) -> None:
    ft.play("greedy", "random", seed=1, cut_before_deal=False, target=61).save(tmp_path / "two.txt")
    words = ("stats", str(tmp_path), "--player", "greedy", "--jobs", "1", "--json")
    (alone,) = json.loads(run(*words).stdout)["players"]
    ft.play("greedy", "random", "random", seed=1, variant="three-handed").save(tmp_path / "three.txt")
    (player,) = json.loads(run(*words).stdout)["players"]
    assert (player["games"], player["luck"], player["loss"]) == (2, alone["luck"], alone["loss"])
    assert player["loss_points"] != alone["loss_points"]


def test_serving_accepts_no_browser() -> None:
    assert "--no-browser" in run("serve", "--help").stdout


def test_a_symbolic_link_to_itself_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    result = run("backup", str(tmp_path / "loop"))
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("notation", ["json", "transcript", "halscrib"])
def test_every_notation_that_export_offers_is_read_again(notation: str, tmp_path: Path) -> None:
    game, written = tmp_path / "game.txt", tmp_path / "written.txt"
    ft.play("greedy", "greedy", seed=1, cut_before_deal=False).save(game)
    assert run("export", str(game), "--as", notation, "--out", str(written)).exit_code == 0
    assert run("import", str(written)).exit_code == 0


def _games(folder: Path) -> Path:
    folder.mkdir()
    for number, names in enumerate((("Aiko", "Ken"), ("Ken", "aiko k."))):
        game = ft.play("greedy", "random", seed=number, cut_before_deal=False, target=61)
        record = msgspec.structs.replace(game, names=names)
        record.save(folder / f"2026-1{number}-05.txt")
    return folder


def test_reviews_take_several_files_and_name_those_that_fail(tmp_path: Path) -> None:
    folder = _games(tmp_path / "games")
    (folder / "notes.txt").write_text("not a game")
    result = run("review", str(folder), "--json", "--jobs", "1")
    assert [Path(json.loads(line)["file"]).name for line in result.stdout.splitlines()] == [
        "2026-10-05.txt",
        "2026-11-05.txt",
    ]
    assert result.exit_code == 1
    assert "notes.txt" in result.stderr
    assert run("verify", *map(str, folder.glob("2026*"))).stderr.count("2026") == 2
    assert run("import", str(folder), "--out", str(tmp_path / "all.txt")).exit_code == 1
    assert (tmp_path / "all-2.txt").exists()


def test_statistics_join_spellings_and_count_each_game_once(tmp_path: Path) -> None:
    folder = str(_games(tmp_path / "games"))
    words = ("stats", folder, "--player", "Aiko=aiko k.", "--jobs", "1")
    (player,) = json.loads(run(*words, "--json").stdout)["players"]
    assert (player["games"], [one["name"] for one in player["months"]]) == (2, ["2026-10", "2026-11"])
    assert [one["name"] for one in player["opponents"]] == ["Ken"]
    (ken,) = json.loads(run("stats", folder, "--player", "Ken", "--jobs", "1", "--json").stdout)["players"]
    assert player["won"] + ken["won"] == 2
    assert player["skunks"] == ken["skunked"]
    rows = list(csv.DictReader(run(*words, "--csv").stdout.splitlines()))
    assert float(rows[0]["loss_points"]) == player["loss_points"]
    assert len(rows) == 4
    assert float(rows[0]["hand"]) == player["hand"]
    assert "Nobody" in run("stats", folder, "--player", "Nobody", "--jobs", "1").stderr


def test_a_bot_that_is_typed_by_habit_is_run_or_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = Path("mybot.js")
    bot.write_text("")
    for words in (
        ("bot", "check", "mybot.js"),
        ("arena", "mybot.js", "random"),
        ("bot", "check", "./mybot.js"),
    ):
        assert "chmod +x" in run(*words).stderr
    assert "fifteentwo bot check “mybot.js”" in run("bot", "mybot.js").stderr
