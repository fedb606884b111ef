"""Whatever the pages name is there: links, files, modules, commands and their options."""

import re
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import fifteentwo
from fifteentwo.cli import main
from tests.docs.test_rules_table import names_in
from tests.test_layers import ALLOWED

ROOT = Path(__file__).parents[2]
HOUSE = Path(fifteentwo.__file__).parent
ROOMS = "|".join(path.name for path in HOUSE.iterdir() if path.is_dir())
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def marked(page: Path) -> list[str]:
    """What stands in backticks within a line."""
    return re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    )


@every_page
def test_links(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8")):
        assert "://" in link or (page.parent / link).exists(), link


@every_page
def test_files(page: Path) -> None:
    for word in marked(page):
        if file := re.match(r"(?:\w+/)+\w+\.[a-z]+(?=$|:)", word):
            assert any((base / file[0]).is_file() for base in (ROOT, HOUSE, ROOT / "tests")), word


@every_page
def test_modules_and_what_is_in_them(page: Path) -> None:
    for word in marked(page):
        if name := re.match(rf"(?:fifteentwo\.)?((?:{ROOMS})\.[\w.]+)", word):
            place = HOUSE.joinpath(*name[1].split("."))
            if not place.with_suffix(".py").is_file():
                assert place.name in names_in(place.parent.with_suffix(".py")), word
    for name in re.findall(r"python -m ([\w.]+)", page.read_text("utf-8")):
        assert find_spec(name), name


def check_command(line: str) -> bool:
    """Whether a command line names a command that there is, and options that it has."""
    words = line.removeprefix("fifteentwo ")
    if words == "record 1":
        return True  # How a record begins.
    command: click.Command = main
    for word in words.split():
        if isinstance(command, click.Group) and word in command.commands:
            command = command.commands[word]
    options = {name for parameter in command.params for name in parameter.opts}
    return command is not main and set(re.findall(r"--[a-z][a-z-]*", words)) <= options


@every_page
def test_commands_and_their_options(page: Path) -> None:
    for words in re.findall(r"(?:^\$ |`)fifteentwo ([^`\n|]+)", page.read_text("utf-8"), re.MULTILINE):
        assert check_command(words), words


def test_contributing_draws_the_arrows_that_are_kept() -> None:
    drawn = re.findall(
        r"^(\w+) .*?(?: → ([\w, ]+))?$",
        (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("```")[1],
        re.MULTILINE,
    )
    arrows = {room: set(others.split(", ")) - {""} for room, others in drawn}
    assert arrows.pop("web") == set()
    assert arrows == {room: ALLOWED[room] for room in ROOMS.split("|") if room in ALLOWED}
