"""Every level but `random` plays a card that wins the game at once, in every variant."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from msgspec.structs import replace

from fifteentwo.contest.table import Table
from fifteentwo.players import LEVELS, player
from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Play
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import view

ENOUGH = 24
"""Positions of each form in which a card wins and another does not."""


def played(variant: Variant, seed: int) -> Iterator[State]:
    table = Table(rules_for(variant), seeded(f"winning/{variant}/{seed}"))
    players = [player(level, seat) for seat, level in enumerate(["greedy", "random", "greedy", "beginner"])]
    while not table.over:
        seat = table.waiting[0]
        if table.state.phase is Phase.PLAY:
            yield table.state
        table.submit(seat, players[seat].act(view(table.state, seat)))


def moved(state: State, needed: int) -> State:
    """Return the same cards, the side on turn this far from the end and the others one point from it."""
    rules = state.rules
    front = [rules.target - 1] * rules.sides
    front[rules.side(state.turn)] = rules.target - needed
    return replace(state, front=tuple(front), rear=tuple(score - 1 for score in front))


@cache
def positions(variant: Variant) -> tuple[State, ...]:
    """Check that a card wins by its points, and that another does not."""
    chosen: list[State] = []
    for seed in range(40):
        for state in played(variant, seed):
            fits = [card for card in state.hands[state.turn] if state.count + card.value <= 31]
            points = [sum(score.points for score in pegging.scores((*state.in_count, card))) for card in fits]
            if max(points) > min(points):
                chosen.append(moved(state, max(points)))
            if len(chosen) == ENOUGH:
                return tuple(chosen)
    raise AssertionError(variant)


def test_r14_a_card_that_wins_at_once_is_played(subtests: pytest.Subtests) -> None:
    for variant, level in product(list(Variant), [level for level in LEVELS if level != "random"]):
        with subtests.test(variant=variant, level=level):
            for number, state in enumerate(positions(variant)):
                action = player(level, number).act(view(state, state.turn))
                assert isinstance(action, Play)
                after, _ = step(state, action)
                assert after.won is not None, (level, action, view(state, state.turn))
                assert after.won.side == state.rules.side(state.turn)


def test_r58_a_last_card_that_cannot_be_followed_wins_too() -> None:
    """One point short, the others without cards: the player who can end the count now does."""
    tried = 0
    for seed in range(250):
        for state in played(Variant.SIX_CARD, seed):
            fits = [card for card in state.hands[state.turn] if state.count + card.value <= 31]
            near = moved(state, 1)
            wins = [step(near, Play(state.turn, card))[0].won is not None for card in fits]
            if state.hands[1 - state.turn] or all(wins) or not any(wins):
                continue
            for level in LEVELS[1:]:
                action = player(level, seed).act(view(near, near.turn))
                assert isinstance(action, Play)
                assert step(near, action)[0].won is not None
            tried += 1
        if tried > 3:
            return
    raise AssertionError(tried)
