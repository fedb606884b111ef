"""The play as a game of two ranges: its tree, its regrets, and exact best answers over the whole of it.

A range is a weight per kept hand. Pairs of hands come with probability x[a] · y[b] · F(a, b), where F counts
the ways the eight cards fall from a pack of four of each rank; `fit_ranges` finds x and y for given keep
frequencies.
Points are net points to the pone unless a price says what a dealer's point costs the pone.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast import hands
from fifteentwo.fast.layout import VALUES as VALUE
from fifteentwo.fast.peg_rules import card_points
from fifteentwo.solver import endings as peg_endings
from fifteentwo.solver import tree_loops as tree

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PONE, DEALER = 0, 1
HANDS = len(hands.FOURS)
COUNTS = np.array([np.bincount(row, minlength=13) for row in hands.FOURS], dtype=np.int64)
"""(1820, 13) copies of each rank in each kept hand."""


def couplings() -> Doubles:
    """(1820, 1820) float64: F(a, b), ordered ways to draw the ranks of both hands from one pack."""
    falling = np.zeros((5, 5))
    for i in range(5):
        for j in range(5 - i):
            falling[i, j] = np.prod([4 - k for k in range(i + j)]) if i + j else 1.0
    ways = np.ones((HANDS, HANDS))
    for rank in range(13):
        ways *= falling[COUNTS[:, rank][:, None], COUNTS[:, rank][None, :]]
    return ways


def hand_ways() -> Doubles:
    """(1820,) float64: how many of the 270,725 four-card hands have each rank multiset."""
    choose = np.array([1.0, 4.0, 6.0, 4.0, 1.0])
    return np.asarray(np.prod(choose[COUNTS], axis=1))


def fit_ranges(ways: Doubles, pone: Doubles, dealer: Doubles, rounds: int = 60) -> tuple[Doubles, Doubles]:
    """Range weights (x, y) whose coupled pairs have these keep frequencies; total mass 1."""
    pone = pone / pone.sum()
    dealer = dealer / dealer.sum()
    x = pone.copy()
    y = dealer.copy()
    for _ in range(rounds):
        x = pone / np.maximum(ways @ y, 1e-300)
        y = dealer / np.maximum(x @ ways, 1e-300)
    x = x / (x @ ways @ y)
    return x, y


@dataclass(frozen=True)
class Endings:
    """Where the walk is cut: distinct endings with their points, and which one each leaf is."""

    single: Floats
    single_at: npt.NDArray[np.int32]
    pair: Floats
    pair_at: npt.NDArray[np.int32]
    triple: Floats
    triple_at: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Tree:
    """The public tree after the lead and the reply: 169 branches, with the cursors each starts from."""

    starts: Ints
    cells: int
    node_code: Ints
    node_cell: Ints
    endings: Endings
    price: float


def branch_start(lead: int, reply: int) -> tuple[Ints, Ints, Floats, Ints, float, float]:
    """(stack, codes, left, pile, pone's points, dealer's points) after the first two cards."""
    stack = np.zeros((tree.LEVELS, 16), dtype=np.int64)
    codes = np.zeros(tree.LEVELS, dtype=np.int64)
    left = np.zeros(16, dtype=np.float32)
    left[:13] = 4
    left[lead] -= 1
    left[reply] -= 1
    pile = np.zeros(32, dtype=np.int64)
    pile[0], pile[1] = lead, reply
    count = int(VALUE[lead] + VALUE[reply])
    points = float(card_points(pile, 0, 2, count))
    tree.enter(stack, 0, 3, 3, 0, 0, PONE, 0, count, 0, 2, DEALER)
    codes[0] = (lead + 1) * 15 + reply + 1
    return stack, codes, left, pile, 0.0, points


def build_tree(price: float = 1.0, branches: Sequence[int] = range(169)) -> Tree:
    """Survey the tree and score every ending; about 6 s and 0.3 GB. `price`: what a dealer's point costs.

    `branches`: leads and replies (lead·13 + reply, ascending) to hold; a few take a few hundredths of that.
    """
    none = np.zeros(0, dtype=np.int64)
    cursor = np.zeros(5, dtype=np.int64)
    starts = np.zeros((169, 5), dtype=np.int64)
    for branch in branches:
        starts[branch] = cursor
        stack, codes, left, pile, _, _ = branch_start(branch // 13, branch % 13)
        tree.survey(stack, codes, pile, left, cursor, False, none, none, none, none, none)
    keys = [np.zeros(cursor[i], dtype=np.int64) for i in (1, 2, 3, 4, 4)]
    cells = int(cursor[0])
    cursor[:] = 0
    for branch in branches:
        stack, codes, left, pile, _, _ = branch_start(branch // 13, branch % 13)
        tree.survey(stack, codes, pile, left, cursor, True, *keys)
    single, single_at = np.unique(keys[0], return_inverse=True)
    pair, pair_at = np.unique(keys[1], return_inverse=True)
    triple, triple_at = np.unique(keys[2], return_inverse=True)
    singles = np.zeros((len(single), 2, peg_endings.ENDING), dtype=np.float32)
    pairs = np.zeros((len(pair), 208), dtype=np.float32)
    triples = np.zeros((len(triple), 455), dtype=np.float32)
    peg_endings.fill_endings(single, price, singles)
    peg_endings.fill_alone(pair, 2, price, pairs)
    peg_endings.fill_alone(triple, 3, price, triples)
    endings = Endings(
        singles.ravel(),
        single_at.astype(np.int32),
        pairs.ravel(),
        pair_at.astype(np.int32),
        triples.ravel(),
        triple_at.astype(np.int32),
    )
    return Tree(starts, cells, keys[3], keys[4], endings, price)


@dataclass
class Cells:
    """One number per (information set, card): regrets, or accumulated strategies."""

    lead: Floats
    """(13, 455) the card led, the three that stay."""
    reply: Floats
    """(13, 13, 455) the card led, the reply, the three that stay."""
    rest: Floats
    """(cells,) everything after the second card, in the order of the walk."""

    @classmethod
    def zeros(cls, cells: int) -> "Cells":
        """Nothing learnt yet."""
        return cls(
            np.zeros((13, 455), np.float32), np.zeros((13, 13, 455), np.float32), np.zeros(cells, np.float32)
        )


_UP4 = hands.UP4
_DISTINCT = np.bincount(_UP4.ravel(), minlength=HANDS)


def _mix(cells: Floats) -> Doubles:
    """(13, 455) probabilities of each card with the three that stay, from regrets or sums."""
    positive = np.maximum(cells, 0).astype(np.float64)
    total = np.bincount(_UP4.ravel(), positive.ravel(), minlength=HANDS)[_UP4]
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / _DISTINCT[_UP4])


def _per_hand(values: Doubles) -> Doubles:
    """(1820,) sum over the cards of a hand of (13, 455) values."""
    found: Doubles = np.bincount(_UP4.ravel(), values.ravel(), minlength=HANDS).astype(np.float64)
    return found


def _best_per_hand(values: Doubles) -> Doubles:
    best = np.full(HANDS, -np.inf)
    np.maximum.at(best, _UP4.ravel(), values.ravel())
    return best


@dataclass
class PeggingGame:
    """Regrets and average strategies of both sides, and the walks over them.

    Alternating discounted regret minimisation (alpha 1.5, beta 0, gamma 2).
    """

    tree: Tree
    threads: int = 2
    iteration: int = 0
    forgotten: int = 0
    """Iterations before the averages begin: set to `iteration` to start averaging afresh."""
    regret: Cells = field(init=False)
    total: Cells = field(init=False)
    _local: threading.local = field(default_factory=threading.local, init=False)

    def __post_init__(self) -> None:
        self.regret = Cells.zeros(self.tree.cells)
        self.total = Cells.zeros(self.tree.cells)
        self._pool = ThreadPoolExecutor(self.threads)

    def _branch(
        self,
        branch: int,
        side: int,
        mode: int,
        source: Cells,
        reach: tuple[Floats, Floats],
        discounts: tuple[float, float, float],
    ) -> Floats:
        """(455,) values of `side` below one lead and reply, own and other reach given over three cards."""
        if not hasattr(self._local, "work"):
            self._local.work = np.zeros(tree.LEVEL * tree.LEVELS + 2048, dtype=np.float32)
        work = self._local.work
        base = tree.LEVEL * tree.LEVELS
        work[base : base + 455] = reach[0]
        work[base + 512 : base + 967] = reach[1]
        stack, _, left, pile, pone, dealer = branch_start(branch // 13, branch % 13)
        where = np.zeros((tree.LEVELS, 3), dtype=np.int64)
        where[0] = base, base + 512, base + 1024
        nets = np.zeros(tree.LEVELS, dtype=np.float32)
        nets[0] = pone - self.tree.price * dealer
        e = self.tree.endings
        tree.walk(
            side,
            mode,
            np.float32(self.tree.price),
            stack,
            where,
            nets,
            work,
            left,
            pile,
            self.tree.starts[branch].copy(),
            source.rest,
            self.regret.rest,
            self.total.rest,
            e.single,
            e.single_at,
            e.pair,
            e.pair_at,
            e.triple,
            e.triple_at,
            *map(np.float32, discounts),
        )
        values: Floats = work[base + 1024 : base + 1479].copy()
        return values

    def sweep(
        self,
        side: int,
        mode: int,
        ranges: tuple[Doubles, Doubles],
        source: Cells,
        discounts: tuple[float, float, float] = (1, 1, 1),
        branches: Sequence[int] = range(169),
    ) -> Doubles:
        """(1820,) counterfactual values of `side`'s hands; in mode UPDATE its regrets and sums move.

        `branches`: leads and replies to walk; hands that have others come out wrong.
        """
        lead = _mix(source.lead)
        replies = [_mix(source.reply[card]) for card in range(13)]
        pone = ranges[PONE][_UP4] * lead
        dealer = [ranges[DEALER][_UP4] * reply for reply in replies]

        def job(branch: int) -> Doubles:
            first, second = divmod(branch, 13)
            reach = (pone[first].astype(np.float32), dealer[first][second].astype(np.float32))
            factor = 4 * (3 if first == second else 4)
            return factor * self._branch(branch, side, mode, source, reach, discounts).astype(np.float64)

        each = np.zeros((169, 455))
        for branch, values in zip(branches, self._pool.map(job, branches), strict=True):
            each[branch] = values
        found = each.reshape(13, 13, 455)
        up, down, keep = discounts
        if side == PONE:
            values = found.sum(axis=1)
            if mode == tree.ANSWER:
                return _best_per_hand(values)
            worth = _per_hand(lead * values)
            if mode == tree.UPDATE:
                _learn(self.regret.lead, self.total.lead, values - worth[_UP4], pone, up, down, keep)
            return worth
        worth = np.zeros(HANDS)
        for card in range(13):
            if mode == tree.ANSWER:
                worth += _best_per_hand(found[card])
                continue
            here = _per_hand(replies[card] * found[card])
            worth += here
            if mode == tree.UPDATE:
                _learn(
                    self.regret.reply[card],
                    self.total.reply[card],
                    found[card] - here[_UP4],
                    dealer[card],
                    up,
                    down,
                    keep,
                )
        return worth

    def step(self, ranges: tuple[Doubles, Doubles]) -> tuple[Doubles, Doubles]:
        """One iteration for both sides; returns their counterfactual values on the way (pone's, dealer's)."""
        self.iteration += 1
        t = float(self.iteration)
        u = t - self.forgotten - 1
        discounts = (t**1.5 / (t**1.5 + 1), 0.5, (u / (u + 1)) ** 2)
        pone = self.sweep(PONE, tree.UPDATE, ranges, self.regret, discounts)
        dealer = self.sweep(DEALER, tree.UPDATE, ranges, self.regret, discounts)
        return pone, dealer

    def answer(self, ranges: tuple[Doubles, Doubles], source: Cells | None = None) -> tuple[Doubles, Doubles]:
        """Best-answer values of each side's hands against the average strategy of the other (or `source`)."""
        cells = source or self.total
        return self.sweep(PONE, tree.ANSWER, ranges, cells), self.sweep(DEALER, tree.ANSWER, ranges, cells)

    def measure(
        self, ranges: tuple[Doubles, Doubles], source: Cells | None = None
    ) -> tuple[Doubles, Doubles]:
        """Values of each side's hands when both play the average strategy (or `source`)."""
        cells = source or self.total
        return self.sweep(PONE, tree.MEASURE, ranges, cells), self.sweep(DEALER, tree.MEASURE, ranges, cells)

    def exploitability(self, ranges: tuple[Doubles, Doubles], source: Cells | None = None) -> dict[str, Any]:
        """Mean of the two best-answer gains in points a deal, and the value of the game to the pone."""
        best = self.answer(ranges, source)
        value = self.measure(ranges, source)
        pone, dealer = ranges
        worth = float(pone @ value[PONE])
        gains = float(pone @ best[PONE]) - worth, float(dealer @ best[DEALER]) + worth
        return {
            "exploitability": (gains[0] + gains[1]) / 2,
            "pone_gain": gains[0],
            "dealer_gain": gains[1],
            "value": worth,
            "imbalance": worth + float(dealer @ value[DEALER]),
        }


def _learn(
    regret: Floats, total: Floats, gain: Doubles, reach: Doubles, up: float, down: float, keep: float
) -> None:
    """One discounted step of regrets and strategy sums at a node of the first two cards; arrays (13, 455)."""
    regret *= np.where(regret > 0, np.float32(up), np.float32(down))
    regret += gain.astype(np.float32)
    total *= np.float32(keep)
    total += reach.astype(np.float32)
