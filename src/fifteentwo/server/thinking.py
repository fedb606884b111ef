"""Where the computers think, and when they answer.

A level that needs a fraction of a millisecond thinks on the spot. The others, with the solved tables they
hold, think in a few processes that all tables share: a View goes there, an action comes back, nothing else.

How long a computer thinks would tell what it holds: a forced card takes no time, a choice does. So it answers
after a time that is drawn without regard to the cards, by what everyone sees: its level, the form, the phase.
A thought that takes longer waits for the next such time.
"""

import asyncio
import os
import random
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from fifteentwo.analysis.compiling_aside import may_wait, never_wait
from fifteentwo.players import Player, player
from fifteentwo.processes import Workers
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.record import from_json, to_json
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Form
from fifteentwo.rules.view import View, choices

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
LAYING_AWAY = Delay(0.15, 0.35)
"""Nine of ten thoughts took less, measured on a busy machine: under 4 ms of all that think on the spot; 20 ms
a card and 160 ms laying away at `master`."""


def is_costly(level: str, form: Form) -> bool:
    """Whether a level thinks in processes of its own."""
    return level == "master" or (level == "expert" and form is not Form.SIX_CARD)


def delay_of(level: str, seen: View) -> Delay:
    """How long a computer takes for its answer, by what everyone sees."""
    if not is_costly(level, seen.rules.form):
        return QUICK
    return LAYING_AWAY if seen.phase is Phase.LAY_AWAY else LONG


def answers_at(began: float, thought: float, delay: Delay) -> float:
    """When a computer answers that was asked at one time and had thought at another: the first drawn time."""
    due = began + delay.drawn()
    while due < thought and delay.most > 0:
        due += delay.drawn()
    return due


class Thought(NamedTuple):
    """What a computer wants to do, and the solved table it misses, if it plays below its level."""

    action: SeatAction
    damaged: str | None


def think(level: str, seed: int, seen: View) -> Thought:
    """What a level does, a function of its seed and the View."""
    mind = _mind(level, seed)
    action = mind.act(seen)
    damaged = getattr(mind, "trouble", None)
    return Thought(action, None if damaged is None else damaged.name)


@lru_cache(1024)
def _mind(level: str, seed: int) -> Player:
    return player(level, seed)


def _think_there(level: str, seed: int, seen: bytes, hurry: bool) -> tuple[bytes, str | None]:
    """`think` in a process of its own, values as JSON. hurry: nobody waits for compiling."""
    if hurry:
        never_wait()
    told = think(level, seed, from_json(seen, View))
    return to_json(told.action), told.damaged


def _load(level: str, hurry: bool) -> None:
    if hurry:
        never_wait()
    player(level, 0)


class Thinking:
    """The processes in which computers think; they start when first needed and end with `close`."""

    def __init__(self, share: int = 1) -> None:
        """share: how many programs share this machine's cores."""
        self._workers: Workers | None = None
        self._is_closed = False
        self._processes = min(MOST_PROCESSES, max(1, (os.cpu_count() or 2) // share))

    async def prepare(self, level: str, form: Form) -> None:
        """Have a process ready before somebody waits for it, if the level needs one."""
        if is_costly(level, form):
            await self._there(_load, level, not may_wait())

    async def thought(self, level: str, seed: int, seen: View) -> Thought:
        """What a level wants to do; any exception is its own."""
        if not is_costly(level, seen.rules.form):
            return think(level, seed, seen)
        if len(only := choices(seen)) == 1:
            # Nothing to think about, so no process is asked.
            return Thought(only[0], None)  # type: ignore[arg-type]
        arguments = (level, seed, to_json(seen), not may_wait())
        try:
            action, damaged = await self._there(_think_there, *arguments)
        except BrokenProcessPool:
            # One of them was killed: others take its place, and the thought is thought once more.
            self._workers = None
            action, damaged = await self._there(_think_there, *arguments)
        return Thought(from_json(action, SeatAction), damaged)  # type: ignore[arg-type]

    async def _there(self, work: Callable[..., T], *given: Any) -> T:
        if self._is_closed:
            raise asyncio.CancelledError
        if self._workers is None:
            self._workers = Workers(self._processes, giving_way=True)
        try:
            # Handing work over may start a process, which takes a while.
            return await asyncio.wrap_future(await asyncio.to_thread(self._workers.submit, work, *given))
        except RuntimeError:
            if self._is_closed:
                # Or a computer that lost its process to `close` would play just anything.
                raise asyncio.CancelledError from None
            raise

    async def close(self) -> None:
        """End the processes, whatever they are at."""
        self._is_closed = True
        if self._workers is not None:
            workers, self._workers = self._workers, None
            await asyncio.to_thread(workers.end)
