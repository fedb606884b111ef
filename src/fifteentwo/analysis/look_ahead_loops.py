"""Loops that look a deal's play through to its end: the best answer to what the other side may hold and do.

One side's four cards are known, the other's are beliefs by habit and hand, as `beliefs_loops` keeps them. The
walk visits every card either side can lay, multiplies beliefs by how often a habit lays it, and takes the
best card for the own side.

Ranks, hands, `here` and `pile` are as in `fast.play` and `beliefs_loops`.
"""

from typing import NamedTuple

import numpy as np

from fifteentwo.analysis.beliefs_loops import (
    FULL_HANDS,
    RESTS,
    Floats,
    Habits,
    Ints,
    Scratch,
    Split,
    empty_scratch,
    split,
)
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import COUNT, END, HELD, LAST, START, TURN, WIDTH, card_points, go, lay, value_of

LEVELS = 24
"""Cards and goes of a deal, with room to spare."""
FRESH, AFTER_GO = -1, 13
"""Steps of a level besides the rank last laid at it."""
NONE = -1e9
"""The value of a level where the own side has laid nothing yet."""
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
    over: Floats
    """[own score, other's] when the deal is over."""
    counted: Floats
    """[own score, other's] when both hands are counted, and the crib is not."""
    fours: Ints
    """(13**4,) which hand of four ascending ranks are."""
    shows: Ints
    """(1820,) what each hand makes in the show, suits left out."""


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
    here: Ints
    reach: Floats
    """(habits, hands left), its sum 1."""


class Walk(NamedTuple):
    """Where a walk stands, level by level. Compiled code that calls itself cannot be kept on disk."""

    side: int
    hand: Ints
    theirs: Ints
    pile: Ints
    plays: Ints
    """(levels, WIDTH): the public play."""
    scores: Ints
    """(levels, 2): own and the other's."""
    steps: Ints
    """(levels,): what was laid last, FRESH or AFTER_GO."""
    held_at: Ints
    """(levels,): reaches[held_at[level]] are the beliefs of a level."""
    reaches: Floats
    """(levels, habits, 1820)."""
    done: Split
    """What the other side does: (levels, 13, habits, 455) and (levels, habits, 1820)."""
    totals: Floats
    """(levels,): the best value, or the sum of values, of what was followed."""
    followed: Floats
    """(levels,): the beliefs in what was followed."""
    scratch: Scratch


@kernel
def after_play(own: int, other: int, show: int, their_show: int, stakes: Stakes) -> float:
    """What scores at the end of the play are worth, each hand making so much; the pone counts first (R78)."""
    target, over = stakes.target, stakes.over
    if target == 0:
        return float(own - other)
    if own >= target or other >= target:
        return float(over[own, other])
    if stakes.dealer == 0 and own + show >= target:
        return float(over[own + show, other])
    if stakes.dealer == 1 and other + their_show >= target:
        return float(over[own, other + their_show])
    own += show
    other += their_show
    if own >= target or other >= target:
        return float(over[own, other])
    return float(stakes.counted[own, other])


@kernel
def four_of(ranks: Ints, fours: Ints) -> int:
    """Which hand of four these ranks are."""
    a, b, c, d = ranks[0], ranks[1], ranks[2], ranks[3]
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
    return int(fours[((a * 13 + b) * 13 + c) * 13 + d])


@kernel
def is_won(own: int, other: int, target: int) -> bool:
    """Whether a side has reached the end of the game."""
    return target > 0 and (own >= target or other >= target)


@kernel
def believed(level: int, walk: Walk) -> float:
    """The sum of beliefs at a level."""
    reach = walk.reaches[walk.held_at[level]]
    total = 0.0
    for habit in range(len(reach)):
        for hand in range(SIZES[walk.plays[level, HELD + 1 - walk.side]]):
            total += reach[habit, hand]
    return total


