"""Loops of several modules, compiled together: nothing plain is called, nothing stale is loaded."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

import fifteentwo
from fifteentwo.fast.compiled import has_numba

needs_numba = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")

KERNEL = "from fifteentwo.fast.compiled import kernel\n"
TABLE = {
    "__init__": "",
    "stakes": "LEG = 1\nLURCH = 2\n",
    "pegs": f"from typing import NamedTuple\n\n{KERNEL}from table.stakes import LEG\n\nGO = 1\n\n\n"
    "class Peg(NamedTuple):\n    points: int\n\n\n"
    "@kernel\ndef peg(points: int) -> Peg:\n    return Peg(points + GO * LEG)\n",
    "holes": f"{KERNEL}from table.pegs import Peg, peg as move\n\n\n"
    "@kernel\ndef twice(points: int) -> int:\n    once = move(points)\n"
    "    if points < 0:\n        once = Peg(0)\n    return move(once.points).points\n",
    "board": f"{KERNEL}from table import stakes\nfrom table.holes import move, twice\n\n\n"
    "@kernel(fastmath=True)\ndef walk(points: int) -> int:\n"
    "    return twice(points) + move(100 * stakes.LURCH).points\n\n\n"
    "@kernel\ndef street(points: int) -> int:\n    return walk(points)\n",
}
"""board calls holes calls pegs; the constant of pegs comes from stakes, which holds no loop. Both pegs and
holes make the same record."""

STREET = """
import sys
from fifteentwo.fast.compiled import compiled
loops = compiled("table.board")
loaded = hasattr(loops.street, "stats")
told = [loops.street(10), sum(loops.street.stats.cache_hits.values()) if loaded else "plain"]
"""

FORKS = """
import json, os, sys
import numpy
if os.environ.get("FIFTEENTWO_NUMBA") != "off":
    import numba
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        names = {"told": None}
        exec(json.loads(line), names)
        print(json.dumps(names["told"]), flush=True)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print("null", flush=True)
"""
"""Processes that have numba loaded and nothing of ours: each runs one piece of code and prints `told`."""


class Processes:
    """Fresh processes, one after another, that import from a folder beside what is installed.

    They keep what they compile in the folder `caches` of that one.
    """

    def __init__(self, folder: Path, **environment: str) -> None:
        told = {**os.environ, "PYTHONPATH": str(folder), "OPENBLAS_NUM_THREADS": "1"}
        told.pop("NUMBA_CACHE_DIR", None)
        told |= {"XDG_CACHE_HOME": str(folder / "caches"), **environment}
        # Python's own cache of a source looks at whole seconds only, and these change faster.
        told["PYTHONDONTWRITEBYTECODE"] = "1"
        self._forks = subprocess.Popen(
            [sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=told
        )

    def ask(self, code: str) -> object:
        assert self._forks.stdin is not None
        assert self._forks.stdout is not None
        self._forks.stdin.write(json.dumps(code) + "\n")
        self._forks.stdin.flush()
        told: object = json.loads(self._forks.stdout.readline())
        return told

    def end(self) -> None:
        self._forks.communicate(timeout=60)


SOURCES = Path(fifteentwo.__file__).parent


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Path, Processes]]:
    (tmp_path / "table").mkdir()
    for name, text in TABLE.items():
        (tmp_path / "table" / f"{name}.py").write_text(text)
    (tmp_path / "fifteentwo").symlink_to(SOURCES)
    processes = Processes(tmp_path)
    yield tmp_path / "table", processes
    processes.end()


def change(path: Path, old: str, new: str) -> None:
    before = path.read_text()
    assert before.count(old) == 1, (path, old)
    path.write_text(before.replace(old, new))


@needs_numba
def test_loops_of_other_modules_are_followed_and_stay_plain_themselves(table: tuple[Path, Processes]) -> None:
    code = """
from types import FunctionType
from fifteentwo.fast.compiled import compiled
loops = compiled("table.board")
import table.board, table.holes, table.pegs
assert loops.twice is compiled("table.holes").twice
assert loops.move is compiled("table.holes").move is compiled("table.pegs").peg
for loop in (loops.walk, loops.twice, loops.move):
    assert hasattr(loop, "signatures"), loop
for loop in (table.board.walk, table.board.move, table.holes.twice, table.pegs.peg):
    assert type(loop) is FunctionType, loop
