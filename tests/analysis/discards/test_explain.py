"""Explanations of discards: parts add up, and starters help the right side."""

import json

import pytest

from fifteentwo.analysis.discards.explain import explain, report
from fifteentwo.rules import show
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.errors import NotationError

HELD = cards("5H 5S 6D 7C JC KD")
FIRST, SECOND = cards("JC KD"), cards("6D 7C")


@pytest.mark.parametrize("own_crib", [True, False])
def test_the_parts_add_up(own_crib: bool) -> None:
    explanation = explain(HELD, FIRST, SECOND, own_crib=own_crib)
    assert explanation.pegging is not None
    parts = explanation.hand.difference + explanation.crib.difference + explanation.pegging.difference
    assert parts == pytest.approx(explanation.net.difference)
    assert explanation.net.first == pytest.approx(explanation.first.net)
    assert sum(part.first for part in explanation.scores.values()) == pytest.approx(explanation.hand.first)
    assert sum(part.second for part in explanation.scores.values()) == pytest.approx(explanation.hand.second)
    assert explanation.crib.difference == pytest.approx(
        (1 if own_crib else -1) * (explanation.crib.first - explanation.crib.second)
    )


def test_starters_are_the_46_unseen_and_counted_by_the_rules() -> None:
    explanation = explain(HELD, FIRST, SECOND, own_crib=True)
    assert len({turned.card for turned in explanation.starters}) == 46
    assert not {turned.card for turned in explanation.starters} & set(HELD)
    for turned in explanation.starters:
        assert turned.first == show.points(cards("5H 5S 6D 7C"), turned.card)
        assert turned.second == show.points(cards("5H 5S JC KD"), turned.card)
    leads = [turned.first - turned.second for turned in explanation.starters]
    assert leads == sorted(leads, reverse=True)
    assert explanation.starters[0].card in cards("6S 6H 7S 7H 7D")
    assert explanation.starters[-1].card == Card("QC")


def test_turned_round_it_says_the_opposite() -> None:
    one, other = explain(HELD, FIRST, SECOND, own_crib=True), explain(HELD, SECOND, FIRST, own_crib=True)
    assert one.net.difference == pytest.approx(-other.net.difference)
    assert {turned.card for turned in one.starters if turned.first > turned.second} == {
        turned.card for turned in other.starters if turned.first < turned.second
    }


def test_no_choice_of_these_cards_is_refused() -> None:
    for wrong in (cards("JC AD"), cards("JC"), (Card("JC"), Card("JC"))):
        with pytest.raises(NotationError) as refused:
            explain(HELD, FIRST, wrong, own_crib=True)
        assert refused.value.code == "card-not-held"


def test_the_report_sorts_starters_by_help_for_the_first_discard() -> None:
    explanation = explain(HELD, FIRST, SECOND, own_crib=False)
    plain = report(explanation)
    assert json.loads(json.dumps(plain)) == plain
    assert sum(len(group["cards"]) for group in plain["starters"]) == 46
    assert plain["first"] == ["JC", "KD"]
    leads = [group["first"] - group["second"] for group in plain["starters"]]
    assert leads == sorted(leads, reverse=True)
    assert plain["net"]["difference"] == pytest.approx(explanation.net.difference, abs=1e-6)
