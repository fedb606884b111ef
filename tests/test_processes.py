"""Worker processes: results, lost and hanging workers, a full queue, no process that outlives its parent."""

import functools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from operator import truediv
from pathlib import Path

import pytest

from fifteentwo.processes import PoolFull, WorkerLost, WorkerPool

HOUR = 3600
pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no SIGSTOP here")


class Unpicklable(Exception):
    """An exception that pickle cannot make again."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def raises_unpicklable() -> None:
    raise Unpicklable("one", "other")


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool(2)
    yield pool
    pool.kill()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition: Callable[[], bool]) -> None:
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


def test_results_and_exceptions_are_returned(pool: WorkerPool) -> None:
    assert pool.submit(truediv, 8, 2).result() == 4
    with pytest.raises(ZeroDivisionError) as failed:
        pool.submit(truediv, 1, 0).result()
    assert "Traceback" in failed.value.__notes__[0]
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pool.submit(lambda: 1).result()
    for work in (threading.Lock, raises_unpicklable):
        with pytest.raises((TypeError, RuntimeError)):
            pool.submit(work).result()
    assert pool.submit(truediv, 9, 3).result() == 3


def test_jobs_one_after_another_use_one_worker(pool: WorkerPool) -> None:
    assert len({pool.submit(os.getpid).result() for _ in range(10)}) == 1


def started_workers(pool: WorkerPool) -> list[int]:
    """Start both workers of a pool, so that no later job waits for a start."""
    jobs = [pool.submit(time.sleep, 0.1) for _ in range(2)]
    assert [job.result() for job in jobs] == [None, None]
    return [worker._process.pid for worker in pool._idle]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_killed_or_stopped_worker_is_replaced_and_the_other_continues(
    pool: WorkerPool, number: signal.Signals
) -> None:
    other, lost = started_workers(pool)
    pool._timeout = 3
    os.kill(lost, number)
    job = pool.submit(abs, -1)
    assert pool.submit(os.getpid).result() == other
    with pytest.raises((WorkerLost, TimeoutError)):
        job.result()
    pool._timeout = None
    assert lost not in started_workers(pool)
    assert not is_alive(lost)


def test_a_job_that_hangs_loses_its_worker_and_no_other_job(pool: WorkerPool) -> None:
    started_workers(pool)
    pool._timeout = 3
    hanging = pool.submit(time.sleep, HOUR)
    assert [pool.submit(truediv, number, 1).result() for number in range(3)] == [0, 1, 2]
    with pytest.raises(TimeoutError):
        hanging.result()


def test_a_full_queue_refuses_jobs() -> None:
    pool = WorkerPool(1, max_waiting=2)
    jobs = [pool.submit(time.sleep, HOUR) for _ in range(3)]
    with pytest.raises(PoolFull):
        pool.submit(abs, 1)
    assert jobs[2].cancel()
    jobs[2] = pool.submit(time.sleep, HOUR)
    pool.kill()
    for job in jobs:
        with pytest.raises((WorkerLost, CancelledError)):
            job.result()
    with pytest.raises(RuntimeError):
        pool.submit(abs, 1)


@pytest.mark.parametrize("begun", [0.0, 0.01, 0.3])
def test_kill_ends_jobs_in_any_state(begun: float) -> None:
    pool = WorkerPool(2)
    jobs = [pool.submit(time.sleep, HOUR) for _ in range(4)]
    time.sleep(begun)
    pool.kill()
    assert all(job.done() for job in jobs)
    assert not pool._workers


def test_each_worker_begins_with_the_initializer() -> None:
    with WorkerPool(1, functools.partial(os.putenv, "CRIB", "1")) as pool:
        assert pool.submit(subprocess.getoutput, "echo $CRIB").result() == "1"
    with WorkerPool(1, raises_unpicklable) as pool, pytest.raises(RuntimeError):
        pool.submit(abs, -1).result()


# ── Programs that use a pool ─────────────────────────────────────────────────────────────────────────────


def ended(code: str) -> tuple[int, str, str]:
    """Run a program; return its status, output and errors."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


BEGIN = "import os, signal, sys, time\nfrom fifteentwo.processes import WorkerPool\n"


@pytest.mark.parametrize(
    "last", ["", "pool.shutdown()", "os._exit(0)", "pool.submit(time.sleep, 0.2)", "pool.kill(); pool.kill()"]
)
def test_a_program_ends_silently_and_needs_no_main_guard(last: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"{BEGIN}pool = WorkerPool(2)\nprint(pool.submit(abs, -1).result(), flush=True)\n{last}\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_a_block_that_raises_ends_its_jobs() -> None:
    code = BEGIN + "with WorkerPool(1) as pool:\n    pool.submit(time.sleep, 3600)\n    sys.exit(3)\n"
    assert ended(code) == (3, "", "")


def test_what_a_job_prints_goes_to_standard_error() -> None:
    code = BEGIN + "with WorkerPool(1) as pool: print(pool.submit(exec, 'print(5, flush=True)').result())"
    assert ended(code) == (0, "None\n", "5\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_to_a_whole_group_do_not_end_workers(number: signal.Signals) -> None:
    code = f"""{BEGIN}
with WorkerPool(1) as pool:
    signal.signal({number}, lambda *_: None)
    starting = pool.submit(os.getpid)
    os.killpg(0, {number})
    pid = starting.result()
    os.killpg(0, {number})
    print(pool.submit(os.getpid).result() == pid)
    # A program that a worker starts does not ignore them.
    print(pool.submit(os.system, "kill -{int(number)} $$").result())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, start_new_session=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"True\n{int(number)}\n", "")


WORK = (
    "time.sleep(3600)",
    # A loop in C that lets other threads run, as compiled kernels do.
    "hashlib.pbkdf2_hmac('sha256', b'', b'', 2**31 - 1)",
)


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    code = f"""{BEGIN}
pool = WorkerPool({len(WORK) + 1})
for number, work in enumerate({WORK}):
    begin = f"import hashlib, os, time; open({str(tmp_path)!r} + '/%d' % os.getpid(), 'x'); "
    pool.submit(exec, begin + work)
idle = pool.submit(os.getpid).result()
open({str(tmp_path)!r} + f"/{{idle}}", "x")
time.sleep(3600)
"""
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        wait_until(lambda: len(list(tmp_path.iterdir())) == len(WORK) + 1)
        workers = [int(file.name) for file in tmp_path.iterdir()]
        assert all(is_alive(pid) for pid in workers)
        process.kill()
    try:
        wait_until(lambda: not any(is_alive(pid) for pid in workers))
    finally:
        for pid in filter(is_alive, workers):
            os.kill(pid, signal.SIGKILL)
