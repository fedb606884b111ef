"""One source, two loadings: modules of loops run as plain Python, or through numba where it is installed."""

import importlib.util
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_decorate: list[Callable[[Any], Any]] = []


def kernel(function: F) -> F:
    """Mark a loop that numba may compile; the function itself unless loaded by `compiled`."""
    return _decorate[-1](function) if _decorate else function


def has_numba() -> bool:
    """Whether loops can be compiled; FIFTEENTWO_NUMBA=off says no. Costs no import of numba."""
    return os.environ.get("FIFTEENTWO_NUMBA", "") != "off" and importlib.util.find_spec("numba") is not None


@cache
def compiled(name: str) -> ModuleType:
    """The module of loops `name`, compiled where numba is installed.

    The first call of each loop compiles it (about a second; later processes read it from numba's cache).
    Loops that call each other must share a module: numba does not notice a change in another file.
    """
    if not has_numba():
        return import_module(name)
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.origin is not None
    spec = importlib.util.spec_from_file_location(f"{name}__compiled", found.origin)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Numba looks the module of a cached function up by its name.
    sys.modules[module.__name__] = module
    _decorate.append(_jit)
    try:
        spec.loader.exec_module(module)
    finally:
        _decorate.pop()
    return module


def _jit(function: Callable[..., Any]) -> Any:
    from numba import njit

    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:
        # Neither the package's folder nor the user's cache can be written: compile in each process.
        return njit(nogil=True)(function)
