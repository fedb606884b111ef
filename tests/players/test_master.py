"""`master` looks through the play, and decides the same and quickly with compiled loops or without."""

import json
import os
import subprocess
import sys
import threading
import time
from functools import cache
from queue import Queue
from typing import Any, NamedTuple

import pytest
from tests.analysis.test_look_ahead import at_score, watched

from fifteentwo.analysis import compiling_aside
from fifteentwo.analysis.pegging import endgame, look_ahead
from fifteentwo.fast.compiled import has_numba
from fifteentwo.players import player
from fifteentwo.players.master import _is_small
from fifteentwo.rules.actions import Play
from fifteentwo.rules.view import View

GAMES = 6
DECIDING = """
import json, sys, time
from fifteentwo.analysis.pegging import endgame, look_ahead
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import player
from fifteentwo.players.master import _is_small
from fifteentwo.rules.variants import rules_for

taken = []

class Timed:
    def __init__(self, inner):
        self.inner = inner
    def act(self, view):
        began = time.process_time()
        action = self.inner.act(view)
        taken.append((time.process_time() - began, repr(action)))
        return action

look_ahead.prepare()
if look_ahead.at_hand():
    endgame.prepare()
for game in range(-1, int(sys.argv[1])):
    if game == 0:
        taken.clear()
    table = Table(rules_for("six-card", first_dealer="named"), seeded(f"pace/{game}"))
    table.adopt(table.name_dealer(game % 2))
    play_out(table, [Timed(player("master", 1)), player("greedy", 2)])
print(json.dumps(taken))
"""


class Decided(NamedTuple):
    """One decision of `master`."""

    seconds: float
    """Of processor time."""
    action: str


@cache
def decisions(numba: str) -> list[Decided]:
    """Every decision of some games, the first game left out: it unpacks the tables."""
    done = subprocess.run(
        [sys.executable, "-c", DECIDING, str(GAMES)],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "FIFTEENTWO_NUMBA": numba},
    )
    return [Decided(*decided) for decided in json.loads(done.stdout)]


def seconds(numba: str) -> list[float]:
    return sorted(decided.seconds for decided in decisions(numba))


@pytest.mark.timed
@pytest.mark.parametrize("numba", ["off", ""])
def test_ninety_nine_of_a_hundred_decisions_take_at_most_a_second(numba: str) -> None:
    """Of processor time, and without the first game: it reads tables."""
    taken = seconds(numba)
    assert len(taken) > 20 * GAMES
    assert taken[len(taken) * 99 // 100] <= 1.0


@pytest.mark.timed
def test_without_numba_too_every_decision_takes_at_most_a_second() -> None:
    assert seconds("off")[-1] <= 1.0


@pytest.mark.timed
def test_with_and_without_numba_every_decision_of_whole_games_is_the_same() -> None:
    off, on = ([decided.action for decided in decisions(numba)] for numba in ("off", ""))
    assert off == on


@pytest.mark.skipif(not has_numba(), reason="nothing to compare with")
def test_as_arrays_every_play_is_the_same_leads_near_the_end_among_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leads = [view for view in watched("expert") if not view.played]
    views = [*watched("expert")[::3], *[at_score(view, 112) for view in leads[:6]]]
    assert sum(not view.played for view in views) > 8
    assert any(_is_small(view) for view in views)
    plays = [player("master", 3).act(view) for view in views]
    for analysis in (look_ahead, endgame):
        monkeypatch.setattr(analysis, "at_hand", lambda: False)
    assert [player("master", 3).act(view) for view in views] == plays


def test_the_card_laid_is_the_best_against_what_is_believed() -> None:
    master = player("master", 3)
    compared = 0
    for view in watched("expert"):
        fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
        if not view.played or len(fits) < 2 or _is_small(view):
            continue
        action = master.act(view)
        assert isinstance(action, Play)
        worth = look_ahead.Answers(view, look_ahead.PEOPLE).chances(games=view.rules.skunk)
        assert worth[action.card.index >> 2] == max(worth.values())
        compared += 1
    assert compared > 10


def test_where_people_wait_nothing_is_compiled_before_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: Queue[bool] = Queue()
    go_on = threading.Event()

    def prepare() -> None:
        begun.put(True)
        assert go_on.wait(60)

    monkeypatch.setattr(compiling_aside, "may_wait", lambda: False)
    monkeypatch.setattr(compiling_aside, "has_numba", lambda: True)
    # The process aside ends at once: it is told to run a module that does nothing.
    monkeypatch.setattr(look_ahead, "aside", compiling_aside.Aside("this", prepare))
    assert not look_ahead.at_hand()
    assert not look_ahead.at_hand()
    assert begun.get(timeout=60)
    view = next(view for view in watched("club") if len(view.played) > 1)
    assert isinstance(player("master", 3).act(view), Play)
    go_on.set()
    until = time.monotonic() + 60
    while not look_ahead.at_hand() and time.monotonic() < until:
        time.sleep(0.01)
    assert look_ahead.at_hand()
    assert begun.empty()


def test_near_the_end_the_last_cards_are_solved_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[View] = []
    inner = endgame.resolved

    def watching(reckoned: look_ahead.Answers, **how: Any) -> endgame.Solution:
        asked.append(reckoned.view)
        return inner(reckoned, **how)

    monkeypatch.setattr(endgame, "resolved", watching)
    master = player("master", 3)
    small = []
    for view in watched("expert"):
        fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
        if _is_small(view) and len(fits) > 1:
            small.append(view)
    for view in small:
        action = master.act(view)
        assert isinstance(action, Play)
        assert action.card in view.hand
    assert asked == small
    assert small
