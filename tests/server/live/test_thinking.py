"""When computers answer reveals nothing of what they hold; costly ones think in processes of their own."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from fifteentwo.players import LEVELS, player
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, choices
from fifteentwo.server.live import computers as computing
from fifteentwo.server.live import thinking
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.thinking import Delay, Thinking, Thought, answers_at, delay_of
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, StoredTable
from tests.support.views import asked

VIEWS = asked("six-card", 3)
QUICK = thinking.QUICK
"""As it ships: where a server runs for tests, computers answer at once."""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("variant", ["six-card", "three-handed"])
def test_the_distribution_is_the_same_whatever_is_held(level: str, variant: str) -> None:
    rng = random.Random(variant)
    for seen in asked(variant, 4):
        hidden = [card for card in DECK if card not in {played for _, played in seen.played}]
        other = msgspec.structs.replace(
            seen, hand=tuple(rng.sample(hidden, len(seen.hand))), kept=(), discarded=()
        )
        assert delay_of(level, other) == delay_of(level, seen)


def answered_after(thought: float) -> list[float]:
    """Seconds of many answers, where thinking takes so long; only thinking and waiting move the clock."""
    now, waited = [100.0], list[float]()

    class Slow(Thinking):
        async def thought(self, _level: str, _seed: int, seen: View) -> Thought:
            now[0] += thought
            return Thought(cast("Any", choices(seen)[0]), None)

    waits, running = asyncio.sleep, list[asyncio.AbstractEventLoop]()

    async def sleep(seconds: float) -> None:
        # A server of other tests may run in a thread of this process.
        if asyncio.get_running_loop() not in running:
            return await waits(seconds)
        now[0] += seconds
        return None

    async def work() -> None:
        running.append(asyncio.get_running_loop())
        store = cast("Any", SimpleNamespace(is_shared=False))
        people = (Person(name="", level="club"),) * 2
        rules, options = to_json(rules_for("six-card")).decode(), to_json(Options()).decode()
        computers = Computers(Slow())
        stored = StoredTable(id="a", rules=rules, options=options, people=people, rows=())
        table = LiveTable(store, stored, (computers,))
        table.ledger.add(proposals.new_game(table.ledger, bytes(32)))
        asyncio.get_running_loop().time = lambda: now[0]  # type: ignore[method-assign]
        for seen in VIEWS:
            began = now[0]
            await computers._answer(table, seen.seat, seen)
            waited.append(round(now[0] - began, 9))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "sleep", sleep)
        patch.setattr(thinking, "random", random.Random(5))
        asyncio.run(work())
    return waited


def test_a_forced_card_and_a_choice_are_answered_at_the_same_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computing, "seed_of", lambda *_: 1)
    monkeypatch.setattr(thinking, "QUICK", QUICK)
    at_once, thoughtful = answered_after(0.0), answered_after(QUICK.least)
    assert thoughtful == at_once
    assert all(QUICK.least <= one <= QUICK.most for one in at_once)
    assert len(set(at_once)) > len(at_once) / 2, "no two need be alike"


def test_a_long_thought_waits_for_a_later_time_of_the_same_drawing() -> None:
    delay = Delay(1.0, 2.0)
    for thought in (0.0, 0.9, 2.5, 7.7):
        random.seed(6)
        draws = [delay.drawn() for _ in range(20)]
        random.seed(6)
        due = answers_at(0.0, thought, delay)
        sums = [sum(draws[: place + 1]) for place in range(20)]
        assert due == pytest.approx(min(one for one in sums if one >= thought))


def test_no_process_is_asked_where_there_is_but_one_thing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(thinking, "Workers")
    forced = [seen for seen in VIEWS if len(choices(seen)) == 1]
    assert len(forced) > 5

    async def thoughts() -> list[Thought]:
        there = Thinking()
        with pytest.raises(NameError):
            await there.thought("master", 7, next(seen for seen in VIEWS if len(choices(seen)) > 1))
        return [await there.thought("master", 7, seen) for seen in forced]

    master = player("master", 7)
    assert asyncio.run(thoughts()) == [Thought(master.act(seen), None) for seen in forced]


def test_a_master_thinks_elsewhere_and_wants_the_same() -> None:
    """In a program of its own, whose memory must not hold what a master knows."""
    views = [seen for seen in VIEWS if len(choices(seen)) > 1 and seen.phase.value == "play"][:3]
    code = (
        "import asyncio, sys\n"
        "from fifteentwo.rules.record import from_json, to_json\n"
        "from fifteentwo.rules.view import View\n"
        "from fifteentwo.server.live.thinking import Thinking\n"
        "async def work():\n"
        "    there = Thinking()\n"
        "    for text in sys.argv[1:]:\n"
        "        thought = await there.thought('master', 7, from_json(text, View))\n"
        "        print(to_json(thought.action).decode())\n"
        "    await there.close()\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(work())\n"
        "    print([name for name in sys.modules if name.startswith(('fifteentwo.book.', 'numba'))])\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", code, *[to_json(seen).decode() for seen in views]],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    ).stdout.splitlines()
    master = player("master", 7)
    assert output == [*[to_json(master.act(seen)).decode() for seen in views], "[]"]


def _ten_minutes() -> None:
    time.sleep(600)


@pytest.mark.parametrize("begun", [0, 0.0005, 0.005, 0.2], ids=str)
def test_what_thinks_or_is_about_to_ends_at_once_and_nothing_takes_its_place(begun: float) -> None:
    """A process that was only being started when the others were killed did first what waited for it."""

    async def work() -> None:
        there = Thinking()
        waiting = [asyncio.create_task(there._there(_ten_minutes)) for _ in range(3)]
        await asyncio.sleep(begun)
        async with asyncio.timeout(300):
            await there.close()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in results), results
        with pytest.raises(asyncio.CancelledError):
            await there.thought("master", 1, VIEWS[0])
        assert there._workers is None

    asyncio.run(work())


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
def test_a_process_that_is_killed_is_replaced() -> None:
    seen = next(one for one in VIEWS if one.phase.value == "play")

    async def work() -> None:
        there = Thinking()
        before = await there.thought("master", 7, seen)
        assert there._workers is not None
        for process in list(there._workers._processes.values()):
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
        assert await there.thought("master", 7, seen) == before
        await there.close()

    asyncio.run(work())
