"""Attack everything that a person types or pipes in, and print the results (`make edges`).

`python -m tests.edges signals views` runs only these parts.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from fifteentwo.cli.stopping import stoppable
from fifteentwo.players import LEVELS
from tests.edges import answers, damage, programs, stopping, views, waiting
from tests.edges.command_lines import lines, make_files, wrong_with

LINES, PROGRAMS, BACKUPS = 5_000, 300, 1_000
CLEAN, MUTATED = 20_000, 50_000
ASTRAY = 20_000
"""Numbers of Views for the analysis, and for kernels that check bounds."""
FEWER = 2_000
"""Numbers of Views for `master`: with kernels that check bounds, and without numba."""
CHECKED, PLAIN = {"FIFTEENTWO_NUMBA": "checked"}, {"FIFTEENTWO_NUMBA": "off"}


SIGNALS, KILLS = 100, 30
"""How often a long command gets each signal, and how often it is killed."""
FIRST = 20
"""Number of first answers that are measured with an empty cache."""


class Attacked(NamedTuple):
    """The number of command lines that were run, and the failures."""

    number: int
    wrong: list[str]


def attack_lines(number: int, seed: int, folder: Path) -> Attacked:
    wrong = []
    for line in lines(number, seed, make_files(folder)):
        failed = wrong_with(line)
        if failed is not None:
            wrong.append(f"{line}: {failed}")
    return Attacked(number, wrong)


class Report:
    """Prints a line for each attack and its first failures; records whether an attack failed."""

    def __init__(self) -> None:
        self.failed = False
        self._began = time.monotonic()
        self._used = _processor_time()

    def write(self, what: str, wrong: list[str]) -> None:
        """Print an attack, its failures, and the wall and CPU seconds since the last line."""
        now, used = time.monotonic(), _processor_time()
        costs = f"{now - self._began:.0f} s ({used - self._used:.0f} s of processors)"
        print(f"{what}: wrong {len(wrong)}, {costs}", flush=True)
        for one in wrong[:20]:
            print(f"  {one!a}", flush=True)
        self._began, self._used = now, used
        self.failed = self.failed or bool(wrong)


def _processor_time() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def attack_players(report: Report) -> None:
    """Send Views of games and changed Views to every level, with and without the engine protocol."""
    of_games, others = views.clean(CLEAN, 2028), views.mutated(MUTATED, 2029)
    astray = views.plays(ASTRAY, 2030)
    report.write(f"{len(of_games) + len(others) + len(astray):,} views made", [])

    def put(way: str, level: str, asked: list[bytes], what: str, **environment: str) -> None:
        found = answers.attack(way, level, asked, must_act=asked is of_games, **environment)
        counts = f"{found.acted:,} answered, {found.refused:,} refused, slowest {1000 * found.slowest:.0f} ms"
        report.write(f"{len(asked):,} {what} to {level}: {counts}", found.wrong)

    put("analysis", "analysis", astray[:1], "changed play, after kernels are compiled,")
    for level in LEVELS:
        put("bot", level, of_games, "views of games")
        put("bot", level, others, "changed views")
    put("analysis", "analysis", astray, "changed plays")
    for level in ("expert", "master"):
        put("act", level, astray, "changed plays, unchecked,")
    put("analysis", "analysis", astray[:FEWER], "without numba: changed plays", **PLAIN)
    put("bot", "master", of_games[:FEWER], "without numba: views of games", **PLAIN)
    checked = "looking at bounds: "
    put("analysis", "analysis", astray[:1], f"{checked}changed play, after kernels are compiled,", **CHECKED)
    # The other levels call no compiled kernel.
    for level, number in (("expert", MUTATED), ("master", FEWER)):
        put("bot", level, of_games[:number], f"{checked}views of games", **CHECKED)
        put("bot", level, others[:number], f"{checked}changed views", **CHECKED)
    put("analysis", "analysis", astray, f"{checked}changed plays", **CHECKED)


def drive_kernels(report: Report) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.edges.kernels"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **CHECKED},
        check=False,
    )
    failed = [f"status {done.returncode}", done.stdout, done.stderr[-2000:]] if done.returncode else []
    for line in done.stdout.splitlines():
        print(f"  {line}")
    report.write("looking at bounds: every module of kernels driven", failed)


def type_lines(report: Report) -> None:
    """Run command lines in this process, and programs under bad conditions."""
    with tempfile.TemporaryDirectory() as folder:
        report.write(f"{LINES:,} command lines", attack_lines(LINES, 2026, Path(folder)).wrong)
        files = make_files(Path(folder))
        wrong = [one for one in programs.attack(PROGRAMS, 2027, files) if one]
        report.write(f"{PROGRAMS} programs under bad conditions", wrong)


def damage_backups(report: Report) -> None:
    """Restore backups in which a byte, a block or the end was changed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        report.write(f"{BACKUPS:,} damaged backups", damage.attack(damage.made(path), BACKUPS, 2033, path))


def stop(report: Report) -> None:
    """Stop every long command at random moments until enough of them were at work."""
    for number, signals in ((SIGNALS, (signal.SIGINT, signal.SIGTERM)), (KILLS, (signal.SIGKILL,))):
        outcomes: list[tuple[stopping.Attack, stopping.Outcome]] = []
        for one in stopping.attacks(2 * number, 2031, signals):
            if len(_taken(outcomes, one.signal)) < number:
                outcomes.append((one, stopping.attack(one)))
        for which in signals:
            taken = _taken(outcomes, which)
            wrong = [f"{one}: {came.wrong}" for one, came in outcomes if one.signal == which and came.wrong]
            longest = f"gone after {median(taken):.2f} s, at most {max(taken):.2f}"
            report.write(f"{len(taken)} commands stopped by {which.name}: {longest}", wrong)


def _taken(outcomes: list[tuple[stopping.Attack, stopping.Outcome]], which: signal.Signals) -> list[float]:
    """Return the seconds that commands needed to end, if the signal arrived while they worked."""
    return [came.seconds for one, came in outcomes if one.signal == which and came.seconds is not None]


def wait(report: Report) -> None:
    """Measure first answers before kernels are compiled; check that `prepare` compiles all kernels."""
    outcomes = waiting.first_answers(FIRST, 2032)
    longest = max(first.seconds for first in outcomes)
    wrong = [str(first) for first in outcomes if first.seconds > waiting.WITHIN]
    report.write(f"{FIRST} first answers of master, nothing compiled: at most {longest:.2f} s", wrong)
    waiting.prepare()
    wrong = [f"{name} compiles" for name in waiting.CONSUMERS if waiting.compiles(name)]
    report.write(f"{len(waiting.CONSUMERS)} commands after prepare --all", wrong)


PARTS: dict[str, Callable[[Report], None]] = {
    "lines": type_lines,
    "backups": damage_backups,
    "signals": stop,
    "waiting": wait,
    "views": attack_players,
    "kernels": drive_kernels,
}


def main() -> int:
    """Run the attacks; return 1 if one failed."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A background job ignores SIGINT, and the commands that are interrupted here would inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    report = Report()
    waiting.prepare()
    report.write("kernels compiled", [])
    for part in sys.argv[1:] or PARTS:
        PARTS[part](report)
    return 1 if report.failed else 0


if __name__ == "__main__":
    with stoppable(lambda: print("stopped", file=sys.stderr)):
        sys.exit(main())
