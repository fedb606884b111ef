"""Loops that look a deal's play through to its end: the best answer to what the other side may hold and do.

One side's four cards are known, the other's are beliefs: reach[habit, hand], how likely the other side plays
by each habit and still holds each hand. Habit 0 plays from a solved book, habit 1 as a club player does:
points of a card less what the best reply is expected to peg. The walk visits every card either side can lay,
multiplies beliefs by how often a habit lays it, and takes the best card for the own side.

Ranks are 0–12 (ace low), hands multisets of ranks by number in the order of combinations, sides 0 pone,
1 dealer. `here` carries the public play: see the places below.
"""

from typing import Any

import numpy as np

from fifteentwo.kernels.compiled import kernel

TURN, COUNT, START, END, GONE, LAST, CODE, LEAD, REPLY, LAID, PLACES = range(11)
"""Places of `here`: side on turn, running count, pile[start:end], whether one side has said go, who laid
last, the history in base 15, the first two ranks, how many cards are laid."""
SEEN, LOWS, HELD = PLACES, PLACES + 13, PLACES + 15
"""From here on in `here`: cards laid of each rank, what each side's goes showed, cards held by each side."""
WIDTH = PLACES + 17
BOOK, CLUB = 0, 1
"""Habits."""
SIZES = np.array([1, 13, 91, 455, 1820], dtype=np.int64)
"""How many hands there are of so many ranks."""
LEVELS = 24
"""Cards and goes of a deal, with room to spare."""
FRESH, AFTER_GO = -1, 13
"""Steps of a level besides the rank last laid at it."""
NONE = -1e9
NOTHING = 3e-6
"""Beliefs below this are not followed; they count like those that are."""


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


@kernel
def likes(here: Any, pile: Any, starter: int, liked: Any, ways: Any) -> None:
    """liked[rank]: what a club player on turn gives for laying it; -1e9 where it does not fit.

    ways: (16,) scratch. starter: its rank, or -1.
    """
    count = here[COUNT]
    start = here[START]
    end = here[END]
    size = end - start + 1
    replies = here[HELD + 1 - here[TURN]]
    if here[GONE]:
        replies = 0
    unseen = 51 - here[LAID]
    if starter >= 0:
        unseen -= 1
    for rank in range(13):
        now = count + value_of(rank)
        if now > 31:
            liked[rank] = -1e9
            continue
        pile[end] = rank
        points = card_points(pile, start, end + 1, now)
        worth = np.float64(points)
        if now < 31 and replies > 0:
            for pegged in range(16):
                ways[pegged] = 0.0
            without = np.float64(unseen)
            for reply in range(13):
                if now + value_of(reply) > 31:
                    continue
                left = 4 - here[SEEN + reply]
                if reply == rank:
                    left -= 1
                if reply == starter:
                    left -= 1
                if left > 0:
                    then = now + value_of(reply)
                    apart = reply - rank if reply > rank else rank - reply
                    if apart == 0 or (size > 1 and apart <= size):
                        pile[end + 1] = reply
                        ways[card_points(pile, start, end + 2, then)] += left
                    else:
                        # Too far from the last card for a run.
                        ways[2 if then == 15 or then == 31 else 0] += left
            before = 1.0
            for pegged in range(15, -1, -1):
                if ways[pegged] > 0:
                    without -= ways[pegged]
                    none = 1.0
                    for card in range(replies):
                        none *= max(without - card, 0.0) / (unseen - card)
                    worth -= pegged * (before - none)
                    before = none
            worth += before
        liked[rank] = worth + 1e-6 * rank


