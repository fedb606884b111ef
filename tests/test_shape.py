"""Files of at most 600 lines, functions of at most 60, at most 8 parameters."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "lab").rglob("*.py")])

FILE, FUNCTION, PARAMETERS = 600, 60, 8
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[tuple[str, Function]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, Function):
            yield f"{path.relative_to(ROOT)}::{node.name}", node


def offenders(path: Path) -> Iterator[str]:
    """Yield the parts of a file that are too long."""
    if (lines := len(path.read_text("utf-8").splitlines())) > FILE:
        yield f"{path.relative_to(ROOT)}: {lines} lines"
    for name, function in functions(path):
        assert function.end_lineno is not None
        if (lines := function.end_lineno - function.lineno + 1) > FUNCTION:
            yield f"{name}: {lines} lines"
        args = function.args
        if (number := len(args.posonlyargs) + len(args.args) + len(args.kwonlyargs)) > PARAMETERS:
            yield f"{name}: {number} parameters"


def test_files_functions_and_parameter_lists_are_short() -> None:
    assert len(SOURCES) > 100
    assert [one for path in SOURCES for one in offenders(path)] == []