@kernel
def look(walk: Walk, habits: Habits, stakes: Stakes) -> float:
    """Value from walk.plays[0] on, times all beliefs there, when the own side always answers best."""
    level = 0
    walk.steps[0] = FRESH
    walk.held_at[0] = 0
    came = 0.0
    while level >= 0:
        here = walk.plays[level]
        mover = here[TURN] == walk.side
        if walk.steps[level] != FRESH:
            take_in(level, mover, came, walk)
        elif here[HELD] + here[HELD + 1] == 0:
            came = all_laid(level, walk, stakes)
            level -= 1
            continue
        else:
            arrive(level, mover, walk, habits)
        if mover:
            down = lay_own(level, walk, stakes) or go_own(level, walk, stakes)
        else:
            down = lay_theirs(level, walk, stakes) or go_theirs(level, walk, stakes)
        if down:
            level += 1
            walk.steps[level] = FRESH
            continue
        came = walk.totals[level]
        if not mover and walk.followed[level] > 0:
            came *= believed(level, walk) / walk.followed[level]
        level -= 1
    return came


@kernel
def all_laid(level: int, walk: Walk, stakes: Stakes) -> float:
    """Value of a level where nobody holds a card: the last card pegs, and hands are counted."""
    here = walk.plays[level]
    own, other = walk.scores[level, 0], walk.scores[level, 1]
    if here[COUNT] > 0:
        if here[LAST] == walk.side:
            own += 1
        else:
            other += 1
    their_show = stakes.shows[four_of(walk.theirs, stakes.fours)]
    return believed(level, walk) * after_play(own, other, stakes.show, their_show, stakes)


@kernel
def arrive(level: int, mover: bool, walk: Walk, habits: Habits) -> None:
    """Make a level ready that is reached for the first time."""
    walk.totals[level] = NONE if mover else 0.0
    walk.followed[level] = 0.0
    if mover:
        return
    here = walk.plays[level]
    reach = walk.reaches[walk.held_at[level]]
    if here[HELD + 1 - walk.side] > 0:
        done = Split(walk.done.laid[level], walk.done.silent[level])
        split(here, walk.pile, reach, habits, done, walk.scratch)
    else:
        for habit in range(len(reach)):
            walk.done.silent[level, habit, 0] = reach[habit, 0]


@kernel
def take_in(level: int, mover: bool, came: float, walk: Walk) -> None:
    """Back at a level from the one below, with the value found there."""
    if not mover:
        walk.totals[level] += came
        return
    walk.totals[level] = max(walk.totals[level], came)
    if walk.steps[level] < AFTER_GO:
        walk.hand[walk.steps[level]] += 1


@kernel
def go_down(level: int, rank: int, own: int, other: int, walk: Walk) -> None:
    """Lay a rank: the level below begins with these scores."""
    lay(walk.plays[level], walk.plays[level + 1], rank)
    walk.scores[level + 1, 0] = own
    walk.scores[level + 1, 1] = other
    walk.steps[level] = rank


