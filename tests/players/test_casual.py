"""The level `casual` leads no five and leaves no count of 5 or 21 where another card serves."""

from collections import Counter

from fifteentwo.players import player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.pegging import scores
from fifteentwo.rules.state import Phase
from tests.support.views import asked


def test_casual_leaves_no_count_of_5_or_21_without_need() -> None:
    avoided: Counter[int] = Counter()
    for seed in range(40):
        for number, view in enumerate(asked("six-card", seed)):
            if view.phase is not Phase.PLAY or any(scores([*view.in_count, card]) for card in view.playable):
                continue
            safe = [card for card in view.playable if view.count + card.value not in (5, 21)]
            if safe and len(safe) < len(view.playable):
                action = player("casual", number).act(view)
                assert isinstance(action, Play)
                assert action.card in safe
                avoided.update({view.count + card.value for card in view.playable} & {5, 21})
    assert avoided[5] > 20
    assert avoided[21] > 20
