"""`make edges`: attacks on everything a person types or pipes in, and what they came to."""

import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from fifteentwo.players import LEVELS
from tests.edges import programs, views
from tests.edges.command_lines import lines, make_files, wrong_with

LINES, PROGRAMS = 5_000, 300
CLEAN, MUTATED = 2_000, 5_000


class Attacked(NamedTuple):
    """Command lines that were tried, and what was wrong with some."""

    number: int
    wrong: list[str]


def attack_lines(number: int, seed: int, folder: Path) -> Attacked:
    """Run so many generated command lines in this process."""
    wrong = []
    for line in lines(number, seed, make_files(folder)):
        failed = wrong_with(line)
        if failed is not None:
            wrong.append(f"{line}: {failed}")
    return Attacked(number, wrong)


def main() -> int:
    """Attack, print a line for each kind and for each failure; status 1 where there is one."""
    failures: list[str] = []

    def report(what: str, number: int, wrong: list[str], began: float) -> None:
        failures.extend(wrong)
        print(f"{what}: {number:,}, wrong {len(wrong)}, {time.monotonic() - began:.0f} s", flush=True)
        for one in wrong[:20]:
            print(f"  {one!a}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        report("command lines", *attack_lines(LINES, 2026, Path(folder)), began)
        began = time.monotonic()
        wrong = [one for one in programs.attack(PROGRAMS, 2027, make_files(Path(folder))) if one]
        report("programs under bad conditions", PROGRAMS, wrong, began)
    for level in LEVELS[:5]:
        began = time.monotonic()
        told = views.attack(level, clean=CLEAN, mutated=MUTATED, seed=2028)
        report(f"views to {level} ({told.acted:,} acted on)", CLEAN + MUTATED, told.wrong, began)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
