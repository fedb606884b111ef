"""Every six-card hand as rank classes and suit patterns, and what each of its 15 options shows.

18,395 rank classes × the suit patterns of their shape make the 962,988 classes of six-card hands; the
weights sum to 20,358,520. Positions are the six cards in ascending order of rank; option o lays away
positions OPTIONS[o].
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import numpy.typing as npt

from fifteentwo.fast import hands
from fifteentwo.fast.suits import suit_bit, suit_names
from fifteentwo.solver import laying_away_loops as peg_keeps

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

OPTIONS = tuple(combinations(range(6), 2))
DEALS = 20_358_520
JACK = 10

Suits = tuple[int, ...]


@cache
def suit_patterns(shape: tuple[int, ...]) -> tuple[tuple[Suits, int], ...]:
    """Suit patterns of a shape (copies of each rank, ascending), each with how many hands it stands for.

    A pattern is the suits (0–3) of the six positions, ascending within a rank, smallest under renaming suits.

    >>> len(suit_patterns((1, 1, 1, 1, 1, 1))), sum(n for _, n in suit_patterns((2, 2, 2)))
    (187, 216)
    """
    count: dict[Suits, int] = {}
    for groups in product(*(tuple(combinations(range(4), size)) for size in shape)):
        name = canonical_suits(groups)
        count[name] = count.get(name, 0) + 1
    return tuple(sorted(count.items()))


def canonical_suits(groups: tuple[tuple[int, ...], ...]) -> Suits:
    """The smallest renaming of the suits of a hand given rank by rank."""
    names = suit_names(sum(suit_bit(rank, suit) for rank, group in enumerate(groups) for suit in group))
    return tuple(suit for group in groups for suit in sorted(names >> 2 * suit & 3 for suit in group))


@dataclass(frozen=True)
class SixCards:
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
    """(18395, 15) the two ranks laid away, 0–90."""
    jacks: Ints
    """(18395, 2) first and one past the last position that holds a jack."""
    show: Floats
    """(18395, 15) mean rank points of the kept hand over the 46 starters."""
    weight: Floats
    """(p,) deals a pattern stands for."""
    flush: Floats
    """(p, 15) mean flush points of the kept hand."""
    crib_flush: Floats
    """(p, 15) mean flush points of the crib, if the other side's two cards are as good as random."""
    jack: Floats
    """(p, 6) chance that the starter has the suit of this position."""
    suited: Floats
    """(p, 15) 1 where the pair laid away is of one suit."""

    @property
    def suit_classes(self) -> int:
        """962,988."""
        return int(self.class_start[-1])


@cache
def six_cards() -> SixCards:
    """Build the arrays once; about 3 s."""
    ranks = [hand for hand in combinations_with_replacement(range(13), 6) if _fits(hand)]
    shapes: dict[tuple[int, ...], int] = {}
    rows: list[tuple[Suits, int]] = []
    for hand in ranks:
        shape = shape_of(hand)
        if shape not in shapes:
            shapes[shape] = len(rows)
            rows.extend(suit_patterns(shape))
    keep_at = {tuple(int(r) for r in row): i for i, row in enumerate(hands.FOURS)}
    pair_at = {tuple(int(r) for r in row): i for i, row in enumerate(hands.PAIRS)}
    keep_of = np.array(
        [[keep_at[tuple(r for i, r in enumerate(h) if i not in o)] for o in OPTIONS] for h in ranks],
        dtype=np.int64,
    )
    pair_of = np.array([[pair_at[h[i], h[j]] for i, j in OPTIONS] for h in ranks], dtype=np.int64)
    copies = np.array([np.bincount(hand, minlength=13) for hand in ranks], dtype=np.int64)
    shape_start = np.array([shapes[shape_of(hand)] for hand in ranks], dtype=np.int64)
    sizes = [len(suit_patterns(shape_of(hand))) for hand in ranks]
    class_start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    jacks = np.array([_span(hand) for hand in ranks], dtype=np.int64)
    table = np.zeros((len(hands.FOURS), 13), dtype=np.float32)
    peg_keeps.fill_show(hands.FOURS, table)
    show = np.einsum("mos,ms->mo", table[keep_of], (4 - copies) / 46).astype(np.float32)
    weight = np.array([n for _, n in rows], dtype=np.float32)
    flush = np.zeros((len(rows), 15), dtype=np.float32)
    crib_flush = np.zeros((len(rows), 15), dtype=np.float32)
    suited = np.zeros((len(rows), 15), dtype=np.float32)
    jack = np.zeros((len(rows), 6), dtype=np.float32)
    for p, (suits, _) in enumerate(rows):
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
    return SixCards(
        np.array(ranks, dtype=np.int64),
        copies,
        shape_start,
        class_start,
        keep_of,
        pair_of,
        jacks,
        show,
        weight,
        flush,
        crib_flush,
        jack,
        suited,
    )


def shape_of(hand: tuple[int, ...]) -> tuple[int, ...]:
    """How many of each rank, ranks ascending.

    >>> shape_of((0, 0, 3, 4, 4, 12))
    (2, 1, 2, 1)
    """
    return tuple(hand.count(rank) for rank in sorted(set(hand)))


def _fits(hand: tuple[int, ...]) -> bool:
    return max(hand.count(rank) for rank in hand) <= 4


def _span(hand: tuple[int, ...]) -> tuple[int, int]:
    """Positions that hold jacks, as (first, one past the last)."""
    first = sum(rank < JACK for rank in hand)
    return first, first + hand.count(JACK)
