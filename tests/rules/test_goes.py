"""Bounds on other seats' cards that follow from goes."""

import pytest

from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.events import WentGo
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import go_bounds, view


def positions(variant: Variant, games: int) -> list[State]:
    found: list[State] = []
    for seed in range(games):
        rules = rules_for(variant, target=61)
        table = Table(rules, seeded(f"{variant}-{seed}"))
        players = [player(level, seat) for seat, level in enumerate(["club", "random", "greedy", "casual"])]
        while not table.over:
            seat = table.waiting[0]
            if table.state.phase is Phase.PLAY:
                found.append(table.state)
            table.submit(seat, players[seat].act(view(table.state, seat)))
    return found


def test_r55_every_bound_a_go_gives_is_true_of_the_cards_held(subtests: pytest.Subtests) -> None:
    for variant in list(Variant):
        with subtests.test(variant=variant):
            bounded = 0
            for state in positions(variant, 4):
                for seat, least in enumerate(go_bounds(view(state, state.turn))):
                    assert all(card.value > least for card in state.hands[seat])
                    bounded += least > 0 and bool(state.hands[seat])
            assert bounded > 2


def test_r55_a_go_bounds_hands_in_later_counts() -> None:
    """A seat that said go in this count, or was passed over in one before, is bounded by it."""
    for seed in range(6):
        table = Table(rules_for("three-handed"), seeded(seed))
        players = [player("club", seat) for seat in range(3)]
        went: dict[int, int] = {}
        deal = 0
        while not table.over:
            state = table.state
            if state.deal != deal:
                deal, went = state.deal, {}
            if state.phase is Phase.PLAY:
                bounds = go_bounds(view(state, state.turn))
                assert all(bounds[seat] >= least for seat, least in went.items() if state.hands[seat])
            seat = table.waiting[0]
            _, events = step(state, action := players[seat].act(view(state, seat)))
            count = state.count + (action.card.value if isinstance(action, Play) else 0)
            for event in events:
                if isinstance(event, WentGo):
                    went[event.seat] = max(went.get(event.seat, 0), 31 - count)
            table.submit(seat, action)
