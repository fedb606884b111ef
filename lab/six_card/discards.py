"""Mixed strategies of discards over all 962,988 classes of six cards, and mean cribs."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.crib_weights import pair_crib_points
from fifteentwo.fast.hands import PAIRS
from fifteentwo.fast.layout import JACK
from lab import cfr
from lab.cfr import DEALER, MEASURE, UPDATE, Doubles, Floats, Ints
from lab.six_card.discard_kernels import DiscardTables, OptionValues, RankPolicy
from lab.six_card.ranges import HANDS
from lab.six_card.six_cards import DEALS, OPTIONS, SixCards, six_cards, suit_classes

_KERNELS = "lab.six_card.discard_kernels"


@cache
def crib_points() -> Floats:
    """Return (91, 91, 13) points of a crib by the ranks of its two pairs and of the starter.

    A jack of the second pair counts a quarter, because one starter in four has its suit. Nobs of the first
    pair's jacks is counted elsewhere.
    """
    held = (PAIRS == JACK).sum(axis=1)
    nobs = held[:, None] * np.where(np.arange(13) == JACK, 0.0, 0.25)[None, :]
    return np.asarray(pair_crib_points().reshape(91, 91, 13) + nobs[None], dtype=np.float32)


def pair_ways() -> Doubles:
    """Return (91,) the number of ways to draw each pair of ranks from a full deck: 6 or 16."""
    return np.where(PAIRS[:, 0] == PAIRS[:, 1], 6.0, 16.0)


class DiscardGame(cfr.Discards):
    """Regrets and strategy sums of one role's discards of six cards, for every suit class; 116 MB."""

    def __init__(self, role: int, threads: int = 2) -> None:
        """Start with zero regrets and strategy sums of a role, PONE or DEALER."""
        self.six = six_cards()
        cells = np.zeros((2, self.six.suit_classes, len(OPTIONS)), np.float32)
        super().__init__(role, cells[0], cells[1])
        self.pool = ThreadPoolExecutor(threads)

    def run(self, mode: int, crib: Floats, pegging: Doubles, suited: float) -> float:
        """Return the role's mean net points over all deals. Mode UPDATE also updates regrets and sums."""
        return float(self._pass(mode, crib, pegging, suited)[1].sum()) / DEALS

    def _pass(self, mode: int, crib: Floats, pegging: Doubles, suited: float) -> tuple[Doubles, Doubles]:
        """Return (18395, 15) the number of deals that discard each option, and (18395,) sums of values."""
        six = self.six
        sign = 1.0 if self.role == DEALER else -1.0
        base = (six.show + sign * crib).astype(np.float32)
        extra = (six.flush + np.float32(sign * suited) * six.crib_flush).astype(np.float32)
        if mode == UPDATE:
            self.iteration += 1
        factors = cfr.discounts(self.iteration, averaging_delay=-1)
        average_discards = np.zeros((len(six.ranks), 15), dtype=np.float64)
        summed = np.zeros(len(six.ranks), dtype=np.float64)
        parts = OptionValues(base, pegging.astype(np.float32), extra, np.float32(sign))
        settings = cfr.traversal_settings(mode, factors)
        tables = DiscardTables(self.regret, self.total)

        def job(chunk: tuple[int, int]) -> None:
            compiled(_KERNELS).discard_pass(*chunk, six, parts, settings, tables, average_discards, summed)

        list(self.pool.map(job, _chunks(len(six.ranks))))
        return average_discards, summed

    def average(self) -> Doubles:
        """Return (18395, 15) the number of deals in which the average strategy discards each option."""
        no_crib = np.zeros((len(self.six.ranks), 15), dtype=np.float32)
        return self._pass(MEASURE, no_crib, np.zeros(HANDS), 1.0)[0]

    def suited_ratio(self) -> float:
        """Return how often this role's discards have one suit, relative to random pairs."""
        six = self.six
        _, pattern = suit_classes(six.copies).rows()
        suited = 0.0
        for start in range(0, six.suit_classes, 100_000):
            part = slice(start, start + 100_000)
            mix = np.maximum(self.total[part], 0)
            mass = mix.sum(axis=1, keepdims=True)
            mix = np.where(mass > 0, mix / np.where(mass > 0, mass, 1), 1 / 15)
            rows_here = pattern[part]
            suited += float((six.weight[rows_here] * (mix * six.suited[rows_here]).sum(axis=1)).sum())
        return suited / DEALS / (12 / 51)


