"""How long the review of a whole six-card game takes: python -m tests.measured.review_speed

In a process of its own, with numba and without: what is loaded once, then game after game of two levels.
"""

import os
import subprocess
import sys
import time
from itertools import pairwise
from statistics import median

GAMES = 12
ENGINES = {"with numba": "", "without": "off"}


def main() -> None:
    """A table, a row for each engine."""
    print("| | loading | a game: median, most | decisions | passed: loading | a game: median, most |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, numba in ENGINES.items():
        # As a server or a command runs: products of matrices in one thread.
        env = os.environ | {"FIFTEENTWO_NUMBA": numba, "OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, "-m", __spec__.name, "one"],
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        print(f"| {name} | {done.stdout.strip()} |", flush=True)


def measure() -> None:
    """One row: processor seconds, then seconds passed."""
    from fifteentwo.cli.practice_sets import LEVELS, game
    from fifteentwo.rules.record import read, write

    # Of every level, against others and itself; as text, or a player's tables would be loaded already.
    numbers = range(0, len(LEVELS) ** 2, 2)[:GAMES]
    if sys.argv[1:] == ["games"]:
        for number in numbers:
            print(write(game(number, 12)), end="\f")
        return
    told = subprocess.run(
        [sys.executable, "-m", __spec__.name, "games"], capture_output=True, text=True, check=True
    )
    records = [read(text) for text in told.stdout.split("\f")[:-1]]
    at = [(time.process_time(), time.perf_counter())]

    def lap() -> None:
        at.append((time.process_time(), time.perf_counter()))

    from fifteentwo.analysis import review

    review.prepare()
    lap()
    decisions = []
    for record in records:
        decisions.append(sum(one["decisions"] for one in review.review(record)["seats"]))
        lap()
    for column in (0, 1):
        laps = [after[column] - before[column] for before, after in pairwise(at)]
        print(f"{laps[0]:.2f} | {median(laps[1:]):.2f}, {max(laps[1:]):.2f}", end="")
        print(f" | {median(decisions):.0f} | " if column == 0 else "\n", end="")


if __name__ == "__main__":
    measure() if sys.argv[1:] else main()
