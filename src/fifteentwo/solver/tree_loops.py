"""The public tree of the play, walked with a vector of hands on each side.

A node is a public history; hands are what each side still holds. Vectors are float32 over the hands of a
size:

* 1 card: 16 slots, slot = rank (13 used);
* 2 cards: 16 × 16 → 208 used (13 rows of 16), slot (i, j) and (j, i) both hold the pair {i, j};
* 3 cards: 455, 4 cards: 1,820 multisets in ascending order.

Reach of a side is keep weight × its own strategy; the two hands are coupled by the copies of each rank still
unseen, one factor for every card laid (`left`). Nothing is stored per node: the walk visits the tree in one
fixed order (preorder, ranks ascending, go last) and cursors advance through flat arrays of regrets and
endings.

Cursors: 0 regrets, 1 endings with a card each, 2 and 3 endings of one side alone with two or three cards.
Strategy cells of a node whose mover holds two cards: for legal ranks r < s, the cells of r and of s.
Of three or four cards: rows of legal ranks, columns the multiset that stays (91 or 455).
"""

import numpy as np

from fifteentwo.fast.hands import FOURS as FOURS
from fifteentwo.fast.hands import LOW3, MIRROR, SLOT, TRIPLES, UP3
from fifteentwo.fast.layout import VALUES as VALUE
from fifteentwo.fast.peg_compiled import compiled
from fifteentwo.fast.peg_rules import TAIL, card_points, tail_code
from fifteentwo.solver.endings import ENDING

SIZE = np.array([1, 16, 208, 455, 1820], dtype=np.int64)

LEVEL = 6016
LEVELS = 20
STEP, FIRST, ROW = 10, 11, 12
AFTER_GO = 20
UPDATE, ANSWER, MEASURE = 0, 1, 2
"""What a walk does: update regrets; best answer against stored strategies; value of stored strategies."""


@compiled
def enter(  # type: ignore[no-untyped-def]
    stack, level, n0, n1, low0, low1, turn, gone, count, start, end, last
):
    """Put a public node on the stack (the walk keeps its own stack: numba cannot cache recursion)."""
    stack[level, 0] = n0
    stack[level, 1] = n1
    stack[level, 2] = low0
    stack[level, 3] = low1
    stack[level, 4] = turn
    stack[level, 5] = gone
    stack[level, 6] = count
    stack[level, 7] = start
    stack[level, 8] = end
    stack[level, 9] = last
    stack[level, STEP] = 0


@compiled
def survey(  # type: ignore[no-untyped-def]
    stack, codes, pile, left, cursor, filling, key1, key2, key3, node_code, node_cell
):
    """Visit the tree below stack[0] as `walk` does; count cells and endings, with `filling` write their keys.

    cursor[4] counts decision nodes: node_code gets the public history (base 15: rank + 1, go 14; codes[0] is
    the history so far), node_cell the first cell << 14 | (1 if three cards) << 13 | the legal ranks.
    """
    level = 0
    while level >= 0:
        n0 = stack[level, 0]
        n1 = stack[level, 1]
        low0 = stack[level, 2]
        low1 = stack[level, 3]
        turn = stack[level, 4]
        gone = stack[level, 5]
        count = stack[level, 6]
        start = stack[level, 7]
        end = stack[level, 8]
        last = stack[level, 9]
        step = stack[level, STEP]
        code = codes[level]
        mover = n0 if turn == 0 else n1
        other = n1 if turn == 0 else n0
        low = low0 if turn == 0 else low1
        room = 31 - count
        if step == 0:
            legal = 0
            ranks = np.int64(0)
            for r in range(13):
                if VALUE[r] <= room and VALUE[r] > low and left[r] > 0:
                    legal += 1
                    ranks |= np.int64(1) << r
            if mover >= 2 and legal >= 2:
                if filling:
                    node_code[cursor[4]] = code
                    node_cell[cursor[4]] = cursor[0] << 14 | (mover - 2) << 13 | ranks
                cursor[4] += 1
                if mover == 2:
                    cursor[0] += legal * (legal - 1)
            if mover == 3:
                cursor[0] += legal * 91
        elif step == AFTER_GO:
            level -= 1
            continue
        else:
            left[step - 1] += 1
        r = step
        total = np.int64(0)
        while r < 13:
            if VALUE[r] > room or VALUE[r] <= low or left[r] <= 0:
                r += 1
                continue
            pile[end] = r
            total = count + VALUE[r]
            if mover == 1:
                if filling:
                    key = (turn * 32 + total) * TAIL
                    if total < 31:
                        key += tail_code(pile, start, end + 1, other)
                    if other == 2:
                        key2[cursor[2]] = key
                    else:
                        key3[cursor[3]] = key
                if other == 2:
                    cursor[2] += 1
                else:
                    cursor[3] += 1
            elif mover == 2 and other == 1:
                if filling:
                    if total < 31:
                        key = ((turn * 2 + gone) * 32 + total) * TAIL + tail_code(pile, start, end + 1, 2)
                    else:
                        key = (turn * 2 * 32 + total) * TAIL
                    key1[cursor[1]] = key
                cursor[1] += 1
            else:
                break
            r += 1
        if r < 13:
            left[r] -= 1
            m0 = n0 - 1 if turn == 0 else n0
            m1 = n1 if turn == 0 else n1 - 1
            stack[level, STEP] = r + 1
            codes[level + 1] = code * 15 + r + 1
            if total == 31:
                enter(stack, level + 1, m0, m1, low0, low1, 1 - turn, 0, 0, end + 1, end + 1, turn)
            else:
                follower = turn if gone else 1 - turn
                enter(stack, level + 1, m0, m1, low0, low1, follower, gone, total, start, end + 1, turn)
            level += 1
        elif room < 10:
            if turn == 0:
                low0 = max(low0, room)
            else:
                low1 = max(low1, room)
            stack[level, STEP] = AFTER_GO
            codes[level + 1] = code * 15 + 14
            if gone:
                enter(stack, level + 1, n0, n1, low0, low1, 1 - last, 0, 0, end, end, last)
            else:
                enter(stack, level + 1, n0, n1, low0, low1, 1 - turn, 1, count, start, end, last)
            level += 1
        else:
            level -= 1
    return 0


