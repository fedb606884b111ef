"""Loops that look a deal's play through to its end: the best answer to what the other side may hold and do.

One side's four cards are known, the other's are beliefs by habit and hand, as `beliefs_loops` keeps them. The
walk visits every card either side can lay, multiplies beliefs by how often a habit lays it, and takes the
best card for the own side.

Ranks, hands, `public` and `pile` are as in `fast.play` and `beliefs_loops`.
"""

from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.pegging.beliefs_loops import (
    FULL_HANDS,
    RESTS,
    Floats,
    Habits,
    Ints,
    Scratch,
    Split,
    split,
    split_one,
)
from fifteentwo.fast.compiled import borrowing, part
from fifteentwo.fast.counting_out import after_hands
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import COUNT, END, HELD, LAST, START, TURN, WIDTH, card_points, go, lay, value_of

MORE = (0, 1, 4, 5, 6)
"""Points that suits may add to a hand: nothing, nobs, a flush, a flush with the starter, that and nobs."""
LEVELS = 24
"""Cards and goes of a deal, with room to spare."""
OWN, OTHER, STEP, BELIEFS = WIDTH, WIDTH + 1, WIDTH + 2, WIDTH + 3
"""Places of a level after those of its public play: own and other's score, what was laid last, and the level
whose beliefs still hold."""
ROW = WIDTH + 4
FRESH, AFTER_GO = -1, 13
"""Steps besides ranks."""
HAND, THEIRS = 16, 29
"""In `cards` after the pile: how many of each rank the own side holds, the ranks the other side has laid."""
TOTAL, FOLLOWED = 0, 1
"""In `sums`: the best value or the sum of values of what was followed, and the beliefs in that."""
NONE = -1e9
"""The total of a level where the own side has laid nothing yet."""
NOTHING = 3e-6
"""Beliefs below this are not followed; they count like those that are."""


class Stakes(NamedTuple):
    """What the end of the play is worth."""

    show: int
    """Points of the own hand in the show."""
    dealer: int
    """1 where the own side deals, else 0."""
    target: int
    """Where the game ends; 0: points count, own less the other's, and the show counts nothing."""
    counted: Floats
    """[own score, other's] when both hands are counted, and the crib is not; or when a side is out."""
    shows: Ints
    """(13**4,) what four ascending ranks make in the show, suits left out."""
    suited: Floats
    """(13**4, 5) the chance that suits add each of `MORE` to such a hand of the other side."""


class Outlook(NamedTuple):
    """The public play from the own side's eyes, and what it believes."""

    side: int
    scores: tuple[int, int]
    """Own and the other's."""
    hand: Ints
    """(13,) own cards by rank."""
    theirs: Ints
    """(4,) ranks the other side has laid."""
    pile: Ints
    public: Ints
    reach: Floats
    """(habits, hands left), its sum 1."""


class Walk(NamedTuple):
    """Where a walk stands, level by level. Compiled code that calls itself cannot be kept on disk.

    The loops index these arrays and take no parts of them: compiled, a part costs more than a step.
    """

    side: int
    cards: Ints
    """The pile, the own hand, what the other side has laid."""
    levels: Ints
    """(levels, ROW)."""
    sums: Floats
    """(levels, 2)."""
    reaches: Floats
    """(levels, habits, 1820): beliefs."""
    laid: Floats
    """(levels, 13, habits, 455): the other side lays a rank and keeps a rest."""
    silent: Floats
    """(levels, habits, 1820): the other side has nothing to lay."""


@borrowing
def after_play(own: int, other: int, show: int, their_show: int, stakes: Stakes) -> float:
    """The value of scores at the end of the pegging, each hand making so much."""
    if stakes.target == 0:
        return float(own - other)
    own, other = after_hands(own, other, show, their_show, stakes.dealer, stakes.target)
    return float(stakes.counted[own, other])


@borrowing
def is_won(own: int, other: int, target: int) -> bool:
    """Whether a side has reached the end of the game."""
    return target > 0 and (own >= target or other >= target)


@borrowing
def shown(own: int, other: int, show: int, digits: int, stakes: Stakes) -> float:
    """`after_play` where the other side holds these ranks, by the chances of what suits add."""
    if stakes.target == 0 or is_won(own, other, stakes.target):
        return after_play(own, other, show, 0, stakes)
    value = 0.0
    for kind in range(len(MORE)):
        share = stakes.suited[digits, kind]
        if share > 0:
            value += share * after_play(own, other, show, stakes.shows[digits] + MORE[kind], stakes)
    return value


@borrowing
def digits_of(ranks: Ints, first: int) -> int:
    """The hand ranks[first : first + 4], ascending, as digits to the base 13."""
    a, b, c, d = ranks[first], ranks[first + 1], ranks[first + 2], ranks[first + 3]
    if a > b:
        a, b = b, a
    if c > d:
        c, d = d, c
    if a > c:
        a, c = c, a
    if b > d:
        b, d = d, b
    if b > c:
        b, c = c, b
    return int(((a * 13 + b) * 13 + c) * 13 + d)


