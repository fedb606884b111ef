"""Completion and manual pages, both made from the commands."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from fifteentwo.cli import main
from fifteentwo.cli.shells import SHELLS, write_manual_pages
from fifteentwo.players import LEVELS
from tests.support.commands import run
from tests.support.every_command import every_command


def completed(words: str, number: int, lang: str = "en", shell: str = "zsh") -> list[tuple[str, str]]:
    """Return the completions of the word with this number, each with its help."""
    result = CliRunner().invoke(
        main,
        prog_name="fifteentwo",
        env={
            "_FIFTEENTWO_COMPLETE": f"{shell}_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(number),
            "LC_ALL": f"{lang}.UTF-8",
        },
    )
    lines = result.stdout.splitlines()
    return list(zip(lines[1::3], lines[2::3], strict=True))


def test_a_completion_is_printed_that_the_shell_reads(subtests: pytest.Subtests, tmp_path: Path) -> None:
    for shell in SHELLS:
        with subtests.test(shell=shell):
            result = run("--completion", shell)
            assert (result.exit_code, result.stderr) == (0, "")
            assert "_FIFTEENTWO_COMPLETE" in result.stdout
            if shutil.which(shell):
                script = tmp_path / "script"
                script.write_text(result.stdout)
                subprocess.run([shell, "-n", script], check=True, timeout=30)


def test_commands_options_levels_and_variants_are_completed() -> None:
    assert {name for name, _ in completed("fifteentwo ", 1)} == set(main.commands)
    assert dict(completed("fifteentwo score --", 2))["--crib"].startswith("Count it as a crib")
    assert re.search("[ぁ-ん]", dict(completed("fifteentwo score --", 2, "ja"))["--crib"])
    assert {name for name, _ in completed("fifteentwo bot ", 2)} == set(LEVELS)
    assert "six-card" in {name for name, _ in completed("fifteentwo discard --variant ", 3)}


def test_each_command_has_a_manual_page_in_both_languages(tmp_path: Path) -> None:
    commands = ["-".join(("fifteentwo", *names)) for names, _ in every_command(main)]
    assert write_manual_pages(main, tmp_path) == 2 * len(commands)
    for folder, japanese in ((tmp_path / "man1", False), (tmp_path / "ja" / "man1", True)):
        assert sorted(page.stem for page in folder.iterdir()) == sorted(commands)
        for page in folder.iterdir():
            written = page.read_text("utf-8")
            assert written.count("\n.SH ") >= 4, page
            assert not re.search(r"(?<![-\w])help\.[a-z]", written)
            assert bool(re.search("[ぁ-ん]", written)) is japanese
            if shutil.which("groff") and shutil.which("preconv"):
                shown = subprocess.run(
                    ["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-Wbreak", page],
                    capture_output=True,
                    check=True,
                    timeout=30,
                )
                assert shown.stderr == b""
