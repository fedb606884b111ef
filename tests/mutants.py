"""Put small faults into the source, one at a time, and count how many the tests notice.

    python -m tests.mutants --count 200 --seed 1
    python -m tests.mutants --count 200 --seed 1 --tree ../an-earlier-checkout --results earlier.jsonl

Each fault is one changed operator or number in one function; faults are spread evenly over the packages. The
tests that concern the changed module run in a copy of the tree until one fails, the nearest test files first.
Tests that are slow, long or timed, or use a browser, are not run.

No result depends on the speed of the machine. A fault is noticed if a test fails with it and passes without
it, or if its tests reach their limit of CPU time and need a small part of that without it (`endless`). A
fault whose tests wait until `STALLED` is counted as `stalled`, and one whose test fails without it as
`unclear`. Each result is written to `--results` at once; a second run continues after the last result.
"""

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

FEW, MORE = 3, 9
"""Number of test files that run first for a fault, and of those that run if the first pass."""
LIMIT = 240
"""Maximum CPU seconds for the tests of a fault, compiling kernels included."""
ENDLESS = 4
"""A fault is `endless` only if `LIMIT` is this multiple of the CPU seconds without the fault."""
STALLED = 900
"""Wall seconds after which the tests of a fault are stopped."""
KINDS = "not slow and not long and not timed and not browser and not postgres"
ELSEWHERE = ("browser", "pages", "faults", "measured", "edges", "web", "docs")
"""Folders of tests in browsers, of whole programs, of scripts and of documents."""
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
    """A change of one place of a file, by its path in the tree: line and byte column, from 1 and 0."""

    file: str
    line: int
    column: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}  {self.old} -> {self.new}"


def faults(tree: Path, file: Path) -> Iterator[Fault]:
    """Yield the faults that can be put into the functions of a file."""
    text = file.read_text("utf-8")
    lines = text.encode().split(b"\n")
    name = file.relative_to(tree).as_posix()
    found: set[Fault] = set()
    for node in (node for part in _bodies(ast.parse(text)) for node in ast.walk(part)):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            old = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
            found.add(Fault(name, node.lineno, node.col_offset, old, str(node.value + 1)))
        for left, operator, right in _operators(node):
            old, new = SWAPS.get(type(operator), ("", ""))
            if not old or left.end_lineno != right.lineno:
                continue
            assert left.end_col_offset is not None
            between = lines[right.lineno - 1][left.end_col_offset : right.col_offset].decode()
            if between.strip(" ()") == old:
                column = left.end_col_offset + between.index(old)
                found.add(Fault(name, right.lineno, column, old, new))
    yield from sorted(found)


def _bodies(module: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of the functions of a module."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from node.body


def _operators(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST, ast.expr]]:
    """Yield the operators of an expression with the operands around them."""
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


def package_of(file: str) -> str:
    """Return the package of a file of the source, without its own folders' folders."""
    return ".".join(Path(file).parts[2:-1][:2]) or "fifteentwo"


def chosen(tree: Path, count: int, rng: random.Random) -> list[Fault]:
    """Draw faults, the same number from each package as near as can be."""
    by_package: dict[str, list[Fault]] = defaultdict(list)
    for file in sorted((tree / "src" / "fifteentwo").rglob("*.py")):
        by_package[package_of(file.relative_to(tree).as_posix())].extend(faults(tree, file))
    for found in by_package.values():
        rng.shuffle(found)
    drawn: list[Fault] = []
    while len(drawn) < count and any(by_package.values()):
        drawn += [found.pop() for found in by_package.values() if found]
    return drawn[:count]


@cache
def imported(file: Path) -> frozenset[str]:
    """Return the modules that a file imports, and what it imports from them, by dotted names."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return frozenset(names)


def tests_of(tree: Path, fault: Fault) -> list[str]:
    """Return the test files for a fault: by its module's name first, then importers, then its package."""
    name = _name(tree / fault.file, tree)
    package = name.rpartition(".")[0]
    users = {_name(file, tree) for file in (tree / "src").rglob("*.py") if name in imported(file)}
    ranked: list[tuple[int, str]] = []
    for test in sorted((tree / "tests").rglob("test_*.py")):
        path = test.relative_to(tree)
        if path.parts[1] in ELSEWHERE:
            continue
        own = imported(test)
        helpers = {one for used in own if used.startswith("tests.") for one in _imported_by(tree, used)}
        if name.rpartition(".")[2] == path.stem.removeprefix("test_") and package in "".join(own):
            ranked.append((0, path.as_posix()))
        elif name in own:
            ranked.append((1, path.as_posix()))
        elif name in helpers or users & own:
            ranked.append((2, path.as_posix()))
        elif "." in package and any(one == package or one.startswith(f"{package}.") for one in own):
            ranked.append((3, path.as_posix()))
    return [path for _, path in sorted(ranked)]


