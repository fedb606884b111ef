"""`master` mixes its cards, and decides quickly."""

import json
import subprocess
import sys
from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from fifteentwo.analysis.pegging import mixture
from fifteentwo.library.position import Position
from fifteentwo.players import player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.view import View

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
def test_a_card_takes_a_seventh_of_a_second_on_average() -> None:
    taken = [decided.seconds for decided in decisions() if decided.action.startswith("Play")]
    assert sum(taken) / len(taken) <= 1 / 7


def test_cards_are_played_as_often_as_the_mixture_has_it() -> None:
    """Each seed plays its own card, always the same."""
    view = Position("0-0 pone 6S7H8DKC/KD9C 4H").view()
    often, number = mixture.frequencies(view), 2000
    assert max(often.values()) < 0.9
    played = Counter(_rank(view, seed) for seed in range(number))
    for rank, probability in often.items():
        error = (probability * (1 - probability) / number) ** 0.5
        assert abs(played[rank] / number - probability) <= 4 * error
    assert [_rank(view, seed) for seed in range(20)] == [_rank(view, seed) for seed in range(20)]


def _rank(view: View, seed: int) -> int:
    action = player("master", seed).act(view)
    assert isinstance(action, Play)
    return action.card.index >> 2
