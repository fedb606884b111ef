"""A pool of worker processes that kills the worker of a job that takes too long. Other jobs continue.

The standard library's pool fails all jobs if one worker dies, and cannot end a job that hangs. A worker of
this pool is a Python process that reads jobs from standard input and writes results to standard output. It
exits when its input ends, so that no worker outlives its parent, even if the parent is killed.
"""

import atexit
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any, TypeVar

log = logging.getLogger("fifteentwo.processes")
Result = TypeVar("Result")

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that a terminal or systemd sends to workers too. Workers ignore them; the parent ends workers."""


class WorkerLost(Exception):
    """The worker of a job died or was killed."""


class PoolFull(Exception):
    """The queue of waiting jobs is full."""


class WorkerPool(Executor):
    """An executor that starts workers when it needs them. If its `with` block raises, all jobs are killed."""

    def __init__(
        self,
        workers: int,
        initializer: Callable[[], object] | None = None,
        *,
        timeout: float | None = None,
        max_waiting: int = 1_000_000,
    ) -> None:
        """Create a pool without workers.

        Args:
            workers: maximal number of processes.
            initializer: called first in each worker.
            timeout: seconds after which the worker of a job is killed.
            max_waiting: jobs that may wait; further jobs raise PoolFull.
        """
        self._initializer = initializer
        self._timeout = timeout
        self._free_places = threading.Semaphore(workers + max_waiting)
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._is_closed = False
        self._lock = threading.Lock()
        # Each thread sends a job to a worker and waits for its result.
        self._threads = ThreadPoolExecutor(workers, "worker-pool", _block_stop_signals)
        atexit.register(self.kill)

    def submit(self, work: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Return the future of a job. Its result may be WorkerLost or TimeoutError. Raise PoolFull."""
        if not self._free_places.acquire(blocking=False):
            raise PoolFull
        try:
            future = self._threads.submit(self._run, work, args, kwargs)
        except BaseException:
            self._free_places.release()
            raise
        future.add_done_callback(lambda _: self._free_places.release())
        return future

    def _run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        job = pickle.dumps((work, *arguments))
        with self._lock:
            worker = self._idle.pop() if self._idle else None
        worker = worker or self._start()
        try:
            result: Result = worker.run(job, self._timeout)
        finally:
            with self._lock:
                if worker.is_alive:
                    self._idle.append(worker)
                else:
                    self._workers.discard(worker)
        return result

    def _start(self) -> "_Worker":
        worker = _Worker()
        with self._lock:
            self._workers.add(worker)
            if self._is_closed:
                worker.kill()
        if self._initializer is not None:
            try:
                worker.run(pickle.dumps((self._initializer, (), {})), self._timeout)
            except BaseException:
                worker.close()
                raise
        return worker

    def kill(self) -> None:
        """Kill all jobs and workers, and wait until they have ended."""
        atexit.unregister(self.kill)
        with self._lock:
            self._is_closed = True
            for worker in self._workers:
                worker.kill()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more jobs. If `wait`, wait for the accepted jobs, then end the workers."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            self.kill()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if kind is not None:
            self.kill()
        return super().__exit__(kind, error, trace)


class _Worker:
    """A worker process, used by one thread at a time."""

    def __init__(self) -> None:
        code = f"import sys; sys.path[:] = {sys.path}; from fifteentwo import processes; processes.run_jobs()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def run(self, job: bytes, timeout: float | None) -> Any:
        """Return the result of a job. Raise its exception, TimeoutError or WorkerLost."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        watchdog = threading.Timer(timeout or 0, self.kill)
        begin = time.monotonic()
        if timeout is not None:
            watchdog.start()
        try:
            pickle.dump(job, self._process.stdin)
            self._process.stdin.flush()
            has_result, value = pickle.load(self._process.stdout)
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError | EOFError | pickle.UnpicklingError):
                raise
            is_late = timeout is not None and time.monotonic() - begin >= timeout
            raise TimeoutError if is_late else WorkerLost from None
        finally:
            watchdog.cancel()
        if has_result:
            return value
        raise value

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        """Kill the process, wait until it has ended, and close its pipes."""
        with suppress(OSError), self._process:
            self._process.kill()


def _block_stop_signals() -> None:
    """Block STOP_SIGNALS in this thread, and so in the processes that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


# ── In the worker ────────────────────────────────────────────────────────────────────────────────────────


def run_jobs() -> None:
    """Run jobs from standard input until it ends. The output of jobs is sent to standard error."""
    ignore_stop_signals()
    # There is one worker per core, so NumPy's own threads would only slow the workers.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    jobs, results = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    received: SimpleQueue[bytes] = SimpleQueue()
    exit_with_input(jobs, received.put)
    while True:
        answer = _answer(received.get())
        with suppress(BrokenPipeError):  # the parent has ended; `exit_with_input` ends this process
            results.write(answer)
            results.flush()


def _answer(job: bytes) -> bytes:
    """Run a job. Return the pickled pair (True, result) or (False, exception)."""
    try:
        work, args, kwargs = pickle.loads(job)
        return pickle.dumps((True, work(*args, **kwargs)))
    except BaseException as error:
        error.add_note(traceback.format_exc())
        try:
            pickle.loads(answer := pickle.dumps((False, error)))
        except Exception:
            return pickle.dumps((False, RuntimeError(traceback.format_exc())))
        return answer


def exit_with_input(stream: IO[bytes], receive: Callable[[bytes], None] = lambda _: None) -> None:
    """Read pickled jobs from a pipe to the parent in a thread, and exit this process when the pipe ends.

    receive: called with each job. Compiled kernels let this thread run too (`fast.compiled`: nogil).
    """

    def read() -> None:
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                receive(pickle.load(stream))
        os._exit(1)

    threading.Thread(target=read, daemon=True).start()


def ignore_stop_signals() -> None:
    """Ignore STOP_SIGNALS in this process. A handler is used because programs would inherit SIG_IGN."""
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def lower_priority(by: int) -> None:
    """Lower this process's priority by some steps of nice(2), if the system permits it."""
    if hasattr(os, "nice"):
        try:
            os.nice(by)
        except OSError as error:
            log.warning("the priority of this process cannot be lowered: %s", error)
