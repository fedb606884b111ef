"""Every example in a docstring and every command in the README works as it is written."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import fifteentwo

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(fifteentwo.__path__, "fifteentwo.")
    if not module.name.endswith(("__main__", "migrations.env")) and ".versions." not in module.name
)


@pytest.mark.parametrize("name", ["fifteentwo", *MODULES])
def test_docstrings(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_there_are_examples_in_the_docstrings() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    for name in ("", ".rules.cards", ".rules.show", ".rules.pegging", ".rules.variants", ".rules.board"):
        module = importlib.import_module(f"fifteentwo{name}")
        assert any(found.examples for found in finder.find(module)), name


PAGES = sorted(path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def blocks(page: Path, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_in_the_pages(page: Path) -> None:
    for kind in ("python", "pycon"):
        for block in blocks(page, kind):
            if ">>>" in block:
                runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
                example = doctest.DocTestParser().get_doctest(block, {}, page.name, str(page), 0)
                runner.run(example)
                assert runner.summarize(verbose=False).failed == 0
            else:
                compile(block, str(page), "exec")


STAYS_OPEN = re.compile(r"fifteentwo( play| serve| tui| bot|$)|fifteentwo .*(FILE|LEVEL| A B |…)")
"""Commands that wait for a person, and those written with a placeholder."""


def commands(page: Path) -> list[tuple[str, str]]:
    """Each `$ fifteentwo …` of the console blocks with what it should print."""
    found = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            command = command.split("  #")[0].strip()
            if command.startswith("fifteentwo") and not STAYS_OPEN.search(command):
                found.append((command, printed.strip("\n")))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_pages(page: Path, tmp_path: Path) -> None:
    """An ellipsis stands for anything; a command without printed lines has only to succeed."""
    for command, printed in commands(page):
        words = command.split()
        program = [sys.executable, str(Path(sysconfig.get_path("scripts")) / words[0]), *words[1:]]
        done = subprocess.run(program, capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False)
        assert done.returncode == 0, (command, done.stderr)
        pattern = ".*?".join(re.escape(piece) for piece in re.split(r"…|\.\.\.", printed))
        if printed:
            squeezed = re.sub(r"[ \t]+", " ", done.stdout.strip("\n"))
            pattern = re.sub(r"(\\ )+", " ", pattern)
            assert re.fullmatch(pattern, squeezed, re.DOTALL), (command, done.stdout)


def test_the_readme_shows_a_command_that_is_run_here() -> None:
    assert commands(ROOT / "README.md")
