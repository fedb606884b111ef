"""R94–R98 and C12: claims and muggins; each by its number."""

from itertools import product

import pytest
from msgspec.structs import replace

from fifteentwo.rules.actions import Accept, CallMuggins, Claim, Go, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import InvalidRules
from fifteentwo.rules.events import Claimed, ClaimSettled, Event, GameWon, Pegged, PeggedFor, ScoreName, Shown
from fifteentwo.rules.game import legal, step, to_act
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import choices, view
from tests.rules.positions import VARIANTS, at_play, before_last_card, do, every_variant, pegged, refused

PLAY, MUGGINS, HAND = PeggedFor.PLAY, PeggedFor.MUGGINS, PeggedFor.HAND
STRENGTHS = ("off", "missed", "missed-and-overclaims")


def claimed(variant: str, muggins: str) -> Rules:
    return rules_for(variant, counting="claimed", muggins=muggins)


def fifteen_two(rules: Rules, front: int = 0) -> State:
    """Return a state in which seat 1 has just played an eight on a seven: 2 points are right."""
    hands = ["7C 2H 3H KD", "8D 3S 2D KS", "KH 4S 5S 6S", "QD 5D 4D 6D"][: rules.seats]
    state = at_play(rules, hands, front=[front] * rules.sides)
    state, _ = do(state, [Play(0, Card("7C")), Claim(0, 0)])
    for seat in to_act(state):
        if rules.muggins.value != "off":
            state, _ = step(state, Accept(seat))
    return step(state, Play(1, Card("8D")))[0]


def answered(state: State, callers: tuple[int, ...] = ()) -> tuple[State, tuple[Event, ...]]:
    """Let everybody who is asked answer, from the claimer's left."""
    result: tuple[Event, ...] = ()
    while state.phase is Phase.CHALLENGE:
        seat = to_act(state)[0]
        state, result = do(state, [CallMuggins(seat) if seat in callers else Accept(seat)], result)
    return state, result


def opponents(rules: Rules, seat: int) -> list[int]:
    """Return the opponents from the seat's left."""
    left = [(seat + place) % rules.seats for place in range(1, rules.seats)]
    return [other for other in left if rules.side(other) != rules.side(seat)]


def test_r93_a_right_claim_is_pegged_with_its_scores(subtests: pytest.Subtests) -> None:
    for variant, strength in product(VARIANTS, STRENGTHS):
        with subtests.test(variant=variant, strength=strength):
            rules = claimed(variant, strength)
            state, events = step(fifteen_two(rules), Claim(1, 2))
            assert events[0] == Claimed(1, 2)
            if strength != "off":
                assert pegged(events) == []
                state, events = answered(state)
            assert pegged(events) == [(PLAY, 1, 2)]
            (move,) = [event for event in events if isinstance(event, Pegged)]
            assert [score.name for score in move.scores] == [ScoreName.FIFTEEN]
            settled = next(event for event in events if isinstance(event, ClaimSettled))
            assert (settled.claimed, settled.right, settled.caller) == (2, 2, None)
            assert state.turn == 2 % rules.seats


def test_r93_claims_from_0_to_29(subtests: pytest.Subtests) -> None:
    for variant, strength in product(VARIANTS, STRENGTHS):
        with subtests.test(variant=variant, strength=strength):
            state = fifteen_two(claimed(variant, strength))
            assert legal(state) == tuple(Claim(1, points) for points in range(30))
            for points in (-1, 30, 121, 10**9):
                refused(state, Claim(1, points), "claim-out-of-range", "R93")
            refused(state, Claim(0, 2), "out-of-turn", "R93")
            refused(state, Claim(9, 2), "no-such-seat", "R1")
            refused(state, Play(2 % state.rules.seats, Card("2H")), "not-now", "R50")
            refused(state, Go(1), "not-now", "R54")


