"""`expert` plays as the solved tables say."""

from collections import defaultdict

import pytest

from fifteentwo.analysis.five_card import play_frequencies
from fifteentwo.analysis.pegging.beliefs import role_of
from fifteentwo.players import player
from fifteentwo.rules.actions import Discard, Play
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View
from fifteentwo.strategy.five_card import discard_frequencies
from tests.analysis.hint_positions import positions

SEEDS = 60


def counted(level: str, view: View) -> dict[object, float]:
    """How often a level does each thing here, over its seeds."""
    done: dict[object, float] = defaultdict(float)
    for seed in range(SEEDS):
        match player(level, seed).act(view):
            case Discard(cards=pair):
                done[frozenset(pair)] += 1 / SEEDS
            case Play(card=card):
                done[card.index >> 2] += 1 / SEEDS
    return done


@pytest.mark.parametrize("level", ["expert", "master"])
def test_five_card_choices_come_as_often_as_in_the_table(level: str) -> None:
    mixed = 0
    for view, _ in positions("five-card", 24):
        if view.phase is Phase.DISCARD and level == "expert":
            pairs = discard_frequencies(view.hand, role_of(view, view.seat))
            often: dict[object, float] = {frozenset(pair): frequency for pair, frequency in pairs.items()}
        elif view.phase is Phase.PLAY and max(view.front) < 50:
            often = dict(play_frequencies(view).items())
        else:
            continue
        mixed += max(often.values()) < 1
        found = counted(level, view)
        assert found == pytest.approx({choice: often.get(choice, 0) for choice in found}, abs=0.25)
    assert mixed
