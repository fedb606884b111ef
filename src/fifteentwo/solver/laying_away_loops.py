"""Laying away over every six-card hand: rank classes × suit patterns, vectorised over both.

A rank class is a multiset of six ranks (18,395 of them); its shape (how many of each rank) fixes the list of
suit patterns up to renaming suits, with how many deals each stands for. Options are the 15 pairs of
positions.
"""

import numpy as np

from fifteentwo.fast.peg_compiled import compiled


@compiled
def rank_points(ranks):  # type: ignore[no-untyped-def]
    """Fifteens, pairs and runs of five ranks 0–12 (R81–R84); int."""
    points = 0
    for mask in range(1, 32):
        total = 0
        for i in range(5):
            if mask >> i & 1:
                total += min(ranks[i] + 1, 10)
        if total == 15:
            points += 2
    for i in range(5):
        for j in range(i + 1, 5):
            if ranks[i] == ranks[j]:
                points += 2
    copies = np.zeros(14, dtype=np.int64)
    for i in range(5):
        copies[ranks[i]] += 1
    length = 0
    ways = 1
    for r in range(14):
        if r < 13 and copies[r] > 0:
            length += 1
            ways *= copies[r]
        else:
            if length >= 3:
                points += length * ways
            length = 0
            ways = 1
    return points


@compiled
def fill_show(hands, table):  # type: ignore[no-untyped-def]
    """table[h, s]: rank points of four ranks with starter rank s; (n, 13) float32."""
    five = np.zeros(5, dtype=np.int64)
    for h in range(len(hands)):
        for s in range(13):
            for i in range(4):
                five[i] = hands[h, i]
            five[4] = s
            table[h, s] = rank_points(five)
    return 0


@compiled
def fill_cribs(pairs, table):  # type: ignore[no-untyped-def]
    """table[d, q, s]: rank points of the crib d + q with starter rank s; (91, 91, 13) float32."""
    five = np.zeros(5, dtype=np.int64)
    for d in range(91):
        for q in range(d, 91):
            for s in range(13):
                five[0] = pairs[d, 0]
                five[1] = pairs[d, 1]
                five[2] = pairs[q, 0]
                five[3] = pairs[q, 1]
                five[4] = s
                points = rank_points(five)
                table[d, q, s] = points
                table[q, d, s] = points
    return 0


@compiled
def mean_cribs(first, stop, copies, pair_of, pairs, density, cribs, out):  # type: ignore[no-untyped-def]
    """out[m, o]: mean crib of option o of rank class m against a pair density per way (91,), ranks only.

    The other side's pair and the starter are drawn from the cards the six leave.
    """
    rest = np.zeros(13, dtype=np.float32)
    weight = np.zeros(91, dtype=np.float32)
    for m in range(first, stop):
        for s in range(13):
            rest[s] = np.float32(4 - copies[m, s])
        total = np.float32(0)
        for q in range(91):
            a = pairs[q, 0]
            b = pairs[q, 1]
            ways = rest[a] * rest[b] if a != b else rest[a] * (rest[a] - np.float32(1)) * np.float32(0.5)
            weight[q] = density[q] * ways
            total += weight[q]
        for o in range(15):
            d = pair_of[m, o]
            done = -1
            for earlier in range(o):
                if pair_of[m, earlier] == d:
                    done = earlier
            if done >= 0:
                out[m, o] = out[m, done]
                continue
            mean = np.float32(0)
            for q in range(91):
                part = np.float32(0)
                for s in range(13):
                    part += rest[s] * cribs[d, q, s]
                part -= cribs[d, q, pairs[q, 0]] + cribs[d, q, pairs[q, 1]]
                mean += weight[q] * part
            out[m, o] = mean / (total * np.float32(44))
    return 0


@compiled
def option_values(  # type: ignore[no-untyped-def]
    m, pattern, base, keep_of, pegging, extra, jack, first_jack, last_jack, own_jack, values
):
    """values[o] of one suit class: ranks, pegging, flush, nobs of jacks kept (own_jack: laid away)."""
    nobs = np.float32(0)
    for position in range(first_jack, last_jack):
        nobs += jack[pattern, position]
    o = 0
    for i in range(6):
        for j in range(i + 1, 6):
            away = np.float32(0)
            if first_jack <= i < last_jack:
                away += jack[pattern, i]
            if first_jack <= j < last_jack:
                away += jack[pattern, j]
            values[o] = (
                base[m, o] + pegging[keep_of[m, o]] + extra[pattern, o] + nobs - away + own_jack * away
            )
            o += 1


