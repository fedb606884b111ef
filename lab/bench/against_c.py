"""Speed of the package compared with C programs, compiled with gcc -O3 and measured in the same run.

Times are processor time of one core, so other programs on the machine do not change the ratios. A ratio above
1 is faster than C.
"""

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from fifteentwo.fast import discards, show
from fifteentwo.fast import random_deals as deals
from fifteentwo.fast import random_games as games

HANDS = 1_000_000
ALL_HANDS = 12_994_800
DISCARDS = 200
GAMES = 200_000
ROUNDS = 10
NO_C = "skipped: there is no gcc here that can compile the C baseline, or nothing here that runs it"


def run(name: str) -> dict[str, Any]:
    """Return a comparison, "show", "discard" or "games": {"ours": rate, "c": rate, "ratio": …, "what": …}.

    If the C program cannot be compiled or run, "c" and "ratio" are None and "note" is added.
    """
    return _RUNS[name]()


def show_scoring() -> dict[str, Any]:
    """Compare the scoring of an array of random hands."""
    dealt = deals.random_deals(HANDS, 5, 1)
    hands, starters = np.ascontiguousarray(dealt[:, :4]), np.ascontiguousarray(dealt[:, 4])
    ours = HANDS / best_time(lambda: show.points(hands, starters), ROUNDS)
    baseline = c_program("show", ROUNDS)
    return _compared("hands a second", ours, baseline["hands"] / baseline["seconds"] if baseline else None)


def every_hand() -> dict[str, Any]:
    """Compare the scoring of all hands and starters, as hands and as cribs."""
    ours = ALL_HANDS / best_time(show.totals, 5)
    baseline = c_program("show", 5)
    c = ALL_HANDS / baseline["all_seconds"] if baseline else None
    return _compared("hands a second, both columns", ours, c)


def discarding() -> dict[str, Any]:
    """Compare exact sums of all 15 discards against 46 starters and 990 discards of the other side."""
    hands = deals.random_deals(DISCARDS, 6, 2)
    taken = best_time(lambda: (discards.crib_sums(hands), discards.kept_sums(hands)), 5)
    baseline = c_program("discard", given="\n".join(" ".join(map(str, row)) for row in hands.tolist()))
    c = 1 / baseline["seconds_a_hand"] if baseline else None
    compared = _compared("hands a second, 15 discards each", DISCARDS / taken, c)
    if baseline:
        sums, _ = discards.crib_sums(hands)
        same = np.array_equal(sums, baseline["cribs"]) and np.array_equal(
            discards.kept_sums(hands), baseline["kept"]
        )
        compared["identical_sums"] = bool(same)
    return compared


def playing() -> dict[str, Any]:
    """Compare whole games to 121 with random choices."""
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
"""Modules whose kernels each comparison uses."""


def best_time(work: Callable[[], object], rounds: int) -> float:
    """Return the seconds of processor time of the fastest round, after one that compiles."""
    work()
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def c_program(name: str, argument: int | None = None, *, given: str = "") -> dict[str, Any] | None:
    """Compile a C program and return what it prints; None if it cannot be compiled or run."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / name
        compiling = [gcc, "-O3", "-o", str(program), str(Path(__file__).parent / "c" / f"{name}.c")]
        command = [str(program)] if argument is None else [str(program), str(argument)]
        with suppress(subprocess.CalledProcessError, PermissionError):
            subprocess.run(compiling, capture_output=True, check=True)
            done = subprocess.run(
                command, input=given, capture_output=True, text=True, check=True, timeout=600
            )
            printed: dict[str, Any] = json.loads(done.stdout)
            return printed
    return None


def _compared(what: str, ours: float, c: float | None) -> dict[str, Any]:
    row: dict[str, Any] = {"ours": round(ours), "c": None, "ratio": None, "what": what}
    if c is None:
        row["note"] = NO_C
    else:
        row.update(c=round(c), ratio=round(ours / c, 3))
    return row
