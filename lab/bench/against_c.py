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
"""Random hands that are scored."""
ALL_HANDS = 12_994_800
"""All hands of four cards with all starters."""
DISCARDS = 200
"""Random hands of six cards whose discards are compared."""
GAMES = 200_000
ROUNDS = 10
"""Repetitions of which the fastest counts."""
NO_C_NOTE = "skipped: there is no gcc here that can compile the C baseline, or nothing here that runs it"


def run(name: str) -> dict[str, Any]:
    """Run the comparison "show", "discard" or "games": {"ours": rate, "c": rate, "ratio": …, "what": …}.

    If the C program cannot be compiled or run, "c" and "ratio" are None and "note" is added.
    """
    return _COMPARISONS[name]()


def compare_show_scoring() -> dict[str, Any]:
    """Compare the speed of scoring an array of random hands."""
    dealt = deals.random_deals(HANDS, 5, 1)
    hands, starters = np.ascontiguousarray(dealt[:, :4]), np.ascontiguousarray(dealt[:, 4])
    ours = HANDS / fastest_seconds(lambda: show.points(hands, starters), ROUNDS)
    baseline = run_c_program("show", ROUNDS)
    return _comparison("hands a second", ours, baseline["hands"] / baseline["seconds"] if baseline else None)


def compare_all_hands() -> dict[str, Any]:
    """Compare the speed of scoring all hands and starters, as hands and as cribs."""
    ours = ALL_HANDS / fastest_seconds(show.totals, 5)
    baseline = run_c_program("show", 5)
    c = ALL_HANDS / baseline["all_seconds"] if baseline else None
    return _comparison("hands a second, both columns", ours, c)


def compare_discards() -> dict[str, Any]:
    """Compare the speed of exact sums of all 15 discards over 46 starters and 990 opponent's discards."""
    hands = deals.random_deals(DISCARDS, 6, 2)
    taken = fastest_seconds(lambda: (discards.crib_sums(hands), discards.kept_sums(hands)), 5)
    baseline = run_c_program("discard", given="\n".join(" ".join(map(str, row)) for row in hands.tolist()))
    c = 1 / baseline["seconds_a_hand"] if baseline else None
    compared = _comparison("hands a second, 15 discards each", DISCARDS / taken, c)
    if baseline:
        sums, _ = discards.crib_sums(hands)
        same = np.array_equal(sums, baseline["cribs"]) and np.array_equal(
            discards.kept_sums(hands), baseline["kept"]
        )
        compared["identical_sums"] = bool(same)
    return compared


def compare_games() -> dict[str, Any]:
    """Compare the speed of whole games to 121 with random choices."""
    ours = GAMES / fastest_seconds(lambda: games.play(GAMES, 3), 3)
    baseline = run_c_program("games", GAMES)
    return _comparison("games a second", ours, baseline["games"] / baseline["seconds"] if baseline else None)


_COMPARISONS = {"show": compare_show_scoring, "discard": compare_discards, "games": compare_games}
KERNELS: dict[str, tuple[str, ...]] = {
    "show": ("fifteentwo.fast.show",),
    "discard": (),
    "games": ("fifteentwo.fast.random_games",),
}
"""Modules whose kernels each comparison uses, by the name of the comparison."""


def fastest_seconds(work: Callable[[], object], rounds: int) -> float:
    """Return the processor seconds of the fastest of some rounds, after one round that compiles."""
    work()
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def run_c_program(name: str, argument: int | None = None, *, given: str = "") -> dict[str, Any] | None:
    """Compile and run a C program; return the JSON object that it prints, or None if either fails."""
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


def _comparison(what: str, ours: float, c: float | None) -> dict[str, Any]:
    row: dict[str, Any] = {"ours": round(ours), "c": None, "ratio": None, "what": what}
    if c is None:
        row["note"] = NO_C_NOTE
    else:
        row.update(c=round(c), ratio=round(ours / c, 3))
    return row
