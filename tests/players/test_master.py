"""`master` plays against what the opponent probably is, and decides quickly."""

import json
import subprocess
import sys
from functools import cache
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from fifteentwo.analysis.discards.by_score import discard_values
from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.analysis.pegging.beliefs import role_of
from fifteentwo.analysis.pegging.look_ahead import EQUILIBRIUM, LookAhead, Opponent
from fifteentwo.analysis.pegging.opponents import BEGINNER, CLUB, discard_gains
from fifteentwo.contest.table import Table
from fifteentwo.players import master, player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View
from fifteentwo.rules.view import view as view_of
from tests.support.pegging_views import pegging_views

GAMES = 6
DECIDING = """
import json, sys, time
from fifteentwo.analysis.pegging import look_ahead
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.rules.decks import seeded
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
    """Processor time."""
    action: str


@cache
def decisions() -> list[Decided]:
    """Return every decision of several games after a first one, which reads tables."""
    done = subprocess.run(
        [sys.executable, "-c", DECIDING, str(GAMES)], check=True, capture_output=True, text=True
    )
    return [Decided(*decided) for decided in json.loads(done.stdout)]


@pytest.mark.timed
def test_every_decision_takes_at_most_a_second() -> None:
    taken = [decided.seconds for decided in decisions()]
    assert len(taken) > 20 * GAMES
    assert max(taken) <= 1.0


@pytest.mark.timed
def test_a_card_takes_a_seventh_of_a_second_on_average() -> None:
    taken = [decided.seconds for decided in decisions() if decided.action.startswith("Play")]
    assert sum(taken) / len(taken) <= 1 / 7


def test_seeds_do_not_change_the_card() -> None:
    for view in pegging_views("club")[::16]:
        assert len({_rank(view, seed) for seed in range(5)}) == 1


@pytest.mark.parametrize("weak", [0.85, 0.95])
def test_a_card_that_loses_much_to_the_equilibrium_needs_a_weak_opponent(
    weak: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most `MAX_RISK` is lost before the belief in a weaker opponent exceeds nine in ten."""
    believed = Opponent((1 - weak, 0.0, weak, 0.0), look_ahead.PEOPLE.noise)
    monkeypatch.setattr(master, "opponent_belief", lambda _: believed)
    risked = 0
    for view in pegging_views("club")[::2]:
        search = LookAhead(view, believed)
        values, against = (one.chances(games=False) for one in (search, LookAhead(view, EQUILIBRIUM)))
        rank = _rank(view, 1)
        losing = max(against.values()) - against[rank] > 2 * master.MAX_RISK
        if 1 - search.chance_of(0) > master.MIN_WEAKER_BELIEF:
            assert rank == max(values, key=lambda one: (values[one], one))
            risked += losing
        else:
            assert not losing
    if weak > master.MIN_WEAKER_BELIEF:
        assert risked > 0


def _rank(view: View, seed: int) -> int:
    action = player("master", seed).act(view)
    assert isinstance(action, Play)
    return action.card.index >> 2


def _views_to_discard(front: tuple[int, int]) -> list[View]:
    rules = rules_for("six-card", first_dealer="named", cut_before_deal=False, starter="top")
    views = []
    for number in range(8, 20):
        table = Table(rules, seeded(f"discards/{number}"))
        table.adopt(table.name_dealer(number % 2))
        views.append(replace(view_of(table.state, 0), front=front))
    return views


@pytest.mark.parametrize("kind", [CLUB, BEGINNER])
def test_discards_gain_points_against_a_weaker_opponent(kind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other discards than against the equilibrium gain points; near the end there are none."""
    believed = Opponent(tuple(float(kind == one) for one in range(4)), look_ahead.PEOPLE.noise)
    monkeypatch.setattr(master, "opponent_belief", lambda _: believed)
    changed = 0
    for seen in _views_to_discard((20, 20)):
        against = discard_values(seen)
        usual, chosen = max(against, key=lambda way: against[way]), master.best_discard(seen)
        changed += chosen != usual
        gains = [
            discard_gains(believed.prior, role_of(seen, seen.seat), seen.hand, way) for way in (usual, chosen)
        ]
        assert gains[1] >= gains[0]
        assert against[usual] - against[chosen] < 0.05
    assert changed > 0
    for seen in _views_to_discard((110, 20)):
        against = discard_values(seen)
        assert against[master.best_discard(seen)] == max(against.values())
