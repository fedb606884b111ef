"""The bytes of the pegging book: the probability of the lower of two ranks."""

import numpy as np
import pytest

from lab.six_card.pegging_book_kernels import encode_three, encode_two
from lab.six_card.tree_kernels import count_cells


@pytest.mark.parametrize(
    ("lower", "higher", "byte"), [(3.0, 1.0, 191), (1.0, 3.0, 64), (2.0, 0.0, 255), (0.0, 0.0, 128)]
)
def test_a_byte_is_the_probability_of_the_lower_rank_in_255ths(
    lower: float, higher: float, byte: int
) -> None:
    ranks = 0b11
    cells = count_cells(2, ranks)
    total = np.array([lower, higher] * (cells // 2), np.float32)
    packed = np.zeros(cells // 2, np.uint8)
    encode_two(total, 0, ranks, 0, packed)
    assert packed.tolist() == [byte] * (cells // 2)


def test_unreached_cells_are_even() -> None:
    ranks, total = 0b11, np.zeros(2 * 91, np.float32)
    total[7] = 2.0
    packed = np.full(2 * 91, 9, np.uint8)
    encode_three(total, 0, ranks, 0, packed)
    assert packed[7] == 255
    assert set(np.delete(packed, 7)) <= {1, 0}
    assert packed[8] == 1
