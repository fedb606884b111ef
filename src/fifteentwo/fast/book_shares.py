"""The shares of a solved book of the play, read from its arrays: the one place that knows where cells lie.

book: (codes, at, cells, starts, top), as `fifteentwo.book.play.book_arrays` makes it.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import CODE, COUNT, LEAD, LOWS, REPLY, SEEN, TURN, value_of


@kernel
def place_in_book(codes: Any, at: Any, starts: Any, branch: int, code: int) -> int:
    """Where the book's cells of a public history begin, -1 where it has none. branch: first two ranks."""
    low = starts[branch]
    stop = starts[branch + 1]
    high = stop
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low >= stop or codes[low] != code:
        return -1
    return int(at[low])


@kernel
def book_rows(here: Any, book: Any, size: int, raw: Any) -> int:
    """raw[rank, rest]: the book's shares (0–255) for hands of three or four; 0 where it has none.

    book: (codes, at, cells, starts, top), as `pegging.book_arrays` makes it.
    """
    codes, at, cells, starts, top = book
    turn = here[TURN]
    code = here[CODE]
    if size == 4:
        first = 0 if turn == 0 else 13 + 13 * (code - 1)
        for rank in range(13):
            for rest in range(455):
                raw[rank, rest] = top[(first + rank) * 455 + rest]
        return 1
    place = place_in_book(codes, at, starts, here[LEAD] * 13 + here[REPLY], code)
    if place < 0:
        return 0
    count = here[COUNT]
    bound = here[LOWS + turn]
    if size == 3:
        for rank in range(13):
            value = value_of(rank)
            if value > bound and count + value <= 31 and here[SEEN + rank] < 4:
                for rest in range(91):
                    raw[rank, rest] = cells[place + rest]
                place += 91
        return 1
    return 0


@kernel
def book_share(book: Any, here: Any, cards: Any, held: int, i: int) -> float:
    """The book's share for laying cards[i] of the side on turn, which holds cards[:held], ascending.

    book: (codes, at, cells, starts, top, triples, pairs) as `board_ends.solved` makes them.
    """
    codes, at, cells, starts, top, triples, pairs = book
    turn, count, code, lead, reply = here[TURN], here[COUNT], here[CODE], here[LEAD], here[REPLY]
    low = here[LOWS + turn]
    card = cards[i]
    rest = np.zeros(3, np.int64)
    n = 0
    for j in range(held):
        if j != i:
            rest[n] = cards[j]
            n += 1
    if held == 4:
        row = card if turn == 0 else 13 + 13 * (code - 1) + card
        return float(top[row * 455 + triples[(rest[0] * 13 + rest[1]) * 13 + rest[2]]])
    first = place_in_book(codes, at, starts, lead * 13 + reply, code)
    if first < 0:
        return 1.0
    place = -1
    other = -1
    size = 0
    for rank in range(13):
        value = value_of(rank)
        if value > low and count + value <= 31 and here[SEEN + rank] < 4:
            if rank == card:
                place = size
            if held == 2 and rank == rest[0]:
                other = size
            size += 1
    if held == 3:
        return float(cells[first + place * 91 + pairs[rest[0] * 13 + rest[1]]])
    if other < 0:
        return 1.0
    one = min(place, other)
    two = max(place, other)
    share = float(cells[first + one * (2 * size - one - 1) // 2 + two - one - 1])
    return share if place == one else 255 - share
