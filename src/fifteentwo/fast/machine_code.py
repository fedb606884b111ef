"""Where the machine code of compiled loops is kept: one folder for all processes of a user.

An entry is named after a module and a digest of all that its machine code rests on, so that nothing stale is
ever read. The folder is the first of these that can be written: $NUMBA_CACHE_DIR, the user's caches
($XDG_CACHE_HOME, ~/.cache), beside the package. Without numba nothing here is asked for.
"""

import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

try:
    import fcntl
except ImportError:
    # Windows. Without locks two processes may compile the same loop, and one of them stores it.
    fcntl = None  # type: ignore[assignment]

NAME = "fifteentwo"
KEPT = 8
"""Entries of each module that `clean` leaves: those last used."""
PATIENCE = 300.0
"""Seconds to wait for another process's lock; that process may have been stopped, and not ended."""
_ASK_AGAIN = 0.05
_READY = ".ready"


@cache
def folder() -> Path | None:
    """Where machine code is kept; None where nothing can be written, and each process compiles its own."""
    for place in _places():
        with suppress(OSError):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place, buffering=0) as file:
                # A full disk lets files be made, and nothing be put into them.
                file.write(b"-")
                return place
    return None


def _places() -> Iterator[Path]:
    asked = os.environ.get("NUMBA_CACHE_DIR")
    if asked:
        yield Path(asked) / NAME
    for caches in (os.environ.get("XDG_CACHE_HOME", ""), _user_caches()):
        if os.path.isabs(caches):
            yield Path(caches) / NAME
    yield Path(__file__).parent / "__pycache__" / NAME


def _user_caches() -> str:
    """The folder of caches by the custom of the system; relative where nobody knows the user."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    return os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")


@cache
def machine() -> str:
    """What machine code is made by and for, beside sources: numba, Python and the processor."""
    try:
        numba = version("numba")
    except PackageNotFoundError:
        numba = ""
    return f"{numba} {sys.implementation.cache_tag} {_processor()}"


def _processor() -> str:
    description = f"{platform.machine()} {platform.processor()}"
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if not line.strip():
                break
            # Its clock changes, and is not named here.
            if line.lower().startswith(("model name", "flags", "features", "cpu implementer", "cpu part")):
                description += line
    return description


def entry(module: str, digest: str) -> Path | None:
    """The folder of a module's machine code; it may not exist yet."""
    place = folder()
    return None if place is None else place / f"{module}-{digest}"


def use(module: str, digest: str) -> None:
    """Say that a module's machine code is used, so that `clean` leaves it."""
    path = entry(module, digest)
    if path is not None:
        with suppress(OSError):
            os.utime(path)


def stored(module: str, digest: str) -> int:
    """How many loops of a module are stored."""
    path = entry(module, digest)
    return 0 if path is None else sum(1 for _ in path.glob("*.nbi"))


def is_stored(module: str, digest: str, loop: str) -> bool:
    """Whether one loop of a module is."""
    path = entry(module, digest)
    return path is not None and any(path.glob(f"{loop}-*.nbi"))


# ── Whether all is there ─────────────────────────────────────────────────────────────────────────────────


def _mark(module: str, digest: str) -> Path | None:
    path = entry(module, digest)
    return None if path is None else path.with_name(path.name + _READY)


def marked(module: str, digest: str) -> int | None:
    """What was marked for a module as it is now; None where nothing was."""
    mark = _mark(module, digest)
    if mark is not None:
        with suppress(OSError, ValueError):
            number = int(mark.read_text())
            os.utime(mark)
            return number
    return None


def mark(module: str, digest: str, number: int) -> None:
    """All loops that this module calls are stored: so many, those that they call among them."""
    mark = _mark(module, digest)
    if mark is not None:
        with suppress(OSError):
            mark.write_text(f"{number}\n")


def clean() -> int:
    """Delete machine code of sources that are no more: of each module all but the eight entries last used.

    Returns how many were deleted. A process that still needs one compiles it again.
    """
    place = folder()
    if place is None:
        return 0
    by_module: dict[tuple[str, str], list[tuple[float, Path]]] = {}
    for path in place.iterdir():
        module, _, digest = path.name.rpartition("-")
        with suppress(OSError):
            by_module.setdefault((module, Path(digest).suffix), []).append((path.stat().st_mtime, path))
    old = [path for paths in by_module.values() for _, path in sorted(paths)[:-KEPT]]
    for path in old:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(old)


# ── One process at a time ────────────────────────────────────────────────────────────────────────────────


class Lock:
    """Held by one process at a time; a process that ends, however it ends, holds nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self) -> None:
        """Wait until nobody else holds it, at most PATIENCE; does nothing where there are no such locks."""
        if self._file is not None or fcntl is None:
            return
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return
        try:
            self._wait(file)
        except BaseException:
            os.close(file)
            raise
        self._file = file

    def _wait(self, file: int) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(_ASK_AGAIN)
            except OSError:
                # A file system without locks.
                return
            else:
                return

    def release(self) -> None:
        """Let the next one in; does nothing where it is not held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
