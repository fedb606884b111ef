"""The time of a computer's answer reveals nothing of its cards; costly levels choose in worker processes."""

import asyncio
import itertools
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from fifteentwo.players import LEVELS, player
from fifteentwo.processes import WorkerPool
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, choices
from fifteentwo.server.live import computers as computing
from fifteentwo.server.live import thinking
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.thinking import Decision, Delay, Thinking, answer_time, delay_of, make_worker_pool
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, StoredTable
from tests.support.views import asked

VIEWS = asked("six-card", 3)
QUICK = thinking.QUICK_LEVEL_DELAY
"""The delay as installed; in servers for tests computers answer at once."""


def test_answer_times_do_not_depend_on_the_hand(subtests: pytest.Subtests) -> None:
    for variant, level in itertools.product(["six-card", "three-handed"], LEVELS):
        with subtests.test(variant=variant, level=level):
            rng = random.Random(variant)
            for seen in asked(variant, 4):
                hidden = [card for card in DECK if card not in {played for _, played in seen.played}]
                other = msgspec.structs.replace(
                    seen, hand=tuple(rng.sample(hidden, len(seen.hand))), kept=(), discarded=()
                )
                assert delay_of(level, other) == delay_of(level, seen)


def answered_after(thought: float) -> list[float]:
    """Return the seconds of many answers for a time of choosing; only choosing and waiting move the clock."""
    now, waited = [100.0], list[float]()

    class Slow(Thinking):
        async def thought(self, _level: str, _seed: int, seen: View) -> Decision:
            now[0] += thought
            return Decision(cast("Any", choices(seen)[0]), None)

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
        stored = StoredTable(id="a", rules_json=rules, options_json=options, people=people, rows=())
        table = LiveTable(store, stored, (computers,))
        table.ledger.add(proposals.new_game(table.ledger, bytes(32)))
        asyncio.get_running_loop().time = lambda: now[0]  # type: ignore[method-assign]
        for seen in VIEWS:
            began = now[0]
            await computers._choose_and_wait(table, seen.seat, seen)
            waited.append(round(now[0] - began, 9))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "sleep", sleep)
        patch.setattr(thinking, "random", random.Random(5))
        asyncio.run(work())
    return waited


def test_answer_times_are_equal_for_forced_cards_and_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computing, "computer_seed", lambda *_: 1)
    monkeypatch.setattr(thinking, "QUICK_LEVEL_DELAY", QUICK)
    at_once, thoughtful = answered_after(0.0), answered_after(QUICK.min_seconds)
    assert thoughtful == at_once
    assert all(QUICK.min_seconds <= one <= QUICK.max_seconds for one in at_once)
    assert len(set(at_once)) > len(at_once) / 2, "no two need be alike"


def test_slow_choice_waits_for_the_end_of_another_delay() -> None:
    delay = Delay(1.0, 2.0)
    for thought in (0.0, 0.9, 2.5, 7.7):
        random.seed(6)
        draws = [delay.random_seconds() for _ in range(20)]
        random.seed(6)
        due = answer_time(0.0, thought, delay)
        sums = [sum(draws[: place + 1]) for place in range(20)]
        assert due == pytest.approx(min(one for one in sums if one >= thought))


def test_a_forced_choice_asks_no_worker() -> None:
    forced = [seen for seen in VIEWS if len(choices(seen)) == 1]
    assert len(forced) > 5

    async def thoughts() -> list[Decision]:
        there = Thinking()
        await there.close()
        with pytest.raises(asyncio.CancelledError):
            await there.choose_at("master", 7, next(seen for seen in VIEWS if len(choices(seen)) > 1))
        return [await there.choose_at("master", 7, seen) for seen in forced]

    master = player("master", 7)
    assert asyncio.run(thoughts()) == [Decision(master.act(seen), None) for seen in forced]


