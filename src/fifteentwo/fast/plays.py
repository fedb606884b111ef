"""Many public plays of two players at once, as arrays: `fast.play` without its kernels.

Each row of `public` and `pile` is one play of `fast.play`. For Python without numba: an array of ten thousand
plays takes little longer than one play takes in a loop.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.hands import SIZES, hands, without
from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import (
    CODE,
    COUNT,
    END,
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
    WIDTH,
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
    """Return (8192,) numbers of ranks of a set, as bits, if they are consecutive, otherwise 0."""
    lengths = np.zeros(1 << 13, np.int8)
    for low in range(13):
        for length in range(1, 14 - low):
            lengths[((1 << length) - 1) << low] = length
    return lengths


CONSECUTIVE = _consecutive()
SPREAD = np.array(
    [max(bits.bit_length() - 1, 0) - ((bits & -bits).bit_length() - 1) for bits in range(1 << 13)]
)
"""(8192,) distance from the lowest to the highest rank of a set, as bits."""


class Plays(NamedTuple):
    """Public plays."""

    public: Ints
    """(plays, WIDTH)."""
    pile: Ints
    """(plays, 16) ranks played."""


def of(plays: Plays, rows: Ints) -> Plays:
    """Return some plays, in the order of `rows`."""
    return Plays(plays.public[rows], plays.pile[rows])


def fits(plays: Plays) -> npt.NDArray[np.bool_]:
    """Return (plays, 13) whether a card of each rank can be played now (R55)."""
    fitting: npt.NDArray[np.bool_] = playable(plays.public[:, COUNT, None], VALUES)
    return fitting


def points(plays: Plays, ranks: Ints = RANKS[None, :]) -> Bytes:
    """Return (plays, ranks) points that each rank would peg now, if it fits (R59, R68–R75).

    ranks: (1 or plays, ranks), by default all thirteen.
    """
    public = plays.public
    size = public[:, END] - public[:, START]
    now = public[:, COUNT, None].astype(np.int8) + COUNTING[ranks]
    pegged: Bytes = 2 * ((now == 15) | (now == LIMIT)).astype(np.int8)
    begun = np.flatnonzero(size)
    if len(begun):
        # Only a card of the last rank makes a pair.
        last, alike = _last_alike(plays, size)
        ranks = np.broadcast_to(ranks, pegged.shape)
        pegged += (ranks == last[:, None]) * (alike * (alike + 1))[:, None]
        pegged += _runs(plays, size, ranks)
    return pegged


def _last_alike(plays: Plays, size: Ints) -> tuple[Bytes, Bytes]:
    """Return (plays,) each: the rank played last in this count, and how many of it were played in a row.

    The rank is -1 if none was played.
    """
    public, pile = plays
    each = np.arange(len(public))
    last = np.where(size > 0, pile[each, public[:, END] - 1], -1).astype(np.int8)
    alike = (size > 0).astype(np.int8)
    for back in range(2, 5):
        rows = np.flatnonzero((alike == back - 1) & (size >= back))
        alike[rows] += pile[rows, public[rows, END] - back] == last[rows]
    return last, alike


def _runs(plays: Plays, size: Ints, ranks: Ints) -> Bytes:
    """Return (plays, ranks) points for runs."""
    public, pile = plays
    run = np.zeros(ranks.shape, np.int8)
    rows = np.flatnonzero(size >= 2)
    bits = BITS[pile[rows, public[rows, END] - 1]]
    for back in range(2, int(size.max()) + 1):
        bit = BITS[pile[rows, public[rows, END] - back]]
        # Two equal ranks among the last cards exclude a run of all of them.
        on = bits & bit == 0
        rows, bits = rows[on], bits[on] | bit[on]
        # One card completes a run only if the other ranks are close together.
        near = np.flatnonzero(SPREAD[bits] <= back)
        made = CONSECUTIVE[bits[near, None] | BITS[ranks[rows[near]]]] == back + 1
        run[rows[near]] = np.where(made, back + 1, run[rows[near]])
        longer = size[rows] > back
        rows, bits = rows[longer], bits[longer]
    return run


def play_rank(plays: Plays, rows: Ints, ranks: Ints) -> Plays:
    """Return the plays after the side on turn in each of `rows` plays a rank that fits (R53–R66)."""
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
    """Return the plays after a go in each of `rows` (R57–R59).

    The count is 0 if the go ended it; then the side that played last scores a point.
    """
    public, pile = of(plays, rows)
    each, low = np.arange(len(rows)), LOWS + public[:, TURN]
    public[:, CODE] = public[:, CODE] * 15 + 14
    public[each, low] = np.maximum(public[each, low], LIMIT - public[:, COUNT])
    write_turn(public.T, after_go(2, turn_of(public.T), holding(public[:, HELD], public[:, HELD + 1])))
    return Plays(public, pile)


class Singles(NamedTuple):
    """Points if each side holds one card, so that all play is forced."""

    mover: Bytes
    """(plays, 13, 13) points of the side on turn, by its rank and the other's."""
    other: Bytes
    first: npt.NDArray[np.bool_]
    """(plays, 13) whether the side on turn pegs before the other, because its rank fits."""


