"""Many public plays of two players at once, as arrays: `fast.play` without its kernels.

Each row of `public` and `pile` is one play of `fast.play`. For Python without numba: an array of ten thousand
plays takes little longer than one play takes in a loop.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.layout import VALUES
from fifteentwo.fast.play import (
    CODE,
    COUNT,
    END,
    HELD,
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
"""(13,) counting value of each rank."""
RANKS: Ints = np.arange(13)
"""(13,) all ranks."""
BITS: npt.NDArray[np.int16] = (1 << np.arange(13)).astype(np.int16)
"""(13,) the bit of each rank."""


def _consecutive_lengths() -> npt.NDArray[np.int8]:
    lengths = np.zeros(1 << 13, np.int8)
    for low in range(13):
        for length in range(1, 14 - low):
            lengths[((1 << length) - 1) << low] = length
    return lengths


CONSECUTIVE = _consecutive_lengths()
"""(8192,) number of ranks of a set, given as bits, if they are consecutive, otherwise 0."""
SPREAD = np.array(
    [max(bits.bit_length() - 1, 0) - ((bits & -bits).bit_length() - 1) for bits in range(1 << 13)]
)
"""(8192,) distance from the lowest to the highest rank of a set, given as bits."""


class Plays(NamedTuple):
    """Public states of pegging, one a row."""

    public: Ints
    """(plays, WIDTH) state in the layout of `fast.play`."""
    pile: Ints
    """(plays, 16) ranks of the cards played."""


def of(plays: Plays, rows: Ints) -> Plays:
    """Return the plays with the indices `rows`, in their order."""
    return Plays(plays.public[rows], plays.pile[rows])


def fits(plays: Plays) -> npt.NDArray[np.bool_]:
    """Return (plays, 13) whether a card of each rank fits on the count (R55)."""
    fitting: npt.NDArray[np.bool_] = playable(plays.public[:, COUNT, None], VALUES)
    return fitting


def points(plays: Plays, ranks: Ints = RANKS[None, :]) -> Bytes:
    """Return (plays, ranks) points in pegging if each of `ranks` is played now and fits (R59, R68–R75)."""
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
    """Return (plays,) the rank played last in this count, -1 if none, and how many of it in a row."""
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
    """Return copies of the plays `rows` after the side on turn plays a rank that fits (R53–R66)."""
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
    """Return copies of the plays `rows` after a go; the count is 0 if the go ended it (R57–R59)."""
    public, pile = of(plays, rows)
    each, low = np.arange(len(rows)), LOWS + public[:, TURN]
    public[:, CODE] = public[:, CODE] * 15 + 14
    public[each, low] = np.maximum(public[each, low], LIMIT - public[:, COUNT])
    write_turn(public.T, after_go(2, turn_of(public.T), holding(public[:, HELD], public[:, HELD + 1])))
    return Plays(public, pile)
