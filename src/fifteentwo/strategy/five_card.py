"""Discards and pegging of the five-card solution, read from its table.

A player knows its five cards, the starter's rank and every card played. A *type* is the three ranks kept, as
`fast.hands.TRIPLES`, and the two discarded, as `PAIRS`. Probabilities are multiples of 1/7, in blocks packed
by zlib: one for the lead, one for the reply to each lead, one for all play after each lead and reply. Within
a block the starter changes fastest, then the discarded ranks. Exploitability and method: docs/analysis.md.
"""

import zlib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.five_card import fitting, pair_place
from fifteentwo.fast.hands import TRIPLES, UP3, place
from fifteentwo.fast.play import value_of
from fifteentwo.rules.cards import Card
from fifteentwo.strategy.discards import Role, mixed_discards
from fifteentwo.strategy.files import tables

Bytes = npt.NDArray[np.uint8]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FILE = "five_card.table"
"""File of the five-card discard and pegging strategies."""
ROLES: tuple[Role, Role] = ("pone", "dealer")
STEPS = 7
"""Probabilities are multiples of 1/7."""
SPLITS: Bytes = np.array(
    [(a, b, STEPS - a - b) for a in range(STEPS + 1) for b in range(STEPS + 1 - a)], dtype=np.uint8
)
"""(36, 3) probabilities, in sevenths, of playing the different ranks of three, by stored byte."""
RANKS, PILES = 13, 91
"""Number of ranks, and of pairs of ranks that can be discarded."""
_FIRST = (len(TRIPLES), PILES, RANKS)
"""Shape of a block of leads or replies: [three ranks kept, two ranks discarded, starter's rank]."""
_PAIRS = comb(RANKS, 2)
"""Number of pairs of different ranks."""
LEAD, REPLY, REST, TYPES = 0, 1, 14, 183
"""Numbers of the first block of each kind: the lead, replies, later play, and how often each type is kept."""


SLOTS: Ints = np.array(
    [[sorted({*TRIPLES[three]}).index(rank) for three in UP3[rank]] for rank in range(RANKS)], np.int64
)
"""(13, 91) index of a rank among the sorted different ranks of a hand: [rank, number of the other two
ranks]."""


def provenance() -> dict[str, Any]:
    """Return parameters, code version and digest of the stored table."""
    return tables(FILE).about


def discard_frequencies(five: Sequence[Card], role: Role) -> dict[tuple[Card, Card], float]:
    """Return how often the solution discards each pair of these five cards, without pairs never discarded.

    Raises ValueError unless there are five different cards; DamagedTable.

    >>> from fifteentwo.rules.cards import cards
    >>> frequencies = discard_frequencies(cards("5H 5D JC 2D 8S"), "dealer")
    >>> [" ".join(map(str, pair)) for pair, often in frequencies.items() if often > 0.9]
    ['2D 8S']
    """
    if len(five) != 5 or len(set(five)) != 5:
        raise ValueError("Expected five different cards to discard from.")
    return mixed_discards(FILE, five, role)


def unpacked(arrays: Mapping[str, npt.NDArray[Any]], number: int) -> Bytes:
    """Return the unpacked bytes of a block of a table's arrays."""
    start, end = arrays["block_start"][number : number + 2]
    return np.frombuffer(zlib.decompress(arrays["blocks"][start:end].tobytes()), np.uint8)


@lru_cache(maxsize=48)
def block(number: int) -> Bytes:
    """Return the bytes of a block of the stored table: at most 1.3 MB and about 5 ms."""
    return unpacked(tables(FILE).arrays, number)


@cache
def fractions(role: Role) -> Doubles:
    """Return (455, 91) probabilities of keeping and discarding these ranks when the five ranks are dealt."""
    often = block(TYPES + ROLES.index(role)).view("<u2").astype(np.float64) / 65535
    return often.reshape(len(TRIPLES), PILES)


def first_cards(starter: int, lead: int | None = None) -> Doubles:
    """Return (13, 91, 91) probabilities of a lead or reply: [rank played, other two kept, two discarded]."""
    return by_rank(block(LEAD if lead is None else REPLY + lead), starter)


def by_rank(packed: Bytes, starter: int) -> Doubles:
    """Return (13, 91, 91) probabilities from a packed block: [rank played, other two kept, two discarded]."""
    splits = SPLITS[packed.reshape(_FIRST)[:, :, starter]] / STEPS
    return np.asarray(np.swapaxes(splits, 1, 2)[UP3, SLOTS])


def second_cards(starter: int, played: Sequence[int]) -> Doubles:
    """Return (pairs, 91) probabilities of playing the lower of two ranks: [two ranks left, two discarded].

    Both ranks fit and differ. played: the two or three ranks played. Pairs as in `fast.five_card.pair_place`.
    """
    start, ranks = _rest(played)
    numbers = block(REST + RANKS * played[0] + played[1]).reshape(-1, RANKS)
    return numbers[start * PILES : (start + comb(ranks, 2)) * PILES, starter].reshape(-1, PILES) / STEPS


def card_frequencies(
    kept: Sequence[int], discarded: Sequence[int], starter: int, played: Sequence[int]
) -> dict[int, float] | None:
    """Return how often a side on turn plays each rank (0–1); None if it never reaches this decision.

    kept, discarded, played: ranks 0–12, up to three played; `kept` includes the own ranks in `played`.
    """
    own = played[len(played) % 2 :: 2]
    held = sorted(kept)
    before = _first(held, discarded, starter, played[: len(played) % 2])
    for rank in own:
        held.remove(rank)
    if not own:
        return before
    if before[own[0]] == 0:
        return None
    low, high = held
    pile = place(2)[tuple(sorted(discarded))]
    start, ranks = _rest(played)
    cell = ((start + pair_place(low, high, ranks)) * PILES + pile) * RANKS + starter
    lower = block(REST + RANKS * played[0] + played[1])[cell] / STEPS
    return {low: float(lower), high: float(1 - lower)}


def _first(
    kept: Sequence[int], discarded: Sequence[int], starter: int, before: Sequence[int]
) -> dict[int, float]:
    """Return how often a side leads each of its ranks, or replies with it to the lead in `before`."""
    number = REPLY + before[0] if before else LEAD
    three, two = place(3)[tuple(kept)], place(2)[tuple(sorted(discarded))]
    splits = SPLITS[block(number)[(three * PILES + two) * RANKS + starter]]
    return {rank: float(splits[at]) / STEPS for at, rank in enumerate(sorted({*kept}))}


def _rest(played: Sequence[int]) -> tuple[int, int]:
    """Return the index of the decisions after these cards in their block, and how many ranks fit."""
    if len(played) == 2:
        return 0, RANKS
    count = value_of(played[0]) + value_of(played[1])
    before = sum(comb(fitting(count + value_of(rank)), 2) for rank in range(played[2]))
    return _PAIRS + before, fitting(count + value_of(played[2]))