def _chunks(size: int, step: int = 512) -> list[tuple[int, int]]:
    return [(start, min(start + step, size)) for start in range(0, size, step)]


def keep_frequencies(average_discards: Doubles, six: SixCards) -> Doubles:
    """Return (1820,) how often a role keeps each four ranks, 0–1."""
    return np.bincount(six.keep_of.ravel(), average_discards.ravel(), minlength=HANDS) / DEALS


def pair_frequencies(average_discards: Doubles, six: SixCards) -> Doubles:
    """Return (91,) how often a role discards each two ranks, 0–1."""
    return np.bincount(six.pair_of.ravel(), average_discards.ravel(), minlength=91) / DEALS


def approximate_crib_means(average_discards: Doubles, six: SixCards, pool: ThreadPoolExecutor) -> Floats:
    """Return (18395, 15) mean crib points; the opponent's pair is drawn by overall frequency."""
    density = (pair_frequencies(average_discards, six) / pair_ways()).astype(np.float32)
    out = np.zeros((len(six.ranks), 15), dtype=np.float32)
    cribs = crib_points()

    def job(chunk: tuple[int, int]) -> None:
        compiled(_KERNELS).mean_cribs(*chunk, six, density, cribs, out)

    list(pool.map(job, _chunks(len(six.ranks), 256)))
    return out


def exact_crib_means(average_discards: Doubles, six: SixCards, pool: ThreadPoolExecutor) -> Floats:
    """Return (18395, 15) mean crib points by a sum over all pairs of hands and starters."""
    policy = pair_policy(average_discards, six)
    cribs = crib_points().reshape(91, -1)
    out = np.zeros((len(six.ranks), 15), dtype=np.float32)

    def job(chunk: tuple[int, int]) -> None:
        first, stop = chunk
        chances = np.zeros((stop - first, 91, 14), dtype=np.float32)
        compiled(_KERNELS).exact_pairs(first, stop, six.copies, policy, chances)
        by_pair = chances[:, :, :13].reshape(stop - first, -1) @ cribs.T
        out[first:stop] = np.take_along_axis(by_pair, six.pair_of[first:stop], axis=1)

    list(pool.map(job, _chunks(len(six.ranks), 128)))
    return out


def pair_policy(average_discards: Doubles, six: SixCards) -> RankPolicy:
    """Return the pairs of ranks that each rank class discards, and their probabilities."""
    dense = np.zeros((len(six.ranks), 91))
    rows = np.repeat(np.arange(len(six.ranks)), len(OPTIONS))
    np.add.at(dense, (rows, six.pair_of.ravel()), average_discards.ravel())
    dense /= dense.sum(axis=1, keepdims=True)
    dense[dense < 1e-5] = 0
    dense /= dense.sum(axis=1, keepdims=True)
    row, pair = np.nonzero(dense)
    return rank_policy(row, pair.copy(), dense[row, pair].astype(np.float32), len(six.ranks))


def rank_policy(row: Ints, where: Ints, probability: npt.NDArray[Any], classes: int) -> RankPolicy:
    """Return a policy from its entries; row: the rank class of each entry, ascending."""
    return RankPolicy(np.searchsorted(row, np.arange(classes + 1)), where, probability)


def prepare() -> None:
    """Compile the kernels of this module, or load them from the cache; about 3 s."""
    six, kernels = six_cards(), compiled(_KERNELS)
    none, one = np.zeros((0, 15), np.float32), np.float32(1)
    parts = OptionValues(none, np.zeros(HANDS, np.float32), none, one)
    settings, tables = cfr.traversal_settings(MEASURE, cfr.NO_DISCOUNTS), DiscardTables(none, none)
    kernels.discard_pass(0, 0, six, parts, settings, tables, np.zeros((0, 15)), np.zeros(0))
    kernels.mean_cribs(0, 0, six, np.zeros(len(PAIRS), np.float32), crib_points(), none)
    policy = RankPolicy(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
    kernels.exact_pairs(0, 0, six.copies, policy, np.zeros((0, len(PAIRS), 14), np.float32))
