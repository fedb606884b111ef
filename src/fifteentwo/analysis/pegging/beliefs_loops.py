"""Loops of what the other side of a play of two does by habit, and of what is believed of its hand.

reach[habit, hand]: how likely the other side plays by each habit and still holds each hand. Habit 0 plays
from a solved book, habit 1 as a club player does: points of a card less what the best reply is expected to
peg. Hands are numbers as in `fast.hands`; `public` and `pile` are a public play as in `fast.play`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.book_shares import BookArrays, rows_of_four, rows_of_three, shares_of_two
from fifteentwo.fast.compiled import borrowing, part
from fifteentwo.fast.hands import SIZES
from fifteentwo.fast.play import (
    COUNT,
    END,
    GONE,
    HELD,
    LAID,
    SEEN,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    lay,
    value_of,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BOOK, CLUB = 0, 1
"""Habits."""
UNFIT = -1e9
"""The liking of a card that does not fit."""
HIGH_FIRST = 1e-6
"""What a rank more is liked, so that among equals the higher goes first."""
MOST_PEGGED = 16
"""More than one card of the play can peg."""
FULL_HANDS, RESTS = 1820, 455
"""Hands of four; of three, what is left of them."""
GO, TO_COME = -1, 99
"""In place of a rank: a go, and an act still to come."""


class Habits(NamedTuple):
    """How the other side may play, and the tables that takes."""

    starter: int
    """Its rank, or -1."""
    book: BookArrays
    up: Ints
    """(5, 13, 455): the hand that a rank and a rest make, by the hand's size."""
    mistrust: float
    """Part of every card's chance that owes nothing to either habit."""


class Split(NamedTuple):
    """What the other side, on turn, does by each habit with each hand."""

    laid: Floats
    """(13, habits, 455): it lays this rank and keeps this rest."""
    silent: Floats
    """(habits, 1820): it holds this hand and has nothing to lay."""


class Scratch(NamedTuple):
    """Room to work out a split in."""

    raw: Floats
    """(13, 455): how a habit likes to lay a rank and keep a rest."""
    by_hand: Floats
    """(1820,)."""
    fitting: Floats
    """(1820,): how many ranks of a hand fit."""
    liked: Floats
    """(13,): what a club player gives for each rank."""
    ways: Floats
    """(16,): cards that would peg so many points in reply."""


class Room(NamedTuple):
    """Where `split` and `believe` write. No loop makes an array: to compile that takes as long as a loop."""

    done: Split
    scratch: Scratch
    then: Ints
    """(WIDTH,)."""


def empty_split(habits: int) -> Split:
    """A split to be written, for so many habits."""
    return Split(np.empty((13, habits, RESTS)), np.empty((habits, FULL_HANDS)))


def empty_scratch() -> Scratch:
    """Room for `split`."""
    # What the book does not say of a rank is read where nobody can hold it.
    raw = np.zeros((13, RESTS))
    return Scratch(raw, np.empty(FULL_HANDS), np.empty(FULL_HANDS), np.empty(13), np.empty(MOST_PEGGED))


def empty_room(habits: int) -> Room:
    """Room for `believe`, for so many habits."""
    return Room(empty_split(habits), empty_scratch(), np.empty(WIDTH, np.int64))


@part
def count_replies(public: Any, pile: Any, rank: int, starter: int, ways: Any) -> None:
    """ways[points]: unseen cards that would peg so many in reply to this rank, laid on pile[:end]."""
    end = public[END]
    size = end - public[START] + 1
    now = public[COUNT] + value_of(rank)
    pile[end] = rank
    for pegged in range(MOST_PEGGED):
        ways[pegged] = 0.0
    for reply in range(13):
        then = now + value_of(reply)
        left = 4 - public[SEEN + reply] - (reply == rank) - (reply == starter)
        if then > 31 or left <= 0:
            continue
        apart = reply - rank if reply > rank else rank - reply
        if apart == 0 or (size > 1 and apart <= size):
            pile[end + 1] = reply
            ways[card_points(pile, public[START], end + 2, then)] += left
        else:
            # Too far from the last card for a run.
            ways[2 if then == 15 or then == 31 else 0] += left