assert loops.walk.targetoptions["fastmath"] and not loops.street.targetoptions.get("fastmath")
assert type(loops.move(1)) is table.pegs.Peg
told = [loops.street(points) == table.board.street(points) for points in range(3)]
"""
    assert table[1].ask(code) == [True, True, True]


@needs_numba
def test_a_change_is_seen_however_far_and_nothing_is_compiled_twice(table: tuple[Path, Processes]) -> None:
    folder, processes = table
    assert processes.ask(STREET) == [213, 0]
    for name, old, new, answer in (
        ("board", "100 *", "200 *", 413),
        ("holes", "move(once.points)", "move(points)", 412),
        ("pegs", "GO = 1", "GO = 2", 414),
        ("stakes", "LEG = 1", "LEG = 3", 422),
        ("stakes", "LURCH = 2", "LURCH = 1", 222),
    ):
        change(folder / f"{name}.py", old, new)
        assert processes.ask(STREET) == [answer, 0]
    assert processes.ask(STREET) == [222, 1]
    # What is changed back is what it was, and still there.
    change(folder / "stakes.py", "LURCH = 1", "LURCH = 2")
    assert processes.ask(STREET) == [422, 1]


@needs_numba
def test_where_nothing_can_be_written_each_process_compiles_its_own(table: tuple[Path, Processes]) -> None:
    folder, _ = table
    copy = folder.parent / "fifteentwo"
    copy.unlink()
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__", "data", "web"))
    # A file where the folder of machine code would be, in the user's caches and beside the package.
    (copy / "fast" / "__pycache__").write_text("")
    no_folder = str(folder / "pegs.py")
    processes = Processes(folder.parent, XDG_CACHE_HOME=no_folder, HOME=no_folder)
    assert processes.ask(STREET) == [213, 0]
    assert processes.ask(STREET) == [213, 0]
    processes.end()
    assert not list(folder.parent.rglob("*.nbi"))


def test_switched_off_nothing_is_compiled(table: tuple[Path, Processes]) -> None:
    folder, _ = table
    processes = Processes(folder.parent, FIFTEENTWO_NUMBA="off")
    assert processes.ask(f"{STREET}\nassert 'numba' not in sys.modules") == [213, "plain"]
    processes.end()
    assert not list(folder.parent.rglob("*.nbi"))


# ── The rules, and whoever plays by them ─────────────────────────────────────────────────────────────────


class Rule(NamedTuple):
    """One constant of a fast rule, and what it is changed to."""

    file: str
    old: str
    new: str


RULES = {
    "value of a card": Rule("fast/play.py", "+ 1 if rank < 9 else 10", "+ 1 if rank < 9 else 9"),
    "fifteen": Rule("fast/play.py", "2 if count == 15 or", "2 if count == 14 or"),
    "thirty-one": Rule("fast/play.py", "or count == 31 else 0", "or count == 30 else 0"),
    "pair": Rule("fast/play.py", "points + alike * (alike - 1)", "points + alike * alike"),
    "run": Rule("fast/play.py", "if length >= 3 and", "if length >= 4 and"),
    "new count": Rule(
        "fast/play.py", "    if count == 31:\n        return Turn", "    if count == 30:\n        return Turn"
    ),
    "lead after a go": Rule(
        "fast/play.py", "Turn(1 - now.last if held > 0 else now.last, 0,", "Turn(now.last, 0,"
    ),
    "flush": Rule("fast/show_loops.py", "FLUSH, WHOLE_FLUSH = 4, 5", "FLUSH, WHOLE_FLUSH = 3, 5"),
    "nobs": Rule("fast/layout.py", "JACK = 10", "JACK = 9"),
}

PLAYED = ("value of a card", "fifteen", "thirty-one", "pair", "run", "new count", "lead after a go")


class Consumer(NamedTuple):
    """Code that plays by the rules, compiled, and the rules it rests on; `told` is its answer."""

    code: str
    rules: Sequence[str]


QUICK = {
    "forced endings": Consumer(
        """
import numpy as np
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.play import Turn
ending = compiled("fifteentwo.fast.play").forced_ending
pile = np.array([4, *[0] * 15])
told = [ending(pile, Turn(side, 5, 0, 1, 0, 1 - side), one, other)
        for side in range(2) for one in range(-1, 13) for other in range(-1, 13)]
pile[:3] = 12, 10, 11
told += [ending(pile, Turn(0, 21, 0, 3, 0, 1), one, other) for one in range(13) for other in range(13)]
""",
        PLAYED,
    ),
    "show": Consumer(
        """
