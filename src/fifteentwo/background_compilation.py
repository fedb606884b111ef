"""Compiling in the background: no table and no engine stops to compile in the middle of a game.

Run as a program it compiles the kernels of the module it is given, and ends with the process that started it.
"""

import subprocess
import sys
import threading
from importlib import import_module
from types import ModuleType

from fifteentwo.fast.compiled import compiled, has_numba, is_ready, make_ready

_interactive = threading.Event()
_begun: set[str] = set()


def never_wait() -> None:
    """From now on kernels are compiled in the background; until then the same ones run as plain Python."""
    _interactive.set()


def may_wait() -> bool:
    """Return whether this process may stop to compile: a command may, a server or an engine may not."""
    return not _interactive.is_set()


def kernels(name: str, caller: str) -> ModuleType:
    """Return a module of kernels: compiled where that takes no second, else plain while they are compiled.

    caller: the module whose `prepare` compiles all of them.
    """
    if may_wait() or is_ready(caller):
        return compiled(name)
    _compile_once(caller)
    return import_module(name)


def stored_kernels(name: str, caller: str) -> ModuleType | None:
    """Return a module of compiled kernels, or None if they are not stored yet.

    Then a server or an engine compiles them in the background; a command does not.
    """
    if is_ready(caller):
        return compiled(name)
    if not may_wait():
        _compile_once(caller)
    return None


def _compile_once(module: str) -> None:
    if has_numba() and module not in _begun:
        _begun.add(module)
        threading.Thread(target=_compile, args=(module,), daemon=True).start()


def _compile(module: str) -> None:
    # Compiling holds the interpreter; another process leaves the result where this one finds it.
    with subprocess.Popen(
        [sys.executable, "-m", __name__, module],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as child:
        child.wait()


def _main(module: str) -> None:
    from fifteentwo.processes import exit_with_input, ignore_stop_signals, lower_priority

    ignore_stop_signals()
    exit_with_input(sys.stdin.buffer)
    lower_priority(10)
    make_ready(module)


if __name__ == "__main__":
    _main(*sys.argv[1:])
