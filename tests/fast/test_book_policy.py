"""Cells of the book: tables of all hands and look-ups of single hands have the same probabilities.

Every kind of node is checked.
"""

import random
from typing import Any

import numpy as np
import pytest

from fifteentwo.fast import book_policy
from fifteentwo.fast.book_policy import BookArrays
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import hands, number_by_digits, place
from fifteentwo.fast.play import CODE, LEAD, REPLY, TURN, value_of
from fifteentwo.strategy.pegging import Act, follow, load_pegging_book

KERNELS = [pytest.param(book_policy, id="plain"), pytest.param(compiled(book_policy.__name__), id="compiled")]


def histories(number: int) -> list[tuple[Act, ...]]:
    """Return public plays of every length in which the side on turn has a choice."""
    luck = random.Random(8)
    found: list[tuple[Act, ...]] = []
    while len(found) < number:
        acts: tuple[Act, ...] = ()
        for _ in range(luck.randrange(6)):
            position = follow(acts)
            fits = [
                rank
                for rank in range(13)
                if position.low[position.turn] < value_of(rank) <= 31 - position.total
                and position.seen[rank] < 4
            ]
            if not fits:
                break
            acts = (*acts, ("dealer" if position.turn else "pone", luck.choice(fits) + 1))
        if min(follow(acts).held) > 1:
            found.append(acts)
    return found


def whole_table(book: BookArrays, public: Any, size: int) -> np.ndarray | None:
    """Return the book's bytes for every hand of a node; None if it has none.

    Four or three cards: (13, rests) by the rank played. Two cards: (91,) of the lower rank.
    """
    if size == 4:
        first = book_policy.top_row(public[TURN], public[CODE])
        return book.top.reshape(-1, 455)[first : first + 13]
    branch = public[LEAD] * 13 + public[REPLY]
    place = book_policy.place_in_book(book.codes, book.at, book.starts, branch, public[CODE])
    if place < 0:
        return None
    ranks = book_policy.open_ranks(public)
    if size == 3:
        rows = np.zeros((13, 91))
        for rank in [rank for rank in range(13) if ranks >> rank & 1]:
            rows[rank] = book.cells[place : place + 91]
            place += 91
        return rows
    lower = np.full(91, 127.5)
    for hand, (one, two) in enumerate(hands(2)):
        if two > one and ranks >> one & 1 and ranks >> two & 1:
            lower[hand] = book.cells[place]
            place += 1
    return lower


@pytest.mark.parametrize("kernels", KERNELS)
def test_whole_tables_and_single_hands_agree(kernels: Any) -> None:
    book = load_pegging_book()
    by_size = dict.fromkeys((2, 3, 4), 0)
    for acts in histories(40):
        position = follow(acts)
        public = np.array(position.public, np.int64)
        branch = book.branch(int(public[LEAD] * 13 + public[REPLY]))
        size = position.held[position.turn]
        table = whole_table(branch, public, size)
        if table is None:
            continue
        full = (*branch, number_by_digits(3), number_by_digits(2))
        single = np.zeros(size)
        for at, hand in enumerate(hands(size)):
            seen = [position.seen[rank] + hand.count(rank) for rank in hand]
            if max(seen) > 4 or min(map(value_of, hand)) <= position.low[position.turn]:
                continue
            kernels.hand_policy(full, public, np.array(hand), size, single)
            for card, probability in zip(hand, single.tolist(), strict=True):
                if probability < 0:
                    continue
                rest = list(hand)
                rest.remove(card)
                if size > 2:
                    assert probability == table[card, place(size - 1)[tuple(rest)]]
                elif hand[0] != hand[1] and position.total + value_of(hand[1]) <= 31:
                    assert probability == pytest.approx(table[at] if card == hand[0] else 255 - table[at])
        by_size[size] += 1
    assert min(by_size.values()) > 3
