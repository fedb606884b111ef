"""Where computers choose their actions, and when they answer.

A level that needs less than a millisecond chooses in this process. The others, with the solved tables that
they hold, choose in worker processes that all tables share: a worker receives a View and returns an action.

The time a computer takes would reveal its cards, because a forced card takes no time and a choice does.
Therefore it answers after a random delay that depends on its level and the phase, which everyone sees. A
choice that takes longer waits for the end of another such delay.

If a level cannot choose, the next lower level that can chooses this action; the log shows it.
"""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar

from fifteentwo.analysis.background_compilation import may_wait, never_wait
from fifteentwo.engines.programs import Programs
from fifteentwo.players import LEVELS, Player, player
from fifteentwo.processes import PoolFull, WorkerLost, WorkerPool, lower_priority
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View, allows, choices
from fifteentwo.server.health import Condition

T = TypeVar("T")

MAX_WORKERS = 4
WORKER_NICENESS = 5
"""Workers get what the tables leave of each core."""
MAX_WAITING = 256
"""Choices that wait for a worker; a lower level makes those beyond."""
JOB_SECONDS = 20.0
"""Time after which a worker that has not answered is replaced: 30 times the longest measured answer."""
RETRY_DELAY_SECONDS = 1.0
"""Time until a worker is started again after a start has failed; it doubles with each failure."""
MAX_RETRY_DELAY_SECONDS = 30.0


def server_pool(workers: int) -> WorkerPool:
    """Return a pool for a server: its workers run after the server itself and do not wait for compilation."""
    prepare = partial(_prepare_worker, not may_wait())
    return WorkerPool(workers, prepare, timeout=JOB_SECONDS, max_waiting=MAX_WAITING)


def _prepare_worker(in_hurry: bool) -> None:
    lower_priority(WORKER_NICENESS)
    if in_hurry:
        never_wait()


class Delay(NamedTuple):
    """The range in seconds of a computer's random delay."""

    least: float
    most: float

    def drawn(self) -> float:
        """Return a random delay."""
        return random.uniform(self.least, self.most)


QUICK = Delay(0.02, 0.05)
LONG = Delay(0.04, 0.12)
DISCARDING = Delay(0.15, 0.35)
"""Nine of ten choices take less, measured on a busy machine: under 4 ms in this process; 20 ms a card and
160 ms a discard at `master`."""


def is_costly(level: str) -> bool:
    """Return whether a level chooses in a worker."""
    return level in ("expert", "master")


def is_forced(level: str, seen: View) -> bool:
    """Return whether a costly level has only one choice, so that no worker is asked."""
    return is_costly(level) and len(choices(seen)) == 1


def delay_of(level: str, seen: View) -> Delay:
    """Return the delay of a computer's answer, which depends only on what everyone sees."""
    if not is_costly(level):
        return QUICK
    return DISCARDING if seen.phase is Phase.DISCARD else LONG


def answers_at(began: float, thought: float, delay: Delay) -> float:
    """Return when a computer answers that was asked at `began` and had chosen at `thought`."""
    due = began + delay.drawn()
    while due < thought and delay.most > 0:
        due += delay.drawn()
    return due


class Thought(NamedTuple):
    """What a computer wants to do, and the damaged table because of which it plays below its level."""

    action: SeatAction
    damaged: str | None
    by: str | None = None
    """The level that chose; None if there was only one choice."""


class NoWorker(Exception):
    """No worker chooses: none can be started, or none answers in time."""


class NotAllowed(Exception):
    """A level wants what the rules do not allow."""


def think(level: str, seed: int, seen: View) -> Thought:
    """Return what a level does; the same seed and View give the same action."""
    own = _player(level, seed)
    action = own.act(seen)
    damaged = getattr(own, "trouble", None)
    return Thought(action, None if damaged is None else damaged.name)


@lru_cache(1024)
def _player(level: str, seed: int) -> Player:
    return player(level, seed)


def _think_in_worker(level: str, seed: int, seen: bytes) -> tuple[bytes, str | None]:
    thought = think(level, seed, from_json(seen, View))
    return to_json(thought.action), thought.damaged


def _load(level: str) -> None:
    player(level, 0)


