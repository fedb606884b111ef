"""Loops that solve the rest of a play of two anew, on the tree of `endgame_tree`.

`solve` finds how the own side should play by discounted regret minimisation, against another side that is
partly known: a part of it plays as it is believed to (fixed), the rest does what is best for it (free) and
may also stay out for a price of its own, one for each hand.
"""

from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.beliefs_loops import (
    FULL_HANDS,
    RESTS,
    Floats,
    Habits,
    Ints,
    Split,
    empty_scratch,
    split,
)
from fifteentwo.analysis.endgame_tree import (
    CELLS,
    CHILD,
    FOE,
    FOE_AT,
    FOE_SIZE,
    FOE_VALUE,
    GO,
    INNER,
    NOBODY,
    OWN,
    OWN_AT,
    OWN_SIZE,
    OWN_VALUE,
    ROOM,
    TABLE,
)
from fifteentwo.fast.compiled import borrowing, kernel
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import WIDTH, value_of

ANSWER = 0.0
"""In place of what earlier regrets still count: take what is best, and learn nothing."""
WORST = -1e9
FADE = 0.5
"""What earlier regrets below 0 still count."""
HEAD_START = 1e-3
"""Regret that the book's play begins with, as a part of the highest price."""


class Branches(NamedTuple):
    """A tree for one side: where in a row its hands, reach and values are."""

    who: int
    """OWN or FOE."""
    size: int
    """Place of its number of cards, and of the other side's."""
    other_size: int
    reach: int
    """Place of where its reach begins, and the other side's."""
    other_reach: int
    value: int
    """Place of where its values begin."""
    rows: Ints
    up: Ints
    """(5, 13, 455): the hand that a rank and a rest make, by the hand's size."""
    table: Floats
    """Values at the leaves, this side's hands lying next to each other."""
    fitting: Floats
    """(1820,) room: how many of a hand's ranks fit below 31."""
    total: Floats
    """(1820,) room."""


class Learning(NamedTuple):
    """What both sides have learnt, cell by cell."""

    shares: Floats
    """How often each rank is laid, from regrets."""
    regrets: Floats


class Weights(NamedTuple):
    """Hands at the root, by the number of ways to lay them: own, the other's known by habit, and free."""

    own: Floats
    known: Floats
    free: Floats


class Known(NamedTuple):
    """What the book and beliefs say beforehand."""

    shares: Floats
    """(cells,) what the book does with own hands."""
    reach: Floats
    """Of the other side's hands as far as it plays as believed, at every row."""


class Solved(NamedTuple):
    """What is found."""

    sums: Floats
    """(cells,) the own side's average strategy, to be divided by its sums."""
    price: Floats
    """(hands,) what each hand of the free side makes of the book's play at best."""
    gained: Floats
    """(hands,) what it makes of `sums` at best."""


@kernel
def branches(who: int, rows: Ints, up: Ints, tables: Floats) -> Branches:
    """The tree as one side walks it."""
    fitting, total = np.zeros(FULL_HANDS), np.zeros(FULL_HANDS)
    if who == OWN:
        return Branches(
            OWN, OWN_SIZE, FOE_SIZE, OWN_AT, FOE_AT, OWN_VALUE, rows, up, tables[1], fitting, total
        )
    return Branches(FOE, FOE_SIZE, OWN_SIZE, FOE_AT, OWN_AT, FOE_VALUE, rows, up, tables[0], fitting, total)