def _name(file: Path, tree: Path) -> str:
    """Return the dotted name of a module of the source."""
    return ".".join(file.relative_to(tree / "src").with_suffix("").parts).removesuffix(".__init__")


def _imported_by(tree: Path, name: str) -> frozenset[str]:
    file = (tree / name.replace(".", "/")).with_suffix(".py")
    return imported(file) if file.exists() else frozenset()


class Run(NamedTuple):
    """The result of a run of tests: `passed`, `failed`, `endless` or `stalled`."""

    ended: str
    seconds: float
    """CPU seconds."""
    failed: str = ""
    """The first test that failed."""


def run(copy: Path, tests: Sequence[str]) -> Run:
    """Run tests in the copy until one fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", KINDS, *tests]
    environment = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(copy / "src")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output,
        subprocess.Popen(
            command,
            cwd=copy,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5)),
        ) as process,
    ):
        try:
            status = process.wait(timeout=STALLED)
        except subprocess.TimeoutExpired:
            status = None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        output.seek(0)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output.read(), re.MULTILINE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if status is None:
        return Run("stalled", seconds)
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return Run("endless", seconds)
    return Run("passed" if status in (0, 5) else "failed", seconds, failed[1] if failed else "")


def known(file: Path) -> dict[str, str]:
    """Return what became of faults, by fault, as far as earlier runs found."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return {one["fault"]: one["ended"] for one in map(json.loads, lines)}


def tried(copy: Path, fault: Fault, file: Path) -> str:
    """Run the tests of a fault in the copy; write and return what became of it."""
    tests, seconds, ended, by = tests_of(copy, fault)[: FEW + MORE], 0.0, "untested", ""
    for some in filter(None, (tests[:FEW], tests[FEW:])):
        found = with_fault(copy, fault, some)
        ended, by, seconds = found.ended, found.failed, seconds + found.seconds
        if ended == "failed":
            ended = "killed" if run(copy, [by] if by else some).ended == "passed" else "unclear"
        elif ended == "endless" and run(copy, some).seconds * ENDLESS > LIMIT:
            ended = "unclear"
        if ended != "passed":
            break
    ended = "survived" if ended == "passed" else ended
    one = {"fault": str(fault), "ended": ended, "by": by, "tests": tests, "seconds": round(seconds, 1)}
    with file.open("a", encoding="utf-8") as results:
        results.write(json.dumps(one) + "\n")
    return ended


def with_fault(copy: Path, fault: Fault, tests: Sequence[str]) -> Run:
    """Run tests with a fault in the copy."""
    place = copy / fault.file
    whole = place.read_text("utf-8")
    _write(place, changed(whole, fault))
    try:
        return run(copy, tests)
    finally:
        _write(place, whole)


def _write(place: Path, text: str) -> None:
    """Write a module and delete its compiled files, which Python compares only by second and size."""
    place.write_text(text, encoding="utf-8")
    for compiled in (place.parent / "__pycache__").glob(f"{place.stem}.*.pyc"):
        compiled.unlink()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--tree", type=Path, default=Path(__file__).parents[1])
    asked.add_argument("--count", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--results", type=Path, default=Path(".mutants.jsonl"), help="what is known already")
    options = asked.parse_args()
    tree, before = options.tree.resolve(), known(options.results)
    by_package: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        left_out = shutil.ignore_patterns(".git", ".venv", "*_cache", "__pycache__", "screens")
        shutil.copytree(tree, copy, ignore=left_out)
        for fault in chosen(tree, options.count, random.Random(options.seed)):
            ended = before.get(str(fault)) or tried(copy, fault, options.results)
            by_package[package_of(fault.file)][ended] += 1
            if ended not in ("killed", "endless"):
                print(f"{ended}  {fault}", flush=True)
    for package, ends in sorted(by_package.items()):
        print(f"{package}: {_counted(ends)}")
    print(_counted(sum(by_package.values(), Counter())))


def _counted(ends: Counter[str]) -> str:
    noticed = ends["killed"] + ends["endless"]
    others = "".join(
        f", {number} {name}" for name, number in ends.items() if name not in ("killed", "endless")
    )
    return f"{noticed} of {ends.total()} noticed{others}"


if __name__ == "__main__":
    main()
