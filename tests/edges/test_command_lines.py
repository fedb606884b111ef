"""Generated command lines and whole programs under bad conditions: a small part of `make edges`."""

from pathlib import Path

from tests.edges import programs
from tests.edges.__main__ import attack_lines
from tests.edges.command_lines import lines, make_files, misbehaviour, wrong_with


def test_generated_command_lines_are_answered_or_refused(tmp_path: Path) -> None:
    assert attack_lines(40, 1, tmp_path).wrong == []


def test_no_program_breaks_under_bad_conditions(tmp_path: Path) -> None:
    files = make_files(tmp_path)
    assert [wrong for wrong in programs.attack(4, 1, files) if wrong] == []


def test_a_wrong_answer_is_noticed(tmp_path: Path) -> None:
    (line,) = lines(1, 3, make_files(tmp_path))
    assert wrong_with(line) is None
    bad = ((3, "", ""), (0, "\x1b[2J", ""), (1, "", ""), (1, "", "a\nb\nc\nd"), (1, "", "Traceback"))
    assert all(misbehaviour(*answer) for answer in bad)
