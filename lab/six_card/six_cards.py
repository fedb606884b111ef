"""All six-card hands as rank classes and suit patterns, with the mean points of their 15 options.

18,395 rank classes with the suit patterns of their shapes make the 962,988 classes of six-card hands, of
20,358,520 deals. Positions are the six cards in ascending order of rank; option o discards positions
OPTIONS[o].
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import FOURS, place
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.show import rank_points
from fifteentwo.fast.suits import suit_bit, suit_names

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

OPTIONS = tuple(combinations(range(6), 2))
DEALS = 20_358_520

Suits = tuple[int, ...]


@cache
def suit_patterns(shape: tuple[int, ...]) -> tuple[tuple[Suits, int], ...]:
    """Return the suit patterns of a shape (copies of each rank, ascending), each with its number of hands.

    A pattern has the suits (0–3) of the six positions, ascending within a rank. It is the smallest one that a
    renaming of the suits gives.

    >>> len(suit_patterns((1, 1, 1, 1, 1, 1))), sum(n for _, n in suit_patterns((2, 2, 2)))
    (187, 216)
    """
    count: dict[Suits, int] = {}
    for groups in product(*(tuple(combinations(range(4), size)) for size in shape)):
        name = canonical_suits(groups)
        count[name] = count.get(name, 0) + 1
    return tuple(sorted(count.items()))


def canonical_suits(groups: tuple[tuple[int, ...], ...]) -> Suits:
    """Return the smallest renaming of the suits of a hand; groups: the suits of each rank."""
    names = suit_names(sum(suit_bit(rank, suit) for rank, group in enumerate(groups) for suit in group))
    return tuple(suit for group in groups for suit in sorted(names >> 2 * suit & 3 for suit in group))


class SixCards(NamedTuple):
    """Arrays over rank classes (m), suit patterns (p) and options (o)."""

    ranks: Ints
    """(18395, 6) ranks 0–12 ascending, in lexicographic order."""
    copies: Ints
    """(18395, 13)."""
    shape_start: Ints
    """(18395,) first pattern of the class's shape."""
    class_start: Ints
    """(18396,) first suit class of the class: suit class = class_start[m] + pattern - shape_start[m]."""
    keep_of: Ints
    """(18395, 15) the four ranks kept, 0–1,819."""
    pair_of: Ints
    """(18395, 15) the two ranks discarded, 0–90."""
    jacks: Ints
    """(18395, 2) first and one past the last position that holds a jack."""
    show: Floats
    """(18395, 15) mean rank points of the kept hand over the 46 starters."""
    weight: Floats
    """(p,) number of deals of a pattern."""
    flush: Floats
    """(p, 15) mean flush points of the kept hand."""
    crib_flush: Floats
    """(p, 15) mean flush points of the crib, if the other side's two cards are random."""
    jack: Floats
    """(p, 6) probability that the starter has the suit of this position."""
    suited: Floats
    """(p, 15) 1 if the pair discarded has one suit."""

    @property
    def suit_classes(self) -> int:
        """Number of suit classes, 962,988."""
        return int(self.class_start[-1])

    def rows(self) -> tuple[Ints, Ints]:
        """Return the rank class and the suit pattern of each suit class, (962988,) each."""
        classes = np.repeat(np.arange(len(self.ranks)), np.diff(self.class_start))
        return classes, self.shape_start[classes] + np.arange(self.suit_classes) - self.class_start[classes]

    def deals(self) -> npt.NDArray[np.float64]:
        """(18395,) number of deals with the ranks of each rank class."""
        ways = np.array([1.0, 4.0, 6.0, 4.0, 1.0])
        return np.asarray(ways[self.copies].prod(axis=1))


@cache
def six_cards() -> SixCards:
    """Build the arrays; about 3 s."""
    ranks = [hand for hand in combinations_with_replacement(range(13), 6) if _fits(hand)]
    shapes: dict[tuple[int, ...], int] = {}
    rows: list[tuple[Suits, int]] = []
    for hand in ranks:
        shape = shape_of(hand)
        if shape not in shapes:
            shapes[shape] = len(rows)
            rows.extend(suit_patterns(shape))
    keep_of = [[place(4)[tuple(r for i, r in enumerate(h) if i not in o)] for o in OPTIONS] for h in ranks]
    pair_of = [[place(2)[h[i], h[j]] for i, j in OPTIONS] for h in ranks]
    copies = np.array([np.bincount(hand, minlength=13) for hand in ranks], dtype=np.int64)
    sizes = [len(suit_patterns(shape_of(hand))) for hand in ranks]
    shown = rank_points(5).reshape((13,) * 5)[tuple(FOURS.T)]
    return SixCards(
        np.array(ranks, dtype=np.int64),
        copies,
        np.array([shapes[shape_of(hand)] for hand in ranks], dtype=np.int64),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array(keep_of, dtype=np.int64),
        np.array(pair_of, dtype=np.int64),
        np.array([_span(hand) for hand in ranks], dtype=np.int64),
        np.einsum("mos,ms->mo", shown[np.array(keep_of)], (4 - copies) / 46).astype(np.float32),
        np.array([n for _, n in rows], dtype=np.float32),
        *_suit_tables([suits for suits, _ in rows]),
    )


def _suit_tables(patterns: Sequence[Suits]) -> tuple[Floats, Floats, Floats, Floats]:
    flush, crib_flush, suited = (np.zeros((len(patterns), 15), dtype=np.float32) for _ in range(3))
    jack = np.zeros((len(patterns), 6), dtype=np.float32)
    for p, suits in enumerate(patterns):
        held = np.bincount(suits, minlength=4)
        jack[p] = [(13 - held[s]) / 46 for s in suits]
        for o, (i, j) in enumerate(OPTIONS):
            kept = {s for n, s in enumerate(suits) if n not in (i, j)}
            if len(kept) == 1:
                flush[p, o] = 4 + (13 - held[kept.pop()]) / 46
            if suits[i] == suits[j]:
                n = 13 - held[suits[i]]
                suited[p, o] = 1
                crib_flush[p, o] = 5 * n * (n - 1) * (n - 2) / (46 * 45 * 44)
    return flush, crib_flush, jack, suited


def shape_of(hand: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of cards of each rank in a hand, ranks ascending.

    >>> shape_of((0, 0, 3, 4, 4, 12))
    (2, 1, 2, 1)
    """
    return tuple(hand.count(rank) for rank in sorted(set(hand)))


def _fits(hand: tuple[int, ...]) -> bool:
    return max(hand.count(rank) for rank in hand) <= 4


def _span(hand: tuple[int, ...]) -> tuple[int, int]:
    first = sum(rank < JACK for rank in hand)
    return first, first + hand.count(JACK)
