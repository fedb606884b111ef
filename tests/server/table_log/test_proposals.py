"""Claims that are accepted without a question: a claim of nothing for the first card of a count."""

import itertools
from typing import NamedTuple

import pytest

from fifteentwo.contest.table import Outcome
from fifteentwo.rules.actions import Action, Claim, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Accepted, ClaimSettled
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.table_log.proposals import with_automatic_accepts
from tests.rules.positions import VARIANTS, at_play, do

each_variant = pytest.mark.parametrize("variant", VARIANTS)


class _Claimed(NamedTuple):
    taken: Outcome
    opponents: int


def _claimed(variant: str, points: int, *, second: str | None = None) -> _Claimed:
    """Return a claim for the first or second card of a count."""
    rules = rules_for(variant, counting="claimed", muggins="missed-and-overclaims")
    hands = ["7C 2H 3H KD", "8D 3S 2D KS", "KH 4S 5S 6S", "QD 5D 4D 6D"][: rules.seats]
    state = step(at_play(rules, hands), Play(0, Card("7C")))[0]
    seat = 0
    if second is not None:
        state = with_automatic_accepts(_taken(state, Claim(0, 0))).state
        state, seat = do(state, [Play(1, Card(second))])[0], 1
    opponents = sum(rules.side(other) != rules.side(seat) for other in range(rules.seats))
    return _Claimed(_taken(state, Claim(seat, points)), opponents)


def _taken(state: State, action: Action) -> Outcome:
    state, events = step(state, action)
    return Outcome(state, (action,), events)


def test_r97_claim_of_nothing_for_the_first_card_of_a_count_is_accepted_at_once(
    subtests: pytest.Subtests,
) -> None:
    for variant in VARIANTS:
        with subtests.test(variant=variant):
            taken, opponents = _claimed(variant, 0)
            passed = with_automatic_accepts(taken)
            assert passed.state.phase is Phase.PLAY
            assert sum(isinstance(event, Accepted) for event in passed.events) == opponents
            assert any(isinstance(event, ClaimSettled) for event in passed.events)
            assert len(passed.actions) == 1 + opponents, "a record reads as if they had been asked"


def test_r97_every_other_claim_can_be_challenged(subtests: pytest.Subtests) -> None:
    cases_0: list[tuple[int, str | None]] = [(2, None), (0, "8D"), (0, "2D"), (2, "8D")]
    for (points, second), variant in itertools.product(cases_0, VARIANTS):
        with subtests.test(points=points, second=second, variant=variant):
            taken, _ = _claimed(variant, points, second=second)
            assert taken.state.phase is Phase.CHALLENGE
            assert with_automatic_accepts(taken) == taken
