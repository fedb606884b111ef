"""Numbered whole games of random legal actions, in every variant and with every option."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec

from fifteentwo.rules.actions import Accept, Action, CallMuggins, Claim, Deal, SeatAction
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.events import Event
from fifteentwo.rules.game import legal, step, to_act
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import Rules, rules_for
from tests.rules.positions import VARIANTS
from tests.rules.second_scorer import play_points, show_points


def all_rules() -> tuple[Rules, ...]:
    """Return all combinations of options, in a fixed order."""
    found = []
    for variant, target, first, partners, cut, starter, skunks, counting in product(
        VARIANTS,
        (121, 61),
        ("low", "high", "named"),
        (False, True),
        (True, False),
        ("cut", "top"),
        ((False, False), (True, False), (True, True)),
        (
            ("automatic", "off"),
            ("claimed", "off"),
            ("claimed", "missed"),
            ("claimed", "missed-and-overclaims"),
            ("claimed-hands", "missed-and-overclaims"),
        ),
    ):
        options: Any = {
            "target": target,
            "first_dealer": first,
            "partners_by_draw": partners,
            "cut_before_deal": cut,
            "starter": starter,
            "skunk": skunks[0],
            "double_skunk": skunks[1],
            "counting": counting[0],
            "muggins": counting[1],
        }
        try:
            found.append(rules_for(variant, **options))
        except FifteenTwoError:
            continue
    return tuple(found)


EVERY_RULES = all_rules()
CLAIMED = tuple(rules for rules in EVERY_RULES if rules.claimed)


def rules_of(number: int, among: tuple[Rules, ...] = EVERY_RULES) -> Rules:
    """Return the rules of a game; 997 shares no factor with the number of combinations, so all occur."""
    return among[number * 997 % len(among)]


class Moment(msgspec.Struct, frozen=True):
    """One action of a game: the state before, the action, its events, and the state after."""

    before: State
    action: Action
    events: tuple[Event, ...]
    after: State


def game(number: int, rules: Rules | None = None) -> Iterator[Moment]:
    """Yield the moments of a whole game; equal numbers give equal games."""
    chooser = random.Random(f"game {number}")
    state = start(rules or rules_of(number))
    for _ in range(20_000):
        if state.won is not None:
            return
        action = choose(state, chooser)
        after, events = step(state, action)
        yield Moment(state, action, events, after)
        state = after
    raise AssertionError("a game without end")


def choose(state: State, chooser: random.Random) -> Action:
    rules = state.rules
    if state.phase is Phase.DEAL:
        return Deal(tuple(chooser.sample(DECK, rules.seats * rules.dealt + rules.dealt_to_crib)))
    if state.phase is Phase.CLAIM:
        return Claim(state.turn, claim(state, chooser))
    if state.phase is Phase.CHALLENGE:
        seat = chooser.choice(to_act(state))
        answer: SeatAction = CallMuggins(seat) if chooser.random() < 0.4 else Accept(seat)
        return answer
    return chooser.choice(legal(state))


def right_points(state: State) -> int:
    """Return the right points of the card, hand or crib that waits for a claim, by the second scorer."""
    if not state.shown:
        began = state.count_ends[-1] if state.count_ends else 0
        return play_points([card.text for _, card in state.played[began:]])
    assert state.starter is not None
    crib = state.shown > state.rules.seats
    hand = state.crib if crib else state.kept[state.turn]
    return show_points([card.text for card in hand], state.starter.text, crib=crib)


def claim(state: State, chooser: random.Random) -> int:
    """Return a claim that is right half the time, and otherwise too low or too high."""
    right = right_points(state)
    kind = chooser.random()
    if kind < 0.5:
        return right
    if kind < 0.75:
        return chooser.randint(0, right)
    return min(29, right + chooser.choice((1, 1, 2, 5)))
