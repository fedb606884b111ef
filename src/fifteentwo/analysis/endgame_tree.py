"""The public tree of the rest of a play of two, grown from one position on with a worth at every end.

Rows stand parents before children. Vectors go over hands of so many ranks, as in `habit_loops`; stretches of
flat arrays belong to each row. A leaf carries a table [own hand, other hand] of worth × ways to hold both and
to have laid what was laid, so no row needs to know what came before it.
"""

from typing import Any

import numpy as np

from fifteentwo.analysis.look_ahead_loops import four_of, worth
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import (
    COUNT,
    END,
    GONE,
    HELD,
    LAST,
    LOWS,
    SEEN,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    lay,
    value_of,
)

INNER, OWN_SIZE, FOE_SIZE, ROOM, CELLS, OWN_AT, FOE_AT, OWN_VALUE, FOE_VALUE, TABLE, CHILD = range(11)
"""Places of a row: whether a choice is left (1 the own side's, 2 the other's, 0 none), cards held, room below
31, where its strategy begins, where its reach and values begin, where a leaf's table begins, its children."""
ROW = CHILD + 14
GO = 13
"""The child after a go."""
PILE = 16
COUNTERS = 7
ROWS, CELL, OWN_REACH, FOE_REACH, OWN_WORTH, FOE_WORTH, TABLES = range(COUNTERS)
"""How much of each a tree takes."""
LEVELS = 24
"""Cards and goes of a deal, with room to spare."""
FRESH = -1
"""The step of a level before any."""


@kernel
def ways(left: Any, one: Any, other: Any) -> float:
    """Ways to lay these ranks, in their order, from so many cards left of each rank."""
    found = 1.0
    for place in range(len(one)):
        rank = one[place]
        drawn = 0
        for before in range(place):
            drawn += one[before] == rank
        found *= max(left[rank] - drawn, 0)
    for place in range(len(other)):
        rank = other[place]
        drawn = 0
        for before in range(len(one)):
            drawn += one[before] == rank
        for before in range(place):
            drawn += other[before] == rank
        found *= max(left[rank] - drawn, 0)
    return found


@kernel
def play_out(here: Any, pile: Any, side: int, target: int, own: Any, other: Any, scores: Any) -> int:
    """Play the rest with the cards of both sides in a given order; 0 where the order is against the rules.

    scores: (2,) own and other's, raised until a side is out. Nothing is chosen: who cannot lay says go.
    """
    turn = here[TURN]
    count = here[COUNT]
    start = here[START]
    end = here[END]
    gone = here[GONE]
    last = here[LAST]
    own_left = len(own)
    other_left = len(other)
    while own_left > 0 or other_left > 0:
        if turn == side:
            who = 0
            card = own[len(own) - own_left] if own_left > 0 else 99
            others = other_left
        else:
            who = 1
            card = other[len(other) - other_left] if other_left > 0 else 99
            others = own_left
        if card < 99 and count + value_of(card) <= 31:
            if who == 0:
                own_left -= 1
            else:
                other_left -= 1
            pile[end] = card
            end += 1
            count += value_of(card)
            scores[who] += card_points(pile, start, end, count)
            last = turn
            if target > 0 and scores[who] >= target:
                return 1
            if count == 31:
                count = 0
                start = end
                gone = 0
                turn = 1 - turn if others > 0 else turn
            elif gone == 0 and others > 0:
                turn = 1 - turn
            continue
        if who == 0:
            for later in range(len(own) - own_left + 1, len(own)):
                if count + value_of(own[later]) <= 31:
                    return 0
        else:
            for later in range(len(other) - other_left + 1, len(other)):
                if count + value_of(other[later]) <= 31:
                    return 0
        if gone or others == 0:
            whose = 0 if last == side else 1
            scores[whose] += 1
            if target > 0 and scores[whose] >= target:
                return 1
            count = 0
            start = end
            gone = 0
            follows = other_left if whose == 0 else own_left
            turn = 1 - last if follows > 0 else last
        else:
            gone = 1
            turn = 1 - turn
    if count > 0:
        scores[0 if last == side else 1] += 1
    return 1


