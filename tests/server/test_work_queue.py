"""The queue of slow work: limited, shared fairly, and nothing computed twice."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from fifteentwo.server.errors import Refused
from fifteentwo.server.work_queue import QueuePlaces, WorkQueue
from tests.support.errors import raises_code


class Work:
    """Jobs that end when the test says so."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.may_end = threading.Event()

    def __call__(self, name: str) -> str:
        assert self.may_end.wait(60)
        self.done.append(name)
        return name.upper()


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


async def asked(queue: WorkQueue, work: Work, block: str, *names: str) -> list[asyncio.Task[str]]:
    tasks = [asyncio.ensure_future(queue.run(block, work, name)) for name in names]
    await asyncio.sleep(0)
    return tasks


def code_of(task: asyncio.Task[str]) -> tuple[str, int]:
    error = task.exception()
    assert isinstance(error, Refused)
    return error.code, error.status


def test_an_address_block_has_at_most_half_of_the_free_places() -> None:
    places, counts = QueuePlaces(16), []
    for number in range(20):
        count = 0
        try:
            for _ in range(16):
                places.take(f"block {number}")
                count += 1
        except Refused as refused:
            counts.append((count, refused.code))
    assert [count for count, _ in counts] == [5, 4, 2, 2, 1, 1, 1] + [0] * 13
    assert {code for count, code in counts if not count} == {"server-full"}
    places.release("block 0")
    assert places.take("block 19") == 0
    with raises_code(Refused, "server-full") as refusal:
        places.take("block 19")
    assert (refusal.value.status, refusal.value.values["seconds"]) == (503, 2)


def test_this_machine_itself_may_take_all_places() -> None:
    places = QueuePlaces(16)
    assert [places.take("") for _ in range(16)] == list(range(16))


async def test_more_jobs_than_places_are_refused() -> None:
    job, queue = Work(), WorkQueue("test", max_jobs=4)
    greedy = await asked(queue, job, "192.0.2.1", "a", "b", "c")
    others = [(await asked(queue, job, f"192.0.2.{number}", f"{number}"))[0] for number in range(2, 6)]
    job.may_end.set()
    await asyncio.wait([*greedy, *others])
    assert [code_of(one) for one in greedy[1:]] == [("too-many-requests", 429)] * 2
    assert code_of(others[-1]) == ("server-full", 503)
    assert job.done == ["a", "2", "3", "4"]
    assert (await asked(queue, job, "192.0.2.1", "again"))[0] is not None


async def test_a_burst_of_one_block_delays_another_by_one_job() -> None:
    job, queue = Work(), WorkQueue("test")
    burst = await asked(queue, job, "192.0.2.1", "a", "b", "c", "d")
    (stranger,) = await asked(queue, job, "192.0.2.2", "stranger")
    job.may_end.set()
    assert await asyncio.gather(*burst, stranger) == ["A", "B", "C", "D", "STRANGER"]
    assert job.done == ["a", "stranger", "b", "c", "d"]


async def test_equal_jobs_are_computed_once_and_cached() -> None:
    job, queue = Work(), WorkQueue("test", max_jobs=1, max_results=2)
    same = [asyncio.ensure_future(queue.cached_result(f"192.0.2.{n}", job, "a")) for n in range(50)]
    await asyncio.sleep(0)
    job.may_end.set()
    assert set(await asyncio.gather(*same)) == {"A"}
    for name in ("a", "b", "a", "c", "a", "b"):
        assert await queue.cached_result("", job, name) == name.upper()
    assert job.done == ["a", "b", "c", "b"], "the result not asked for longest is dropped"


async def test_disconnecting_client_does_not_cancel_a_shared_job() -> None:
    job, queue = Work(), WorkQueue("test")
    first, second = [asyncio.ensure_future(queue.cached_result("", job, "a")) for _ in range(2)]
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    job.may_end.set()
    assert await second == "A"


async def test_failed_or_cancelled_job_frees_its_place() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    job, queue = Work(), WorkQueue("test", max_jobs=2)
    running, waiting = await asked(queue, job, "", "a", "b")
    waiting.cancel()
    await asyncio.wait([waiting])
    job.may_end.set()
    assert await running == "A"
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await queue.cached_result("", fail)
    assert await queue.run("", job, "c") == "C"
    assert job.done == ["a", "c"]