import numpy as np
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.show import rank_points
from fifteentwo.fast.show_loops import FLUSH
loop = compiled("fifteentwo.fast.show_loops").hand_points
four = np.array([0, 4, 16, 40])
told = [int(loop(four + suit, 48 + other, FLUSH, rank_points(5))) for suit in range(4) for other in range(4)]
""",
        ("flush", "nobs"),
    ),
}
"""A second or so to compile."""

GAME = """
from fifteentwo.analysis.review.review import review
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import rules_for
rules = rules_for("six-card")
table = Table(rules, seeded(5))
play_out(table, [player("greedy", 0), player("random", 1)])
game = Record(rules=rules, names=("greedy", "random"), actions=tuple(table.actions))
"""

SLOW = {
    "solver's tree": Consumer(
        """
import numpy as np
from fifteentwo.solver.pegging.regret import Cells, PeggingGame
from fifteentwo.solver.pegging.tree import build_tree
tree = build_tree([13 * 9 + 4, 13 * 12 + 9])
even = np.ones(1820), np.ones(1820)
game, cells = PeggingGame(tree, 1), Cells.zeros(tree.cells)
# Threads add up single precision in any order.
told = [f"{np.abs(game.sweep(side, 2, even, cells)).sum():.6g}" for side in (0, 1)]
""",
        PLAYED,
    ),
    "open hands": Consumer(
        """
from fifteentwo.solver.pegging.open_hand import branch_values
from fifteentwo.solver.pegging.tree import build_tree
worths = [branch_values(build_tree([branch]), branch) for branch in (13 * 9 + 4, 13 * 12 + 9)]
told = [float(worth[abs(worth) < 100].sum(dtype=float)) for worth in worths]
""",
        PLAYED,
    ),
    "deals": Consumer(
        """
import numpy as np
from fifteentwo.fast.deal import by_points, play_deals
from fifteentwo.fast.random_deals import random_deals
played = play_deals(random_deals(2000, 13, seed=1), by_points(np.zeros((2, 13, 13))), seed=1)
told = [int((played.events.astype(np.int64) ** 2).sum()), int(played.options.astype(np.int64).sum())]
""",
        (*PLAYED, "flush", "nobs"),
    ),
    "random games": Consumer(
        """
import numpy as np
from fifteentwo.fast.random_games import play
games = play(300, 1)
told = [games.points.tolist(), games.deals.tolist()]
""",
        ("fifteen", "thirty-one", "pair", "run"),
    ),
    "playouts": Consumer(
        """
import random
from fifteentwo.analysis.discards.kept_hands import kept_ratios
from fifteentwo.analysis.rollouts.playouts import mean_play
from fifteentwo.rules.variants import Variant, rules_for
told = [mean_play(rules_for(Variant.SIX_CARD), 1, keep, kept_ratios(Variant.SIX_CARD), random.Random(1), 300)
        for keep in ((4, 4, 9, 10), (0, 1, 2, 3))]
""",
        ("value of a card", "fifteen", "thirty-one", "pair", "run"),
    ),
    "look-ahead": Consumer(
        f"""{GAME}
cards = [one for one in review(game)["decisions"] if one["kind"] == "play"]
told = [option["win"] for one in cards for option in one["options"]]
""",
        PLAYED,
    ),
    "endgame": Consumer(
        f"""{GAME}
from fifteentwo.analysis.pegging.endgame import resolved
from fifteentwo.analysis.pegging.look_ahead import Answers
from fifteentwo.rules.state import start
from fifteentwo.rules.record import replay
from fifteentwo.rules.view import view
told, state = [], start(game.rules, named=game.named)
for action, after, _ in replay(game):
    if isinstance(action, Play) and len(told) < 6:
        seen = view(state, action.seat)
        others = 4 - sum(seat != action.seat for seat, _ in seen.played)
        if (len(seen.hand), others) == (2, 2):
            told.append(list(resolved(Answers(seen), games=False)[1:]))
    state = after
""",
        PLAYED,
    ),
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[Path, Processes]]:
    """A copy of the package, where rules may be changed."""
    copy = tmp_path / "fifteentwo"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__", "data", "web"))
    (copy / "data").symlink_to(SOURCES / "data")
    processes = Processes(tmp_path)
    yield copy, processes
    processes.end()


def check(house: tuple[Path, Processes], consumer: Consumer, rules: Sequence[str]) -> None:
    folder, processes = house
    before = processes.ask(consumer.code)
    assert before
    for name in rules:
        file, old, new = RULES[name]
        change(folder / file, old, new)
        assert processes.ask(consumer.code) != before, name
        change(folder / file, new, old)
    assert processes.ask(consumer.code) == before


@needs_numba
@pytest.mark.parametrize("name", QUICK)
def test_a_changed_rule_changes_what_is_compiled_on_it(name: str, house: tuple[Path, Processes]) -> None:
    check(house, QUICK[name], QUICK[name].rules[::2])


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, *SLOW])
def test_a_changed_rule_changes_whoever_plays_by_it(name: str, house: tuple[Path, Processes]) -> None:
    consumer = QUICK[name] if name in QUICK else SLOW[name]
    check(house, consumer, consumer.rules)


RESTS = """
import importlib, pkgutil
import fifteentwo
from fifteentwo.fast.compiled import _digest
from pathlib import Path
root = Path(fifteentwo.__file__).parent
names = [".".join(("fifteentwo", *path.relative_to(root).with_suffix("").parts))
         for path in sorted(root.rglob("*.py"))
         if any(mark in path.read_text() for mark in ("\\n@kernel", "\\n@borrowing"))]
