"""All six-card hands as rank classes and suit patterns, with the mean points of their 15 options.

18,395 rank classes with the suit patterns of their shapes make the 962,988 classes of six-card hands, of
20,358,520 deals. Positions are the six cards in ascending order of rank; option o discards positions
OPTIONS[o].
"""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from fifteentwo.fast.discards import ways
from fifteentwo.fast.hands import FOURS, hand_numbers
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.show import rank_points
from fifteentwo.fast.show_kernels import FLUSH
from fifteentwo.fast.suits import suit_bit, suit_names
from fifteentwo.strategy.pegging_points import dealt_ranks
from lab.cfr import Doubles, Floats, Ints
from lab.six_card.ranges import ways_to_hold

OPTIONS = tuple(combinations(range(6), 2))
"""The 15 pairs of positions that can be discarded, of six cards in ascending order."""
DEALS = 20_358_520
"""Number of different six-card hands."""

Suits = tuple[int, ...]
"""The suit (0–3) of each position of a hand."""


@cache
def suit_patterns(shape: tuple[int, ...]) -> tuple[tuple[Suits, int], ...]:
    """Return the suit patterns of a shape (copies of each rank, ascending), each with its number of hands.

    A pattern has the suits (0–3) of all positions, ascending within a rank. It is the smallest one that a
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
    """Return the smallest renaming of a hand's suits; groups: the suits of each rank's cards."""
    names = suit_names(sum(suit_bit(rank, suit) for rank, group in enumerate(groups) for suit in group))
    return tuple(suit for group in groups for suit in sorted(names >> 2 * suit & 3 for suit in group))


class SuitClasses(NamedTuple):
    """Suit classes: rank class m with pattern p is number class_start[m] + p - shape_start[m]."""

    class_start: Ints
    """(rank classes + 1,) first suit class of each rank class."""
    shape_start: Ints
    """(rank classes,) first suit pattern of each rank class."""
    suits: Ints
    """(patterns, cards) the suit, 0–3, of each position."""
    weight: Floats
    """(patterns,) number of hands with this pattern in a rank class."""

    def rows(self) -> tuple[Ints, Ints]:
        """Return the rank class and the suit pattern of each suit class."""
        classes = np.repeat(np.arange(len(self.shape_start)), np.diff(self.class_start))
        first = self.shape_start[classes] - self.class_start[classes]
        return classes, first + np.arange(len(classes))


def suit_classes(copies: Ints) -> SuitClasses:
    """Return the suit classes of all rank classes. copies: (rank classes, 13) cards of each rank."""
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
    """Points that depend on suits only, for n combinations of suits."""

    flush: Doubles
    """(n, options) mean flush points of the kept hand."""
    crib_flush: Doubles
    """(n, options) mean flush points of the crib, if the other side's two cards are random."""
    jack: Doubles
    """(n, cards) probability that the starter has the suit of the card at this position (for nobs)."""
    suited: Doubles
    """(n, options) 1 if the two discarded cards have the same suit, otherwise 0."""


def suit_tables(suits: Ints, flush_points: int) -> SuitTables:
    """Return points that depend on suits, (n, cards). flush_points: of a flush without the starter."""
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
    """Arrays over all six-card hands, by rank class, suit pattern and discard option."""

    ranks: Ints
    """(18395, 6) ranks 0–12 of each rank class, ascending, in lexicographic order."""
    copies: Ints
    """(18395, 13) number of cards of each rank, by rank class."""
    shape_start: Ints
    """(18395,) first suit pattern of each rank class."""
    class_start: Ints
    """(18396,) first suit class of each rank class; see `SuitClasses`."""
    keep_of: Ints
    """(18395, 15) number of the four ranks kept, 0–1,819, by rank class and option."""
    pair_of: Ints
    """(18395, 15) number of the two ranks discarded, 0–90, by rank class and option."""
    jacks: Ints
    """(18395, 2) positions of the jacks in each rank class: the first, and one past the last."""
    show: Floats
    """(18395, 15) mean points of the kept hand's ranks over the 46 starters, by rank class and option."""
    weight: Floats
    """(patterns,) number of hands with this suit pattern in a rank class."""
    flush: Floats
    """(patterns, 15) mean flush points of the kept hand."""
    crib_flush: Floats
    """(patterns, 15) mean flush points of the crib, if the other side's two cards are random."""
    jack: Floats
    """(patterns, 6) probability that the starter has the suit of this position."""
    suited: Floats
    """(patterns, 15) 1 if the two discarded cards have the same suit, otherwise 0."""

    @property
    def suit_classes(self) -> int:
        """Number of suit classes: 962,988."""
        return int(self.class_start[-1])

    def deals(self) -> Doubles:
        """Return (18395,) the number of six-card hands with the ranks of each rank class."""
        return ways_to_hold(self.copies)


@cache
def six_cards() -> SixCards:
    """Compute the arrays over all six-card hands; about 3 s."""
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
