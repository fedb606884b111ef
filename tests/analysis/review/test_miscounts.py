"""Losses by wrong claims, of the claimer and of the seats that do not call them."""

import pytest

from fifteentwo.analysis.review.miscounts import CLAIM, MUGGINS, miscounts
from fifteentwo.analysis.win import model as win
from fifteentwo.rules.events import ClaimSettled
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import Muggins, rules_for


def claimed(muggins: Muggins) -> State:
    return start(rules_for("five-card", counting="claimed", muggins=muggins))


@pytest.mark.parametrize(
    ("muggins", "claim", "lost"),
    [
        (Muggins.MISSED_AND_OVERCLAIMS, 9, [(0, CLAIM, 0.0), (1, MUGGINS, 2.0)]),
        (Muggins.MISSED_AND_OVERCLAIMS, 12, [(0, CLAIM, 0.0), (1, MUGGINS, 2.0)]),
        (Muggins.MISSED_AND_OVERCLAIMS, 5, [(0, CLAIM, 3.0), (1, MUGGINS, 3.0)]),
        (Muggins.MISSED, 9, [(0, CLAIM, 0.0)]),
        (Muggins.MISSED, 5, [(0, CLAIM, 3.0), (1, MUGGINS, 3.0)]),
        (Muggins.OFF, 5, [(0, CLAIM, 3.0)]),
    ],
)
def test_r94_r95_overclaims_cost_two_points_and_missed_points_their_number(
    monkeypatch: pytest.MonkeyPatch, muggins: Muggins, claim: int, lost: list[tuple[int, str, float]]
) -> None:
    monkeypatch.setattr(win, "has_win_probability", lambda _: False)
    found = miscounts(claimed(muggins), ClaimSettled(0, claim, 8, (), None))
    assert [(one.seat, one.kind, one.points) for one in found] == lost
