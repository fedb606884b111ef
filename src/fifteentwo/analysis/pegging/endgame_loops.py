"""Loops that solve the rest of a play of two anew, on the tree of `endgame_tree`.

`solve` finds how the own side should play by discounted regret minimisation, against another side that is
partly known: a part of it plays as it is believed to (fixed), the rest does what is best for it (free) and
may also stay out for a price of its own, one for each hand.
"""

from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.pegging.beliefs_loops import (
    FULL_HANDS,
    RESTS,
    Floats,
    Habits,
    Ints,
    Room,
    Split,
    empty_room,
    empty_split,
    split,
)
from fifteentwo.analysis.pegging.endgame_tree import (
    CELL,
    CELLS,
    CHILD,
    FOE,
    FOE_AT,
    FOE_REACH,
    FOE_SIZE,
    FOE_VALUE,
    FOE_WORTH,
    GO,
    INNER,
    NOBODY,
    OWN,
    OWN_AT,
    OWN_REACH,
    OWN_SIZE,
    OWN_VALUE,
    OWN_WORTH,
    ROOM,
    TABLE,
    Tree,
)
from fifteentwo.fast.compiled import borrowing, part
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


class Replay(NamedTuple):
    """Where beliefs are followed over the tree."""

    reach: Floats
    """(ROWS, habits, 455): of the other side's hands, by habit; at the root what is believed."""
    certain: Floats
    """(1, 1820): ones."""
    own: Split
    """What own hands do by the book."""
    room: Room


class Search(NamedTuple):
    """Where a solution is searched: reach and values of hands at every row, and what is learnt."""

    learning: Learning
    own_reach: Floats
    free_reach: Floats
    foe_reach: Floats
    """Of the other side, the free part and the known."""
    own_values: Floats
    free_values: Floats
    into: Floats
    """(hands,) regret of each free hand for not coming in."""
    out: Floats
    """(hands,) and for not staying out."""


def branches(who: int, tree: Tree, up: Ints) -> Branches:
    """The tree as one side walks it."""
    fitting, total = np.zeros(FULL_HANDS), np.zeros(FULL_HANDS)
    places = (OWN_SIZE, FOE_SIZE, OWN_AT, FOE_AT, OWN_VALUE)
    if who == FOE:
        places = (FOE_SIZE, OWN_SIZE, FOE_AT, OWN_AT, FOE_VALUE)
    return Branches(who, *places, tree.rows, up, tree.tables[2 - who], fitting, total)


def empty_replay(beliefs: Floats, rows: int) -> Replay:
    """Room to follow beliefs (habits, hands) over so many rows."""
    habits, hands = beliefs.shape
    reach = np.empty((rows, habits, RESTS))
    reach[0, :, :hands] = beliefs
    return Replay(reach, np.ones((1, FULL_HANDS)), empty_split(1), empty_room(habits))


def empty_search(used: Ints, hands: int) -> Search:
    """Room to search below a root where the other side has so many hands; used: as in `Tree`."""
    learning = Learning(np.zeros(used[CELL]), np.zeros(used[CELL]))
    own_reach, free_reach, foe_reach = (np.zeros(used[of]) for of in (OWN_REACH, FOE_REACH, FOE_REACH))
    own_values, free_values = (np.zeros(used[of]) for of in (OWN_WORTH, FOE_WORTH))
    into, out = np.zeros(hands), np.zeros(hands)
    return Search(learning, own_reach, free_reach, foe_reach, own_values, free_values, into, out)


