"""What goes say of others' cards is true, and sampled hands fit the cards played."""

import random

import pytest

from fifteentwo.analysis.counting import VALUES
from fifteentwo.analysis.pegging.leads import policy_card, rest_of_play
from fifteentwo.analysis.pegging.sampling import _likelihood, _missed_points, sample
from fifteentwo.contest.table import Table, seeded
from fifteentwo.players import player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.events import Pegged, PeggedFor, WentGo
from fifteentwo.rules.game import step
from fifteentwo.rules.goes import above
from fifteentwo.rules.pegging import scores
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import view


def positions(variant: Variant, games: int) -> list[State]:
    """Every state of some games' play."""
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


@pytest.mark.parametrize("variant", list(Variant))
def test_r55_every_bound_a_go_gives_is_true_of_the_cards_held(variant: Variant) -> None:
    bounded = 0
    for state in positions(variant, 4):
        for seat, least in enumerate(above(view(state, state.turn))):
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
                bounds = above(view(state, state.turn))
                assert all(bounds[seat] >= least for seat, least in went.items() if state.hands[seat])
            seat = table.waiting[0]
            _, events = step(state, action := players[seat].act(view(state, seat)))
            count = state.count + (action.card.value if isinstance(action, Play) else 0)
            for event in events:
                if isinstance(event, WentGo):
                    went[event.seat] = max(went.get(event.seat, 0), 31 - count)
            table.submit(seat, action)


@pytest.mark.parametrize("variant", list(Variant))
def test_sampled_hands_have_the_right_numbers_and_cards(variant: Variant) -> None:
    for state in random.Random(1).sample(positions(variant, 2), 25):
        seen = view(state, state.turn)
        bounds = above(seen)
        known = [*seen.hand, *seen.discarded, *[card for _, card in seen.played], state.starter]
        for hands in sample(seen, 8, random.Random(3)):
            for seat, ranks in enumerate(hands):
                if seat != seen.seat:
                    assert len(ranks) == seen.held[seat]
                    assert all(VALUES[rank] > bounds[seat] for rank in ranks)
            for rank in range(13):
                seen_already = sum(card is not None and card.index >> 2 == rank for card in known)
                assert sum(ranks.count(rank) for ranks in hands) + seen_already <= 4


def test_a_playout_pegs_what_the_rules_peg() -> None:
    """With the true hands, a playout is the game that two players by `policy_card` would play."""
    for state in random.Random(2).sample(positions(Variant.SIX_CARD, 6), 72):
        seen = view(state, state.turn)
        rank = next(card.index >> 2 for card in seen.hand if seen.count + card.value <= 31)
        hands = [[card.index >> 2 for card in hand] for hand in state.hands]
        pegged_here = rest_of_play(seen, rank, hands)
        pegged = [0] * state.rules.seats
        dealer, first = state.dealer, True
        while state.phase is Phase.PLAY and state.dealer == dealer and state.won is None:
            held = state.hands[state.turn]
            played = tuple(card.index >> 2 for card in state.in_count)
            chosen = (
                rank if first else policy_card(tuple(card.index >> 2 for card in held), played, state.count)
            )
            first = False
            card = next(card for card in held if card.index >> 2 == chosen)
            state, events = step(state, Play(state.turn, card))
            for event in events:
                if isinstance(event, Pegged) and event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD):
                    pegged[event.seat] += event.points
        if state.won is None:
            assert pegged_here == pegged


def test_a_hand_that_passes_over_points_counts_a_third_and_every_time_again() -> None:
    ten, seven, eight = 9, 6, 7
    tries = [(1, (eight,), 8, 0)]
    assert _likelihood([[], [ten, ten]], tries) == 1
    assert _likelihood([[], [seven, ten]], tries) == 0.35
    assert _likelihood([[], [seven, eight]], tries * 2) == pytest.approx(0.35**2)
    # A seat that pegged as much passed over nothing.
    assert _likelihood([[], [seven, eight]], [(1, (eight,), 8, 2)]) == 1


def test_every_card_played_after_another_is_a_chance_to_peg() -> None:
    tried = 0
    for state in positions(Variant.SIX_CARD, 2):
        seen = view(state, state.turn)
        tries, expected = _missed_points(seen), []
        for number, (seat, card) in enumerate(seen.played):
            began = max(cleared for cleared in (0, *seen.cleared) if cleared <= number)
            before = seen.played[began:number]
            if before and seat != seen.seat and seen.held[seat]:
                ranks = tuple(one.index >> 2 for _, one in before)
                count = sum(one.value for _, one in before)
                events = scores([one for _, one in before] + [card])
                expected.append((seat, ranks, count, sum(one.points for one in events)))
        assert tries == expected
        tried += len(tries)
    assert tried > 50


def test_the_policy_avoids_counts_of_five_and_twenty_one() -> None:
    ace, three, five, ten = 0, 2, 4, 9
    assert policy_card((ace, five), (), 0) == ace
    assert policy_card((three, ten), (ten + 1, ace), 11) == three
    # One less is no trap: the higher card goes first.
    assert policy_card((three, ten), (ten,), 10) == ten
