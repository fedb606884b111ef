"""Whether this process may stop to compile loops: a command may, a table or an engine that is asked may not.

Run as a program it compiles the loops of the module it is given, and ends with the process that started it.
"""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from fifteentwo.fast.compiled import compiled, has_numba, is_ready, make_ready

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
        """module: its `prepare` compiles all its loops, or loads them."""
        self._module = module
        self._prepare = prepare
        self._ready = threading.Event()
        self._begun = threading.Lock()

    def loops(self, name: str) -> ModuleType:
        """A module of loops: compiled where that is at hand, else as plain Python."""
        return compiled(name) if self.at_hand() else import_module(name)

    def at_hand(self) -> bool:
        """Whether the loops are compiled here and now, or are loaded within a second.

        Where nobody may wait for compiling, it begins aside.
        """
        if may_wait() or self._ready.is_set():
            return has_numba()
        if has_numba() and self._begun.acquire(blocking=False):
            if is_ready(self._module):
                self._ready.set()
                return True
            threading.Thread(target=self._make_ready, daemon=True).start()
        return False

    def _make_ready(self) -> None:
        # Compiling holds the interpreter; another process leaves the result where this one finds it.
        with subprocess.Popen(
            [sys.executable, "-m", __name__, self._module],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as child:
            child.wait()
        # Not a daemon: a program that ends while a thread loads machine code crashes within LLVM.
        threading.Thread(target=self._load, daemon=False).start()

    def _load(self) -> None:
        self._prepare()
        self._ready.set()


def _main(module: str) -> None:
    from fifteentwo.processes import end_after, give_way

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The parent writes nothing.
    end_after(sys.stdin.buffer.read, sys.stdin.fileno())
    give_way(10)
    make_ready(module)


if __name__ == "__main__":
    _main(*sys.argv[1:])
