"""Loops that solve the rest of a play of two anew, on the tree of `endgame_tree`.

`solve` finds how the own side should play by discounted regret minimisation, against another side that is
partly known: a part of it plays as it is believed to (fixed), the rest does what is best for it (free) and
may also stay out for a price of its own, one for each hand.
"""

from typing import Any

import numpy as np

from fifteentwo.analysis.beliefs_loops import split
from fifteentwo.analysis.endgame_tree import (
    CELLS,
    CHILD,
    FOE_AT,
    FOE_SIZE,
    FOE_VALUE,
    GO,
    INNER,
    OWN_AT,
    OWN_SIZE,
    OWN_VALUE,
    ROOM,
    TABLE,
)
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import WIDTH, value_of

UPDATE, ANSWER = range(2)
"""What a walk back does: learn from the strategy, or take what is best."""


@kernel
def known_shares(
    rows: Any,
    plays: Any,
    starter: int,
    book: Any,
    up: Any,
    mistrust: float,
    beliefs: Any,
    fixed: Any,
    shares: Any,
) -> None:
    """What the book does with own hands, shares[cell]; what is believed of the other side, fixed[reach].

    beliefs: (habits, hands) of the other side at the root, as weights.
    """
    habits = len(beliefs)
    laid = np.zeros((13, habits, 455))
    silent = np.zeros((habits, 1820))
    one = np.ones((1, 1820))
    laid_one = np.zeros((13, 1, 455))
    silent_one = np.zeros((1, 1820))
    scratch = (np.zeros((13, 455)), np.zeros(1820), np.zeros(1820), np.zeros(13), np.zeros(16))
    reach = np.zeros((len(rows), habits, 455))
    for habit in range(habits):
        for hand in range(SIZES[rows[0, FOE_SIZE]]):
            reach[0, habit, hand] = beliefs[habit, hand]
    for row in range(len(rows)):
        foe_hands = SIZES[rows[row, FOE_SIZE]]
        at = rows[row, FOE_AT]
        for hand in range(foe_hands):
            fixed[at + hand] = 0.0
            for habit in range(habits):
                fixed[at + hand] += reach[row, habit, hand]
        if rows[row, INNER] == 0:
            continue
        here = plays[row, :WIDTH]
        pile = plays[row, WIDTH:]
        if rows[row, INNER] == 1:
            rests = SIZES[rows[row, OWN_SIZE] - 1]
            split(here, pile, starter, one, book, up, 0.0, laid_one, silent_one, scratch)
            for rank in range(13):
                for rest in range(rests):
                    shares[rows[row, CELLS] + rank * rests + rest] = laid_one[rank, 0, rest]
            for step in range(14):
                child = rows[row, CHILD + step]
                if child >= 0:
                    for habit in range(habits):
                        for hand in range(foe_hands):
                            reach[child, habit, hand] = reach[row, habit, hand]
            continue
        split(here, pile, starter, reach[row], book, up, mistrust, laid, silent, scratch)
        rests = SIZES[rows[row, FOE_SIZE] - 1]
        for step in range(14):
            child = rows[row, CHILD + step]
            if child < 0:
                continue
            for habit in range(habits):
                if step == GO:
                    for hand in range(foe_hands):
                        reach[child, habit, hand] = silent[habit, hand]
                else:
                    for rest in range(rests):
                        reach[child, habit, rest] = laid[step, habit, rest]


@kernel
def fitting(size: int, room: int, up: Any, number: Any) -> None:
    """number[hand]: how many of a hand's ranks fit below 31."""
    for hand in range(SIZES[size]):
        number[hand] = 0.0
    rests = SIZES[size - 1]
    for rank in range(13):
        if value_of(rank) <= room:
            for rest in range(rests):
                number[up[size, rank, rest]] += 1.0


@kernel
def from_regrets(who: int, rows: Any, up: Any, regrets: Any, shares: Any) -> None:
    """shares[cell] of one side (1 the own, 2 the other): as its regrets above 0, else all alike."""
    number = np.zeros(1820)
    total = np.zeros(1820)
    for row in range(len(rows)):
        if rows[row, INNER] != who:
            continue
        size = rows[row, OWN_SIZE] if who == 1 else rows[row, FOE_SIZE]
        room = rows[row, ROOM]
        rests = SIZES[size - 1]
        first = rows[row, CELLS]
        fitting(size, room, up, number)
        for hand in range(SIZES[size]):
            total[hand] = 0.0
        for rank in range(13):
            if value_of(rank) <= room:
                for rest in range(rests):
                    total[up[size, rank, rest]] += max(regrets[first + rank * rests + rest], 0.0)
        for rank in range(13):
            fits = value_of(rank) <= room
            for rest in range(rests):
                cell = first + rank * rests + rest
                hand = up[size, rank, rest]
                if not fits:
                    shares[cell] = 0.0
                elif total[hand] > 0:
                    shares[cell] = max(regrets[cell], 0.0) / total[hand]
                else:
                    shares[cell] = 1.0 / number[hand]