@borrowing
def known_shares(rows: Ints, plays: Ints, habits: Habits, replay: Replay, known: Known) -> None:
    """Fill `known` from the book and from beliefs in the other side, weights at the root."""
    reach, done = replay.reach, replay.room.done
    by_book = Habits(habits.starter, habits.book, habits.up, 0.0)
    for row in range(len(rows)):
        at = rows[row, FOE_AT]
        for hand in range(SIZES[rows[row, FOE_SIZE]]):
            known.reach[at + hand] = 0.0
            for habit in range(reach.shape[1]):
                known.reach[at + hand] += reach[row, habit, hand]
        public, pile = plays[row, :WIDTH], plays[row, WIDTH:]
        if rows[row, INNER] == OWN:
            split(public, pile, replay.certain, by_book, replay.own, replay.room.scratch)
            rests = SIZES[rows[row, OWN_SIZE] - 1]
            for rank in range(13):
                first = rows[row, CELLS] + rank * rests
                for rest in range(rests):
                    known.shares[first + rest] = replay.own.laid[rank, 0, rest]
        elif rows[row, INNER] == FOE:
            split(public, pile, reach[row], habits, done, replay.room.scratch)
        pass_on(row, rows, done, reach)


@part
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


@part
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


@part
def sum_below(row: int, tree: Branches, values: Floats) -> None:
    """Values where the other side is on turn: all it may do, its reach in them already."""
    at = tree.rows[row, tree.value]
    for step in range(14):
        child = tree.rows[row, CHILD + step]
        if child >= 0:
            below = tree.rows[child, tree.value]
            for hand in range(SIZES[tree.rows[row, tree.size]]):
                values[at + hand] += values[below + hand]


@part
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
            # All that fits is gone from the deck: nobody holds this.
            values[at + hand] = 0.0


@part
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


@part
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


@part
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


@part
def copy(values: Floats, to: Floats, number: int) -> None:
    """The first of some values."""
    for place in range(number):
        to[place] = values[place]


@part
def begin_with_the_book(known: Known, price: Floats, regrets: Floats) -> None:
    """The book's play is where the search begins."""
    highest = 0.0
    for hand in range(len(price)):
        highest = max(highest, abs(price[hand]))
    for cell in range(len(regrets)):
        regrets[cell] = known.shares[cell] * HEAD_START * highest


@part
def come_in(weights: Weights, price: Floats, keep: float, search: Search) -> None:
    """How often each free hand comes in, by what it regrets; what it would have been worth moves that."""
    into, out = search.into, search.out
    for hand in range(len(price)):
        comes = inside_share(into[hand], out[hand])
        value = comes * search.free_values[hand] + (1 - comes) * price[hand]
        into[hand] = faded(into[hand], keep) + search.free_values[hand] - value
        out[hand] = faded(out[hand], keep) + price[hand] - value
        search.free_reach[hand] = weights.free[hand] * inside_share(into[hand], out[hand])


@borrowing
def solve(
    own: Branches,
    free: Branches,
    weights: Weights,
    known: Known,
    rounds: int,
    search: Search,
    solved: Solved,
) -> None:
    """Fill `solved`: the own side's strategy against a partly known, partly free other side."""
    learning, own_reach, free_reach, foe_reach, own_values, free_values, _, _ = search
    shares, regrets = learning
    copy(weights.own, own_reach, len(weights.own))
    forward(own, known.shares, own_reach)
    backward(free, own_reach, learning, ANSWER, free_values)
    copy(free_values, solved.price, len(weights.free))
    begin_with_the_book(known, solved.price, regrets)
    from_regrets(own, regrets, shares)
    from_regrets(free, regrets, shares)
    for time in range(1, rounds + 1):
        keep = time**1.5 / (time**1.5 + 1)
        forward(own, shares, own_reach)
        backward(free, own_reach, learning, keep, free_values)
        from_regrets(free, regrets, shares)
        come_in(weights, solved.price, keep, search)
        forward(free, shares, free_reach)
        for place in range(len(foe_reach)):
            foe_reach[place] = free_reach[place] + known.reach[place]
        backward(own, foe_reach, learning, keep, own_values)
        from_regrets(own, regrets, shares)
        forward(own, shares, own_reach)
        add_average(own, own_reach, shares, ((time - 1) / time) ** 2, solved.sums)
    from_regrets(own, solved.sums, shares)
    forward(own, shares, own_reach)
    backward(free, own_reach, learning, ANSWER, free_values)
    copy(free_values, solved.gained, len(weights.free))