@kernel
def known_shares(rows: Ints, plays: Ints, habits: Habits, beliefs: Floats, known: Known) -> None:
    """Fill `known` from the book and from beliefs (habits, hands) in the other side, weights at the root."""
    reach = np.zeros((len(rows), len(beliefs), RESTS))
    reach[0, :, : beliefs.shape[1]] = beliefs
    done = Split(np.zeros((13, len(beliefs), RESTS)), np.zeros((len(beliefs), FULL_HANDS)))
    one = Split(np.zeros((13, 1, RESTS)), np.zeros((1, FULL_HANDS)))
    scratch = empty_scratch()
    certain = np.ones((1, FULL_HANDS))
    by_book = Habits(habits.starter, habits.book, habits.up, 0.0)
    for row in range(len(rows)):
        at = rows[row, FOE_AT]
        for hand in range(SIZES[rows[row, FOE_SIZE]]):
            known.reach[at + hand] = reach[row, :, hand].sum()
        here, pile = plays[row, :WIDTH], plays[row, WIDTH:]
        if rows[row, INNER] == OWN:
            split(here, pile, certain, by_book, one, scratch)
            rests = SIZES[rows[row, OWN_SIZE] - 1]
            for rank in range(13):
                first = rows[row, CELLS] + rank * rests
                known.shares[first : first + rests] = one.laid[rank, 0, :rests]
        elif rows[row, INNER] == FOE:
            split(here, pile, reach[row], habits, done, scratch)
        pass_on(row, rows, done, reach)


@borrowing
def pass_on(row: int, rows: Ints, done: Split, reach: Floats) -> None:
    """reach[child, habit, hand] of a row's children, the other side having done so where it is on turn."""
    if rows[row, INNER] == NOBODY:
        return
    hands = SIZES[rows[row, FOE_SIZE]]
    for step in range(14):
        child = rows[row, CHILD + step]
        if child < 0:
            continue
        for habit in range(reach.shape[1]):
            if rows[row, INNER] == OWN:
                for hand in range(hands):
                    reach[child, habit, hand] = reach[row, habit, hand]
            elif step == GO:
                for hand in range(hands):
                    reach[child, habit, hand] = done.silent[habit, hand]
            else:
                for rest in range(SIZES[rows[row, FOE_SIZE] - 1]):
                    reach[child, habit, rest] = done.laid[step, habit, rest]


@borrowing
def count_fitting(row: int, tree: Branches) -> None:
    """tree.fitting[hand]: how many of a hand's ranks fit below 31."""
    size = tree.rows[row, tree.size]
    for hand in range(SIZES[size]):
        tree.fitting[hand] = 0.0
    for rank in range(13):
        if value_of(rank) <= tree.rows[row, ROOM]:
            for rest in range(SIZES[size - 1]):
                tree.fitting[tree.up[size, rank, rest]] += 1.0


@borrowing
def from_regrets(tree: Branches, regrets: Floats, shares: Floats) -> None:
    """shares[cell] of one side: as its regrets above 0, else all alike."""
    rows, up, fitting, total = tree.rows, tree.up, tree.fitting, tree.total
    for row in range(len(rows)):
        if rows[row, INNER] != tree.who:
            continue
        size, room = rows[row, tree.size], rows[row, ROOM]
        rests = SIZES[size - 1]
        count_fitting(row, tree)
        for hand in range(SIZES[size]):
            total[hand] = 0.0
        for rank in range(13):
            if value_of(rank) <= room:
                first = rows[row, CELLS] + rank * rests
                for rest in range(rests):
                    total[up[size, rank, rest]] += max(regrets[first + rest], 0.0)
        for rank in range(13):
            fits = value_of(rank) <= room
            first = rows[row, CELLS] + rank * rests
            for rest in range(rests):
                hand = up[size, rank, rest]
                if not fits:
                    shares[first + rest] = 0.0
                elif total[hand] > 0:
                    shares[first + rest] = max(regrets[first + rest], 0.0) / total[hand]
                else:
                    shares[first + rest] = 1.0 / fitting[hand]


@borrowing
def forward(tree: Branches, shares: Floats, reach: Floats) -> None:
    """reach of one side's hands at every row, from what stands at the root."""
    rows, up = tree.rows, tree.up
    for row in range(len(rows)):
        if rows[row, INNER] != tree.who:
            continue
        size, at = rows[row, tree.size], rows[row, tree.reach]
        rests = SIZES[size - 1]
        for rank in range(13):
            child = rows[row, CHILD + rank]
            if child < 0:
                continue
            to, first = rows[child, tree.reach], rows[row, CELLS] + rank * rests
            for rest in range(rests):
                reach[to + rest] = reach[at + up[size, rank, rest]] * shares[first + rest]
        child = rows[row, CHILD + GO]
        if child >= 0:
            to = rows[child, tree.reach]
            count_fitting(row, tree)
            for hand in range(SIZES[size]):
                reach[to + hand] = reach[at + hand] if tree.fitting[hand] == 0 else 0.0


