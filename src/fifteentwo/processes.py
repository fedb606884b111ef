"""Worker processes: they end with the process that started them, and by no other signal."""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType, TracebackType
from typing import Any, TypeVar

if sys.platform == "linux":
    import fcntl
if sys.platform != "win32":
    from multiprocessing import resource_tracker

log = logging.getLogger("fifteentwo.processes")
Result = TypeVar("Result")

_NOT_FOR_WORKERS = (signal.SIGINT, signal.SIGTERM)
"""Sent to a whole group, they reach workers too; ending those is for the process that started them."""


class _Worker(SpawnProcess):
    """A process that a pool ends as it is to be ended: it hears nothing milder."""

    def terminate(self) -> None:
        self.kill()

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - its name in multiprocessing
        """Start it without the main program, which it would run again first: its jobs need nothing of that.

        So a program that asks for workers needs no `if __name__ == "__main__":`, and a notebook has none.
        """
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)
        finally:
            sys.modules["__main__"] = main


class _Spawning(SpawnContext):
    """Spawned, not forked: the caller may be a server with threads."""

    Process = _Worker


class Workers(ProcessPoolExecutor):
    """So many processes, spawned at first use; left by an exception they are killed, whatever they are at."""

    def __init__(self, processes: int, *, giving_way: bool = False) -> None:
        """giving_way: the process that started them goes first where both want a core."""
        _begin_tidying()
        super().__init__(processes, _Spawning(), _begin, (giving_way,))

    def submit(self, work: Callable[..., Result], /, *given: Any, **named: Any) -> Future[Result]:
        with _deaf():
            return super().submit(work, *given, **named)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if kind is not None:
            self.kill()
        return super().__exit__(kind, error, trace)

    @property
    def is_broken(self) -> bool:
        """Whether one of them ended by itself, so that none takes work any more."""
        return bool(self._broken)

    def kill(self) -> None:
        """End all of them now: what has begun would be finished otherwise, and may take hours."""
        for item in list((self._pending_work_items or {}).values()):
            # Losing its processes the pool fails every future, and breaks on those that were cancelled.
            if item.future.cancelled():
                item.future = Future()
        for process in list((self._processes or {}).values()):
            process.kill()

    def end(self) -> None:
        """Kill them and wait until they are gone; one that is just being started does not begin to work."""
        with self._shutdown_lock:
            # From here on none is started: what waits would be done first.
            self._shutdown_thread = True
        self.kill()
        self.shutdown(cancel_futures=True)


def started(work: Callable[..., object], /, *given: Any) -> SpawnProcess:
    """A process that does one thing and ends with this one; it hears SIGINT and SIGTERM once it asks to."""
    _begin_tidying()
    process = SpawnContext().Process(target=_lasting, args=(work, *given))
    with _deaf():
        process.start()
    return process


def _lasting(work: Callable[..., object], *given: Any) -> None:
    parent = parent_process()
    assert parent is not None
    end_after(parent.join, parent.sentinel)
    work(*given)


def _begin_tidying() -> None:
    """Begin the process of Python's that removes what a killed program leaves, without a word about it."""
    if sys.platform == "win32":
        return
    name, before = "PYTHONWARNINGS", os.environ.get("PYTHONWARNINGS")
    os.environ[name] = ",".join(filter(None, (before, "ignore:resource_tracker:UserWarning")))
    try:
        resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


@contextmanager
def _deaf() -> Iterator[None]:
    """A process started here hears nothing, from its first moment on; who starts it hears it afterwards."""
    came: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        # Raised in the midst of starting a process, it would leave half a one, and that one's last words.
        for number in _NOT_FOR_WORKERS:
            if callable(signal.getsignal(number)):
                handlers[number] = signal.signal(number, lambda number, _: came.append(number))
    before: set[int] | None = None
    if hasattr(signal, "pthread_sigmask"):
        before = set(signal.pthread_sigmask(signal.SIG_BLOCK, _NOT_FOR_WORKERS))
    try:
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for own, handler in handlers.items():
            signal.signal(own, handler)
        for own in came:
            signal.raise_signal(own)


def _begin(giving_way: bool) -> None:
    """The first thing a worker does."""
    if giving_way:
        give_way(5)
    # A process a core: numpy, not imported yet, would begin as many threads again, in each other's way.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for number in _NOT_FOR_WORKERS:
        signal.signal(number, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None
    end_after(parent.join, parent.sentinel)


def give_way(by: int) -> None:
    """Let other processes go first where the system permits it; a sandbox may not, and the work goes on."""
    if hasattr(os, "nice"):
        try:
            os.nice(by)
        except OSError as error:
            log.warning("this process cannot give way to others: %s", error)


def end_after(ended: Callable[[], object], pipe: int) -> None:
    """From now on this process ends when the one that started it does, however that ends.

    ended: returns then. pipe: has its other end in that process alone, and nothing is written to it. Linux
    polls the pipe, and ends this process even where it lets no thread of Python run.
    """
    if sys.platform == "linux":
        # A system that can do this only in part leaves it to the thread.
        with suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
            fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
            fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    # It may have ended before, and then the pipe has nothing any more.
    threading.Thread(target=_wait_and_end, args=(ended,), daemon=True).start()


def _wait_and_end(ended: Callable[[], object]) -> None:
    ended()
    os._exit(1)
