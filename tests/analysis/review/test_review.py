"""Reviews: every decision of a recorded game, judged by what its seat could know."""

import json

import pytest

from fifteentwo.analysis.review.rating import mark
from fifteentwo.analysis.review.review import Decision, by_points, report, review, reviewed
from fifteentwo.rules.actions import Deal, Discard, Play
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import Variant, rules_for
from tests.support.recorded_games import played, report_of


def _game() -> Record:
    return played(["club", "casual"], 3)


def test_a_strong_player_loses_less_by_its_decisions_than_a_weak_one() -> None:
    report = report_of(played(["expert", "beginner"], 3, target=61))
    strong, weak = report["seats"]
    assert report["by_chance"]
    assert weak["loss_points"] > 3 * strong["loss_points"]
    assert weak["loss_win"] > 3 * strong["loss_win"] > 0


def test_no_decision_is_better_than_the_best() -> None:
    for one in report_of(_game())["decisions"]:
        assert one["loss_points"] >= 0
        assert one["loss_win"] >= 0
        wins = [option["win"] for option in one["options"]]
        assert wins == sorted(wins, reverse=True)
        assert all(0 <= win <= 1 for win in wins)
        assert one["best"] == one["options"][0]["choice"]
        assert one["chosen"] in [option["choice"] for option in one["options"]]


def test_reviews_contain_every_choice_and_no_forced_card() -> None:
    record, report = _game(), report_of(_game())
    discards_of = sum(isinstance(action, Discard) for action in record.actions)
    plays = sum(isinstance(action, Play) for action in record.actions)
    kinds = [one["kind"] for one in report["decisions"]]
    assert kinds.count("discard") == discards_of
    assert 0.4 * plays < kinds.count("play") < plays
    assert all(len(one["options"]) == 15 for one in report["decisions"] if one["kind"] == "discard")


@pytest.mark.parametrize("variant", [variant for variant in Variant if rules_for(variant).seats > 2])
def test_other_forms_are_judged_by_points(variant: Variant) -> None:
    seats = rules_for(variant).seats
    report = report_of(played(["club", "random", "random", "random"][:seats], 4, variant.value))
    assert not report["by_chance"]
    losses = [seat["loss_points"] for seat in report["seats"]]
    assert all(loss > 2 * losses[0] for loss in losses[1:])
    assert all(seat["loss_win"] is None for seat in report["seats"])


def test_the_race_of_a_first_game_is_judged_by_points_alone() -> None:
    """Its decisions are worth what they make, not what they change in a game to 121."""
    game = _game()
    by_chance = [one for one in reviewed(game) if isinstance(one, Decision)]
    decisions = [by_points(one) for one in by_chance]
    for one in decisions:
        points = {option["choice"]: option["points"] for option in one.options}
        assert one.loss_points == pytest.approx(max(points.values()) - points[one.chosen], abs=1e-4)
        assert points[one.best] == max(points.values())
        assert one.mark == mark(one.loss_points, by_chance=False)
        assert one.loss_win is one.win is one.weight is None
    # With much to gain or to lose, fewer points can win more often.
    assert [one.best for one in decisions] != [one.best for one in by_chance]
    whole = report(game, decisions, by_chance=False)
    assert not whole["by_chance"]
    assert whole["curve"] == []
    assert all(seat["result"] is seat["luck"] is None for seat in whole["seats"])


def test_a_decision_is_judged_the_same_whatever_the_other_holds() -> None:
    record = _game()
    at = next(n for n, action in enumerate(record.actions) if isinstance(action, Discard))
    deal, discard = record.actions[at - 1], record.actions[at]
    assert isinstance(deal, Deal)
    assert isinstance(discard, Discard)
    cards = list(deal.cards)
    own = cards.index(discard.cards[0]) % 2
    cards[1 - own], cards[11 - own] = cards[11 - own], cards[1 - own]
    cards[3 - own] = next(card for card in DECK if card not in cards)
    actions = (*record.actions[: at - 1], Deal(tuple(cards)), discard)
    other = Record(rules=record.rules, names=record.names, actions=actions)
    assert review(other)["decisions"] == report_of(_game())["decisions"][:1]


def test_a_review_can_be_written_as_json() -> None:
    report = report_of(_game())
    assert json.loads(json.dumps(report)) == report
