"""Links, files, modules, commands and options that the pages name exist."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.defined_names import names_in
from tests.support.documents import PACKAGE, ROOT, check_command
from tests.support.layers import ALLOWED

PACKAGES = "|".join(path.name for path in PACKAGE.iterdir() if path.is_dir())
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def marked(page: Path) -> list[str]:
    """Return the texts in backticks, code blocks excepted."""
    return re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    )


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts and the manual write them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_to_existing_files_and_headings() -> None:
    wrong = []
    for page in PAGES:
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
            file, _, anchor = link.partition("#")
            target = page.parent / file if file else page
            there = "://" in link or (target.exists() and (not anchor or anchor in anchors(target)))
            wrong += [] if there else [f"{page.relative_to(ROOT)}: {link}"]
    assert wrong == []


def test_index_readme_begins_with_pip_install_and_has_no_relative_link() -> None:
    pytest.importorskip("hatch_fancy_pypi_readme", reason="it builds the README of a package index")
    words = [sys.executable, "-m", "hatch_fancy_pypi_readme", "pyproject.toml"]
    written = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^\$ (.*)$", written, re.MULTILINE)[0].startswith("pip install ")
    assert re.findall(r"\]\((?!https?:)|make play|README|More:|'\.\[", written) == []


def test_named_files_exist() -> None:
    wrong = [
        f"{page.name}: {word}"
        for page in PAGES
        for word in marked(page)
        if (file := re.match(r"(?:\w+/)+\w+\.[a-z]+(?=$|:)", word))
        and not any((base / file[0]).is_file() for base in (ROOT, PACKAGE, ROOT / "tests"))
    ]
    assert wrong == []


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module or package of ours, or a name in a module."""
    place = PACKAGE.joinpath(*name.split("."))
    if (place / "__init__.py").is_file():
        return True
    inside = place.parent.with_suffix(".py")
    return place.with_suffix(".py").is_file() or (inside.is_file() and place.name in names_in(inside))


def test_named_modules_and_their_names_exist() -> None:
    wrong = []
    for page in PAGES:
        for word in marked(page):
            name = re.match(rf"(?:fifteentwo\.)?((?:{PACKAGES})\.[\w.]+)", word)
            if name and not is_module(name[1]):
                wrong.append(f"{page.name}: {word}")
        modules = re.findall(r"python -m ([\w.]+)", page.read_text("utf-8"))
        wrong += [f"{page.name}: {name}" for name in modules if not find_spec(name)]
    assert wrong == []


def test_named_commands_and_options_exist() -> None:
    wrong = [
        f"{page.name}: {words}"
        for page in PAGES
        for words in re.findall(
            r"(?:^\$ |`)(?:fifteentwo |(?=python -m lab ))([^`\n|]+)", page.read_text("utf-8"), re.MULTILINE
        )
        if not check_command(words)
    ]
    assert wrong == []


def test_contributing_shows_the_allowed_imports() -> None:
    drawn = re.findall(
        r"^(\w+) .*?(?: → ([\w, ]+))?$",
        (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("```")[1],
        re.MULTILINE,
    )
    arrows = {package: set(others.split(", ")) - {""} for package, others in drawn}
    assert arrows.pop("web") == set()
    assert arrows == {package: ALLOWED[package] for package in PACKAGES.split("|") if package in ALLOWED}
