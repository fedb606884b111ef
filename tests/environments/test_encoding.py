"""Observations, masks and numbers of actions, in every variant."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fifteentwo.contest.table import Table
from fifteentwo.environments.encoding import (
    DISCARD,
    action,
    action_count,
    layout,
    mask,
    number,
    observation_size,
    observe,
)
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.game import to_act
from fifteentwo.rules.state import Phase, State, replace
from fifteentwo.rules.variants import FIVE_CARD, SIX_CARD, Variant, rules_for
from fifteentwo.rules.view import allows, choices, view
from tests.support.errors import raises_code

CLAIMS: dict[str, Any] = {"counting": "claimed", "muggins": "missed-and-overclaims"}
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"counting": "claimed-hands"}, CLAIMS)


def states(variant: str, options: dict[str, Any], seed: int) -> Iterator[State]:
    """Yield every third state of a random half game in which a seat may act, and the last state."""
    luck = random.Random(seed)
    table = Table(rules_for(variant, target=61, **options), seeded(seed))
    turn = 0
    while not table.over:
        if turn % 3 == 0:
            yield table.state
        turn += luck.choice((1, 2))
        seat = luck.choice(table.waiting)
        table.submit(seat, luck.choice(choices(view(table.state, seat))))
    yield table.state


def test_open_actions_and_their_numbers_are_one_to_one(subtests: pytest.Subtests) -> None:
    for variant, options in product(list(Variant), OPTIONS):
        with subtests.test(variant=variant, options=options):
            for state in states(variant, options, 1):
                for seat in range(state.rules.seats):
                    seen = view(state, seat)
                    allowed = mask(seen, cuts=True)
                    numbers = np.flatnonzero(allowed).tolist()
                    assert len(numbers) == len(choices(seen))
                    for chosen in numbers:
                        made = action(seen, chosen)
                        assert allows(seen, made)
                        assert number(seen, made) == chosen


def test_a_number_that_is_not_open_is_refused(subtests: pytest.Subtests) -> None:
    for variant in list(Variant):
        with subtests.test(variant=variant):
            for state in states(variant, CLAIMS, 2):
                seen = view(state, 0)
                allowed = mask(seen, cuts=True)
                for chosen in (-1, *np.flatnonzero(allowed == 0).tolist()[::7], len(allowed)):
                    with raises_code(IllegalAction, "action-not-open"):
                        action(seen, chosen)


def test_each_part_lies_where_its_layout_has_it(subtests: pytest.Subtests) -> None:
    for variant, options in product(list(Variant), OPTIONS):
        with subtests.test(variant=variant, options=options):
            for state in states(variant, options, 3):
                rules, where = state.rules, layout(state.rules)
                for seat in range(rules.seats):
                    seen = view(state, seat)
                    parts = {name: observe(seen)[part].tolist() for name, part in where.items()}
                    assert cards(parts["hand"]) == set(seen.hand)
                    assert cards(parts["discarded"]) == set(seen.discarded)
                    assert cards(parts["in_count"]) == set(seen.in_count)
                    assert cards(parts["starter"]) == ({seen.starter} if seen.starter else set())
                    played = sorted((parts["order"][card.index], card) for _, card in seen.played)
                    assert [card for _, card in played] == [card for _, card in seen.played]
                    for place, (player, card) in enumerate(seen.played):
                        assert parts[f"played_{(player - seat) % rules.seats}"][card.index] == 1
                        ended = sum(at <= place for at in seen.count_ends)
                        assert parts["count_number"][card.index] == ended + 1
                    own_first = [seen.front[(seen.side + at) % rules.sides] for at in range(rules.sides)]
                    assert parts["score"] == own_first
                    assert parts["held"] == [
                        seen.hand_sizes[(seat + at) % rules.seats] for at in range(rules.seats)
                    ]
                    assert parts["claim"] == [0 if seen.claim is None else seen.claim + 1]
                    assert parts["count"] == [seen.count]
                    assert parts["to_act"] == [
                        int((seat + at) % rules.seats in seen.to_act) for at in range(rules.seats)
                    ]
                    assert parts["gone"] == [
                        int((seat + at) % rules.seats in seen.said_go) for at in range(rules.seats)
                    ]
                    if rules.claimed:
                        assert cards(parts["shown_crib"]) == set(seen.open_crib)
                        for at in range(rules.seats):
                            shown = seen.open_hands[(seat + at) % rules.seats]
                            assert cards(parts[f"shown_{at}"]) == set(shown)


def cards(plane: list[int]) -> set[Any]:
    return {DECK[at] for at, there in enumerate(plane) if there}


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(list(Variant)), st.sampled_from(OPTIONS), st.integers(0, 10_000), st.data())
def test_r33_r43_nothing_hidden_changes_an_observation(
    variant: str, options: dict[str, Any], seed: int, data: st.DataObject
) -> None:
    """Hidden cards are dealt differently: a seat's observation and mask stay equal."""
    reached = [
        state for state in states(variant, options, seed) if state.phase in (Phase.DISCARD, Phase.PLAY)
    ]
    state = data.draw(st.sampled_from(reached))
    seat = data.draw(st.integers(0, state.rules.seats - 1))
    other = hidden_dealt_again(state, seat, random.Random(seed))
    assert observe(view(other, seat)).tolist() == observe(view(state, seat)).tolist()
    assert mask(view(other, seat)).tolist() == mask(view(state, seat)).tolist()


def hidden_dealt_again(state: State, seat: int, luck: random.Random) -> State:
    """Return the state with all cards that this seat has not seen dealt differently."""
    known = {*state.hands[seat], *state.discarded[seat], *(card for _, card in state.played)}
    if state.starter:
        known.add(state.starter)
    hidden = [card for card in DECK if card not in known]
    deal = dict(zip(hidden, luck.sample(hidden, len(hidden)), strict=True))

    def again(held: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(deal.get(card, card) for card in held)

    return replace(
        state,
        hands=tuple(again(hand) for hand in state.hands),
        kept=tuple(again(hand) for hand in state.kept),
        discarded=tuple(again(hand) for hand in state.discarded),
        crib=tuple(sorted(again(state.crib))),
    )


def test_sizes_are_as_documented() -> None:
    claimed = rules_for("partners", counting="claimed")
    assert (observation_size(SIX_CARD), action_count(SIX_CARD)) == (437, 67)
    assert observation_size(FIVE_CARD) == 437
    assert (observation_size(claimed), action_count(claimed)) == (809, 99)
    assert action_count(SIX_CARD, cuts=True) == 151


def test_discards_are_numbered_by_places_of_the_sorted_hand() -> None:
    state = next(state for state in states("six-card", {}, 5) if state.phase is Phase.DISCARD)
    seen = view(state, to_act(state)[0])
    given_away = action(seen, DISCARD)
    assert tuple(sorted(seen.hand))[:2] == given_away.cards  # type: ignore[union-attr]
