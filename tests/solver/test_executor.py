"""The same jobs on processes of this machine and on a Dask cluster that loses a worker."""

import importlib.util
import os
import signal
import threading
from operator import truediv

import numpy as np
import pytest

from fifteentwo.solver.deal_counts import DealCounts, count_deals, together
from fifteentwo.solver.executor import get_executor, run_all

JOBS = [(batch, (300, 1000 + batch)) for batch in range(10)]

needs_numba = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="deals in bulk want numba")


@pytest.fixture(scope="module")
def alone() -> DealCounts:
    return together([count_deals(*arguments) for _, arguments in JOBS])


def same(one: DealCounts, other: DealCounts) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@needs_numba
def test_deals_depend_on_their_seed_alone_and_points_are_conserved(alone: DealCounts) -> None:
    assert same(alone, together([count_deals(*arguments) for _, arguments in JOBS]))
    assert not same(count_deals(300, 1), count_deals(300, 2))
    deals = int(alone.final.sum())
    assert deals == 3000
    totals = np.arange(len(alone.final))
    assert alone.final.sum(axis=1) @ totals == alone.sums[6] == alone.pone_reach.sum()
    assert alone.final.sum(axis=0) @ totals == alone.sums[7] == alone.dealer_reach.sum()
    # The dealer always pegs (C21).
    assert alone.final[:, 0].sum() == 0
    assert alone.sums[:6].sum() == alone.sums[6:8].sum()


@needs_numba
@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_counts_the_same(alone: DealCounts) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster:
        with distributed.Client(cluster, set_as_default=False) as client:
            workers = list(client.run(os.getpid).values())
        assert len(workers) == 2
        found: dict[int, DealCounts] = {}
        lost = threading.Event()

        def done(batch: int, counts: DealCounts) -> None:
            found[batch] = counts
            if not lost.is_set():
                lost.set()
                os.kill(workers[0], signal.SIGKILL)

        with get_executor(dask_address=cluster.scheduler_address) as executor:
            run_all(executor, count_deals, JOBS, done)
    assert lost.is_set()
    assert sorted(found) == [batch for batch, _ in JOBS]
    assert same(together([found[batch] for batch in sorted(found)]), alone)


def test_results_come_with_their_keys_and_the_first_failure_is_raised() -> None:
    found: dict[str, float] = {}
    with get_executor(2) as executor:
        run_all(executor, truediv, [("a", (8, 2)), ("b", (9, 3))], found.__setitem__)
        assert found == {"a": 4.0, "b": 3.0}
        with pytest.raises(ZeroDivisionError):
            run_all(executor, truediv, [("c", (1, 1)), ("d", (1, 0))], found.__setitem__)
