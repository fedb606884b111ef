"""Statistics of games, against a second count and against the averages of best play."""

import random
from collections.abc import Iterator
from statistics import fmean, stdev

import pytest

from fifteentwo.contest.statistics import SeatDeal, count_game, mean, share_interval, streaks
from fifteentwo.rules.actions import Action, TurnUp
from fifteentwo.rules.events import DealEnded, GameWon, Pegged, PeggedFor
from fifteentwo.rules.record import replay
from fifteentwo.rules.state import State, start
from fifteentwo.rules.variants import rules_for
from tests.formats.written_games import written_game
from tests.rules.second_scorer import show_points


def test_every_hand_crib_and_peg_is_in_it_once(subtests: pytest.Subtests) -> None:
    """The second scorer agrees, even if a game ended before a hand was counted."""
    for variant in ("six-card", "five-card", "three-handed", "partners", "four-handed"):
        with subtests.test(variant=variant):
            play = (PeggedFor.PLAY, PeggedFor.LAST_CARD)
            for number in range(6):
                record = written_game(number, rules_for(variant))
                deals = iter(count_game(record).deals)
                pegged = 0
                before = start(record.rules)
                for action, after, events in replay(record):
                    pegged += sum(e.points for e in events if isinstance(e, Pegged) and e.reason in play)
                    if any(isinstance(event, DealEnded | GameWon) for event in events):
                        _check_deal(before, action, deals)
                    before = after
                assert next(deals, None) is None
                assert sum(deal.pegged for deal in count_game(record).deals) == pegged


def _check_deal(before: State, action: Action, deals: Iterator[SeatDeal]) -> None:
    starter = action.card if isinstance(action, TurnUp) else before.starter
    assert starter is not None
    for seat in range(before.rules.seats):
        deal = next(deals)
        assert (deal.seat, deal.dealer) == (seat, seat == before.dealer)
        if before.rules.one_count:  # The second scorer cannot count a hand of three.
            continue
        hand = [card.text for card in before.kept[seat]]
        assert deal.hand == show_points(hand, starter.text, crib=False)
        crib = [card.text for card in before.crib]
        assert deal.crib == (show_points(crib, starter.text, crib=True) if deal.dealer else 0)


def test_means_and_their_intervals_are_those_of_the_textbook() -> None:
    luck = random.Random(2)
    figures = [luck.randrange(25) for _ in range(200)]
    found = mean(figures)
    assert found is not None
    assert found.mean == pytest.approx(fmean(figures))
    assert found.margin == pytest.approx(1.959964 * stdev(figures) / 200**0.5)
    assert mean([]) is None
    few = mean([3] * 11)
    assert few is not None
    assert few.margin is None, "too few to say how sure it is"


def test_nineteen_of_twenty_intervals_contain_the_truth() -> None:
    luck = random.Random(5)
    means = [mean([luck.randrange(13) for _ in range(60)]) for _ in range(600)]
    held = sum(abs(one.mean - 6) <= one.margin for one in means if one is not None and one.margin)
    assert 0.92 < held / 600 < 0.975


def test_intervals_of_shares_stay_between_0_and_1() -> None:
    assert share_interval(0, 0) == (0.0, 1.0)
    for number in (1, 5, 40):
        low, high = share_interval(0, number)
        assert low == pytest.approx(0.0, abs=1e-12)
        assert 0 < high < 1
        low, high = share_interval(number, number)
        assert 0 < low < 1
        assert high == pytest.approx(1.0, abs=1e-12)


def test_streaks_of_nothing_and_of_much() -> None:
    assert streaks([]) == (0, 0, 0)
    assert streaks([False] * 4) == (0, 4, -4)
    assert streaks([True, False, False, True, True, True]) == (3, 2, 3)
