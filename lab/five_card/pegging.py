"""Five-card pegging with all that a player knows, one game for each rank of the starter (R100–R104).

A player knows its three kept and two discarded ranks, the starter, and every card and go so far. Points are
net points of the pone.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.five_card import fitting, pair_place
from fifteentwo.fast.hands import TRIPLES, UP3, place
from fifteentwo.fast.play import playable, value_of
from lab.five_card.types import (
    DISCARDED,
    KEPT,
    Removal,
    best_kept,
    deck,
    five_ranks,
    orders,
    per_kept,
    removal,
)
from lab.five_card.walk_kernels import (
    BEST_RESPONSE,
    LANES,
    MEASURE,
    UPDATE,
    Lesson,
    Payoffs,
    Tables,
    TypeWeights,
    cells_of,
)

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

PONE, DEALER = 0, 1
BRANCHES = 169
_KERNELS = "lab.five_card.walk_kernels"
_DISTINCT = np.array([len({*three}) for three in TRIPLES.tolist()], np.float32)[UP3][:, :, None]


@cache
def payoffs() -> Payoffs:
    """Return the points of every end of a count; 6 MB, the same for all starters."""
    made = Payoffs(np.zeros((2197, 13, 13, LANES), np.int8), np.zeros((2197, LANES), np.int8))
    compiled(_KERNELS).fill_payoffs(made)
    return made


@cache
def branch_cells() -> tuple[int, ...]:
    """(170,) where each branch's cells begin, and how many there are."""
    starts = [0]
    for branch in range(BRANCHES):
        count = value_of(branch // 13) + value_of(branch % 13)
        below = sum(cells_of(fitting(count + value_of(second))) for second in range(13))
        starts.append(starts[-1] + cells_of(13) + below)
    return tuple(starts)


class Size(NamedTuple):
    """How large the game with a starter is."""

    decisions: int
    """Public histories at which some type chooses between cards."""
    cells: int
    """(type, history, card) of all of them."""
    types: int
    """That a deck without the starter can deal."""


def size(starter: int) -> Size:
    """Count a starter's game."""
    left = deck(starter)
    counts, which = five_ranks()
    possible = int((counts[which[which >= 0]] <= left).all(axis=1).sum())
    decisions = 1 + 13
    for branch in range(BRANCHES):
        lead, reply = divmod(branch, 13)
        if left[lead] - (lead == reply) <= 0 and left[reply] - (lead == reply) <= 0:
            continue
        decisions += 1
        for second in range(13):
            played = np.bincount([lead, reply, second], minlength=13)
            count = sum(value_of(rank) for rank in (lead, reply, second))
            decisions += bool((played <= left).all()) and fitting(count) > 1
    return Size(decisions, 13 * 91 * 91 * 14 + branch_cells()[-1], possible)


@dataclass
class Cells:
    """One number per (type, history, card): regrets, or accumulated strategies."""

    lead: Floats
    """(13, 91, 91) the card led, the two that stay, the two discarded."""
    reply: Floats
    """(13, 13, 91, 91) the card led, the reply, the two that stay, the two discarded."""
    rest: Floats
    """(cells,) what follows, by branch."""

    @classmethod
    def zeros(cls) -> "Cells":
        """Return cells of zeros."""
        return cls(
            np.zeros((13, 91, 91), np.float32),
            np.zeros((13, 13, 91, 91), np.float32),
            np.zeros(branch_cells()[-1], np.float32),
        )


CELL_PARTS = ("lead", "reply", "rest")
"""The fields of `Cells`, as checkpoints name them."""


class Discounts(NamedTuple):
    """What earlier iterations still count at this one: positive regrets, negative ones, strategy sums."""

    up: float = 1.0
    down: float = 1.0
    sums: float = 1.0


UNDIMINISHED = Discounts()


def chances(cells: Floats) -> Floats:
    """(13, 91, 91) probabilities of each card with the types that stay, from regrets or sums."""
    positive = np.maximum(cells, 0)
    total = per_kept(positive)[UP3]
    return np.where(total > 0, positive / np.where(total > 0, total, 1), 1 / _DISTINCT)


def card_chances(
    cells: Cells, kept: Sequence[int], discarded: Sequence[int], played: Sequence[int]
) -> dict[int, float]:
    """Return the probability of each rank that a type may play after up to three cards.

    kept: the three ranks kept, of which the side's own card in `played` is one. Ranks 0–12.
    """
    held = sorted(kept)
    for rank in played[len(played) % 2 :: 2]:
        held.remove(rank)
    pile = place(2)[tuple(sorted(discarded))]
    count = sum(value_of(rank) for rank in played)
    able = sorted({rank for rank in held if playable(count, value_of(rank))})
    if len(able) < 2:
        return dict.fromkeys(able, 1.0)
    if len(played) < 2:
        table = cells.reply[played[0]] if played else cells.lead
        rests = [place(2)[tuple(sorted(remaining(held, rank)))] for rank in able]
        found = [max(float(table[rank, rest, pile]), 0.0) for rank, rest in zip(able, rests, strict=True)]
    else:
        cell = decision_cell(played, able, pile)
        found = [max(float(cells.rest[cell + at]), 0.0) for at in range(2)]
    whole = sum(found)
    return {rank: one / whole if whole else 1 / len(able) for rank, one in zip(able, found, strict=True)}


def remaining(held: Sequence[int], rank: int) -> list[int]:
    """Return what stays of a hand when a rank is played."""
    rest = list(held)
    rest.remove(rank)
    return rest


def decision_cell(played: Sequence[int], able: Sequence[int], discarded: int) -> int:
    """Return the first cell of a decision between two ranks after two or three cards.

    discarded: the place of the two discarded ranks among `PAIRS`.
    """
    low, high = able
    branch = 13 * played[0] + played[1]
    cell, ranks = branch_cells()[branch], 13
    if len(played) == 3:
        count = value_of(played[0]) + value_of(played[1])
        cell += cells_of(13) + sum(cells_of(fitting(count + value_of(rank))) for rank in range(played[2]))
        ranks = fitting(count + value_of(played[2]))
    return cell + 2 * (DISCARDED * pair_place(low, high, ranks) + discarded)


def weights(fractions: Doubles) -> Floats:
    """(455, 91) weights of types from the fraction of each five ranks' deals that keeps and discards so."""
    return (fractions / orders()).astype(np.float32)


@dataclass
class FiveCardPegging:
    """Regrets and average strategies of both sides with one starter.

    Alternating discounted regret minimisation (alpha 1.5, beta 0, gamma 2).
    """

    starter: int
    threads: int = 2
    iteration: int = 0
    averaging_delay: int = 0
    """Iterations before the averages begin: set to `iteration` to start averaging again."""
    regret: Cells = field(default_factory=Cells.zeros)
    total: Cells = field(default_factory=Cells.zeros)
    deck: Removal = field(init=False)

    def __post_init__(self) -> None:
        self.deck = removal(self.starter)
        self._pool = ThreadPoolExecutor(self.threads)

    def sweep(
        self,
        side: int,
        mode: int,
        ranges: tuple[Floats, Floats],
        source: Cells,
        discounts: Discounts = UNDIMINISHED,
        points: Payoffs | None = None,
        branches: Iterable[int] = range(BRANCHES),
    ) -> Doubles:
        """(455, 91) counterfactual values of `side`'s types; in mode UPDATE its regrets and sums move.

        ranges: `weights` of pone and dealer. branches: leads and replies to walk; types that have others come
        out wrong.
        """
        points = points or payoffs()
        lead = chances(source.lead)
        replies = [chances(source.reply[card]) for card in range(13)]
        pone = ranges[PONE][UP3] * lead
        dealer = [ranges[DEALER][UP3] * reply for reply in replies]
        lesson = Lesson(side, mode, *map(np.float32, discounts))
        tables = Tables(source.rest, self.regret.rest, self.total.rest)
        below = np.zeros((13, 13, 91, 91), np.float32)
        walk, starts = compiled(_KERNELS).walk, branch_cells()

        def job(branch: int) -> None:
            first, second = divmod(branch, 13)
            reach_probability = TypeWeights(pone[first], dealer[first][second])
            walk(
                branch,
                starts[branch],
                reach_probability,
                self.deck,
                points,
                lesson,
                tables,
                below[first, second],
            )

        list(self._pool.map(job, branches))
        if side == PONE:
            values = below.sum(axis=1, dtype=np.float64)
            if mode == BEST_RESPONSE:
                return best_kept(values)
            expected = per_kept(lead * values)
            if mode == UPDATE:
                _update(self.regret.lead, self.total.lead, values - expected[UP3], pone, discounts)
            return expected
        expected = np.zeros((KEPT, DISCARDED))
        for card in range(13):
            each = below[card].astype(np.float64)
            if mode == BEST_RESPONSE:
                expected += best_kept(each)
                continue
            after_lead = per_kept(replies[card] * each)
            expected += after_lead
            if mode == UPDATE:
                gain = each - after_lead[UP3]
                _update(self.regret.reply[card], self.total.reply[card], gain, dealer[card], discounts)
        return expected

    def step(self, ranges: tuple[Floats, Floats]) -> tuple[Doubles, Doubles]:
        """One iteration for both sides; returns their counterfactual values on the way (pone's, dealer's)."""
        self.iteration += 1
        t = float(self.iteration)
        u = t - self.averaging_delay - 1
        discounts = Discounts(t**1.5 / (t**1.5 + 1), 0.5, (u / (u + 1)) ** 2)
        pone = self.sweep(PONE, UPDATE, ranges, self.regret, discounts)
        dealer = self.sweep(DEALER, UPDATE, ranges, self.regret, discounts)
        return pone, dealer

    def ways(self, side: int, ranges: tuple[Floats, Floats]) -> Doubles:
        """(455, 91) ordered ways and weights of all the other side may hold, by `side`'s type."""
        sign = np.int8(1 if side == PONE else -1)
        one = Payoffs(np.full_like(payoffs().plays, sign), np.full_like(payoffs().goes, sign))
        return self.sweep(side, MEASURE, ranges, self.total, points=one)

    def exploitability(self, ranges: tuple[Floats, Floats], source: Cells | None = None) -> dict[str, float]:
        """Mean of the two best-response gains in points a deal, and the value of the game to the pone."""
        cells = source or self.total
        x, y = (weight.astype(np.float64) for weight in ranges)
        deals = float((x * self.ways(PONE, ranges)).sum())
        best = [self.sweep(side, BEST_RESPONSE, ranges, cells) for side in (PONE, DEALER)]
        value = [self.sweep(side, MEASURE, ranges, cells) for side in (PONE, DEALER)]
        to_pone, to_dealer = (float((w * v).sum()) / deals for w, v in zip((x, y), value, strict=True))
        gains = [float((w * b).sum()) / deals for w, b in zip((x, y), best, strict=True)]
        return {
            "exploitability": (gains[PONE] - to_pone + gains[DEALER] - to_dealer) / 2,
            "pone_gain": gains[PONE] - to_pone,
            "dealer_gain": gains[DEALER] - to_dealer,
            "value": to_pone,
            "imbalance": to_pone + to_dealer,
            "deals": deals,
        }


def _update(
    regret: Floats, total: Floats, gain: Doubles, reach_probability: Floats, discounts: Discounts
) -> None:
    """One discounted step of regrets and strategy sums at the first card of a side; arrays (13, 91, 91)."""
    regret *= np.where(regret > 0, np.float32(discounts.up), np.float32(discounts.down))
    regret += gain.astype(np.float32)
    total *= np.float32(discounts.sums)
    total += reach_probability


def prepare() -> None:
    """Compile the kernels, or load them."""
    game = FiveCardPegging(0, threads=1)
    flat = np.ones((KEPT, DISCARDED), np.float32)
    walk = compiled(_KERNELS).walk
    values = np.zeros((91, 91), np.float32)
    lesson = Lesson(PONE, UPDATE, *map(np.float32, UNDIMINISHED))
    tables = Tables(game.regret.rest, game.regret.rest, game.total.rest)
    walk(168, 0, TypeWeights(flat[:91], flat[:91]), game.deck, payoffs(), lesson, tables, values)
