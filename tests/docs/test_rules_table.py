"""docs/rules.md names code, page and test of every clause, clarification and box, and all of them exist.

Every number that is cited elsewhere is in docs/rules.md.
"""

import re
from functools import cache
from pathlib import Path

from fifteentwo.server.app import make_app
from tests.support.defined_names import names_in

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


def missing(base: Path, places: list[str]) -> list[str]:
    """Return the places that do not exist; an empty list of places is an error too."""
    wrong = [] if places else ["no place"]
    for place in places:
        file, _, name = place.partition("::")
        if not (base / file).is_file() or (name and name not in names_in(base / file)):
            wrong.append(place)
    return wrong


@cache
def addresses() -> set[str]:
    return {str(getattr(route, "path", "")) for route in make_app().routes}


def missing_pages(cell: str) -> list[str]:
    pages = [("/game/{game}" if page == "/game" else page) for page in marked(cell)]
    return [page for page in pages if page not in addresses()] if pages else ["no page"]


def test_every_clause_once_and_in_order() -> None:
    assert [row[0] for row in CLAUSES] == [f"R{number}" for number in range(1, 126)]
    assert [row[0] for row in CLARIFICATIONS] == [f"C{number}" for number in range(1, 23)]
    assert len(BOXES) == 28


def test_every_clause_has_its_code_pages_and_tests() -> None:
    wrong = {}
    for number, text, code, pages, tests in (*CLAUSES, *CLARIFICATIONS):
        wrong[number] = [
            *([] if len(text) > 8 else ["no text"]),
            *missing(ROOT / "src" / "fifteentwo", marked(code)),
            *missing_pages(pages),
            *missing(ROOT / "tests", marked(tests)),
            *[place for place in marked(tests) if "::" not in place],
        ]
    assert {number: places for number, places in wrong.items() if places} == {}


def test_every_box_has_its_pages_and_tests() -> None:
    wrong = {
        box: missing_pages(pages) + missing(ROOT / "tests", marked(tests)) for box, pages, tests in BOXES
    }
    assert {box: places for box, places in wrong.items() if places} == {}


def test_every_test_by_number_names_a_number_that_exists() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in names_in(path):
            for number in re.findall(r"(?<=_)[rc]\d+(?=_)", name if re.match(r"test_[rc]\d", name) else ""):
                assert number.upper() in NUMBERS, (path, name)
    assert missing(ROOT / "tests", re.findall(r"`((?:\w+/)+test_\w+\.py::\w+)`", PAGE)) == []


def test_every_number_cited_exists() -> None:
    for folder in ("src", "tests", "lab", "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".md", ".toml", ".html", ".po"):
                assert set(re.findall(r"\b[RC]\d+\b", path.read_text("utf-8"))) <= NUMBERS, path


def test_every_clarification_is_cited_in_code_or_in_the_name_of_a_test() -> None:
    cited = set()
    for folder in ("src", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            found = re.findall(r"\b(C\d+)\b|\btest_(c\d+)_", path.read_text("utf-8"))
            cited |= {(number or name).upper() for number, name in found}
    assert {row[0] for row in CLARIFICATIONS} - cited == set()
