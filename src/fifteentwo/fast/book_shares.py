"""The shares of a solved book of the play, read from its arrays: the one place that knows where cells lie.

book: (codes, at, cells, starts, top), as `fifteentwo.book.play.book_arrays` makes it.
"""

from typing import Any

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
def open_ranks(here: Any) -> int:
    """The ranks that a node after the reply has cells for, as bits: they fit, no go ruled them out, some are
    left."""
    low = here[LOWS + here[TURN]]
    ranks = 0
    for rank in range(13):
        value = value_of(rank)
        if value > low and here[COUNT] + value <= 31 and here[SEEN + rank] < 4:
            ranks |= 1 << rank
    return ranks


@kernel
def ranks_below(ranks: int, rank: int) -> int:
    """How many of these ranks are below one."""
    below = 0
    for lower in range(rank):
        below += ranks >> lower & 1
    return below


@kernel
def hand_shares(book: Any, here: Any, cards: Any, held: int, shares: Any) -> None:
    """shares[i], 0–255: how often the side on turn lays cards[i] of cards[:held], two to four, ascending.

    1 where the book has none; -1 where a card does not fit or is of the rank before. book: as `book_rows`
    takes it, then the numbers of three and of two ranks by digits (`hands.number_by_digits`).
    """
    codes, at, cells, starts, top, triples, pairs = book
    node = -1
    ranks = 0
    if held < 4:
        node = place_in_book(codes, at, starts, here[LEAD] * 13 + here[REPLY], here[CODE])
        ranks = open_ranks(here)
    size = ranks_below(ranks, 13)
    for i in range(held):
        card = cards[i]
        shares[i] = -1.0
        if here[COUNT] + value_of(card) > 31 or (i > 0 and card == cards[i - 1]):
            continue
        one = cards[1 if i == 0 else 0]
        two = cards[min(held - 1, 2 if i < 2 else 1)]
        if held == 4:
            row = card if here[TURN] == 0 else 13 + 13 * (here[CODE] - 1) + card
            three = cards[3 if i < 3 else 2]
            shares[i] = top[row * 455 + triples[(one * 13 + two) * 13 + three]]
        elif node < 0:
            shares[i] = 1.0
        elif held == 3:
            shares[i] = cells[node + ranks_below(ranks, card) * 91 + pairs[one * 13 + two]]
        elif not ranks >> one & 1:
            shares[i] = 1.0
        else:
            low = ranks_below(ranks, min(card, one))
            high = ranks_below(ranks, max(card, one))
            share = cells[node + low * (2 * size - low - 1) // 2 + high - low - 1]
            shares[i] = share if card < one else 255 - share
