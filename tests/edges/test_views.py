"""Send Views to levels and to the analysis: a small part of `make edges`."""

import json
import math

import pytest

from fifteentwo.rules.record import from_json
from fifteentwo.rules.view import View, choices
from tests.edges import answers, views
from tests.edges.answers import Outcome


@pytest.mark.parametrize("level", ["club", pytest.param("master", marks=pytest.mark.timed)])
def test_every_view_of_a_game_gets_an_open_action_within_a_second(level: str) -> None:
    outcome = answers.attack("bot", level, views.clean(100, 1), must_act=True)
    assert outcome.wrong == []
    assert outcome.acted > 25


@pytest.mark.long
def test_every_view_of_a_game_gets_an_open_action_of_master(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make measured` and `make edges` also limit the time of an answer to a second."""
    monkeypatch.setattr(answers, "BAR", math.inf)
    outcome = answers.attack("bot", "master", views.clean(100, 1), must_act=True)
    assert outcome.wrong == []
    assert outcome.acted > 25


def test_every_changed_view_gets_an_open_action_or_an_error() -> None:
    outcome = answers.attack("bot", "club", views.mutated(300, 2))
    assert outcome.wrong == []
    assert outcome.refused > 150
    assert outcome.acted > 15


@pytest.mark.long
def test_changed_views_of_pegging_break_no_kernel() -> None:
    outcome = answers.attack("analysis", "analysis", views.plays(200, 4))
    assert outcome.wrong == []
    assert min(outcome.acted, outcome.refused) > 20


def test_every_phase_and_variant_is_among_the_views() -> None:
    seen = [from_json(line, View) for line in views.clean(1_500, 3)]
    assert len({one.rules.variant for one in seen}) == 5
    assert {one.phase.value for one in seen if choices(one)} == {
        *("draw", "cut", "discard", "cut-stock", "play", "claim", "challenge")
    }


def test_the_attack_sees_a_process_that_dies() -> None:
    died = answers.attack("bot", "wizard", views.clean(2, 5))
    assert len(died.wrong) == 2
    assert "ended with 1" in died.wrong[0]


def test_a_wrong_answer_to_a_view_is_noticed(subtests: pytest.Subtests) -> None:
    for answer, seconds, wrong in (
        ({"type": "error", "code": "impossible-view"}, 0.0, "an error where a seat may act"),
        ({"type": "error", "code": "impossible-view", "why": "IndexError()"}, 0.0, "stumbled"),
        ({"type": "Claim", "seat": 0, "points": 29}, 0.0, "not open"),
        (None, answers.BAR + 0.1, "1.10 s"),
        (None, 0.0, None),
    ):
        with subtests.test(answer=answer, seconds=seconds, wrong=wrong):
            line = next(one for one in views.clean(90, 5) if b'"phase":"draw"' in one)
            seen = from_json(line, View)
            open_now = {"type": "Draw", "seat": seen.seat, "at": 0}
            outcome = answers._judged("bot", line, json.dumps(answer or open_now), seconds, must_act=True)
            assert outcome.slowest == seconds
            if wrong is None:
                assert outcome == Outcome(1, 0, [])
            else:
                assert wrong in outcome.wrong[0]
