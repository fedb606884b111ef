"""Where jobs run: threads of this process, processes of this machine, or the workers of a Dask cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")


@contextmanager
def get_executor(jobs: int | None = None, dask_address: str | None = None) -> Iterator[Executor]:
    """An executor with `submit`: `jobs` processes (default: all cores), or the cluster behind `dask_address`.

    Raises ModuleNotFoundError where a cluster is asked for without the extra `cluster`.
    """
    if dask_address is None:
        with ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
            yield pool
        return
    from distributed import Client

    connect: Any = Client
    with connect(dask_address, set_as_default=False) as client, client.get_executor(retries=5) as pool:
        yield pool


def run_all(
    executor: Executor,
    work: Callable[..., Result],
    jobs: Iterable[tuple[Key, tuple[Any, ...]]],
    done: Callable[[Key, Result], None],
) -> None:
    """Run `work` on the arguments of every job; `done` sees each result as it comes, in any order.

    The first failure cancels what has not begun and is raised.
    """
    waiting: dict[Future[Result], Key] = {executor.submit(work, *arguments): key for key, arguments in jobs}
    try:
        for future in _finished(waiting):
            done(waiting.pop(future), future.result())
    except BaseException:
        for future in waiting:
            future.cancel()
        raise


def _finished(waiting: dict[Future[Result], Any]) -> Iterator[Future[Result]]:
    yield from as_completed(list(waiting))
