"""Programs that hang, crash, send too much or lie lose the game; their processes end, and play continues."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fifteentwo as ft
from fifteentwo.contest.arena import Running, arena
from fifteentwo.contest.table import Table
from fifteentwo.engines.engine import Program, engine, program
from fifteentwo.players import EngineError
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.variants import rules_for
from tests.support.marked import MARK, POSSIBLE, marked, until_gone

RUDE = Path(__file__).with_name("rude.py")
CODES = dict.fromkeys(("hang", "hang-with-child", "flood-lines", "flood-errors"), "time")
CODES |= dict.fromkeys(("lie", "not-json", "not-utf8", "deep", "forfeit"), "not-readable")
CODES |= {"crash": "crash", "vanish": "crash", "flood": "flood", "illegal": "illegal", "error": "refused"}
CODES |= {"other-seat": "other-seat", "twice": "unasked", "hello-again": "unasked"}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="engines need process groups")


def rude(manner: str, after: int = 3, seconds: float = 1.0) -> Program:
    return program([sys.executable, str(RUDE), manner, str(after)], time=seconds, name=f"does {manner}")


def loses(manner: str, games: int, mark: str) -> None:
    # A busy machine must not turn another fault into a loss on time.
    seconds = 1.0 if CODES[manner] == "time" else 30.0
    result = arena(rude(manner, seconds=seconds), "greedy", games, 1)
    assert result["wins"] == [0, games]
    (failure,) = result["failures"]
    assert (failure["player"], failure["code"]) == (f"does {manner}", CODES[manner])
    assert (failure["games"], failure["first"], failure["place"]) == (games, 1, 0)
    assert failure["detail"].isprintable()
    assert len(failure["detail"]) < 600
    if POSSIBLE:
        assert not until_gone(mark)


@pytest.mark.parametrize(
    ("manners", "games"),
    [
        (("hang-with-child", "crash", "flood", "illegal"), 2),
        pytest.param(tuple(CODES), 4, marks=pytest.mark.long),
    ],
    ids=["some", "all"],
)
def test_a_rude_program_loses_and_leaves_no_process(
    manners: tuple[str, ...], games: int, subtests: pytest.Subtests, mark: str
) -> None:
    for manner in manners:
        with subtests.test(manner=manner):
            loses(manner, games, mark)


@pytest.mark.long
@pytest.mark.usefixtures("mark")
def test_a_slow_program_within_its_time_plays_on_and_beyond_it_loses() -> None:
    within = arena(rude("slow", seconds=10), "greedy", 4, 1)
    assert within["failures"] == []
    assert within["wins"] == [2, 2]
    beyond = arena(rude("slow", seconds=0.03), "greedy", 4, 1)
    assert beyond["wins"] == [0, 4]
    assert beyond["failures"][0]["code"] == "time"


@pytest.mark.usefixtures("mark")
def test_a_program_that_starts_slowly_has_time_for_it() -> None:
    result = arena(rude("slow-start", seconds=0.25), "greedy", 2, 1)
    assert (result["wins"], result["failures"]) == ([1, 1], [])


@pytest.mark.usefixtures("mark")
def test_a_program_that_never_starts_is_waited_for_once(tmp_path: Path) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text("import time\ntime.sleep(600)\n")
    view = ft.view(Table(rules_for("six-card"), seeded(1)).state, 0)
    with engine([sys.executable, str(silent)], time=0.05, start=0.1) as player:
        for seconds in ("0.1", "0.05", "0.05"):
            with pytest.raises(EngineError) as failed:
                player.act(view)
            assert (failed.value.code, failed.value.detail) == ("time", seconds)


@pytest.mark.usefixtures("mark")
def test_a_failing_programs_game_is_won_by_another_player() -> None:
    result = arena(rude("vanish", 0), "greedy", 2, 1, variant="three-handed")
    assert result["wins"] == [0, 2]


@pytest.mark.usefixtures("mark")
def test_a_failure_says_what_the_program_wrote_last() -> None:
    (failure,) = arena(rude("crash"), "greedy", 2, 1)["failures"]
    assert failure["detail"] == "1: RuntimeError: out of  [31mluck"


@pytest.mark.long
def test_an_arena_that_is_killed_leaves_no_program(mark: str) -> None:
    command = f"{sys.executable} {RUDE} hang-with-child 3"
    words = ["arena", command, command, "--games", "200", "--time", "60", "--jobs", "2"]
    for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
        running = subprocess.Popen(
            [sys.executable, "-m", "fifteentwo", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, MARK: mark},
        )
        ends = time.monotonic() + 60
        while len(marked(mark)) < 6 and time.monotonic() < ends:
            time.sleep(0.02)
        assert len(marked(mark)) >= 6
        running.send_signal(number)
        running.wait(20)
        assert not until_gone(mark)


@pytest.mark.long
@pytest.mark.usefixtures("mark")
def test_an_arena_of_rude_programs_is_the_same_in_several_processes() -> None:
    alone = arena(rude("illegal"), rude("vanish"), 4, 1)
    assert arena(rude("illegal"), rude("vanish"), 4, 1, running=Running(jobs=2)) == alone
    assert json.loads(json.dumps(alone)) == alone
    assert sum(failure["games"] for failure in alone["failures"]) == 4
