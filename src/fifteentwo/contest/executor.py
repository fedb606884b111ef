"""Executors of jobs: this process, several processes, or the workers of a Dask cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from fifteentwo.processes import WorkerPool

Key = TypeVar("Key")
Result = TypeVar("Result")


@contextmanager
def get_executor(jobs: int | None = None, dask_address: str | None = None) -> Iterator[Executor | None]:
    """Yield an executor for `run_all`, or None for one job at a time in this process.

    If the block is left by an exception, such as Ctrl-C, its processes are killed at once.

    Args:
        jobs: number of processes; None for one for each core.
        dask_address: address of a Dask scheduler to use instead of processes.

    Raises:
        ModuleNotFoundError: an address is given, but the extra `cluster` is not installed.
    """
    processes = os.cpu_count() or 1 if jobs is None else jobs
    if dask_address is not None:
        connect: Any = import_module("distributed").Client
        with connect(dask_address, set_as_default=False) as client, _Cluster(client) as pool:
            yield pool
    elif processes <= 1:
        yield None
    else:
        with WorkerPool(processes) as pool:
            yield pool


class _Cluster(Executor):
    """An executor on a Dask cluster that retries a job up to five times if its worker is lost.

    Dask's own executor fails a job if its worker is lost just when the result arrives.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, work: Callable[..., Result], /, *arguments: Any, **named: Any) -> Future[Result]:
        task = self._client.submit(work, *arguments, retries=5, **named)
        future: Future[Result] = Future()
        future.add_done_callback(lambda done: task.cancel() if done.cancelled() else None)
        self._client.loop.add_callback(_deliver, task, future)
        return future


async def _deliver(task: Any, future: Future[Any]) -> None:
    try:
        result = await task
    except BaseException as error:
        if future.set_running_or_notify_cancel():
            future.set_exception(error)
    else:
        if future.set_running_or_notify_cancel():
            future.set_result(result)


def run_all(
    executor: Executor | None, work: Callable[..., Result], jobs: Iterable[tuple[Key, tuple[Any, ...]]]
) -> Iterator[tuple[Key, Result]]:
    """Yield the key and result of each job when it is done, in any order.

    The first error is raised. An error, or closing the generator, cancels the jobs that have not begun.
    """
    if executor is None:
        for key, arguments in jobs:
            yield key, work(*arguments)
        return
    waiting: dict[Future[Result], Key] = {executor.submit(work, *arguments): key for key, arguments in jobs}
    try:
        for future in as_completed(list(waiting)):
            yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