def singles(plays: Plays) -> Singles:
    """Play out a rank on each side (R53–R75); the rank of a side that has said go does not fit."""
    public = plays.public
    fitting, pegs = fits(plays), points(plays)
    mover, other = (np.empty((len(public), 13, 13), np.int8) for _ in range(2))
    rows, ranks = np.nonzero(fitting)
    after = play_rank(plays, rows, ranks)
    can = fits(after)
    mover[rows, ranks] = pegs[rows, ranks, None] + ~can
    other[rows, ranks] = np.where(can, points(after) + _last_card(after), 1)
    rows, ranks = np.nonzero(~fitting)
    can = fitting[rows]
    last = (public[rows, LAST] == public[rows, TURN])[:, None]
    # No card fits: a point for last card, then two more cards, of which the second pegs.
    pegged = 2 + _fresh_pairs()[ranks]
    mover[rows, ranks] = np.where(can, 1, np.where(last, pegged, 0))
    other[rows, ranks] = np.where(can, (pegs + _last_card(plays))[rows], np.where(last, 0, pegged))
    return Singles(mover, other, fitting)


def _last_card(plays: Plays) -> Bytes:
    """Return (plays, 13) points for last card with each rank; 0 at 31, which scores by itself."""
    pegged: Bytes = (plays.public[:, COUNT, None] + VALUES != LIMIT).astype(np.int8)
    return pegged


@cache
def _fresh_pairs() -> Bytes:
    """Return (13, 13) points of a second card on a first."""
    return points(play_rank(_begun(13), RANKS, RANKS))


def _begun(number: int) -> Plays:
    """Return plays at the beginning of a count, the pone on turn."""
    return Plays(np.zeros((number, WIDTH), np.int64), np.zeros((number, 16), np.int64))


class Alone(NamedTuple):
    """For each play, the best play of a side whose opponent has no cards."""

    points: Bytes
    """(plays, hands) points of that side, last cards included."""
    needs_go: Bytes
    """(plays, hands) 1 if no card fits at first, so that the other side has last card."""


def play_alone(plays: Plays, size: int) -> Alone:
    """Return the most points of each hand of one to three cards against an empty hand (C6)."""
    needs_go = _silent(plays, size).astype(np.int8)
    return Alone(_alone(plays, size) - needs_go, needs_go)


def _silent(plays: Plays, size: int) -> npt.NDArray[np.bool_]:
    """Return (plays, hands) whether no card of a hand fits."""
    lowest = VALUES[np.array(hands(size))[:, 0]]
    silent: npt.NDArray[np.bool_] = ~playable(plays.public[:, COUNT, None], lowest)
    return silent


def _alone(plays: Plays, size: int) -> Bytes:
    """Return (plays, hands) the most points of a side alone that played last."""
    if size == 0:
        return (plays.public[:, COUNT, None] > 0).astype(np.int8)
    fitting = fits(plays)
    rows, ranks = np.nonzero(fitting)
    best = np.full((len(fitting), SIZES[size]), -1, np.int8)
    by_rank = np.full((len(fitting), 13, SIZES[size - 1]), -1, np.int8)
    by_rank[rows, ranks] = points(plays)[rows, ranks, None] + _alone(play_rank(plays, rows, ranks), size - 1)
    held = np.array(hands(size))
    for card in range(size):
        rank = held[:, card]
        best = np.maximum(best, by_rank[:, rank, without(size)[np.arange(len(held)), rank]])
    return np.where(_silent(plays, size), 1 + _begins_alone(size), best) if not fitting.all() else best


@cache
def _begins_alone(size: int) -> Bytes:
    """Return (hands,) `_alone` at the beginning of a count."""
    best: Bytes = _alone(_begun(1), size)[0]
    return best
