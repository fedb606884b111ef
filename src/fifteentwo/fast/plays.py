"""Many public plays of two at once, as arrays: what `fast.play` says of one play, without its loops.

Each row of `here` and `pile` is one play as `fast.play` keeps it. This is for Python without numba, where an
array of ten thousand plays costs little more than one play does in loops.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import (
    CODE,
    COUNT,
    END,
    GONE,
    HELD,
    LAID,
    LAST,
    LEAD,
    LOWS,
    REPLY,
    SEEN,
    START,
    TURN,
)

Ints = npt.NDArray[np.int64]

RANKS: Ints = np.arange(13)
BITS: npt.NDArray[np.int16] = (1 << np.arange(13)).astype(np.int16)


def _consecutive() -> npt.NDArray[np.int8]:
    """(8192,): how many ranks a set of ranks, as bits, has if they follow each other; else 0."""
    lengths = np.zeros(1 << 13, np.int8)
    for low in range(13):
        for length in range(1, 14 - low):
            lengths[((1 << length) - 1) << low] = length
    return lengths


CONSECUTIVE = _consecutive()


class Plays(NamedTuple):
    """Public plays."""

    here: Ints
    """(plays, WIDTH)."""
    pile: Ints
    """(plays, room for every card)."""


def of(plays: Plays, rows: Ints) -> Plays:
    """These of the plays, in this order."""
    return Plays(plays.here[rows], plays.pile[rows])


def fits(plays: Plays) -> npt.NDArray[np.bool_]:
    """(plays, 13): whether a card of each rank can be laid now (R55)."""
    return plays.here[:, COUNT, None] + VALUES <= 31


def points(plays: Plays, ranks: Ints = RANKS[None, :]) -> Ints:
    """(plays, ranks): what each rank would peg now, where it fits (R59, R68–R75).

    ranks: (1 or plays, ranks), by default all thirteen.
    """
    here, pile = plays
    size = here[:, END] - here[:, START]
    now = here[:, COUNT, None] + VALUES[ranks]
    pegged = 2 * ((now == 15) | (now == 31))
    each = np.arange(len(here))
    alike = np.ones(pegged.shape, np.int8)
    same = np.ones(pegged.shape, np.bool_)
    run = np.zeros(pegged.shape, np.int8)
    last = np.zeros(len(here), np.int16)
    for back in range(1, int(size.max(initial=0)) + 1):
        there = back <= size
        rank = pile[each, here[:, END] - back]
        same &= there[:, None] & (rank[:, None] == ranks)
        alike += same
        last |= np.where(there, BITS[rank], 0)
        if back > 1:
            # A rank among the last cards twice leaves too few for a run of them all.
            length = CONSECUTIVE[last[:, None] | BITS[ranks]]
            run = np.where((length == back + 1) & there[:, None], length, run)
    points: Ints = pegged + alike.astype(np.int64) * (alike - 1) + run
    return points


def lay(plays: Plays, rows: Ints, ranks: Ints) -> Plays:
    """The plays after the side on turn in each of `rows` has laid a rank that fits (R53–R66)."""
    here, pile = of(plays, rows)
    each = np.arange(len(rows))
    turn, gone = here[:, TURN].copy(), here[:, GONE]
    others = here[each, HELD + 1 - turn]
    pile[each, here[:, END]] = ranks
    here[each, SEEN + ranks] += 1
    here[each, HELD + turn] -= 1
    here[:, CODE] = here[:, CODE] * 15 + ranks + 1
    here[:, LEAD] = np.where(here[:, LAID] == 0, ranks, here[:, LEAD])
    here[:, REPLY] = np.where(here[:, LAID] == 1, ranks, here[:, REPLY])
    here[:, LAID] += 1
    here[:, END] += 1
    here[:, COUNT] += VALUES[ranks]
    full = here[:, COUNT] == 31
    here[:, TURN] = np.where((others > 0) & (full | (gone == 0)), 1 - turn, turn)
    here[:, LAST] = turn
    _end_counts(here, full)
    return Plays(here, pile)


def go(plays: Plays, rows: Ints) -> Plays:
    """The plays after a go in each of `rows`: the count is 0 where that ended it, a point to who laid last
    (R57–R59)."""
    here, pile = of(plays, rows)
    each = np.arange(len(rows))
    turn, last = here[:, TURN].copy(), here[:, LAST]
    others = here[each, HELD + 1 - turn]
    ended = (here[:, GONE] > 0) | (others == 0)
    here[:, CODE] = here[:, CODE] * 15 + 14
    here[each, LOWS + turn] = np.maximum(here[each, LOWS + turn], 31 - here[:, COUNT])
    leads = np.where(here[each, HELD + 1 - last] > 0, 1 - last, last)
    here[:, TURN] = np.where(ended, leads, 1 - turn)
    here[:, GONE] = 1
    _end_counts(here, ended)
    return Plays(here, pile)


def _end_counts(here: Ints, ended: npt.NDArray[np.bool_]) -> None:
    here[ended, COUNT] = 0
    here[ended, GONE] = 0
    here[ended, START] = here[ended, END]


class Alone(NamedTuple):
    """How a side best plays on, the other being out of cards; of each play."""

    points: Ints
    """(plays,) of the side alone, last cards included."""
    given: Ints
    """(plays,) 1 where no card fits at first, so that the other side has the last card of this count."""


def play_alone(plays: Plays, cards: Ints) -> Alone:
    """The most points from ascending cards (plays, 1 to 3) against an empty hand that laid last (C6)."""
    given = (plays.here[:, COUNT] > 0) & (plays.here[:, COUNT] + VALUES[cards[:, 0]] > 31)
    here, pile = plays.here.copy(), plays.pile.copy()
    _end_counts(here, given)
    best = np.full(len(here), -1)
    for order in permutations(range(cards.shape[1])):
        best = np.maximum(best, _in_order(Plays(here.copy(), pile.copy()), cards[:, order]))
    return Alone(best, given.astype(np.int64))


def _in_order(plays: Plays, cards: Ints) -> Ints:
    """Points of cards laid alone in this order, or -1 where a go would lie; the plays are used up."""
    here, pile = plays
    each = np.arange(len(here))
    pegged, lied = np.zeros(len(here), np.int64), np.zeros(len(here), np.bool_)
    for place in range(cards.shape[1]):
        over = here[:, COUNT] + VALUES[cards[:, place]] > 31
        lied |= over & (here[:, COUNT, None] + VALUES[cards[:, place + 1 :]] <= 31).any(axis=1)
        pegged += over
        _end_counts(here, over)
        pegged += points(plays, cards[:, place, None])[:, 0]
        pile[each, here[:, END]] = cards[:, place]
        here[:, END] += 1
        here[:, COUNT] += VALUES[cards[:, place]]
        _end_counts(here, here[:, COUNT] == 31)
    return np.where(lied, -1, pegged + (here[:, COUNT] > 0))