for name in names:
    importlib.import_module(name)
told = {name: _digest(name) for name in names}
"""
"""The digest of every module of loops."""


NO_PLAY = {"fast.suits", "solver.discards.discard_loops"}
"""Loops that know nothing of the play."""


def test_every_module_of_loops_is_named_after_the_rules_it_rests_on(house: tuple[Path, Processes]) -> None:
    folder, processes = house
    before = processes.ask(RESTS)
    assert isinstance(before, dict)
    for file, old, new in {rule.file: rule for rule in RULES.values()}.values():
        change(folder / file, old, new)
        after = processes.ask(RESTS)
        assert isinstance(after, dict)
        changed = {name.removeprefix("fifteentwo.") for name in before if before[name] != after[name]}
        if file == "fast/play.py":
            assert {name.removeprefix("fifteentwo.") for name in before} - changed <= NO_PLAY
        else:
            assert {"fast.show_loops", "fast.deal_loops", "fast.random_games_loops"} <= changed
        change(folder / file, new, old)
    assert processes.ask(RESTS) == before
    assert {"fifteentwo.solver.pegging.regret_loops", "fifteentwo.analysis.pegging.endgame_loops"} <= set(
        before
    )


HOUSE_WORK = (
    GAME
    + """
import contextlib, io, sys
from pathlib import Path
import numpy as np
from fifteentwo.cli import main
from fifteentwo.rules.record import write
from fifteentwo.solver.pegging import tree
from fifteentwo.solver.pegging.regret import PeggingGame
from fifteentwo.solver.pegging.tree_loops import lay_down, open_node
folder = Path(FOLDER)

def run(*words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            main(list(words), standalone_mode=False)
        except SystemExit as left:
            assert not left.code, (words, out.getvalue())
    return out.getvalue()

assert run("arena", "master", "club", "--games", "2", "--seed", "1", "--jobs", "1")
assert run("discard", "5H", "5S", "6D", "7C", "JC", "KD", "--dealer", "--board", "110-116")
(folder / "game.txt").write_text(write(game), encoding="utf-8")
assert run("review", str(folder / "game.txt"))
firsts, states = tree.branch_starts()
first, second, third = firsts[168], *tree.records(tree.NODE, 2)
lay_down(first, second, states[168], 9)
lay_down(second, third, states[168], 0)
firsts[168] = third
# A small tree: K K T A is 31, two cards are left to each.
tree.branch_starts = lambda: (firsts, states)
game = PeggingGame(tree.build_tree([168]), 1)
game.step((np.ones(1820), np.ones(1820)))
assert game.regret.rest.any()
told = [name for name in sys.modules if name.partition(".")[0] == "numba"]
"""
)
"""A game, its review, a throw, an arena and a small solve, in one process."""


def test_switched_off_numba_is_never_loaded(tmp_path: Path) -> None:
    processes = Processes(SOURCES.parent, FIFTEENTWO_NUMBA="off")
    assert processes.ask(HOUSE_WORK.replace("FOLDER", repr(str(tmp_path)))) == []
    processes.end()


THREADS = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from fifteentwo.fast.compiled import compiled
names = [f"fifteentwo.{name}" for name in (
    "fast.show_loops", "fast.deal_loops", "fast.random_games_loops", "solver.pegging.regret_loops",
    "solver.pegging.open_hand_loops", "analysis.pegging.look_ahead_loops", "analysis.pegging.endgame_loops",
    "analysis.rollouts.playouts_loops",
)]
together = Barrier(len(names))
def ask(name):
    together.wait()
    return compiled(name)
with ThreadPoolExecutor(len(names)) as pool:
    told = [module.__name__.partition("__compiled_")[0] for module in pool.map(ask, names)] == names
"""


def test_threads_may_ask_for_loops_at_once() -> None:
    code = f"import sys\nsys.setswitchinterval(1e-6)\n{THREADS}\nassert told"
    subprocess.run([sys.executable, "-c", code], check=True)
