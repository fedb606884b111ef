"""Loops of several modules, compiled together: nothing plain is called, nothing stale is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from fifteentwo.fast.compiled import has_numba

needs_numba = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")

KERNEL = "from fifteentwo.fast.compiled import kernel\n"
TABLE = {
    "__init__": "",
    "stakes": "LEG = 1\nLURCH = 2\n",
    "pegs": f"{KERNEL}from table.stakes import LEG\n\nGO = 1\n\n\n"
    "@kernel\ndef peg(points: int) -> int:\n    return points + GO * LEG\n",
    "holes": f"{KERNEL}from table.pegs import peg as move\n\n\n"
    "@kernel\ndef twice(points: int) -> int:\n    return move(move(points))\n",
    "board": f"{KERNEL}from table import stakes\nfrom table.holes import move, twice\n\n\n"
    "@kernel\ndef walk(points: int) -> int:\n    return twice(points) + move(100 * stakes.LURCH)\n\n\n"
    "@kernel\ndef street(points: int) -> int:\n    return walk(points)\n",
}
"""board calls holes calls pegs; the constant of pegs comes from stakes, which holds no loop."""

ASK = """
import sys
from fifteentwo.fast.compiled import compiled
loops = compiled("table.board")
loaded = hasattr(loops.street, "stats")
print(loops.street(10), sum(loops.street.stats.cache_hits.values()) if loaded else "plain")
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "table").mkdir()
    for name, text in TABLE.items():
        (tmp_path / "table" / f"{name}.py").write_text(text)
    return tmp_path


def change(table: Path, name: str, old: str, new: str) -> None:
    path = table / "table" / f"{name}.py"
    before = path.read_text()
    assert before.count(old) == 1
    path.write_text(before.replace(old, new))


def ask(table: Path, monkeypatch: pytest.MonkeyPatch, code: str = ASK) -> str:
    # Python's own cache of a source looks at whole seconds only, and these change faster.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPATH", str(table))
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=120
    )
    return done.stdout.strip()


@needs_numba
def test_loops_of_other_modules_are_followed_and_stay_plain_themselves(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
print([loops.street(points) == table.board.street(points) for points in range(3)])
"""
    assert ask(table, monkeypatch, code) == "[True, True, True]"


@needs_numba
def test_a_change_is_seen_however_far_and_nothing_is_compiled_twice(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(table, monkeypatch) == "213 0"
    for name, old, new, found in (
        ("board", "100 *", "200 *", 413),
        ("holes", "move(move(points))", "move(points)", 412),
        ("pegs", "GO = 1", "GO = 2", 414),
        ("stakes", "LEG = 1", "LEG = 3", 422),
        ("stakes", "LURCH = 2", "LURCH = 1", 222),
    ):
        change(table, name, old, new)
        assert ask(table, monkeypatch) == f"{found} 0"
    assert ask(table, monkeypatch) == "222 1"
    # What is changed back is what it was, and still there.
    change(table, "stakes", "LURCH = 1", "LURCH = 2")
    assert ask(table, monkeypatch) == "422 1"


def test_switched_off_nothing_is_compiled(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIFTEENTWO_NUMBA", "off")
    assert ask(table, monkeypatch, f"{ASK}\nassert 'numba' not in sys.modules") == "213 plain"
    assert not list(table.rglob("*.nbi"))
