"""Practice problems: the scores at the beginning of a deal, and the check for problems with two solutions."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.fast.compiled import has_numba
from fifteentwo.rules.events import DealEnded, Dealt
from fifteentwo.rules.record import replay
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.view import view
from fifteentwo.strategy.files import data_file
from lab.measure import practice_sets
from lab.measure.practice_sets import FILE, KEEPING, Gap, game, problems, scores_at_deal_start

in_bulk = pytest.mark.skipif(not has_numba(), reason="deals are played out in bulk only with numba")


def shipped() -> list[dict[str, Any]]:
    sets: dict[str, Any] = json.loads(gzip.decompress(data_file(FILE).read_bytes()))
    return list(sets["problems"])


@pytest.mark.parametrize("number", [2, 6, 8])
def test_began_returns_the_scores_before_the_deal(number: int) -> None:
    record = game(number, 5)
    state = start(record.rules, named=record.named)
    first, looked = state.front, 0
    for _, after, events in replay(record):
        if state.phase in (Phase.PLAY, Phase.DISCARD):
            for seat in (0, 1):
                assert scores_at_deal_start(view(state, seat)) == (first[seat], first[1 - seat])
                looked += 1
        if any(isinstance(event, Dealt | DealEnded) for event in events):
            first = after.front
        state = after
    assert looked > 100


@in_bulk
@pytest.mark.long
def test_shipped_problems_agree_on_other_deals() -> None:
    some = random.Random(7).sample(shipped(), 6)
    found = [practice_sets.check_problem(one, 4000, 9000 + place) for place, one in enumerate(some)]
    assert all(one.gap > 0 for one in found)
    assert sum(one.is_sure for one in found) >= 4


@in_bulk
def test_a_problem_with_two_solutions_is_dropped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = shipped()[:3]
    monkeypatch.setattr(practice_sets, "check_problem", lambda one, *_: Gap(one["gap"], 0.002))
    out = tmp_path / FILE
    sets = {"about": {}, "problems": [whole[0], whole[1] | {"gap": 0.005}, whole[2]]}
    packed = gzip.compress(json.dumps(sets).encode())
    monkeypatch.setattr(practice_sets, "data_bytes", lambda _: packed)
    found = practice_sets.check(100, 1, out=out, jobs=1, progress=lambda _: None)
    assert (found["problems"], found["agree"]) == (3, 2)
    left = json.loads(gzip.decompress(out.read_bytes()))
    assert left["problems"] == [whole[0], whole[2]]
    assert left["about"]["checked"]["dropped"] == 1


@in_bulk
@pytest.mark.long
def test_a_search_for_one_theme_finds_the_problems_of_a_full_search() -> None:
    record = game(106, 1)
    every = [one for one in problems(record, 600, 4) if one["theme"] == KEEPING]
    assert list(problems(record, 600, 4, (KEEPING,))) == every
    assert every