@borrowing
def backward(tree: Branches, others: Floats, learning: Learning, keep: float, values: Floats) -> None:
    """values of one side's hands at every row, the other side's reach known; its regrets move too.

    keep: what earlier regrets above 0 still count, or ANSWER.
    """
    for row in range(len(tree.rows) - 1, -1, -1):
        if tree.rows[row, INNER] == NOBODY:
            at_leaf(row, tree, others, values)
            continue
        at = tree.rows[row, tree.value]
        for hand in range(SIZES[tree.rows[row, tree.size]]):
            values[at + hand] = 0.0
        if tree.rows[row, INNER] != tree.who:
            sum_below(row, tree, values)
            continue
        count_fitting(row, tree)
        if keep == ANSWER:
            take_best(row, tree, values)
        else:
            mix(row, tree, learning.shares, values)
            learn(row, tree, learning.regrets, keep, values)
        child = tree.rows[row, CHILD + GO]
        if child >= 0:
            below = tree.rows[child, tree.value]
            for hand in range(SIZES[tree.rows[row, tree.size]]):
                if tree.fitting[hand] == 0:
                    values[at + hand] = values[below + hand]


@borrowing
def at_leaf(row: int, tree: Branches, others: Floats, values: Floats) -> None:
    """Values at a leaf: its table times the other side's reach."""
    rows, table = tree.rows, tree.table
    at, hands = rows[row, tree.value], SIZES[rows[row, tree.size]]
    begin = rows[row, TABLE]
    for hand in range(hands):
        values[at + hand] = 0.0
    for other in range(SIZES[rows[row, tree.other_size]]):
        weight = others[rows[row, tree.other_reach] + other]
        if weight != 0:
            if tree.who == FOE:
                weight = -weight
            for hand in range(hands):
                values[at + hand] += weight * table[begin + hand]
        begin += hands


@borrowing
def sum_below(row: int, tree: Branches, values: Floats) -> None:
    """Values where the other side is on turn: all it may do, its reach in them already."""
    at = tree.rows[row, tree.value]
    for step in range(14):
        child = tree.rows[row, CHILD + step]
        if child >= 0:
            below = tree.rows[child, tree.value]
            for hand in range(SIZES[tree.rows[row, tree.size]]):
                values[at + hand] += values[below + hand]


@borrowing
def take_best(row: int, tree: Branches, values: Floats) -> None:
    """Values of a row's hands that lay what is best."""
    rows = tree.rows
    at, size = rows[row, tree.value], rows[row, tree.size]
    for hand in range(SIZES[size]):
        values[at + hand] = WORST if tree.fitting[hand] > 0 else 0.0
    for rank in range(13):
        child = rows[row, CHILD + rank]
        if child >= 0:
            below = rows[child, tree.value]
            for rest in range(SIZES[size - 1]):
                hand = at + tree.up[size, rank, rest]
                values[hand] = max(values[hand], values[below + rest])
    for hand in range(SIZES[size]):
        if values[at + hand] == WORST:
            # All that fits is gone from the pack: nobody holds this.
            values[at + hand] = 0.0


@borrowing
def mix(row: int, tree: Branches, shares: Floats, values: Floats) -> None:
    """Values of a row's hands that lay each rank as often as the strategy says."""
    rows = tree.rows
    at, size = rows[row, tree.value], rows[row, tree.size]
    rests = SIZES[size - 1]
    for rank in range(13):
        child = rows[row, CHILD + rank]
        if child >= 0:
            below, first = rows[child, tree.value], rows[row, CELLS] + rank * rests
            for rest in range(rests):
                values[at + tree.up[size, rank, rest]] += shares[first + rest] * values[below + rest]


