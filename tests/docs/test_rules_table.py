"""docs/rules.md: every clause, clarification and box has a place, a page and a test, and all of them exist.

The other way too: no number is cited that the page does not have.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from fifteentwo.server.app import make_app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")
LINES = [line for line in PAGE.splitlines() if line.startswith("|")]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in LINES]
CLAUSES = [row for row in ROWS if re.fullmatch(r"R\d+", row[0])]
CLARIFICATIONS = [row for row in ROWS if re.fullmatch(r"C\d+", row[0])]
NUMBERS = {row[0] for row in (*CLAUSES, *CLARIFICATIONS)}
BOXES = [row for row in ROWS if len(row) == 3 and not row[0].startswith(("A person", "-"))]


def marked(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@cache
def names_in(path: Path) -> set[str]:
    """Everything a Python file defines: functions, classes, their members, constants."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def exists(base: Path, place: str) -> None:
    file, _, name = place.partition("::")
    assert (base / file).is_file(), place
    if name:
        assert name in names_in(base / file), place


@cache
def addresses() -> set[str]:
    return {str(getattr(route, "path", "")) for route in make_app().routes}


def check_pages(cell: str) -> None:
    pages = marked(cell)
    assert pages
    for page in pages:
        wanted = "/game/{game}" if page == "/game" else page
        assert wanted in addresses(), page


def test_every_clause_once_and_in_order() -> None:
    assert [row[0] for row in CLAUSES] == [f"R{number}" for number in range(1, 126)]
    assert [row[0] for row in CLARIFICATIONS] == [f"C{number}" for number in range(1, 22)]
    assert len(BOXES) == 28


@pytest.mark.parametrize("row", [*CLAUSES, *CLARIFICATIONS], ids=lambda row: row[0])
def test_clause(row: list[str]) -> None:
    number, said, code, pages, tests = row
    assert all(row), number
    assert len(said) > 8
    assert marked(code)
    for place in marked(code):
        exists(ROOT / "src" / "fifteentwo", place)
    check_pages(pages)
    assert marked(tests)
    for place in marked(tests):
        assert "::" in place
        exists(ROOT / "tests", place)


@pytest.mark.parametrize("row", BOXES, ids=[row[0] for row in BOXES])
def test_box(row: list[str]) -> None:
    _, pages, tests = row
    check_pages(pages)
    assert marked(tests)
    for place in marked(tests):
        exists(ROOT / "tests", place)


def test_every_test_by_number_names_a_number_that_exists() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in names_in(path):
            for number in re.findall(r"(?<=_)[rc]\d+(?=_)", name if re.match(r"test_[rc]\d", name) else ""):
                assert number.upper() in NUMBERS, (path, name)
    for place in re.findall(r"`(\w+/test_\w+\.py::\w+)`", PAGE):
        exists(ROOT / "tests", place)


def test_every_number_cited_exists() -> None:
    for folder in ("src", "tests", "bench", "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".md", ".toml", ".html", ".po"):
                assert set(re.findall(r"\b[RC]\d+\b", path.read_text("utf-8"))) <= NUMBERS, path


@pytest.mark.parametrize("number", [row[0] for row in CLARIFICATIONS])
def test_every_clarification_is_cited_where_it_is_kept_or_held(number: str) -> None:
    cited = re.compile(rf"\b{number}\b|\btest_{number.lower()}_")
    places = [path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py")]
    assert any(cited.search(path.read_text("utf-8")) for path in places)