@kernel
def forward(who: int, rows: Any, up: Any, shares: Any, reach: Any) -> None:
    """reach of one side's hands at every row, from what stands at the root."""
    number = np.zeros(1820)
    for row in range(len(rows)):
        if rows[row, INNER] != who:
            continue
        size = rows[row, OWN_SIZE] if who == 1 else rows[row, FOE_SIZE]
        at = rows[row, OWN_AT] if who == 1 else rows[row, FOE_AT]
        rests = SIZES[size - 1]
        first = rows[row, CELLS]
        for rank in range(13):
            child = rows[row, CHILD + rank]
            if child < 0:
                continue
            to = rows[child, OWN_AT] if who == 1 else rows[child, FOE_AT]
            for rest in range(rests):
                reach[to + rest] = reach[at + up[size, rank, rest]] * shares[first + rank * rests + rest]
        child = rows[row, CHILD + GO]
        if child >= 0:
            to = rows[child, OWN_AT] if who == 1 else rows[child, FOE_AT]
            fitting(size, rows[row, ROOM], up, number)
            for hand in range(SIZES[size]):
                reach[to + hand] = reach[at + hand] if number[hand] == 0 else 0.0


@kernel
def backward(
    who: int,
    mode: int,
    rows: Any,
    up: Any,
    tables: Any,
    others: Any,
    shares: Any,
    regrets: Any,
    keep_up: float,
    values: Any,
) -> None:
    """values of one side's hands at every row, the other side's reach known; UPDATE moves its regrets too.

    keep_up: what earlier regrets above 0 still count; those below count half.
    """
    number = np.zeros(1820)
    for row in range(len(rows) - 1, -1, -1):
        own_size = rows[row, OWN_SIZE]
        foe_size = rows[row, FOE_SIZE]
        size = own_size if who == 1 else foe_size
        hands = SIZES[size]
        at = rows[row, OWN_VALUE] if who == 1 else rows[row, FOE_VALUE]
        kind = rows[row, INNER]
        if kind == 0:
            their = rows[row, FOE_AT] if who == 1 else rows[row, OWN_AT]
            theirs = SIZES[foe_size] if who == 1 else SIZES[own_size]
            begin = rows[row, TABLE]
            value = values[at : at + hands]
            for hand in range(hands):
                value[hand] = 0.0
            for other in range(theirs):
                weight = others[their + other] if who == 1 else -others[their + other]
                if weight != 0:
                    table = tables[2 - who, begin : begin + hands]
                    for hand in range(hands):
                        value[hand] += weight * table[hand]
                begin += hands
            continue
        for hand in range(hands):
            values[at + hand] = 0.0
        if kind != who:
            for step in range(14):
                child = rows[row, CHILD + step]
                if child >= 0:
                    below = rows[child, OWN_VALUE] if who == 1 else rows[child, FOE_VALUE]
                    for hand in range(hands):
                        values[at + hand] += values[below + hand]
            continue
        rests = SIZES[size - 1]
        first = rows[row, CELLS]
        room = rows[row, ROOM]
        fitting(size, room, up, number)
        if mode == ANSWER:
            for hand in range(hands):
                values[at + hand] = -1e9 if number[hand] > 0 else 0.0
        for rank in range(13):
            child = rows[row, CHILD + rank]
            if child < 0:
                continue
            below = rows[child, OWN_VALUE] if who == 1 else rows[child, FOE_VALUE]
            for rest in range(rests):
                hand = up[size, rank, rest]
                if mode == ANSWER:
                    values[at + hand] = max(values[at + hand], values[below + rest])
                else:
                    values[at + hand] += shares[first + rank * rests + rest] * values[below + rest]
        if mode == ANSWER:
            for hand in range(hands):
                if values[at + hand] < -1e8:
                    # All that fits is gone from the pack: nobody holds this.
                    values[at + hand] = 0.0
        if mode == UPDATE:
            for rank in range(13):
                child = rows[row, CHILD + rank]
                if child < 0:
                    continue
                below = rows[child, OWN_VALUE] if who == 1 else rows[child, FOE_VALUE]
                for rest in range(rests):
                    cell = first + rank * rests + rest
                    kept = regrets[cell] * (keep_up if regrets[cell] > 0 else 0.5)
                    regrets[cell] = kept + values[below + rest] - values[at + up[size, rank, rest]]
        child = rows[row, CHILD + GO]
        if child >= 0:
            below = rows[child, OWN_VALUE] if who == 1 else rows[child, FOE_VALUE]
            for hand in range(hands):
                if number[hand] == 0:
                    values[at + hand] = values[below + hand]


