"""Kernels: plain Python functions that numba compiles where it is installed. Only this module imports it.

Imported, a kernel runs as it stands; `compiled` returns a module whose kernels are compiled, with all that
they call. Numba keeps the machine code in one folder for all processes of a user, named after a digest of
`SOURCES`, so that nothing stale is ever read. Kernels of another package have a folder of their own, named
after a digest of that package's files as well. The folders lie in the first of these that can be written:
$NUMBA_CACHE_DIR, the user's caches ($XDG_CACHE_HOME, ~/.cache), `__pycache__`.
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

SOURCES = ("rules", "fast", "strategy", "analysis/pegging", "analysis/rollouts", "environments")
"""Folders of the kernels of this package, and of the constants that kernels read."""
KEPT = 8
"""Folders of machine code that `clean` leaves: those last used."""
_PACKAGE = Path(__file__).parent.parent
OWN = "fifteentwo"
"""The name of this package."""
_READY = ".ready"

_options: dict[Callable[..., Any], dict[str, Any]] = {}
_loading = RLock()


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, fastmath: bool = False, inline: bool = False, allocates: bool = True) -> Callable[[F], F]: ...
def kernel(
    function: F | None = None, *, fastmath: bool = False, inline: bool = False, allocates: bool = True
) -> F | Callable[[F], F]:
    """Mark a function that numba may compile, and return it as it is.

    fastmath: sums of floats may be taken in any order and divisions go unchecked. inline: it is compiled only
    as a part of those that call it. allocates: see `allocation_free`. No kernel may call itself, straight or
    through others: loaded from numba's cache it would crash.
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
"""Mark a kernel that is compiled only as a part of the one that calls it.

Every other kernel is compiled once for itself and again within each that calls it, however far up. For
kernels with one caller, or short ones.
"""
allocation_free = kernel(allocates=False)
"""Mark a kernel that makes no arrays and calls none that does.

Numba then counts no references to arrays, which takes two thirds of the time of the look-ahead search.
"""


def has_numba() -> bool:
    """Return whether kernels can be compiled; FIFTEENTWO_NUMBA=off says no. Imports nothing."""
    return os.environ.get("FIFTEENTWO_NUMBA", "") != "off" and importlib.util.find_spec("numba") is not None


def checks_bounds() -> bool:
    """Return whether compiled kernels check every index and raise IndexError: FIFTEENTWO_NUMBA=checked."""
    return os.environ.get("FIFTEENTWO_NUMBA", "") == "checked"


def compiled(name: str) -> ModuleType:
    """Return a module of kernels, compiled where numba is installed.

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
            # Numba reads it here; kernels of another package were perhaps loaded since the last one.
            setattr(config, "CACHE_DIR", str(place or ""))  # noqa: B010 - numba declares its settings at run time
            setattr(module, own, njit(nogil=True, cache=place is not None, **options)(function))
        else:
            setattr(module, own, getattr(_compiled(value.__module__), value.__name__))
    return module


def package_of(name: str) -> str:
    """Return the top-level package of a module."""
    return name.partition(".")[0]


# ── The folder ───────────────────────────────────────────────────────────────────────────────────────────


@cache
def folder(package: str = OWN) -> Path | None:
    """Return where machine code of a package is kept; None if nothing can be written."""
    for place in places():
        with suppress(OSError):
            own = place / digest(package=package)
            own.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=own, buffering=0) as file:
                # A full disk lets files be made, and nothing be put into them.
                file.write(b"-")
            os.utime(own)
            return own
    return None


def places() -> Iterator[Path]:
    """Yield the folders in which machine code may be kept, the first choice first; makes none."""
    if asked := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(asked).absolute() / "fifteentwo"
    for caches in (os.environ.get("XDG_CACHE_HOME", ""), _user_caches()):
        if os.path.isabs(caches):
            yield Path(caches) / "fifteentwo"
    yield Path(__file__).parent / "__pycache__" / "fifteentwo"


def _user_caches() -> str:
    """The folder of caches by the custom of the system; relative where the user is not known."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA", "")
    return os.path.expanduser("~/Library/Caches" if sys.platform == "darwin" else "~/.cache")


def digest(root: Path = _PACKAGE, package: str = OWN) -> str:
    """Return a digest of `SOURCES` below `root`, of another package's files, and of the processor."""
    folders = [root / source for source in SOURCES]
    if package != OWN:
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
    """Delete the machine code of sources that are no more: all folders but the eight last used.

    Returns how many were deleted. A process that still needs one compiles again.
    """
    place = folder()
    if place is None:
        return 0
    by_use = sorted([(path.stat().st_mtime, path) for path in place.parent.iterdir() if path.is_dir()])
    for _, path in by_use[:-KEPT]:
        shutil.rmtree(path, ignore_errors=True)
    return len(by_use[:-KEPT])


# ── Whether all is there ─────────────────────────────────────────────────────────────────────────────────


def is_ready(name: str) -> bool:
    """Return whether all kernels that a module calls are stored, so that they are loaded within a second."""
    place = folder(package_of(name)) if has_numba() else None
    return place is not None and (place / f"{name}{_READY}").exists()


def make_ready(name: str) -> str | None:
    """Compile and store what is missing of the kernels that a module calls, by its `prepare`.

    Returns why something could not be stored; None where all is.
    """
    place = folder(package_of(name)) if has_numba() else None
    try:
        import_module(name).prepare()
        if place is not None:
            (place / f"{name}{_READY}").touch()
    except OSError as error:
        return error.strerror or str(error)
    return None


def stored(package: str = OWN) -> int:
    """Return how many kernels of a package are stored."""
    place = folder(package)
    return 0 if place is None else sum(1 for _ in place.rglob("*.nbi"))
