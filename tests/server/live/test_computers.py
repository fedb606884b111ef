"""If a level cannot choose, the next lower level that can chooses; log and table show this."""

import logging
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.players import player
from fifteentwo.processes import WorkerLost
from fifteentwo.rules.view import View, choices
from fifteentwo.server import health
from fifteentwo.server.live import thinking
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.thinking import Thinking
from tests.support.clocked_tables import Now
from tests.support.live_server import Page, serving
from tests.support.views import asked

SIX = [seen for seen in asked("six-card", 3) if len(choices(seen)) > 1]
THREE = [seen for seen in asked("three-handed", 3) if len(choices(seen)) > 1]


def raising(error: Exception) -> Callable[..., Any]:
    async def there(*_: object) -> None:
        raise error

    return there


FAILURES = [
    WorkerLost(),
    ZeroDivisionError("a fault"),
    *(pytest.param(one, marks=pytest.mark.long) for one in (OSError("no more processes"), TimeoutError())),
]


@pytest.mark.usefixtures("club_in_workers")
@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
async def test_next_lower_level_decides_until_the_own_level_works_again(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now, level, lower, seen = Now(), "club", "casual", SIX[0]
    there = Thinking(clock=now)
    with monkeypatch.context() as broken:
        broken.setattr(there, "_submit_to_pool", raising(error))
        for _ in range(30):
            thought = await there.decide(level, 7, seen)
            assert (thought.level, thought.action) == (lower, player(lower, 7).act(seen))
            now.seconds += 0.01
        assert not there.is_working
        assert there.decision_counts == {"instead": 30}
    failed = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert len({one.getMessage().split(" fails")[0] for one in failed}) == len(failed), "one line each"
    assert type(error).__name__ in caplog.text or "no-processes" in caplog.text
    # The pool is tried again after the delay.
    now.seconds += max(health.RECOVERY_SECONDS, thinking.MAX_WORKER_RETRY_SECONDS)
    assert (await there.decide(level, 7, seen)).level == level
    assert f"thinking as {level} in processes of its own works again" in caplog.text
    await there.close()


async def test_club_decides_if_a_higher_level_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Thinking()
    monkeypatch.setattr(there, "_submit_to_pool", raising(WorkerLost()))
    for level, seen in (("master", SIX[0]), ("master", THREE[0]), ("expert", THREE[0])):
        thought = await there.decide(level, 7, seen)
        assert (thought.level, thought.action) == ("club", player("club", 7).act(seen))


async def test_failed_worker_starts_are_retried_with_growing_delay() -> None:
    now, tries = Now(), list[float]()
    there = Thinking(clock=now)

    async def fails(*_: object) -> None:
        tries.append(now.seconds)
        raise OSError("no more processes")

    there._submit_to_pool = fails  # type: ignore[method-assign,assignment]
    for _ in range(2000):
        await there.decide("master", 7, SIX[0])
        now.seconds += 0.1
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert pauses == sorted(pauses)
    assert pauses[0] < 1.5
    assert 29 < pauses[-1] < 31


async def test_choice_is_random_if_no_level_can_choose(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(thinking, "choose", broken)
    drawn = [await Thinking().decide("club", seed, SIX[0]) for seed in range(40)]
    assert {thought.level for thought in drawn} == {"random"}
    assert all(thought.action in choices(SIX[0]) for thought in drawn)
    assert len({str(thought.action) for thought in drawn}) > 5, "not the first each time"
    assert "thinking as club fails: ZeroDivisionError" in caplog.text


def trouble(page: Page) -> Any:
    return page.settled["fallbacks"]


@pytest.mark.long
@pytest.mark.usefixtures("club_in_workers")
def test_table_shows_a_fallback_level_while_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MAX_WORKER_RETRY_SECONDS", 0.0)
    decided: list[tuple[str, str | None]] = []
    own_thought = Computers._choose

    async def noted(self: Computers, table: LiveTable, person: int, level: str, seen: View) -> Any:
        before = dict(self._thinking.decision_counts)
        action = await own_thought(self, table, person, level, seen)
        how = [
            kind for kind, number in self._thinking.decision_counts.items() if number != before.get(kind, 0)
        ]
        decided.append((level, how[0] if how else None))
        return action

    monkeypatch.setattr(Computers, "_choose", noted)

    def play(page: Page, until: str, shown: list[dict[str, Any]]) -> None:
        """Play until a computer has decided like this and the page shows these fallbacks."""
        decided.clear()
        page.settle()
        while ("club", until) not in decided or trouble(page) != shown:
            assert not page.view["won"]
            page.act(random.Random(1).choice(page.choices))
            page.settle()

    with (
        serving(tmp_path / "games.sqlite3") as live,
        live.person() as aiko,
        aiko.open(aiko.new_game(level_1="club")) as page,
    ):
        play(page, "own", [])
        with monkeypatch.context() as broken:
            broken.setattr(Thinking, "_submit_to_pool", raising(WorkerLost()))
            play(page, "instead", [{"seat": 1, "table": None, "level": "casual"}])
        play(page, "own", [])
