"""Stop long commands at random moments: command and workers end within a second, without damage."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fifteentwo.rules.variants import Variant
from tests.edges.command_lines import record_text
from tests.support.busy import busy

WITHIN = 1.0
"""Maximum seconds from the signal until no process is left, on an idle machine."""
KILLED_WITHIN = 5.0
"""Maximum seconds if the command itself is killed, so that it cannot notify its workers."""
MOMENTS = 4.0
"""Maximum seconds from the start to the signal."""
NOTICES = {"en": "fifteentwo: Stopped.", "ja": "fifteentwo: 中止しました。"}


class Command(NamedTuple):
    """A command to stop; `{folder}` in its words is a new folder."""

    words: Sequence[str]
    check: Callable[[Path], str | None] = lambda _: None
    """Returns what is wrong with the files in the folder, or None."""
    fresh: bool = False
    """Whether the cache of compiled kernels is empty."""
    program: str = "fifteentwo"
    """The module that Python runs."""


def _is_resumed(words: Sequence[str], program: str = "fifteentwo") -> Callable[[Path], str | None]:
    """Check that the command, resumed from its checkpoint, prints what it prints from the start."""
    whole = cache(partial(_run, (*words[: words.index("--checkpoint")], "--json"), program))

    def check(folder: Path) -> str | None:
        rest = [word.format(folder=folder) for word in words]
        resumed = _run([*rest, "--json"], program)
        return None if resumed == whole() else f"resumed {resumed[:200]}, from nothing {whole()[:200]}"

    return check


def _run(words: Sequence[str], program: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", program, *words], check=True, capture_output=True, text=True, timeout=600
    ).stdout


def _archives_can_be_read(folder: Path) -> str | None:
    for path in folder.rglob("*.npz"):
        try:
            with np.load(path) as kept:
                for name in kept.files:
                    kept[name]
        except Exception as error:
            return f"{path.name}: {error!r}"
    return None


ARENA = ("arena", "club", "greedy", "--games", "600", "--jobs", "2", "--checkpoint", "{folder}")
ROLLOUTS = ("solve", "rollouts", "--positions", "24", "--deals", "400", "--jobs", "2", *ARENA[-2:])
LONG: dict[str, tuple[Command, ...]] = {
    "arena": (
        Command(ARENA, _is_resumed(ARENA)),
        Command(("arena", "master", "expert", "--games", "100000")),
        Command(("arena", "master", "expert", "--games", "100000"), fresh=True),
    ),
    "lab": (
        Command(ROLLOUTS, _is_resumed(ROLLOUTS, "lab"), program="lab"),
        *[
            Command((*words, "--checkpoint", "{folder}"), _archives_can_be_read, program="lab")
            for words in (
                ("solve", "pegging"),
                ("solve", "discards", "--out", "{folder}"),
                ("solve", "board", "--deals", "400000"),
            )
        ],
        *[
            Command(words, program="lab")
            for words in (
                ("solve", "plays", "--out", "{folder}/plays.table"),
                ("report", "--measure"),
                *[("bench", name) for name in ("games", "show", "discard")],
            )
        ],
    ),
    "review": (
        Command(("review", "{folder}/game.txt")),
        Command(("review", "{folder}/game.txt"), fresh=True),
    ),
    "serve": (Command(("serve", "--port", "0", "--database", "{folder}/games.sqlite3")),),
    "play": (Command(("play", "--port", "0", "--no-browser", "--database", "{folder}/games.sqlite3")),),
    "prepare": (Command(("prepare", "--all"), fresh=True),),
    "bot": (Command(("bot", "master"), fresh=True),),
}
ASKED_FOR = ("arena", "lab", "review", "serve", "play")
"""Names of the commands that are stopped most often."""


class Attack(NamedTuple):
    """A command, the signal that it gets, and when."""

    command: Command
    signal: signal.Signals
    to_group: bool
    """Whether workers get the signal too, as from a terminal."""
    moment: float
    """Seconds from the start to the signal."""
    lang: str

    def __str__(self) -> str:
        to = "group" if self.to_group else "alone"
        fresh = ", nothing compiled" if self.command.fresh else ""
        return f"{' '.join(self.command.words)}: {self.signal.name} {to} after {self.moment:.2f} s{fresh}"


class Outcome(NamedTuple):
    """The result of an attack."""

    seconds: float | None
    """Seconds until no process was left, less the time of other work; None if the command had ended."""
    wrong: str | None


def attacks(
    number: int, seed: int, signals: Sequence[signal.Signals], moments: float = MOMENTS
) -> Iterator[Attack]:
    luck = random.Random(seed)
    for place in range(number):
        name = ASKED_FOR[place % len(ASKED_FOR)] if luck.random() < 0.9 else luck.choice(("prepare", "bot"))
        command = luck.choice(LONG[name])
        for one in signals:
            to_group = one != signal.SIGKILL and luck.random() < 0.5
            yield Attack(command, one, to_group, luck.uniform(0.0, moments), luck.choice(tuple(NOTICES)))


def attack(one: Attack) -> Outcome:
    """Start the command, stop it, and check its output and files."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "game.txt").write_text(record_text(Variant.SIX_CARD, 1), encoding="utf-8")
        environment = {**os.environ, "LC_ALL": "", "LANG": "ja_JP.UTF-8" if one.lang == "ja" else "C.UTF-8"}
        if one.command.fresh:
            environment |= {"NUMBA_CACHE_DIR": str(folder / "caches")}
        words = [word.format(folder=folder) for word in one.command.words]
        with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, "-m", one.command.program, *words],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                env=environment,
                start_new_session=True,
            )
            seconds, begun = _stopped(process, one)
        if seconds is None:
            return Outcome(None, None)
        errors = (folder / "err").read_text(encoding="utf-8")
        return Outcome(
            seconds, _wrong_with(one, process.returncode, errors, seconds, begun) or one.command.check(folder)
        )


