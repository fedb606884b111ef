"""What five-card cribbage's solution discards and plays: a table of the joint solution, read, not reckoned.

A player knows its five cards, the starter's rank and every card played. A *type* is the three ranks kept, as
`fast.hands.TRIPLES`, and the two discarded, as `PAIRS`. Probabilities are in steps of 1/7, in blocks packed
by zlib: one of the lead, one of the reply to each lead, one of all that follows each lead and reply. In each
the starter changes fastest, then the discarded ranks. Exploitability and method: docs/analysis.md.
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
ROLES: tuple[Role, Role] = ("pone", "dealer")
STEPS = 7
"""Probabilities are multiples of 1/7."""
SPLITS: Bytes = np.array(
    [(a, b, STEPS - a - b) for a in range(STEPS + 1) for b in range(STEPS + 1 - a)], dtype=np.uint8
)
"""(36, 3) sevenths of the different ranks of a hand of three, ascending, by the byte that stands for them."""
RANKS, PILES = 13, 91
_FIRST = (len(TRIPLES), PILES, RANKS)
_PAIRS = comb(RANKS, 2)
LEAD, REPLY, REST, TYPES = 0, 1, 14, 183
"""Numbers of the first block of each kind; of types there is one for each role."""


def _slots() -> Ints:
    """(13, 91): which of the different ranks of a hand each rank is, by the two that stay."""
    return np.array(
        [[sorted({*TRIPLES[three]}).index(rank) for three in UP3[rank]] for rank in range(RANKS)], np.int64
    )


SLOTS = _slots()


def provenance() -> dict[str, Any]:
    """Parameters, code version and digest of the shipped table."""
    return tables(FILE).about


def discard_frequencies(five: Sequence[Card], role: Role) -> dict[tuple[Card, Card], float]:
    """How often the solution discards each pair of these five cards; pairs never discarded are left out.

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
    """The bytes of a block."""
    start, end = arrays["block_start"][number : number + 2]
    return np.frombuffer(zlib.decompress(arrays["blocks"][start:end].tobytes()), np.uint8)


@lru_cache(maxsize=48)
def block(number: int) -> Bytes:
    """The bytes of a block that ships: 1.3 MB and some 5 ms at most."""
    return unpacked(tables(FILE).arrays, number)


@cache
def fractions(role: Role) -> Doubles:
    """(455, 91) fraction of its five ranks' deals that each type keeps and discards."""
    often = block(TYPES + ROLES.index(role)).view("<u2").astype(np.float64) / 65535
    return often.reshape(len(TRIPLES), PILES)


def first_cards(starter: int, lead: int | None = None) -> Doubles:
    """(13, 91, 91) probability of each lead, or reply to `lead`, by the two that stay and the discarded."""
    return by_rank(block(LEAD if lead is None else REPLY + lead), starter)


def by_rank(packed: Bytes, starter: int) -> Doubles:
    """The same of a block of leads or replies."""
    splits = SPLITS[packed.reshape(_FIRST)[:, :, starter]] / STEPS
    return np.asarray(np.swapaxes(splits, 1, 2)[UP3, SLOTS])


def second_cards(starter: int, played: Sequence[int]) -> Doubles:
    """(pairs, 91) probability of the lower of two different ranks that fit, by the two discarded.

    played: the two or three ranks so far. Pairs of ranks as in `fast.five_card.pair_place`.
    """
    start, ranks = _rest(played)
    numbers = block(REST + RANKS * played[0] + played[1]).reshape(-1, RANKS)
    return numbers[start * PILES : (start + comb(ranks, 2)) * PILES, starter].reshape(-1, PILES) / STEPS


def card_frequencies(
    kept: Sequence[int], discarded: Sequence[int], starter: int, played: Sequence[int]
) -> dict[int, float] | None:
    """Return how often a side on turn plays each rank, after up to three cards; None where it never comes.

    kept, discarded, played: ranks 0–12, the kept with those of `played` that are this side's own.
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
    """How often a type leads each of its ranks, or replies with it to the lead in `before`."""
    number = REPLY + before[0] if before else LEAD
    three, two = place(3)[tuple(kept)], place(2)[tuple(sorted(discarded))]
    splits = SPLITS[block(number)[(three * PILES + two) * RANKS + starter]]
    return {rank: float(splits[at]) / STEPS for at, rank in enumerate(sorted({*kept}))}


def _rest(played: Sequence[int]) -> tuple[int, int]:
    """Where decisions after these cards begin in their block, in pairs of ranks; how many ranks fit."""
    if len(played) == 2:
        return 0, RANKS
    count = value_of(played[0]) + value_of(played[1])
    before = sum(comb(fitting(count + value_of(rank)), 2) for rank in range(played[2]))
    return _PAIRS + before, fitting(count + value_of(played[2]))
