"""Run every example of the docstrings and every block of code of the pages."""

import doctest
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fifteentwo
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.prepare import PLAYING_MODULES, compile_missing
from fifteentwo.rules.record import Record, write
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.table_log.dealing import decks_of_secret
from tests.dealing.games import played
from tests.support.commands import run
from tests.support.page_examples import blocks, left_out

ROOT = Path(__file__).parents[2]
PACKAGE = Path(fifteentwo.__file__).parent
SHOWN = ("", ".rules.cards", ".rules.show", ".rules.pegging", ".rules.variants", ".rules.board")
"""Suffixes of modules that must have examples."""
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in PACKAGE.rglob("*.py")
    if re.search(r"^\s*>>> ", path.read_text("utf-8"), re.MULTILINE)
)


def test_examples_in_docstrings() -> None:
    names = sorted({*MODULES, *(f"fifteentwo{name}" for name in SHOWN)})
    results = {
        name: doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS) for name in names
    }
    assert {name: result for name, result in results.items() if result.failed or not result.attempted} == {}


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


STAYS_OPEN = re.compile(r"fifteentwo( play| serve| bot|$)|fifteentwo .*(FILE|LEVEL| A B |…)")
"""Matches commands that wait for a person, or that contain a placeholder."""


def commands(page: Path) -> list[tuple[str, str]]:
    """Return each `$ fifteentwo …` of the console blocks with its expected output."""
    found = []
    for block, _ in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            command = command.split("  #")[0].strip()
            if command.startswith("fifteentwo") and not STAYS_OPEN.search(command):
                found.append((command, printed.strip("\n")))
    return found


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


TAKE_SECONDS = ("README.ja.md", "docs/how-to/simulate.md", "docs/how-to/train.md")


def pages_with_python() -> list[Path]:
    """Return the pages with Python; of pages whose code differs only in comments, the first."""
    by_code: dict[str, Path] = {}
    for page in PAGES:
        if code := "\n".join(block for block, _ in blocks(page, "python")):
            by_code.setdefault(re.sub(r"\s*#.*", "", code), page)
    return list(by_code.values())


def write_game(folder: Path) -> None:
    """Write the record of a finished game, `game.txt`."""
    table = Table(rules_for("six-card", target=61), decks_of_secret(bytes(32)))
    play_out(table, [player("random", seat) for seat in range(2)])
    record = Record(rules=table.state.rules, names=("Ann", "Bob"), actions=tuple(table.actions))
    (folder / "game.txt").write_text(write(record), "utf-8")


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.long)])
def test_python_in_the_pages(slow: bool, tmp_path: Path) -> None:
    """The folder has a finished game, `game.txt`."""
    write_game(tmp_path)
    pages = [page for page in pages_with_python() if (name_of(page) in TAKE_SECONDS) == slow]
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.page_examples", *map(str, pages)],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


def test_few_blocks_are_not_run() -> None:
    assert sum(len(left_out(page)) for page in PAGES) <= 5


INSTALLS = re.compile(r"make \w+|pip install |docker |git clone |cd |sudo ")
"""Matches commands that other tests run, or that change the machine."""


def test_every_line_of_a_console_is_run_or_installs() -> None:
    others = [
        f"{name_of(page)}: {line}"
        for page in PAGES
        for block, _ in blocks(page, "console")
        for line in re.findall(r"^\$ (.+)$", block, re.MULTILINE)
        if not line.startswith("fifteentwo") and not INSTALLS.match(line)
    ]
    assert others == []


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=name_of)
def test_commands_in_the_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An ellipsis matches any text; a command without expected output must succeed."""
    write_game(tmp_path)
    monkeypatch.chdir(tmp_path)
    for command, printed in commands(page):
        done = run(*shlex.split(command)[1:])
        assert done.exit_code == 0, (command, done.stderr)
        pattern = ".*?".join(re.escape(piece) for piece in re.split(r"…|\.\.\.", printed))
        if printed:
            squeezed = re.sub(r"[ \t]+", " ", done.stdout.strip("\n"))
            pattern = re.sub(r"(\\ )+", " ", pattern)
            assert re.fullmatch(pattern, squeezed, re.DOTALL), (command, done.stdout)


def test_the_readmes_show_commands_that_are_run_here() -> None:
    assert commands(ROOT / "README.md")
    assert commands(ROOT / "README.ja.md")


TAKES_MINUTES = ("fifteentwo prepare", "fifteentwo prepare --lang ja")
"""Commands that compile for minutes; `make test` runs `fifteentwo prepare` first."""


TAKES_LONG = re.compile("review|arena|bench|--lang ja")


def named_commands() -> list[Any]:
    """Return every `fifteentwo …` in backticks of these pages, with few games."""
    pages = ("README.md", "README.ja.md", "docs/install.md", "docs/ja/play/start.md")
    text = "".join((ROOT / page).read_text("utf-8") for page in pages)
    named = {*re.findall(r"`(fifteentwo [^`]+)`", text)} - {*TAKES_MINUTES}
    named = {command for command in named if not STAYS_OPEN.search(command.replace("FILE", "record"))}
    commands = sorted({re.sub(r"--games \d+", "--games 2", command) for command in named})
    return [
        pytest.param(command, marks=[pytest.mark.long] if TAKES_LONG.search(command) else [])
        for command in commands
    ]


@pytest.mark.parametrize("command", named_commands())
def test_every_named_command_is_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FILE is a recorded game; with --json each line of the output is JSON."""
    # A command prints a note if it has to compile.
    compile_missing(PLAYING_MODULES)
    (tmp_path / "record").write_text(write(played(0)), "utf-8")
    monkeypatch.chdir(tmp_path)
    words = re.sub("FILE|記録", "record", command).split()[1:]
    has_json = not re.match("replay|export", words[0])
    for more in ([], ["--json"]) if has_json else ([],):
        done = run(*words, *more)
        # A command that takes over a second shows its progress.
        messages = re.sub(r"^\d+ of \d+ games, .*\n", "", done.stderr, flags=re.MULTILINE)
        assert (done.exit_code, messages) == (0, ""), command
        assert done.stdout
        assert not more or all(map(json.loads, done.stdout.splitlines()))
