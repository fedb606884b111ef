"""What docstrings name in backticks is there: files, modules and what is in them, tests, commands."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.defined_names import names_in
from tests.support.documents import PACKAGE, ROOT, check_command

SOURCES = sorted([*PACKAGE.rglob("*.py"), *(ROOT / "lab").rglob("*.py")])
FILE = re.compile(r"((?:[\w.-]+/)+[\w-]+\.(?:py|md|js|mjs|css|html|toml|json|table|service))(?:::(\w+))?")
SCRIPT = re.compile(r"[\w-]+\.(?:js|mjs|css|html)")
DOTTED = re.compile(r"[a-z_]\w*(?:\.\w+)+")


def docstrings(source: str) -> Iterator[str]:
    """Every string that stands by itself: of modules, classes, functions, and below fields and constants."""
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value.value


@cache
def modules() -> dict[str, list[Path]]:
    """Return the modules and packages by each end of their dotted names: `a.b.c`, `b.c`, `c`."""
    found: dict[str, list[Path]] = {}
    for path in SOURCES:
        parts = path.relative_to(PACKAGE.parent if PACKAGE in path.parents else ROOT).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        for first in range(len(parts)):
            found.setdefault(".".join(parts[first:]), []).append(path)
    return found


def is_named(word: str, source: Path) -> bool:
    """Whether a dotted name is a module of ours, or in one, or begins with another name of the source."""
    parts, known = word.split("."), modules()
    for length in range(len(parts), 0, -1):
        if ".".join(parts[: length + 1]) in known and length < len(parts):
            continue
        for path in known.get(".".join(parts[:length]), []):
            if length == len(parts) or parts[length] in names_in(path) | offered(path):
                return True
    if parts[0] in known and parts[0] not in identifiers(source):
        return False
    return parts[0] in identifiers(source) or find_spec(parts[0]) is not None


@cache
def offered(path: Path) -> set[str]:
    """Return the public names of a package."""
    return identifiers(path) if path.name == "__init__.py" else set()


@cache
def identifiers(path: Path) -> set[str]:
    """Every name that a file's code uses."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add(other or name)
            case _:
                pass
    return found | names_in(path)


@cache
def scripts() -> set[str]:
    """Return the files of the pages, by their names."""
    return {path.name for path in (PACKAGE / "web").rglob("*") if path.is_file()}


def wrong_in(docstring: str, source: Path) -> Iterator[str]:
    """Return the names in a docstring that do not exist."""
    for word in re.findall(r"`([^`\n]+)`", docstring):
        if file := FILE.fullmatch(word):
            places = [base / file[1] for base in (ROOT, PACKAGE, ROOT / "tests", source.parent)]
            there = [place for place in places if place.is_file()]
            if not there or (file[2] and file[2] not in names_in(there[0])):
                yield word
        elif SCRIPT.fullmatch(word):
            if word not in scripts():
                yield word
        elif word.startswith(("fifteentwo ", "python -m lab ")):
            if not check_command(word):
                yield word
        elif DOTTED.fullmatch(word) and not is_named(word, source):
            yield word


def test_names_in_docstrings_exist() -> None:
    assert len(SOURCES) > 100
    wrong = [
        f"{source.relative_to(ROOT)}: {word}"
        for source in SOURCES
        for one in docstrings(source.read_text("utf-8"))
        for word in wrong_in(one, source)
    ]
    assert wrong == []


def test_stale_names_are_noticed(subtests: pytest.Subtests) -> None:
    for stale in (
        *("`tests/players/test_engines.py`", "`deal.as_records`"),
        "`solved_tables.split_file` of `strategy.files.split_fil`",
        *("`tests/players/test_master.py::test_near_misses`", "`fifteentwo book play --drop`"),
        *("`fifteentwo tui`", "`fifteentwo.rules.recrod`"),
    ):
        with subtests.test(stale=stale):
            assert list(wrong_in(stale, PACKAGE / "fast" / "random_games_kernels.py"))
