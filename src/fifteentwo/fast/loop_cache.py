"""Numba's cache of one loop, in the folder that all processes share: what one compiles, the others wait for.

Loaded only where loops are compiled; the only file that knows numba's insides.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, ClassVar

from fifteentwo.fast.machine_code import Lock

LOG = logging.getLogger(__name__)
caching: Any = import_module("numba.core.caching")


class _Place(caching._CacheLocator):  # type: ignore[misc]
    """Tells numba where an entry lies. What it is called says what it rests on: no stamp is needed."""

    def __init__(self, entry: Path) -> None:
        self._entry = entry

    def get_cache_path(self) -> str:
        return str(self._entry)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return "loop"


class _Stored(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """How a loop is stored: as numba does, but where we say."""

    def __init__(self, entry: Path, function: Callable[..., Any]) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Place(entry)
        self._filename_base = self.get_filename_base(function.__qualname__, "")


class LoopCache(caching.FunctionCache):  # type: ignore[misc]
    """A loop's machine code on disk. Whoever finds it missing compiles it, and the others wait for that."""

    trouble: ClassVar[list[str]] = []
    """Why something could not be stored, in this process."""

    def __init__(self, function: Callable[..., Any], entry: Path) -> None:
        self._impl_class = lambda function: _Stored(entry, function)
        self._lock = Lock(entry / f"{function.__qualname__}.lock")
        super().__init__(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is stored for these types; None, with the lock held, where it is to be compiled here."""
        loaded = self._read(sig, target_context)
        if loaded is None:
            self._lock.acquire()
            try:
                loaded = self._read(sig, target_context)
            finally:
                if loaded is not None:
                    self._lock.release()
        if loaded is None:
            _say_once()
        return loaded

    def _read(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:
            # Half written by a machine that lost its power, or by another hand.
            LOG.info("unreadable machine code of %s: %r", self._name, error)
            _complain_once("damaged machine code is compiled again")
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store what was compiled, if there is room, and let the others read it."""
        try:
            super().save_overload(sig, data)
        except Exception as error:
            self.trouble.append(getattr(error, "strerror", None) or str(error))
            _complain_once(f"machine code cannot be stored, each process compiles its own: {error}")
        finally:
            self._lock.release()

    def let_go(self) -> None:
        """Nothing is compiled here any more, whether or not something came of it."""
        self._lock.release()


def keep(loop: Any, entry: Path) -> None:
    """From now on a compiled loop is stored in this entry, and read from it."""
    stored = LoopCache(loop.py_func, entry)
    compile_here = loop.compile

    def compile_or_load(signature: Any) -> Any:
        try:
            return compile_here(signature)
        finally:
            stored.let_go()

    loop._cache = stored
    loop.compile = compile_or_load


@cache
def _say_once() -> None:
    LOG.info("compiling loops, this once: up to a minute; `fifteentwo prepare` does it beforehand")


@cache
def _complain_once(why: str) -> None:
    # One process speaks for its workers.
    LOG.log(logging.WARNING if parent_process() is None else logging.INFO, "%s", why)