@kernel
def alone(
    here: Any, pile: Any, side: int, target: int, cards: Any, mine: bool, score: Any, best: Any
) -> None:
    """best: (2,) scores after the best order of one side's last cards (at most three), the other out of them.

    Best are the most points; the own side's when `mine`.
    """
    size = len(cards)
    none = np.zeros(0, np.int64)
    order = np.empty(size, np.int64)
    made = np.empty(2, np.int64)
    most = -1
    orders = 1 if size == 1 else (2 if size == 2 else 6)
    for which in range(orders):
        if size < 3:
            for place in range(size):
                order[place] = cards[(place + which) % size]
        else:
            first = which // 2
            second = (first + 1 + which % 2) % 3
            order[0] = cards[first]
            order[1] = cards[second]
            order[2] = cards[3 - first - second]
        made[0] = score[0]
        made[1] = score[1]
        if mine:
            fair = play_out(here, pile, side, target, order, none, made)
        else:
            fair = play_out(here, pile, side, target, none, order, made)
        total = made[0] if mine else made[1]
        if fair and total > most:
            most = total
            best[0] = made[0]
            best[1] = made[1]


@kernel
def whole(laid: Any, size: int, held: Any, fours: Any) -> int:
    """Which hand of four laid[:size] and the ranks still held are."""
    four = np.empty(4, np.int64)
    for place in range(size):
        four[place] = laid[place]
    for place in range(size, 4):
        four[place] = held[place - size]
    return four_of(four, fours)


@kernel
def fill_leaf(
    side: int,
    here: Any,
    pile: Any,
    score: Any,
    chance: float,
    laid: Any,
    stakes: Any,
    hands: Any,
    left: Any,
    table: Any,
    turned: Any,
) -> None:
    """table[own hand, other hand], and turned[other, own]: worth × ways, where nothing is left to choose.

    laid: (2, 4) ranks laid so far by the own and the other side. hands: ranks of every hand of 0 to 3 cards.
    """
    mine, dealer, target, over, counted, fours, shows, kept = stakes
    own_size = here[HELD + side]
    foe_size = here[HELD + 1 - side]
    owns = hands[own_size]
    foes = hands[foe_size]
    finished = target > 0 and (score[0] >= target or score[1] >= target)
    ended = np.empty(2, np.int64)
    theirs = np.zeros(SIZES[foe_size], np.int64)
    if target > 0 and not finished:
        for other in range(SIZES[foe_size]):
            theirs[other] = shows[whole(laid[1], 4 - foe_size, foes[other], fours)]
    for one in range(SIZES[own_size]):
        for other in range(SIZES[foe_size]):
            table[one, other] = 0.0
            turned[other, one] = 0.0
        # An own hand that cannot be is not worth the time.
        if ways(left, owns[one], foes[0][:0]) == 0:
            continue
        shown = 0
        if target > 0 and not finished:
            four = whole(laid[0], 4 - own_size, owns[one], fours)
            # Flush and nobs are known of the own hand, of no other.
            shown = mine if four == kept else shows[four]
        for other in range(SIZES[foe_size]):
            how_often = chance * ways(left, owns[one], foes[other])
            if how_often == 0:
                continue
            ended[0] = score[0]
            ended[1] = score[1]
            if finished:
                table[one, other] = how_often * over[ended[0], ended[1]]
                turned[other, one] = table[one, other]
                continue
            if own_size and foe_size:
                play_out(here, pile, side, target, owns[one], foes[other], ended)
            elif own_size:
                alone(here, pile, side, target, owns[one], True, score, ended)
            else:
                alone(here, pile, side, target, foes[other], False, score, ended)
            table[one, other] = how_often * worth(
                ended[0], ended[1], theirs[other], shown, dealer, target, over, counted
            )
            turned[other, one] = table[one, other]


@kernel
def has_choice(here: Any, score: Any, target: int) -> bool:
    """Whether both sides still hold cards, and not just one each, and nobody is out."""
    if target > 0 and (score[0] >= target or score[1] >= target):
        return False
    return bool(here[HELD] > 0 and here[HELD + 1] > 0 and here[HELD] + here[HELD + 1] > 2)