@every_variant
def test_r94_missed_points_go_to_the_caller(rules: Rules) -> None:
    for strength in ("missed", "missed-and-overclaims"):
        rules = claimed(rules.variant, strength)
        for stated in (0, 1):
            state, _ = step(fifteen_two(rules), Claim(1, stated))
            caller = opponents(rules, 1)[0]
            _, events = answered(state, (caller,))
            own = [(PLAY, 1, stated)] if stated else []
            assert pegged(events) == [*own, (MUGGINS, rules.side(caller), 2 - stated)]
            move = [event for event in events if isinstance(event, Pegged)][-1]
            assert [(score.name, score.rule) for score in move.scores] == [(ScoreName.MUGGINS, "R94")]
            settled = next(event for event in events if isinstance(event, ClaimSettled))
            assert settled.caller == caller


@every_variant
def test_c22_a_caller_gets_no_more_than_the_claimer_could_have_pegged(rules: Rules) -> None:
    rules = claimed(rules.variant, "missed")
    caller = opponents(rules, 1)[0]
    state = replace(
        fifteen_two(rules, 100),
        front=tuple(rules.target - 1 if side == rules.side(1) else 50 for side in range(rules.sides)),
    )
    state, _ = step(state, Claim(1, 0))
    state, events = answered(state, (caller,))
    assert pegged(events) == [(MUGGINS, rules.side(caller), 1)]


@every_variant
def test_r95_too_many_points_are_put_back_and_the_caller_scores_two(rules: Rules) -> None:
    rules = claimed(rules.variant, "missed-and-overclaims")
    for stated in (3, 29):
        state, _ = step(fifteen_two(rules), Claim(1, stated))
        caller = opponents(rules, 1)[0]
        _, events = answered(state, (caller,))
        assert pegged(events) == [(PLAY, 1, 2), (MUGGINS, rules.side(caller), 2)]
        move = [event for event in events if isinstance(event, Pegged)][-1]
        assert [(score.name, score.rule) for score in move.scores] == [(ScoreName.MUGGINS, "R95")]


@every_variant
def test_r96_in_the_show_too(rules: Rules) -> None:
    rules = claimed(rules.variant, "missed-and-overclaims")
    hands = ["5S 5H 6D 8C", "4H 5D 6C 8S", "3D 3C 9S TH", "7C 8D KH QH"][: rules.seats]
    state, last = before_last_card(rules, hands, starter="QS", crib="QD JD KC KS")
    state, events = do(state, [last, Claim(last.seat, 0)])
    state, more = answered(state)
    events = (*events, *more)
    assert events[-1] == Shown(0, state.kept[0], False)
    assert (PeggedFor.LAST_CARD, rules.side(last.seat), 1) in pegged(events)
    assert state.phase is Phase.CLAIM
    refused(state, Claim(1, 4), "out-of-turn", "R93")
    state, _ = step(state, Claim(0, 0))
    caller = opponents(rules, 0)[0]
    state, events = answered(state, (caller,))
    right = next(event for event in events if isinstance(event, ClaimSettled)).right
    assert right > 2
    assert pegged(events) == [(MUGGINS, rules.side(caller), right)]
    # The next hand lies open and waits for its claim.
    assert isinstance(events[-1], Shown)
    assert to_act(state) == (1,)


def test_r97_a_call_comes_before_the_next_card(subtests: pytest.Subtests) -> None:
    for variant, strength in product(VARIANTS, ("missed", "missed-and-overclaims")):
        with subtests.test(variant=variant, strength=strength):
            rules = claimed(variant, strength)
            state = fifteen_two(rules)
            for seat in range(rules.seats):
                refused(state, CallMuggins(seat), "not-now", "R97")
            state, _ = step(state, Claim(1, 0))
            assert state.phase is Phase.CHALLENGE
            assert state.claim == 0
            assert to_act(state) == tuple(opponents(rules, 1))
            refused(state, CallMuggins(1), "out-of-turn", "R97")
            refused(state, Accept(1), "out-of-turn", "R97")
            refused(state, CallMuggins(rules.seats), "no-such-seat", "R1")
            refused(state, Play(2 % rules.seats, Card("2H")), "not-now", "R50")
            for seat in range(rules.seats):
                may = seat in opponents(rules, 1)
                expected = (Accept(seat), CallMuggins(seat)) if may else ()
                assert choices(view(state, seat)) == expected
                assert view(state, seat).claim == 0
            state, _ = answered(state)
            for seat in range(rules.seats):
                refused(state, CallMuggins(seat), "not-now", "R97")


