"""What the ways of a responder bring, counted on common deals, and the choice among them at every board."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifteentwo.analysis.win import AS_GOOD
from fifteentwo.fast.deal import (
    DEALER,
    PONE,
    Options,
    Played,
    Singles,
    Tally,
    add,
    best_discards,
    empty_tally,
    play_deals,
)
from fifteentwo.fast.deal_kernels import HAND, KIND, MOST_EVENTS, POINTS_AT
from fifteentwo.fast.layout import Cards
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.solver.board.deal_counts import strategies
from fifteentwo.solver.board.induction import Cell, Deals, diagonals
from fifteentwo.solver.whole_game.policy import DECIDED, Policy
from fifteentwo.solver.whole_game.responder import Aim, Way
from fifteentwo.strategy.board import TARGET

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Events = NDArray[np.int16]

SHOWS = np.array([3, 5, 7, 9, 11, 13, 17])
"""Where the bins of the own hand's points begin, but for the first."""
BINS = len(SHOWS) + 1
EVEN = 200
"""So many deals of all bins together count in the choice for one."""
CHOSEN_ON = 0.75
"""The part of the deals on which ways are chosen; the others value the choice, so that luck is in neither."""
SURE = 0.996
"""At boards with more net games than this the responder plays by the policy."""
USUAL = -1
"""The aim of who plays by the policy."""


class Dealt(NamedTuple):
    """Deals and their luck."""

    cards: Cards
    options: Options
    """What both sides discard by a policy."""
    luck: Singles
    """(n, 8)."""

    def taken(self, rows: Ints) -> "Dealt":
        """Return these of the deals."""
        return Dealt(self.cards[rows], self.options[rows], self.luck[rows])


def deal(policy: Policy, cells: NDArray[np.int16], chance: np.random.Generator) -> Dealt:
    """Deal at boards of these cells (n,), both sides discarding by a policy."""
    cards = random_deals(len(cells), 13, chance)
    options = strategies().discard(cards, chance)
    policy.discard(cards, cells, options)
    return Dealt(cards, options, chance.random((len(cards), 8), np.float32))


def discarded(dealt: Dealt, aim: Aim, side: int) -> Dealt:
    """The same deals, one side discarding by an aim."""
    if aim.values is None:
        return dealt
    options = dealt.options.copy()
    best_discards(dealt.cards, aim.values, side, options, 2 * AS_GOOD)
    return dealt._replace(options=options)


def pegged(dealt: Dealt, way: Way) -> Played:
    """Play the deals out."""
    return play_deals(dealt.cards, way.policies, dealt.luck, way.start, dealt.options)


def pegged_by(policy: Policy, dealt: Dealt, cells: NDArray[np.int16]) -> Events:
    """Return the events of deals at boards of these cells (n,), both sides playing by the policy."""
    books = policy.pegging[cells]
    events = np.zeros((len(cells), MOST_EVENTS), np.int16)
    for number in np.unique(books).tolist():
        rows = np.flatnonzero(books == number)
        way = Way(policy.policies(int(cells[rows[0]])))
        events[rows] = pegged(dealt.taken(rows), way).events
    return events


def own_show(events: Events, side: int) -> Ints:
    """(n,) the bin of a side's hand, which it knows before pegging: its cards and the starter."""
    events = events.astype(np.int64)
    hands = ((events >> KIND & 7) == HAND) & ((events & 1) == side)
    points = np.where(hands, events >> POINTS_AT & 63, 0).sum(axis=1)
    return np.asarray(np.searchsorted(SHOWS, points, side="right"))


@dataclass(frozen=True)
class Trial:
    """What an aim brings over deals, of which some decide how to peg and others say what that brings."""

    ways: int
    parts: tuple[Deals, Deals]
    """To choose on, to value by: sets by way, then by bin of the own show, each as often as its bin comes."""
    usual: Deals
    """Both parts played by the policy."""
    number: int
    """Deals to choose on."""

    def best(self, cell: Cell, behind: Floats, side: int) -> int:
        """Return the best way, if it is used for every own show."""
        sign = 1 if side == DEALER else -1
        made = sign * value(self.parts[0], cell, behind).reshape(self.ways, BINS).sum(axis=1)
        return int(made.argmax())

    def gains(self, cell: Cell, behind: Floats, side: int) -> tuple[float, float, NDArray[np.int8]]:
        """Net games a side gains over the policy: as chosen on, as valued by; its best way for each bin.

        behind: (121, 121) net games of the dealer after the deal.
        """
        sign = 1 if side == DEALER else -1
        usual = sign * value(self.usual, cell, behind)
        chosen, valued = (sign * value(one, cell, behind).reshape(self.ways, BINS) for one in self.parts)
        best = (chosen + EVEN / self.number * chosen.sum(axis=1, keepdims=True)).argmax(axis=0)
        first, second = (float(made[best, np.arange(BINS)].sum()) for made in (chosen, valued))
        return first - float(usual[0]), second - float(usual[1]), best.astype(np.int8)


