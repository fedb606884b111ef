"""Who may import whom: the arrows of the house, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "src" / "fifteentwo"

ALLOWED: dict[str, set[str]] = {
    "rules": set(),
    # Whoever has workers has them end with it.
    "processes": set(),
    "fast": {"processes"},
    "i18n": {"rules"},
    # Games as others write them down.
    "formats": {"rules"},
    "book": {"rules", "fast"},
    "analysis": {"rules", "fast", "book", "processes"},
    # Of contest only the executor: jobs run in one place, the solver's and the arena's.
    "solver": {"analysis", "book", "fast", "rules", "contest"},
    "players": {"rules", "analysis", "book"},
    "contest": {"rules", "players", "processes"},
    "server": {"contest", "players", "analysis", "book", "i18n", "rules", "formats", "processes"},
    # Compiles whatever any room will want compiled.
    "prepare": {"contest", "fast", "rules"},
    # Our speed beside C; C itself lies in bench_c.
    "bench": {"fast"},
    # The command line opens every room.
    "cli": {
        *("contest", "players", "analysis", "i18n", "rules", "server"),
        *("solver", "bench", "prepare", "formats"),
    },
    "__main__": {"cli"},
    "__init__": {"rules"},
}

OUTSIDE: dict[str, set[str]] = {
    # What cribbage is: pure values, so no chance, no clock, no files.
    "rules": {
        "collections",
        "enum",
        "functools",
        "hashlib",
        "itertools",
        "msgspec",
        "operator",
        "typing",
        "unicodedata",
    },
    "__init__": {"importlib"},
    "__main__": {"_signal", "os"},
}
"""Where nothing else may be imported at all."""

SOURCES = sorted(HOUSE.rglob("*.py"))


def room(path: Path) -> str:
    inside = path.relative_to(HOUSE).parts
    return inside[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module a file imports, wherever in the file, with its line; `from x import y` as x.y."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written out"
            for name in node.names:
                yield node.lineno, f"{node.module}.{name.name}"


def test_every_room_has_its_rule() -> None:
    assert len(SOURCES) > 20
    rooms = {room(path) for path in SOURCES}
    assert rooms <= set(ALLOWED), rooms - set(ALLOWED)
    assert {"rules", "fast", "book", "players", "contest", "server", "i18n"} <= rooms


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_imports_follow_the_arrows(path: Path) -> None:
    here = room(path)
    for line, name in imports(path):
        first, *inner = name.split(".")
        if first == "fifteentwo":
            other = inner[0] if inner else "__init__"
            if (HOUSE / other).is_dir() or (HOUSE / f"{other}.py").is_file():
                assert other == here or other in ALLOWED[here], f"{path}:{line}: {here} imports {other}"
            else:
                # A name of the front door, which only what is above the rules may use.
                assert here not in ("rules", "fast"), f"{path}:{line}: {here} imports the front door"
        elif here in OUTSIDE:
            assert first in OUTSIDE[here], f"{path}:{line}: {here} imports {first}"


def test_the_solver_takes_the_executor_alone_from_contest() -> None:
    for path in HOUSE.glob("solver/*.py"):
        for line, name in imports(path):
            if name.startswith("fifteentwo.contest"):
                assert name.startswith("fifteentwo.contest.executor."), f"{path}:{line}: {name}"


def test_fast_knows_arrays_only() -> None:
    for path in HOUSE.glob("fast/*.py"):
        for line, name in imports(path):
            assert name.split(".")[0] not in ("msgspec", "sqlalchemy", "starlette"), f"{path}:{line}"


def test_a_player_sees_views_and_never_the_state() -> None:
    for path in HOUSE.glob("players/*.py"):
        for line, name in imports(path):
            hidden = {"State", "evolve", "start", "step", "decide", "legal", "to_act", "view", "see"}
            if name.startswith("fifteentwo.rules."):
                assert name.split(".")[-1] not in hidden, f"{path}:{line}: a player imports {name}"


def test_no_room_without_a_cribbage_name() -> None:
    for path in SOURCES:
        for part in path.relative_to(HOUSE).parts:
            words = part.removesuffix(".py").split("_")
            assert not {"utils", "util", "common", "core", "helpers", "helper", "manager", "misc"} & set(
                words
            ), path
