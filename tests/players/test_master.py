"""`master` searches the play to its end, and quickly."""

import json
import subprocess
import sys
from functools import cache
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from fifteentwo.analysis.pegging import endgame, look_ahead
from fifteentwo.players import master as master_module
from fifteentwo.players import player
from fifteentwo.players.master import _is_small
from fifteentwo.rules.actions import Play
from fifteentwo.rules.view import View
from tests.support.pegging_views import pegging_views

GAMES = 6
DECIDING = """
import json, sys, time
from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import player
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
def decisions() -> list[Decided]:
    """Every decision of some games, the first game left out: it unpacks the tables."""
    done = subprocess.run(
        [sys.executable, "-c", DECIDING, str(GAMES)], check=True, capture_output=True, text=True
    )
    return [Decided(*decided) for decided in json.loads(done.stdout)]


@pytest.mark.timed
def test_every_decision_takes_at_most_a_second() -> None:
    """Of processor time, and without the first game: it reads tables."""
    taken = [decided.seconds for decided in decisions()]
    assert len(taken) > 20 * GAMES
    assert max(taken) <= 1.0


@pytest.mark.timed
def test_a_card_takes_forty_milliseconds_on_average() -> None:
    taken = [decided.seconds for decided in decisions() if decided.action.startswith("Play")]
    assert sum(taken) / len(taken) <= 0.04


def test_the_card_played_is_the_best_against_the_beliefs() -> None:
    master = player("master", 3)
    compared = 0
    for view in pegging_views("expert"):
        fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
        if not view.played or len(fits) < 2 or _is_small(view):
            continue
        action = master.act(view)
        assert isinstance(action, Play)
        values = look_ahead.LookAhead(view, look_ahead.PEOPLE).chances(games=view.rules.skunk)
        assert values[action.card.index >> 2] == max(values.values())
        compared += 1
    assert compared > 10


def test_near_the_end_the_last_cards_are_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[View] = []
    inner = endgame.resolved

    def spied(reckoned: look_ahead.LookAhead, **how: Any) -> endgame.Solution:
        asked.append(reckoned.view)
        return inner(reckoned, **how)

    monkeypatch.setattr(endgame, "resolved", spied)
    master = player("master", 3)
    small = []
    for view in pegging_views("expert"):
        fits = {card.index >> 2 for card in view.hand if view.count + card.value <= 31}
        if _is_small(view) and len(fits) > 1:
            small.append(view)
    for view in small:
        action = master.act(view)
        assert isinstance(action, Play)
        assert action.card in view.hand
    assert asked == small
    assert small


@pytest.mark.parametrize(("score", "searched"), [(94, False), (95, True), (120, True)])
def test_a_lead_is_searched_from_twenty_six_points_before_the_game_hole(
    score: int, searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[View] = []
    monkeypatch.setattr(master_module, "best_rank", lambda *asked: max(asked[-1]))

    def searching(view: View, *opponent: Any) -> Any:
        asked.append(view)
        return search(view, *opponent)

    search = look_ahead.LookAhead
    monkeypatch.setattr(look_ahead, "LookAhead", searching)
    lead = next(view for view in pegging_views("expert") if not view.played and len({*view.hand}) > 1)
    player("master", 3).act(replace(lead, front=(score, score)))
    assert bool(asked) is searched
