"""Speed of scoring, discards and games compared with C; cold start, memory, and the gain of a second core."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from subprocess import PIPE

import numpy as np

from fifteentwo.fast import discards, show
from fifteentwo.fast import random_deals as deals
from fifteentwo.fast import random_games as games
from fifteentwo.strategy.means import averages
from lab.bench import against_c
from lab.bench.against_c import fastest_seconds
from lab.bench.table import Row

COLD_COMMAND = ("discard", "5H", "5S", "6D", "7C", "JC", "KD", "--dealer")
"""Arguments of the command whose cold start is measured."""
C_COMPARISONS = (
    ("a million random hands", against_c.compare_show_scoring, 0.7),
    ("all 12,994,800 hands, both columns", against_c.compare_all_hands, 0.5),
    ("15 discards, exact, 46 x 990", against_c.compare_discards, 4.0),
    ("random games to 121", against_c.compare_games, 0.5),
)
"""Name, comparison with C, and required ratio (ours / C) of each row."""


def rows() -> Iterator[Row]:
    """Yield the measured rows of the table, each with the required figure."""
    for name, measured, required in C_COMPARISONS:
        row = measured()
        same = row.get("identical_sums", True)
        note = "" if same else "SUMS DIFFER"
        met = None if row["ratio"] is None else row["ratio"] >= required and same
        unit = row["what"].split(",")[0].replace(" a second", "/s")
        yield Row(
            name, row["ours"], unit, row["c"], row["ratio"], f"{required} x C", met, row.get("note", note)
        )
    taken = 1000 * _chart_seconds()
    yield Row(
        "15 discards against a chart, distributions",
        taken,
        "ms a hand",
        None,
        None,
        "at most 1 ms",
        taken <= 1,
    )
    for name, environment in (("numba installed", {}), ("without numba", {"FIFTEENTWO_NUMBA": "off"})):
        wall, processor = _cold_start_seconds(environment)
        note = f"{processor:.2f} s of processor time"
        yield Row(
            f"fifteentwo discard, cold, {name}", wall, "s", None, None, "at most 0.6 s", wall <= 0.6, note
        )
    for name in WORK:
        megabytes = _peak_megabytes(name)
        yield Row(f"memory: {name}", megabytes, "MB", required="at most 500 MB", is_met=megabytes <= 500)
    for name, work in WORK.items():
        faster, apart = _two_worker_speed(name, work)
        busy = os.getloadavg()[0]
        # If another program uses the second core, the row says so and is not judged.
        met = None if busy > 2.5 and faster < 1.8 else faster >= 1.8
        note = f"two programs apart {apart:.2f}" + (f", machine busy, load {busy:.0f}" if met is None else "")
        yield Row(f"two workers: {name}", faster, "x one", None, None, "1.8 x", met, note)


def _chart_seconds() -> float:
    """Return seconds a hand to count the points of all discards, with a chart of the opponent's discards."""
    hands = deals.random_deals(500, 6, 4)
    chart = averages().pone_discards
    return fastest_seconds(lambda: (discards.crib_counts(hands, chart), discards.kept_counts(hands)), 3) / 500


def _cold_start_seconds(environment: dict[str, str]) -> tuple[float, float]:
    """Return a command's wall-clock and processor seconds, the smallest of 30 runs each."""
    best = processor = float("inf")
    program = os.path.join(os.path.dirname(sys.executable), "fifteentwo")
    for _ in range(30):
        used, began = _children_seconds(), time.perf_counter()
        subprocess.run(
            [program, *COLD_COMMAND], check=True, stdout=subprocess.DEVNULL, env={**os.environ, **environment}
        )
        best = min(best, time.perf_counter() - began)
        processor = min(processor, _children_seconds() - used)
    return best, processor


def _children_seconds() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def _prepare_scoring() -> Callable[[int], object]:
    dealt = np.tile(deals.random_deals(1_000_000, 5, 1), (20, 1))
    hands, starters = np.ascontiguousarray(dealt[:, :4]), np.ascontiguousarray(dealt[:, 4])
    del dealt
    return lambda workers: show.points(hands, starters, workers=workers)


def _prepare_discards() -> Callable[[int], object]:
    hands = deals.random_deals(40_000, 6, 2)
    return lambda workers: (
        discards.crib_sums(hands, workers=workers),
        discards.kept_sums(hands, workers=workers),
    )


def _prepare_chart() -> Callable[[int], object]:
    hands = deals.random_deals(4_000, 6, 2)
    chart = averages().pone_discards
    return lambda workers: discards.crib_counts(hands, chart, workers=workers)


def _prepare_games() -> Callable[[int], object]:
    return lambda workers: games.play(300_000, 3, workers=workers)


WORK: dict[str, Callable[[], Callable[[int], object]]] = {
    "20 million hands": _prepare_scoring,
    "40,000 hands, discards": _prepare_discards,
    "4,000 hands against a chart": _prepare_chart,
    "300,000 games": _prepare_games,
}
"""Workloads by name: each function prepares data and returns the work as a function of the number of
workers."""


def _peak_megabytes(name: str) -> float:
    """Return the largest memory, in megabytes, of a new process that does this work once."""
    asked = "import resource, sys; from lab.bench.speed import WORK; WORK[sys.argv[1]]()(1); "
    asked += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", asked, name], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def _two_worker_speed(name: str, made: Callable[[], Callable[[int], object]]) -> tuple[float, float]:
    """Return the speed of two workers, and of two separate programs, as multiples of one worker's.

    The times are wall-clock times, the best of each kind. The kinds are measured in turn for half a minute,
    because another program may use the second core for a part of that time.
    """
    work = made()
    work(2)
    best = dict.fromkeys(("one", "two", "apart"), float("inf"))
    with subprocess.Popen([sys.executable, "-c", REPEAT, name], stdin=PIPE, stdout=PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
        ends, rounds = time.perf_counter() + 30, 0
        while rounds < 7 or time.perf_counter() < ends:
            rounds += 1
            best["one"] = min(best["one"], _seconds(lambda: work(1)))
            best["two"] = min(best["two"], _seconds(lambda: work(2)))
            other.stdin.write("\n")
            other.stdin.flush()
            own = _seconds(lambda: work(1))
            best["apart"] = min(best["apart"], max(own, float(other.stdout.readline())))
        other.stdin.close()
    return best["one"] / best["two"], 2 * best["one"] / best["apart"]


REPEAT = """
import sys
from lab.bench.speed import WORK, _seconds
work = WORK[sys.argv[1]]()
work(1)
print("ready", flush=True)
for _ in sys.stdin:
    print(_seconds(lambda: work(1)), flush=True)
"""
"""A program that does the work once for each line it reads, and prints the seconds."""


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
