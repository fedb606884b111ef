"""The play in rank space: what a card scores, how a forced ending runs, and the short keys of equal endings.

Ranks are 0–12 (ace low), piles are int64 stacks of ranks, points are ints. Sides: 0 pone, 1 dealer.
"""

import numpy as np

from fifteentwo.fast import play as public_play
from fifteentwo.fast.layout import VALUES as VALUE
from fifteentwo.fast.peg_compiled import compiled

TAIL = 14**7

card_points = compiled(public_play.card_points)
"""Of the public play, compiled as these loops are."""


@compiled
def tail_code(pile, start, end, ahead):  # type: ignore[no-untyped-def]
    """The end of a pile that can still matter to the next `ahead` cards: base 14, last card lowest."""
    size = end - start
    if size == 0:
        return 0
    top = pile[end - 1]
    alike = 1
    while alike < size and pile[end - 1 - alike] == top:
        alike += 1
    if alike > 1:
        code = 0
        for _ in range(alike):
            code = code * 14 + top + 1
        return code
    keep = 1
    seen = np.int64(1) << top
    low = top
    high = top
    length = 1
    while length < size:
        rank = pile[end - 1 - length]
        bit = np.int64(1) << rank
        if seen & bit:
            break
        seen |= bit
        low = min(low, rank)
        high = max(high, rank)
        length += 1
        if high - low <= length + ahead - 1:
            keep = length
    code = 0
    for i in range(end - keep, end):
        code = code * 14 + pile[i] + 1
    return code


@compiled
def unpack_tail(code, pile):  # type: ignore[no-untyped-def]
    """Write the ranks of a tail code to pile[0:n] and return n."""
    size = 0
    rest = code
    while rest > 0:
        rest //= 14
        size += 1
    rest = code
    for i in range(size):
        pile[size - 1 - i] = rest % 14 - 1
        rest //= 14
    return size


@compiled
def forced_ending(pile, end, count, turn, gone, last, own, other, points):  # type: ignore[no-untyped-def]
    """Play out a deal with at most one card each; adds to points[side] (side 0 holds `own`, side 1 `other`).

    `gone`: the side not on turn has said go in this count; `last`: the side that laid the last card.
    """
    held = np.empty(2, dtype=np.int64)
    held[0] = own
    held[1] = other
    out = np.zeros(2, dtype=np.int64)
    out[1 - turn] = gone
    start = 0
    while held[0] >= 0 or held[1] >= 0:
        card = held[turn]
        if out[turn] == 0 and card >= 0 and count + VALUE[card] <= 31:
            held[turn] = -1
            pile[end] = card
            end += 1
            count += VALUE[card]
            points[turn] += card_points(pile, start, end, count)
            last = turn
            if count == 31:
                count = 0
                start = end
                out[0] = 0
                out[1] = 0
                turn = 1 - last if held[1 - last] >= 0 else last
            elif out[1 - turn] == 0:
                turn = 1 - turn
        else:
            out[turn] = 1
            if out[1 - turn] == 1:
                points[last] += 1
                count = 0
                start = end
                out[0] = 0
                out[1] = 0
                turn = 1 - last if held[1 - last] >= 0 else last
            else:
                turn = 1 - turn
    if count > 0:
        points[last] += 1


@compiled
def alone(pile, end, count, cards, size, order, scored):  # type: ignore[no-untyped-def]
    """Most points a side can peg alone with cards[:size] (2 or 3) when the other side laid the last card.

    Writes (points of the side alone, point of the other side, first card) to scored[0:3]. `order`: scratch
    of 3.
    """
    best = -1
    final = 2 if size == 2 else 6
    first_end = end
    given = 0
    if count > 0:
        given = 1
        for i in range(size):
            if count + VALUE[cards[i]] <= 31:
                given = 0
    for which in range(final):
        if size == 2:
            order[0] = which
            order[1] = 1 - which
        else:
            order[0] = which // 2
            order[1] = (order[0] + 1 + which % 2) % 3
            order[2] = 3 - order[0] - order[1]
        total = 0
        now = count
        start = 0
        end = first_end
        if given:
            now = 0
            start = end
        fits = True
        for step in range(size):
            card = cards[order[step]]
            if now + VALUE[card] > 31:
                for later in range(step + 1, size):
                    if now + VALUE[cards[order[later]]] <= 31:
                        fits = False
                if not fits:
                    break
                # The count ends: last card for the side alone, unless it has laid nothing in this count.
                total += 1
                now = 0
                start = end
            pile[end] = card
            end += 1
            now += VALUE[card]
            total += card_points(pile, start, end, now)
            if now == 31:
                now = 0
                start = end
        if fits:
            if now > 0:
                total += 1
            if total > best:
                best = total
                scored[2] = cards[order[0]]
    scored[0] = best
    scored[1] = given
