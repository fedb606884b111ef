"""Random whole games in all variants and options; `whole_games.py` has the checks."""

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from fifteentwo.rules.events import Pegged, PeggedFor
from tests.rules.random_games import CLAIMED, EVERY_RULES, game, rules_of
from tests.rules.second_referee import Referee
from tests.rules.whole_games import check


def test_the_games_cover_every_variant_and_every_value_of_every_option() -> None:
    assert len(EVERY_RULES) == len(set(map(repr, EVERY_RULES))) == 1520
    assert len({repr(rules_of(number)) for number in range(len(EVERY_RULES))}) == len(EVERY_RULES)
    seen = [rules_of(number) for number in range(500)]
    options = (
        "variant target first_dealer partners_by_draw cut_before_deal starter skunk double_skunk counting"
    )
    for option in (*options.split(), "muggins"):
        every = {getattr(rules, option) for rules in EVERY_RULES}
        assert {getattr(rules, option) for rules in seen} == every
        assert len(every) > 1


def test_whole_games_keep_every_rule(subtests: pytest.Subtests) -> None:
    for number in range(25):
        with subtests.test(number=number):
            assert check(number, closely=0.04) > 20


@pytest.mark.long
@pytest.mark.parametrize("hundreds", range(1, 5))
def test_a_hundred_whole_games(hundreds: int) -> None:
    for number in range(hundreds * 100, hundreds * 100 + 100):
        assert check(number, closely=0.04) > 20


@pytest.mark.slow
def test_twenty_thousand_whole_games() -> None:
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as workers:
        moments = list(workers.map(partial(check, closely=0.06), range(500, 20_500), chunksize=50))
    assert len(moments) == 20_000
    assert sum(moments) > 5_000_000


def claimed_game(number: int) -> Counter[str]:
    """Check the final scores of a game of claims by the second referee; return the kinds of claims."""
    rules = rules_of(number, CLAIMED)
    moments = list(game(number, rules))
    last = moments[-1].after
    judged = Referee(rules, [moment.action for moment in moments]).judge()
    assert last.won is not None
    assert tuple(judged.scores) == last.front, number
    assert judged.winner == last.won.side
    assert tuple(judged.lost) == last.won.lost
    result: Counter[str] = Counter({rules.variant.value: 1, rules.muggins.value: 1})
    for moment in moments:
        for event in moment.events:
            if isinstance(event, Pegged) and event.reason is PeggedFor.MUGGINS:
                result[event.scores[0].rule] += 1
    return result


def test_muggins_agree_with_the_second_referee() -> None:
    result = sum(map(claimed_game, range(20)), Counter[str]())
    assert result["R94"] > 0
    assert result["R95"] > 0


@pytest.mark.slow
def test_muggins_in_two_thousand_games() -> None:
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as workers:
        result = sum(workers.map(claimed_game, range(100, 2_100), chunksize=20), Counter[str]())
    assert result["R94"] > 5_000
    assert result["R95"] > 5_000
    games_of = [
        result[variant] for variant in ("six-card", "five-card", "three-handed", "partners", "four-handed")
    ]
    assert sum(games_of) == 2_000
    assert min(games_of) > 100
    assert min(result[strength] for strength in ("off", "missed", "missed-and-overclaims")) > 500
