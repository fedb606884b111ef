"""A fast rollout policy for two with six cards, and the value of deals played by it, many deals at once.

Both sides discard by averages and peg what points they see, and waver a little in both, so that many
rollouts of the same cards show what these cards usually make. Arrays alone: the same with and without numba.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis import win
from fifteentwo.fast import plays
from fifteentwo.fast.counting_out import after_show
from fifteentwo.fast.counting_out import pegged as scored
from fifteentwo.fast.discards import kept_sums, ways
from fifteentwo.fast.layout import JACK, VALUES, Cards
from fifteentwo.fast.play import COUNT, HELD, LAST, PLAYED, TURN, WIDTH, playable
from fifteentwo.fast.plays import Plays
from fifteentwo.fast.show import points
from fifteentwo.strategy.board import Payoff, pays
from fifteentwo.strategy.means import averages

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PONE, DEALER = 0, 1
WAYS = 15
WAVERING = 0.5
"""Points by which they misjudge: of a discard the standard deviation, of a card the most. Chosen."""
HEELS = 2

_DISCARDED, _KEPT = ways(6, 2)
_RISKY = np.isin(np.arange(42), (5, 21)).astype(np.int64)
"""By count: a point that leaving 5 or 21 to the other has to make good."""


class Hands(NamedTuple):
    """Deals whose cards are discarded."""

    kept: Cards
    """(n, 2, 4) by role, pone first, ascending."""
    crib: Cards
    """(n, 4)."""
    starters: Cards
    """(n,)."""


def discard(dealt: Cards, wavering: Floats) -> Hands:
    """Deals as both sides discard from them: for the mean hand and crib.

    dealt: (n, 13) pone's six cards, dealer's six, starter; wavering: (n, 2, 15) draws about 0, deviation 1.
    """
    sixes = np.sort(dealt[:, :12].reshape(-1, 2, 6), axis=2)
    kept, given = [], []
    each = np.arange(len(dealt))[:, None]
    for side, chart in ((PONE, -averages().opponents), (DEALER, averages().own)):
        six = sixes[:, side]
        discarded = six[:, _DISCARDED]
        low, high = (discarded[..., place].astype(np.int64) >> 2 for place in (0, 1))
        one_suit = (discarded[..., 0] ^ discarded[..., 1]) & 3 == 0
        net = kept_sums(six) / 46 + np.where(one_suit, chart[low, high], chart[high, low])
        way = (net + WAVERING * wavering[:, side]).argmax(axis=1)
        kept.append(six[each, _KEPT[way]])
        given.append(six[each, _DISCARDED[way]])
    return Hands(np.stack(kept, axis=1), np.concatenate(given, axis=1), dealt[:, 12])


def pegged(kept: Cards, wavering: Floats) -> Ints:
    """(n, moves) what the play makes, move by move: the dealer's points as they are, the pone's below 0.

    kept: (n, 2, 4); wavering: (n, 2, 4) draws from 0 to 1, how much they like each card. They take the points
    they see and leave no count of 5 or 21.
    """
    number = len(kept)
    ranks, held = (kept >> 2).astype(np.int64), np.ones(kept.shape, np.bool_)
    public = np.zeros((number, WIDTH), np.int64)
    public[:, HELD : HELD + 2] = 4
    public[:, LAST] = DEALER
    going, rows = Plays(public, np.zeros((number, 9), np.int64)), np.arange(number)
    moves = []
    while len(rows):
        turn, last = going.public[:, TURN], going.public[:, LAST]
        places = _chosen(going, ranks[rows, turn], held[rows, turn], WAVERING * wavering[rows, turn])
        playing, goes = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
        cards = ranks[rows[playing], turn[playing], places[playing]]
        held[rows[playing], turn[playing], places[playing]] = False
        made = plays.points(plays.of(going, playing), cards[:, None])[:, 0]
        played, gone = plays.play_rank(going, playing, cards), plays.go(going, goes)
        done = played.public[:, PLAYED] == 8
        move, ending = np.zeros((2, number), np.int64)
        move[rows[playing]] = _signed(turn[playing], made)
        move[rows[goes]] = _signed(last[goes], gone.public[:, COUNT] == 0)
        # The last card of all, unless it has made 31.
        ending[rows[playing]] = _signed(turn[playing], done & (played.public[:, COUNT] > 0))
        moves += [move, ending]
        rows = np.concatenate([rows[playing[~done]], rows[goes]])
        going = Plays(*(np.concatenate([one[~done], other]) for one, other in zip(played, gone, strict=True)))
    return np.stack(moves, axis=1)


def _signed(side: Ints, made: npt.NDArray[Any]) -> Ints:
    signed: Ints = np.where(side == DEALER, 1, -1) * made
    return signed


def _chosen(going: Plays, ranks: Ints, held: npt.NDArray[np.bool_], likes: Floats) -> Ints:
    """(n,) which of its four cards the side on turn plays; -1 for a go."""
    fits = held & playable(going.public[:, COUNT, None], VALUES[ranks])
    count = going.public[:, COUNT, None] + VALUES[ranks]
    seems = np.where(fits, plays.points(going, ranks) - _RISKY[count] + likes, -np.inf)
    return np.where(fits.any(axis=1), seems.argmax(axis=1), -1)


def shown(hands: Hands) -> Ints:
    """(n, 4) heels, the pone's hand, the dealer's, the crib."""
    heels = HEELS * (hands.starters >> 2 == JACK)
    made = [
        points(cards, hands.starters, crib=crib)
        for cards, crib in ((hands.kept[:, PONE], False), (hands.kept[:, DEALER], False), (hands.crib, True))
    ]
    return np.stack([heels, *made], axis=-1).astype(np.int64)


def dealer_chances(scores: Ints, pegs: Ints, shows: Ints, payoff: Payoff) -> Floats:
    """(n,) the dealer's chance of winning after these deals: heels, play, hands, crib, in this order (R78).

    scores: (n, 2) before the deal; pegs: (n, moves); shows: (n, 4).
    """
    target = len(pays(payoff, False))
    heels, pones, dealers, cribs = shows.T
    pone = scores[:, PONE]
    dealer = scored(scores[:, DEALER], pone, heels, target)
    for move in pegs.T:
        pone, dealer = (
            scored(pone, dealer, np.maximum(-move, 0), target),
            scored(dealer, pone, np.maximum(move, 0), target),
        )
    pone, dealer = after_show(pone, dealer, pones, dealers, cribs, target)
    chance: Floats = (1 + win.after_deal(payoff, True, False)[dealer, pone]) / 2
    return chance
