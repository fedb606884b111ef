"""Kernels over all six-card hands: values and regrets of discards, and mean cribs.

A rank class is one of 18,395 multisets of six ranks. The number of cards of each rank determines the suit
patterns of the class up to a renaming of suits. Options are the 15 pairs of positions. `six` is a
`six_cards.SixCards` in all kernels.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import PAIRS
from lab.cfr import BEST_RESPONSE, UPDATE, Lesson

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

ZERO, ONE, HALF, EVEN = np.float32(0), np.float32(1), np.float32(0.5), np.float32(1 / 15)
STARTERS = np.float32(44)
"""Possible starters when eight cards are known."""
SIX_OF_46 = 9366819.0
"""Six-card hands that the other side can hold."""
STARTERS_LEFT = 40.0
"""Possible starters when twelve cards are known."""

DRAWS = np.array([[comb(held, drawn) for drawn in range(5)] for held in range(5)], dtype=np.float64)
"""(5, 5) ways to draw some cards (column) from those left (row)."""


class OptionValues(NamedTuple):
    """The value of an option, in parts, in points of the side that discards."""

    by_ranks: Floats
    """(18395, 15) the show of the kept hand and the crib, by ranks."""
    pegging: Floats
    """(1820,) net points that each kept hand pegs."""
    by_suits: Floats
    """(p, 15) flushes of the hand and of the crib."""
    own_jack: np.float32
    """Value of nobs by a discarded jack: 1 in the own crib, -1 in the other side's."""


class RegretTables(NamedTuple):
    """(962988, 15) regrets and strategy sums of every suit class."""

    regret: Floats
    total: Floats


class RankPolicy(NamedTuple):
    """The discards of each rank class and their probabilities, one class after another."""

    starts: Ints
    """(18396,) the first entry of each class."""
    where: Ints
    """The number of the pair discarded, or of the hand kept."""
    probability: Any


@kernel(fastmath=True)
def mean_cribs(first: int, stop: int, six: Any, density: Any, cribs: Any, out: Any) -> None:
    """Write to out[m, o] the mean crib of option o of rank class m, without suits.

    The other side's pair and the starter are drawn from the unseen cards; density: (91,) weight of each way
    to draw a pair. cribs: (91, 91, 13).
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
    """Write the value of each option of one suit class."""
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
    """Return the value of the best option o and add the weight to mean[o]."""
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
    """Return the value of the mixed strategy; add it to `mean`, and in mode UPDATE to the regrets."""
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
    """Visit every suit class of rank classes first:stop.

    mean[m, o]: deals (of 20,358,520) that discard option o; summed[m]: sum of the values of all its deals.
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
    """Return the ways to draw copies[row] cards of each rank from `rest` cards of each."""
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
    """Write to out[n, q, s] the probability of pair q and starter s, given the six cards of class first + n.

    The sum is exact in ranks: a sum over all classes of the other side, drawn from the 46 cards left. Slot s
    = 13 is the probability of the pair alone. policy: the other side's strategy, by the pair discarded.
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
    """Write to out[k] the probability that the other side keeps the four ranks k; about 1 ms.

    Its six cards are drawn from `rest` (13,) cards of each rank. policy: its strategy, by the hand kept.
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