def value(deals: Deals, cell: Cell, behind: Floats) -> Floats:
    """(sets,) net games of the dealer at a board, `behind` after the deal."""
    net = np.broadcast_to(behind, (len(deals.ended), 1, TARGET, TARGET))
    return deals.value(cell, net, np.ones((1, TARGET)))[:, 0]


def parts(number: int) -> tuple[slice, slice]:
    """Which of so many deals are to choose on, and which to value by."""
    cut = int(number * CHOSEN_ON)
    return slice(0, cut), slice(cut, number)


def usual_play(policy: Policy, cell: int, dealt: Dealt) -> Deals:
    """Count the deals played by the policy at a cell's boards, both parts apart."""
    played = pegged(dealt, Way(policy.policies(cell)))
    return Deals([_tally(played, part) for part in parts(len(dealt.cards))])


def tallied(policy: Policy, cell: int, dealt: Dealt) -> Tally:
    """Count the deals played by the policy at a cell's boards."""
    return _tally(pegged(dealt, Way(policy.policies(cell))), slice(None))


def trial(aim: Aim, side: int, dealt: Dealt, usual: Deals) -> Trial:
    """Play deals by all ways of an aim; `usual`: the same deals as `usual_play` counts them."""
    own = discarded(dealt, aim, side)
    tallies: tuple[list[Tally], list[Tally]] = ([], [])
    both = parts(len(dealt.cards))
    for way in aim.ways:
        played = pegged(own, way)
        bins = own_show(played.events, side)
        for counted, part in zip(tallies, both, strict=True):
            rows = np.arange(part.start, part.stop)
            counted.extend(_tally(played, rows[bins[part] == one]) for one in range(BINS))
    choose, judge = (
        Deals(counted, part.stop - part.start) for counted, part in zip(tallies, both, strict=True)
    )
    return Trial(len(aim.ways), (choose, judge), usual, both[0].stop)


def _tally(played: Played, rows: slice | Ints) -> Tally:
    """Count some of the deals."""
    tally = empty_tally()
    add(tally, Played(played.events[rows], played.kept[rows], played.ranks[rows], played.options[rows]))
    return tally


class Plan(NamedTuple):
    """What a responder does at every board, [pone or dealer, dealer's score, pone's score]."""

    net: Floats
    """(2, 121, 121) net games of the dealer."""
    usual: Floats
    """The same where the responder plays this deal by the policy."""
    aim: NDArray[np.int16]
    """(2, 121, 121) number of the aim, or USUAL."""
    way: NDArray[np.int8]
    """(2, 121, 121, BINS) the way to peg, by the own show."""


Tried = tuple[Sequence[Trial], Sequence[Trial]]
"""Trials of the pone's aims and of the dealer's."""


def plan(policy: Policy, tried: Sequence[Tried], usual: Sequence[Deals]) -> Plan:
    """Choose at every board, from 120–120 backwards.

    tried: by cell. usual: the policy's deals by cell, and last those of boards that are decided.
    """
    found = Plan(
        np.zeros((2, TARGET, TARGET)),
        np.zeros((2, TARGET, TARGET)),
        np.full((2, TARGET, TARGET), USUAL, np.int16),
        np.zeros((2, TARGET, TARGET, BINS), np.int8),
    )
    for cells in diagonals():
        for at in cells:
            number = int(policy.of[at])
            for side in (PONE, DEALER):
                # The responder's next deal is from the other side.
                behind = found.net[1 - side]
                value_here = float(value(usual[number], at, behind)[0])
                found.usual[side][at] = value_here
                best, gained = 0.0, 0.0
                if number != DECIDED and abs(value_here) < SURE:
                    for aim, one in enumerate(tried[number][side]):
                        hoped, gain, way = one.gains(at, behind, side)
                        if hoped > best:
                            best, gained = hoped, gain
                            found.aim[side][at], found.way[side][at] = aim, way
                found.net[side][at] = value_here + (gained if side == DEALER else -gained)
    return found
