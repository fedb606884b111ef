"""The types of a player of five-card cribbage: three kept ranks and two discarded ranks.

Arrays over types have the shape (455, 91): kept ranks in the order of `fast.hands.TRIPLES`, discarded ranks
in the order of `PAIRS`. After one card of the side the shape is (91, 91), after two (13, 91). One deck deals
the types of both sides: with m cards of a rank left, types that hold α and β cards of it have (m)_(α+β)
ordered ways (falling factorial), and

    (m)_(α+β) = sum over j of (-1)^j C(m, j) · (α)_j (m-j)_(α-j) · (β)_j (m-j)_(β-j),

so a sum over the other side's types is a sum over the few multisets J that both sides may hold.
"""

from functools import cache
from itertools import combinations
from math import comb, factorial, perm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import PAIRS, TRIPLES, copies, hands, place
from lab.cfr import Doubles, Ints

Factors = npt.NDArray[np.int16]

KEPT, DISCARDED = len(TRIPLES), len(PAIRS)
"""Number of different kept hands (three ranks), and of discarded pairs (two ranks)."""
SHARED = 560
"""Number of multisets of at most three ranks, the empty multiset included."""
_STARTS = (0, 1, 14, 105)
"""Number of the first multiset of 0, 1, 2 and 3 ranks."""


def _parts(size: int) -> Ints:
    """Return (hands, 15 or 8) the numbers of the multisets of at most three ranks in each hand, then -1."""
    table = np.full((len(hands(size)), 15 if size == 4 else 8), -1, np.int64)
    for at, hand in enumerate(hands(size)):
        found: set[int] = set()
        for drawn in range(4):
            found |= {_STARTS[drawn] + place(drawn)[part] for part in combinations(hand, drawn)}
        table[at, : len(found)] = sorted(found)
    return table


PARTS3, PARTS4 = _parts(3), _parts(4)
"""Multisets of at most three ranks in each hand of three ranks, and in each hand of four."""
JOINED: Ints = np.array(
    [[place(4)[tuple(sorted((*one, *other)))] for other in hands(2)] for one in hands(2)], dtype=np.int64
)
"""(91, 91) number of the four ranks in two pairs: two ranks held and two discarded."""
_SHARED_COPIES: Ints = np.concatenate([copies(size) for size in range(4)])
"""(560, 13) number of cards of each rank in each multiset of at most three ranks."""


def deck(starter: int) -> Ints:
    """Return (13,) the number of cards of each rank that remain after the starter is turned up."""
    left = np.full(13, 4)
    left[starter] -= 1
    return left


@cache
def play_orders() -> Doubles:
    """Return (455, 91): for each type, the product of the factorials of its number of cards of each rank."""
    held = copies(3)[:, None] + copies(2)[None, :]
    return np.asarray(np.array([factorial(n) for n in range(6)], dtype=np.float64)[held].prod(axis=2))


class Removal(NamedTuple):
    """Factors that account for seen cards in sums over types. `three` includes the factor (-1)^j C(m, j)."""

    left: Ints
    """(13,) number of cards of each rank in the deck without the starter."""
    row: Ints
    """(455,) row of the tables `three` and `four`, by the multiset of the first three ranks played."""
    three: Factors
    """(1820, 455, 8) for types with three unplayed ranks: by `row`, these ranks, and a multiset in them."""
    four: Factors
    """(1820, 1820, 15) for types with four unplayed ranks: by `row`, these ranks, a multiset in them."""


def _factors() -> tuple[Factors, Factors]:
    """Return one rank's factors by [m, α, j] (module docstring): without and with (-1)^j C(m, j)."""
    plain = np.zeros((5, 5, 5), np.int16)
    for m in range(5):
        for own in range(5):
            for shared in range(min(own, m) + 1):
                plain[m, own, shared] = perm(own, shared) * perm(m - shared, own - shared)
    signs = np.array([[(-1) ** j * comb(m, j) for j in range(5)] for m in range(5)], np.int16)
    return plain, plain * signs[:, None, :]


@cache
def _tables() -> tuple[Factors, Factors, set[int]]:
    """Return `Removal.three` and `Removal.four`, filled on demand, and the set of filled rows; 113 MB."""
    rows = len(hands(4))
    return np.zeros((rows, *PARTS3.shape), np.int16), np.zeros((rows, *PARTS4.shape), np.int16), set()


def removal(starter: int) -> Removal:
    """Return the factors that account for seen cards, with a starter of this rank, 0–12; 30 MB, 0.5 s."""
    three, four, filled = _tables()
    row = np.array([place(4)[tuple(sorted((*played, starter)))] for played in hands(3)])
    new = [number for number in row.tolist() if number not in filled]
    plain, signed = _factors()
    for size, parts, factor, table in ((3, PARTS3, signed, three), (4, PARTS4, plain, four)):
        held = np.array(hands(size))
        # Only the first card of a rank counts.
        first = np.concatenate([held[:, :1] >= 0, held[:, 1:] != held[:, :-1]], axis=1)
        own = np.take_along_axis(copies(size), held, 1)
        common = [_SHARED_COPIES[parts, held[:, at, None]] for at in range(size)]
        for number in new:
            rest = 4 - copies(4)[number]
            product = table[number]
            product[:] = parts >= 0
            for at in range(size):
                factors = np.take_along_axis(factor[rest[held[:, at]], own[:, at]], common[at], 1)
                product *= np.where(first[:, at, None], factors, 1)
    filled.update(new)
    return Removal(deck(starter), row, three, four)
