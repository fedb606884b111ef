"""Bulk calls and single calls give equal figures."""

import numpy as np
import pytest

import fifteentwo as ft
from fifteentwo.fast.random_deals import random_deals

DEALS = random_deals(200, 7, 3)


def test_points_are_those_of_score() -> None:
    points = ft.simulate(DEALS[:, :4], DEALS[:, 4])
    assert points.shape == (200,)
    assert points.dtype == np.uint8
    cribs = ft.simulate(DEALS[:, :4], DEALS[:, 4], crib=True)
    for row, made, as_crib in zip(DEALS.tolist(), points.tolist(), cribs.tolist(), strict=True):
        hand = [ft.DECK[card] for card in row[:4]]
        assert ft.score(hand, starter=ft.DECK[row[4]].text).points == made
        assert ft.score(hand, starter=ft.DECK[row[4]].text, crib=True).points == as_crib


def test_hands_are_taken_as_numbers_cards_and_text() -> None:
    starters = DEALS[:, 4]
    expected = ft.simulate(DEALS[:, :4], starters).tolist()
    cards = [[ft.DECK[card] for card in row[:4]] for row in DEALS.tolist()]
    texts = [" ".join(map(str, hand)) for hand in cards]
    for hands in (DEALS[:, :4].astype(np.int64), DEALS[:, :4].tolist(), cards, texts):
        assert ft.simulate(hands, starters).tolist() == expected
    for turned in (
        starters.tolist(),
        [ft.DECK[card] for card in starters],
        [ft.DECK[c].text for c in starters],
    ):
        assert ft.simulate(texts, turned).tolist() == expected
    assert ft.simulate(np.empty((0, 4), np.uint8), np.empty(0, np.uint8)).shape == (0,)


@pytest.mark.long
def test_discards_are_near_those_of_single_hands(subtests: pytest.Subtests) -> None:
    for dealer in (True, False):
        with subtests.test(dealer=dealer):
            found = ft.simulate(DEALS[:40, :6], dealer=dealer)
            assert {values.shape for values in (found.hand, found.crib, found.pegging, found.net)} == {
                (40, 15)
            }
            errors, lost = [], []
            for row, net, hand, best in zip(
                DEALS[:40, :6].tolist(), found.net, found.hand, found.best, strict=True
            ):
                six = [ft.DECK[card] for card in row]
                exact = {option.discard: option for option in ft.discards(six, dealer=dealer)}
                ways = [exact[tuple(six[place] for place in way)] for way in found.ways.tolist()]
                assert hand == pytest.approx([way.hand for way in ways])
                nets = np.array([way.net for way in ways])
                errors.append(np.abs(net - nets).mean())
                lost.append(nets.max() - exact[tuple(six[place] for place in best.tolist())].net)
            assert np.mean(errors) < 0.25
            assert np.mean(lost) < 0.02


@pytest.mark.long
def test_games_follow_from_the_seed() -> None:
    games = ft.simulate(games=50, seed=4, players=("greedy", "random"))
    assert games.winners.dtype == np.uint8
    assert (games.points.shape, games.deals.shape) == ((50, 2), (50,))
    again = ft.simulate(games=50, seed=4, players=("greedy", "random"), workers=2)
    assert all((one == other).all() for one, other in zip(games, again, strict=True))
    assert (games.points.max(axis=1) == 121).all()
    assert (games.winners == 0).mean() > 0.5


def test_invalid_arguments_are_refused_with_a_code(subtests: pytest.Subtests) -> None:
    for wrong in (
        {},
        {"hands": ["5H 5S 5D JC"]},
        {"starters": ["5C"]},
        {"hands": ["5H 5S 5D JC"], "starters": ["5C"], "games": 4},
        {"hands": ["5H 5S 5D JC"], "starters": ["5H"]},
        {"hands": ["5H 5S 5D JC"], "starters": ["5C", "6C"]},
        {"hands": ["5H 5S 5D", "5H 5S 5D JC"], "starters": ["5C", "6C"]},
        {"hands": ["5H 5S 5D 1X"], "starters": ["5C"]},
        {"hands": [[0, 1, 2, 99]], "starters": [7]},
        {"hands": [[0.5, 1, 2, 3]], "starters": [7]},
        {"hands": "5H 5S 5D JC", "starters": ["5C"]},
        {"hands": ["5H 5S 5D JC"], "dealer": True},
        {"hands": ["5H 5H 6D 7C JC KD"], "dealer": True},
        {"games": -1},
        {"games": 1.5},
        {"games": 4, "players": ("master", "random")},
        {"games": 4, "players": "random"},
        {"games": 4, "workers": 0},
    ):
        with subtests.test(wrong=wrong):
            with pytest.raises(ft.FifteenTwoError) as caught:
                ft.simulate(**wrong)
            assert caught.value.code
