"""Queues of threads for the work of pages that takes too long for the event loop.

Every kind of work has its own queue of limited length, so that many jobs of one kind delay no other kind. An
address block has a fair share of the places. Its second job waits for the first jobs of other blocks, so that
it cannot block the queue.
"""

import asyncio
import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, TypeVarTuple

from fifteentwo.server.errors import Refused

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

DEFAULT_MAX_JOBS = 32
RETRY_AFTER_SECONDS = 2
"""Seconds after which a refused client should ask again."""


class QueuePlaces:
    """The places in a queue. An address block may take at most half of the free places, and at least one."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._taken: Counter[str] = Counter()

    def take(self, block: str) -> int:
        """Take a place; return how many the block had. Raise Refused (503 or 429) if it gets none."""
        free = self._number - self._taken.total()
        if free <= 0:
            raise Refused("server-full", status=503, seconds=RETRY_AFTER_SECONDS)
        if block and self._taken[block] >= max(1, free // 2):
            raise Refused("too-many-requests", status=429, seconds=RETRY_AFTER_SECONDS)
        self._taken[block] += 1
        return self._taken[block] - 1

    def release(self, block: str) -> None:
        self._taken[block] -= 1
        if not self._taken[block]:
            del self._taken[block]


class WorkQueue:
    """A queue of jobs, with a cache of results."""

    def __init__(
        self, name: str, *, threads: int = 1, max_jobs: int = DEFAULT_MAX_JOBS, max_results: int = 0
    ) -> None:
        """Create the queue. name: of its threads; max_jobs: jobs at a time; max_results: results cached."""
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._idle = threads
        self._places = QueuePlaces(max_jobs)
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        """A heap of waiting jobs: jobs of the block before it, a number, and the job's turn."""
        self._numbers = itertools.count()
        self._max_results = max_results
        self._results: dict[Hashable, Any] = {}
        self._jobs: dict[Hashable, asyncio.Task[Any]] = {}

    async def run(self, block: str, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Return what the work returns, after its turn. block: the client's; empty for this machine."""
        loop, rank = asyncio.get_running_loop(), self._places.take(block)
        try:
            turn = loop.create_future()
            heapq.heappush(self._waiting, (rank, next(self._numbers), turn))
            self._start_next_jobs()
            try:
                await turn
                return await loop.run_in_executor(self._threads, work, *arguments)
            finally:
                if turn.done() and not turn.cancelled():
                    self._idle += 1
                    self._start_next_jobs()
        finally:
            self._places.release(block)

    def _start_next_jobs(self) -> None:
        while self._idle and self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._idle -= 1
                turn.set_result(None)

    async def cached_result(self, block: str, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Return what the work returns, from the cache or from the same job if it is already queued."""
        key: Hashable = (work, arguments)
        if key in self._results:
            result: T = self._results.pop(key)
            self._results[key] = result
            return result
        job = self._jobs.get(key)
        if job is None:
            job = self._jobs[key] = asyncio.ensure_future(self.run(block, work, *arguments))
            job.add_done_callback(lambda _: self._cache_result(key))
        # A client that disconnects must not cancel the job of others.
        found: T = await asyncio.shield(job)
        return found

    def _cache_result(self, key: Hashable) -> None:
        job = self._jobs.pop(key)
        if job.cancelled() or job.exception() is not None or not self._max_results:
            return
        self._results[key] = job.result()
        if len(self._results) > self._max_results:
            del self._results[next(iter(self._results))]
