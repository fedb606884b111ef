"""All six-card hands as rank classes and suit patterns, with the mean points of their 15 options.

18,395 rank classes with the suit patterns of their shapes make the 962,988 classes of six-card hands, of
20,358,520 deals. Positions are the six cards in ascending order of rank; option o discards positions
OPTIONS[o].
"""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import FOURS, hand_numbers
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.show import rank_points
from fifteentwo.fast.show_kernels import FLUSH
from fifteentwo.fast.suits import suit_bit, suit_names
from fifteentwo.strategy.pegging_points import dealt_ranks
from lab.six_card.ranges import ways_to_hold

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
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


class SuitClasses(NamedTuple):
    """The suit patterns (p) of rank classes (m): suit class = class_start[m] + pattern - shape_start[m]."""

    class_start: Ints
    """(m + 1,) first suit class of each rank class."""
    shape_start: Ints
    """(m,) first pattern of the class's shape."""
    suits: Ints
    """(p, cards) the suit of each position."""
    weight: Floats
    """(p,) number of deals of a pattern."""

    def rows(self) -> tuple[Ints, Ints]:
        """Return the rank class and the suit pattern of each suit class."""
        classes = np.repeat(np.arange(len(self.shape_start)), np.diff(self.class_start))
        first = self.shape_start[classes] - self.class_start[classes]
        return classes, first + np.arange(len(classes))


def suit_classes(copies: Ints) -> SuitClasses:
    """Return the suit classes of rank classes. copies: (m, 13)."""
    start: dict[tuple[int, ...], int] = {}
    rows: list[tuple[Suits, int]] = []
    shapes = [tuple(row[row > 0].tolist()) for row in copies]
    for shape in shapes:
        if shape not in start:
            start[shape] = len(rows)
            rows += suit_patterns(shape)
    sizes = [len(suit_patterns(shape)) for shape in shapes]
    return SuitClasses(
        np.cumsum([0, *sizes]),
        np.array([start[shape] for shape in shapes]),
        np.array([suits for suits, _ in rows]),
        np.array([number for _, number in rows], np.float32),
    )


class SuitTables(NamedTuple):
    """Points that depend on suits, for suits (n, cards) and options (o)."""

    flush: Doubles
    """(n, o) mean flush points of the kept hand."""
    crib_flush: Doubles
    """(n, o) mean flush points of the crib, if the other side's two cards are random."""
    jack: Doubles
    """(n, cards) probability that the starter has the suit of this position."""
    suited: Doubles
    """(n, o) 1 if the pair discarded has one suit."""


def suit_tables(suits: Ints, flush_points: int) -> SuitTables:
    """Return the tables of hands with these suits. flush_points: of a flush without the starter."""
    size = suits.shape[1]
    unseen = 52 - size
    held = (suits[:, :, None] == np.arange(4)).sum(axis=1)
    left = 13 - np.take_along_axis(held, suits, 1)
    jack = left / unseen
    gone, stays = ways(size, 2)
    flush, crib_flush, suited = np.zeros((3, len(suits), len(gone)))
    for option, ((i, j), kept) in enumerate(zip(gone, stays, strict=True)):
        has_flush = (suits[:, kept] == suits[:, kept[:1]]).all(axis=1)
        flush[:, option] = np.where(has_flush, flush_points + jack[:, kept[0]], 0)
        n = left[:, i]
        suited[:, option] = suits[:, i] == suits[:, j]
        starters = 5 * n * (n - 1) * (n - 2) / (unseen * (unseen - 1) * (unseen - 2))
        crib_flush[:, option] = suited[:, option] * starters
    return SuitTables(flush, crib_flush, jack, suited)


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

    def deals(self) -> npt.NDArray[np.float64]:
        """(18395,) number of deals with the ranks of each rank class."""
        return ways_to_hold(self.copies)


@cache
def six_cards() -> SixCards:
    """Build the arrays; about 3 s."""
    ranks = dealt_ranks()
    gone, kept = ways(6, 2)
    keep_of, copies = hand_numbers(ranks[:, kept]), (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    classes = suit_classes(copies)
    shown = rank_points(5).reshape((13,) * 5)[tuple(FOURS.T)]
    first_jack = (ranks < JACK).sum(axis=1)
    return SixCards(
        ranks,
        copies,
        classes.shape_start,
        classes.class_start,
        keep_of,
        hand_numbers(ranks[:, gone]),
        np.stack([first_jack, first_jack + copies[:, JACK]], axis=1),
        np.einsum("mos,ms->mo", shown[keep_of], (4 - copies) / 46).astype(np.float32),
        classes.weight,
        *(table.astype(np.float32) for table in suit_tables(classes.suits, FLUSH)),
    )