@pytest.mark.long
def test_master_chooses_in_a_worker_and_chooses_the_same() -> None:
    """Run in a separate program, whose memory must not have the tables of a master."""
    views = [seen for seen in VIEWS if len(choices(seen)) > 1 and seen.phase.value == "play"][:3]
    code = (
        "import asyncio, sys\n"
        "from fifteentwo.rules.record import from_json, to_json\n"
        "from fifteentwo.rules.view import View\n"
        "from fifteentwo.server.live import thinking\n"
        "thinking.JOB_TIMEOUT_SECONDS = 250.0\n"
        "async def work():\n"
        "    there = thinking.Thinking()\n"
        "    for text in sys.argv[1:]:\n"
        "        thought = await there.choose_at('master', 7, from_json(text, View))\n"
        "        print(to_json(thought.action).decode())\n"
        "    await there.close()\n"
        "asyncio.run(work())\n"
        "print([name for name in sys.modules if name.startswith(('fifteentwo.book.', 'numba'))])\n"
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


def wait_until_gone(pid: int) -> None:
    ends = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_closing_ends_jobs_in_any_state(subtests: pytest.Subtests) -> None:
    for begun in [0, 0.0005, 0.005, 0.2]:
        with subtests.test(begun=begun):

            async def work(begun: float) -> None:
                there = Thinking(make_worker_pool(2))
                waiting = [asyncio.create_task(there._run_in_worker(time.sleep, 600)) for _ in range(3)]
                await asyncio.sleep(begun)
                async with asyncio.timeout(300):
                    await there.close()
                results = await asyncio.gather(*waiting, return_exceptions=True)
                assert all(isinstance(one, asyncio.CancelledError) for one in results), results
                with pytest.raises(asyncio.CancelledError):
                    await there.choose_at("master", 1, VIEWS[0])

            asyncio.run(work(begun))


SEEN = next(one for one in VIEWS if one.phase.value == "play" and len(choices(one)) > 1)


@pytest.mark.usefixtures("club_in_workers")
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
async def test_a_killed_worker_is_replaced_and_the_choice_is_the_same() -> None:
    there = Thinking(make_worker_pool(1))
    before = await there.choose_at("club", 7, SEEN)
    pid = await there._run_in_worker(os.getpid)
    os.kill(pid, signal.SIGKILL)
    assert await there.choose_at("club", 7, SEEN) == before
    assert await there._run_in_worker(os.getpid) != pid
    await there.close()


@pytest.mark.long
@pytest.mark.usefixtures("club_in_workers")
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no SIGSTOP here")
async def test_hung_worker_is_replaced_and_a_lower_level_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = make_worker_pool(2)
    there = Thinking(pool)
    first, second = await asyncio.gather(*(there._run_in_worker(slow_pid) for _ in range(2)))
    await asyncio.gather(*(there.choose_at("club", 7, SEEN) for _ in range(2)))
    stopped = await there._run_in_worker(os.getpid)
    os.kill(stopped, signal.SIGSTOP)
    monkeypatch.setattr(pool, "_timeout", 3.0)
    late = asyncio.create_task(there.decide("club", 7, SEEN))
    await asyncio.sleep(0)
    # The other worker still chooses, so no lower level does.
    assert await there._run_in_worker(os.getpid) == ({first, second} - {stopped}).pop()
    monkeypatch.setattr(pool, "_timeout", 60.0)
    assert (await there.decide("club", 7, SEEN)).level == "club"
    assert (await late).level == "casual"
    wait_until_gone(stopped)
    assert (await there.decide("club", 7, SEEN)).level == "club"
    await there.close()


def slow_pid() -> int:
    """Return the process id of a worker that leaves the next job to another worker."""
    time.sleep(0.5)
    return os.getpid()


async def test_a_full_queue_leaves_the_choice_to_a_lower_level() -> None:
    there = Thinking(WorkerPool(1, max_waiting=0))
    waiting = asyncio.create_task(there._run_in_worker(time.sleep, 600))
    await asyncio.sleep(0)
    assert (await there.decide("master", 7, SEEN)).level == "club"
    await there.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting
