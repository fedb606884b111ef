"""Loops that look a deal's play through to its end: the best answer to what the other side may hold and do.

One side's four cards are known, the other's are beliefs by habit and hand, as `habit_loops` keeps them. The
walk visits every card either side can lay, multiplies beliefs by how often a habit lays it, and takes the
best card for the own side.

Ranks, hands and `here` are as in `public_play` and `habit_loops`.
"""

from typing import Any

import numpy as np

from fifteentwo.analysis.beliefs_loops import split
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import COUNT, END, HELD, LAST, START, TURN, WIDTH, card_points, go, lay, value_of

LEVELS = 24
"""Cards and goes of a deal, with room to spare."""
FRESH, AFTER_GO = -1, 13
"""Steps of a level besides the rank last laid at it."""
NONE = -1e9
NOTHING = 3e-6
"""Beliefs below this are not followed; they count like those that are."""


@kernel
def worth(
    own: int, other: int, hand: int, mine: int, dealer: int, target: int, over: Any, counted: Any
) -> float:
    """Worth of scores at the end of the play: `mine` and `hand` are what the two hands make in the show.

    over[own, other]: when the deal is over. counted[own, other]: when both hands are counted. The pone counts
    first (R78). target 0: points, own less other's; the show counts nothing.
    """
    if target == 0:
        return float(own - other)
    if own >= target or other >= target:
        return float(over[own, other])
    if dealer == 0:
        if own + mine >= target or other + hand >= target:
            return float(over[own + mine, other] if own + mine >= target else over[own, other + hand])
        return float(counted[own + mine, other + hand])
    if other + hand >= target or own + mine >= target:
        return float(over[own, other + hand] if other + hand >= target else over[own + mine, other])
    return float(counted[own + mine, other + hand])


@kernel
def four_of(ranks: Any, fours: Any) -> int:
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
def look(
    side: int,
    scores: Any,
    hand: Any,
    theirs: Any,
    pile: Any,
    plays: Any,
    reaches: Any,
    starter: int,
    book: Any,
    up: Any,
    mistrust: float,
    buffers: Any,
    stakes: Any,
) -> float:
    """Worth from plays[0] on, times all beliefs in reaches[0], when the own side always answers best.

    scores: (levels, 2), [0] own and other's now. hand: (13,) own cards by rank. theirs: ranks the other side
    has laid. stakes: (mine, dealer, target, over, counted, fours, shows). buffers: (laid, silent, scratch,
    steps, held_at, totals, followed) by level; reaches[held_at[level]] are the beliefs of a level. Compiled
    code that calls itself cannot be kept on disk, hence the stack.
    """
    mine, dealer, target, over, counted, fours, shows = stakes
    laid, silent, scratch, steps, held_at, totals, followed = buffers
    habits = reaches.shape[1]
    level = 0
    steps[0] = FRESH
    held_at[0] = 0
    came = 0.0
    while level >= 0:
        here = plays[level]
        own = scores[level, 0]
        other = scores[level, 1]
        count = here[COUNT]
        room = 31 - count
        size = here[HELD + 1 - side]
        mover = here[TURN] == side
        step = steps[level]
        reach = reaches[held_at[level]]
        if step == FRESH:
            if here[HELD] + here[HELD + 1] == 0:
                alive = 0.0
                for habit in range(habits):
                    alive += reach[habit, 0]
                if count > 0:
                    if here[LAST] == side:
                        own += 1
                    else:
                        other += 1
                shown = shows[four_of(theirs, fours)]
                came = alive * worth(own, other, shown, mine, dealer, target, over, counted)
                level -= 1
                continue
            totals[level] = NONE if mover else 0.0
            followed[level] = 0.0
            if not mover:
                if size > 0:
                    split(here, pile, starter, reach, book, up, mistrust, laid[level], silent[level], scratch)
                else:
                    for habit in range(habits):
                        silent[level, habit, 0] = reach[habit, 0]
            rank = 0
        else:
            if not mover:
                totals[level] += came
            elif came > totals[level]:
                totals[level] = came
            if mover and step < AFTER_GO:
                hand[step] += 1
            rank = step + 1
        then = plays[level + 1]
        down = False
        alive = 0.0
        while rank < 13 and value_of(rank) <= room:
            if mover:
                if hand[rank] == 0:
                    rank += 1
                    continue
            else:
                if size == 0:
                    break
                alive = 0.0
                for habit in range(habits):
                    for rest in range(SIZES[size - 1]):
                        alive += laid[level, rank, habit, rest]
                if alive < NOTHING:
                    rank += 1
                    continue
                followed[level] += alive
            pile[here[END]] = rank
            now = count + value_of(rank)
            points = card_points(pile, here[START], here[END] + 1, now)
            if mover:
                gained = own + points
                lost = other
                alive = 0.0
                if target > 0 and gained >= target:
                    for habit in range(habits):
                        for place in range(SIZES[size]):
                            alive += reach[habit, place]
            else:
                gained = own
                lost = other + points
            if target > 0 and (gained >= target or lost >= target):
                part = alive * worth(gained, lost, 0, mine, dealer, target, over, counted)
                if not mover:
                    totals[level] += part
                elif part > totals[level]:
                    totals[level] = part
                rank += 1
                continue
            if mover:
                hand[rank] -= 1
                held_at[level + 1] = held_at[level]
            else:
                theirs[4 - size] = rank
                if size == 1 and here[HELD + side] == 0:
                    # The last card of all: no need to go down for it.
                    shown = shows[four_of(theirs, fours)]
                    ended = lost if now == 31 else lost + 1
                    totals[level] += alive * worth(own, ended, shown, mine, dealer, target, over, counted)
                    rank += 1
                    continue
                held_at[level + 1] = level + 1
                for habit in range(habits):
                    for rest in range(SIZES[size - 1]):
                        reaches[level + 1, habit, rest] = laid[level, rank, habit, rest]
            lay(here, then, rank)
            scores[level + 1, 0] = gained
            scores[level + 1, 1] = lost
            steps[level] = rank
            down = True
            break
        if down:
            level += 1
            steps[level] = FRESH
            continue
        if step != AFTER_GO and (not mover or totals[level] == NONE):
            alive = 0.0
            if mover:
                held_at[level + 1] = held_at[level]
                for habit in range(habits):
                    for place in range(SIZES[size]):
                        alive += reach[habit, place]
            elif room < 10 or size == 0:
                held_at[level + 1] = level + 1
                for habit in range(habits):
                    for place in range(SIZES[size]):
                        reaches[level + 1, habit, place] = silent[level, habit, place]
                        alive += silent[level, habit, place]
            if mover or alive >= NOTHING:
                followed[level] += alive
                gained = own
                lost = other
                if go(here, then):
                    if here[LAST] == side:
                        gained += 1
                    else:
                        lost += 1
                if target > 0 and (gained >= target or lost >= target):
                    part = alive * worth(gained, lost, 0, mine, dealer, target, over, counted)
                    totals[level] = part if mover else totals[level] + part
                else:
                    scores[level + 1, 0] = gained
                    scores[level + 1, 1] = lost
                    steps[level] = AFTER_GO
                    level += 1
                    steps[level] = FRESH
                    continue
        came = totals[level]
        if not mover and followed[level] > 0:
            alive = 0.0
            for habit in range(habits):
                for place in range(SIZES[size]):
                    alive += reach[habit, place]
            came *= alive / followed[level]
        level -= 1
    return came


@kernel
def answer(
    side: int,
    own: int,
    other: int,
    hand: Any,
    theirs: Any,
    pile: Any,
    here: Any,
    reach: Any,
    starter: int,
    book: Any,
    up: Any,
    mistrust: float,
    stakes: Any,
    worths: Any,
) -> None:
    """worths[rank] of each own card that can be laid now; reach: (habits, hands left), its sum 1."""
    mine, dealer, target, over, counted, _, _ = stakes
    habits = len(reach)
    plays = np.zeros((LEVELS, WIDTH), np.int64)
    scores = np.zeros((LEVELS, 2), np.int64)
    reaches = np.empty((LEVELS, habits, 1820))
    scratch = (np.zeros((13, 455)), np.zeros(1820), np.zeros(1820), np.zeros(13), np.zeros(16))
    buffers = (
        np.empty((LEVELS, 13, habits, 455)),
        np.empty((LEVELS, habits, 1820)),
        scratch,
        np.zeros(LEVELS, np.int64),
        np.zeros(LEVELS, np.int64),
        np.zeros(LEVELS),
        np.zeros(LEVELS),
    )
    for habit in range(habits):
        for place in range(reach.shape[1]):
            reaches[0, habit, place] = reach[habit, place]
    for rank in range(13):
        now = here[COUNT] + value_of(rank)
        if hand[rank] == 0 or now > 31:
            continue
        pile[here[END]] = rank
        gained = own + card_points(pile, here[START], here[END] + 1, now)
        if target > 0 and gained >= target:
            worths[rank] = worth(gained, other, 0, mine, dealer, target, over, counted)
            continue
        lay(here, plays[0], rank)
        scores[0, 0] = gained
        scores[0, 1] = other
        hand[rank] -= 1
        worths[rank] = look(
            side, scores, hand, theirs, pile, plays, reaches, starter, book, up, mistrust, buffers, stakes
        )
        hand[rank] += 1
