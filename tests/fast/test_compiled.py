"""Kernels are compiled with all that they call, never from stale code, and not if numba is off."""

import ast
import json
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import fifteentwo
from fifteentwo.fast import compiled as compiling
from fifteentwo.fast import show_kernels
from fifteentwo.fast.compiled import compiled, has_numba
from tests.support import commands

PACKAGE = Path(fifteentwo.__file__).parent
needs_numba = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")


def run(code: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout


@needs_numba
def test_compiling_a_module_leaves_its_source_module_plain() -> None:
    games = compiled("fifteentwo.fast.random_games_kernels")
    assert games.hand_points is compiled("fifteentwo.fast.show_kernels").hand_points
    assert games.hand_points.py_func.__code__ is show_kernels.hand_points.__code__
    assert import_module("fifteentwo.fast.random_games_kernels").hand_points is show_kernels.hand_points


def test_kernels_rest_on_nothing_but_what_the_digest_covers() -> None:
    waiting = {
        path for path in PACKAGE.rglob("*.py") if "fast.compiled import kernel" in path.read_text("utf-8")
    }
    assert len(waiting) > 8
    covered = {path for source in compiling.SOURCES for path in (PACKAGE / source).rglob("*.py")}
    seen: set[Path] = set()
    while waiting - seen:
        path = (waiting - seen).pop()
        seen.add(path)
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fifteentwo."):
                module = PACKAGE.parent / str(node.module).replace(".", "/")
                parts = [(module / part.name).with_suffix(".py") for part in node.names]
                waiting |= {one for one in (module.with_suffix(".py"), *parts) if one.exists()}
    assert [str(path) for path in seen - covered] == []


def test_the_folder_changes_with_every_source_of_kernels_and_with_no_other(tmp_path: Path) -> None:
    package = tmp_path / "fifteentwo"
    shutil.copytree(
        PACKAGE, package, ignore=shutil.ignore_patterns("data", "locale", "static", "__pycache__")
    )
    before = compiling.digest(package)
    with (package / "server" / "app.py").open("a") as file:
        file.write("# changed\n")
    assert compiling.digest(package) == before
    for changed in ("fast/play.py", "rules/cards.py", "environments/six_card.py"):
        with (package / changed).open("a") as file:
            file.write("# changed\n")
        assert compiling.digest(package) != before
        before = compiling.digest(package)


COUNT = """
import json
from fifteentwo.fast.compiled import compiled, folder
kernels = compiled("fifteentwo.fast.random_games_kernels")
made = kernels.drawn(5)
stats = kernels.drawn.stats
print(json.dumps([made, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), str(folder())]))
"""


@needs_numba
def test_what_one_process_compiles_the_next_one_loads(tmp_path: Path) -> None:
    first, second = (json.loads(run(COUNT, NUMBA_CACHE_DIR=str(tmp_path))) for _ in range(2))
    assert first[1:3] == [0, 1]
    assert second[1:3] == [1, 0]
    assert first[0] == second[0]
    assert Path(first[3]).parent == tmp_path / "fifteentwo"


@needs_numba
def test_where_nothing_can_be_written_each_process_compiles() -> None:
    nowhere = "from fifteentwo.fast import compiled as c\nc.places = lambda: iter(())\n"
    made, hits, _, place = json.loads(run(nowhere + COUNT))
    assert (hits, place) == (0, "None")
    assert made == import_module("fifteentwo.fast.random_games_kernels").drawn(5)


CHECKED = """
import numpy as np
from fifteentwo.fast.compiled import compiled, folder
print(folder())
try:
    compiled("fifteentwo.fast.show_kernels").add_rank_points(
        np.array([9], np.int64), np.zeros(3, np.uint8), np.zeros(1, np.uint8)
    )
except IndexError as error:
    print(error)
"""


@needs_numba
def test_kernels_that_check_bounds_raise_and_are_kept_apart(tmp_path: Path) -> None:
    place, error = run(CHECKED, FIFTEENTWO_NUMBA="checked", NUMBA_CACHE_DIR=str(tmp_path)).splitlines()
    assert error == "index is out of bounds"
    assert Path(place).name != compiling.digest()


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    compiling.folder.cache_clear()
    place = compiling.folder()
    assert place is not None
    monkeypatch.setattr(compiling, "folder", lambda *_: place)
    return place


def test_of_machine_code_the_folders_last_used_stay(kept: Path) -> None:
    for day in range(compiling.MAX_FOLDERS + 2):
        old = kept.parent / f"{day}"
        old.mkdir()
        os.utime(old, (day, day))
    assert compiling.clean() == 3
    assert sorted(path.name for path in kept.parent.iterdir()) == sorted([kept.name, *map(str, range(3, 10))])


@needs_numba
@pytest.mark.usefixtures("kept")
def test_a_module_is_ready_once_its_kernels_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(compiling, "import_module", lambda _: Caller)

    class Caller:
        @staticmethod
        def prepare() -> None:
            asked.append("compiled")

    assert not compiling.is_ready("caller")
    assert compiling.make_ready("caller") is None
    assert asked == ["compiled"]
    assert compiling.is_ready("caller")

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Caller, "prepare", full)
    assert compiling.make_ready("other") == "No space left on device"
    assert not compiling.is_ready("other")


