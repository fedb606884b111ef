"""How long the review of a whole six-card game takes: python -m tests.measured.review_speed.

In a process of its own, with numba and without: what is loaded once, then game after game of two levels.
"""

import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from statistics import median

GAMES = 12
ENGINES = {"with numba": "", "without": "off"}


def main() -> None:
    """Print a table with a row for each engine."""
    print("| | loading | a game: median, most | decisions | passed: loading | a game: median, most |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, numba in ENGINES.items():
        worked, passed, decisions = measured(numba, GAMES)
        print(f"| {name} | {_cells(worked)} | {decisions} | {_cells(passed)} |", flush=True)


def _cells(laps: list[float]) -> str:
    return f"{laps[0]:.2f} | {median(laps[1:]):.2f}, {max(laps[1:]):.2f}"


def measured(numba: str, games: int) -> tuple[list[float], list[float], int]:
    """Seconds of loading and of each game, of the processor and passed; and how many decisions a game has.

    numba: what FIFTEENTWO_NUMBA says.
    """
    # Matrix products use one thread, as in the server and the commands.
    env = os.environ | {"FIFTEENTWO_NUMBA": numba, "OPENBLAS_NUM_THREADS": "1"}
    # Played apart, or a player's tables would be loaded already.
    records = _run("play", games, "", env)
    worked, passed, decisions = json.loads(_run("review", games, records, env))
    return worked, passed, decisions


def _run(what: str, games: int, given: str, env: dict[str, str]) -> str:
    words = [sys.executable, "-m", "tests.measured.review_speed", what, str(games)]
    return subprocess.run(words, env=env, input=given, capture_output=True, text=True, check=True).stdout


def play(games: int) -> None:
    """Return records of levels against others and themselves."""
    from fifteentwo.rules.record import write
    from lab.measure.practice_sets import LEVELS, game

    print("\f".join(write(game(number, 12)) for number in range(0, len(LEVELS) ** 2, 2)[:games]))


def review() -> None:
    """Print what `measured` finds for the records that are given."""
    from fifteentwo.rules.record import read

    records = [read(text) for text in sys.stdin.read().strip().split("\f")]
    at = [(time.process_time(), time.perf_counter())]
    from fifteentwo.analysis.review import review

    review.prepare()
    decisions = []
    for record in [None, *records]:
        if record is not None:
            decisions.append(sum(one["decisions"] for one in review.review(record)["seats"]))
        at.append((time.process_time(), time.perf_counter()))
    worked, passed = ([after[one] - before[one] for before, after in pairwise(at)] for one in (0, 1))
    print(json.dumps([worked, passed, round(median(decisions))]))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["play", games]:
            play(int(games))
        case ["review", _]:
            review()
        case _:
            main()
