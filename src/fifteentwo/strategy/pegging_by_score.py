"""Pegging by the score: which solved book to play by at each board, and the books for other weights.

The first book is for net points: a point of the other side costs what an own point brings. At most boards one
counts for more than the other. So there are books solved for other weights, and a table of which of
all suits a board, both made by `fifteentwo solve pegging-by-score`. Such a book holds what a side plays that
has played by it from the first card; where it does not lead it holds nothing.
"""

import zlib
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.book_policy import BookArrays
from fifteentwo.strategy.board import TARGET
from fifteentwo.strategy.files import SolvedTables, data_file, read_tables
from fifteentwo.strategy.pegging import PeggingBook, load_pegging_book

FILE = "pegging_by_score.table"
NET = 0
"""The number of the book for net points."""


class Tables(NamedTuple):
    """What the file holds."""

    book: npt.NDArray[np.uint8]
    """(121, 121) number of the book for a deal begun at [dealer's score, pone's]."""
    ends: npt.NDArray[np.int64]
    """(books, 171) where in `packed` the parts of each other book begin: top, then 169 branches; the end."""
    packed: npt.NDArray[np.uint8]
    """Cells as `PeggingBook` has them, each part compressed; for the nodes of the book for net points."""


class WeightedBook(PeggingBook):
    """A solved book for another weight: other cells in the nodes of the book for net points."""

    def __init__(self, tables: Tables, number: int) -> None:
        """Book number 1 or more of these tables."""
        self.name = FILE
        self.header = {}
        self._packed, self._ends = tables.packed, tables.ends[number - 1].tolist()
        self._branches = {}
        self.top = self._part(0)

    def _unpack(self, branch: int) -> BookArrays:
        return (
            load_pegging_book()
            .branch(branch)
            ._replace(
                cells=np.frombuffer(self._part(branch + 1), np.uint8), top=np.frombuffer(self.top, np.uint8)
            )
        )

    def _part(self, number: int) -> bytes:
        return zlib.decompress(self._packed[self._ends[number] : self._ends[number + 1]].tobytes())


@cache
def _file() -> SolvedTables:
    return read_tables(data_file(FILE))


def provenance() -> dict[str, Any]:
    """What the table was made from; raises DamagedTable."""
    return _file().about


def tables() -> Tables:
    """What ships; raises DamagedTable."""
    return Tables(*(_file().arrays[name] for name in Tables._fields))


@cache
def books() -> tuple[PeggingBook, ...]:
    """Every book by number; raises DamagedTable."""
    found = tables()
    return (load_pegging_book(), *[WeightedBook(found, number + 1) for number in range(len(found.ends))])


def number_at(dealer: int, pone: int) -> int:
    """The number of the book for a deal of a game to 121 begun at these scores; one below 0 counts as 0.

    Raises DamagedTable.
    """
    last = TARGET - 1
    return int(tables().book[min(max(dealer, 0), last), min(max(pone, 0), last)])
