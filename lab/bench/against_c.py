"""Our speed compared with C: each C program is compiled with gcc -O3 and measured in the same run.

All times are processor time of one core, so that a busy machine spoils no ratio; rates are a second, and a
ratio above 1 is faster than C.
"""

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from fifteentwo.fast import discards, show
from fifteentwo.fast import random_deals as deals
from fifteentwo.fast import random_games as games

HANDS = 1_000_000
DISCARDS = 200
GAMES = 200_000
ROUNDS = 10
NO_C = "skipped: there is no gcc here that can compile the C baseline, or nothing here that runs it"


def run(name: str) -> dict[str, Any]:
    """One comparison, "show", "discard" or "games": {"ours": rate, "c": rate, "ratio": ours / c, "what": …}.

    Without gcc, or where it can do nothing, c and ratio are None and "note" says why. A few seconds.
    """
    return _RUNS[name]()


def show_scoring() -> dict[str, Any]:
    """A million random hands in an array, to points in an array."""
    dealt = deals.random_deals(HANDS, 5, 1)
    hands, starters = np.ascontiguousarray(dealt[:, :4]), np.ascontiguousarray(dealt[:, 4])
    ours = HANDS / best_time(lambda: show.points(hands, starters), ROUNDS)
    baseline = c_program("show", ROUNDS)
    return _compared("hands a second", ours, baseline["hands"] / baseline["seconds"] if baseline else None)


def every_hand() -> dict[str, Any]:
    """All 12,994,800 hands and starters, counted by points as hands and as cribs."""
    every = 12_994_800
    ours = every / best_time(show.totals, 5)
    baseline = c_program("show", 5)
    return _compared(
        "hands a second, both columns", ours, every / baseline["all_seconds"] if baseline else None
    )


def discarding() -> dict[str, Any]:
    """All 15 discards of a hand against 46 starters and 990 discards, and the kept hands; sums compared."""
    hands = deals.random_deals(DISCARDS, 6, 2)
    taken = best_time(lambda: (discards.crib_sums(hands), discards.kept_sums(hands)), 5)
    baseline = c_program("discard", given="\n".join(" ".join(map(str, row)) for row in hands.tolist()))
    compared = _compared(
        "hands a second, 15 discards each",
        DISCARDS / taken,
        1 / baseline["seconds_a_hand"] if baseline else None,
    )
    if baseline:
        sums, _ = discards.crib_sums(hands)
        same = np.array_equal(sums, baseline["cribs"]) and np.array_equal(
            discards.kept_sums(hands), baseline["kept"]
        )
        compared["identical_sums"] = bool(same)
    return compared


def playing() -> dict[str, Any]:
    """Whole games to 121 with every choice at random."""
    ours = GAMES / best_time(lambda: games.play(GAMES, 3), 3)
    baseline = c_program("games", GAMES)
    return _compared("games a second", ours, baseline["games"] / baseline["seconds"] if baseline else None)


_RUNS: dict[str, Callable[[], dict[str, Any]]] = {
    "show": show_scoring,
    "discard": discarding,
    "games": playing,
}
KERNELS: dict[str, tuple[str, ...]] = {
    "show": ("fifteentwo.fast.show",),
    "discard": (),
    "games": ("fifteentwo.fast.random_games",),
}
"""The modules whose kernels each comparison uses."""


def best_time(work: Callable[[], object], rounds: int) -> float:
    """Seconds of processor time of the quickest of so many rounds, after one that compiles and warms."""
    work()
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def c_program(name: str, argument: int | None = None, *, given: str = "") -> dict[str, Any] | None:
    """What the C program of this name prints, compiled now; None where it cannot be compiled or run."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    with _sources() as folder, tempfile.TemporaryDirectory() as built:
        program = Path(built) / name
        compiling = [gcc, "-O3", "-o", str(program), str(folder / f"{name}.c")]
        command = [str(program)] if argument is None else [str(program), str(argument)]
        with suppress(subprocess.CalledProcessError, PermissionError):
            subprocess.run(compiling, capture_output=True, check=True)
            done = subprocess.run(
                command, input=given, capture_output=True, text=True, check=True, timeout=600
            )
            printed: dict[str, Any] = json.loads(done.stdout)
            return printed
    return None


def _sources() -> AbstractContextManager[Path]:
    return resources.as_file(resources.files("lab.bench") / "c")


def _compared(what: str, ours: float, c: float | None) -> dict[str, Any]:
    row: dict[str, Any] = {"ours": round(ours), "c": None, "ratio": None, "what": what}
    if c is None:
        row["note"] = NO_C
    else:
        row.update(c=round(c), ratio=round(ours / c, 3))
    return row
