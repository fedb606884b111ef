"""Files of positions, one a line: read by the library and by `fifteentwo discard --all`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import fifteentwo as ft
from fifteentwo.cli import main

CARD = """# league night
100-91* 5-6-8-Q-Q-K

110-116 pone 5H5S6D7CJCKD
60-70 dealer 5QQK/68 J 5Q5
five-card 5-6 pone 5H6D7CJCKD
partners 5-6 pone 5H6D7CJCKD
"""


def test_a_file_of_positions_is_read(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        with subtests.test(encoding=encoding):
            file = tmp_path / "card.txt"
            file.write_text(CARD, encoding)
            written = [line for line in CARD.splitlines() if line and line[0] != "#"]
            assert ft.Position.load_all(file) == tuple(ft.Position(line) for line in written)


def test_the_command_prints_the_best_of_each_with_ranks_where_no_suits_are_known(tmp_path: Path) -> None:
    file = tmp_path / "card.txt"
    file.write_text(CARD, "utf-8")
    done = CliRunner().invoke(main, ("discard", "--all", str(file), "--json"))
    found = json.loads(done.stdout)["positions"]
    assert [one["line"] for one in found] == [2, 4, 5, 6, 7]
    assert sorted(found[0]["keep"] + found[0]["discard"]) == sorted("568QQK")
    for one, position in zip(found, ft.Position.load_all(file), strict=True):
        assert (one["position"], one["win"]) == (position.text, position.best().win)
    assert found[2]["card"] == "K"
    assert 0.3 < found[3]["win"] < 0.5
    assert found[4]["win"] is None
    for lang, best in (("en", "5H 5S JC KD (6D 7C)"), ("ja", "5H 5S JC KD (6D 7C)")):
        text = CliRunner().invoke(main, ("discard", "--all", str(file), "--lang", lang)).stdout
        assert len(text.splitlines()) == 6
        assert best in text


def test_a_line_that_is_no_choice_is_named(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for line in ("100-91 pone 5H5H6D7CJCKD", "0-0 pone", "nothing", "999-1 pone"):
        with subtests.test(line=line):
            file = tmp_path / "card.txt"
            file.write_text(f"{CARD}{line}\n", "utf-8")
            done = CliRunner().invoke(main, ("discard", "--all", str(file)))
            assert (done.exit_code, done.stdout, "Line 8" in done.stderr) == (1, "", True)
            for words in (("--why",), ("--dealer",), ("5H",)):
                assert CliRunner().invoke(main, ("discard", "--all", str(file), *words)).exit_code == 2
            assert CliRunner().invoke(main, ("discard",)).exit_code == 2