WITHOUT_NUMBA = """
import contextlib, io, sys
from pathlib import Path
import numpy as np
from fifteentwo.cli import main
from fifteentwo.contest.table import Table
from fifteentwo.rules.decks import seeded
from fifteentwo.players import player
from fifteentwo.rules.record import Record, write
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from lab.six_card import tree
from lab.six_card.pegging import PeggingGame
from lab.six_card.tree_kernels import play_card, open_node
folder = Path(FOLDER)

def run(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            main(list(words), standalone_mode=False)
        except SystemExit as left:
            assert not left.code, (words, out.getvalue())
    return out.getvalue()

rules = rules_for("six-card", target=61)
table, players = Table(rules, seeded(5)), [player("master", 0), player("random", 1)]
while table.state.deal < 2:
    seat = table.waiting[0]
    table.submit(seat, players[seat].act(view(table.state, seat)))
game = Record(rules=rules, names=("master", "random"), actions=tuple(table.actions))
assert run("arena", "expert", "club", "--games", "2", "--seed", "1", "--jobs", "1")
print(run(*DISCARD))
(folder / "game.txt").write_text(write(game), encoding="utf-8")
assert run("review", str(folder / "game.txt"))
firsts, states = tree.branch_starts()
first, second, third = firsts[168], *tree.records(tree.NODE, 2)
play_card(first, second, states[168], 9)
play_card(second, third, states[168], 0)
firsts[168] = third
# A small tree: K K T A is 31, two cards are left to each.
tree.branch_starts = lambda: (firsts, states)
game = PeggingGame(tree.build_tree([168]), 1)
game.step((np.ones(1820), np.ones(1820)))
assert game.regret.rest.any()
loaded = [name for name in sys.modules if name.partition(".")[0] == "numba"]
assert loaded == [], loaded
"""
"""A deal, its review, a discard, an arena and a small solve, in one process."""
DISCARD = ("discard", "5H", "5S", "6D", "7C", "JC", "KD", "--dealer", "--board", "110-116", "--json")


def test_switched_off_numba_is_never_loaded_and_changes_no_figure(tmp_path: Path) -> None:
    code = WITHOUT_NUMBA.replace("FOLDER", repr(str(tmp_path))).replace("DISCARD", repr(DISCARD))
    found, wanted = json.loads(run(code, FIFTEENTWO_NUMBA="off")), json.loads(commands.run(*DISCARD).stdout)
    for one, other in zip(found["options"], wanted["options"], strict=True):
        assert {**one, "win": 0} == {**other, "win": 0}
        assert one["win"] == pytest.approx(other["win"], abs=1e-9)


THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from fifteentwo.fast.compiled import compiled
sys.setswitchinterval(1e-6)
names = [
    *(f"fifteentwo.fast.{name}_kernels" for name in ("show", "random_games")), "lab.board.deal_kernels",
    "lab.six_card.pegging_kernels", "fifteentwo.analysis.rollouts.playouts_kernels",
]
together = Barrier(len(names))
def ask(name):
    together.wait()
    return compiled(name)
with ThreadPoolExecutor(len(names)) as pool:
    assert [module.__name__ for module in pool.map(ask, names)] == names
"""


def test_threads_may_ask_for_kernels_at_once() -> None:
    run(THREADS)