def _stopped(process: subprocess.Popen[bytes], one: Attack) -> tuple[float | None, bool]:
    """Return the seconds until no process was left, and whether the command had installed its handler."""
    try:
        process.wait(one.moment)
    except subprocess.TimeoutExpired:
        slower = busy()
        if process.poll() is not None:
            return None, False
        begun, began = _listens(process.pid), time.monotonic()
        (os.killpg if one.to_group else os.kill)(process.pid, one.signal)
        while left := session(process.pid):
            process.poll()
            if time.monotonic() - began > 60:
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.005)
        seconds = (time.monotonic() - began) / slower
        process.wait()
        return seconds, begun
    finally:
        assert process.stdin is not None
        process.stdin.close()
    return None, False


def _wrong_with(one: Attack, status: int, errors: str, seconds: float, begun: bool) -> str | None:
    if seconds > (KILLED_WITHIN if one.signal == signal.SIGKILL else WITHIN):
        return f"{seconds:.2f} s until all were gone"
    if one.signal == signal.SIGKILL:
        return None
    if not begun:
        # Python itself is not ready yet.
        return None if status in (-one.signal, 128 + one.signal) else f"status {status}"
    if status != 128 + one.signal:
        return f"status {status}"
    lines = errors.splitlines()
    if lines.count(NOTICES[one.lang]) != 1:
        return f"not once that it was stopped: {errors[-500:]}"
    bad = [
        line for line in lines if any(word in line for word in ("Traceback", "Exception", "Error", "leaked"))
    ]
    return f"noise: {errors[-500:]}" if bad else None


def session(leader: int) -> list[int]:
    alive = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] not in "ZX":
            alive.append(int(path.parent.name))
    return alive


def _listens(pid: int) -> bool:
    """Return whether a process has a handler for SIGTERM."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    return False
