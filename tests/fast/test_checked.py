"""FIFTEENTWO_NUMBA=checked: loops look at every index, and are kept apart from those that do not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fifteentwo.fast.compiled import has_numba

LOOP = """from fifteentwo.fast.compiled import borrowing, kernel

@borrowing
def at(pegs, place):
    return pegs[place]

@kernel(fastmath=True)
def peek(pegs, place):
    return at(pegs, place)
"""
PEEK = """
import json
import numpy as np
from fifteentwo.fast.compiled import compiled
loops = compiled("table.tray")
row = np.arange(9.0)
told = []
for place in (2, 5):
    try:
        told.append(loops.peek(row[:3], place))
    except IndexError as error:
        told.append(str(error))
print(json.dumps([loops.__name__, told]))
"""


@pytest.mark.skipif(not has_numba(), reason="nothing to compile with")
def test_a_loop_that_looks_at_bounds_never_stands_in_for_one_that_does_not(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "tray.py").write_text(LOOP)

    path = os.pathsep.join([str(tmp_path), *sys.path])

    def ask(mode: str) -> tuple[str, list[object]]:
        done = subprocess.run(
            [sys.executable, "-c", PEEK],
            env={**os.environ, "PYTHONPATH": path, "FIFTEENTWO_NUMBA": mode},
            capture_output=True,
            check=True,
        )
        name, told = json.loads(done.stdout)
        return name, told

    name, told = ask("on")
    assert told == [2.0, 5.0], "past the end of a part there lies the rest of the whole"
    other, told = ask("checked")
    assert told == [2.0, "index is out of bounds"]
    assert other != name
    assert ask("on") == (name, [2.0, 5.0])