@part
def after_reply(ways: Any, unseen: int, held: int) -> float:
    """The point for last card where nobody replies, less mean points of the best reply of `held` cards."""
    points = 0.0
    without = np.float64(unseen)
    before = 1.0
    for pegged in range(MOST_PEGGED - 1, -1, -1):
        if ways[pegged] > 0:
            without -= ways[pegged]
            none = 1.0
            for card in range(held):
                none *= max(without - card, 0.0) / (unseen - card)
            points -= pegged * (before - none)
            before = none
    return points + before


@part
def likes(public: Any, pile: Any, starter: int, liked: Any, ways: Any) -> None:
    """liked[rank]: what a club player on turn gives for laying it, UNFIT where it does not fit."""
    replies = 0 if public[GONE] else public[HELD + 1 - public[TURN]]
    unseen = 51 - public[LAID] - (starter >= 0)
    end = public[END]
    for rank in range(13):
        now = public[COUNT] + value_of(rank)
        if now > 31:
            liked[rank] = UNFIT
            continue
        pile[end] = rank
        value = np.float64(card_points(pile, public[START], end + 1, now))
        if now < 31 and replies > 0:
            count_replies(public, pile, rank, starter, ways)
            value += after_reply(ways, unseen, replies)
        liked[rank] = value + HIGH_FIRST * rank


@borrowing
def split(public: Any, pile: Any, reach: Any, habits: Habits, done: Split, scratch: Scratch) -> None:
    """Write to `done` what the other side, on turn, does with each hand."""
    size = public[HELD + public[TURN]]
    if size == 1:
        split_one(public, reach, done)
    elif size == 2:
        for habit in range(len(reach)):
            split_two(public, pile, habit, reach[habit], habits, done, scratch)
    else:
        count_fitting(public, size, habits.up, scratch.fitting)
        for habit in range(len(reach)):
            split_more(public, pile, habit, reach[habit], habits, done, scratch)


@part
def split_one(public: Any, reach: Any, done: Split) -> None:
    """`split` for a single card: it is laid where it fits."""
    for habit in range(len(reach)):
        for rank in range(13):
            fits = public[COUNT] + value_of(rank) <= 31
            done.laid[rank, habit, 0] = reach[habit, rank] if fits else 0.0
            done.silent[habit, rank] = 0.0 if fits else reach[habit, rank]


@part
def split_two(
    public: Any, pile: Any, habit: int, reach: Any, habits: Habits, done: Split, scratch: Scratch
) -> None:
    """`split` for two cards, where most of the time goes: one pass over the 91 hands."""
    laid, silent = done
    room = 31 - public[COUNT]
    for rank in range(13):
        for rest in range(13):
            laid[rank, habit, rest] = 0.0
    shares = scratch.by_hand
    solved = (
        habit == BOOK and public[HELD + 1 - public[TURN]] > 0 and shares_of_two(habits.book, public, shares)
    )
    liked = scratch.liked
    if not solved:
        likes(public, pile, habits.starter, liked, scratch.ways)
    hand = 0
    for one in range(13):
        # The second rank is no lower, so neither fits where the first does not.
        fits = value_of(one) <= room
        for two in range(one, 13):
            believed = reach[hand]
            silent[habit, hand] = 0.0 if fits else believed
            if fits and (one == two or value_of(two) > room):
                laid[one, habit, two] += believed
            elif fits and believed > 0:
                share = 1.0 if liked[one] > liked[two] else 0.0
                if solved:
                    share = shares[hand]
                share = 0.5 * habits.mistrust + (1 - habits.mistrust) * share
                laid[one, habit, two] += believed * share
                laid[two, habit, one] += believed * (1 - share)
            hand += 1


@part
def count_fitting(public: Any, size: int, up: Any, fitting: Any) -> None:
    """fitting[hand]: how many ranks of each hand of `size` cards fit."""
    for hand in range(SIZES[size]):
        fitting[hand] = 0.0
    for rank in range(13):
        if public[COUNT] + value_of(rank) <= 31:
            for rest in range(SIZES[size - 1]):
                fitting[up[size, rank, rest]] += 1.0


