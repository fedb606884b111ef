"""One source, two loadings: modules of loops run as plain Python, or through numba where it is installed.

Loops may call loops of other modules: the plain ones call plain ones, the compiled ones compiled ones.
Machine code is kept in one place: beside the package, or where that cannot be written in the user's cache, or
nowhere, and then each process compiles its own.
"""

import ast
import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])

COPY = "__compiled_"
"""Between the name of a module and the digest of what it rests on, in the name of its compiled copy."""

_plain: set[Callable[..., Any]] = set()


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, fastmath: bool = False, makes_arrays: bool = True) -> Callable[[F], F]: ...
def kernel(
    function: F | None = None, *, fastmath: bool = False, makes_arrays: bool = True
) -> F | Callable[[F], F]:
    """Mark a loop that numba may compile; the function itself unless loaded by `compiled`.

    fastmath: sums of floats may be taken in any order and divisions go unchecked. makes_arrays: False says
    what `borrowing` says.
    No loop may call itself, straight or through others: loaded from numba's cache it would crash.
    """
    options: dict[str, Any] = {"fastmath": True, "error_model": "numpy"} if fastmath else {}
    if not makes_arrays:
        options["_nrt"] = False

    def mark(function: F) -> F:
        _, copied, digest = function.__module__.partition(COPY)
        if not copied:
            _plain.add(function)
            return function
        # Numba names its cache files after this name and notices no change outside the function's own file.
        function.__qualname__ += f"__{digest}"
        fast: F = _jit(function, options)
        return fast

    return mark if function is None else mark(function)


borrowing = kernel(makes_arrays=False)
"""Mark a loop that makes no array and calls none that does.

Compiled, it does not count who uses the arrays it is given: with a record of ten, counting took longer than
most steps (looking a deal through 3.6 times as long).
"""


def has_numba() -> bool:
    """Whether loops can be compiled; FIFTEENTWO_NUMBA=off says no. Costs no import of numba."""
    return os.environ.get("FIFTEENTWO_NUMBA", "") != "off" and importlib.util.find_spec("numba") is not None


def checks_bounds() -> bool:
    """Whether compiled loops look at every index, and raise IndexError: FIFTEENTWO_NUMBA=checked."""
    return os.environ.get("FIFTEENTWO_NUMBA", "") == "checked"


_loading = RLock()
"""CPython 3.11 cannot read sources in two threads at once."""


def compiled(name: str) -> ModuleType:
    """The module of loops `name`, compiled where numba is installed.

    The first call of each loop compiles it (about a second; later processes read it from numba's cache).
    """
    with _loading:
        return _loaded(name)


@cache
def _loaded(name: str) -> ModuleType:
    plain = import_module(name)
    if not has_numba():
        return plain
    copy = f"{name}{COPY}{_digest(plain)}"
    spec = importlib.util.spec_from_file_location(copy, plain.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Numba looks the module of a cached function up by its name.
    sys.modules[copy] = module
    spec.loader.exec_module(module)
    # Numba asks for what a loop calls only when it compiles it.
    for own, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value in _plain:
            setattr(module, own, getattr(_loaded(value.__module__), value.__name__))
        elif isinstance(value, type) and value.__module__ == copy:
            # A record is one type, whichever copy of its module makes it.
            setattr(module, own, getattr(plain, own))
    return module


def _digest(module: ModuleType) -> str:
    """Of the sources a module rests on: its own and what it imports of its package, however far.

    All of it, since numba keeps a copy of every loop called and of every constant read.
    """
    sources: dict[str, bytes] = {}
    waiting = [module.__name__]
    while waiting:
        name = waiting.pop()
        path = sys.modules[name].__file__
        if name not in sources and path is not None:
            sources[name] = Path(path).read_bytes()
            waiting += _imports(name, sources[name])
    # Loops that check bounds are kept beside the others, never in their place.
    whole = hashlib.sha256(b"checked" if checks_bounds() else b"")
    for name in sorted(sources):
        whole.update(name.encode() + hashlib.sha256(sources[name]).digest())
    return whole.hexdigest()[:12]


def _imports(name: str, source: bytes) -> Iterator[str]:
    """The modules of the same package that a source imports as it is loaded.

    What a function imports later no loop can read, and whether it is loaded yet would change the digest.
    """
    package = name.partition(".")[0]
    for node in ast.parse(source).body:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [part.name for part in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [node.module, *(f"{node.module}.{part.name}" for part in node.names)]
        for imported in names:
            if imported.partition(".")[0] == package and imported in sys.modules:
                yield imported


def _jit(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    from numba import njit
    from numba.core.options import DefaultOptions

    if checks_bounds():
        options = options | {"boundscheck": True}
    if not hasattr(DefaultOptions, "_nrt"):
        # The option is not part of what numba promises; without it loops are slower, and the same.
        options = {name: value for name, value in options.items() if name != "_nrt"}
    try:
        return njit(nogil=True, cache=True, **options)(function)
    except RuntimeError:
        # Neither the package's folder nor the user's cache can be written: compile in each process.
        return njit(nogil=True, **options)(function)
