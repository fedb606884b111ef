"""Plain ways to play, written into the cells of the walk so that they can be measured like a solution.

GREEDY takes the most points now (among equals the highest card); REPLY takes points less the mean points of
a reply drawn from the cards not yet seen.
"""

import numpy as np

from fifteentwo.fast.hands import UP3
from fifteentwo.fast.layout import VALUES as VALUE
from fifteentwo.fast.peg_compiled import compiled
from fifteentwo.fast.peg_rules import card_points
from fifteentwo.solver.tree_loops import AFTER_GO, STEP, enter

GREEDY, REPLY = 0, 1


@compiled
def liking(kind, r, pile, start, end, count, left):  # type: ignore[no-untyped-def]
    """How much a way of playing likes to lay rank r on pile[start:end] at `count`; float64, no two alike."""
    pile[end] = r
    now = count + VALUE[r]
    liked = np.float64(card_points(pile, start, end + 1, now))
    if kind == 1 and now < 31:
        seen = 0.0
        lost = 0.0
        for q in range(13):
            ways = np.float64(left[q]) - (1.0 if q == r else 0.0)
            if ways > 0:
                seen += ways
                if now + VALUE[q] <= 31:
                    pile[end + 1] = q
                    lost += ways * card_points(pile, start, end + 2, now + VALUE[q])
                else:
                    # A reply that does not fit leaves the last card to us.
                    lost -= ways * 0.5
        liked -= lost / max(seen, 1.0)
    return liked + r * 1e-6


@compiled
def fill_yardstick(kind, stack, pile, left, cursor, cells):  # type: ignore[no-untyped-def]
    """Visit the tree below stack[0] as `walk` does; the liked card of every hand gets 1, others 0."""
    likes = np.zeros(13, dtype=np.float64)
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
        if step == 0:
            if mover >= 2:
                for r in range(13):
                    if VALUE[r] <= room and VALUE[r] > low and left[r] > 0:
                        likes[r] = liking(kind, r, pile, start, end, count, left)
            if mover == 2:
                for r in range(13):
                    if VALUE[r] > room or VALUE[r] <= low or left[r] <= 0:
                        continue
                    for s in range(r + 1, 13):
                        if VALUE[s] > room or VALUE[s] <= low or left[s] <= 0:
                            continue
                        cells[cursor[0]] = 1 if likes[r] > likes[s] else 0
                        cells[cursor[0] + 1] = 0 if likes[r] > likes[s] else 1
                        cursor[0] += 2
            elif mover == 3:
                best[:] = -1e9
                for r in range(13):
                    if VALUE[r] <= room and VALUE[r] > low and left[r] > 0:
                        for p in range(91):
                            best[UP3[r, p]] = max(best[UP3[r, p]], likes[r])
                for r in range(13):
                    if VALUE[r] <= room and VALUE[r] > low and left[r] > 0:
                        for p in range(91):
                            cells[cursor[0]] = 1 if likes[r] >= best[UP3[r, p]] else 0
                            cursor[0] += 1
        elif step == AFTER_GO:
            level -= 1
            continue
        else:
            left[step - 1] += 1
        r = step
        if mover == 1 or (mover == 2 and other == 1):
            r = 13
        while r < 13 and (VALUE[r] > room or VALUE[r] <= low or left[r] <= 0):
            r += 1
        if r < 13:
            pile[end] = r
            total = count + VALUE[r]
            left[r] -= 1
            m0 = n0 - 1 if turn == 0 else n0
            m1 = n1 if turn == 0 else n1 - 1
            stack[level, STEP] = r + 1
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
            if gone:
                enter(stack, level + 1, n0, n1, low0, low1, 1 - last, 0, 0, end, end, last)
            else:
                enter(stack, level + 1, n0, n1, low0, low1, 1 - turn, 1, count, start, end, last)
            level += 1
        else:
            level -= 1
    return 0
