"""`solve` and `report` write to the file that is named, never over what is installed, and never nothing."""

import contextlib
import json
from pathlib import Path

import pytest

from fifteentwo.strategy.files import data_file
from lab.measure import practice_sets
from tests.lab.commands import run
from tests.support import commands


def shipped() -> dict[str, int]:
    """Every file that ships, and when it was written."""
    return {path.name: path.stat().st_mtime_ns for path in data_file("").iterdir()}


@pytest.mark.parametrize("command", ["plays", "discards", "practice"])
def test_commands_that_write_need_out(command: str) -> None:
    before = shipped()
    result = run("solve", command)
    assert (result.exit_code, shipped()) == (2, before)
    assert "--out" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("plays", "--out", "play_points.table"),
        ("discards", "--out", ""),
        ("board", "--out", "board_values.table"),
        ("practice", "--out", "practice_sets.json.gz"),
        ("practice-check", "--out", "../practice_sets.json.gz"),
        ("pegging", "--out", "pegging.book"),
        ("rollouts", "--out", "win_rollouts.json"),
    ],
)
def test_nothing_is_written_into_the_installed_package(words: tuple[str, ...]) -> None:
    before = shipped()
    result = run("solve", *words[:-1], str(data_file(words[-1])))
    assert (result.exit_code, shipped()) == (2, before)
    assert "installed package" in result.stderr
    result = run("report", "--knowing", "2", "--out", str(data_file("equilibrium.json")))
    assert (result.exit_code, shipped()) == (2, before)


def test_no_link_leads_a_write_into_the_installed_package(tmp_path: Path) -> None:
    before, means = shipped(), data_file("means.json")
    (tmp_path / "folder").symlink_to(means.parent)
    (tmp_path / "symbolic").symlink_to(means)
    names = [tmp_path / "folder" / "new", tmp_path / "symbolic"]
    with contextlib.suppress(OSError):
        (tmp_path / "hard").hardlink_to(means)
        names.append(tmp_path / "hard")
    for out in names:
        result = run("report", "--knowing", "2", "--out", str(out))
        assert (result.exit_code, shipped()) == (2, before)
        assert "installed package" in result.stderr
    assert commands.run("backup", str(tmp_path / "folder" / "new")).exit_code == 2


def test_practice_sets_of_nothing_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "sets"
    result = run("solve", "practice", "--games", "0", "0", "--out", str(out))
    assert (result.exit_code, out.exists()) == (2, False)
    monkeypatch.setattr(practice_sets, "run_all", lambda _, __, games: [(number, []) for number, _ in games])
    result = run("solve", "practice", "--games", "1", "0", "--out", str(out), "--jobs", "1")
    assert (result.exit_code, out.exists()) == (1, False)
    assert "nothing is written" in result.stderr


def test_a_report_writes_only_new_figures(tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    result = run("report", "--out", str(out))
    assert (result.exit_code, out.exists()) == (2, False)
    assert json.loads(run("report", "--json").stdout)["files_are_those_measured"] is True


def test_unknown_names_are_usage_errors() -> None:
    for words in (("nothing",), ("solve", "nothing"), ("bench", "nothing"), ("book", "write", "--from", "x")):
        assert run(*words).exit_code == 2
    assert run("--help").exit_code == run("solve", "board", "--help").exit_code == 0
