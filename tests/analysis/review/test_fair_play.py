"""The test of fair play: its bound on false alarms, exactly, and which decisions it counts."""

import math
from typing import Any

import pytest

from fifteentwo.analysis.review.fair_play import CLUB_RATE, FALSE_ALARMS, clear_choices, largest_stake
from fifteentwo.analysis.review.review import review
from lab.bench.rated_games import Game, play_game

CLEAR = 9
"""Clear decisions of each game in the exact count."""


def probability_of_a_mark(chance: float, games: int) -> float:
    """Return the probability that the test marks a player in any of these games, by adding up all ways."""
    counts = [math.comb(CLEAR, k) * chance**k * (1 - chance) ** (CLEAR - k) for k in range(CLEAR + 1)]
    unmarked, marked = {0: 1.0}, 0.0
    for number in range(1, games + 1):
        after: dict[int, float] = {}
        for found, weight in unmarked.items():
            for more, part in enumerate(counts):
                after[found + more] = after.get(found + more, 0.0) + weight * part
        # The stake depends on the totals alone.
        done = [k for k in after if largest_stake([(k, number * CLEAR)], CLUB_RATE) >= 1 / FALSE_ALARMS]
        marked += sum(after.pop(k) for k in done)
        unmarked = after
    return marked


@pytest.mark.parametrize("chance", [0.5, 0.8, CLUB_RATE])
def test_an_honest_player_is_marked_less_often_than_promised_however_often_one_looks(chance: float) -> None:
    assert probability_of_a_mark(chance, 120) <= FALSE_ALARMS


def test_the_expected_stake_of_an_honest_player_stays_one() -> None:
    for number in (1, 20):
        expected = sum(
            math.comb(number, k) * CLUB_RATE**k * (1 - CLUB_RATE) ** (number - k) * final_stake(k, number)
            for k in range(number + 1)
        )
        assert expected == pytest.approx(1)


def final_stake(found: int, clear: int) -> float:
    """Return the stake after a game, from its definition."""
    guesses = [CLUB_RATE + (1 - CLUB_RATE) * part for part in (0.25, 0.5, 0.75)]
    ratios = [(p / CLUB_RATE) ** found * ((1 - p) / (1 - CLUB_RATE)) ** (clear - found) for p in guesses]
    mean = sum(ratios) / len(ratios)
    assert largest_stake([(found, clear)], CLUB_RATE) == pytest.approx(max(1.0, mean))
    return mean


def test_a_player_who_finds_nearly_everything_is_marked_and_later_errors_do_not_unmark() -> None:
    perfect, poor = [(17, 17)] * 10, [(5, 17)] * 30
    assert largest_stake(perfect, CLUB_RATE) >= 1 / FALSE_ALARMS
    assert largest_stake([*perfect, *poor], CLUB_RATE) >= 1 / FALSE_ALARMS
    assert largest_stake([*poor, *perfect], CLUB_RATE) < 1 / FALSE_ALARMS
    assert largest_stake([(10_000, 10_000)], CLUB_RATE) < math.inf


def decision(wins: list[float], chosen: int, seat: int = 0) -> dict[str, Any]:
    options = [{"choice": str(number), "points": 0.0, "win": win} for number, win in enumerate(wins)]
    return {"seat": seat, "options": options, "win": wins[0], "loss_win": wins[0] - wins[chosen]}


def test_only_decisions_with_a_clear_lead_count() -> None:
    close, clear = [0.5, 0.498, 0.3], [0.5, 0.4997, 0.495, 0.4]
    unknown = {
        "seat": 0,
        "options": [{"choice": "A", "points": 1.0, "win": None}],
        "win": None,
        "loss_win": None,
    }
    claim = {"seat": 0, "options": [], "win": 0.5, "loss_win": 0.1}
    decisions = [decision(close, 0), decision(clear, 1), decision(clear, 2), decision([0.5, 0.5], 0)]
    assert clear_choices([*decisions, decision(clear, 0, seat=1), unknown, claim], 0) == (1, 2)
    assert clear_choices([*decisions, decision(clear, 0, seat=1)], 1) == (1, 1)


def test_clear_decisions_of_a_reviewed_game_are_those_a_reader_counts() -> None:
    report = review(play_game(Game(("beginner", "club"), 1)))
    for seat in (0, 1):
        own = [one for one in report["decisions"] if one["seat"] == seat and one["options"]]
        found, clear = clear_choices(report["decisions"], seat)
        assert 0 < found <= clear < len(own)
        losses = [sorted(one["win"] - option["win"] for option in one["options"]) for one in own]
        assert clear == sum(
            all(loss < 0.0005 or loss >= 0.005 for loss in some) and some[-1] >= 0.005 for some in losses
        )
