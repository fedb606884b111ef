"""Where jobs run: in this process, in several of this machine, or on the workers of a Dask cluster."""

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
    """An executor for `run_all`: so many processes (None: one a core), or the cluster behind the address.

    None, which is this process, for one job at a time. Left by an exception, Ctrl-C among them, it ends its
    processes at once. Raises ModuleNotFoundError where a cluster is asked for without the extra `cluster`.
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
    """Jobs on the workers of a Dask cluster; a job whose worker is lost runs again, up to five times.

    Dask's own executor fails a job whose worker is lost just as its result arrives.
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
    """Pass on a task's result or failure, unless the future was cancelled."""
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
    """`work` on the arguments of every job: key and result of each as it is done, in any order.

    The first failure is raised; it, or no longer listening, cancels what has not begun.
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
