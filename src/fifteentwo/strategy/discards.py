"""Discards of the equilibrium for two players with six cards, read from its tables.

The strategies are mixed and depend on suits (a four-flush is kept); hands that differ only in the names of
suits share a row. Exploitability and method: docs/analysis.md.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal

import numpy.typing as npt

from fifteentwo.fast.suits import ClassIndex, class_row
from fifteentwo.rules.cards import Card
from fifteentwo.strategy.files import tables

Role = Literal["pone", "dealer"]
FILE = "discards.table"
"""File of the six-card discard strategies."""


def provenance() -> dict[str, Any]:
    """Return parameters, seed, code version and digest of the stored discard strategies."""
    return tables(FILE).about


def discard_frequencies(six: Sequence[Card], role: Role) -> dict[tuple[Card, Card], float]:
    """Return how often the equilibrium discards each pair of these six cards, without pairs never discarded.

    Raises ValueError unless there are six different cards; DamagedTable.

    >>> from fifteentwo.rules.cards import cards
    >>> frequencies = discard_frequencies(cards("5H 5D 5S JC 2D 8S"), "dealer")
    >>> [" ".join(map(str, pair)) for pair, often in frequencies.items() if often > 0.9]
    ['2D 8S']
    """
    if len(six) != 6 or len(set(six)) != 6:
        raise ValueError("Expected six different cards to discard from.")
    return mixed_discards(FILE, six, role)


def mixed_discards(file: str, hand: Sequence[Card], role: Role) -> dict[tuple[Card, Card], float]:
    """Return how often a table discards each pair of a hand (0–1), without pairs never discarded."""
    if role not in ("pone", "dealer"):
        raise ValueError(f"{role!r} is neither pone nor dealer.")
    arrays = tables(file).arrays
    ordered, row = _placed(file, tuple(sorted(hand, key=lambda card: card.index)))
    options = arrays[f"{role}_options"][row]
    weight = int(arrays[f"{role}_probability"][row])
    pairs = tuple(combinations(ordered, 2))
    frequencies = {pairs[options & 15]: weight / 255}
    if weight < 255:
        frequencies[pairs[options >> 4]] = 1 - weight / 255
    return frequencies


def class_index(arrays: Mapping[str, npt.NDArray[Any]]) -> ClassIndex:
    """Return the index with which the rows of a discard table are found."""
    return ClassIndex(arrays["ranks"], arrays["class_start"], arrays["shape_start"], arrays["patterns"])


@lru_cache(maxsize=4096)
def _placed(file: str, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], int]:
    """Return the cards in the order of their table row, and the row. hand: ascending."""
    order = [0] * len(hand)
    row = class_row([card.index for card in hand], class_index(tables(file).arrays), order)
    return tuple(hand[place] for place in order), row
