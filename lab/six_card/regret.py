"""Pegging as a game of two ranges: its regrets, and exact best responses over the whole of it.

Points are net points of the pone, as the tree has them.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.hands import UP4
from lab.six_card.ranges import HANDS
from lab.six_card.regret_kernels import (
    BEST_RESPONSE,
    CHOOSE,
    FRAME,
    MEASURE,
    ROOTS,
    UPDATE,
    Lesson,
    RegretTables,
)
from lab.six_card.tree import BRANCHES, DEALER, PONE, Tree, build_tree, records, reply_points
from lab.six_card.tree_kernels import LEVELS, NODE

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
_KERNELS = "lab.six_card.regret_kernels"


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
        """Return cells of zeros."""
        return cls(
            np.zeros((13, 455), np.float32), np.zeros((13, 13, 455), np.float32), np.zeros(cells, np.float32)
        )


CELL_PARTS = ("lead", "reply", "rest")
"""The fields of `Cells`, as checkpoints name them."""
_DISTINCT = np.bincount(UP4.ravel(), minlength=HANDS)


def chances(cells: Floats) -> Doubles:
    """(13, 455) probabilities of each card with the three that stay, from regrets or sums."""
    positive = np.maximum(cells, 0).astype(np.float64)
    total = np.bincount(UP4.ravel(), positive.ravel(), minlength=HANDS)[UP4]
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / _DISTINCT[UP4])


def _per_hand(values: Doubles) -> Doubles:
    """(1820,) sum over the cards of a hand of (13, 455) values."""
    return np.asarray(np.bincount(UP4.ravel(), values.ravel(), minlength=HANDS), dtype=np.float64)


def best_per_hand(values: Doubles) -> Doubles:
    """(1820,) the best card's of (13, 455) values."""
    best = np.full(HANDS, -np.inf)
    np.maximum.at(best, UP4.ravel(), values.ravel())
    return best


def _best_card(values: Doubles, chosen: Floats | None) -> Doubles:
    """(1820,) the best card's of (13, 455) values; `chosen` becomes 1 where it is, else 0."""
    best = best_per_hand(values)
    if chosen is not None:
        chosen[:] = values == best[UP4]
    return best


class Discounts(NamedTuple):
    """What earlier iterations still count at this one."""

    up: float = 1.0
    """Positive regrets."""
    down: float = 1.0
    """Negative regrets."""
    sums: float = 1.0
    """Strategy sums."""


UNDIMINISHED = Discounts()


