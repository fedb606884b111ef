"""One hand against a book, by the compiled walk and by a plain one over the rules."""

import importlib.util

import numpy as np
import pytest

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import number_by_digits
from fifteentwo.strategy.pegging import book_arrays, load_pegging_book
from lab.cfr import DEALER, PONE
from lab.measure.response_kernels import BEST, BY_BOOK, new_walk
from lab.six_card.ranges import HANDS
from tests.lab.brute_force import Hand, Node, hand_value
from tests.lab.six_card.test_pegging import by_the_book, row

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="slow without numba"),
]


@pytest.mark.parametrize(
    ("side", "own", "others"),
    [
        (PONE, (1, 1, 2, 10), {(10, 10, 11, 13): 0.3, (1, 1, 3, 8): 0.2, (9, 9, 9, 10): 0.5}),
        (DEALER, (1, 1, 3, 8), {(1, 1, 2, 10): 0.7, (9, 9, 9, 13): 0.3}),
        (DEALER, (10, 10, 11, 13), {(5, 5, 5, 10): 0.5, (2, 3, 4, 6): 0.5}),
    ],
)
def test_a_hand_against_the_book_equals_brute_force(side: int, own: Hand, others: dict[Hand, float]) -> None:
    book = load_pegging_book()
    chances, values = np.zeros(HANDS), np.zeros(2)
    for hand, chance in others.items():
        chances[row(hand)] = chance
    ranks = np.array(own) - 1
    arrays = (*book_arrays(book), number_by_digits(3), number_by_digits(2))
    kernels = compiled("lab.measure.response_kernels")
    kernels.hand_values(side, ranks, chances, arrays, new_walk(), values)
    strategy = by_the_book(book)
    for which in (BEST, BY_BOOK):
        slow = hand_value(side, own, others, Node(), strategy, which == BEST)
        assert values[which] == pytest.approx(slow, abs=1e-6)
