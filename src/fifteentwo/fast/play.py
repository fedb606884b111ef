"""The public play of two with six cards, as the loops keep it: whose turn, which count, what has been seen.

Ranks are 0–12 (ace low), sides 0 pone, 1 dealer; `pile` holds the ranks laid, pile[start:end] those of the
running count. `here` carries the rest: see the places below.
"""

from typing import Any

from fifteentwo.fast.compiled import kernel

TURN, COUNT, START, END, GONE, LAST, CODE, LEAD, REPLY, LAID, PLACES = range(11)
"""Places of `here`: side on turn, running count, pile[start:end], whether one side has said go, who laid
last, the history in base 15, the first two ranks, how many cards are laid."""
SEEN, LOWS, HELD = PLACES, PLACES + 13, PLACES + 15
"""From here on in `here`: cards laid of each rank, what each side's goes showed, cards held by each side."""
WIDTH = PLACES + 17


@kernel
def value_of(rank: int) -> int:
    """Counting value of a rank 0–12 (R7)."""
    return rank + 1 if rank < 9 else 10


@kernel
def card_points(pile: Any, start: int, end: int, count: int) -> int:
    """Points of the last card of pile[start:end] at `count` (R59, R68–R75)."""
    points = 2 if count == 15 or count == 31 else 0
    top = pile[end - 1]
    size = end - start
    if size < 2:
        return points
    if pile[end - 2] == top:
        alike = 2
        while alike < size and pile[end - 1 - alike] == top:
            alike += 1
        return points + alike * (alike - 1)
    if size < 3:
        return points
    seen = 1 << top
    low = top
    high = top
    best = 0
    for length in range(2, size + 1):
        rank = pile[end - length]
        if seen >> rank & 1:
            break
        seen |= 1 << rank
        if rank < low:
            low = rank
        if rank > high:
            high = rank
        if length >= 3 and high - low == length - 1:
            best = length
    return points + best


@kernel
def lay(here: Any, then: Any, rank: int) -> None:
    """Write the public play after the side on turn has laid this rank (R53–R66)."""
    for place in range(WIDTH):
        then[place] = here[place]
    turn = here[TURN]
    count = here[COUNT] + value_of(rank)
    then[SEEN + rank] += 1
    then[HELD + turn] -= 1
    then[CODE] = here[CODE] * 15 + rank + 1
    if here[LAID] == 0:
        then[LEAD] = rank
    elif here[LAID] == 1:
        then[REPLY] = rank
    then[LAID] += 1
    then[LAST] = turn
    then[END] += 1
    if count == 31:
        then[COUNT] = 0
        then[START] = then[END]
        then[GONE] = 0
        then[TURN] = 1 - turn if then[HELD + 1 - turn] > 0 else turn
        return
    then[COUNT] = count
    if here[GONE] == 0 and then[HELD + 1 - turn] > 0:
        then[TURN] = 1 - turn


@kernel
def go(here: Any, then: Any) -> int:
    """Write the public play after a go; whether it ended the count, a point to who laid last (R57–R59)."""
    for place in range(WIDTH):
        then[place] = here[place]
    turn = here[TURN]
    then[CODE] = here[CODE] * 15 + 14
    then[LOWS + turn] = max(here[LOWS + turn], 31 - here[COUNT])
    if here[GONE] or here[HELD + 1 - turn] == 0:
        last = here[LAST]
        then[COUNT] = 0
        then[START] = here[END]
        then[GONE] = 0
        then[TURN] = 1 - last if here[HELD + 1 - last] > 0 else last
        return 1
    then[GONE] = 1
    then[TURN] = 1 - turn
    return 0