@borrowing
def learn(row: int, tree: Branches, regrets: Floats, keep: float, values: Floats) -> None:
    """Move a row's regrets towards what would have been better than the strategy."""
    rows = tree.rows
    at, size = rows[row, tree.value], rows[row, tree.size]
    rests = SIZES[size - 1]
    for rank in range(13):
        child = rows[row, CHILD + rank]
        if child >= 0:
            below, first = rows[child, tree.value], rows[row, CELLS] + rank * rests
            for rest in range(rests):
                before = faded(regrets[first + rest], keep)
                mean = values[at + tree.up[size, rank, rest]]
                regrets[first + rest] = before + values[below + rest] - mean


@borrowing
def faded(regret: float, keep: float) -> float:
    """What an earlier regret still counts."""
    return regret * (keep if regret > 0 else FADE)


@borrowing
def inside_share(into: float, out: float) -> float:
    """How often a hand comes in that regrets so much not to have come in, and not to have stayed out."""
    into, out = max(into, 0.0), max(out, 0.0)
    return into / (into + out) if into + out > 0 else 0.5


@borrowing
def add_average(tree: Branches, reach: Floats, shares: Floats, fade: float, sums: Floats) -> None:
    """Add this round's strategy of the own side to its average, earlier rounds faded."""
    rows = tree.rows
    for row in range(len(rows)):
        if rows[row, INNER] != OWN:
            continue
        size = rows[row, OWN_SIZE]
        rests = SIZES[size - 1]
        for rank in range(13):
            first = rows[row, CELLS] + rank * rests
            for rest in range(rests):
                hand = rows[row, OWN_AT] + tree.up[size, rank, rest]
                sums[first + rest] = sums[first + rest] * fade + reach[hand] * shares[first + rest]


@kernel
def solve(own: Branches, free: Branches, weights: Weights, known: Known, rounds: int, solved: Solved) -> None:
    """Fill `solved`: the own side's strategy against a partly known, partly free other side."""
    own_reach, free_reach = np.zeros(width(own, own.reach)), np.zeros(width(free, free.reach))
    own_values, free_values = np.zeros(width(own, own.value)), np.zeros(width(free, free.value))
    shares, regrets = np.zeros(len(solved.sums)), np.zeros(len(solved.sums))
    learning = Learning(shares, regrets)
    hands = len(weights.free)
    own_reach[: len(weights.own)] = weights.own
    forward(own, known.shares, own_reach)
    backward(free, own_reach, learning, ANSWER, free_values)
    solved.price[:] = free_values[:hands]
    # The book's play is where the search begins.
    regrets[:] = known.shares * HEAD_START * np.abs(solved.price).max()
    solved.sums[:] = 0.0
    from_regrets(own, regrets, shares)
    from_regrets(free, regrets, shares)
    # Regret of each free hand for not coming in, and for not staying out.
    into, out = np.zeros(hands), np.zeros(hands)
    for time in range(1, rounds + 1):
        keep = time**1.5 / (time**1.5 + 1)
        forward(own, shares, own_reach)
        backward(free, own_reach, learning, keep, free_values)
        from_regrets(free, regrets, shares)
        for hand in range(hands):
            comes = inside_share(into[hand], out[hand])
            value = comes * free_values[hand] + (1 - comes) * solved.price[hand]
            into[hand] = faded(into[hand], keep) + free_values[hand] - value
            out[hand] = faded(out[hand], keep) + solved.price[hand] - value
            free_reach[hand] = weights.free[hand] * inside_share(into[hand], out[hand])
        forward(free, shares, free_reach)
        backward(own, free_reach + known.reach, learning, keep, own_values)
        from_regrets(own, regrets, shares)
        forward(own, shares, own_reach)
        add_average(own, own_reach, shares, ((time - 1) / time) ** 2, solved.sums)
    from_regrets(own, solved.sums, shares)
    forward(own, shares, own_reach)
    backward(free, own_reach, learning, ANSWER, free_values)
    solved.gained[:] = free_values[:hands]


@borrowing
def width(tree: Branches, begins: int) -> int:
    """How many places one side's reach or values take; `begins`: the place of a row that says where."""
    most = 0
    for row in range(len(tree.rows)):
        most = max(most, tree.rows[row, begins] + SIZES[tree.rows[row, tree.size]])
    return int(most)
