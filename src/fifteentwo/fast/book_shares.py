"""The shares of a solved book of the play: the one place that knows where its cells lie.

Every share is a byte, 255 for always. The lead and the reply to it have a row of 455 shares for each rank, by
the three ranks that stay. Every later node has cells for the ranks that are *open* there (`is_open`): of
three cards a row of 91 for each open rank, by the two that stay; of two cards one cell for each two open
ranks, the share of the lower one.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import borrowing, kernel
from fifteentwo.fast.play import CODE, COUNT, LEAD, LOWS, REPLY, SEEN, TURN, value_of


class BookArrays(NamedTuple):
    """A book, or one branch of it, unpacked for loops. A branch is the first two ranks, lead * 13 + reply."""

    codes: npt.NDArray[np.int64]
    """(nodes,) public histories in base 15, ascending within each branch."""
    at: npt.NDArray[np.int64]
    """(nodes,) where each node's cells begin."""
    cells: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    """(170,) the first node of each branch."""
    top: npt.NDArray[np.uint8]
    """(182 * 455,) 13 rows for the lead, then 13 for the reply to each lead."""


@borrowing
def top_row(turn: int, code: int) -> int:
    """The first of 13 rows for the lead (turn 0), or for the reply to the lead that `code` tells."""
    return 0 if turn == 0 else 13 + 13 * (code - 1)


@borrowing
def is_open(rank: int, count: int, low: int, seen: int) -> bool:
    """Whether a node has cells for a rank: it fits, counts more than a go ruled out, and is not all laid."""
    value = value_of(rank)
    return value > low and count + value <= 31 and seen < 4


@borrowing
def place_in_book(codes: Any, at: Any, starts: Any, branch: int, code: int) -> int:
    """Where the cells of a public history begin, -1 where the book has none."""
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


@borrowing
def node_of(book: Any, here: Any) -> int:
    """Where the cells of a public play (as `fast.play` keeps it) begin, -1 where the book has none."""
    return int(place_in_book(book.codes, book.at, book.starts, here[LEAD] * 13 + here[REPLY], here[CODE]))


@borrowing
def rows_of_four(book: Any, here: Any, shares: Any) -> None:
    """shares[rank, rest], 0–255, for every hand of four: the lead or the reply to it."""
    first = top_row(here[TURN], here[CODE])
    for rank in range(13):
        for rest in range(455):
            shares[rank, rest] = book.top[(first + rank) * 455 + rest]


@borrowing
def rows_of_three(book: Any, here: Any, shares: Any) -> bool:
    """shares[rank, rest], 0–255, for every hand of three and open rank; whether the book has any."""
    place = node_of(book, here)
    if place < 0:
        return False
    for rank in range(13):
        if is_open(rank, here[COUNT], here[LOWS + here[TURN]], here[SEEN + rank]):
            for rest in range(91):
                shares[rank, rest] = book.cells[place + rest]
            place += 91
    return True


@borrowing
def shares_of_two(book: Any, here: Any, shares: Any) -> bool:
    """shares[hand], 0–1, of the lower rank of every hand of two, 1/2 where the book has none; whether it has
    any."""
    place = node_of(book, here)
    if place < 0:
        return False
    count = here[COUNT]
    low = here[LOWS + here[TURN]]
    hand = 0
    for one in range(13):
        one_open = is_open(one, count, low, here[SEEN + one])
        for two in range(one, 13):
            shares[hand] = 0.5
            if one_open and two > one and is_open(two, count, low, here[SEEN + two]):
                shares[hand] = book.cells[place] / 255.0
                place += 1
            hand += 1
    return True


@kernel
def book_share(book: Any, here: Any, cards: Any, held: int, i: int, pile_seen: Any) -> float:
    """The book's share, 0–255, for laying cards[i] of cards[:held], ascending; 1 where it has none.

    book: the arrays of `BookArrays`, then the numbers of three and of two ranks by digits. here: side, count,
    history code, low bound, first two cards. pile_seen: cards laid of each rank.
    """
    codes, at, cells, starts, top, triples, pairs = book
    turn, count, code, low, lead, reply = here[0], here[1], here[2], here[3], here[4], here[5]
    card = cards[i]
    rest = np.zeros(3, np.int64)
    n = 0
    for j in range(held):
        if j != i:
            rest[n] = cards[j]
            n += 1
    if held == 4:
        row = top_row(turn, code) + card
        return float(top[row * 455 + triples[(rest[0] * 13 + rest[1]) * 13 + rest[2]]])
    first = place_in_book(codes, at, starts, lead * 13 + reply, code)
    if first < 0:
        return 1.0
    place = -1
    other = -1
    size = 0
    for rank in range(13):
        if is_open(rank, count, low, pile_seen[rank]):
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
