"""The end of the game on the board: both sides lay away and play for the chance of winning, not for points.

Where a side is in reach of the game hole, each board gets deals of its own. The same cards are played twice:
by the solved strategies (whose value at this board all counted deals tell) and for chances; the difference is
what winning play adds. A side that goes for chances

* lays away for the chance of winning over its 46 starters, the crib and the play as they are on average, the
  kept hand's own pegging by its slope;
* plays by the solved book, or for chances one reply and its own answer deep, the rest of the play as on
  average.

Which side does what at which board was found by trial (`board.ways_at`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.book.board import OTHER, OWN, TARGET, after_play_chances
from fifteentwo.book.files import data_file, read_tables
from fifteentwo.book.laying_away import FILE as LAYING_AWAY
from fifteentwo.book.means import averages
from fifteentwo.fast import hands
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.deal import (
    DEALER,
    LOOPS,
    PONE,
    Options,
    Played,
    Policies,
    by_points,
    play_deals,
)
from fifteentwo.fast.deal_choices import BOOK, CHANCE, LEAST_SHIFT, SHIFTS
from fifteentwo.fast.deal_loops import CARD, CRIB, HAND, HEELS, LAST_CARD
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.solver.deal_counts import strategies

Floats = NDArray[np.float64]
Cell = tuple[int, int]
"""(dealer's score, pone's)."""

MOVED = np.arange(SHIFTS) + LEAST_SHIFT
"""How far the crib may be from its mean, in whole points."""
ENOUGH = 400_000
"""Deals that tell chances of points well enough for choosing by them."""
WAYS = ((False, False), (True, False), (False, True), (True, True))
"""What a side may do for chances: (lay away, play)."""


class Solved(NamedTuple):
    """The strategies that ship, ready to be dealt to."""

    policies: Policies
    pegs: Floats
    """(2, 1820) own points of the play by kept hand, less their mean."""
    gives: Floats
    """(2, 1820) the other side's."""
    shifts: Floats
    """(2, 13, 13) how far two cards move the crib from its mean."""
    lay_away: Callable[[Cards, np.random.Generator], Options]
    """What both sides lay away of deals."""


def solved() -> Solved:
    """Read the tables that ship; raises DamagedTable. About a second."""
    stored = read_tables(data_file(LAYING_AWAY)).arrays
    packed = strategies()
    copies = np.stack([np.bincount(four, minlength=13) for four in hands.FOURS]).astype(np.float64)
    keeps = np.stack([stored["pone_keeps"], stored["dealer_keeps"]]).astype(np.float64)
    keeps /= keeps.sum(axis=1, keepdims=True)
    ranks = keeps[::-1] @ copies
    likely = ranks / ranks.mean(axis=1, keepdims=True)
    pegs, gives = (
        np.stack([stored[f"{side}_{what}"] for side in ("pone", "dealer")]).astype(np.float64)
        for what in ("pegs", "gives")
    )
    cribs = averages()
    return Solved(
        by_points(np.zeros((2, 13, 13)), likely=likely, book=packed.book),
        pegs - (pegs * keeps).sum(axis=1, keepdims=True),
        gives - (gives * keeps).sum(axis=1, keepdims=True),
        np.stack([cribs.opponents, cribs.own]),
        packed.lay_away,
    )


class Spread(NamedTuple):
    """Chances of points in a deal, under the solved strategies."""

    rest: Floats
    """(9, x, y): after so many cards laid, [dealer's, pone's] points of the play to come (0: with heels)."""
    hands: Floats
    """(2, 30) pone's and dealer's hand."""
    crib: Floats
    """(30,)."""
    dealer_show: Floats
    """(60,) dealer's hand and crib together."""


