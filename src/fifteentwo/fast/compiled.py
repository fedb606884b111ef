"""Kernels: plain Python functions that numba compiles if it is installed. Only this module imports numba.

An imported kernel runs as plain Python. `compiled` returns a module whose kernels, and all kernels that they
call, are compiled. Numba stores the machine code in one folder for all processes of a user, named by a digest
of `SOURCES`, so that stale code is never read. Kernels of another package have their own folder, named by a
digest that includes that package's files. The folders are in the first writable one of $NUMBA_CACHE_DIR, the
user's caches ($XDG_CACHE_HOME, ~/.cache) and `__pycache__`.
"""

import hashlib
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])

SOURCES = (
    "rules",
    "fast",
    "strategy",
    "analysis/pegging",
    "analysis/rollouts",
    "analysis/win",
    "environments",
)
"""Folders of this package that contain kernels, or constants that kernels read."""
MAX_FOLDERS = 8
"""Number of recently used folders of machine code that `clean` keeps."""
_PACKAGE_FOLDER = Path(__file__).parent.parent
PACKAGE = "fifteentwo"
_READY = ".ready"
"""Extension of the file that marks a module whose kernels are all stored."""

_options: dict[Callable[..., Any], dict[str, Any]] = {}
"""Options for numba, by marked function."""
_loading = RLock()


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, fastmath: bool = False, inline: bool = False, allocates: bool = True) -> Callable[[F], F]: ...
def kernel(
    function: F | None = None, *, fastmath: bool = False, inline: bool = False, allocates: bool = True
) -> F | Callable[[F], F]:
    """Mark a function that numba may compile, and return it unchanged.

    fastmath: allow sums of floats in any order, and unchecked divisions. inline: compile the function only as
    part of its callers. allocates: see `allocation_free`. No kernel may call itself, directly or through
    others, because it would crash when loaded from numba's cache.
    """
    options: dict[str, Any] = {"fastmath": True, "error_model": "numpy"} if fastmath else {}
    if inline:
        options["inline"] = "always"
    if not allocates:
        options["_nrt"] = False

    def mark(function: F) -> F:
        _options[function] = options
        return function

    return mark if function is None else mark(function)


part = kernel(inline=True)
"""Decorator for a kernel that is compiled only as part of its caller.

Other kernels are compiled once alone and again within every caller. Use it for kernels with one caller and
for short ones."""
allocation_free = kernel(allocates=False)
"""Decorator for a kernel that makes no arrays and calls only such kernels.

Numba then omits reference counting of arrays, which would take two thirds of the time of the look-ahead
search."""


def has_numba() -> bool:
    """Return whether kernels can be compiled; FIFTEENTWO_NUMBA=off disables it. Does not import numba."""
    return os.environ.get("FIFTEENTWO_NUMBA", "") != "off" and importlib.util.find_spec("numba") is not None


def checks_bounds() -> bool:
    """Return whether compiled kernels check every index and raise IndexError: FIFTEENTWO_NUMBA=checked."""
    return os.environ.get("FIFTEENTWO_NUMBA", "") == "checked"


def compiled(name: str) -> ModuleType:
    """Import a module of kernels and return it with its kernels compiled if numba is installed.

    The first call of each kernel compiles it (about a second); later processes load it.
    """
    if not has_numba():
        return import_module(name)
    with _loading:
        return _compiled(name)


@cache
def _compiled(name: str) -> ModuleType:
    from numba import config, njit

    place = folder(package_of(name))
    plain = import_module(name)
    module = ModuleType(name, plain.__doc__)
    vars(module).update(vars(plain))
    for own, value in vars(plain).items():
        if not isinstance(value, FunctionType) or value not in _options:
            continue
        if value.__module__ == name:
            function = FunctionType(value.__code__, vars(module), value.__name__, value.__defaults__)
            options = _options[value] | ({"boundscheck": True} if checks_bounds() else {})
            # Numba reads the setting now; kernels of another package may have changed it.
            setattr(config, "CACHE_DIR", str(place or ""))  # noqa: B010 - numba declares its settings at run time
            setattr(module, own, njit(nogil=True, cache=place is not None, **options)(function))
        else:
            setattr(module, own, getattr(_compiled(value.__module__), value.__name__))
    return module


def package_of(name: str) -> str:
    """Return the top-level package of a module's name."""
    return name.partition(".")[0]


# ── The folder ───────────────────────────────────────────────────────────────────────────────────────────


@cache
def folder(package: str = PACKAGE) -> Path | None:
    """Return the folder in which machine code of a package is stored; None if no folder is writable."""
    for place in places():
        with suppress(OSError):
            own = place / digest(package=package)
            own.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=own, buffering=0) as file:
                # On a full disk files can be created but not written.
                file.write(b"-")
            os.utime(own)
            return own
    return None


def places() -> Iterator[Path]:
    """Yield the folders that may contain machine code, in order of preference; create none."""
    if asked := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(asked).absolute() / "fifteentwo"
    for caches in (os.environ.get("XDG_CACHE_HOME", ""), _user_caches()):
        if os.path.isabs(caches):
            yield Path(caches) / "fifteentwo"
    yield Path(__file__).parent / "__pycache__" / "fifteentwo"


def _user_caches() -> str:
    """Return the system's usual folder of caches; a relative path if the user is unknown."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    return os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")


def digest(root: Path = _PACKAGE_FOLDER, package: str = PACKAGE) -> str:
    """Return a digest of `SOURCES` below `root`, of another package's files, and of the processor."""
    folders = [root / source for source in SOURCES]
    if package != PACKAGE:
        spec = importlib.util.find_spec(package)
        folders += map(Path, (spec and spec.submodule_search_locations) or [])
    whole = hashlib.sha256(f"{root} {sys.version} {_processor()} {checks_bounds()}".encode())
    for source in folders:
        for path in sorted(source.rglob("*.py")):
            whole.update(str(path).encode() + path.read_bytes())
    return whole.hexdigest()[:16]


@cache
def _processor() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        return "".join({line: 0 for line in file if line.startswith(("model name", "flags", "Features"))})
    return f"{platform.machine()} {platform.processor()}"


def clean() -> int:
    """Delete all folders of machine code except the eight last used; return how many were deleted."""
    place = folder()
    if place is None:
        return 0
    by_use = sorted([(path.stat().st_mtime, path) for path in place.parent.iterdir() if path.is_dir()])
    for _, path in by_use[:-MAX_FOLDERS]:
        shutil.rmtree(path, ignore_errors=True)
    return len(by_use[:-MAX_FOLDERS])


# ── Whether all is there ─────────────────────────────────────────────────────────────────────────────────


def is_ready(name: str) -> bool:
    """Return whether all kernels that a module calls are stored, so that loading takes less than a second."""
    place = folder(package_of(name)) if has_numba() else None
    return place is not None and (place / f"{name}{_READY}").exists()


def make_ready(name: str) -> str | None:
    """Compile and store missing kernels that a module calls, with the module's function `prepare`.

    Return why storing failed; None if everything is stored.
    """
    place = folder(package_of(name)) if has_numba() else None
    try:
        import_module(name).prepare()
        if place is not None:
            (place / f"{name}{_READY}").touch()
    except OSError as error:
        return error.strerror or str(error)
    return None


def stored(package: str = PACKAGE) -> int:
    """Return the number of compiled kernels of a package that are stored."""
    place = folder(package)
    return 0 if place is None else sum(1 for _ in place.rglob("*.nbi"))