@kernel
def grow(
    side: int,
    here: Any,
    pile: Any,
    score: Any,
    theirs: Any,
    mine: Any,
    starter: int,
    stakes: Any,
    hands: Any,
    filling: bool,
    rows: Any,
    plays: Any,
    tables: Any,
    used: Any,
) -> None:
    """Write the public tree below `here`, or only count in `used` what it takes.

    score: (2,) own, other's. theirs, mine: (4,) ranks laid so far. rows: (ROWS, ROW). plays: (ROWS, WIDTH +
    PILE) public play and pile of each row. tables: (2, TABLES), by own hands and by the other's. A rank is
    followed where a card of it may be held.
    """
    target = stakes[2]
    for place in range(COUNTERS):
        used[place] = 0
    states = np.zeros((LEVELS, WIDTH), np.int64)
    scores = np.zeros((LEVELS, 2), np.int64)
    steps = np.zeros(LEVELS, np.int64)
    chances = np.ones(LEVELS)
    row_at = np.zeros(LEVELS, np.int64)
    left = np.zeros(13, np.int64)
    laid = np.zeros((2, 4), np.int64)
    for place in range(4):
        laid[0, place] = mine[place]
        laid[1, place] = theirs[place]
    for place in range(WIDTH):
        states[0, place] = here[place]
    scores[0, 0] = score[0]
    scores[0, 1] = score[1]
    used[OWN_REACH] = SIZES[here[HELD + side]]
    used[FOE_REACH] = SIZES[here[HELD + 1 - side]]
    level = 0
    steps[0] = FRESH
    while level >= 0:
        now = states[level]
        whose = 0 if now[TURN] == side else 1
        size = now[HELD + now[TURN]]
        room = 31 - now[COUNT]
        if steps[level] == FRESH:
            row = used[ROWS]
            row_at[level] = row
            used[ROWS] += 1
            own_size = now[HELD + side]
            foe_size = now[HELD + 1 - side]
            chooses = has_choice(now, scores[level], target)
            if filling:
                rows[row, INNER] = 1 + whose if chooses else 0
                rows[row, OWN_SIZE] = own_size
                rows[row, FOE_SIZE] = foe_size
                rows[row, ROOM] = room
                rows[row, CELLS] = used[CELL]
                rows[row, OWN_VALUE] = used[OWN_WORTH]
                rows[row, FOE_VALUE] = used[FOE_WORTH]
                rows[row, TABLE] = used[TABLES]
                for rank in range(14):
                    rows[row, CHILD + rank] = -1
                for place in range(WIDTH):
                    plays[row, place] = now[place]
                for place in range(now[END]):
                    plays[row, WIDTH + place] = pile[place]
                if level == 0:
                    rows[row, OWN_AT] = 0
                    rows[row, FOE_AT] = 0
                else:
                    parent = row_at[level - 1]
                    rank = steps[level - 1]
                    rows[parent, CHILD + rank] = row
                    rows[row, OWN_AT] = rows[parent, OWN_AT]
                    rows[row, FOE_AT] = rows[parent, FOE_AT]
                    if rows[parent, INNER] == 1:
                        rows[row, OWN_AT] = used[OWN_REACH]
                    else:
                        rows[row, FOE_AT] = used[FOE_REACH]
            if level > 0:
                if states[level - 1, TURN] == side:
                    used[OWN_REACH] += SIZES[own_size]
                else:
                    used[FOE_REACH] += SIZES[foe_size]
            used[OWN_WORTH] += SIZES[own_size]
            used[FOE_WORTH] += SIZES[foe_size]
            if not chooses:
                if filling:
                    for rank in range(13):
                        left[rank] = 4 - now[SEEN + rank] - (rank == starter)
                    begin = used[TABLES]
                    stop = begin + SIZES[own_size] * SIZES[foe_size]
                    fill_leaf(
                        side,
                        now,
                        pile,
                        scores[level],
                        chances[level],
                        laid,
                        stakes,
                        hands,
                        left,
                        tables[0, begin:stop].reshape(SIZES[own_size], SIZES[foe_size]),
                        tables[1, begin:stop].reshape(SIZES[foe_size], SIZES[own_size]),
                    )
                used[TABLES] += SIZES[own_size] * SIZES[foe_size]
                level -= 1
                continue
            used[CELL] += 13 * SIZES[size - 1]
        step = steps[level] + 1
        down = False
        while step < 13:
            copies = 4 - now[SEEN + step] - (step == starter)
            if value_of(step) <= room and value_of(step) > now[LOWS + now[TURN]] and copies > 0:
                pile[now[END]] = step
                points = card_points(pile, now[START], now[END] + 1, now[COUNT] + value_of(step))
                lay(now, states[level + 1], step)
                laid[whose, 4 - size] = step
                chances[level + 1] = chances[level] * copies
                scores[level + 1, 0] = scores[level, 0]
                scores[level + 1, 1] = scores[level, 1]
                scores[level + 1, whose] += points
                down = True
                break
            step += 1
        if not down and step == GO and room < 10:
            chances[level + 1] = chances[level]
            scores[level + 1, 0] = scores[level, 0]
            scores[level + 1, 1] = scores[level, 1]
            if go(now, states[level + 1]):
                scores[level + 1, 0 if now[LAST] == side else 1] += 1
            down = True
        if down:
            steps[level] = step
            level += 1
            steps[level] = FRESH
        else:
            level -= 1