@compiled
def lay_away_step(  # type: ignore[no-untyped-def]
    first,
    stop,
    class_start,
    shape_start,
    pattern_weight,
    jacks,
    base,
    keep_of,
    pegging,
    extra,
    jack,
    own_jack,
    regret,
    total,
    keep_up,
    keep_down,
    keep_sum,
    mode,
    mean,
    worth,
):
    """One discounted regret step at every suit class of rank classes first:stop.

    mode 0: update regrets and sums, `mean` gets the current strategy. mode 1: best answer. mode 2: value of
    the accumulated strategy `total`. mean[m, o]: deals (of 20,358,520) that lay away option o; worth[m]:
    summed value.
    """
    values = np.zeros(15, dtype=np.float32)
    mix = np.zeros(15, dtype=np.float32)
    zero = np.float32(0)
    for m in range(first, stop):
        for o in range(15):
            mean[m, o] = zero
        sum_worth = 0.0
        patterns = class_start[m + 1] - class_start[m]
        for n in range(patterns):
            pattern = shape_start[m] + n
            row = class_start[m] + n
            option_values(
                m, pattern, base, keep_of, pegging, extra, jack, jacks[m, 0], jacks[m, 1], own_jack, values
            )
            weight = pattern_weight[pattern]
            if mode == 1 or mode == 3:
                best = 0
                for o in range(1, 15):
                    if values[o] > values[best]:
                        best = o
                mean[m, best] += weight
                sum_worth += weight * values[best]
                if mode == 3:
                    for o in range(15):
                        total[row, o] = zero
                    total[row, best] = np.float32(1)
                continue
            positive = zero
            for o in range(15):
                x = regret[row, o] if mode == 0 else total[row, o]
                mix[o] = max(x, zero)
                positive += mix[o]
            value = zero
            for o in range(15):
                mix[o] = mix[o] / positive if positive > zero else np.float32(1 / 15)
                value += mix[o] * values[o]
                mean[m, o] += weight * mix[o]
            sum_worth += weight * value
            if mode == 0:
                for o in range(15):
                    x = regret[row, o]
                    regret[row, o] = x * (keep_up if x > zero else keep_down) + values[o] - value
                    total[row, o] = total[row, o] * keep_sum + mix[o]
        worth[m] = sum_worth
    return 0


@compiled
def exact_pairs(first, stop, copies, starts, where, share, out):  # type: ignore[no-untyped-def]
    """out[n, q, s]: chance that the other side lays away pair q and the starter has rank s, given six cards.

    Exact in ranks: sums over all 18,395 classes of the other side, drawn from the 46 cards left; slot s = 13
    is the chance of the pair alone. starts/where/share: sparse mean strategy (class → pair, probability).
    n counts from `first`.
    """
    choose = np.zeros((5, 5), dtype=np.float64)
    choose[0, 0] = 1
    for i in range(5):
        choose[i, 0] = 1
        for j in range(1, i + 1):
            choose[i, j] = choose[i - 1, j - 1] + choose[i - 1, j]
    classes = len(copies)
    rest = np.zeros(13, dtype=np.int64)
    for m in range(first, stop):
        for s in range(13):
            rest[s] = 4 - copies[m, s]
        acc = out[m - first]
        acc[:] = 0
        for b in range(classes):
            ways = 1.0
            for s in range(13):
                k = copies[b, s]
                if k > 0:
                    if k > rest[s]:
                        ways = 0.0
                        break
                    ways *= choose[rest[s], k]
            if ways == 0.0:
                continue
            for e in range(starts[b], starts[b + 1]):
                x = np.float32(ways * share[e])
                q = where[e]
                acc[q, 13] += x
                for s in range(13):
                    acc[q, s] += x * np.float32(rest[s] - copies[b, s])
        scale = np.float32(1 / 9366819.0)
        for q in range(91):
            acc[q, 13] *= scale
            for s in range(13):
                acc[q, s] *= scale * np.float32(1 / 40.0)
    return 0


@compiled
def exact_keeps(rest, copies, starts, where, share, out):  # type: ignore[no-untyped-def]
    """out[k]: chance that the other side keeps the four ranks k, its six drawn from `rest` (13,) cards of
    each rank.

    Exact in ranks; starts/where/share: sparse mean strategy (class → kept hand, probability). About 1 ms.
    """
    out[:] = 0
    total = 0.0
    for b in range(len(copies)):
        ways = 1.0
        for s in range(13):
            k = copies[b, s]
            if k > rest[s]:
                ways = 0.0
                break
            for i in range(k):
                ways *= (rest[s] - i) / (i + 1)
        if ways == 0.0:
            continue
        total += ways
        for e in range(starts[b], starts[b + 1]):
            out[where[e]] += ways * share[e]
    for k in range(len(out)):
        out[k] /= total
    return 0
