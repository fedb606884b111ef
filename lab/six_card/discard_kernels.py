"""Kernels over all six-card hands: values and regrets of discards, and mean cribs.

A rank class is one of 18,395 multisets of six ranks. The number of cards of each rank determines the suit
patterns of the class up to a renaming of suits. Options are the 15 pairs of positions. `six` is a
`six_cards.SixCards` in all kernels.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import PAIRS
from lab.cfr import BEST_RESPONSE, UPDATE, Floats, Ints, TraversalSettings

ZERO, ONE, HALF, EVEN_PROBABILITY = np.float32(0), np.float32(1), np.float32(0.5), np.float32(1 / 15)
STARTERS_OF_44 = np.float32(44)
"""Number of possible starters when eight cards are known."""
OPPONENT_HANDS = 9366819.0
"""Number of six-card hands that the other side can hold: 46 choose 6."""
STARTERS_OF_40 = 40.0
"""Number of possible starters when twelve cards are known."""

DRAW_WAYS = np.array([[comb(held, drawn) for drawn in range(5)] for held in range(5)], dtype=np.float64)
"""(5, 5) number of ways to draw this many cards (column) from the remaining cards of a rank (row)."""


class OptionValues(NamedTuple):
    """The parts of the value of a discard, in net points of the side that discards."""

    by_ranks: Floats
    """(18395, 15) points of the kept hand and the crib that depend on ranks, by rank class and option."""
    pegging: Floats
    """(1820,) net points that each kept hand pegs."""
    by_suits: Floats
    """(suit patterns, 15) points of flushes of the hand and of the crib, by option."""
    own_jack: np.float32
    """Value of a point for a discarded jack's nobs: 1 in the side's own crib, -1 in the opponent's."""


class DiscardTables(NamedTuple):
    """What a kernel updates: regrets and strategy sums of every suit class and option."""

    regret: Floats
    """(962988, 15) cumulative regret of each option, by suit class."""
    total: Floats
    """(962988, 15) discounted sum of past strategies, by suit class and option."""


class RankPolicy(NamedTuple):
    """How often each rank class discards each pair, or keeps each hand: lists of entries, joined."""

    starts: Ints
    """(18396,) index of the first entry of each rank class; the last element is the number of entries."""
    where: Ints
    """For each entry: the number of the pair discarded, 0–90, or of the hand kept, 0–1819."""
    probability: Any
    """For each entry: its probability, given the rank class."""


@kernel(fastmath=True)
def mean_cribs(first: int, stop: int, six: Any, density: Any, cribs: Any, out: Any) -> None:
    """Write to out[m, o] approximate mean crib points, without suits, of option o of rank class m.

    density: (91,) the other side's relative frequency of each pair, for each way to draw it. cribs: (91, 91,
    13) points by both pairs and the starter.
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
            out[m, option] = mean / (total * STARTERS_OF_44)


@kernel(fastmath=True)
def option_values(m: int, pattern: int, six: Any, parts: OptionValues, values: Any) -> None:
    """Write to `values` (15,) the value of each discard of one suit class. m: its rank class."""
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
def add_best(weight: Any, values: Any, mean: Any) -> Any:
    """Return the value of the best option, and add the weight to that option in `mean` (15,)."""
    best = 0
    for option in range(1, 15):
        if values[option] > values[best]:
            best = option
    mean[best] += weight
    return values[best]


@kernel(fastmath=True)
def add_mixed(
    row: int,
    weight: Any,
    values: Any,
    settings: TraversalSettings,
    tables: DiscardTables,
    mean: Any,
    mix: Any,
) -> Any:
    """Return the value of a mixed strategy; add weight · strategy to `mean`. Mode UPDATE updates `tables`."""
    positive = ZERO
    for option in range(15):
        kept = tables.regret[row, option] if settings.mode == UPDATE else tables.total[row, option]
        mix[option] = max(kept, ZERO)
        positive += mix[option]
    value = ZERO
    for option in range(15):
        mix[option] = mix[option] / positive if positive > ZERO else EVEN_PROBABILITY
        value += mix[option] * values[option]
        mean[option] += weight * mix[option]
    if settings.mode == UPDATE:
        for option in range(15):
            before = tables.regret[row, option]
            kept = before * (settings.positive_discount if before > ZERO else settings.negative_discount)
            tables.regret[row, option] = kept + values[option] - value
            tables.total[row, option] = tables.total[row, option] * settings.sum_discount + mix[option]
    return value


@kernel(fastmath=True)
def discard_pass(
    first: int,
    stop: int,
    six: Any,
    parts: OptionValues,
    settings: TraversalSettings,
    tables: DiscardTables,
    mean: Any,
    summed: Any,
) -> None:
    """Compute or update the strategies of all suit classes in rank classes first to stop - 1.

    Written: mean[m, o], number of deals (of 20,358,520) that discard option o; summed[m], the sum of the
    values of all deals of class m.
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
            if settings.mode == BEST_RESPONSE:
                value = add_best(weight, values, mean[m])
            else:
                value = add_mixed(row, weight, values, settings, tables, mean[m], mix)
            total_value += weight * value
        summed[m] = total_value


@kernel(fastmath=True)
def ways_to_draw(rest: Any, copies: Any, row: int) -> Any:
    """Return the ways to draw copies[row] cards of each rank from `rest` (13,) cards of each rank."""
    ways = 1.0
    for rank in range(13):
        drawn = copies[row, rank]
        if drawn > rest[rank]:
            return 0.0
        if drawn > 0:
            ways *= DRAW_WAYS[rest[rank], drawn]
    return ways


@kernel(fastmath=True)
def exact_pairs(first: int, stop: int, copies: Any, policy: RankPolicy, out: Any) -> None:
    """Write to out[n, q, s] the probability of pair q and starter s, given the six cards of class first + n.

    q is the other side's discard by `policy`. The sum is exact in ranks. Slot s = 13 is the probability of
    the pair with any starter.
    """
    rest = np.zeros(13, dtype=np.int64)
    for m in range(first, stop):
        for rank in range(13):
            rest[rank] = 4 - copies[m, rank]
        chances = out[m - first]
        chances[:] = 0
        for other in range(len(copies)):
            ways = ways_to_draw(rest, copies, other)
            if ways == 0.0:
                continue
            for entry in range(policy.starts[other], policy.starts[other + 1]):
                often = np.float32(ways * policy.probability[entry])
                pair = policy.where[entry]
                chances[pair, 13] += often
                for starter in range(13):
                    chances[pair, starter] += often * np.float32(rest[starter] - copies[other, starter])
        scale = np.float32(1 / OPPONENT_HANDS)
        for pair in range(91):
            chances[pair, 13] *= scale
            for starter in range(13):
                chances[pair, starter] *= scale * np.float32(1 / STARTERS_OF_40)


@kernel(fastmath=True)
def exact_keeps(rest: Any, copies: Any, policy: RankPolicy, out: Any) -> None:
    """Write to `out` (1820,) the probability that the other side keeps each four ranks; about 1 ms.

    Its six cards are drawn from `rest` (13,) cards of each rank. policy: the hands that it keeps.
    """
    out[:] = 0
    total = 0.0
    for other in range(len(copies)):
        ways = ways_to_draw(rest, copies, other)
        total += ways
        if ways > 0.0:
            for entry in range(policy.starts[other], policy.starts[other + 1]):
                out[policy.where[entry]] += ways * policy.probability[entry]
    for kept in range(len(out)):
        out[kept] /= total
