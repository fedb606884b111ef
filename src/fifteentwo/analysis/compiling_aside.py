"""Whether this process may stop to compile loops: a command may, a server, with people waiting, may not."""

import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from fifteentwo.fast.compiled import compiled, has_numba

_served: list[bool] = []


def never_wait() -> None:
    """From now on what must be compiled is compiled aside; until then the same loops run as plain Python."""
    _served[:] = [True]


def may_wait() -> bool:
    """Whether nobody waits for this process."""
    return not _served


class Aside:
    """Loops of one module, got ready by another process where people wait for this one."""

    def __init__(self, module: str, prepare: Callable[[], None]) -> None:
        """module: run as a program, it calls `prepare`, which leaves what it compiles on disk."""
        self._module = module
        self._prepare = prepare
        self._ready = threading.Event()
        self._begun = threading.Lock()

    def loops(self, name: str) -> ModuleType:
        """A module of loops: compiled where that is at hand, else as plain Python."""
        return compiled(name) if self.at_hand() else import_module(name)

    def at_hand(self) -> bool:
        """Whether the loops are compiled here and now; where nobody may wait, getting ready begins aside."""
        if may_wait() or self._ready.is_set():
            return has_numba()
        if has_numba() and self._begun.acquire(blocking=False):
            threading.Thread(target=self._make_ready, daemon=True).start()
        return False

    def _make_ready(self) -> None:
        # Compiling holds the interpreter; another process leaves the result where this one finds it.
        subprocess.run([sys.executable, "-m", self._module], check=False, capture_output=True)
        self._prepare()
        self._ready.set()
