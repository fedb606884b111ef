"""Where the computers think, and when they answer.

A level that needs a fraction of a millisecond thinks on the spot. The others, with the solved tables they
hold, think in a few processes that all tables share: a View goes there, an action comes back, nothing else.

How long a computer thinks would reveal its cards: a forced card takes no time, a choice does. So it answers
after a time that is drawn without regard to the cards, by what everyone sees: its level and phase.
A thought that takes longer waits for the next such time.

Where a level cannot think, the next lower one that can decides, for this once; the log shows it.
"""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from fifteentwo.analysis.background_compilation import may_wait, never_wait
from fifteentwo.engines.programs import Programs
from fifteentwo.players import LEVELS, Player, player
from fifteentwo.processes import Workers
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View, allows, choices
from fifteentwo.server.health import Condition

T = TypeVar("T")

MOST_PROCESSES = 4
"""A core each, up to these; of a core that the tables want they get what is left."""


class Delay(NamedTuple):
    """Seconds after which a computer answers: any between these, each as likely."""

    least: float
    most: float

    def drawn(self) -> float:
        """One of them."""
        return random.uniform(self.least, self.most)


QUICK = Delay(0.02, 0.05)
LONG = Delay(0.04, 0.12)
DISCARDING = Delay(0.15, 0.35)
"""Nine of ten thoughts took less, measured on a busy machine: under 4 ms of all that think on the spot; 20 ms
a card and 160 ms a discard at `master`."""


def is_costly(level: str) -> bool:
    """Whether a level thinks in processes of its own."""
    return level in ("expert", "master")


def is_forced(level: str, seen: View) -> bool:
    """Whether there is but one thing to do, so that a level with processes of its own asks none."""
    return is_costly(level) and len(choices(seen)) == 1


def delay_of(level: str, seen: View) -> Delay:
    """How long a computer takes for its answer, by what everyone sees."""
    if not is_costly(level):
        return QUICK
    return DISCARDING if seen.phase is Phase.DISCARD else LONG


def answers_at(began: float, thought: float, delay: Delay) -> float:
    """When a computer answers that was asked at one time and had thought at another: the first drawn time."""
    due = began + delay.drawn()
    while due < thought and delay.most > 0:
        due += delay.drawn()
    return due


LONGEST = 60.0
"""Seconds after which a process that has not answered is given up; a hundred times what any answer took."""
STARTS_AGAIN = 1.0, 30.0
"""Seconds until processes that could not be started are tried again: at first, and at most."""


class Thought(NamedTuple):
    """What a computer wants to do, and the solved table it misses, if it plays below its level."""

    action: SeatAction
    damaged: str | None
    by: str | None = None
    """The level that decided: a lower one where the own could not think; None: there was no choice."""


class NoProcesses(Exception):
    """The processes in which computers think cannot be started, or do not answer."""


class NotAllowed(Exception):
    """A level wants what may not be done."""


def think(level: str, seed: int, seen: View) -> Thought:
    """What a level does, a function of its seed and the View."""
    own = _player(level, seed)
    action = own.act(seen)
    damaged = getattr(own, "trouble", None)
    return Thought(action, None if damaged is None else damaged.name)


@lru_cache(1024)
def _player(level: str, seed: int) -> Player:
    return player(level, seed)


def _think_there(level: str, seed: int, seen: bytes, hurry: bool) -> tuple[bytes, str | None]:
    """`think` in a process of its own, values as JSON. hurry: do not wait for compiling."""
    if hurry:
        never_wait()
    thought = think(level, seed, from_json(seen, View))
    return to_json(thought.action), thought.damaged


def _load(level: str, hurry: bool) -> None:
    if hurry:
        never_wait()
    player(level, 0)