@kernel
def book_rows(here: Any, book: Any, size: int, raw: Any) -> int:
    """raw[rank, rest]: the book's shares (0–255) for hands of three or four; 0 where it has none.

    book: (codes, at, cells, starts, top), as `pegging.book_arrays` makes it.
    """
    codes, at, cells, starts, top = book
    turn = here[TURN]
    code = here[CODE]
    if size == 4:
        first = 0 if turn == 0 else 13 + 13 * (code - 1)
        for rank in range(13):
            for rest in range(455):
                raw[rank, rest] = top[(first + rank) * 455 + rest]
        return 1
    branch = here[LEAD] * 13 + here[REPLY]
    low = starts[branch]
    stop = starts[branch + 1]
    high = stop
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low >= stop or codes[low] != code:
        return 0
    place = at[low]
    count = here[COUNT]
    bound = here[LOWS + turn]
    if size == 3:
        for rank in range(13):
            value = value_of(rank)
            if value > bound and count + value <= 31 and here[SEEN + rank] < 4:
                for rest in range(91):
                    raw[rank, rest] = cells[place + rest]
                place += 91
        return 1
    return 0


@kernel
def split_two(
    here: Any,
    pile: Any,
    starter: int,
    reach: Any,
    book: Any,
    mistrust: float,
    laid: Any,
    silent: Any,
    scratch: Any,
) -> None:
    """`split` for hands of two cards, where most of the time goes: one pass over the 91 hands."""
    _, _, _, liked, ways = scratch
    codes, at, cells, starts, _ = book
    turn = here[TURN]
    room = 31 - here[COUNT]
    for habit in range(len(reach)):
        place = -1
        for rank in range(13):
            for rest in range(13):
                laid[rank, habit, rest] = 0.0
        if habit == BOOK and here[HELD + 1 - turn] > 0:
            branch = here[LEAD] * 13 + here[REPLY]
            code = here[CODE]
            low = starts[branch]
            stop = starts[branch + 1]
            high = stop
            while low < high:
                middle = (low + high) // 2
                if codes[middle] < code:
                    low = middle + 1
                else:
                    high = middle
            if low < stop and codes[low] == code:
                place = at[low]
        solved = place >= 0
        if not solved:
            likes(here, pile, starter, liked, ways)
        bound = here[LOWS + turn]
        hand = 0
        for one in range(13):
            first_fits = value_of(one) <= room
            first_open = first_fits and value_of(one) > bound and here[SEEN + one] < 4
            for two in range(one, 13):
                believed = reach[habit, hand]
                if not first_fits:
                    # The second rank is no lower, so neither fits.
                    silent[habit, hand] = believed
                    hand += 1
                    continue
                silent[habit, hand] = 0.0
                hand += 1
                if one == two or value_of(two) > room:
                    laid[one, habit, two] += believed
                    continue
                share = 0.5
                if solved:
                    if first_open and value_of(two) > bound and here[SEEN + two] < 4:
                        share = cells[place] / 255.0
                        place += 1
                else:
                    share = 1.0 if liked[one] > liked[two] else 0.0
                if believed > 0:
                    share = 0.5 * mistrust + (1 - mistrust) * share
                    laid[one, habit, two] += believed * share
                    laid[two, habit, one] += believed * (1 - share)


