"""Records of the library: loaded, saved, described and reviewed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import fifteentwo as ft
from fifteentwo.cli import main
from fifteentwo.rules.record import write


@pytest.fixture(scope="module")
def game() -> ft.Record:
    return ft.play(["greedy", "random"], seed=7)


def test_a_record_survives_saving_and_loading(
    subtests: pytest.Subtests, game: ft.Record, tmp_path: Path
) -> None:
    for name in ("game.txt", "game", "game.json", "GAME.JSON"):
        with subtests.test(name=name):
            game.save(tmp_path / name)
            assert ft.Record.load(tmp_path / name) == game
            assert ft.Record.load_all(str(tmp_path / name)) == (game,)


def test_json_holds_every_variant(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for variant in ("five-card", "three-handed", "partners", "four-handed"):
        with subtests.test(variant=variant):
            seats = ft.rules_for(variant).seats
            game = ft.play(["random"] * seats, variant=variant, seed=2, counting="claimed")
            game.save(tmp_path / "game.json")
            assert ft.Record.load(tmp_path / "game.json") == game
            assert json.loads((tmp_path / "game.json").read_text())["version"] == 1


def test_notations_of_others_keep_the_cards(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for name in ("game.pgn", "game.halscrib", "game.transcript"):
        with subtests.test(name=name):
            game = ft.play(["greedy", "random"], seed=7, cut_before_deal=False, starter="top")
            game.save(tmp_path / name)
            again = ft.Record.load(tmp_path / name)
            assert sorted(again.names) == ["greedy", "random"]
            plays = [
                [action.card for action in one.actions if isinstance(action, ft.Play)]
                for one in (game, again)
            ]
            assert plays[0] == plays[1]


def test_the_command_line_reads_json(game: ft.Record, tmp_path: Path) -> None:
    game.save(tmp_path / "game.json")
    read = CliRunner().invoke(main, ("import", str(tmp_path / "game.json")))
    assert (read.exit_code, read.stdout) == (0, write(game))


def test_damaged_json_is_refused_with_its_place(
    subtests: pytest.Subtests, game: ft.Record, tmp_path: Path
) -> None:
    for change, says in (
        (('"version": 1', '"version": 99'), "99"),
        (('"seat": 0', '"seat": "zero"'), "seat"),
        (('"variant": "six-card"', '"variant": "whist"'), "whist"),
        (('"names": ["greedy", "random"]', '"names": ["greedy"]'), "names"),
        (('"names": ["greedy", "random"]', f'"names": ["{"x" * 101}", ""]'), "names"),
        (('"type": "Discard"', '"type": "Hide"'), "Hide"),
    ):
        with subtests.test(change=change, says=says):
            text = game.text("json")
            assert change[0] in text
            (tmp_path / "game.json").write_text(text.replace(*change, 1))
            with pytest.raises(ft.NotationError) as caught:
                ft.Record.load(tmp_path / "game.json")
            assert caught.value.code == "json-unreadable"
            assert says in caught.value.text


def test_an_action_that_is_not_allowed_is_named_by_its_number(game: ft.Record, tmp_path: Path) -> None:
    lines = game.text("json").splitlines()
    play = next(at for at, line in enumerate(lines) if '"Play"' in line)
    del lines[play]
    (tmp_path / "game.json").write_text("\n".join(lines))
    with pytest.raises(ft.NotationError) as caught:
        ft.Record.load(tmp_path / "game.json")
    assert (caught.value.code, caught.value.position) == ("json-action-refused", play)
    (tmp_path / "cut.json").write_text("\n".join(lines[: play + 3]))
    with pytest.raises(ft.NotationError):
        ft.Record.load(tmp_path / "cut.json")


def test_an_unknown_format_is_refused(game: ft.Record, tmp_path: Path) -> None:
    for wrong in ({"file": tmp_path / "game.doc"}, {"file": tmp_path / "game.txt", "format": "doc"}):
        with pytest.raises(ft.InvalidArgument) as caught:
            game.save(**wrong)
        assert caught.value.code == "not-a-format"
    assert list(tmp_path.iterdir()) == []


def test_a_record_reads_well(game: ft.Record) -> None:
    assert repr(game).startswith("<Record six-card: greedy 121, random ")
    assert "greedy is dealt" in str(game)


def test_all_games_of_a_folder_are_read(game: ft.Record, tmp_path: Path) -> None:
    for name in ("b.txt", "a.json"):
        game.save(tmp_path / name)
    assert ft.Record.load_all(tmp_path) == (game, game)


@pytest.mark.long
def test_a_review_has_the_figures_of_the_command(tmp_path: Path) -> None:
    game = ft.play(["greedy", "random"], seed=7, target=61)
    game.save(tmp_path / "game.txt")
    review = ft.review(game)
    done = CliRunner().invoke(main, ("review", str(tmp_path / "game.txt"), "--json"))
    assert json.loads(done.stdout) == json.loads(json.dumps({"version": 1, **review.to_dict()}))
    words = CliRunner().invoke(main, ("review", str(tmp_path / "game.txt"), "--lang", "en"))
    assert words.stdout.rstrip() == str(review).rstrip()
    assert review.names == ("greedy", "random")
    assert review.seats[1].loss_points > review.seats[0].loss_points
    assert sum(one.decisions for one in review.seats) == len(review.decisions)
    assert 0 <= min(review.curve) <= max(review.curve) <= 1
    assert ft.review(str(tmp_path / "game.txt")).to_dict() == review.to_dict()
    with pytest.raises(ft.InvalidArgument):
        ft.review(7)  # type: ignore[arg-type]
