"""Discarding over every six-card hand: rank classes × suit patterns, vectorised over both.

A rank class is a multiset of six ranks (18,395 of them); its shape (how many of each rank) fixes the list of
suit patterns up to renaming suits, with how many deals each stands for. Options are the 15 pairs of
positions. `six` is everywhere a `six_cards.SixCards`.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import PAIRS
from lab.cfr import BEST_RESPONSE, UPDATE

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

ZERO, ONE, HALF, EVEN = np.float32(0), np.float32(1), np.float32(0.5), np.float32(1 / 15)
STARTERS = np.float32(44)
"""Cards left to turn up once eight are held."""
SIX_OF_46 = 9366819.0
"""Ways in which the other side's six can fall."""
STARTERS_LEFT = 40.0
"""Cards left to turn up once twelve are held."""


DRAWS = np.array([[comb(held, drawn) for drawn in range(5)] for held in range(5)], dtype=np.float64)
"""(5, 5) ways to draw so many cards from so many."""


class OptionValues(NamedTuple):
    """The value of an option, in parts; points of the side that discards."""

    by_ranks: Floats
    """(18395, 15) the show of the kept hand and the crib, by ranks."""
    pegging: Floats
    """(1820,) net points that each kept hand pegs."""
    by_suits: Floats
    """(p, 15) flushes of the hand and of the crib."""
    own_jack: np.float32
    """What nobs of a jack discarded counts: 1 in one's own crib, -1 in the other's."""


class Lesson(NamedTuple):
    """What a pass does, and what is kept of positive regrets, negative regrets and strategy sums."""

    mode: int
    keep_up: np.float32
    keep_down: np.float32
    keep_sum: np.float32


class RegretTables(NamedTuple):
    """(962988, 15) regrets and strategy sums of every suit class."""

    regret: Floats
    total: Floats


class RankPolicy(NamedTuple):
    """Of each rank class what a side does with it and how often, one class after another (sums to 1)."""

    starts: Ints
    """(18396,) where a class begins."""
    where: Ints
    """The pair discarded, or the hand kept."""
    probability: Any
    """How often."""


@kernel(fastmath=True)
def mean_cribs(first: int, stop: int, six: Any, density: Any, cribs: Any, out: Any) -> None:
    """out[m, o]: mean crib of option o of rank class m against a pair density per way (91,), ranks only.

    The other side's pair and the starter are drawn from the cards the six leave. cribs: (91, 91, 13).
    """
    rest = np.zeros(13, dtype=np.float32)
    weight = np.zeros(91, dtype=np.float32)
    for m in range(first, stop):
        for rank in range(13):
            rest[rank] = np.float32(4 - six.copies[m, rank])
        total = ZERO
        for pair in range(91):
            low, high = PAIRS[pair, 0], PAIRS[pair, 1]
            ways = rest[low] * rest[high] if low != high else rest[low] * (rest[low] - ONE) * HALF
            weight[pair] = density[pair] * ways
            total += weight[pair]
        for option in range(15):
            own = six.pair_of[m, option]
            alike = -1
            for earlier in range(option):
                if six.pair_of[m, earlier] == own:
                    alike = earlier
            if alike >= 0:
                out[m, option] = out[m, alike]
                continue
            mean = ZERO
            for pair in range(91):
                points = ZERO
                for starter in range(13):
                    points += rest[starter] * cribs[own, pair, starter]
                points -= cribs[own, pair, PAIRS[pair, 0]] + cribs[own, pair, PAIRS[pair, 1]]
                mean += weight[pair] * points
            out[m, option] = mean / (total * STARTERS)


@kernel(fastmath=True)
def option_values(m: int, pattern: int, six: Any, parts: OptionValues, values: Any) -> None:
    """values[o] of one suit class: ranks, pegging, flush, nobs of the jacks kept and of those discarded."""
    first, last = six.jacks[m, 0], six.jacks[m, 1]
    nobs = ZERO
    for position in range(first, last):
        nobs += six.jack[pattern, position]
    option = 0
    for low in range(6):
        for high in range(low + 1, 6):
            discarded = ZERO
            if first <= low < last:
                discarded += six.jack[pattern, low]
            if first <= high < last:
                discarded += six.jack[pattern, high]
            value = parts.by_ranks[m, option] + parts.pegging[six.keep_of[m, option]]
            value += parts.by_suits[pattern, option] + nobs - discarded + parts.own_jack * discarded
            values[option] = value
            option += 1


@kernel(fastmath=True)
def take_best(weight: Any, values: Any, mean: Any) -> Any:
    """Return the value of the best option, counted in mean[o]."""
    best = 0
    for option in range(1, 15):
        if values[option] > values[best]:
            best = option
    mean[best] += weight
    return values[best]


