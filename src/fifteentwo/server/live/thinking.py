"""The choices of computers: in which process they are made, and when the computer answers.

A level that needs less than a millisecond chooses in this process. The others choose in worker processes,
which hold the solved tables and serve all tables: a worker receives a View and returns an action.

The time of an answer could reveal a computer's cards, because a forced card takes no time and a choice does.
Therefore the computer answers after random delays that depend only on its level and the phase. If a level
cannot choose, the next lower level that can chooses this action, and the server logs the failure.
"""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar

from fifteentwo.background_compilation import may_wait, never_wait
from fifteentwo.engines.programs import Programs
from fifteentwo.players import LEVELS, Player, player
from fifteentwo.processes import PoolFull, WorkerLost, WorkerPool, lower_priority
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View, allows, choices
from fifteentwo.server.health import Health

T = TypeVar("T")

MAX_WORKER_PROCESSES = 4
WORKER_NICENESS = 5
"""Niceness of the workers: the process that serves the tables has priority on each core."""
MAX_WAITING_JOBS = 256
"""Choices that may wait for a worker; a lower level makes any others."""
JOB_TIMEOUT_SECONDS = 20.0
"""Seconds after which a worker that has not answered is replaced: 30 times the longest measured choice."""
WORKER_RETRY_SECONDS = 1.0
"""Seconds until a worker is started again after a failed start; each failure doubles them."""
MAX_WORKER_RETRY_SECONDS = 30.0


def make_worker_pool(workers: int) -> WorkerPool:
    prepare = partial(_prepare_worker, not may_wait())
    return WorkerPool(workers, prepare, timeout=JOB_TIMEOUT_SECONDS, max_waiting=MAX_WAITING_JOBS)


def _prepare_worker(never_waits_for_compilation: bool) -> None:
    lower_priority(WORKER_NICENESS)
    if never_waits_for_compilation:
        never_wait()


class Delay(NamedTuple):
    """The range of a computer's random delay."""

    min_seconds: float
    max_seconds: float

    def random_seconds(self) -> float:
        return random.uniform(self.min_seconds, self.max_seconds)


QUICK_LEVEL_DELAY = Delay(0.02, 0.05)
SLOW_LEVEL_CARD_DELAY = Delay(0.04, 0.12)
SLOW_LEVEL_DISCARD_DELAY = Delay(0.15, 0.35)
"""Delays of levels that need a worker. They exceed nine of ten choices, measured on a busy machine: 20 ms a
card and 160 ms a discard at `master`. Other levels need less than 4 ms."""


def needs_worker(level: str) -> bool:
    return level in ("expert", "master")


def is_forced(level: str, seen: View) -> bool:
    """Return whether a level that needs a worker has only one choice, so that no worker is asked."""
    return needs_worker(level) and len(choices(seen)) == 1


def delay_of(level: str, seen: View) -> Delay:
    """Return the delay of a computer's answer, which depends only on what everyone sees."""
    if not needs_worker(level):
        return QUICK_LEVEL_DELAY
    return SLOW_LEVEL_DISCARD_DELAY if seen.phase is Phase.DISCARD else SLOW_LEVEL_CARD_DELAY


def answer_time(asked_at: float, chosen_at: float, delay: Delay) -> float:
    """Return when a computer answers that was asked at `asked_at` and has chosen at `chosen_at`."""
    due = asked_at + delay.random_seconds()
    while due < chosen_at and delay.max_seconds > 0:
        due += delay.random_seconds()
    return due


class Decision(NamedTuple):
    """A computer's action, and what decided it."""

    action: SeatAction
    damaged_table: str | None
    """The damaged solved table because of which the level plays weaker than it should."""
    level: str | None = None
    """The level that chose; None if there was only one choice."""


class NoWorker(Exception):
    """No worker can choose: none can be started, or none answers in time."""


class IllegalChoice(Exception):
    """A level has chosen an action that the rules do not allow."""


def choose(level: str, seed: int, seen: View) -> Decision:
    """Return the action of a level. The same seed and View lead to the same action."""
    own = _cached_player(level, seed)
    action = own.act(seen)
    damaged = getattr(own, "trouble", None)
    return Decision(action, None if damaged is None else damaged.name)


@lru_cache(1024)
def _cached_player(level: str, seed: int) -> Player:
    return player(level, seed)


def _choose_in_worker(level: str, seed: int, seen: bytes) -> tuple[bytes, str | None]:
    thought = choose(level, seed, from_json(seen, View))
    return to_json(thought.action), thought.damaged_table


def _load_level_tables(level: str) -> None:
    player(level, 0)