@dataclass
class PeggingGame:
    """Regrets and average strategies of both sides, and the walks over them.

    Alternating discounted regret minimisation (alpha 1.5, beta 0, gamma 2).
    """

    tree: Tree
    threads: int = 2
    iteration: int = 0
    averaging_delay: int = 0
    """Iterations before the averages begin: set to `iteration` to start averaging again."""
    affinity: Doubles = field(default_factory=lambda: np.ones((13, 13)))
    """(13, 13) how much likelier each rank of the pone makes each rank of the dealer, as in `couplings`."""
    regret: Cells = field(init=False)
    total: Cells = field(init=False)
    _local: threading.local = field(default_factory=threading.local, init=False)

    def __post_init__(self) -> None:
        self.regret = Cells.zeros(self.tree.cells)
        self.total = Cells.zeros(self.tree.cells)
        self._pool = ThreadPoolExecutor(self.threads)

    def _branch(self, branch: int, lesson: Lesson, source: Cells, pone: Doubles, dealer: Doubles) -> Floats:
        """(455,) values of a side below one lead and reply; both sides' reach probabilities over three."""
        if not hasattr(self._local, "frames"):
            self._local.frames = records(FRAME, ROOTS + 2)
            self._local.nodes = records(NODE, LEVELS)
        frames, nodes = self._local.frames, self._local.nodes
        nodes[0] = self.tree.firsts[branch]
        frames[ROOTS].reach_probability[:455] = pone
        frames[ROOTS + 1].reach_probability[:455] = dealer
        padded = np.ones((2, 16, 16), np.float32)
        padded[PONE, :13, :13], padded[DEALER, :13, :13] = self.affinity, self.affinity.T
        lead, reply = divmod(branch, 13)
        frames[0].weights[PONE], frames[0].weights[DEALER] = padded[DEALER, reply], padded[PONE, lead]
        frames[0].net = -self.tree.dealer_counts * reply_points(lead, reply)
        tables = RegretTables(source.rest, self.regret.rest, self.total.rest, padded)
        state = self.tree.states[branch].copy()
        compiled(_KERNELS).walk(nodes, frames, state, lesson, tables, self.tree.endings)
        values: Floats = frames[0].values[:455].copy()
        return values

    def sweep(
        self,
        side: int,
        mode: int,
        ranges: tuple[Doubles, Doubles],
        source: Cells,
        discounts: Discounts = UNDIMINISHED,
        branches: Sequence[int] | None = None,
    ) -> Doubles:
        """(1820,) counterfactual values of `side`'s hands; in mode UPDATE its regrets and sums move.

        In mode CHOOSE its sums become a best response to `source`, which must be other cells.

        `branches`: leads and replies to walk, not all of the tree; hands that have others come out wrong.
        """
        walked = self.tree.branches if branches is None else branches
        lead = chances(source.lead)
        replies = [chances(source.reply[card]) for card in range(13)]
        pone = ranges[PONE][UP4] * lead
        dealer = [ranges[DEALER][UP4] * reply for reply in replies]
        lesson = Lesson(side, mode, *map(np.float32, (self.tree.dealer_counts, *discounts)))

        def job(branch: int) -> Doubles:
            first, second = divmod(branch, 13)
            factor = 4 * (4 - (first == second)) * float(self.affinity[first, second])
            values = self._branch(branch, lesson, source, pone[first], dealer[first][second])
            return factor * values.astype(np.float64)

        each = np.zeros((BRANCHES, 455))
        for branch, values in zip(walked, self._pool.map(job, walked), strict=True):
            each[branch] = values
        below = each.reshape(13, 13, 455)
        if side == PONE:
            values = below.sum(axis=1)
            if mode in (BEST_RESPONSE, CHOOSE):
                return _best_card(values, self.total.lead if mode == CHOOSE else None)
            expected = _per_hand(lead * values)
            if mode == UPDATE:
                _update(self.regret.lead, self.total.lead, values - expected[UP4], pone, discounts)
            return expected
        expected = np.zeros(HANDS)
        for card in range(13):
            if mode in (BEST_RESPONSE, CHOOSE):
                expected += _best_card(below[card], self.total.reply[card] if mode == CHOOSE else None)
                continue
            after_lead = _per_hand(replies[card] * below[card])
            expected += after_lead
            if mode == UPDATE:
                gain = below[card] - after_lead[UP4]
                _update(self.regret.reply[card], self.total.reply[card], gain, dealer[card], discounts)
        return expected

    def step(self, ranges: tuple[Doubles, Doubles]) -> tuple[Doubles, Doubles]:
        """One iteration for both sides; returns their counterfactual values on the way (pone's, dealer's)."""
        self.iteration += 1
        t = float(self.iteration)
        u = t - self.averaging_delay - 1
        discounts = Discounts(t**1.5 / (t**1.5 + 1), 0.5, (u / (u + 1)) ** 2)
        pone = self.sweep(PONE, UPDATE, ranges, self.regret, discounts)
        dealer = self.sweep(DEALER, UPDATE, ranges, self.regret, discounts)
        return pone, dealer

    def best_response(
        self, ranges: tuple[Doubles, Doubles], source: Cells | None = None
    ) -> tuple[Doubles, Doubles]:
        """Return the best-response values of each side's hands against the other's average (or `source`)."""
        cells = source or self.total
        return self.sweep(PONE, BEST_RESPONSE, ranges, cells), self.sweep(
            DEALER, BEST_RESPONSE, ranges, cells
        )

    def measure(
        self, ranges: tuple[Doubles, Doubles], source: Cells | None = None
    ) -> tuple[Doubles, Doubles]:
        """Values of each side's hands when both play the average strategy (or `source`)."""
        cells = source or self.total
        return self.sweep(PONE, MEASURE, ranges, cells), self.sweep(DEALER, MEASURE, ranges, cells)

    def exploitability(self, ranges: tuple[Doubles, Doubles], source: Cells | None = None) -> dict[str, Any]:
        """Mean of the two best-response gains in points a deal, and the value of the game to the pone."""
        best = self.best_response(ranges, source)
        value = self.measure(ranges, source)
        pone, dealer = ranges
        to_pone = float(pone @ value[PONE])
        gains = float(pone @ best[PONE]) - to_pone, float(dealer @ best[DEALER]) + to_pone
        return {
            "exploitability": (gains[0] + gains[1]) / 2,
            "pone_gain": gains[0],
            "dealer_gain": gains[1],
            "value": to_pone,
            "imbalance": to_pone + float(dealer @ value[DEALER]),
        }


def _update(
    regret: Floats, total: Floats, gain: Doubles, reach_probability: Doubles, discounts: Discounts
) -> None:
    """One discounted step of regrets and strategy sums at a node of the first two cards; arrays (13, 455)."""
    regret *= np.where(regret > 0, np.float32(discounts.up), np.float32(discounts.down))
    regret += gain.astype(np.float32)
    total *= np.float32(discounts.sums)
    total += reach_probability.astype(np.float32)


def prepare() -> None:
    """Compile the kernels, or load them."""
    game = PeggingGame(build_tree([BRANCHES - 1]), threads=1)
    game.step((np.ones(HANDS), np.ones(HANDS)))
