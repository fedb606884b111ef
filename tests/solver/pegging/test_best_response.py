"""One hand against a book, by the compiled walk and by a plain one over the rules."""

import importlib.util
from collections.abc import Mapping

import numpy as np
import pytest

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import number_by_digits, place
from fifteentwo.solver.pegging.best_response import Dealt, Others, Pegging, dealer_values, pone_values
from fifteentwo.solver.pegging.ranges import HANDS
from fifteentwo.solver.pegging.response_kernels import BEST, BY_BOOK, new_walk
from fifteentwo.solver.pegging.tree import DEALER, PONE
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.own_discards import frequencies
from fifteentwo.strategy.pegging import book_arrays, load_pegging_book
from tests.solver.brute_force import Hand, Node, hand_value
from tests.solver.pegging.test_regret import by_the_book, row

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="slow without numba")


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
    kernels = compiled("fifteentwo.solver.pegging.response_kernels")
    line = np.zeros(0, np.int64)
    kernels.hand_values(side, ranks, chances, line, arrays, new_walk(), values)
    strategy = by_the_book(book)
    for which in (BEST, BY_BOOK):
        slow = hand_value(side, own, others, Node(), strategy, which == BEST)
        assert values[which] == pytest.approx(slow, abs=1e-6)


@pytest.mark.parametrize(
    ("side", "own", "others"),
    [
        (PONE, (2, 3, 7, 8), {(6, 7, 8, 9): 0.4, (4, 5, 6, 11): 0.35, (1, 2, 3, 10): 0.25}),
        (DEALER, (6, 7, 8, 9), {(2, 3, 7, 8): 0.4, (3, 4, 10, 11): 0.35, (1, 1, 2, 9): 0.25}),
    ],
)
def test_first_cards_moved_by_discards_against_brute_force(
    side: int, own: Hand, others: dict[Hand, float]
) -> None:
    """Both sides discarded a king and one card more; all that differs from the book is in the strategy."""
    book, given = load_pegging_book(), (5, 13)

    def strategy(hand: Hand, node: Node) -> Mapping[int, float]:
        roles: tuple[Role, Role] = ("pone", "dealer")
        acts = [(roles[turn], rank) for turn, rank in node.history]
        found = frequencies(hand, given, acts, roles[node.turn]) if len(acts) < 3 else plain(hand, node)
        moved.append(found != plain(hand, node))
        return found

    plain, moved = by_the_book(book), list[bool]()
    pair = np.array([place(2)[given[0] - 1, given[1] - 1]])
    dealt = [Dealt(np.array([row(hand)]), pair) for hand in (own, *others)]
    rest = Dealt(*(np.concatenate([one[part] for one in dealt[1:]]) for part in (0, 1)))
    find = pone_values if side == PONE else dealer_values
    values = find(dealt[0], np.array(list(others.values())), Others(Pegging(), rest))
    for which in (BEST, BY_BOOK):
        slow = hand_value(side, own, others, Node(), strategy, which == BEST)
        assert values[which] == pytest.approx(slow, abs=1e-5)
    assert any(moved)
