"""Compilation of kernels in advance, in as many processes as the machine has cores."""

import importlib.util
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.fast import compiled as kernels
from fifteentwo.fast.compiled import folder, has_numba, is_ready, stored
from fifteentwo.rules.errors import FifteenTwoError, NotInstalled

PLAYING_MODULES = (
    "fifteentwo.analysis.pegging.compiled_search",
    "fifteentwo.analysis.rollouts.playouts",
    "fifteentwo.analysis.win.shows",
    "fifteentwo.fast.show",
)
"""Modules whose kernels the commands play, score, arena and bot use. The slowest to compile is first."""
OTHER_MODULES = ("fifteentwo.fast.random_games", "fifteentwo.environments.six_card")
PROGRESS_SECONDS = 5.0
"""Time between two reports of progress."""


class Progress(NamedTuple):
    """How much of a compilation is done."""

    done: int
    """Modules whose kernels are all stored."""
    of: int
    seconds: float


class Prepared(NamedTuple):
    """The result of `run`."""

    kernels: int
    """Number of kernels stored now."""
    compiled: int
    """Number of kernels that this run has compiled."""
    seconds: float
    folder: str
    """Folder of the compiled kernels."""


ReportProgress = Callable[[Progress], None]


class CannotPrepare(FifteenTwoError, RuntimeError):
    """Kernels cannot be compiled in advance. `.code` is one of these.

    compilation-off: FIFTEENTWO_NUMBA=off. no-folder-for-compiled-code: no folder can be written to.
    not-stored: a kernel could not be stored in `.folder`, because of `.why`.
    """

    def __init__(self, code: str, folder: str = "", why: str = "") -> None:
        self.code = code
        self.folder = folder
        self.why = why
        super().__init__(code)


def run(
    *, everything: bool = False, jobs: int | None = None, progress: ReportProgress | None = None
) -> Prepared:
    """Compile the kernels of PLAYING_MODULES, or of all modules. Delete kernels of changed sources.

    This takes one or two minutes on two cores, or a second if all kernels are stored.

    Args:
        everything: compile OTHER_MODULES too.
        jobs: number of processes; None for one per core.
        progress: called when the compilation begins, every few seconds, and when it ends.

    Raises:
        NotInstalled: numba is not installed.
        CannotPrepare: kernels cannot be compiled or stored.
    """
    if importlib.util.find_spec("numba") is None:
        raise NotInstalled("fast")
    if not has_numba():
        raise CannotPrepare("compilation-off")
    began = time.monotonic()
    names = PLAYING_MODULES + OTHER_MODULES if everything else PLAYING_MODULES
    compiled = compile_missing(names, jobs, progress)
    kernels.clean()
    return Prepared(stored(), compiled, time.monotonic() - began, str(folder()))


def machine_code() -> Path:
    """Return the existing folder of compiled kernels, or the folder that would be created."""
    candidates = [*kernels.places()]
    return next((place for place in candidates if place.is_dir()), candidates[0])


def compile_missing(
    names: Sequence[str], jobs: int | None = None, progress: ReportProgress | None = None
) -> int:
    """Compile the kernels of these modules that are not stored. Return their number; 0 without numba.

    Raise CannotPrepare if a kernel cannot be stored.
    """
    if not has_numba():
        return 0
    packages = {kernels.PACKAGE, *map(kernels.package_of, names)}
    if any(folder(package) is None for package in packages):
        raise CannotPrepare("no-folder-for-compiled-code")
    missing = [name for name in names if not is_ready(name)]
    if not missing:
        return 0
    before = sum(map(stored, packages))
    with (
        _progress_reported(missing, progress),
        get_executor(min(jobs or os.cpu_count() or 1, len(missing))) as executor,
    ):
        jobs_by_name = [(name, (name,)) for name in missing]
        failures = [why for _, why in run_all(executor, kernels.make_ready, jobs_by_name) if why]
    if failures:
        raise CannotPrepare("not-stored", str(folder()), failures[0])
    return sum(map(stored, packages)) - before


@contextmanager
def _progress_reported(missing: Sequence[str], progress: ReportProgress | None) -> Iterator[None]:
    """Report progress from a thread while the block runs."""
    if progress is None:
        yield
        return
    began, is_done = time.monotonic(), threading.Event()

    def report() -> None:
        while True:
            progress(Progress(sum(map(is_ready, missing)), len(missing), time.monotonic() - began))
            if is_done.is_set():
                break
            is_done.wait(PROGRESS_SECONDS)

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield
    finally:
        is_done.set()
        reporter.join()
