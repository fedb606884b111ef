"""Packages import only allowed packages, in the server and the analysis too, without cycles."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.support.layers import ALLOWED

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "fifteentwo"


OUTSIDE: dict[str, set[str]] = {
    # Pure values: no chance, no clock, no files.
    "rules": {
        *("collections", "enum", "functools", "hashlib", "itertools", "msgspec", "operator", "typing"),
        *("re", "unicodedata"),
        # For names that are loaded when first used, and for the sentences of errors, which are in `i18n`.
        "importlib",
        # For decks that are shuffled by a seed.
        "random",
    },
    "__init__": {"importlib"},
    "__main__": {"_signal", "os"},
}
"""Packages with a limited list of modules from outside."""

SERVER = (
    {"errors", "settings", "background", "health", "work_queue"},
    {"table_log"},
    {"store"},
    {"http", "study"},
    {"live"},
    {"people"},
    {"club"},
    {"services"},
    {"pages"},
    {"app"},
    {"systemd"},
    {"serving"},
)
"""Packages of the server: each may import its own group and earlier groups."""

ANALYSIS = ("win", "discards", "pegging", "rollouts", "review", "book")
"""Packages of the analysis: each may import itself and earlier packages."""

MOST_MODULES = 20
"""Maximum number of modules in a folder of the server or the analysis."""

SOURCES = sorted(SRC.rglob("*.py"))
MODULES = {
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__") for path in SOURCES
}


def lab_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


LAB = {lab_name(path): path for path in sorted((ROOT / "lab").rglob("*.py"))}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")


def package(path: Path) -> str:
    return path.relative_to(SRC).parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Return every name a file imports, anywhere and under TYPE_CHECKING too; `from x import y` as x.y."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [(node.lineno, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            found += [(node.lineno, f"{node.module}.{name.name}") for name in node.names]
    return tuple(found)


def own_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the modules of this package that a file imports."""
    for line, name in imports(path):
        own = name.removeprefix("fifteentwo.")
        if name.startswith("fifteentwo."):
            yield line, own if own in MODULES else own.rpartition(".")[0] or "__init__"


def test_every_package_has_a_rule_for_its_imports() -> None:
    assert len(SOURCES) > 20
    packages = {package(path) for path in SOURCES}
    assert packages == set(ALLOWED), packages ^ set(ALLOWED)


def test_packages_import_only_allowed_packages() -> None:
    wrong = []
    for path in SOURCES:
        here = package(path)
        for line, name in imports(path):
            first, *inner = name.split(".")
            if first == "fifteentwo":
                other = inner[0] if inner and inner[0] in ALLOWED else "__init__"
                may = {here, *ALLOWED[here]} | ({"__init__"} if here not in ("rules", "fast") else set())
                if other not in may:
                    wrong.append(f"{path.relative_to(SRC)}:{line}: {here} imports {other}")
            elif here in OUTSIDE and first not in OUTSIDE[here]:
                wrong.append(f"{path.relative_to(SRC)}:{line}: {here} imports {first}")
    assert wrong == []


def test_the_rules_load_nothing_but_the_sentences_of_their_errors() -> None:
    users = [
        path for path in SOURCES if package(path) == "rules" and "import_module(" in path.read_text("utf-8")
    ]
    assert [path.name for path in users] == ["__init__.py", "errors.py"]
    assert users[1].read_text("utf-8").count("import_module(") == 1


def test_inside_the_server_imports_go_one_way() -> None:
    rank = {name: at for at, names in enumerate(SERVER) for name in names}
    wrong = []
    for path in SOURCES:
        _, here, *_ = (*name_of(path).split("."), "")
        if package(path) != "server" or not here:
            continue
        assert here in rank, f"{path}: no rule for server.{here}"
        for line, name in own_imports(path):
            parts = name.split(".")
            if parts[0] != "server" or len(parts) < 2 or parts[1] == here:
                continue
            if rank[parts[1]] >= rank[here] > 0:
                wrong.append(f"{path.relative_to(SRC)}:{line}: {here} imports {name}")
    assert wrong == []


def test_inside_the_analysis_imports_go_one_way() -> None:
    wrong = []
    for path in (SRC / "analysis").rglob("*.py"):
        here = name_of(path).split(".")
        if len(here) < 3:
            assert path.name == "__init__.py", f"{path}: no module lies beside the packages"
            continue
        for line, name in own_imports(path):
            parts = name.split(".")
            inner = parts[0] == "analysis" and len(parts) > 1
            if inner and ANALYSIS.index(parts[1]) > ANALYSIS.index(here[1]):
                wrong.append(f"{path.relative_to(SRC)}:{line}: {here[1]} imports {name}")
    assert wrong == []


def test_imports_have_no_cycle() -> None:
    graph = {name_of(path): {name for _, name in own_imports(path)} - {name_of(path)} for path in SOURCES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_folders_of_the_server_and_the_analysis_stay_small() -> None:
    every = (path for part in ("server", "analysis") for path in (SRC / part).rglob("*"))
    folders = [path for path in every if path.is_dir() and list(path.glob("*.py"))]
    sizes = {
        path.name: len([one for one in path.glob("*.py") if one.name != "__init__.py"]) for path in folders
    }
    assert {name: size for name, size in sizes.items() if size > MOST_MODULES and name != "versions"} == {}


def test_nothing_that_is_installed_imports_the_lab() -> None:
    for path in SOURCES:
        for line, name in imports(path):
            assert name.split(".")[0] != "lab", f"{path}:{line}: {name}"


def test_imports_of_the_lab_have_no_cycle() -> None:
    graph = {
        lab_name(path): {
            own
            for _, name in imports(path)
            for own in (name, name.rpartition(".")[0])
            if own in LAB and own != lab_name(path)
        }
        for path in LAB.values()
    }
    assert len(graph) > 40
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(error.args[1])) from None


def test_folders_of_the_lab_stay_small() -> None:
    folders: dict[str, int] = {}
    for path in LAB.values():
        folders[str(path.parent)] = folders.get(str(path.parent), 0) + (path.name != "__init__.py")
    assert {name: size for name, size in folders.items() if size > MOST_MODULES} == {}


def test_fast_imports_no_package_of_messages_or_databases() -> None:
    for path in SRC.glob("fast/*.py"):
        for line, name in imports(path):
            assert name.split(".")[0] not in ("msgspec", "sqlalchemy", "starlette"), f"{path}:{line}"


def test_a_player_sees_views_and_never_the_state() -> None:
    hidden = {"State", "evolve", "start", "step", "decide", "legal", "to_act", "view", "see"}
    for path in SRC.glob("players/*.py"):
        for line, name in imports(path):
            if name.startswith("fifteentwo.rules."):
                assert name.split(".")[-1] not in hidden, f"{path}:{line}: a player imports {name}"


def test_no_module_has_an_empty_name_such_as_utils() -> None:
    empty = {"utils", "util", "common", "core", "helpers", "helper", "manager", "misc"}
    named = [path for path in SOURCES if empty & set(path.relative_to(SRC).with_suffix("").parts)]
    assert named == []