class Thinking:
    """The service that chooses for the computers of all tables, in this process and in workers."""

    def __init__(
        self,
        pool: WorkerPool | None = None,
        clock: Callable[[], float] = time.monotonic,
        programs: Programs | None = None,
    ) -> None:
        """Create it. pool: closed by `close`; programs: external programs that play beside the levels."""
        self.programs = programs or Programs()
        self.pool = pool or make_worker_pool(min(MAX_WORKER_PROCESSES, os.cpu_count() or 2))
        self._clock = clock
        self._is_closed = False
        self._last_result_at = 0.0
        self._retry_at, self._retry_delay = 0.0, 0.0
        self._conditions: dict[str, Health] = {}
        self.decision_counts: Counter[str] = Counter()
        """The number of decisions by computers' own levels ("own") and by lower ones ("instead")."""

    @property
    def is_working(self) -> bool:
        """Whether the last choice of every level succeeded."""
        return all(one.failure_code is None for one in self._conditions.values())

    async def prepare(self, level: str) -> None:
        """Start a worker before a player waits for it, if the level needs one."""
        if needs_worker(level):
            try:
                await self._run_in_worker(_load_level_tables, level)
            except Exception as error:
                self._note_failure(level, error)

    async def decide(self, level: str, seed: int, seen: View) -> Decision:
        """Return the decision of a level, or of the next lower level that can choose, or a random one."""
        for one in reversed(LEVELS[: LEVELS.index(level) + 1]):
            try:
                thought = await self.choose_at(one, seed, seen)
                if is_forced(one, seen):
                    return thought
                if not allows(seen, thought.action):
                    raise IllegalChoice(thought.action)
            except Exception as error:
                self._note_failure(one, error)
                continue
            self._health_of_level(one).note_success()
            self.decision_counts["own" if one == level else "instead"] += 1
            return thought._replace(level=one)
        self.decision_counts["instead"] += 1
        return Decision(random.choice(choices(seen)), None, LEVELS[0])

    def _note_failure(self, level: str, error: Exception) -> None:
        is_expected = isinstance(error, NoWorker)
        code = "no-processes" if is_expected else type(error).__name__
        self._health_of_level(level).note_failure(
            code, error.__cause__ if is_expected else error, is_bug=not is_expected
        )

    def _health_of_level(self, level: str) -> Health:
        if level not in self._conditions:
            where = " in processes of its own" if needs_worker(level) else ""
            self._conditions[level] = Health(f"thinking as {level}{where}", self._clock)
        return self._conditions[level]

    async def choose_at(self, level: str, seed: int, seen: View) -> Decision:
        """Return the decision of a level. Raise NoWorker, or any error of the level."""
        if not needs_worker(level):
            return choose(level, seed, seen)
        if is_forced(level, seen):
            return Decision(choices(seen)[0], None)
        action, damaged = await self._run_in_worker(_choose_in_worker, level, seed, to_json(seen))
        return Decision(from_json(action, SeatAction), damaged)  # type: ignore[arg-type]

    async def _run_in_worker(self, work: Callable[..., T], *arguments: Any) -> T:
        """Return the result of a job. Raise NoWorker, at once if a start has failed recently."""
        asked_at = self._clock()
        if asked_at < self._retry_at:
            raise NoWorker
        try:
            try:
                result = await self._submit_to_pool(work, *arguments)
            except WorkerLost:
                # The worker was killed: another takes its place.
                result = await self._submit_to_pool(work, *arguments)
        except PoolFull as error:
            raise NoWorker from error
        except (WorkerLost, TimeoutError, OSError) as error:
            # If only one worker hangs, it is replaced, and the others can be asked.
            if not isinstance(error, TimeoutError) or self._last_result_at < asked_at:
                self._delay_retry()
            raise NoWorker from error
        self._last_result_at, self._retry_delay = self._clock(), 0.0
        return result

    async def _submit_to_pool(self, work: Callable[..., T], *arguments: Any) -> T:
        try:
            return await asyncio.wrap_future(self.pool.submit(work, *arguments))
        except (WorkerLost, RuntimeError):
            if self._is_closed:
                # Otherwise a lower level would choose.
                raise asyncio.CancelledError from None
            raise

    def _delay_retry(self) -> None:
        """Ask no worker for a while. If many jobs fail at once, only the first doubles the delay."""
        if (now := self._clock()) >= self._retry_at:
            delay = max(2 * self._retry_delay, WORKER_RETRY_SECONDS)
            self._retry_delay = min(delay, MAX_WORKER_RETRY_SECONDS)
            self._retry_at = now + self._retry_delay

    async def close(self) -> None:
        self._is_closed = True
        await asyncio.to_thread(self.programs.close)
        await asyncio.to_thread(self.pool.kill)