def test_r97_partners_do_not_call() -> None:
    rules = claimed("partners", "missed")
    state, _ = step(fifteen_two(rules), Claim(1, 0))
    assert to_act(state) == (2, 0)
    refused(state, CallMuggins(3), "out-of-turn", "R97")
    state, _ = step(state, CallMuggins(0))
    assert to_act(state) == (2,)
    refused(state, Accept(0), "out-of-turn", "R97")
    _, events = step(state, CallMuggins(2))
    assert pegged(events) == [(MUGGINS, 0, 2)]


@every_variant
def test_r98_muggins_must_be_agreed_and_needs_claims(rules: Rules) -> None:
    for strength in ("missed", "missed-and-overclaims"):
        with pytest.raises(InvalidRules) as caught:
            rules_for(rules.variant, muggins=strength)
        assert (caught.value.code, caught.value.rule) == ("muggins-needs-claims", "R98")
    assert rules_for(rules.variant).muggins.value == "off"
    rules = claimed(rules.variant, "off")
    state = fifteen_two(rules)
    for seat in range(rules.seats):
        for action in (CallMuggins(seat), Accept(seat)):
            refused(state, action, "muggins-off", "R98")
    automatic = at_play(rules_for(rules.variant), ["7C", "8D", "KH", "QD"][: rules.seats])
    refused(automatic, Claim(0, 2), "not-now", "R93")
    refused(automatic, CallMuggins(1), "muggins-off", "R98")


@every_variant
def test_r93_r96_where_only_hands_are_claimed_the_table_counts_pegging(rules: Rules) -> None:
    rules = rules_for(rules.variant, counting="claimed-hands", muggins="missed-and-overclaims")
    hands = ["7C 2H 3H KD", "8D 3S 2D KS", "KH 4S 5S 6S", "QD 5D 4D 6D"][: rules.seats]
    _, events = do(at_play(rules, hands), [Play(0, Card("7C")), Play(1, Card("8D"))])
    assert pegged(events) == [(PLAY, 1, 2)]
    state, last_card = before_last_card(rules, hands, starter="9S", crib="AC 2C 3C 4C")
    state, events = step(state, last_card)
    shown = events[-1]
    assert isinstance(shown, Shown)
    assert (state.phase, to_act(state)) == (Phase.CLAIM, (shown.seat,))
    state, _ = step(state, Claim(shown.seat, 0))
    assert state.phase is Phase.CHALLENGE


@every_variant
def test_r94_points_from_a_call_can_win_after_the_claimers_own(rules: Rules) -> None:
    rules = claimed(rules.variant, "missed-and-overclaims")
    caller = opponents(rules, 1)[0]
    # Both sides need two; the claimer claims 1 of 2, so the caller gets 1 and does not win.
    state, _ = step(fifteen_two(rules, rules.target - 2), Claim(1, 1))
    state, events = answered(state, (caller,))
    assert state.won is None
    # The claimer claims nothing, so the caller gets 2 and wins.
    state, _ = step(fifteen_two(rules, rules.target - 2), Claim(1, 0))
    state, events = answered(state, (caller,))
    assert state.won is not None
    assert state.won.side == rules.side(caller)
    # One short each: the claimer's own point comes first.
    state, _ = step(fifteen_two(rules, rules.target - 1), Claim(1, 1))
    state, events = answered(state, (caller,))
    assert isinstance(events[-1], GameWon)
    assert events[-1].side == 1
    assert MUGGINS not in [reason for reason, _, _ in pegged(events)]


@every_variant
def test_r95_a_claim_too_high_cannot_win_once_called(rules: Rules) -> None:
    rules = claimed(rules.variant, "missed-and-overclaims")
    caller = opponents(rules, 1)[0]
    state, events = step(fifteen_two(rules, rules.target - 3), Claim(1, 5))
    assert state.won is None
    state, events = answered(state, (caller,))
    assert state.won is None
    assert state.front[1] == rules.target - 1
    assert pegged(events)[:2] == [(PLAY, 1, 2), (MUGGINS, rules.side(caller), 2)]
