"""Many public plays of two at once, as arrays: what `fast.play` says of one play, without its kernels.

Each row of `public` and `pile` is one play as `fast.play` keeps it. This is for Python without numba, where
an array of ten thousand plays costs little more than one play does in a loop.
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
    LAST,
    LEAD,
    LIMIT,
    LOWS,
    PLAYED,
    REPLY,
    SEEN,
    START,
    TURN,
    after_card,
    after_go,
    holding,
    playable,
    turn_of,
    write_turn,
)

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]

COUNTING: Bytes = VALUES.astype(np.int8)
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
SPREAD = np.array(
    [max(bits.bit_length() - 1, 0) - ((bits & -bits).bit_length() - 1) for bits in range(1 << 13)]
)
"""(8192,): from the lowest to the highest rank of a set, as bits."""


class Plays(NamedTuple):
    """Public plays."""

    public: Ints
    """(plays, WIDTH)."""
    pile: Ints
    """(plays, 16) ranks played."""


def of(plays: Plays, rows: Ints) -> Plays:
    """These of the plays, in this order."""
    return Plays(plays.public[rows], plays.pile[rows])


def fits(plays: Plays) -> npt.NDArray[np.bool_]:
    """(plays, 13): whether a card of each rank can be played now (R55)."""
    fitting: npt.NDArray[np.bool_] = playable(plays.public[:, COUNT, None], VALUES)
    return fitting


def points(plays: Plays, ranks: Ints = RANKS[None, :]) -> Bytes:
    """(plays, ranks): what each rank would peg now, where it fits (R59, R68–R75).

    ranks: (1 or plays, ranks), by default all thirteen.
    """
    public = plays.public
    size = public[:, END] - public[:, START]
    now = public[:, COUNT, None].astype(np.int8) + COUNTING[ranks]
    pegged: Bytes = 2 * ((now == 15) | (now == LIMIT)).astype(np.int8)
    begun = np.flatnonzero(size)
    if len(begun):
        # Only another card of the last one's rank makes a pair.
        last, alike = _last_alike(plays, size)
        ranks = np.broadcast_to(ranks, pegged.shape)
        pegged += (ranks == last[:, None]) * (alike * (alike + 1))[:, None]
        pegged += _runs(plays, size, ranks)
    return pegged


def _last_alike(plays: Plays, size: Ints) -> tuple[Bytes, Bytes]:
    """(plays,) each: the rank played last in this count, -1 for none, and how many of it were played in a
    row."""
    public, pile = plays
    each = np.arange(len(public))
    last = np.where(size > 0, pile[each, public[:, END] - 1], -1).astype(np.int8)
    alike = (size > 0).astype(np.int8)
    for back in range(2, 5):
        rows = np.flatnonzero((alike == back - 1) & (size >= back))
        alike[rows] += pile[rows, public[rows, END] - back] == last[rows]
    return last, alike


def _runs(plays: Plays, size: Ints, ranks: Ints) -> Bytes:
    """(plays, ranks): points for runs."""
    public, pile = plays
    run = np.zeros(ranks.shape, np.int8)
    rows = np.flatnonzero(size >= 2)
    bits = BITS[pile[rows, public[rows, END] - 1]]
    for back in range(2, int(size.max()) + 1):
        bit = BITS[pile[rows, public[rows, END] - back]]
        # A rank among the last cards twice leaves too few for a run of them all.
        on = bits & bit == 0
        rows, bits = rows[on], bits[on] | bit[on]
        # Only ranks that lie together can be made a run of by one card.
        near = np.flatnonzero(SPREAD[bits] <= back)
        made = CONSECUTIVE[bits[near, None] | BITS[ranks[rows[near]]]] == back + 1
        run[rows[near]] = np.where(made, back + 1, run[rows[near]])
        longer = size[rows] > back
        rows, bits = rows[longer], bits[longer]
    return run


def play_rank(plays: Plays, rows: Ints, ranks: Ints) -> Plays:
    """The plays after the side on turn in each of `rows` has played a rank that fits (R53–R66)."""
    public, pile = of(plays, rows)
    each = np.arange(len(rows))
    pile[each, public[:, END]] = ranks
    public[each, SEEN + ranks] += 1
    public[each, HELD + public[:, TURN]] -= 1
    public[:, CODE] = public[:, CODE] * 15 + ranks + 1
    public[:, LEAD] = np.where(public[:, PLAYED] == 0, ranks, public[:, LEAD])
    public[:, REPLY] = np.where(public[:, PLAYED] == 1, ranks, public[:, REPLY])
    public[:, PLAYED] += 1
    write_turn(
        public.T,
        after_card(2, turn_of(public.T), VALUES[ranks], holding(public[:, HELD], public[:, HELD + 1])),
    )
    return Plays(public, pile)


def go(plays: Plays, rows: Ints) -> Plays:
    """The plays after a go in each of `rows`: the count is 0 where that ended it, a point to who played last
    (R57–R59)."""
    public, pile = of(plays, rows)
    each, low = np.arange(len(rows)), LOWS + public[:, TURN]
    public[:, CODE] = public[:, CODE] * 15 + 14
    public[each, low] = np.maximum(public[each, low], LIMIT - public[:, COUNT])
    write_turn(public.T, after_go(2, turn_of(public.T), holding(public[:, HELD], public[:, HELD + 1])))
    return Plays(public, pile)


def _end_counts(public: Ints, ended: npt.NDArray[np.bool_]) -> None:
    public[ended, COUNT] = 0
    public[ended, GONE] = 0
    public[ended, START] = public[ended, END]


def play_singles(plays: Plays, side: int, cards: Ints, scores: Ints, target: int) -> Ints:
    """(plays, 2): scores after a rank on each side is played out, or -1 for none, until one is at `target`.

    cards, scores: (plays, 2), those of `side` first; both are used up. target: 0 for none.
    """
    public, pile = plays
    on = np.arange(len(scores))
    while len(on):
        who = (public[on, TURN] != side).astype(np.int64)
        card = cards[on, who]
        fitting = (card >= 0) & playable(public[on, COUNT], VALUES[card])
        at, to, rank = on[fitting], who[fitting], card[fitting]
        scores[at, to] += points(of(plays, at), rank[:, None])[:, 0]
        cards[at, to] = -1
        public[at], pile[at] = play_rank(plays, at, rank)
        at = on[~fitting]
        public[at], pile[at] = go(plays, at)
        ended = at[public[at, COUNT] == 0]
        scores[ended, (public[ended, LAST] != side).astype(np.int64)] += 1
        won = (target > 0) & (scores[on] >= target).any(axis=1)
        played = (cards[on] < 0).all(axis=1)
        last = on[~won & played & (public[on, COUNT] > 0)]
        scores[last, (public[last, LAST] != side).astype(np.int64)] += 1
        on = on[~won & ~played]
    return scores


class Alone(NamedTuple):
    """How a side best plays on, the other being out of cards; of each play."""

    points: Ints
    """(plays,) of the side alone, last cards included."""
    needs_go: Ints
    """(plays,) 1 where no card fits at first, so that the other side has the last card of this count."""


def play_alone(plays: Plays, cards: Ints) -> Alone:
    """The most points from ascending cards (plays, 1 to 3) against an empty hand that played last (C6)."""
    needs_go = (plays.public[:, COUNT] > 0) & ~playable(plays.public[:, COUNT], VALUES[cards[:, 0]])
    public, pile = plays.public.copy(), plays.pile.copy()
    _end_counts(public, needs_go)
    best = np.full(len(public), -1)
    for order in permutations(range(cards.shape[1])):
        best = np.maximum(best, _in_order(Plays(public.copy(), pile.copy()), cards[:, order]))
    return Alone(best, needs_go.astype(np.int64))


def _in_order(plays: Plays, cards: Ints) -> Ints:
    """Points of cards played alone in this order, or -1 where a go would lie; the plays are used up."""
    public, pile = plays
    each = np.arange(len(public))
    pegged, misplaced = np.zeros(len(public), np.int64), np.zeros(len(public), np.bool_)
    for place in range(cards.shape[1]):
        over = ~playable(public[:, COUNT], VALUES[cards[:, place]])
        misplaced |= over & playable(public[:, COUNT, None], VALUES[cards[:, place + 1 :]]).any(axis=1)
        pegged += over
        _end_counts(public, over)
        pegged += points(plays, cards[:, place, None])[:, 0]
        pile[each, public[:, END]] = cards[:, place]
        public[:, END] += 1
        public[:, COUNT] += VALUES[cards[:, place]]
        _end_counts(public, public[:, COUNT] == LIMIT)
    return np.where(misplaced, -1, pegged + (public[:, COUNT] > 0))