class Thinking:
    """The computers' choices, in this process and in workers."""

    def __init__(
        self,
        pool: WorkerPool | None = None,
        clock: Callable[[], float] = time.monotonic,
        programs: Programs | None = None,
    ) -> None:
        """pool: ends with `close`; programs: opponents next to the levels."""
        self.programs = programs or Programs()
        self.pool = pool or server_pool(min(MAX_WORKERS, os.cpu_count() or 2))
        self._clock = clock
        self._is_closed = False
        self._answered_at = 0.0
        self._retry_at, self._retry_delay = 0.0, 0.0
        self._conditions: dict[str, Condition] = {}
        self.decided: Counter[str] = Counter()
        """Decisions of the computer's `own` level, and of a lower one `instead`."""

    @property
    def works(self) -> bool:
        """Whether every level could choose when it was last asked."""
        return all(one.why is None for one in self._conditions.values())

    async def prepare(self, level: str) -> None:
        """Start a worker before a player waits for it, if the level needs one."""
        if is_costly(level):
            try:
                await self._in_worker(_load, level)
            except Exception as error:
                self._fails(level, error)

    async def decide(self, level: str, seed: int, seen: View) -> Thought:
        """Return what a level does, or the next lower level that can choose, or else a random choice."""
        for one in reversed(LEVELS[: LEVELS.index(level) + 1]):
            try:
                thought = await self.thought(one, seed, seen)
                if is_forced(one, seen):
                    return thought
                if not allows(seen, thought.action):
                    raise NotAllowed(thought.action)
            except Exception as error:
                self._fails(one, error)
                continue
            self._condition(one).works()
            self.decided["own" if one == level else "instead"] += 1
            return thought._replace(by=one)
        self.decided["instead"] += 1
        return Thought(random.choice(choices(seen)), None, LEVELS[0])

    def _fails(self, level: str, error: Exception) -> None:
        is_expected = isinstance(error, NoWorker)
        code = "no-processes" if is_expected else type(error).__name__
        self._condition(level).fails(code, error.__cause__ if is_expected else error, trace=not is_expected)

    def _condition(self, level: str) -> Condition:
        if level not in self._conditions:
            where = " in processes of its own" if is_costly(level) else ""
            self._conditions[level] = Condition(f"thinking as {level}{where}", self._clock)
        return self._conditions[level]

    async def thought(self, level: str, seed: int, seen: View) -> Thought:
        """Return what a level wants to do; raise whatever the level raises, or NoWorker."""
        if not is_costly(level):
            return think(level, seed, seen)
        if is_forced(level, seen):
            return Thought(choices(seen)[0], None)
        action, damaged = await self._in_worker(_think_in_worker, level, seed, to_json(seen))
        return Thought(from_json(action, SeatAction), damaged)  # type: ignore[arg-type]

    async def _in_worker(self, work: Callable[..., T], *arguments: Any) -> T:
        """Return the result of a job; raise NoWorker, at once until a failed start is tried again."""
        asked_at = self._clock()
        if asked_at < self._retry_at:
            raise NoWorker
        try:
            try:
                result = await self._submit(work, *arguments)
            except WorkerLost:
                # Another worker takes the place of one that was killed.
                result = await self._submit(work, *arguments)
        except PoolFull as error:
            raise NoWorker from error
        except (WorkerLost, TimeoutError, OSError) as error:
            # One worker that hangs is replaced; the others are asked meanwhile.
            if not isinstance(error, TimeoutError) or self._answered_at < asked_at:
                self._postpone()
            raise NoWorker from error
        self._answered_at, self._retry_delay = self._clock(), 0.0
        return result

    async def _submit(self, work: Callable[..., T], *arguments: Any) -> T:
        try:
            return await asyncio.wrap_future(self.pool.submit(work, *arguments))
        except (WorkerLost, RuntimeError):
            if self._is_closed:
                # A lower level would choose otherwise.
                raise asyncio.CancelledError from None
            raise

    def _postpone(self) -> None:
        """Ask no worker for a while; of many failures at once the first decides for how long."""
        if (now := self._clock()) >= self._retry_at:
            delay = max(2 * self._retry_delay, RETRY_DELAY_SECONDS)
            self._retry_delay = min(delay, MAX_RETRY_DELAY_SECONDS)
            self._retry_at = now + self._retry_delay

    async def close(self) -> None:
        """End the workers and programs, and their jobs."""
        self._is_closed = True
        await asyncio.to_thread(self.programs.close)
        await asyncio.to_thread(self.pool.kill)
