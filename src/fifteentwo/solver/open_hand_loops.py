"""The play with both hands seen: the best net points of every pair of hands, and the card best on average.

Hands are numbered as multisets in ascending order: 13 of one card, 91 of two, 455 of three. A node's matrix
is [mover's hand, other's hand] in the mover's own net points from there on. Pairs that cannot be (a fifth
card of a rank, a card small enough to have been laid instead of a go) hold numbers that mean nothing; their
coupling is 0 wherever they are counted.
"""

import numpy as np

from fifteentwo.fast.hands import LOW2, LOW3, PAIRS, SLOT, UP2, UP3
from fifteentwo.fast.layout import VALUES as VALUE
from fifteentwo.fast.peg_compiled import compiled
from fifteentwo.fast.peg_rules import card_points
from fifteentwo.solver.endings import ENDING
from fifteentwo.solver.tree_loops import AFTER_GO, FIRST, STEP, enter

NUMBER = np.array([1, 13, 91, 455], dtype=np.int64)
TOP, DEEP = 455 * 455, 455 * 91
"""Room for the matrix of the first node, and of any below it."""
LIKES = 13 * 91
WEIGHTS = 512
NEVER = np.float32(-1e9)


@compiled
def place(level):  # type: ignore[no-untyped-def]
    """Where the matrix of a level begins."""
    return 0 if level == 0 else TOP + (level - 1) * DEEP


@compiled
def spread(other, weight, at, rest, out):  # type: ignore[no-untyped-def]
    """out[b]: weight of each of the other side's hands when `rest` (13,) are the cards not yet seen."""
    b = 0
    for i in range(13):
        if other == 1:
            out[b] = weight[at + b] * rest[i]
            b += 1
            continue
        for j in range(i, 13):
            ways = rest[i] * (rest[j] - (1.0 if i == j else 0.0))
            if other == 2:
                out[b] = weight[at + b] * ways
                b += 1
                continue
            for k in range(j, 13):
                taken = (1.0 if k == i else 0.0) + (1.0 if k == j else 0.0)
                out[b] = weight[at + b] * ways * (rest[k] - taken)
                b += 1


@compiled
def add_card(  # type: ignore[no-untyped-def]
    r,
    points,
    mover,
    other,
    low,
    value,
    at,
    after,
    filling,
    weight,
    weights_at,
    left,
    likes,
    likes_at,
    rest,
    ways,
):
    """Count card r in: after[hand that stays, other's hand] is the mover's worth once it is laid
    for `points` more.

    `left`: cards unseen with r laid. likes[likes_at + 91 r + hand that stays] becomes the mean over the other
    side's hands.
    """
    columns = NUMBER[other]
    for p in range(NUMBER[mover - 1]):
        if mover == 2:
            h = UP2[r, p]
            if VALUE[p] <= low or left[p] <= 0:
                continue
        else:
            h = UP3[r, p]
            if LOW2[p] <= low or left[PAIRS[p, 0]] <= 0 or left[PAIRS[p, 1]] <= 0:
                continue
        row = at + h * columns
        q = p * columns
        gained = np.float32(points)
        for b in range(columns):
            value[row + b] = max(value[row + b], after[q + b] + gained)
        if filling:
            for i in range(13):
                rest[i] = left[i]
            if mover == 2:
                rest[p] -= 1.0
            else:
                rest[PAIRS[p, 0]] -= 1.0
                rest[PAIRS[p, 1]] -= 1.0
            spread(other, weight, weights_at, rest, ways)
            mass = 0.0
            mean = 0.0
            for b in range(columns):
                mass += ways[b]
                mean += ways[b] * after[q + b]
            if mass > 0.0:
                mean /= mass
            # Among equals the highest card.
            likes[likes_at + r * 91 + p] = mean + points + r * 1e-6


@compiled
def write_choice(mover, room, low, left, likes, at, first, cells, best):  # type: ignore[no-untyped-def]
    """The cells of a decision: 1 for the card each hand likes best, 0 for others."""
    c = first
    if mover == 2:
        for r in range(13):
            if VALUE[r] > room or VALUE[r] <= low or left[r] <= 0:
                continue
            for s in range(r + 1, 13):
                if VALUE[s] > room or VALUE[s] <= low or left[s] <= 0:
                    continue
                first_card = likes[at + r * 91 + s] > likes[at + s * 91 + r]
                cells[c] = 1 if first_card else 0
                cells[c + 1] = 0 if first_card else 1
                c += 2
    else:
        for h in range(455):
            best[h] = -1e30
        for r in range(13):
            if VALUE[r] <= room and VALUE[r] > low and left[r] > 0:
                for p in range(91):
                    best[UP3[r, p]] = max(best[UP3[r, p]], likes[at + r * 91 + p])
        for r in range(13):
            if VALUE[r] <= room and VALUE[r] > low and left[r] > 0:
                for p in range(91):
                    cells[c] = 1 if likes[at + r * 91 + p] >= best[UP3[r, p]] else 0
                    c += 1


