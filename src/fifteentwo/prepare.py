"""Compile kernels in advance, in as many processes as there are cores."""

import importlib.util
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.fast.compiled import (
    OWN,
    clean,
    folder,
    has_numba,
    is_ready,
    make_ready,
    package_of,
    places,
    stored,
)
from fifteentwo.rules.errors import FifteenTwoError, NotInstalled

AT_THE_TABLE = (
    "fifteentwo.analysis.pegging.compiled_search",
    "fifteentwo.analysis.rollouts.playouts",
    "fifteentwo.fast.show",
)
"""Modules whose kernels play, score, arena and bot use."""
OFFLINE = (
    "fifteentwo.fast.random_games",
    "fifteentwo.environments.six_card",
)
"""Other modules whose kernels are called. What compiles longest comes first."""

EVERY = 5.0
"""Seconds between two words of progress."""


class Progress(NamedTuple):
    """How far compiling is."""

    done: int
    """Modules all of whose kernels are stored."""
    of: int
    seconds: float


class Prepared(NamedTuple):
    """What was prepared."""

    kernels: int
    """Kernels that are stored now."""
    compiled: int
    """Of them, those that were not before."""
    seconds: float
    folder: str
    """Where they lie."""


Say = Callable[[Progress], None]


class CannotPrepare(FifteenTwoError, RuntimeError):
    """Nothing is compiled beforehand; `.code` is `compilation-off` or one of these.

    no-folder-for-compiled-code: no folder can be written. not-stored: not all could be put into `.folder`;
    `.why` has the cause.
    """

    def __init__(self, code: str, folder: str = "", why: str = "") -> None:
        self.code = code
        self.folder = folder
        self.why = why
        super().__init__(code)


def run(*, everything: bool = False, jobs: int | None = None, say: Say | None = None) -> Prepared:
    """Compile what the table uses, or `everything`, and delete machine code of sources that are no more.

    jobs: processes, None for one a core. About a minute of two cores, or two; a second where nothing is
    missing. NotInstalled or CannotPrepare where nothing can be compiled.
    """
    if importlib.util.find_spec("numba") is None:
        raise NotInstalled("fast")
    if not has_numba():
        raise CannotPrepare("compilation-off")
    began = time.monotonic()
    names = AT_THE_TABLE + OFFLINE if everything else AT_THE_TABLE
    compiled = compile_missing(names, jobs, say)
    clean()
    return Prepared(stored(), compiled, time.monotonic() - began, str(folder()))


def machine_code() -> Path:
    """Return the folder of compiled kernels: the one that is there, else the one that would be made."""
    candidates = [*places()]
    return next((place for place in candidates if place.is_dir()), candidates[0])


def compile_missing(names: Sequence[str], jobs: int | None = None, say: Say | None = None) -> int:
    """Compile what is missing of the kernels of these modules; returns how many that were.

    Nothing is done without numba. CannotPrepare where not all can be stored: each process compiles its own.
    """
    if not has_numba():
        return 0
    packages = {OWN, *map(package_of, names)}
    if any(folder(package) is None for package in packages):
        raise CannotPrepare("no-folder-for-compiled-code")
    missing = [name for name in names if not is_ready(name)]
    if not missing:
        return 0
    before = sum(map(stored, packages))
    with (
        _reported(missing, say),
        get_executor(min(jobs or os.cpu_count() or 1, len(missing))) as executor,
    ):
        reasons = [why for _, why in run_all(executor, make_ready, [(name, (name,)) for name in missing])]
    for why in filter(None, reasons):
        raise CannotPrepare("not-stored", str(folder()), why)
    return sum(map(stored, packages)) - before


@contextmanager
def _reported(missing: Sequence[str], progress: Say | None) -> Iterator[None]:
    """Report progress at once, then every few seconds, and when all is done."""
    began, over = time.monotonic(), threading.Event()

    def report() -> None:
        while progress is not None:
            progress(Progress(sum(map(is_ready, missing)), len(missing), time.monotonic() - began))
            if over.is_set():
                break
            over.wait(EVERY)

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()
