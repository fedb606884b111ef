"""Hands up to the names of the suits: the smallest of 24 renamings, with one row for all of them."""

import random
from itertools import permutations

import pytest

from fifteentwo.fast.compiled import compiled, has_numba
from fifteentwo.fast.suits import ClassIndex, class_row, suit_bit, suit_names
from fifteentwo.strategy.discards import FILE, class_index
from fifteentwo.strategy.files import data_file, read_tables

RENAMINGS = tuple(permutations(range(4)))
HANDS = [
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 48, 51],
    [3, 7, 11, 15, 19, 23],
    [0, 5, 10, 15, 16, 21],
    [1, 2, 41, 42, 45, 46],
    *(sorted(random.Random(seed).sample(range(52), 6)) for seed in range(400)),
]


def renamed(hand: list[int], names: tuple[int, ...]) -> list[int]:
    return sorted(card & ~3 | names[card & 3] for card in hand)


@pytest.fixture(scope="module")
def index() -> ClassIndex:
    return class_index(read_tables(data_file(FILE)).arrays)


def test_the_names_are_those_of_the_smallest_renaming() -> None:
    for hand in HANDS:
        names = suit_names(sum(suit_bit(card >> 2, card & 3) for card in hand))
        chosen = tuple(names >> 2 * suit & 3 for suit in range(4))
        assert sorted(chosen) == [0, 1, 2, 3]
        # The first renaming that makes the smallest hand, so that equal suits keep their order.
        assert chosen == min(RENAMINGS, key=lambda renaming: (renamed(hand, renaming), renaming))


def test_a_row_belongs_to_a_hand_and_its_renamings_alone(index: ClassIndex) -> None:
    rows: dict[int, list[int]] = {}
    for hand in HANDS:
        smallest = min(renamed(hand, names) for names in RENAMINGS)
        for names in RENAMINGS:
            other = renamed(hand, names)
            order = [0] * 6
            row = class_row(other, index, order)
            assert sorted(order) == [0, 1, 2, 3, 4, 5]
            # Every position of the row has the same card up to the names.
            assert rows.setdefault(row, smallest) == smallest
            assert [other[place] >> 2 for place in order] == [card >> 2 for card in smallest]
            suits = [other[place] & 3 for place in order]
            pairs = {(suit, card & 3) for suit, card in zip(suits, smallest, strict=True)}
            assert len(pairs) == len(set(suits)) == len({card & 3 for card in smallest})
    assert len(rows) == len({tuple(min(renamed(hand, names) for names in RENAMINGS)) for hand in HANDS})


@pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")
def test_compiled_names_are_the_plain_ones() -> None:
    kernels = compiled("fifteentwo.fast.suits")
    for hand in HANDS:
        held = sum(suit_bit(card >> 2, card & 3) for card in hand)
        assert kernels.suit_names(held) == suit_names(held)