@compiled
def open_hands(  # type: ignore[no-untyped-def]
    filling,
    stack,
    where,
    weight,
    value,
    after,
    likes,
    left,
    pile,
    cursor,
    cells,
    end1,
    id1,
    end2,
    id2,
    end3,
    id3,
):
    """Visit the tree below stack[0] as `walk` does; value[0:455²] becomes the pone's worth of each pair.

    With `filling` the card liked best on average gets 1 in `cells`, others 0. where[0]: offsets in `weight`
    (a row of 512 a level from 1024 on) of the keep weights of pone and dealer over the three cards they hold.
    """
    rest = np.zeros(13, dtype=np.float64)
    ways = np.zeros(455, dtype=np.float64)
    best = np.zeros(455, dtype=np.float64)
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
        mover = n0 if turn == 0 else n1
        other = n1 if turn == 0 else n0
        low = low0 if turn == 0 else low1
        room = 31 - count
        at = place(level)
        below = place(level + 1)
        likes_at = level * LIKES
        own_at = where[level, turn]
        other_at = where[level, 1 - turn]
        fresh_at = 1024 + (level + 1) * WEIGHTS
        columns = NUMBER[other]
        if step == 0:
            for i in range(NUMBER[mover] * columns):
                value[at + i] = NEVER
            legal = 0
            for r in range(13):
                if VALUE[r] <= room and VALUE[r] > low and left[r] > 0:
                    legal += 1
                    for p in range(91):
                        likes[likes_at + r * 91 + p] = 0.0
            stack[level, FIRST] = cursor[0]
            if mover == 2:
                cursor[0] += legal * (legal - 1)
            elif mover == 3:
                cursor[0] += legal * 91
        elif step == AFTER_GO:
            gained = np.float32(0)
            if gone:
                gained = np.float32(1 if last == turn else -1)
            same = stack[level + 1, 4] == turn
            number = NUMBER[mover]
            for h in range(number):
                least = VALUE[h] if mover == 1 else LOW2[h] if mover == 2 else LOW3[h]
                if least > room:
                    for b in range(columns):
                        if same:
                            value[at + h * columns + b] = value[below + h * columns + b] + gained
                        else:
                            value[at + h * columns + b] = gained - value[below + b * number + h]
            level -= 1
            continue
        else:
            r = step - 1
            same = stack[level + 1, 4] == turn
            number = NUMBER[mover - 1]
            for p in range(number):
                for b in range(columns):
                    if same:
                        after[p * columns + b] = value[below + p * columns + b]
                    else:
                        after[p * columns + b] = -value[below + b * number + p]
            points = card_points(pile, start, end + 1, count + VALUE[r])
            add_card(
                r,
                points,
                mover,
                other,
                low,
                value,
                at,
                after,
                filling,
                weight,
                other_at,
                left,
                likes,
                likes_at,
                rest,
                ways,
            )
            left[r] += 1
        r = step
        now = np.int64(0)
        while r < 13:
            if VALUE[r] > room or VALUE[r] <= low or left[r] <= 0:
                r += 1
                continue
            if mover > 1 and (mover == 3 or other > 1):
                break
            pile[end] = r
            now = count + VALUE[r]
            points = card_points(pile, start, end + 1, now)
            if mover == 1:
                # The mover is out of cards: the other side plays on alone.
                if other == 2:
                    base = id2[cursor[2]] * 208
                    cursor[2] += 1
                else:
                    base = id3[cursor[3]] * 455
                    cursor[3] += 1
                for b in range(columns):
                    worth = end2[base + SLOT[b]] if other == 2 else end3[base + b]
                    value[at + r * columns + b] = points + (worth if turn == 0 else -worth)
            else:
                base = (id1[cursor[1]] * 2 + turn) * ENDING
                cursor[1] += 1
                for k in range(13):
                    for p in range(13):
                        after[p * 13 + k] = end1[base + k * 16 + p]
                left[r] -= 1
                add_card(
                    r,
                    points,
                    mover,
                    other,
                    low,
                    value,
                    at,
                    after,
                    filling,
                    weight,
                    other_at,
                    left,
                    likes,
                    likes_at,
                    rest,
                    ways,
                )
                left[r] += 1
            r += 1
        if r < 13:
            pile[end] = r
            now = count + VALUE[r]
            left[r] -= 1
            if filling:
                for p in range(NUMBER[mover - 1]):
                    weight[fresh_at + p] = weight[own_at + (UP2[r, p] if mover == 2 else UP3[r, p])]
            where[level + 1, turn] = fresh_at
            where[level + 1, 1 - turn] = other_at
            m0 = n0 - 1 if turn == 0 else n0
            m1 = n1 if turn == 0 else n1 - 1
            stack[level, STEP] = r + 1
            if now == 31:
                enter(stack, level + 1, m0, m1, low0, low1, 1 - turn, 0, 0, end + 1, end + 1, turn)
            else:
                follower = turn if gone else 1 - turn
                enter(stack, level + 1, m0, m1, low0, low1, follower, gone, now, start, end + 1, turn)
            level += 1
            continue
        if filling and mover > 1:
            write_choice(mover, room, low, left, likes, likes_at, stack[level, FIRST], cells, best)
        if room < 10:
            if filling:
                for h in range(NUMBER[mover]):
                    least = VALUE[h] if mover == 1 else LOW2[h] if mover == 2 else LOW3[h]
                    weight[fresh_at + h] = weight[own_at + h] if least > room else 0.0
            where[level + 1, turn] = fresh_at
            where[level + 1, 1 - turn] = other_at
            if turn == 0:
                low0 = max(low0, room)
            else:
                low1 = max(low1, room)
            stack[level, STEP] = AFTER_GO
            if gone:
                enter(stack, level + 1, n0, n1, low0, low1, 1 - last, 0, 0, end, end, last)
            else:
                enter(stack, level + 1, n0, n1, low0, low1, 1 - turn, 1, count, start, end, last)
            level += 1
        else:
            level -= 1
    return 0
