"""Exit statuses: 0 good, 1 the input was refused in one line, 2 wrong usage, as a file that is not there."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import click
import pytest

from fifteentwo.cli import main
from fifteentwo.rules.variants import Variant
from tests.edges.command_lines import record_text
from tests.support.commands import run
from tests.support.every_command import every_command


def readers() -> Iterator[tuple[str, ...]]:
    for names, command in every_command(main):
        for param in command.params:
            if isinstance(param.type, click.Path) and param.type.exists:
                yield (*names, *(param.opts if isinstance(param, click.Option) else ()), "{}")


def test_every_command_that_reads_a_file_is_known() -> None:
    found = {words[0] for words in readers()}
    assert found == {
        "replay",
        "verify",
        "review",
        "import",
        "export",
        "score",
        "restore",
        "arena",
        "discard",
        "stats",
    }


def test_a_file_that_is_not_there_is_wrong_usage(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for lang, words in product(("en", "ja"), list(readers())):
        with subtests.test(lang=lang, words=words):
            missing = str(tmp_path / "none.txt")
            result = run(*(word.format(missing) for word in words), "--lang", lang)
            assert (result.exit_code, result.stdout) == (2, "")
            assert missing in result.stderr.splitlines()[-1]
            folder = run(*(word.format(tmp_path) for word in words), "--lang", lang)
            assert folder.exit_code == 2


def test_an_arena_plays_pairs_and_refuses_an_odd_number(subtests: pytest.Subtests) -> None:
    for lang in ("en", "ja"):
        with subtests.test(lang=lang):
            result = run("arena", "greedy", "random", "--games", "3", "--jobs", "1", "--lang", lang)
            assert (result.exit_code, result.stdout) == (2, "")
            assert re.search(r"\b4\b|4の", result.stderr)


def test_a_record_determines_the_target(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(record_text(Variant.SIX_CARD, 1), encoding="utf-8")
    result = run("import", str(file), "--target", "61")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "121" in result.stderr
    for words in ((), ("--target", "121")):
        assert run("import", str(file), *words).exit_code == 0


def test_system_errors_are_translated(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for out, english, japanese in (
        ("/none/of/these", "No such file or folder", "ファイルまたはフォルダーがありません"),
        ("/dev/full", "No space left on the disk", "ディスクに空きがありません"),
        ("{}/game.txt/x", "Part of the path is not a folder", "パスの途中がフォルダーではありません"),
    ):
        with subtests.test(out=out, english=english, japanese=japanese):
            file = tmp_path / "game.txt"
            file.write_text(record_text(Variant.SIX_CARD, 1), encoding="utf-8")
            place = out.format(tmp_path)
            for lang, words in (("en", english), ("ja", japanese)):
                result = run("import", str(file), "--out", place, "--lang", lang)
                assert (result.exit_code, result.stdout) == (1, "")
                assert result.stderr == f"fifteentwo: {place}{': ' if lang == 'en' else '：'}{words}\n"


def test_more_games_than_memory_holds_are_refused() -> None:
    result = run("arena", "random", "random", "--games", "1000000000000")
    assert (result.exit_code, "10000000" in result.stderr) == (2, True)
