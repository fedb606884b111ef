"""How own discards move the first cards: values against a plain walk, fits against what they fit."""

import importlib.util

import numpy as np
import pytest

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import FOURS, copies, number_by_digits
from fifteentwo.solver.discards.six_cards import six_cards
from fifteentwo.solver.pegging import own_discards
from fifteentwo.solver.pegging.own_discards import Seat, fit, lines
from fifteentwo.solver.pegging.play_counts import KERNELS, NEVER_TAKEN, Holdings
from fifteentwo.solver.pegging.play_counts_kernels import Line, scratch
from fifteentwo.strategy.own_discards import STEPS
from fifteentwo.strategy.pegging import book_arrays, load_pegging_book
from tests.solver.brute_force import Hand, Node, after_card, hand_value, without
from tests.solver.pegging.test_regret import by_the_book, row

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="slow without numba")


@pytest.mark.parametrize(
    ("own", "others", "line"),
    [
        ((2, 2, 3, 4), ((4, 5, 6, 11), (7, 8, 9, 9), (2, 2, 2, 7)), ()),
        ((4, 4, 5, 6), ((1, 6, 6, 8), (1, 1, 2, 3), (1, 4, 11, 12)), (1,)),
        ((3, 3, 4, 5), ((4, 10, 11, 13), (6, 9, 10, 12), (3, 3, 3, 10)), (3, 10)),
    ],
)
def test_values_after_a_line_equal_brute_force(own: Hand, others: tuple[Hand, ...], line: Hand) -> None:
    book, side = load_pegging_book(), len(line) % 2
    arrays = (*book_arrays(book), number_by_digits(3), number_by_digits(2))
    found = Line(np.zeros(4), np.zeros(len(others)), np.zeros((4, len(others))))
    ranks, hands = np.array(line, np.int64) - 1, np.array(others) - 1
    compiled(KERNELS).follow_line(side, np.array(own) - 1, hands, ranks, arrays, scratch(), found)
    strategy = by_the_book(book)
    assert 0 < found.policy.max() < 1
    for at, other in enumerate(others):
        node, left, theirs, chance = Node(), own, other, 1.0
        for rank in line:
            if node.turn == side:
                left = without(left, rank)
            else:
                chance *= strategy(theirs, node).get(rank, 0.0) if rank in theirs else 0.0
                theirs = without(theirs, rank) if rank in theirs else theirs
            node, _ = after_card(node, rank)
        if any((*own, *other).count(rank) > 4 for rank in own):
            chance = 0.0
        assert found.reached[at] == pytest.approx(chance, abs=1e-6)
        for card, rank in enumerate(left):
            if chance > 0 and found.policy[card] > 0:
                then, points = after_card(node, rank)
                rest = hand_value(side, without(left, rank), {theirs: chance}, then, strategy, False)
                assert found.values[card, at] == pytest.approx(chance * points + rest, abs=1e-5)


def test_lines_hold_own_ranks_and_no_fifth_card() -> None:
    hand = row((5, 5, 5, 5))
    assert list(lines(hand, 0)) == [()]
    assert len(list(lines(hand, 1))) == 12
    assert {line[0] for line in lines(hand, 2)} == {4}
    assert all(line[1] != 4 for line in lines(hand, 2))


def test_a_card_that_is_better_with_some_discards_is_played_with_those() -> None:
    """Two cards, alike by all but what a discarded king adds to one of them."""
    six = six_cards()
    kept = row((1, 2, 3, 4))
    at, option = np.nonzero(six.keep_of == kept)
    at, first = np.unique(at, return_index=True)
    given = six.pair_of[at, option[first]]
    deals = six.deals()[at]
    start = np.zeros(len(FOURS) + 1, np.int64)
    start[kept + 1 :] = len(at)
    seat = Seat(
        Holdings(at, given, deals * (1 + NEVER_TAKEN), start), np.zeros((len(six.ranks), 2), np.float32)
    )
    kings = copies(2)[given][:, 12]
    seat.against[at, 0], seat.against[at, 1] = 1 - 0.1 * kings, 0.1 * kings
    values = np.zeros((4, 2))
    values[1] = -0.01, 1.0
    found = fit(Line(np.array([0.3, 0.7, 0, 0]), np.ones(2), values), seat, kept)
    assert found.steps.shape == (1, 13)
    apart = found.steps[0, 12] - found.steps[0, :12].astype(float)
    assert apart == pytest.approx(np.full(12, 0.101 * STEPS / own_discards.SHARP), abs=1.5)
    weight = np.exp(found.bias + copies(2)[given] @ found.steps[0] / STEPS)
    often = deals @ (weight / (1 + weight)) / deals.sum()
    assert often == pytest.approx(0.7, abs=1e-3)
    assert found.gain > 0
