"""Compilation of kernels in a background process, so that no server and no engine stops during a game.

`python -m fifteentwo.background_compilation MODULE` is that process, which ends when its parent ends.
"""

import subprocess
import sys
import threading
from importlib import import_module
from types import ModuleType

from fifteentwo.fast.compiled import compiled, has_numba, is_ready, make_ready

_must_not_wait = threading.Event()
_begun: set[str] = set()
"""Names of the kernel modules whose compilation has begun."""


def never_wait() -> None:
    """Compile kernels in the background from now on. Until they are compiled, they run as plain Python."""
    _must_not_wait.set()


def may_wait() -> bool:
    """Return whether this process may stop to compile: a command may, a server or an engine may not."""
    return not _must_not_wait.is_set()


def kernels(name: str, caller: str) -> ModuleType:
    """Return a module of kernels: compiled if they are stored or this process may wait, otherwise plain.

    caller: the module whose `prepare` compiles all kernels of `name`.
    """
    if may_wait() or is_ready(caller):
        return compiled(name)
    _start_compiling(caller)
    return import_module(name)


def stored_kernels(name: str, caller: str) -> ModuleType | None:
    """Return a module of compiled kernels. Return None if they are not stored.

    A server or an engine then compiles them in the background, but a command does not.
    """
    if is_ready(caller):
        return compiled(name)
    if not may_wait():
        _start_compiling(caller)
    return None


def _start_compiling(module: str) -> None:
    """Start compiling a module in another process, unless this process has started it before."""
    if has_numba() and module not in _begun:
        _begun.add(module)
        threading.Thread(target=_compile, args=(module,), daemon=True).start()


def _compile(module: str) -> None:
    # Compiling would block the threads of this process, so another process compiles and stores the kernels.
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
