"""The policy of a solved book of pegging: the only module that knows the layout of its cells.

Every probability is a byte, 255 for 1. The lead and the reply have a row of 455 for each rank, by the three
remaining ranks. Every later node has cells for its *open* ranks (`open_ranks`): with three cards a row of 91
for each open rank, by the two remaining ranks; with two cards one cell for each two open ranks, the
probability of the lower one.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import CODE, COUNT, LEAD, LOWS, REPLY, SEEN, TURN, playable, value_of


class BookArrays(NamedTuple):
    """An unpacked pegging book, or one branch of it. A branch is the first two ranks, lead * 13 + reply."""

    codes: npt.NDArray[np.int64]
    """(nodes,) public history of each node (`public[CODE]` of `fast.play`), ascending within each branch."""
    at: npt.NDArray[np.int64]
    """(nodes,) index of each node's first cell."""
    cells: npt.NDArray[np.uint8]
    """Action probabilities of all nodes as bytes: 255 is 1."""
    starts: npt.NDArray[np.int64]
    """(170,) index of the first node of each branch, then the number of nodes."""
    top: npt.NDArray[np.uint8]
    """(182 * 455,) probabilities with four cards, 255 for 1: 13 rows for the lead, then 13 for the reply
    to each lead; a row has the rank played, a column the number of the other three ranks."""


@kernel
def top_row(turn: int, code: Any) -> Any:
    """Return the first of 13 rows of `BookArrays.top`: for the lead (turn 0) or a reply (history `code`)."""
    return 0 if turn == 0 else 13 + 13 * (code - 1)


@kernel
def open_ranks(public: Any) -> int:
    """Return, as bits, ranks with cells in the book after the reply: those that fit and may still be held."""
    low = public[LOWS + public[TURN]]
    ranks = 0
    for rank in range(13):
        value = value_of(rank)
        if value > low and playable(public[COUNT], value) and public[SEEN + rank] < 4:
            ranks |= 1 << rank
    return ranks


@kernel
def ranks_below(ranks: int, rank: int) -> int:
    """Return how many of these ranks (bits) are below `rank`."""
    below = 0
    for lower in range(rank):
        below += ranks >> lower & 1
    return below


@kernel
def place_in_book(codes: Any, at: Any, starts: Any, branch: int, code: int) -> int:
    """Return the index of the first cell for a public history, -1 if the book has none."""
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
def hand_policy(book: Any, public: Any, cards: Any, held: int, policy: Any) -> None:
    """Write to policy[i] the probability (0–255) that the side on turn plays cards[i]; cards are ascending.

    cards[:held] are two to four ranks. The probability is 1 if the book has no cells, and -1 if a card does
    not fit or repeats the rank before. book: the arrays of `BookArrays`, then the numbers of three and of two
    ranks by digits (`hands.number_by_digits`).
    """
    codes, at, cells, starts, top, triples, pairs = book
    node = -1
    ranks = 0
    if held < 4:
        node = place_in_book(codes, at, starts, public[LEAD] * 13 + public[REPLY], public[CODE])
        ranks = open_ranks(public)
    size = ranks_below(ranks, 13)
    for i in range(held):
        card = cards[i]
        policy[i] = -1.0
        if not playable(public[COUNT], value_of(card)) or (i > 0 and card == cards[i - 1]):
            continue
        one = cards[1 if i == 0 else 0]
        two = cards[min(held - 1, 2 if i < 2 else 1)]
        if held == 4:
            row = top_row(public[TURN], public[CODE]) + card
            three = cards[3 if i < 3 else 2]
            policy[i] = top[row * 455 + triples[(one * 13 + two) * 13 + three]]
        elif node < 0:
            policy[i] = 1.0
        elif held == 3:
            policy[i] = cells[node + ranks_below(ranks, card) * 91 + pairs[one * 13 + two]]
        elif not ranks >> one & 1:
            policy[i] = 1.0
        else:
            low = ranks_below(ranks, min(card, one))
            high = ranks_below(ranks, max(card, one))
            probability = cells[node + low * (2 * size - low - 1) // 2 + high - low - 1]
            policy[i] = probability if card < one else 255 - probability
