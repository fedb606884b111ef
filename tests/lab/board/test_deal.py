"""What bulk deals refuse: let through, each would drive the compiled kernels out of their arrays."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from fifteentwo.fast.hands import place
from fifteentwo.fast.random_deals import random_deals
from lab.board import deal
from lab.board.deal import (
    DiscardValues,
    Played,
    Policies,
    Policy,
    add,
    best_discards,
    by_points,
    empty_tally,
    play_deals,
)
from lab.board.deal_choices import BOOK, CHANCE


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for deals that are refused."""
    monkeypatch.setattr(deal, "compiled", import_module)


DEALT = random_deals(4, 13, seed=1)
EVEN = np.zeros((2, 13, 13))


def both(policies: Policies, **changed: Any) -> Policies:
    one, other = (policy._replace(**changed) for policy in policies[:2])
    return Policies(one, other, policies.book)


def test_what_is_no_deal(subtests: pytest.Subtests) -> None:
    dealt: Any
    for dealt, says in (
        (DEALT[:, :12], "shape"),
        (np.full((1, 13), 52), "no card"),
        (-DEALT.astype(int) - 1, "no card"),
        (np.zeros((1, 13), np.uint8), "AS twice"),
        (DEALT / 2, "whole numbers"),
    ):
        with subtests.test(dealt=dealt, says=says), pytest.raises(ValueError, match=says):
            play_deals(dealt, by_points(EVEN), 1)


def test_scores_no_deal_starts_with(subtests: pytest.Subtests) -> None:
    for start in ((121, 0), (0, 2**40), (-1, 0)):
        with subtests.test(start=start), pytest.raises(ValueError, match="start"):
            play_deals(DEALT, by_points(EVEN), 1, start)


def test_pairs_that_are_no_two_places_of_six(subtests: pytest.Subtests) -> None:
    for pair in (0, 7, 6, 35, 36, 127, -2):
        with subtests.test(pair=pair):
            with pytest.raises(ValueError, match="options"):
                play_deals(DEALT, by_points(EVEN), 1, options=np.full((4, 2), pair, np.int8))
            with pytest.raises(ValueError, match="options"):
                play_deals(DEALT, by_points(EVEN), 1, options=np.full((3, 2), -1, np.int8))


def test_policies_that_make_no_card_best(subtests: pytest.Subtests) -> None:
    for name, wrong in (
        ("opponent_weight", float("nan")),
        ("keep_values", np.full(1820, np.nan)),
        ("keep_values", np.full(1820, -1e300)),
        ("keep_values", np.zeros(1819)),
        ("crib_chart", np.full((13, 13), np.inf)),
        ("likely", np.zeros(12)),
    ):
        with subtests.test(name=name, wrong=wrong), pytest.raises(ValueError, match=name):
            play_deals(DEALT, both(by_points(EVEN), **{name: wrong}), 1)


def test_chances_are_looked_at_where_they_are_played_by() -> None:
    policies = by_points(EVEN)
    none = np.full_like(policies.pone.in_play, np.nan)
    play_deals(DEALT, both(policies, in_play=none), 1)
    play_deals(DEALT, both(policies, play_aim=CHANCE), 1)
    with pytest.raises(ValueError, match="in_play"):
        play_deals(DEALT, both(policies, in_play=none, play_aim=CHANCE), 1)
    with pytest.raises(ValueError, match="start"):
        play_deals(DEALT, both(policies, start=np.array((40, 0)), play_aim=CHANCE), 1, (40, 0))


def test_wrong_discard_values_are_refused() -> None:
    values = DiscardValues(np.full((1820, 91, 13), np.nan, np.float32), np.zeros((1820, 5, 13), np.float32))
    options = np.full((4, 2), -1, np.int8)
    best_discards(DEALT, values, 1, options)
    assert options[:, 0].tolist() == [-1] * 4
    play_deals(DEALT, by_points(EVEN), 1, options=options)
    for wrong in (
        (DEALT, values, 2, options),
        (DEALT, values, 1, options[:3]),
        (DEALT, DiscardValues(*values[::-1]), 1, options),
        (DEALT[:, :12], values, 1, options),
    ):
        with pytest.raises(ValueError, match="shape"):
            best_discards(*wrong)


def test_a_discard_that_is_as_good_stays() -> None:
    values = DiscardValues(np.zeros((1820, 91, 13), np.float32), np.zeros((1820, 5, 13), np.float32))
    values.by_ranks[:, place(2)[3, 7]] = 0.25
    best = np.zeros((1, 2), np.int8)
    # Three, five, six, eight, ten, king of one suit each way; ranks count from 0.
    six = [4 * rank for rank in (3, 5, 6, 7, 9, 12)]
    dealt = np.array([[*six, *(card + 1 for card in six), 51]], np.uint8)
    for as_good, kept in ((0.0, False), (0.2, False), (0.26, True)):
        best[:] = 0 * 6 + 1
        best_discards(dealt, values, 1, best, as_good)
        assert best.tolist() == [[1, 1 if kept else 3]]


def test_no_book_is_played_by() -> None:
    with pytest.raises(ValueError, match="book"):
        play_deals(DEALT, both(by_points(EVEN), play_aim=BOOK), 1)


def test_events_that_no_deal_makes_are_not_counted() -> None:
    played = play_deals(DEALT, by_points(EVEN), 1)
    for events in (played.events[:, :-1], np.ones_like(played.events), played.events[0]):
        with pytest.raises(ValueError, match="events"):
            add(empty_tally(), Played(events, *played[1:]))


def test_every_array_of_a_policy_is_looked_at() -> None:
    looked_at = {*deal._SHAPES, *deal._SHAPES_FOR_CHANCE}
    assert looked_at == {name for name in Policy._fields if name != "play_aim"}
