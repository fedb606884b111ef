"""What games come to: counted against a second count, and against best play's own averages."""

import random
from statistics import fmean, stdev

import pytest
from tests.formats.written_games import written_game
from tests.rules.second_scorer import show_points

from fifteentwo.contest.statistics import counted, mean, share, streaks
from fifteentwo.rules.events import Pegged, PeggedFor, Shown
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.variants import variant


@pytest.mark.parametrize("form", ["six-card", "five-card", "three-handed", "partners", "four-handed"])
def test_every_hand_crib_and_peg_is_in_it_once(form: str) -> None:
    for number in range(6):
        record = written_game(number, variant(form))
        assert _shown(record) <= [(deal.hand, deal.crib) for deal in counted(record).deals].__len__()
        play = (PeggedFor.PLAY, PeggedFor.LAST_CARD)
        pegged = sum(
            event.points
            for _, _, events in replay(record)
            for event in events
            if isinstance(event, Pegged) and event.reason in play
        )
        assert sum(deal.pegged for deal in counted(record).deals) == pegged


def _shown(record: Record) -> int:
    """Check every hand that was shown against the second scorer; how many there were."""
    deals = list(counted(record).deals)
    seats, at, seen = record.rules.seats, -1, 0
    for _, state, events in replay(record):
        for event in events:
            if type(event).__name__ == "Dealt":
                at += 1
            if isinstance(event, Shown):
                starter = next((one.starter.text for one in (state,) if one.starter is not None), None)
                own = next(d for d in deals[at * seats : (at + 1) * seats] if d.seat == event.seat)
                if starter is not None and not record.rules.one_count:
                    points = show_points([card.text for card in event.cards], starter, crib=event.crib)
                    assert points == (own.crib if event.crib else own.hand)
                seen += not event.crib
    return seen


def test_means_and_their_intervals_are_those_of_the_textbook() -> None:
    luck = random.Random(2)
    figures = [luck.randrange(25) for _ in range(200)]
    found = mean(figures)
    assert found is not None
    assert found.mean == pytest.approx(fmean(figures))
    assert found.either_way == pytest.approx(1.959964 * stdev(figures) / 200**0.5)
    assert mean([]) is None
    few = mean([3] * 11)
    assert few is not None
    assert few.either_way is None, "too few to say how sure it is"


def test_nineteen_intervals_in_twenty_hold_the_truth() -> None:
    luck = random.Random(5)
    means = [mean([luck.randrange(13) for _ in range(60)]) for _ in range(600)]
    held = sum(abs(one.mean - 6) <= one.either_way for one in means if one is not None and one.either_way)
    assert 0.92 < held / 600 < 0.975


def test_a_share_stays_within_what_can_be() -> None:
    assert share(0, 0) == (0.0, 1.0)
    for number in (1, 5, 40):
        low, high = share(0, number)
        assert low == pytest.approx(0.0, abs=1e-12)
        assert 0 < high < 1
        low, high = share(number, number)
        assert 0 < low < 1
        assert high == pytest.approx(1.0, abs=1e-12)


def test_streaks_of_nothing_and_of_much() -> None:
    assert streaks([]) == (0, 0, 0)
    assert streaks([False] * 4) == (0, 4, -4)
    assert streaks([True, False, False, True, True, True]) == (3, 2, 3)