@kernel
def split(
    here: Any,
    pile: Any,
    starter: int,
    reach: Any,
    book: Any,
    up: Any,
    mistrust: float,
    laid: Any,
    silent: Any,
    scratch: Any,
) -> None:
    """What the other side, on turn, does with each hand: laid[rank, habit, rest] and silent[habit, hand].

    up: (5, 13, 455) the hand that a rank and a rest make, by the hand's size. scratch: (raw, norm, number,
    liked, ways).
    """
    raw, norm, number, liked, ways = scratch
    count = here[COUNT]
    size = here[HELD + here[TURN]]
    hands = SIZES[size]
    rests = SIZES[size - 1]
    habits = len(reach)
    if size == 1:
        for habit in range(habits):
            for rank in range(13):
                fits = count + value_of(rank) <= 31
                laid[rank, habit, 0] = reach[habit, rank] if fits else 0.0
                silent[habit, rank] = 0.0 if fits else reach[habit, rank]
        return
    if size == 2:
        split_two(here, pile, starter, reach, book, mistrust, laid, silent, scratch)
        return
    for hand in range(hands):
        number[hand] = 0.0
    for rank in range(13):
        if count + value_of(rank) <= 31:
            for rest in range(rests):
                number[up[size, rank, rest]] += 1.0
    for habit in range(habits):
        for hand in range(hands):
            silent[habit, hand] = reach[habit, hand] if number[hand] == 0 else 0.0
        known = 0
        if habit == BOOK and here[HELD + 1 - here[TURN]] > 0:
            known = book_rows(here, book, size, raw)
        if known == 0:
            likes(here, pile, starter, liked, ways)
            for hand in range(hands):
                norm[hand] = -1e8
            for rank in range(13):
                if liked[rank] > -1e8:
                    for rest in range(rests):
                        hand = up[size, rank, rest]
                        if liked[rank] > norm[hand]:
                            norm[hand] = liked[rank]
            for rank in range(13):
                for rest in range(rests):
                    raw[rank, rest] = 1.0 if liked[rank] >= norm[up[size, rank, rest]] else 0.0
        for hand in range(hands):
            norm[hand] = 0.0
        for rank in range(13):
            if count + value_of(rank) <= 31:
                for rest in range(rests):
                    norm[up[size, rank, rest]] += raw[rank, rest]
        for rank in range(13):
            if count + value_of(rank) > 31:
                for rest in range(rests):
                    laid[rank, habit, rest] = 0.0
                continue
            for rest in range(rests):
                hand = up[size, rank, rest]
                here_too = reach[habit, hand]
                if here_too > 0:
                    share = 1.0 / number[hand]
                    if norm[hand] > 0:
                        share = mistrust * share + (1 - mistrust) * raw[rank, rest] / norm[hand]
                    laid[rank, habit, rest] = here_too * share
                else:
                    laid[rank, habit, rest] = 0.0


@kernel
def believe(
    acts: Any,
    side: int,
    starter: int,
    reach: Any,
    book: Any,
    up: Any,
    mistrust: float,
    pile: Any,
    here: Any,
) -> int:
    """Replay acts (side, rank; rank -1 for a go) up to the own turn; `here`, `pile`, reach[:, hands] follow.

    A go that was not said is passed over as in `pegging.follow`. side: whose beliefs these are; the other
    side's hands lose what it lays and what its goes rule out. Returns how many cards it is left with.
    """
    habits = len(reach)
    laid = np.zeros((13, habits, 455))
    silent = np.zeros((habits, 1820))
    scratch = (np.zeros((13, 455)), np.zeros(1820), np.zeros(1820), np.zeros(13), np.zeros(16))
    then = np.zeros(WIDTH, np.int64)
    for number in range(len(acts) + 1):
        actor = acts[number, 0] if number < len(acts) else side
        rank = acts[number, 1] if number < len(acts) else 99
        while True:
            passes = rank < 0 or here[TURN] != actor
            if not passes and rank == 99:
                break
            size = here[HELD + here[TURN]]
            if here[TURN] != side and size > 0:
                split(here, pile, starter, reach, book, up, mistrust, laid, silent, scratch)
                for habit in range(habits):
                    if passes:
                        for place in range(SIZES[size]):
                            reach[habit, place] = silent[habit, place]
                    else:
                        for rest in range(SIZES[size - 1]):
                            reach[habit, rest] = laid[rank, habit, rest]
            meant = here[TURN] == actor
            if passes:
                go(here, then)
            else:
                pile[here[END]] = rank
                lay(here, then, rank)
            for place in range(WIDTH):
                here[place] = then[place]
            if meant:
                break
    return int(here[HELD + 1 - side])


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
def show_of(theirs: Any, fours: Any, shows: Any) -> int:
    """What the four ranks the other side has laid make in the show."""
    a, b, c, d = theirs[0], theirs[1], theirs[2], theirs[3]
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
    return int(shows[fours[((a * 13 + b) * 13 + c) * 13 + d]])


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
                shown = show_of(theirs, fours, shows)
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
                    shown = show_of(theirs, fours, shows)
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