@borrowing
def believed(level: int, walk: Walk) -> float:
    """The sum of beliefs at a level."""
    at = walk.levels[level, BELIEFS]
    hands = SIZES[walk.levels[level, HELD + 1 - walk.side]]
    total = 0.0
    for habit in range(walk.reaches.shape[1]):
        for hand in range(hands):
            total += walk.reaches[at, habit, hand]
    return total


@part
def look(walk: Walk, habits: Habits, stakes: Stakes, scratch: Scratch) -> float:
    """Value from level 0 on, times all beliefs there, when the own side always answers best."""
    levels, sums, side = walk.levels, walk.sums, walk.side
    level = 0
    levels[0, STEP] = FRESH
    levels[0, BELIEFS] = 0
    came = 0.0
    while level >= 0:
        mover = levels[level, TURN] == side
        if levels[level, STEP] != FRESH:
            take_in(level, mover, came, walk)
        elif levels[level, HELD] + levels[level, HELD + 1] == 0:
            came = all_laid(level, walk, stakes)
            level -= 1
            continue
        elif mover:
            sums[level, TOTAL] = NONE
        else:
            arrive(level, walk, habits, scratch)
        if mover:
            down = lay_own(level, walk, stakes) or go_own(level, walk, stakes)
        else:
            down = lay_theirs(level, walk, stakes) or go_theirs(level, walk, stakes)
        if down:
            level += 1
            levels[level, STEP] = FRESH
            continue
        came = sums[level, TOTAL]
        if not mover and sums[level, FOLLOWED] > 0:
            came *= believed(level, walk) / sums[level, FOLLOWED]
        level -= 1
    return came


@part
def all_laid(level: int, walk: Walk, stakes: Stakes) -> float:
    """Value of a level where nobody holds a card: the last card pegs, and hands are counted."""
    own, other = walk.levels[level, OWN], walk.levels[level, OTHER]
    if walk.levels[level, COUNT] > 0:
        if walk.levels[level, LAST] == walk.side:
            own += 1
        else:
            other += 1
    return believed(level, walk) * shown(own, other, stakes.show, digits_of(walk.cards, THEIRS), stakes)


@part
def arrive(level: int, walk: Walk, habits: Habits, scratch: Scratch) -> None:
    """Make a level ready where the other side is on turn."""
    walk.sums[level, TOTAL] = 0.0
    walk.sums[level, FOLLOWED] = 0.0
    public = walk.levels[level]
    reach = walk.reaches[public[BELIEFS]]
    done = Split(walk.laid[level], walk.silent[level])
    size = public[HELD + 1 - walk.side]
    if size == 0:
        for habit in range(len(reach)):
            done.silent[habit, 0] = reach[habit, 0]
    elif size == 1:
        split_one(public, reach, done)
    else:
        split(public, walk.cards, reach, habits, done, scratch)


@part
def take_in(level: int, mover: bool, came: float, walk: Walk) -> None:
    """Back at a level from the one below, with the value found there."""
    if not mover:
        walk.sums[level, TOTAL] += came
        return
    if came > walk.sums[level, TOTAL]:
        walk.sums[level, TOTAL] = came
    step = walk.levels[level, STEP]
    if step < AFTER_GO:
        walk.cards[HAND + step] += 1


@part
def go_down(level: int, rank: int, own: int, other: int, levels: Ints) -> None:
    """Lay a rank: the level below begins with these scores."""
    lay(levels[level], levels[level + 1], rank)
    levels[level + 1, OWN] = own
    levels[level + 1, OTHER] = other
    levels[level, STEP] = rank


