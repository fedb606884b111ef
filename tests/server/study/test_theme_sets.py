"""The shipped sets of problems: small, of every theme, each with one right answer."""

import gzip
import json
import random
from itertools import pairwise
from typing import Any

import pytest

from fifteentwo.analysis.review.review import judged
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import choices
from fifteentwo.server.study.problems import (
    LADDER_THEME,
    RUNG_LEVELS,
    SETS_FILE,
    THEMES,
    place_on_ladder,
    problem_sets,
)
from fifteentwo.strategy.files import data_file
from lab.measure.practice_sets import THEMES as THEMES_MADE
from lab.measure.practice_sets import theme_of
from tests.support.live_server import Person


def test_every_theme_has_problems_and_the_file_is_small() -> None:
    packed = data_file(SETS_FILE).read_bytes()
    assert len(packed) < 200_000
    stored = json.loads(gzip.decompress(packed))
    assert set(THEMES) == set(THEMES_MADE)
    assert all(len(views) >= 30 for views in problem_sets().values())
    assert all(one["gap"] >= 0.01 and one["gap"] >= 3 * one["error"] for one in stored["problems"])
    seen = [json.dumps(one["view"]) for one in stored["problems"]]
    assert len(seen) == len(set(seen))


def test_the_best_choice_wins_one_game_in_a_hundred_more_than_the_next(subtests: pytest.Subtests) -> None:
    for theme in THEMES:
        with subtests.test(theme=theme):
            for seen in random.Random(theme).sample(problem_sets()[theme], 3):
                assert seen.phase in (Phase.DISCARD, Phase.PLAY)
                decision = judged(seen, choices(seen)[0])  # type: ignore[arg-type]
                assert decision is not None
                best, second = decision.options[:2]
                assert best["win"] - second["win"] >= 0.01


@pytest.mark.parametrize("theme", ["crib", "keeping"])
def test_a_discard_has_the_theme_that_its_figures_give(theme: str) -> None:
    for seen in problem_sets()[theme][::4]:
        decision = judged(seen, choices(seen)[0])  # type: ignore[arg-type]
        assert decision is not None
        assert theme_of(seen, decision) == theme


def test_a_set_starts_again_after_its_last_problem(aiko: Person) -> None:
    at, many = "/practice/sets/keeping", len(problem_sets()["keeping"])
    first = aiko.browser.get(f"{at}/next.json?n=0").json()["problem"]
    assert aiko.browser.get(f"{at}/next.json?n={many}").json()["problem"] == first
    best = aiko.browser.post(f"{at}/answer", json={"id": "0", "cards": first["hand"][:2]}).json()["best"]
    right = aiko.browser.post(f"{at}/answer", json={"id": "0", "cards": best}).json()
    assert (right["right"], right["loss"]) == (True, 0)
    assert right["why"], "a right answer has its reason as well"
    assert aiko.browser.get("/practice/sets/nothing").status_code == 404
    wrong: tuple[Any, ...] = ({"id": "9999", "cards": best}, {"id": "0", "cards": ["5H"] * 9}, {"id": 0}, [])
    for body in wrong:
        assert aiko.browser.post(f"{at}/answer", json=body).status_code in (400, 404)


def test_the_ladder_has_every_problem_once_and_gets_harder() -> None:
    found = problem_sets()
    ladder = found[LADDER_THEME]
    assert len(ladder) == sum(len(found[theme]) for theme in THEMES)
    assert set(ladder) == {view for theme in THEMES for view in found[theme]}
    read = json.loads(gzip.decompress(data_file(SETS_FILE).read_bytes()))["problems"]
    gap_of = {(*one["view"]["hand"], *one["view"]["front"], one["view"]["count"]): one["gap"] for one in read}
    gaps = [gap_of[(*(card.text for card in view.hand), *view.front, view.count)] for view in ladder]
    size = place_on_ladder(1, 0)
    assert gaps[:size] == sorted(gaps[:size], reverse=True)
    assert gaps[size:] == sorted(gaps[size:], reverse=True)
    assert max(max(view.front) for view in ladder[:size]) <= 60
    assert gaps[size - 1] > gaps[-size], "the first rung is easier than the last"


def test_every_problem_is_on_one_rung_and_a_rung_starts_again() -> None:
    size = len(problem_sets()[LADDER_THEME])
    rungs = [{place_on_ladder(rung, number) for number in range(size)} for rung in range(len(RUNG_LEVELS))]
    assert sorted(place for rung in rungs for place in rung) == list(range(size))
    assert max(map(len, rungs)) - min(map(len, rungs)) <= 1
    assert all(max(one) < min(after) for one, after in pairwise(rungs))
    assert place_on_ladder(99, 0) == min(rungs[-1])
