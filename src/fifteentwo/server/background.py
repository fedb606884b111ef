"""Background tasks and threads whose exceptions are logged once."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from fifteentwo.server.errors import StoreError

log = logging.getLogger("fifteentwo.server")
T = TypeVar("T")


def start_task(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start a background task, and keep a reference to it while it runs."""
    task = asyncio.get_running_loop().create_task(work)
    task.add_done_callback(log_exception)
    return task


async def repeat(
    seconds: float, work: Callable[[], Awaitable[object]], first_wait_seconds: float | None = None
) -> None:
    """Call a function every `seconds` until cancelled; log its errors, except those of the store."""
    await asyncio.sleep(seconds if first_wait_seconds is None else first_wait_seconds)
    while True:
        try:
            await work()
        except StoreError:
            pass  # The store has logged it.
        except Exception:
            log.exception("periodic work failed: %s", work)
        await asyncio.sleep(seconds)


class Tasks:
    """The background tasks of one object."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __bool__(self) -> bool:
        return bool(self._running)

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = self._create_task(work)
        task.add_done_callback(log_exception)
        return task

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of the work, which continues even if the waiting task is cancelled."""
        task = self._create_task(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            # No other task is left to receive the exception.
            task.add_done_callback(log_exception)
            raise

    async def wait(self, seconds: float) -> None:
        if self._running:
            await asyncio.wait(list(self._running), timeout=seconds)

    def _create_task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task


def log_exception(task: asyncio.Task[Any]) -> None:
    """Log the exception of a task, except a StoreError, which the store logs."""
    if task.cancelled() or (error := task.exception()) is None or isinstance(error, StoreError):
        return
    log.error("a background task failed: %s", task.get_coro(), exc_info=error)


def log_thread_exceptions() -> None:
    def log_it(died: threading.ExceptHookArgs) -> None:
        if died.exc_value is not None and not isinstance(died.exc_value, SystemExit):
            name = "" if died.thread is None else died.thread.name
            log.error("a background thread failed: %s", name, exc_info=died.exc_value)

    threading.excepthook = log_it
