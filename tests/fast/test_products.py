"""Products of large matrices equal the product in one piece, with blocks small enough for one core."""

from typing import Any

import numpy as np
import pytest

from fifteentwo.fast import products


@pytest.mark.parametrize("shape", [(1, 91, 450), (270, 91, 450), (990, 210, 135), (0, 4, 4), (3, 0, 2)])
def test_a_product_is_made_of_pieces_that_one_core_multiplies(
    shape: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    luck, (rows, inner, columns) = np.random.default_rng(1), shape
    left, right = luck.random((rows, inner)), luck.random((columns, inner)).T
    expected, pieces = left @ right, []
    matmul = np.matmul

    def recorded(one: Any, other: Any, **more: Any) -> Any:
        pieces.append(len(one) * one.shape[1] * other.shape[1])
        return matmul(one, other, **more)

    monkeypatch.setattr(np, "matmul", recorded)
    assert products.product(left, right) == pytest.approx(expected, abs=1e-12)
    assert sum(pieces) == rows * inner * columns
    assert max(pieces, default=0) <= products.ONE_THREAD_LIMIT