@kernel(fastmath=True)
def take_mixed(
    row: int, weight: Any, values: Any, lesson: Lesson, tables: RegretTables, mean: Any, mix: Any
) -> Any:
    """Return the value of the mixture of options, counted in mean[o]; in mode UPDATE the regrets move."""
    positive = ZERO
    for option in range(15):
        kept = tables.regret[row, option] if lesson.mode == UPDATE else tables.total[row, option]
        mix[option] = max(kept, ZERO)
        positive += mix[option]
    value = ZERO
    for option in range(15):
        mix[option] = mix[option] / positive if positive > ZERO else EVEN
        value += mix[option] * values[option]
        mean[option] += weight * mix[option]
    if lesson.mode == UPDATE:
        for option in range(15):
            before = tables.regret[row, option]
            kept = before * (lesson.keep_up if before > ZERO else lesson.keep_down)
            tables.regret[row, option] = kept + values[option] - value
            tables.total[row, option] = tables.total[row, option] * lesson.keep_sum + mix[option]
    return value


@kernel(fastmath=True)
def discard_pass(
    first: int,
    stop: int,
    six: Any,
    parts: OptionValues,
    lesson: Lesson,
    tables: RegretTables,
    mean: Any,
    summed: Any,
) -> None:
    """One pass over every suit class of rank classes first:stop.

    mean[m, o]: deals (of 20,358,520) that discard option o; summed[m]: value, over all of them.
    """
    values = np.zeros(15, dtype=np.float32)
    mix = np.zeros(15, dtype=np.float32)
    for m in range(first, stop):
        mean[m] = 0.0
        total_value = 0.0
        for n in range(six.class_start[m + 1] - six.class_start[m]):
            pattern = six.shape_start[m] + n
            row = six.class_start[m] + n
            weight = six.weight[pattern]
            option_values(m, pattern, six, parts, values)
            if lesson.mode == BEST_RESPONSE:
                value = take_best(weight, values, mean[m])
            else:
                value = take_mixed(row, weight, values, lesson, tables, mean[m], mix)
            total_value += weight * value
        summed[m] = total_value


@kernel(fastmath=True)
def ways_of_six(rest: Any, copies: Any, row: int) -> Any:
    """Ways to draw copies[row] of each rank from `rest` cards of each."""
    ways = 1.0
    for rank in range(13):
        drawn = copies[row, rank]
        if drawn > rest[rank]:
            return 0.0
        if drawn > 0:
            ways *= DRAWS[rest[rank], drawn]
    return ways


@kernel(fastmath=True)
def exact_pairs(first: int, stop: int, copies: Any, policy: RankPolicy, out: Any) -> None:
    """out[n, q, s]: chance that the other side discards pair q and the starter has rank s, given six cards.

    Exact in ranks: sums over all 18,395 classes of the other side, drawn from the 46 cards left; slot s = 13
    is the chance of the pair alone. policy: the other side's mean strategy, by the pair it discards. n
    counts from `first`.
    """
    rest = np.zeros(13, dtype=np.int64)
    for m in range(first, stop):
        for rank in range(13):
            rest[rank] = 4 - copies[m, rank]
        chances = out[m - first]
        chances[:] = 0
        for other in range(len(copies)):
            ways = ways_of_six(rest, copies, other)
            if ways == 0.0:
                continue
            for entry in range(policy.starts[other], policy.starts[other + 1]):
                often = np.float32(ways * policy.probability[entry])
                pair = policy.where[entry]
                chances[pair, 13] += often
                for starter in range(13):
                    chances[pair, starter] += often * np.float32(rest[starter] - copies[other, starter])
        scale = np.float32(1 / SIX_OF_46)
        for pair in range(91):
            chances[pair, 13] *= scale
            for starter in range(13):
                chances[pair, starter] *= scale * np.float32(1 / STARTERS_LEFT)


@kernel(fastmath=True)
def exact_keeps(rest: Any, copies: Any, policy: RankPolicy, out: Any) -> None:
    """out[k]: chance that the other side keeps the four ranks k, its six drawn from `rest` (13,) cards of
    each rank.

    Exact in ranks; policy: the other side's mean strategy, by the hand it keeps. About 1 ms.
    """
    out[:] = 0
    total = 0.0
    for other in range(len(copies)):
        ways = ways_of_six(rest, copies, other)
        total += ways
        if ways > 0.0:
            for entry in range(policy.starts[other], policy.starts[other + 1]):
                out[policy.where[entry]] += ways * policy.probability[entry]
    for kept in range(len(out)):
        out[kept] /= total


@kernel(fastmath=True)
def kept_together(copies: Any, deals: Any, pone: RankPolicy, dealer: RankPolicy, out: Any) -> None:
    """out[a, b]: how often the pone keeps the four ranks a and the dealer b.

    Exact in ranks, in no unit: out (1820, 1820) float64 is added to. deals: (18395,) of each rank class;
    pone, dealer: by the hand kept.
    """
    rest = np.zeros(13, dtype=np.int64)
    against = np.zeros(out.shape[1])
    for m in range(len(copies)):
        for rank in range(13):
            rest[rank] = 4 - copies[m, rank]
        against[:] = 0
        for other in range(len(copies)):
            ways = ways_of_six(rest, copies, other)
            if ways > 0.0:
                for entry in range(dealer.starts[other], dealer.starts[other + 1]):
                    against[dealer.where[entry]] += ways * dealer.probability[entry]
        for entry in range(pone.starts[m], pone.starts[m + 1]):
            often, kept = deals[m] * pone.probability[entry], pone.where[entry]
            for other in range(len(against)):
                out[kept, other] += often * against[other]
