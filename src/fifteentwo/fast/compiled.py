"""One source, two loadings: modules of loops run as plain Python, or through numba where it is installed.

Loops may call loops of other modules: the plain ones call plain ones, the compiled ones compiled ones.
Machine code is kept in one place for all processes of a user (`fast.machine_code`); where nothing can be
written each process compiles its own.
"""

import ast
import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar, overload

from fifteentwo.fast import machine_code

F = TypeVar("F", bound=Callable[..., Any])

COPY = "__compiled_"
"""Between the name of a module and the digest of what it rests on, in the name of its compiled copy."""

_plain: set[Callable[..., Any]] = set()
_parts: set[Callable[..., Any]] = set()


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(
    *, fastmath: bool = False, makes_arrays: bool = True, by_itself: bool = True
) -> Callable[[F], F]: ...
def kernel(
    function: F | None = None, *, fastmath: bool = False, makes_arrays: bool = True, by_itself: bool = True
) -> F | Callable[[F], F]:
    """Mark a loop that numba may compile; the function itself unless loaded by `compiled`.

    fastmath: sums of floats may be taken in any order and divisions go unchecked. makes_arrays: False says
    what `borrowing` says; by_itself: False says what `part` says.
    No loop may call itself, straight or through others: loaded from numba's cache it would crash.
    """
    options: dict[str, Any] = {"fastmath": True, "error_model": "numpy"} if fastmath else {}
    if not makes_arrays:
        options["_nrt"] = False
    if not by_itself:
        options["inline"] = "always"

    def mark(function: F) -> F:
        if COPY not in function.__module__:
            _plain.add(function)
            if not by_itself:
                _parts.add(function)
            return function
        fast: F = _jit(function, options)
        return fast

    return mark if function is None else mark(function)


borrowing = kernel(makes_arrays=False)
"""Mark a loop that makes no array and calls none that does.

Compiled, it does not count who uses the arrays it is given: with a record of ten, counting took longer than
most steps (looking a deal through 3.6 times as long).
"""

part = kernel(makes_arrays=False, by_itself=False)
"""Mark a borrowing loop that is compiled only as a part of the one that calls it.

Every other loop is compiled once for itself and again within each that calls it, however far up: with parts
the loops of look_ahead take 0.58 of the time to compile. For loops with one caller, or short ones.
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

    The first call of each loop compiles it (about a second); later processes read it (`fast.machine_code`).
    """
    with _loading:
        return _loaded(name)


@cache
def _loaded(name: str) -> ModuleType:
    plain = import_module(name)
    if not has_numba():
        return plain
    copy = f"{name}{COPY}{_digest(name)}"
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
    machine_code.use(name, _digest(name))
    return module


def is_ready(name: str) -> bool:
    """Whether all loops that a module calls are compiled and stored, so that they are loaded within a second.

    The module is imported; numba is not.
    """
    import_module(name)
    if not has_numba():
        return False
    number = machine_code.marked(name, _digest(name))
    return number is not None and stored([name]) >= number


def make_ready(name: str) -> str | None:
    """Compile and store what is missing of the loops that a module calls, by its `prepare`; load the rest.

    Returns why something could not be stored; None where all is.
    """
    module = import_module(name)
    if not has_numba():
        return None
    module.prepare()
    from fifteentwo.fast.loop_cache import LoopCache

    if LoopCache.trouble:
        return LoopCache.trouble[0]
    machine_code.mark(name, _digest(name), stored([name]))
    return None


def stored(names: Iterable[str]) -> int:
    """How many loops are stored that these modules rest on, as their sources are now."""
    known = {one for name in names for one in rests_on(name)}
    return sum(machine_code.stored(one, _digest(one)) for one in known)


def number_of_loops(names: Iterable[str]) -> int:
    """How many loops there are that these modules rest on, and that are stored by themselves."""
    return len(_by_themselves(names))


def unstored(names: Iterable[str]) -> set[str]:
    """Those of them that are not stored, each as `module.loop`."""
    return {
        f"{loop.__module__}.{loop.__name__}"
        for loop in _by_themselves(names)
        if not machine_code.is_stored(loop.__module__, _digest(loop.__module__), loop.__name__)
    }


def _by_themselves(names: Iterable[str]) -> set[Callable[..., Any]]:
    known = {one for name in names for one in rests_on(name)}
    return {loop for loop in _plain - _parts if loop.__module__ in known}


class _Source(NamedTuple):
    """What a module says, and what it imports of its package."""

    digest: bytes
    imported: tuple[str, ...]


def rests_on(name: str) -> Iterator[str]:
    """A module that is loaded, and all that it imports of its package, however far."""
    known: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name not in known and sys.modules[name].__file__ is not None:
            known.add(name)
            yield name
            waiting += _source(name).imported


def _digest(name: str) -> str:
    """Of the sources a module rests on, and of what else machine code is made by.

    All of it, since numba keeps a copy of every loop called and of every constant read.
    """
    # Loops that check bounds are kept beside the others, never in their place.
    whole = hashlib.sha256(machine_code.machine().encode() + (b"checked" if checks_bounds() else b""))
    for one in sorted(rests_on(name)):
        whole.update(one.encode() + _source(one).digest)
    return whole.hexdigest()[:12]


@cache
def _source(name: str) -> _Source:
    path = sys.modules[name].__file__
    assert path is not None
    source = Path(path).read_bytes()
    return _Source(hashlib.sha256(source).digest(), tuple(_imports(name, source)))


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

    from fifteentwo.fast.loop_cache import keep

    if checks_bounds():
        options = options | {"boundscheck": True}
    if not hasattr(DefaultOptions, "_nrt"):
        # The option is not part of what numba promises; without it loops are slower, and the same.
        options = {name: value for name, value in options.items() if name != "_nrt"}
    loop = njit(nogil=True, **options)(function)
    entry = machine_code.entry(*function.__module__.split(COPY))
    if entry is not None:
        keep(loop, entry)
    return loop
