"""The output and the errors of the commands."""

import json
import random
import re
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fifteentwo.cli import levels
from fifteentwo.contest import arena
from fifteentwo.contest.table import Table
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.game import legal
from fifteentwo.rules.record import Record, read, write
from fifteentwo.rules.variants import Variant, rules_for
from tests.dealing.games import played
from tests.support.command_runs import run


def record_text(variant: str = "six-card", seed: int = 1, **options: Any) -> str:
    rules = rules_for(variant, **options)
    table, choose = Table(rules, seeded(seed)), random.Random(seed)
    while not table.over:
        action = choose.choice(legal(table.state))
        table.submit(action.seat, action)  # type: ignore[union-attr, arg-type]
    names = tuple(f"Player {seat}" for seat in range(rules.seats))
    return write(Record(rules=rules, names=names, actions=tuple(table.actions)))


def test_score_counts_the_hand_of_29() -> None:
    result = run("score", "5H", "5S", "5D", "JC", "--starter", "5C", "--json")
    counted = json.loads(result.output)
    assert counted["points"] == 29
    assert [score["total"] for score in counted["scores"]] == [2, 4, 6, 8, 10, 12, 14, 16, 28, 29]
    assert counted["scores"][-1] == {"name": "nobs", "cards": ["JC"], "points": 1, "total": 29, "rule": "R87"}


def test_score_speaks_the_count(subtests: pytest.Subtests) -> None:
    for lang, word in (("en", "and one's thirteen"), ("ja", "ヒズ・ノブで13")):
        with subtests.test(lang=lang, word=word):
            lines = run(
                "score", "5H", "5S", "6D", "JC", "--starter", "7C", "--lang", lang
            ).output.splitlines()
            assert word in lines[-2]
            assert lines[-1] == "13"


def test_score_counts_cribs_and_five_card_hands() -> None:
    hand = ("2H", "4H", "6H", "8H", "--starter", "KC", "--json")
    assert json.loads(run("score", *hand).output)["points"] == 4
    assert json.loads(run("score", *hand, "--crib").output)["points"] == 0
    three = run("score", "2H", "4H", "8H", "--starter", "QH", "--five-card", "--json")
    assert json.loads(three.output)["points"] == 4


def test_score_refuses_an_invalid_hand_in_one_line(subtests: pytest.Subtests) -> None:
    for words, lang in product(
        (
            ("5H", "5S", "5D", "1X", "--starter", "5C"),
            ("5H", "5S", "5D", "5H", "--starter", "5C"),
            ("5H", "5S", "5D", "JC", "--starter", "JC"),
            ("5H", "5S", "5D", "--starter", "JC"),
            ("5H", "5S", "5D", "JC", "--starter", "5C", "--five-card"),
        ),
        ("en", "ja"),
    ):
        with subtests.test(words=words, lang=lang):
            result = run("score", *words, "--lang", lang)
            assert result.exit_code == 1
            assert result.stdout == ""
            assert len(result.stderr.strip().splitlines()) == 1
            assert "Traceback" not in result.stderr


def test_score_names_the_line_it_cannot_read(subtests: pytest.Subtests) -> None:
    for line in ("5H 5S", "5H 5S 5D JC 5X", "5H 5H 5D JC 5C", "5H 5S 5D JC"):
        with subtests.test(line=line):
            result = run("score", "--all", "-", given=f"5H 5S 5D JC 5C\n{line}\n")
            assert result.exit_code == 1
            assert "2" in result.stderr.replace(line, "")


def test_discard_puts_the_best_first() -> None:
    result = json.loads(run("discard", "5H", "5S", "6D", "7C", "JC", "KD", "--dealer", "--json").output)
    nets = [option["net"] for option in result["options"]]
    assert len(nets) == 15
    assert nets == sorted(nets, reverse=True)
    assert set(result["options"][0]) >= {"discard", "keep", "hand", "crib", "pegging", "net", "win"}


