"""How the two cards a player discarded move its first cards of pegging: a table, read, not reckoned.

The book of pegging knows the four ranks kept. Where it mixes cards, some of them are better with some
discards: what one discarded the other side does not hold. Here the discards choose among the cards of the
mixture. Over all discards with which a hand is kept each card is played as often as the book plays it, and
the other side does not see the discards, so a card shows what it showed before. `fifteentwo solve
own-discards` makes the table.

It holds the lead, the first reply, and the pone's second card, of the kept hands and cards played before
that matter. For each card of the book's mixture but the first, ascending: how much likelier than the first it
is, e ** (bias + steps of both ranks discarded / STEPS).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import copies, place
from fifteentwo.strategy.discards import Role
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.pegging import Act, load_pegging_book

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FILE = "own_discards.table"
STEPS = 8
"""Steps of the table to a factor of e."""
LONGEST = 2
"""Cards played before the last decision that the table has."""
_NONE = -1


class Tables(NamedTuple):
    """What the file holds."""

    sets: npt.NDArray[np.uint32]
    """(n,) a kept hand and the cards played, as `set_numbers` has them, ascending."""
    starts: npt.NDArray[np.uint32]
    """(n + 1,) the first row of each."""
    bias: npt.NDArray[np.float32]
    """(rows,)."""
    steps: npt.NDArray[np.int8]
    """(rows, 13)."""


def provenance() -> dict[str, Any]:
    """What the table was made from; raises DamagedTable."""
    return read_tables(data_file(FILE)).about


@cache
def load() -> Tables:
    """The table that ships; raises DamagedTable."""
    arrays = read_tables(data_file(FILE)).arrays
    return Tables(*(arrays[name] for name in Tables._fields))


def set_numbers(hands: Ints, line: Sequence[int]) -> Ints:
    """Numbers of kept hands (0–1,819) with the ranks (0–12) that both sides have played, two at most."""
    lead, reply = (*line, _NONE, _NONE)[:LONGEST]
    return hands * 196 + (lead + 1) * 14 + reply + 1


def moved(table: Tables, policy: Floats, hands: Ints, given: Ints, line: Sequence[int]) -> Floats:
    """(n, cards) how often each card is played by who knows its discards.

    policy: (n, cards) how often the book plays each card, ascending by rank; hands: (n,) the four ranks kept;
    given: (n,) the two ranks discarded (0–90); line: the ranks played so far.
    """
    numbers = set_numbers(hands, line)
    at = np.searchsorted(table.sets, numbers)
    at = np.minimum(at, len(table.sets) - 1)
    likely = policy > 0
    row = table.starts[at].astype(np.int64)[:, None] + likely.cumsum(axis=1) - 2
    later = likely & (likely.cumsum(axis=1) > 1) & (table.sets[at] == numbers)[:, None]
    row = np.where(later, row, 0)
    steps = (table.steps[row] * copies(2)[given][:, None]).sum(axis=2)
    weight = np.where(likely, np.exp(np.where(later, table.bias[row] + steps / STEPS, 0.0)), 0.0)
    known = later.any(axis=1, keepdims=True)
    return np.where(known, weight / weight.sum(axis=1, keepdims=True), policy)


def frequencies(
    own: Sequence[int], discarded: Sequence[int], history: Sequence[Act], role: Role
) -> dict[int, float]:
    """How often to play each rank now, as `PeggingBook.strategy`, for a side that also knows its discards.

    discarded: two ranks, 1–13. Raises ImpossiblePlay, DamagedTable.
    """
    often = load_pegging_book().strategy(own, history, role)
    if len(history) > LONGEST or len(often) < 2:
        return often
    line = [rank - 1 for _, rank in history if rank is not None]
    kept = [rank - 1 for rank in own] + line[len(line) % 2 :: 2]
    hand, given = (place(len(ranks))[tuple(sorted(ranks))] for ranks in (kept, [r - 1 for r in discarded]))
    ranks = sorted(often)
    policy = np.array([[often[rank] for rank in ranks]])
    known = moved(load(), policy, np.array([hand]), np.array([given]), line)[0]
    return dict(zip(ranks, known.tolist(), strict=True))
