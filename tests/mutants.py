"""Small faults put into the source, one at a time: how many of them the tests notice.

    python -m tests.mutants --count 200 --seed 1
    python -m tests.mutants --tree ../an-earlier-checkout --count 200 --seed 1

Each fault is one changed operator or number in one function, spread evenly over the packages. It is put into
a copy of the tree, and the tests that import the module, or else its package, run there until one fails;
tests in browsers, slow and long ones do not run. A fault that makes them hang counts as noticed.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

SECONDS = 240
"""How long the tests of one fault may take."""
MOST_FILES = 8
"""Test modules that run for one fault: those that import the module before those that import its package."""
SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.In: ("in", "not in"),
    ast.Is: ("is", "is not"),
}


class Fault(NamedTuple):
    """A change of one place of a file: line and byte column, from 1 and 0."""

    file: Path
    line: int
    column: int
    old: str
    new: str


def faults(file: Path) -> Iterator[Fault]:
    """Yield the faults that can be put into the functions of a file."""
    text = file.read_text("utf-8")
    lines = text.encode().split(b"\n")
    functions = [
        one for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for node in (node for function in functions for part in function.body for node in ast.walk(part)):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.lineno == node.end_lineno:
            yield Fault(file, node.lineno, node.col_offset, str(node.value), str(node.value + 1))
        for left, operator, right in _operators(node):
            old, new = SWAPS.get(type(operator), ("", ""))
            if not old or left.end_lineno != right.lineno:
                continue
            assert left.end_col_offset is not None
            between = lines[right.lineno - 1][left.end_col_offset : right.col_offset].decode()
            if between.strip(" ()") == old:
                column = left.end_col_offset + between.index(old)
                yield Fault(file, right.lineno, column, old, new)


def _operators(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST, ast.expr]]:
    """The operators of an expression, each between its operands."""
    match node:
        case ast.Compare(left=left, ops=operators, comparators=others):
            yield from zip([left, *others], operators, others, strict=False)
        case ast.BinOp(left=left, op=operator, right=right):
            yield left, operator, right
        case ast.BoolOp(op=operator, values=values):
            for left, right in pairwise(values):
                yield left, operator, right


def changed(text: str, fault: Fault) -> str:
    """Return the text of a file with the fault in it."""
    lines = text.encode().split(b"\n")
    line, old = lines[fault.line - 1], fault.old.encode()
    assert line[fault.column : fault.column + len(old)] == old, fault
    lines[fault.line - 1] = line[: fault.column] + fault.new.encode() + line[fault.column + len(old) :]
    return b"\n".join(lines).decode()


def package_of(file: Path, tree: Path) -> str:
    """Return the package a file belongs to; those beside the packages count as one."""
    parts = file.relative_to(tree / "src" / "fifteentwo").parts
    return parts[0] if len(parts) > 1 else "fifteentwo"


def chosen(tree: Path, count: int, rng: random.Random) -> list[Fault]:
    """Draw faults, the same number from each package as near as can be."""
    source = tree / "src" / "fifteentwo"
    by_package: dict[str, list[Fault]] = defaultdict(list)
    for file in sorted(source.rglob("*.py")):
        by_package[package_of(file, tree)].extend(faults(file))
    for found in by_package.values():
        rng.shuffle(found)
    drawn: list[Fault] = []
    while len(drawn) < count and any(by_package.values()):
        drawn += [found.pop() for found in by_package.values() if found]
    return drawn[:count]


def tests_of(tree: Path, fault: Fault) -> list[Path]:
    """Return the test modules for a file: those that import it, then those that import its package."""
    name = ".".join(fault.file.relative_to(tree / "src").with_suffix("").parts).removesuffix(".__init__")
    package, module = name.rpartition(".")[::2]
    by_itself, by_package = [], []
    for test in sorted((tree / "tests").rglob("test_*.py")):
        text = test.read_text("utf-8")
        if name in text or any(
            line.startswith(f"from {package} import") and module in line for line in text.splitlines()
        ):
            by_itself.append(test)
        elif package in text:
            by_package.append(test)
    skip = ("browser", "pages", "faults", "measured", "edges")
    found = [one for one in by_itself + by_package if one.relative_to(tree / "tests").parts[0] not in skip]
    return found[:MOST_FILES]


def noticed(copy: Path, tree: Path, fault: Fault) -> bool:
    """Put a fault into the copy, run its tests there, take it out again; True where they fail."""
    place = copy / fault.file.relative_to(tree)
    whole = place.read_text("utf-8")
    place.write_text(changed(whole, fault), encoding="utf-8")
    tests = [str(copy / one.relative_to(tree)) for one in tests_of(tree, fault)]
    kinds = "not slow and not long and not timed and not browser and not postgres"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", kinds, *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        place.write_text(whole, encoding="utf-8")
    return bool(tests) and done.returncode not in (0, 5)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--tree", type=Path, default=Path(__file__).parents[1])
    asked.add_argument("--count", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    tree = options.tree.resolve()
    killed: Counter[str] = Counter()
    all_of: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        left_out = shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__", "screens")
        shutil.copytree(tree, copy, ignore=left_out)
        for fault in chosen(tree, options.count, random.Random(options.seed)):
            package = package_of(fault.file, tree)
            all_of[package] += 1
            if noticed(copy, tree, fault):
                killed[package] += 1
            else:
                place = f"{fault.file.relative_to(tree)}:{fault.line}:{fault.column}"
                print(f"survived  {place}  {fault.old} -> {fault.new}", flush=True)
    for package, number in all_of.items():
        print(f"{package}: {killed[package]} of {number}")
    print(f"killed {killed.total()} of {all_of.total()}")


if __name__ == "__main__":
    main()