def test_replay_describes_a_game_to_its_end(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for variant, lang in product(list(Variant), ("en", "ja")):
        with subtests.test(variant=variant, lang=lang):
            file = tmp_path / "game.txt"
            file.write_text(record_text(variant), encoding="utf-8")
            result = run("replay", str(file), "--lang", lang)
            assert result.exit_code == 0, result.output
            assert len(result.output.splitlines()) > 50


def test_replay_names_what_is_wrong_with_a_record(tmp_path: Path) -> None:
    whole = record_text()
    lines = whole.splitlines(keepends=True)
    damaged = {
        "cut short": "".join(lines[:40]),
        "a changed card": whole.replace("play 0", "play 1", 1),
        "no record": "hello\n",
        "empty": "",
    }
    file = tmp_path / "game.txt"
    for text in damaged.values():
        file.write_text(text, encoding="utf-8")
        result = run("replay", str(file))
        assert result.exit_code == 1
        assert len(result.stderr.strip().splitlines()) == 1


def test_replay_names_the_rule_an_action_breaks(tmp_path: Path) -> None:
    lines = [line for line in record_text().splitlines(keepends=True) if not line.startswith("sum")]
    first = next(number for number, line in enumerate(lines) if line.startswith("play"))
    lines[first] = lines[first + 1]
    file = tmp_path / "game.txt"
    file.write_text("".join(lines), encoding="utf-8")
    result = run("replay", str(file))
    assert result.exit_code == 1
    assert f"{first + 1}" in result.stderr
    assert "(R" in result.stderr


def test_bot_answers_a_view_after_an_invalid_line() -> None:
    from fifteentwo.rules.record import from_json, to_json
    from fifteentwo.rules.view import choices, view

    table = Table(rules_for("six-card"), seeded(3))
    while table.state.phase != "discard":
        action = legal(table.state)[0]
        table.submit(action.seat, action)  # type: ignore[union-attr, arg-type]
    seen = view(table.state, 0)
    result = run("bot", "greedy", given=f"nonsense\n{to_json(seen).decode()}\nquit\n")
    first, second = result.stdout.splitlines()
    assert json.loads(first)["type"] == "error"
    assert from_json(second, type(choices(seen)[0])) in choices(seen)


ARENA = ("arena", "greedy", "random", "--games", "30", "--seed", "3", "--jobs", "1")


def test_an_arena_reports_progress_and_result_in_both_languages(
    subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By this clock every batch of 10 games takes half a minute."""
    monkeypatch.setattr(arena, "PAIRS_IN_A_BATCH", 5)
    for lang, says, hurries in (
        ("en", "Six-card: greedy against random, 30 games, seed 3", "20 of 30 games, about 30 s left"),
        ("ja", "シックス・カード：greedy対random、30ゲーム（シード3）", "30ゲーム中20ゲーム終了、残り約30秒"),
    ):
        with subtests.test(lang=lang, says=says, hurries=hurries):
            clock = map(float, range(0, 3000, 30))
            monkeypatch.setattr(levels, "time", SimpleNamespace(monotonic=clock.__next__))
            result = run(*ARENA, "--lang", lang)
            assert result.stdout.splitlines()[0] == says
            assert len(result.stdout.splitlines()) == 5
            assert hurries in result.stderr.splitlines()


def test_verify_speaks_both_languages(subtests: pytest.Subtests) -> None:
    for lang, start in (
        ("en", "Every card dealt or turned up is as committed to ("),
        ("ja", "配ったカードもめくったカードも、すべて約束どおりです（"),
    ):
        with subtests.test(lang=lang, start=start):
            record = played(0)
            result = run("verify", "-", "--lang", lang, given=write(record))
            assert result.stdout.startswith(start)
            assert record.commitment in result.stdout
            number = json.loads(run("verify", "-", "--json", given=write(record)).stdout)["decks"]
            assert f"{number}" in result.stdout.removeprefix(start)


def test_review_speaks_both_languages(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    whole = read(record_text("five-card", counting="claimed"))
    begun = Record(rules=whole.rules, names=whole.names, actions=whole.actions[:24])
    file.write_text(write(begun), encoding="utf-8")
    english, japanese = (
        run("review", str(file), "--lang", lang).stdout.splitlines() for lang in ("en", "ja")
    )
    assert len(english) == len(japanese) > 10
    assert english[0].startswith("deal 1  ")
    assert english[0].endswith(" percentage points of win chance lost")
    assert japanese[0].startswith("第1ディール  ")
    assert japanese[0].endswith("ポイントの損")
    whys = [[line.startswith("    ") for line in lines] for lines in (english, japanese)]
    assert whys[0] == whys[1]
    assert any(whys[0]), "what cost much says why"
    assert english[-5].startswith("Player 0: ")
    assert japanese[-5].startswith("Player 0：")


WRONG_USAGE = [
    ("discard 5H 5S 6D 7C JC KD", "--pone"),
    ("discard 5H 5S 6D 7C JC --variant five-card --dealer --board 100-60", "61"),
    ("discard 5H 5S 6D 7C JC KD --dealer --board 121-3", "121"),
    ("discard 5H 5S 6D 7C JC KD --dealer --board=-5-3", "121"),
    ("discard 5H 5S 6D 7C JC KD --dealer --board 5-3-2", "121"),
    ("score 5H 5S 5D JC", "--starter"),
]


def test_wrong_usage_is_explained_in_both_languages(subtests: pytest.Subtests) -> None:
    for line, named in WRONG_USAGE:
        with subtests.test(line=line, named=named):
            for lang in ("en", "ja"):
                result = run(*line.split(), "--lang", lang)
                assert result.exit_code == 2
                sentence = result.stderr.splitlines()[-1].removeprefix("Error: ")
                assert named in sentence
                assert bool(re.search("[ぁ-ん]", sentence)) == (lang == "ja")


def test_an_unreachable_cluster_is_refused_before_anything_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    result = run("arena", "greedy", "random", "--dask", "nowhere", "--lang", "ja")
    assert result.exit_code == 2
    assert "スケジューラ" in result.stderr
    monkeypatch.setattr("fifteentwo.extras.find_spec", lambda _: None)
    result = run("arena", "greedy", "random", "--dask", "127.0.0.1:8786", "--lang", "ja")
    assert result.exit_code == 1
    assert 'pip install "fifteentwo[cluster]"' in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_not_utf_8_is_refused_in_both_languages(
    subtests: pytest.Subtests, tmp_path: Path
) -> None:
    for lang in ("en", "ja"):
        with subtests.test(lang=lang):
            file = tmp_path / "game.txt"
            file.write_bytes(b"\xff\xfe\x00")
            for words in (("replay",), ("review",), ("verify",), ("score", "--all")):
                result = run(*words, str(file), "--lang", lang)
                assert result.exit_code == 1
                assert "UTF-8" in result.stderr
                assert file.name in result.stderr
                assert bool(re.search("[ぁ-ん]", result.stderr)) == (lang == "ja")


def test_a_failed_write_is_reported_in_one_line_with_the_file(tmp_path: Path) -> None:
    inside = tmp_path / "file" / "folder"
    (tmp_path / "file").touch()
    result = run(*ARENA, "--checkpoint", str(inside), "--lang", "ja")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"fifteentwo: {inside}：")
    assert len(result.stderr.splitlines()) == 1