class Thinking:
    """The processes in which computers think; they start when first needed and end with `close`."""

    def __init__(
        self,
        share: int = 1,
        clock: Callable[[], float] = time.monotonic,
        programs: Programs | None = None,
    ) -> None:
        """share: how many servers share this machine's cores; programs: opponents next to the levels."""
        self.programs = programs or Programs()
        self._clock = clock
        self._workers: Workers | None = None
        self._is_closed = False
        self._processes = min(MOST_PROCESSES, max(1, (os.cpu_count() or 2) // share))
        self._answered_at = 0.0
        self._starts_at, self._pause = 0.0, 0.0
        self._conditions: dict[str, Condition] = {}
        self.decided: Counter[str] = Counter()
        """How many decisions the computer's `own` level made, and how many one that stood in, `instead`."""

    @property
    def works(self) -> bool:
        """Whether every level that was asked lately could think."""
        return all(one.why is None for one in self._conditions.values())

    async def prepare(self, level: str) -> None:
        """Start a process before a player waits for it, if the level needs one."""
        if is_costly(level):
            try:
                await self._in_a_process(_load, level, not may_wait())
            except Exception as error:
                self._fails(level, error)

    async def decide(self, level: str, seed: int, seen: View) -> Thought:
        """Return what a level does; where it cannot think, what the next lower one that can does.

        Where no level can think at all, the choice is drawn by lot, so that the table does not wait for ever.
        """
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
        foreseen = isinstance(error, NoProcesses)
        code = "no-processes" if foreseen else type(error).__name__
        self._condition(level).fails(code, error.__cause__ if foreseen else error, trace=not foreseen)

    def _condition(self, level: str) -> Condition:
        if level not in self._conditions:
            where = " in processes of its own" if is_costly(level) else ""
            self._conditions[level] = Condition(f"thinking as {level}{where}", self._clock)
        return self._conditions[level]

    async def thought(self, level: str, seed: int, seen: View) -> Thought:
        """What a level wants to do; any exception is its own."""
        if not is_costly(level):
            return think(level, seed, seen)
        if is_forced(level, seen):
            # Nothing to think about, so no process is asked.
            return Thought(choices(seen)[0], None)
        arguments = (level, seed, to_json(seen), not may_wait())
        action, damaged = await self._in_a_process(_think_there, *arguments)
        return Thought(from_json(action, SeatAction), damaged)  # type: ignore[arg-type]

    async def _in_a_process(self, work: Callable[..., T], *given: Any) -> T:
        """Return the result of the work; NoProcesses where no process does it, at once for a while after."""
        if self._clock() < self._starts_at:
            raise NoProcesses
        try:
            try:
                done = await self._in_time(work, *given)
            except BrokenProcessPool:
                # One of them was killed: others take its place, and the thought is thought once more.
                done = await self._in_time(work, *given)
        except (BrokenProcessPool, TimeoutError, OSError) as error:
            # Of many that fail at once the first decides when it is tried again.
            if (now := self._clock()) >= self._starts_at:
                self._pause = min(max(2 * self._pause, STARTS_AGAIN[0]), STARTS_AGAIN[1])
                self._starts_at = now + self._pause
            raise NoProcesses from error
        self._pause = 0.0
        return done

    async def _in_time(self, work: Callable[..., T], *given: Any) -> T:
        """As `_there`; a pool that broke, or in which nothing was done for very long, is ended."""
        asked_at, before = self._clock(), self._workers
        try:
            async with asyncio.timeout(LONGEST):
                done = await self._there(work, *given)
        except (BrokenProcessPool, TimeoutError) as error:
            workers = self._workers
            hangs = isinstance(error, TimeoutError) and self._answered_at < asked_at
            is_same = before is None or before is workers
            if workers is not None and (workers.is_broken or (hangs and is_same)):
                self._workers = None
                await asyncio.to_thread(workers.end)
            raise
        self._answered_at = self._clock()
        return done

    async def _there(self, work: Callable[..., T], *given: Any) -> T:
        if self._is_closed:
            raise asyncio.CancelledError
        workers = self._workers = self._workers or Workers(self._processes, giving_way=True)
        try:
            # Handing work over may start a process, which takes a while.
            return await asyncio.wrap_future(await asyncio.to_thread(workers.submit, work, *given))
        except RuntimeError:
            if self._is_closed:
                # Or a computer that lost its process to `close` would play below its level.
                raise asyncio.CancelledError from None
            if workers is not self._workers:
                raise BrokenProcessPool from None
            raise

    async def close(self) -> None:
        """End the processes, whatever they are at."""
        self._is_closed = True
        await asyncio.to_thread(self.programs.close)
        if self._workers is not None:
            workers, self._workers = self._workers, None
            await asyncio.to_thread(workers.end)