@compiled
def ending_values(table, at, work, other, left, net, out, scale):  # type: ignore[no-untyped-def]
    """Value of each own card at an ending with a card each: work[out:out+16] ; scratch to out + 32."""
    total = np.float32(0)
    acc = out + 16
    for i in range(16):
        work[acc + i] = np.float32(0)
    for k in range(13):
        x = work[other + k] * left[k]
        total += x
        row = at + k * 16
        for i in range(16):
            work[acc + i] += x * table[row + i]
    base = net * total
    for i in range(16):
        work[out + i] = (
            scale * left[i] * (work[acc + i] + base - work[other + i] * (table[at + 208 + i] + net))
        )


@compiled
def walk(  # type: ignore[no-untyped-def]
    side,
    mode,
    price,
    stack,
    where,
    nets,
    work,
    left,
    pile,
    cursor,
    source,
    regret,
    total,
    end1,
    id1,
    end2,
    id2,
    end3,
    id3,
    keep_up,
    keep_down,
    keep_sum,
):
    """Values of `side`'s hands at the public node stack[0]; in mode UPDATE the cells below it move too.

    where[0]: offsets in `work` of the reach vectors of pone and dealer and of the values; nets[0]: public
    points so far in pone's currency. `source`: cells the strategies are read from (regrets, or strategy
    sums). keep_up, keep_down, keep_sum: discounts of positive regrets, negative regrets and strategy sums
    (the new strategy is added with weight 1). Cost: about 5 million endings from the deal on.
    """
    zero = np.float32(0)
    one = np.float32(1)
    half = np.float32(0.5)
    level = 0
    while level >= 0:
        n0 = stack[level, 0]
        n1 = stack[level, 1]
        low0 = stack[level, 2]
        low1 = stack[level, 3]
        turn = stack[level, 4]
        gone = stack[level, 5]
        count = stack[level, 6]
        start = stack[level, 7]
        end = stack[level, 8]
        last = stack[level, 9]
        step = stack[level, STEP]
        at0 = where[level, 0]
        at1 = where[level, 1]
        out = where[level, 2]
        net = nets[level]
        rc = level * LEVEL
        cv = rc + 464
        av = rc + 960
        sg = av + 2704
        tt = sg + 1184
        sc = tt + 464
        mover = n0 if turn == 0 else n1
        other = n1 if turn == 0 else n0
        om = at0 if turn == 0 else at1
        oo = at1 if turn == 0 else at0
        own = side == turn
        size = SIZE[n0 if side == 0 else n1]
        room = 31 - count
        low = low0 if turn == 0 else low1
        if step == 0:
            row = sg
            stack[level, FIRST] = cursor[0]
            first = cursor[0]
            for i in range(size):
                work[out + i] = zero
            # The mover's strategy.
            if mover == 2:
                for i in range(208):
                    work[sg + i] = one
                c = first
                for r in range(13):
                    if VALUE[r] <= room and VALUE[r] > low and left[r] > zero:
                        for s in range(r + 1, 13):
                            if VALUE[s] <= room and VALUE[s] > low and left[s] > zero:
                                a = max(source[c], zero)
                                b = max(source[c + 1], zero)
                                c += 2
                                p = a / (a + b) if a + b > zero else half
                                work[sg + r * 16 + s] = p
                                work[sg + s * 16 + r] = one - p
                cursor[0] = c
            elif mover == 3:
                for i in range(455):
                    work[tt + i] = zero
                    work[sc + i] = zero
                c = first
                for r in range(13):
                    if VALUE[r] <= room and VALUE[r] > low and left[r] > zero:
                        for p3 in range(91):
                            h = UP3[r, p3]
                            work[tt + h] += max(source[c + p3], zero)
                            work[sc + h] += one
                        c += 91
                cursor[0] = c
                c = first
                q = sg
                for r in range(13):
                    if VALUE[r] <= room and VALUE[r] > low and left[r] > zero:
                        for p3 in range(91):
                            h = UP3[r, p3]
                            if work[tt + h] > zero:
                                work[q + p3] = max(source[c + p3], zero) / work[tt + h]
                            else:
                                work[q + p3] = one / work[sc + h]
                        c += 91
                        q += 91

        elif step == AFTER_GO:
            if own:
                if mover == 1:
                    for i in range(13):
                        if VALUE[i] > room:
                            work[out + i] = work[cv + i]
                elif mover == 2:
                    for i in range(13):
                        for j in range(13):
                            if VALUE[i] > room and VALUE[j] > room:
                                work[out + i * 16 + j] = work[cv + i * 16 + j]
                else:
                    for h in range(455):
                        if LOW3[h] > room:
                            work[out + h] = work[cv + h]
            else:
                for i in range(size):
                    work[out + i] += work[cv + i]
            level -= 1
            continue
        else:
            first = stack[level, FIRST]
            row = stack[level, ROW] + 91
            f = left[step - 1] + one
            left[step - 1] = f
            if own:
                q = av + (step - 1) * (16 if mover == 2 else 208)
                for i in range(SIZE[mover - 1]):
                    work[q + i] = f * work[cv + i]
            else:
                for i in range(size):
                    work[out + i] += work[cv + i]
        r = step
        # The cards.
        while r < 13:
            if VALUE[r] > room or VALUE[r] <= low or left[r] <= zero:
                r += 1
                continue
            f = left[r]
            left[r] = f - one
            pile[end] = r
            now = count + VALUE[r]
            points = np.float32(card_points(pile, start, end + 1, now))
            after = net + points if turn == 0 else net - price * points
            if mover == 1:
                # The mover is out of cards: the other side plays on alone.
                if other == 2:
                    base = id2[cursor[2]] * 208
                    cursor[2] += 1
                    if own:
                        v = zero
                        for i in range(13):
                            q = base + i * 16
                            part = zero
                            for j in range(13):
                                part += work[oo + i * 16 + j] * (end2[q + j] + after) * left[j]
                            diagonal = work[oo + i * 17] * (end2[q + i] + after)
                            v += left[i] * half * (part + diagonal * (left[i] - one - one))
                        work[out + r] = f * (v if side == 0 else -v)
                    else:
                        y = work[om + r] * f
                        if side == 1:
                            y = -y
                        for i in range(13):
                            q = base + i * 16
                            x = y * left[i]
                            for j in range(16):
                                work[out + i * 16 + j] += x * (end2[q + j] + after) * left[j]
                            work[out + i * 17] -= x * (end2[q + i] + after)
                else:
                    base = id3[cursor[3]] * 455
                    cursor[3] += 1
                    y = work[om + r] * f
                    v = zero
                    for h in range(455):
                        a = TRIPLES[h, 0]
                        b = TRIPLES[h, 1]
                        d = TRIPLES[h, 2]
                        x = left[a]
                        x *= left[b] - one if a == b else left[b]
                        x *= left[d] - np.float32((a == d) + (b == d))
                        x = max(x, zero) * (end3[base + h] + after)
                        if own:
                            v += x * work[oo + h]
                        elif side == 0:
                            work[out + h] += x * y
                        else:
                            work[out + h] -= x * y
                    if own:
                        work[out + r] = f * (v if side == 0 else -v)
            elif mover == 2 and other == 1:
                base = (id1[cursor[1]] * 2 + side) * ENDING
                cursor[1] += 1
                net_now = after if side == 0 else -after
                if own:
                    ending_values(end1, base, work, oo, left, net_now, av + r * 16, f)
                else:
                    for i in range(16):
                        work[tt + i] = work[om + r * 16 + i] * work[sg + r * 16 + i]
                    ending_values(end1, base, work, tt, left, net_now, cv, f)
                    for i in range(16):
                        work[out + i] += work[cv + i]
            else:
                scale = one if own else f
                if mover == 2:
                    for i in range(16):
                        work[rc + i] = work[om + r * 16 + i] * work[sg + r * 16 + i] * scale
                else:
                    for p3 in range(91):
                        x = work[om + UP3[r, p3]] * work[row + p3] * scale
                        work[rc + SLOT[p3]] = x
                        work[rc + MIRROR[p3]] = x
                    for i in range(13):
                        for j in range(13, 16):
                            work[rc + i * 16 + j] = zero
                m0 = n0 - 1 if turn == 0 else n0
                m1 = n1 if turn == 0 else n1 - 1
                stack[level, STEP] = r + 1
                stack[level, ROW] = row
                where[level + 1, 0] = rc if turn == 0 else at0
                where[level + 1, 1] = at1 if turn == 0 else rc
                where[level + 1, 2] = cv
                nets[level + 1] = after
                if now == 31:
                    enter(stack, level + 1, m0, m1, low0, low1, 1 - turn, 0, 0, end + 1, end + 1, turn)
                else:
                    follower = turn if gone else 1 - turn
                    enter(stack, level + 1, m0, m1, low0, low1, follower, gone, now, start, end + 1, turn)
                break
            row += 91
            left[r] = f
            r += 1
        if r < 13:
            level += 1
            continue

        # What the choice was worth, and what it teaches.
        if own and mover == 2:
            c = first
            for r in range(13):
                if VALUE[r] > room or VALUE[r] <= low or left[r] <= zero:
                    continue
                work[out + r * 17] = work[av + r * 17]
                for s in range(13):
                    if VALUE[s] > room:
                        work[out + r * 16 + s] = work[av + r * 16 + s]
                        work[out + s * 16 + r] = work[av + r * 16 + s]
                for s in range(r + 1, 13):
                    if VALUE[s] > room or VALUE[s] <= low or left[s] <= zero:
                        continue
                    a = work[av + r * 16 + s]
                    b = work[av + s * 16 + r]
                    p = work[sg + r * 16 + s]
                    v = p * a + (one - p) * b
                    if mode == UPDATE:
                        x = regret[c]
                        regret[c] = x * (keep_up if x > zero else keep_down) + (a - v)
                        x = regret[c + 1]
                        regret[c + 1] = x * (keep_up if x > zero else keep_down) + (b - v)
                        x = work[om + r * 16 + s]
                        total[c] = total[c] * keep_sum + x * p
                        total[c + 1] = total[c + 1] * keep_sum + x * (one - p)
                    elif mode == ANSWER:
                        v = max(a, b)
                    c += 2
                    work[out + r * 16 + s] = v
                    work[out + s * 16 + r] = v
        elif own and mover == 3:
            if mode == ANSWER:
                for i in range(455):
                    work[out + i] = np.float32(-1e30)
            row = sg
            for r in range(13):
                if VALUE[r] > room or VALUE[r] <= low or left[r] <= zero:
                    continue
                for p3 in range(91):
                    h = UP3[r, p3]
                    v = work[av + r * 208 + SLOT[p3]]
                    if mode == ANSWER:
                        work[out + h] = max(work[out + h], v)
                    else:
                        work[out + h] += work[row + p3] * v
                row += 91
            if mode == ANSWER:
                for i in range(455):
                    if work[out + i] < np.float32(-1e29):
                        work[out + i] = zero
            if mode == UPDATE:
                c = first
                row = sg
                for r in range(13):
                    if VALUE[r] > room or VALUE[r] <= low or left[r] <= zero:
                        continue
                    for p3 in range(91):
                        h = UP3[r, p3]
                        x = regret[c]
                        v = work[av + r * 208 + SLOT[p3]] - work[out + h]
                        regret[c] = x * (keep_up if x > zero else keep_down) + v
                        total[c] = total[c] * keep_sum + work[om + h] * work[row + p3]
                        c += 1
                    row += 91

        # Go: the hands with nothing that fits.
        if room < 10:
            if mover == 1:
                for i in range(16):
                    work[rc + i] = zero
                for i in range(13):
                    if VALUE[i] > room:
                        work[rc + i] = work[om + i]
            elif mover == 2:
                for i in range(208):
                    work[rc + i] = zero
                for i in range(13):
                    for j in range(13):
                        if VALUE[i] > room and VALUE[j] > room:
                            work[rc + i * 16 + j] = work[om + i * 16 + j]
            else:
                for h in range(455):
                    work[rc + h] = work[om + h] if LOW3[h] > room else zero
            stack[level, STEP] = AFTER_GO
            where[level + 1, 0] = rc if turn == 0 else at0
            where[level + 1, 1] = at1 if turn == 0 else rc
            where[level + 1, 2] = cv
            if turn == 0:
                low0 = max(low0, room)
            else:
                low1 = max(low1, room)
            if gone:
                nets[level + 1] = net + one if last == 0 else net - price
                enter(stack, level + 1, n0, n1, low0, low1, 1 - last, 0, 0, end, end, last)
            else:
                nets[level + 1] = net
                enter(stack, level + 1, n0, n1, low0, low1, 1 - turn, 1, count, start, end, last)
            level += 1
        else:
            level -= 1
    return 0
