"""Where jobs run: in this process, in several of this machine, or on the workers of a Dask cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, as_completed
from contextlib import contextmanager
from importlib import import_module
from typing import Any, TypeVar

from fifteentwo.processes import Workers

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
        with connect(dask_address, set_as_default=False) as client, client.get_executor(retries=5) as pool:
            yield pool
    elif processes <= 1:
        yield None
    else:
        with Workers(processes) as pool:
            yield pool


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