def spread(played: Played) -> Spread:
    """Count the points of many deals."""
    events = played.events.astype(np.int64)
    kind, side, points, laid = events >> 1 & 7, events & 1, events >> 4 & 63, events >> 10

    def of(which: int, kinds: Sequence[int], after: int = 0) -> NDArray[np.int64]:
        counted = (side == which) & np.isin(kind, kinds) & (laid >= after)
        made: NDArray[np.int64] = (points * counted).sum(axis=1)
        return made

    hand, crib = (HAND,), (CRIB,)
    before = (HEELS, CARD, LAST_CARD)
    rest = np.zeros((9, 40, 32))
    for after in range(9):
        # A last card's point after so many cards laid is still to come when they have been.
        dealers, pones = of(DEALER, before, after + (after > 0)), of(PONE, before, after + (after > 0))
        np.add.at(rest[after], (np.minimum(dealers, 39), np.minimum(pones, 31)), 1.0)
    deals = len(events)

    def chances(made: NDArray[np.int64], size: int) -> Floats:
        shares: Floats = np.bincount(made, minlength=size) / deals
        return shares

    return Spread(
        rest / deals,
        np.stack([chances(of(PONE, hand), 30), chances(of(DEALER, hand), 30)]),
        chances(of(DEALER, crib), 30),
        chances(of(DEALER, hand) + of(DEALER, crib), 60),
    )


def during_play(after: Floats, points: Spread) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Chances with the rest of the play to come, (2, 9, 160, 128), and of pegging out in it, (2, 9, 122).

    The first leaves out that the side itself may peg out; the second tells that.
    """
    chances = np.zeros((2, 9, OWN, OTHER))
    out = np.zeros((2, 9, TARGET + 1))
    for side in (PONE, DEALER):
        for laid in range(9):
            joint = points.rest[laid] if side == DEALER else points.rest[laid].T
            own = joint.sum(axis=1)
            out[side, laid, : len(own)] = own[::-1].cumsum()[::-1]
            for gain, other in np.argwhere(joint > 2e-4):
                part = chances[side, laid]
                moved = after[side, gain:, other:TARGET]
                part[: OWN - gain, : TARGET - other] += joint[gain, other] * moved
                part[OWN - gain :, : TARGET - other] += joint[gain, other] * after[side, -1:, other:TARGET]
            chances[side, laid] /= joint[joint > 2e-4].sum()
    out[:, :, 0] = 1.0
    return chances.astype(np.float32), out.astype(np.float32)


def before_play(after: Floats, points: Spread, cell: Cell) -> Floats:
    """Chances by own hand and shift of the crib, the play still to come: (2, 30, SHIFTS)."""
    dealer, pone = cell
    play = points.rest[0]
    x, y = np.argwhere(play > 1e-5).max(axis=0) + 1
    play = play[:x, :y] / play[:x, :y].sum()
    dealers, pones = dealer + np.arange(x), pone + np.arange(y)
    dealer_out, pone_out = dealers[:, None] >= TARGET, pones[None, :] >= TARGET
    # Who was first where both peg out is not known here: evens.
    won = float((play * np.where(dealer_out & pone_out, 0.5, dealer_out)).sum())
    going = play * ~(dealer_out | pone_out)
    shows = np.arange(30)
    theirs = np.clip(dealers[:, None] + MOVED, 0, OTHER - 1)
    own = np.minimum(pones[:, None] + shows, OWN - 1)
    pone_part = np.einsum(
        "xy,yhxk->hk", going, after[PONE][own[:, :, None, None], theirs[None, None]], optimize=True
    )
    own = np.clip(dealers[:, None, None] + shows[:, None] + MOVED, 0, OWN - 1)
    dealer_part = np.einsum(
        "xy,xhky->hk", going, after[DEALER][own[..., None], np.minimum(pones, OTHER - 1)], optimize=True
    )
    return np.stack([1 - won - going.sum() + pone_part, won + dealer_part])


@dataclass(frozen=True)
class Aims:
    """What a side that goes for chances looks at, the boards behind known."""

    after: Floats
    """(2, 160, 128) chances when the play is over."""
    chances: NDArray[np.float32]
    """(2, 9, 160, 128), and"""
    pegs_out: NDArray[np.float32]
    """(2, 9, 122), as `during_play` makes them."""

    @classmethod
    def at(cls, win: Floats, points: Spread) -> "Aims":
        """From the dealer's win chances (121, 121); about 0.1 s."""
        after = after_play_chances(win, points.hands[PONE], points.crib, points.dealer_show)
        return cls(after, *during_play(after, points))

    def policies(self, known: Solved, points: Spread, cell: Cell) -> Policies:
        """Both sides aim at winning from this board."""
        by_show = before_play(self.after, points, cell)
        scores = cell[::-1]
        mean = float(points.crib @ np.arange(30))
        sides = []
        for side, policy in ((PONE, known.policies.pone), (DEALER, known.policies.dealer)):
            own, other = scores[side], scores[1 - side]
            now, more, less = (
                self._chance(side, own + step, other + given, points.hands[side])
                for step, given in ((0, 0), (1, 0), (0, 1))
            )
            aiming = policy._replace(
                lay_aim=CHANCE,
                chances=self.chances[side],
                pegs_out=self.pegs_out[side],
                crib_shift=known.shifts[side] - mean,
                by_show=by_show[side],
                keep_worth=(more - now) * known.pegs[side] + (less - now) * known.gives[side],
            )
            sides.append(aiming)
        return Policies(sides[PONE], sides[DEALER], known.policies.book)

    def _chance(self, side: int, own: int, other: int, hand: Floats) -> float:
        """Chance of a side at the start of the play, its hand yet unknown."""
        if own >= TARGET:
            return 1.0
        if other >= TARGET:
            return 0.0
        pegged = float(self.pegs_out[side, 0, TARGET - own])
        return pegged + (1 - pegged) * float(hand @ self.chances[side, 0, own : own + 30, other])


