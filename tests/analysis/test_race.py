"""Win probability by the score for three and four sides: order of counting, needs, deal."""

import numpy as np
import pytest
from msgspec.structs import replace

from fifteentwo.analysis.win import race
from fifteentwo.analysis.win.race import (
    ChanceAfterPegging,
    Step,
    chances,
    discard_chances,
    shifted,
    still_open,
)
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import View, view

VARIANTS = [Variant.THREE_HANDED, Variant.PARTNERS, Variant.FOUR_HANDED]


def seen(variant: Variant, phase: Phase, front: tuple[int, ...], dealer: int = 0) -> View:
    """Return the View of the first decision of this phase at this score."""
    table = Table(rules_for(variant, first_dealer="named", cut_before_deal=False, starter="top"), seeded(4))
    table.adopt(table.name_dealer(dealer))
    while table.state.phase is not phase:
        seat = table.waiting[0]
        table.submit(seat, player("club", 1).act(view(table.state, seat)))
    table.state = replace(table.state, front=front, rear=front)
    return view(table.state, table.waiting[0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_chances_of_all_sides_add_up_to_one(variant: Variant) -> None:
    sides = rules_for(variant).sides
    open_still = race._races(variant, crib_only=False)
    for needs in ([121] * sides, [40] * sides, [90, 70, 60, 80][:sides]):
        total = sum(chances(open_still, np.array([needs]), side)[0] for side in range(sides))
        assert total == pytest.approx(1, abs=0.01)


def test_a_race_of_certain_steps_is_won_by_the_first_side_there() -> None:
    """Each hand makes two points and nothing is pegged.

    With equal needs the seat on the dealer's left wins first.
    """
    nothing, two = np.array([1.0]), np.array([0.0, 0.0, 1.0])
    steps = (Step(-1, (nothing,) * 3), Step(1, (two,)), Step(2, (two,)), Step(0, (two,)), Step(0, (nothing,)))
    open_still = still_open(steps, steps, 3)
    # Side 1 deals the second deal, so side 2 counts first.
    for needs, winner in (([2, 2, 2], 1), ([4, 4, 4], 2), ([6, 6, 6], 0), ([2, 3, 3], 0), ([4, 4, 2], 2)):
        found = [chances(open_still, np.array([needs]), side)[0] for side in range(3)]
        assert found == [float(side == winner) for side in range(3)]


def test_needing_fewer_points_is_better() -> None:
    open_still = race._races(Variant.THREE_HANDED, crib_only=False)

    def chance(*needs: int) -> float:
        return float(chances(open_still, np.array([needs]), 0)[0])

    assert chance(30, 40, 60) > chance(35, 40, 60)
    assert chance(40, 25, 60) - chance(40, 20, 60) > chance(40, 25, 60) - chance(40, 25, 55)


@pytest.mark.parametrize("variant", VARIANTS)
def test_who_counts_before_the_others_wins_if_the_hand_is_enough(variant: Variant) -> None:
    rules = rules_for(variant)
    one = seen(variant, Phase.PLAY, (119,) * rules.sides)
    payoff = ChanceAfterPegging(one)
    hand = np.zeros((1, rules.seats, 13), np.int64)
    hand[:, :] = np.bincount([1, 3, 7, 12], minlength=13)
    made = payoff._own_points
    won = payoff(hand, np.zeros((1, 1, rules.sides), np.int64))[0, 0]
    if made >= 2:
        assert won == 1
    nearly = np.zeros((1, 1, rules.sides), np.int64)
    nearly[..., rules.side(one.seat)] = 2
    assert payoff(hand, nearly)[0, 0] == 1
    for side in range(rules.sides):
        if side != rules.side(one.seat):
            lost = np.zeros((1, 1, rules.sides), np.int64)
            lost[..., side] = 2
            assert payoff(hand, lost)[0, 0] == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_discard_has_a_chance_that_falls_as_the_others_lead(variant: Variant) -> None:
    sides = rules_for(variant).sides
    even, behind = (
        discard_chances(seen(variant, Phase.DISCARD, front))
        for front in ((60,) * sides, tuple(60 if side == 1 % sides else 90 for side in range(sides)))
    )
    own = seen(variant, Phase.DISCARD, (60,) * sides)
    assert {*even} == {(card,) for card in own.hand}
    assert all(0 < chance < 1 for chance in even.values())
    if own.rules.side(own.seat) == 1 % sides:
        assert all(behind[card] < even[card] for card in even)


def test_points_are_moved_by_a_mean() -> None:
    often = np.array([0.0, 0.0, 0.5, 0.5])
    for by in (-1.5, -0.25, 0.0, 0.75, 2.0):
        after = shifted(often, by)
        assert after.sum() == pytest.approx(1)
        assert np.arange(len(after)) @ after == pytest.approx(2.5 + by)


def test_where_the_deal_goes_next_matters() -> None:
    open_still = race._races(Variant.FOUR_HANDED, crib_only=False)
    found = [float(chances(open_still, np.array([[61] * 4]), side)[0]) for side in range(4)]
    assert len({round(chance, 3) for chance in found}) == 4
