"""The compiled look-ahead search and the arrays find the same values bit for bit."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from fifteentwo.analysis.pegging import compiled_search, look_ahead, look_ahead_search
from fifteentwo.analysis.pegging.look_ahead import EQUILIBRIUM, PEOPLE, LookAhead, Opponent
from fifteentwo.fast.compiled import has_numba, make_ready
from fifteentwo.rules.view import View
from tests.support.pegging_views import pegging_views

pytestmark = pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")


@pytest.fixture(autouse=True)
def kernels() -> None:
    assert make_ready(compiled_search.__name__) is None


@pytest.fixture
def views() -> list[View]:
    """Return 200 Views of two games, half of them moved near the end of a game."""
    found = [view for other in ("club", "expert") for view in pegging_views(other)]
    scores = [(113, 117), (119, 108), (90, 120)]
    near = [replace(view, front=scores[number % 3]) for number, view in enumerate(found) if number % 2]
    return [*found, *near][:200]


def by_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_ahead, "search", look_ahead_search.search)
    monkeypatch.setattr(look_ahead, "expected", look_ahead_search.expected)


def test_kernels_find_what_arrays_find(views: list[View], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(look_ahead_search, "Walk", None)
        compiled = [(search.points_and_chances(), search.parts()) for search in map(LookAhead, views[::12])]
    by_arrays(monkeypatch)
    for view, (values, parts) in zip(views[::12], compiled, strict=True):
        search = LookAhead(view)
        found = search.parts()
        assert values == search.points_and_chances()
        assert parts.keys() == found.keys() == values[0].keys()
        for rank, made in parts.items():
            assert made == pytest.approx(found[rank], abs=1e-9)
    assert len(views) == 200


@pytest.mark.parametrize("opponent", [EQUILIBRIUM, PEOPLE], ids=["equilibrium", "people"])
def test_kernels_find_one_value_as_arrays_do(
    opponent: Opponent, views: list[View], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> Iterator[object]:
        for view in views[::70]:
            ahead = LookAhead(view, opponent)
            yield ahead.points(), ahead.chances(games=True), ahead.chance()

    compiled = list(found())
    by_arrays(monkeypatch)
    assert compiled == list(found())


def test_a_process_loads_numba_only_for_many_cards(
    views: list[View], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []
    monkeypatch.setattr(compiled_search, "sys", SimpleNamespace(modules={}))
    monkeypatch.setattr(compiled_search, "_search_numbers", iter(range(1, 100)))
    monkeypatch.setattr(compiled_search, "stored_kernels", lambda *_: loaded.append(True))
    last = [view for view in views if len(view.hand) == 1]
    for view in last[: compiled_search.SEARCHES_BEFORE_LOADING]:
        LookAhead(view).points()
    assert loaded == []
    LookAhead(last[0]).points()
    assert loaded == [True]
