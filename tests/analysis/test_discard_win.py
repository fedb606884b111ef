"""The chance to win by what is laid away: near the race by score, right at the ends, moved by the board."""

import numpy as np
import pytest

from fifteentwo.analysis import discard
from fifteentwo.analysis.discard_win import win_chance
from fifteentwo.book import board as race
from fifteentwo.fast import random_deals as deals
from fifteentwo.rules.cards import PACK, Card, cards

SIX = cards("5H 5S 6D 7C JC KD")


@pytest.mark.parametrize("own_crib", [True, False])
@pytest.mark.parametrize("board", [(0, 0), (60, 75), (101, 93)])
def test_over_many_hands_it_is_the_race_by_score(board: tuple[int, int], own_crib: bool) -> None:
    chances = []
    for hand in deals.random_deals(150, 6, 1).tolist():
        held: list[Card] = [PACK[card] for card in hand]
        chances.append(discard.options(held, own_crib=own_crib, board=board)[0].win)
    found = np.array(chances, float)
    # Five standard errors of the hands, and 0.03 for what the estimate leaves out.
    expected = race.win_chance(*board, dealer=own_crib)
    assert found.mean() == pytest.approx(expected, abs=0.03 + 5 * found.std() / np.sqrt(len(found)))


def test_r91_pone_counts_first_at_the_end() -> None:
    """At 110-110 with a dozen in hand pone is mostly out before the dealer counts."""
    pone, dealer = (discard.options(SIX, own_crib=own, board=(110, 110))[0].win for own in (False, True))
    assert pone is not None
    assert dealer is not None
    assert pone > 0.8 > dealer


def test_more_points_never_hurt() -> None:
    options = discard.options(SIX, own_crib=True)
    for option in options[::4]:
        own = [win_chance(option, True, (points, 90)) for points in range(0, 121, 8)]
        other = [win_chance(option, True, (90, points)) for points in range(0, 121, 8)]
        assert all(0 <= chance <= 1 for chance in own + other)
        assert own[0] < own[-1]
        assert other[0] > other[-1]


def test_the_board_changes_what_is_best() -> None:
    """Against a dealer at the hole's edge, pone fears the play more than the crib."""
    far = discard.options(SIX, own_crib=False, board=(0, 0))
    near = discard.options(SIX, own_crib=False, board=(109, 119))
    assert far[0].discard == cards("JC KD")
    assert near[0].discard == cards("6D 7C")
    wins = [option.win or 0.0 for option in near]
    assert wins == sorted(wins, reverse=True)


def test_without_a_board_there_is_no_chance() -> None:
    assert all(option.win is None for option in discard.options(SIX, own_crib=True))
    told = discard.report(SIX, own_crib=True, board=(100, 110))
    assert all(0 < option["win"] < 1 for option in told["options"])
