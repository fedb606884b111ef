"""Faults that users found at the command line, each with the words they typed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fifteentwo.cli import main
from fifteentwo.cli.language import env_language
from fifteentwo.players import LEVELS
from fifteentwo.rules.record import Record, read, write
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.connection import database_url
from lab.__main__ import main as lab
from tests.edges.command_lines import STEERING, record_text

JAPANESE = re.compile("[ぁ-ん]")
SIX = "discard 5H 5S 6D 7C JC KD"
FIVE = "discard 5H 5S 6D 7C JC"


def run(line: str, given: str | bytes = "", **environment: str) -> Result:
    clean = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "C.UTF-8", "LANGUAGE": ""}
    return CliRunner().invoke(main, line.split(), input=given, env=clean | environment)


def program(script: str, file: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", script, "bash", str(file)],
        env={**os.environ, "PYTHON": sys.executable, "FIFTEENTWO_NUMBA": "off", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.fixture
def game(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text(record_text(Variant.FIVE_CARD, 4), encoding="utf-8")
    return file


# ── discard ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_board_is_refused_if_the_variant_has_no_win_probability(subtests: pytest.Subtests) -> None:
    for variant in (Variant.THREE_HANDED, Variant.PARTNERS, Variant.FOUR_HANDED):
        with subtests.test(variant=variant):
            result = run(f"{FIVE} --dealer --variant {variant.value} --board 20-30")
            assert result.exit_code == 2
            assert "two players only" in result.stderr.splitlines()[-1]


def test_dealer_and_pone_exclude_each_other(subtests: pytest.Subtests) -> None:
    for sides in ("--dealer --pone", "--pone --dealer", ""):
        with subtests.test(sides=sides):
            assert run(f"{SIX} {sides}").exit_code == 2


def test_why_compares_what_the_board_chose_by_the_chance_to_win() -> None:
    board = "--pone --board 110-116"
    options = json.loads(run(f"{SIX} {board} --json").stdout)["options"]
    why = json.loads(run(f"{SIX} {board} --why --json").stdout)
    assert [why["first"], why["second"]] == [option["discard"] for option in options[:2]]
    assert [why["win"]["first"], why["win"]["second"]] == [option["win"] for option in options[:2]]
    assert why["win"]["difference"] > 0
    for lang, words in (("en", "chance to win"), ("ja", "勝率")):
        assert words in run(f"{SIX} {board} --why --lang {lang}").stdout
    assert json.loads(run(f"{SIX} --pone --why --json").stdout)["win"] is None


def test_the_refusal_of_a_hand_not_as_dealt_names_the_number() -> None:
    assert "deals 6" in run(f"{FIVE} --dealer").stderr
    assert "deals 5" in run(f"{SIX} --dealer --variant partners").stderr


# ── score ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_forgotten_starter_is_refused_and_rows_stay_rows() -> None:
    result = run("score --all -", "5H 5S 5D JC 5C\n5H 5S 5D JC\n")
    assert result.exit_code == 1
    assert "Line 2" in result.stderr
    assert run("score --all - --five-card", "5H 5S 5D JC\n").stdout == "14\n"
    assert json.loads(run("score --all - --crib --json", "2H 4H 6H 8H KC").stdout) == {
        "version": 1,
        "points": [0],
    }
    assert run("score --all -", "").stdout == ""
    rows = "5H 5S 5D JC 5C\n\n2H 4H 6H 8H KC\n"
    assert run("score --all -", rows).stdout == "29\n\n4\n"
    assert json.loads(run("score --all - --json", rows).stdout) == {"version": 1, "points": [29, None, 4]}


def test_a_byte_order_mark_is_no_card() -> None:
    assert run("score --all -", b"\xef\xbb\xbf5H 5S 5D JC 5C\n").stdout == "29\n"
    assert "\\u200b" in run("score --all -", "5H\u200b 5S 5D JC 5C\n").stderr


def test_options_of_one_hand_are_refused_with_all() -> None:
    assert run("score --all - --starter 5H", "").exit_code == 2
    assert run("score 5H --all -", "").exit_code == 2


def test_no_cards_are_wrong_usage() -> None:
    for words in (["score", ""], ["score", "", "--starter", "5H"], ["score", " ", " ", "--starter", "5H"]):
        assert CliRunner().invoke(main, words).exit_code == 2


# ── Terminal and pipes ───────────────────────────────────────────────────────────────────────────────────


def test_names_print_no_control_characters(subtests: pytest.Subtests) -> None:
    names = ("\x1b[2J\x07", "\u202egnp", "\x9b31m", "\u2066x\u2069")
    for name, line in (
        *((name, "replay -") for name in names),
        (names[0], "review -"),
        (names[1], "review - --json"),
    ):
        with subtests.test(name=name, line=line):
            # A review of two deals has every kind of line.
            written = record_text(Variant.FIVE_CARD, 4, 24 if line.startswith("review") else None)
            record = re.sub("sum .*\n", "", written)
            result = run(line, re.sub("(?m)^seat 0.*$", f"seat 0 {name}", record))
            assert result.exit_code == 0, result.stderr
            assert not STEERING.search(result.stdout)
            if "json" in line:
                for row in result.stdout.splitlines():
                    json.loads(row)


def test_a_quoted_line_prints_no_control_characters() -> None:
    result = run("replay -", "fifteentwo record 1\nvariant \x1b[2J\u202e\nend 0\n")
    assert result.exit_code == 1
    assert not STEERING.search(result.stderr)


def test_a_closed_pipe_ends_a_command_silently(game: Path) -> None:
    result = program('"$PYTHON" -m fifteentwo replay "$1" | head -1; echo "${PIPESTATUS[0]}"', game)
    assert result.stdout.splitlines()[-1] == "0"
    assert result.stderr == ""


def test_a_console_without_suits_gets_letters(game: Path) -> None:
    script = '"$PYTHON" -m fifteentwo replay "$1"'
    result = program(script, game, PYTHONIOENCODING="ascii", LANG="ja_JP.UTF-8", LC_ALL="")
    assert result.returncode == 0, result.stderr
    assert re.search("starter is [A-Z0-9]+[SHDC]", result.stdout)


def test_a_full_disk_is_reported_in_one_line(game: Path) -> None:
    result = program('"$PYTHON" -m fifteentwo replay "$1" >/dev/full', game)
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command",
    [
        "fifteentwo arena random random --games 60 --jobs 1",
        pytest.param("lab solve rollouts --positions 4 --deals 2 --jobs 1", marks=pytest.mark.long),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_named(command: str, tmp_path: Path) -> None:
    """The first writes succeed, because a file may have a kilobyte."""
    script = f'ulimit -f 1; "$PYTHON" -m {command} --checkpoint "$1"'
    result = program(script, tmp_path / "kept", PYTHONDONTWRITEBYTECODE="1", FIFTEENTWO_NUMBA="")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.splitlines()[-1].startswith(f"fifteentwo: {tmp_path / 'kept'}")
    assert "Traceback" not in result.stderr


def test_closed_input_is_reported_in_one_line(game: Path) -> None:
    result = program('"$PYTHON" -m fifteentwo score --all - <&-', game)
    assert result.returncode == 1
    assert result.stderr.startswith("fifteentwo: stdin: ")


def test_an_invalid_database_address_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for wrong in ("not a url", "games", "postgresql://host:port/name", "://"):
        with pytest.raises(StoreError):
            database_url(wrong)
    assert list(tmp_path.iterdir()) == []
    for good in ("games.sqlite3", "./games", ":memory:", "sqlite:///games"):
        assert database_url(good).get_backend_name() == "sqlite"


def test_an_unwritable_path_is_refused_before_hours_of_work(
    subtests: pytest.Subtests, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for option in ("--out", "--checkpoint"):
        with subtests.test(option=option):

            def works(*_: object, **__: object) -> None:
                raise AssertionError("it began")

            monkeypatch.setattr("lab.six_card.solve.solve_pegging", works)
            file = tmp_path / "file"
            file.touch()
            result = CliRunner().invoke(lab, ["solve", "pegging", option, str(file / "x")])
            assert (result.exit_code, len(result.stderr.splitlines())) == (1, 1)
            assert str(file / "x") in result.stderr
            assert CliRunner().invoke(lab, ["solve", "pegging", option, ""]).exit_code == 2


def test_a_full_disk_is_reported_before_hours_of_work(subtests: pytest.Subtests, tmp_path: Path) -> None:
    """Files can be created, but not written."""
    for option in ("--out", "--checkpoint"):
        with subtests.test(option=option):
            script = f'ulimit -f 0; exec "$PYTHON" -m lab solve pegging {option} "$1"'
            result = program(script, tmp_path / "new")
            assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
            assert str(tmp_path / "new") in result.stderr


def test_no_room_for_compiled_kernels_is_reported_once(tmp_path: Path) -> None:
    script = 'ulimit -f 0; exec "$PYTHON" -m fifteentwo prepare'
    result = program(script, tmp_path, FIFTEENTWO_NUMBA="", NUMBA_CACHE_DIR=str(tmp_path), HOME=str(tmp_path))
    assert (result.returncode, len(result.stderr.splitlines())) == (1, 1)
    assert "NUMBA_CACHE_DIR" in result.stderr


def test_bench_reports_a_broken_gcc(tmp_path: Path) -> None:
    (tmp_path / "gcc").write_text("#!/bin/sh\necho broken >&2; exit 1\n")
    (tmp_path / "gcc").chmod(0o755)
    result = program('PATH="$1:$PATH" exec "$PYTHON" -m lab bench discard --json', tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout)["c"] is None
    assert "gcc" in json.loads(result.stdout)["note"]


# ── How a command ends ───────────────────────────────────────────────────────────────────────────────────


def test_exit_statuses_are_those_of_the_readme(subtests: pytest.Subtests) -> None:
    for line, status in (
        ("score 5H 5S 5D JC --starter 5C", 0),
        ("arena -h", 0),
        ("score 5H 5S 5D --starter 5C", 1),
        ("score 5H 5S 5D XX --starter 5C", 1),
        ("score 5H", 1),
        ("replay -", 1),
        ("verify -", 1),
        ("serve --host no.such.host.invalid --port 0", 1),
        ("serve --database mysql://host/name", 1),
        ("arena club club --games 2 --checkpoint /dev/null/x", 1),
        ("discard 5H 5S 6D 7C JC --dealer", 1),
        ("fly", 2),
        ("score", 2),
        ("arena club", 2),
        ("bot wizard", 2),
        ("arena club wizard", 2),
        ("arena club club --variant whist", 2),
        ("discard 5H 5S 6D 7C JC KD --dealer --variant whist", 2),
        ("discard 5H 5S 6D 7C JC KD", 2),
        ("arena club club --seats 2", 2),
        ("arena club club --games many", 2),
        ("replay nowhere.txt", 2),
    ):
        with subtests.test(line=line, status=status):
            result = run(line, "5H")
            assert result.exit_code == status
            assert bool(result.stderr) == bool(status)
            for readme in ("README.md", "README.ja.md"):
                stated = (Path(__file__).parents[2] / readme).read_text("utf-8")
                assert all(re.search(rf"\b{number}\b", stated, re.ASCII) for number in (0, 1, 2, 130, 143))


# ── Refusals that name the solution ─────────────────────────────────────────────────────────────────────────


def test_help_and_refusals_list_levels_and_variants(subtests: pytest.Subtests) -> None:
    for lang in ("en", "ja"):
        with subtests.test(lang=lang):
            for line in ("arena -h", "bot --help", "bot wizard", "arena club wizard"):
                result = run(f"{line} --lang {lang}")
                assert all(level in result.output for level in LEVELS), line
            for line in (
                "arena -h",
                "discard -h",
                "discard 5H --dealer --variant whist",
                "arena club club --variant x",
            ):
                result = run(f"{line} --lang {lang}")
                assert all(variant in result.output for variant in Variant), line


def test_the_environment_says_which_language(subtests: pytest.Subtests) -> None:
    for environment, lang in (
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ja_JP.eucJP"}, "ja"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "LANGUAGE": "en:ja"}, "en"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "fr:ja_JP:en"}, "ja"),
        ({"LANG": "C", "LANGUAGE": "ja"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({}, "en"),
    ):
        with subtests.test(environment=environment, lang=lang):
            assert env_language(environment) == lang


def test_a_finished_game_shows_the_cards_dealt_and_discarded() -> None:
    written = record_text(Variant.SIX_CARD, 4)
    result = run("replay -", written).stdout
    assert len(re.findall("(?m) is dealt (?:[0-9AJQK]+[♠♥♦♣] ?){6}[.]$", result)) >= 4
    assert re.search("discards [0-9AJQK]+[♠♥♦♣] [0-9AJQK]+[♠♥♦♣][.]", result)
    whole = read(written)
    begun = write(Record(rules=whole.rules, names=whole.names, actions=whole.actions[:12]))
    result = run("replay -", begun).stdout
    assert "is dealt" not in result
    assert "not over" in result.splitlines()[-1]


def test_a_group_without_a_command_names_its_commands() -> None:
    result = CliRunner().invoke(lab, ["solve"])
    assert result.exit_code == 2
    assert "board" in result.output
    assert "\\t" not in result.output


def test_a_game_without_actions_is_reported() -> None:
    empty = write(Record(rules=rules_for("six-card"), names=("", ""), actions=()))
    assert run("replay -", empty).stdout == "This game has not started.\n"
    assert run("review -", empty).stdout == "There is no choice in this game yet.\n"
    assert JAPANESE.search(run("replay - --lang ja", empty).stdout)


def test_a_review_names_cards_by_suit_with_hand_and_count() -> None:
    lines = run("review -", record_text(Variant.FIVE_CARD, 4, 24)).stdout.splitlines()
    played = [line for line in lines if "played" in line]
    assert played
    for line in played:
        assert re.search(r"\[(?:[0-9AJQK]+[♠♥♦♣] ?)+, count \d+\]", line), line
        assert re.search("played [0-9AJQK]+[♠♥♦♣], best [0-9AJQK]+[♠♥♦♣]", line), line
