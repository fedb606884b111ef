"""The statistics of the comparison of win probabilities with deals played out."""

from typing import Any

import pytest

from lab.measure.rollouts import summary


def row(board: tuple[int, int], dealt: list[float], halves: list[list[float]]) -> dict[str, Any]:
    return {"board": board, "computed": [0.52, 0.5], "dealt": dealt, "error": [0.01, 0.01], "halves": halves}


def test_the_best_way_of_one_half_of_the_deals_is_judged_by_the_other() -> None:
    """The first half finds the second way best, by which the other loses 2; the reverse changes nothing."""
    found = summary([row((0, 0), [0.5, 0.51], [[0.5, 0.54], [0.5, 0.48]])])
    assert found["positions"] == 1
    assert found["near"] == 0
    assert found["error"] == pytest.approx(2.0)
    assert found["error_se"] == pytest.approx(1.0)
    assert found["best_way_loses"] == pytest.approx(-1.0)
    assert found["best_way_loses_at_most"] == pytest.approx(1.0)
