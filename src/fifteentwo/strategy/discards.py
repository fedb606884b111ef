"""What the equilibrium discards and keeps: tables of the joint solution, read, not reckoned.

Two players, six cards. The strategies are mixed and depend on suits (a four-flush is kept); hands that differ
only in the names of suits have one row. Exploitability and method: docs/analysis.md.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Literal

import numpy.typing as npt

from fifteentwo.fast.suits import SixCardIndex, six_card_row
from fifteentwo.rules.cards import Card
from fifteentwo.strategy.files import data_file, read_tables

Role = Literal["pone", "dealer"]
FILE = "discards.table"
OPTIONS = tuple(combinations(range(6), 2))


@cache
def _tables() -> dict[str, npt.NDArray[Any]]:
    return read_tables(data_file(FILE)).arrays


@cache
def provenance() -> dict[str, Any]:
    """Parameters, seed, code version and digest of the shipped tables."""
    return read_tables(data_file(FILE)).about


def discard_frequencies(six: Sequence[Card], role: Role) -> dict[tuple[Card, Card], float]:
    """How often each pair of these six cards is discarded at equilibrium; pairs never discarded are left out.

    Raises ValueError unless there are six different cards; DamagedTable.

    >>> from fifteentwo.rules.cards import cards
    >>> frequencies = discard_frequencies(cards("5H 5D 5S JC 2D 8S"), "dealer")
    >>> [" ".join(map(str, pair)) for pair, often in frequencies.items() if often > 0.9]
    ['2D 8S']
    """
    if len(six) != 6 or len(set(six)) != 6:
        raise ValueError("Expected six different cards to discard from.")
    if role not in ("pone", "dealer"):
        raise ValueError(f"{role!r} is neither pone nor dealer.")
    tables = _tables()
    ordered, row = _placed(tuple(sorted(six, key=lambda card: card.index)))
    options = tables[f"{role}_options"][row]
    weight = int(tables[f"{role}_share"][row])
    first, second = OPTIONS[options & 15], OPTIONS[options >> 4]
    frequencies = {(ordered[first[0]], ordered[first[1]]): weight / 255}
    if weight < 255:
        frequencies[ordered[second[0]], ordered[second[1]]] = 1 - weight / 255
    return frequencies


def six_card_index(tables: Mapping[str, npt.NDArray[Any]]) -> SixCardIndex:
    """Where a discard table has its rows."""
    return SixCardIndex(tables["ranks"], tables["class_start"], tables["shape_start"], tables["patterns"])


@lru_cache(maxsize=4096)
def _placed(six: tuple[Card, ...]) -> tuple[tuple[Card, ...], int]:
    """The cards in the order of their row's positions, and the row. six: ascending."""
    order = [0] * 6
    row = six_card_row([card.index for card in six], six_card_index(_tables()), order)
    return tuple(six[place] for place in order), row