@part
def liked_most(size: int, up: Any, scratch: Scratch) -> None:
    """raw[rank, rest]: 1 where no rank of the hand is liked more than this one, else 0."""
    rests = SIZES[size - 1]
    liked, best = scratch.liked, scratch.by_hand
    for hand in range(SIZES[size]):
        best[hand] = UNFIT
    for rank in range(13):
        for rest in range(rests):
            hand = up[size, rank, rest]
            best[hand] = max(best[hand], liked[rank])
    for rank in range(13):
        for rest in range(rests):
            scratch.raw[rank, rest] = 1.0 if liked[rank] >= best[up[size, rank, rest]] else 0.0


@part
def split_more(
    public: Any, pile: Any, habit: int, reach: Any, habits: Habits, done: Split, scratch: Scratch
) -> None:
    """`split` for three or four cards, the fitting ranks of each hand counted."""
    laid, silent = done
    raw, total, fitting, _, _ = scratch
    up = habits.up
    size = public[HELD + public[TURN]]
    rests = SIZES[size - 1]
    solved = habit == BOOK and public[HELD + 1 - public[TURN]] > 0
    if solved and size == 4:
        rows_of_four(habits.book, public, raw)
    elif solved:
        solved = rows_of_three(habits.book, public, raw)
    if not solved:
        likes(public, pile, habits.starter, scratch.liked, scratch.ways)
        liked_most(size, up, scratch)
    for hand in range(SIZES[size]):
        silent[habit, hand] = reach[hand] if fitting[hand] == 0 else 0.0
        total[hand] = 0.0
    for rank in range(13):
        if public[COUNT] + value_of(rank) <= 31:
            for rest in range(rests):
                total[up[size, rank, rest]] += raw[rank, rest]
    for rank in range(13):
        fits = public[COUNT] + value_of(rank) <= 31
        for rest in range(rests):
            hand = up[size, rank, rest]
            laid[rank, habit, rest] = 0.0
            if fits and reach[hand] > 0:
                share = 1.0 / fitting[hand]
                if total[hand] > 0:
                    share = habits.mistrust * share + (1 - habits.mistrust) * raw[rank, rest] / total[hand]
                laid[rank, habit, rest] = reach[hand] * share


@borrowing
def believe(
    acts: Any, turn: int, side: int, reach: Any, habits: Habits, public: Any, pile: Any, room: Room
) -> int:
    """Replay acts (side, rank; rank -1 for a go) until `turn` is on turn; here, pile, reach[:, hands] follow.

    A go that was not said is passed over as in `strategy.pegging.follow`. side: whose beliefs these are; the
    other side's hands lose what it lays and what its goes rule out. Returns how many cards it is left with.
    """
    for number in range(len(acts) + 1):
        actor = acts[number, 0] if number < len(acts) else turn
        rank = acts[number, 1] if number < len(acts) else TO_COME
        while rank != TO_COME or public[TURN] != actor:
            meant = public[TURN] == actor
            passes = rank == GO or not meant
            if public[TURN] != side and public[HELD + public[TURN]] > 0:
                split(public, pile, reach, habits, room.done, room.scratch)
                keep(public, GO if passes else rank, room.done, reach)
            if passes:
                go(public, room.then)
            else:
                pile[public[END]] = rank
                lay(public, room.then, rank)
            for place in range(WIDTH):
                public[place] = room.then[place]
            if meant:
                break
    return int(public[HELD + 1 - side])


@part
def keep(public: Any, rank: int, done: Split, reach: Any) -> None:
    """reach[:, hands] after the side on turn has laid this rank, or said go."""
    size = public[HELD + public[TURN]]
    for habit in range(len(reach)):
        if rank == GO:
            for hand in range(SIZES[size]):
                reach[habit, hand] = done.silent[habit, hand]
        else:
            for rest in range(SIZES[size - 1]):
                reach[habit, rest] = done.laid[rank, habit, rest]