@part
def lay_own(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with the next own card that fits; False where none is left. One that wins needs no walk."""
    cards, levels, sums = walk.cards, walk.levels, walk.sums
    start, end = levels[level, START], levels[level, END]
    other = levels[level, OTHER]
    for rank in range(levels[level, STEP] + 1, 13):
        now = levels[level, COUNT] + value_of(rank)
        if now > 31:
            break
        if cards[HAND + rank] == 0:
            continue
        cards[end] = rank
        gained = levels[level, OWN] + card_points(cards, start, end + 1, now)
        if is_won(gained, other, stakes.target):
            value = believed(level, walk) * after_play(gained, other, 0, 0, stakes)
            sums[level, TOTAL] = max(sums[level, TOTAL], value)
            continue
        cards[HAND + rank] -= 1
        levels[level + 1, BELIEFS] = levels[level, BELIEFS]
        go_down(level, rank, gained, other, levels)
        return True
    return False


@part
def lay_theirs(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with the next rank the other side may lay; False where none is left."""
    cards, levels, sums, laid, reaches = walk.cards, walk.levels, walk.sums, walk.laid, walk.reaches
    size = levels[level, HELD + 1 - walk.side]
    if size == 0:
        return False
    start, end, own = levels[level, START], levels[level, END], levels[level, OWN]
    last_card = size == 1 and levels[level, HELD + walk.side] == 0
    rests = SIZES[size - 1]
    for rank in range(levels[level, STEP] + 1, 13):
        now = levels[level, COUNT] + value_of(rank)
        if now > 31:
            break
        chance = 0.0
        for habit in range(laid.shape[2]):
            for rest in range(rests):
                chance += laid[level, rank, habit, rest]
        if chance < NOTHING:
            continue
        sums[level, FOLLOWED] += chance
        cards[end] = rank
        lost = levels[level, OTHER] + card_points(cards, start, end + 1, now)
        cards[THEIRS + 4 - size] = rank
        if is_won(own, lost, stakes.target):
            sums[level, TOTAL] += chance * after_play(own, lost, 0, 0, stakes)
        elif last_card:
            # The last card of all: no need to go down for it.
            lost += now != 31
            sums[level, TOTAL] += chance * shown(own, lost, stakes.show, digits_of(cards, THEIRS), stakes)
        else:
            levels[level + 1, BELIEFS] = level + 1
            for habit in range(laid.shape[2]):
                for rest in range(rests):
                    reaches[level + 1, habit, rest] = laid[level, rank, habit, rest]
            go_down(level, rank, own, lost, levels)
            return True
    return False


@part
def go_own(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with a go where the own side has nothing to lay."""
    if walk.levels[level, STEP] == AFTER_GO or walk.sums[level, TOTAL] != NONE:
        return False
    walk.levels[level + 1, BELIEFS] = walk.levels[level, BELIEFS]
    return say_go(level, believed(level, walk), walk, stakes)


@part
def go_theirs(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with a go of the other side, as far as it may have nothing to lay."""
    size = walk.levels[level, HELD + 1 - walk.side]
    if walk.levels[level, STEP] == AFTER_GO or (walk.levels[level, COUNT] <= 21 and size > 0):
        return False
    walk.levels[level + 1, BELIEFS] = level + 1
    chance = 0.0
    for habit in range(walk.silent.shape[1]):
        for hand in range(SIZES[size]):
            silent = walk.silent[level, habit, hand]
            walk.reaches[level + 1, habit, hand] = silent
            chance += silent
    if chance < NOTHING:
        return False
    walk.sums[level, FOLLOWED] += chance
    return say_go(level, chance, walk, stakes)


@part
def say_go(level: int, chance: float, walk: Walk, stakes: Stakes) -> bool:
    """Go down with a go, unless the point for last card wins the game."""
    levels = walk.levels
    own, other = levels[level, OWN], levels[level, OTHER]
    if go(levels[level], levels[level + 1]):
        if levels[level, LAST] == walk.side:
            own += 1
        else:
            other += 1
    if is_won(own, other, stakes.target):
        value = chance * after_play(own, other, 0, 0, stakes)
        if levels[level, TURN] == walk.side:
            walk.sums[level, TOTAL] = value
        else:
            walk.sums[level, TOTAL] += value
        return False
    levels[level + 1, OWN] = own
    levels[level + 1, OTHER] = other
    levels[level, STEP] = AFTER_GO
    return True


def begin(outlook: Outlook) -> Walk:
    """A walk from an outlook, its first level still to be written."""
    habits, hands = outlook.reach.shape
    reaches = np.empty((LEVELS, habits, FULL_HANDS))
    reaches[0, :, :hands] = outlook.reach
    return Walk(
        outlook.side,
        np.concatenate([outlook.pile, outlook.hand, outlook.theirs]),
        np.zeros((LEVELS, ROW), np.int64),
        np.zeros((LEVELS, 2)),
        reaches,
        np.empty((LEVELS, 13, habits, RESTS)),
        np.empty((LEVELS, habits, FULL_HANDS)),
    )


@borrowing
def answer(
    public: Ints,
    own: int,
    other: int,
    walk: Walk,
    habits: Habits,
    stakes: Stakes,
    scratch: Scratch,
    values: Floats,
) -> None:
    """values[rank] of each own card that can be laid now, at these scores; `walk` has just begun."""
    cards = walk.cards
    for rank in range(13):
        now = public[COUNT] + value_of(rank)
        if cards[HAND + rank] == 0 or now > 31:
            continue
        cards[public[END]] = rank
        gained = own + card_points(cards, public[START], public[END] + 1, now)
        if is_won(gained, other, stakes.target):
            values[rank] = after_play(gained, other, 0, 0, stakes)
            continue
        lay(public, walk.levels[0], rank)
        walk.levels[0, OWN] = gained
        walk.levels[0, OTHER] = other
        cards[HAND + rank] -= 1
        values[rank] = look(walk, habits, stakes, scratch)
        cards[HAND + rank] += 1