@kernel
def solve(
    rows: Any,
    up: Any,
    tables: Any,
    iterations: int,
    own: Any,
    free: Any,
    fixed: Any,
    known: Any,
    sums: Any,
    price: Any,
    gained: Any,
) -> None:
    """The own side's average strategy sums[cell] against a partly known, partly free other side.

    own: (hands,) weights of own hands at the root, free: of the other side's. fixed: reach of the known part
    everywhere; known[cell]: how the own side plays as published. Written: price (hands,), what each hand of
    the free side makes of the published play at best; gained (hands,), what it makes of `sums` at best.
    """
    cells = len(sums)
    own_reach = np.zeros(reach_width(rows, 1))
    free_reach = np.zeros(reach_width(rows, 2))
    both = np.zeros(len(free_reach))
    own_values = np.zeros(values_width(rows, 1))
    foe_values = np.zeros(values_width(rows, 2))
    regrets = np.zeros(cells)
    shares = np.zeros(cells)
    hands = len(free)
    for hand in range(len(own)):
        own_reach[hand] = own[hand]
    forward(1, rows, up, known, own_reach)
    backward(2, ANSWER, rows, up, tables, own_reach, shares, regrets, 1.0, foe_values)
    for hand in range(hands):
        price[hand] = foe_values[hand]
    # Regret of the free side for coming in, and for staying out.
    inside = np.zeros(hands)
    outside = np.zeros(hands)
    scale = 0.0
    for hand in range(hands):
        scale = max(scale, abs(price[hand]))
    for cell in range(cells):
        # The published play is where the search begins.
        regrets[cell] = known[cell] * 1e-3 * scale
        sums[cell] = 0.0
    from_regrets(1, rows, up, regrets, shares)
    from_regrets(2, rows, up, regrets, shares)
    for time in range(1, iterations + 1):
        keep_up = time**1.5 / (time**1.5 + 1)
        # The other side.
        forward(1, rows, up, shares, own_reach)
        backward(2, UPDATE, rows, up, tables, own_reach, shares, regrets, keep_up, foe_values)
        from_regrets(2, rows, up, regrets, shares)
        for hand in range(hands):
            into = max(inside[hand], 0.0)
            out = max(outside[hand], 0.0)
            comes = into / (into + out) if into + out > 0 else 0.5
            value = comes * foe_values[hand] + (1 - comes) * price[hand]
            inside[hand] = inside[hand] * (keep_up if inside[hand] > 0 else 0.5) + foe_values[hand] - value
            outside[hand] = outside[hand] * (keep_up if outside[hand] > 0 else 0.5) + price[hand] - value
            into = max(inside[hand], 0.0)
            out = max(outside[hand], 0.0)
            free_reach[hand] = free[hand] * (into / (into + out) if into + out > 0 else 0.5)
        # The own side.
        forward(2, rows, up, shares, free_reach)
        for place in range(len(both)):
            both[place] = free_reach[place] + fixed[place]
        backward(1, UPDATE, rows, up, tables, both, shares, regrets, keep_up, own_values)
        from_regrets(1, rows, up, regrets, shares)
        forward(1, rows, up, shares, own_reach)
        fade = ((time - 1) / time) ** 2
        for row in range(len(rows)):
            if rows[row, INNER] != 1:
                continue
            size = rows[row, OWN_SIZE]
            rests = SIZES[size - 1]
            for rank in range(13):
                for rest in range(rests):
                    cell = rows[row, CELLS] + rank * rests + rest
                    hand = rows[row, OWN_AT] + up[size, rank, rest]
                    sums[cell] = sums[cell] * fade + own_reach[hand] * shares[cell]
    from_regrets(1, rows, up, sums, shares)
    forward(1, rows, up, shares, own_reach)
    backward(2, ANSWER, rows, up, tables, own_reach, shares, regrets, 1.0, foe_values)
    for hand in range(hands):
        gained[hand] = foe_values[hand]


@kernel
def reach_width(rows: Any, who: int) -> int:
    """How many places the reach of one side takes."""
    most = 0
    for row in range(len(rows)):
        if who == 1:
            most = max(most, rows[row, OWN_AT] + SIZES[rows[row, OWN_SIZE]])
        else:
            most = max(most, rows[row, FOE_AT] + SIZES[rows[row, FOE_SIZE]])
    return int(most)


@kernel
def values_width(rows: Any, who: int) -> int:
    """How many places the values of one side take."""
    last = rows[len(rows) - 1]
    if who == 1:
        return int(last[OWN_VALUE] + SIZES[last[OWN_SIZE]])
    return int(last[FOE_VALUE] + SIZES[last[FOE_SIZE]])
