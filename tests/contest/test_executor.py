"""Jobs in this process, in processes of this machine, and on a Dask cluster that loses a worker."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from importlib import import_module
from operator import truediv
from typing import Any

import numpy as np
import pytest

from fifteentwo.contest.arena import Running, arena
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.fast.show import points

JOBS = [(batch, (40_000, 1000 + batch)) for batch in range(24)]
"""Jobs of some hundredths of a second each."""


def counted(deals: int, seed: int) -> list[int]:
    dealt = random_deals(deals, 5, seed)
    made: list[int] = np.bincount(points(dealt[:, :4], dealt[:, 4]), minlength=30).tolist()
    return made


@pytest.fixture(scope="module")
def alone() -> dict[int, list[int]]:
    return {batch: counted(*arguments) for batch, arguments in JOBS}


def test_without_an_executor_jobs_are_done_one_after_another_when_asked_for() -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        return number * number

    with get_executor(1) as executor:
        assert executor is None
        results = run_all(executor, work, [(number, (number,)) for number in range(3)])
        assert next(results) == (0, 0)
        assert begun == [0]
        assert list(results) == [(1, 1), (2, 4)]


def test_results_come_with_their_keys_and_the_first_failure_is_raised() -> None:
    with get_executor(2) as executor:
        assert dict(run_all(executor, truediv, [("a", (8, 2)), ("b", (9, 3))])) == {"a": 4.0, "b": 3.0}
        with pytest.raises(ZeroDivisionError):
            dict(run_all(executor, truediv, [("c", (1, 1)), ("d", (1, 0))]))


class Counter(Executor):
    """An executor that does the first job and no other."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, work: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.futures:
            future.set_running_or_notify_cancel()
            try:
                future.set_result(work(*arguments))
            except ArithmeticError as error:
                future.set_exception(error)
        self.futures.append(future)
        return future


def test_a_failure_or_closing_cancels_jobs_that_have_not_begun(subtests: pytest.Subtests) -> None:
    for divisor in (1, 0):
        with subtests.test(divisor=divisor):
            executor = Counter()
            results = run_all(executor, truediv, [(number, (1, divisor)) for number in range(4)])
            if divisor:
                assert next(results) == (0, 1.0)
                results.close()  # type: ignore[attr-defined]
            else:
                with pytest.raises(ZeroDivisionError):
                    next(results)
            assert [future.cancelled() for future in executor.futures] == [False, True, True, True]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    # Without an address the scheduler opens port 8787, even if it shows no dashboard.
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_counts_the_same(cluster: Any, alone: dict[int, list[int]]) -> None:
    connect: Any = import_module("distributed").Client
    with connect(cluster, set_as_default=False) as client:
        workers = list(client.run(os.getpid).values())
    assert len(workers) == 2
    results: dict[int, list[int]] = {}
    with get_executor(dask_address=cluster.scheduler_address) as executor:
        for batch, points in run_all(executor, counted, JOBS):
            results[batch] = points
            if len(results) == 1:
                os.kill(workers[0], signal.SIGKILL)
    assert results == alone


@pytest.mark.filterwarnings("default")
def test_a_result_that_arrives_as_its_worker_is_lost_counts(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = import_module("distributed").Client
    gather = client._gather

    async def losing(self: Any, futures: Any, *arguments: Any, **named: Any) -> Any:
        results = await gather(self, futures, *arguments, **named)
        for future in futures:
            future._state.lose()
        return results

    monkeypatch.setattr(client, "_gather", losing)
    with get_executor(dask_address=cluster.scheduler_address) as executor:
        assert dict(run_all(executor, truediv, [(number, (number, 2)) for number in range(4)])) == {
            number: number / 2 for number in range(4)
        }


@pytest.mark.filterwarnings("default")
def test_a_failure_on_a_cluster_is_raised(cluster: Any) -> None:
    with get_executor(dask_address=cluster.scheduler_address) as executor, pytest.raises(ZeroDivisionError):
        dict(run_all(executor, truediv, [(number, (1, number)) for number in range(4)]))


@pytest.mark.filterwarnings("default")
def test_a_cluster_plays_the_same_arena(cluster: Any) -> None:
    found = arena(
        "greedy", "random", 52, 9, options={"target": 61}, running=Running(dask=cluster.scheduler_address)
    )
    assert found == arena("greedy", "random", 52, 9, options={"target": 61})


def test_only_the_cluster_needs_the_extra() -> None:
    ask = """
import sys
sys.modules["distributed"] = None
from fifteentwo.contest.arena import Running, arena
from fifteentwo.contest.executor import get_executor
with get_executor(1):
    pass
try:
    with get_executor(dask_address="tcp://127.0.0.1:1"):
        pass
except ModuleNotFoundError as error:
    print("refused", error.name)
"""
    done = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "refused distributed\n"