@kernel
def lay_own(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with the next own card that fits; False where none is left. One that wins needs no walk."""
    here = walk.plays[level]
    own, other = walk.scores[level, 0], walk.scores[level, 1]
    for rank in range(walk.steps[level] + 1, 13):
        now = here[COUNT] + value_of(rank)
        if now > 31:
            break
        if walk.hand[rank] == 0:
            continue
        walk.pile[here[END]] = rank
        gained = own + card_points(walk.pile, here[START], here[END] + 1, now)
        if is_won(gained, other, stakes.target):
            value = believed(level, walk) * after_play(gained, other, 0, 0, stakes)
            walk.totals[level] = max(walk.totals[level], value)
            continue
        walk.hand[rank] -= 1
        walk.held_at[level + 1] = walk.held_at[level]
        go_down(level, rank, gained, other, walk)
        return True
    return False


@kernel
def lay_theirs(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with the next rank the other side may lay; False where none is left."""
    here = walk.plays[level]
    size = here[HELD + 1 - walk.side]
    if size == 0:
        return False
    laid = walk.done.laid[level]
    own, other = walk.scores[level, 0], walk.scores[level, 1]
    for rank in range(walk.steps[level] + 1, 13):
        now = here[COUNT] + value_of(rank)
        if now > 31:
            break
        chance = 0.0
        for habit in range(laid.shape[1]):
            for rest in range(SIZES[size - 1]):
                chance += laid[rank, habit, rest]
        if chance < NOTHING:
            continue
        walk.followed[level] += chance
        walk.pile[here[END]] = rank
        lost = other + card_points(walk.pile, here[START], here[END] + 1, now)
        walk.theirs[4 - size] = rank
        if is_won(own, lost, stakes.target):
            walk.totals[level] += chance * after_play(own, lost, 0, 0, stakes)
        elif size == 1 and here[HELD + walk.side] == 0:
            # The last card of all: no need to go down for it.
            their_show = stakes.shows[four_of(walk.theirs, stakes.fours)]
            lost += now != 31
            walk.totals[level] += chance * after_play(own, lost, stakes.show, their_show, stakes)
        else:
            walk.held_at[level + 1] = level + 1
            reach = walk.reaches[level + 1]
            for habit in range(laid.shape[1]):
                for rest in range(SIZES[size - 1]):
                    reach[habit, rest] = laid[rank, habit, rest]
            go_down(level, rank, own, lost, walk)
            return True
    return False


@kernel
def go_own(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with a go where the own side has nothing to lay."""
    if walk.steps[level] == AFTER_GO or walk.totals[level] != NONE:
        return False
    walk.held_at[level + 1] = walk.held_at[level]
    return say_go(level, believed(level, walk), walk, stakes)


@kernel
def go_theirs(level: int, walk: Walk, stakes: Stakes) -> bool:
    """Go down with a go of the other side, as far as it may have nothing to lay."""
    here = walk.plays[level]
    size = here[HELD + 1 - walk.side]
    if walk.steps[level] == AFTER_GO or (here[COUNT] <= 21 and size > 0):
        return False
    silent = walk.done.silent[level]
    walk.held_at[level + 1] = level + 1
    reach = walk.reaches[level + 1]
    chance = 0.0
    for habit in range(len(silent)):
        for hand in range(SIZES[size]):
            reach[habit, hand] = silent[habit, hand]
            chance += silent[habit, hand]
    if chance < NOTHING:
        return False
    walk.followed[level] += chance
    return say_go(level, chance, walk, stakes)


@kernel
def say_go(level: int, chance: float, walk: Walk, stakes: Stakes) -> bool:
    """Go down with a go, unless the point for last card wins the game."""
    here = walk.plays[level]
    own, other = walk.scores[level, 0], walk.scores[level, 1]
    if go(here, walk.plays[level + 1]):
        if here[LAST] == walk.side:
            own += 1
        else:
            other += 1
    if is_won(own, other, stakes.target):
        value = chance * after_play(own, other, 0, 0, stakes)
        walk.totals[level] = value if here[TURN] == walk.side else walk.totals[level] + value
        return False
    walk.scores[level + 1, 0] = own
    walk.scores[level + 1, 1] = other
    walk.steps[level] = AFTER_GO
    return True


@kernel
def begin(outlook: Outlook) -> Walk:
    """A walk from an outlook, its first level still to be written."""
    habits = len(outlook.reach)
    reaches = np.empty((LEVELS, habits, FULL_HANDS))
    reaches[0, :, : outlook.reach.shape[1]] = outlook.reach
    return Walk(
        outlook.side,
        outlook.hand.copy(),
        outlook.theirs.copy(),
        outlook.pile.copy(),
        np.zeros((LEVELS, WIDTH), np.int64),
        np.zeros((LEVELS, 2), np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros(LEVELS, np.int64),
        reaches,
        Split(np.empty((LEVELS, 13, habits, RESTS)), np.empty((LEVELS, habits, FULL_HANDS))),
        np.zeros(LEVELS),
        np.zeros(LEVELS),
        empty_scratch(),
    )


@kernel
def answer(outlook: Outlook, habits: Habits, stakes: Stakes, values: Floats) -> None:
    """values[rank] of each own card that can be laid now."""
    walk = begin(outlook)
    here = outlook.here
    own, other = outlook.scores
    for rank in range(13):
        now = here[COUNT] + value_of(rank)
        if walk.hand[rank] == 0 or now > 31:
            continue
        walk.pile[here[END]] = rank
        gained = own + card_points(walk.pile, here[START], here[END] + 1, now)
        if is_won(gained, other, stakes.target):
            values[rank] = after_play(gained, other, 0, 0, stakes)
            continue
        lay(here, walk.plays[0], rank)
        walk.scores[0, 0] = gained
        walk.scores[0, 1] = other
        walk.hand[rank] -= 1
        values[rank] = look(walk, habits, stakes)
        walk.hand[rank] += 1
