"""What can be read at one sitting: no long file, no long function, no row of parameters without names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "src" / "fifteentwo"
SOURCES = sorted(HOUSE.rglob("*.py"))

FILE, FUNCTION, PARAMETERS = 600, 60, 8
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, Function):
            yield f"{path.relative_to(HOUSE)}::{node.name}", node


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_files_and_functions_can_be_read_at_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= FILE
    for name, function in functions(path):
        assert function.end_lineno is not None
        lines = function.end_lineno - function.lineno + 1
        assert lines <= FUNCTION, f"{name}: {lines} lines"
        given = function.args
        number = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
        assert number <= PARAMETERS, f"{name}: {number} parameters"