@dataclass(frozen=True)
class Pool:
    """Deals played by the solved strategies, to be played again for chances."""

    dealt: Cards
    played: Played
    points: Spread

    @classmethod
    def of(cls, known: Solved, deals: int, seed: np.random.SeedSequence) -> "Pool":
        """Deal and play: about 15 µs a deal."""
        chance = np.random.default_rng(seed)
        dealt = random_deals(deals, 13, chance)
        played = play_deals(dealt, known.policies, chance, options=known.lay_away(dealt, chance))
        return cls(dealt, played, spread(some_of(played, 0, ENOUGH)))

    def part(self, begin: int, end: int) -> "Pool":
        """Some of the deals; what they tell of points stays that of all."""
        return Pool(self.dealt[begin:end], some_of(self.played, begin, end), self.points)


def some_of(played: Played, begin: int, end: int) -> Played:
    """Views of some of the deals."""
    part = slice(begin, end)
    return Played(played.events[part], played.kept[part], played.laid[part], played.options[part])


def replayed(
    cell: Cell, ways: tuple[int, int], aiming: Policies, net: Floats, pays: Floats, pool: Pool, seed: int
) -> tuple[Floats, Floats]:
    """Net games of the dealer by ways of pone and dealer (numbers in WAYS), and by the solved strategies.

    Each (n, payoffs), deal by deal, on the cards of the pool.
    """
    options = pool.played.options.copy()
    sides = []
    for side, policy in ((PONE, aiming.pone), (DEALER, aiming.dealer)):
        lays, plays = WAYS[ways[side]]
        if lays:
            options[:, side] = -1
        sides.append(policy._replace(play_aim=CHANCE if plays else BOOK))
    again = play_deals(
        pool.dealt, Policies(sides[PONE], sides[DEALER], aiming.book), seed, cell[::-1], options
    )
    made, before = (np.zeros((len(options), len(net))) for _ in range(2))
    compiled(LOOPS).outcomes(again.events, *cell, net, pays, made)
    compiled(LOOPS).outcomes(pool.played.events, *cell, net, pays, before)
    return made, before
