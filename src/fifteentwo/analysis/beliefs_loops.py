"""Loops of what the other side of a play of two does by habit, and of what is believed of its hand.

reach[habit, hand]: how likely the other side plays by each habit and still holds each hand. Habit 0 plays
from a solved book, habit 1 as a club player does: points of a card less what the best reply is expected to
peg.

Hands are multisets of ranks by number in the order of combinations.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.book_shares import book_rows, place_in_book
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import (
    CODE,
    COUNT,
    END,
    GONE,
    HELD,
    LAID,
    LEAD,
    LOWS,
    REPLY,
    SEEN,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    lay,
    value_of,
)

BOOK, CLUB = 0, 1
"""Habits."""


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
            place = place_in_book(codes, at, starts, here[LEAD] * 13 + here[REPLY], here[CODE])
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
    turn: int,
    side: int,
    starter: int,
    reach: Any,
    book: Any,
    up: Any,
    mistrust: float,
    pile: Any,
    here: Any,
) -> int:
    """Replay acts (side, rank; rank -1 for a go) until `turn` is on turn; here, pile, reach[:, hands] follow.

    A go that was not said is passed over as in `pegging.follow`. side: whose beliefs these are; the other
    side's hands lose what it lays and what its goes rule out. Returns how many cards it is left with.
    """
    habits = len(reach)
    laid = np.zeros((13, habits, 455))
    silent = np.zeros((habits, 1820))
    scratch = (np.zeros((13, 455)), np.zeros(1820), np.zeros(1820), np.zeros(13), np.zeros(16))
    then = np.zeros(WIDTH, np.int64)
    for number in range(len(acts) + 1):
        actor = acts[number, 0] if number < len(acts) else turn
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
