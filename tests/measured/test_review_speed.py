"""A whole game is reviewed within seconds, with numba and without."""

from statistics import median

import pytest

from fifteentwo.fast.compiled import has_numba
from tests.measured.review_speed import measured

pytestmark = pytest.mark.timed


@pytest.mark.parametrize(
    ("numba", "most"),
    [
        pytest.param("", 2.0, marks=pytest.mark.skipif(not has_numba(), reason="numba is not installed")),
        ("off", 5.0),
    ],
)
def test_a_game_is_reviewed_in_seconds(numba: str, most: float) -> None:
    """The bound is processor time, which is about the time on an idle machine."""
    worked, _, decisions = measured(numba, 3)
    assert decisions > 40
    assert median(worked[1:]) <= most
