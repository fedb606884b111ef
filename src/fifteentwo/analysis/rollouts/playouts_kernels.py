"""Kernels of rollouts of pegging, for any variant: possible hands of the others, and play to the end.

Ranks are 0 (ace) to 12 (king); hands are (seats, 13) numbers of cards. Every seat plays like a club player:
points, less the expected reply of the next seat, plus the point for last card. The same values give the
probability of the cards already played.
"""

from math import exp
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast import club
from fifteentwo.fast.club import GO, Scratch, reckon
from fifteentwo.fast.compiled import kernel, part
from fifteentwo.fast.noise import UNSOLVED_EPSILON
from fifteentwo.fast.play import Turn, after_card, after_go, card_points, next_seat, playable, value_of
from fifteentwo.fast.random_games_kernels import below, drawn

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

HEAT = 0.35
"""Points that make a card e times as likely to be played. Chosen, not measured."""
DEEPEST = 32
"""More cards than a deal and a reply have."""
SEAT, RANK, MARK = range(3)
"""Indexes of an act."""
BEGINS, SETTLED = 1, 2
"""Marks of an act, as bits: a count begins; the seat's cards are known."""


class Scoring(NamedTuple):
    """How a variant scores pegging."""

    one_count: bool
    """Whether pegging ends with its first count."""
    sides: int
    weight: float
    """Cost of a point to one opponent."""


class Table(NamedTuple):
    """A play under way, changed in place. Arrays, or lists if the kernels are not compiled."""

    hands: Any
    """(seats, 13) cards by rank."""
    held: Any
    """(seats,) number of cards."""
    left: Any
    """(13,) unplayed cards of each rank."""
    pile: Any
    """Ranks played, with room for more."""
    pegged: Any
    """(sides,) points."""
    needs: Any
    """(sides,) points with which each side wins."""
    unseen: Any
    """(13,) cards of each rank that the last asked seat has not seen."""
    scratch: Scratch


class Draw(NamedTuple):
    """Description of the possible hands of the others."""

    pool: Ints
    """Unseen ranks, highest first."""
    order: Ints
    """The other seats; seats whose cards must be high come first."""
    fits: Ints
    """Number of cards of the pool that each of them may hold."""
    held: Ints
    """(seats,) number of cards held."""
    done: Ints
    """(seats, 13) cards played by each seat; for the own seat the kept hand."""
    left: Ints
    """(13,) cards of each rank that nobody had seen before pegging."""
    cribs: Ints
    """(seats,) 1 if the crib is the seat's own side's."""
    ratios: Floats
    """(2, 13 ** kept) factors by which each hand is more likely kept than dealt, by `cribs`."""
    acts: Ints
    """(n, 3) cards played: seat, rank, mark."""


class Now(NamedTuple):
    """The position from which play continues."""

    seat: int
    played: Ints
    total: int
    """The running count."""
    held: Ints
    gone: int
    """Seats that have said go in this count, as bits."""
    left: Ints


def empty_table(seats: int, needs: Ints) -> Table:
    """Return an empty table; needs: (sides,) points with which each side wins."""
    return Table(
        np.zeros((seats, 13), np.int64),
        np.zeros(seats, np.int64),
        np.zeros(13, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(len(needs), np.int64),
        needs,
        np.zeros(13, np.int64),
        club.empty_scratch(),
    )


def in_lists(table: Table) -> Table:
    """Return the table as lists, from which Python reads numbers faster than from arrays."""
    scratch = Scratch._make(one.tolist() for one in table.scratch)
    return Table._make([*(one.tolist() for one in table[:-1]), scratch])


@part
def holding(table: Table) -> int:
    """Return the seats that hold cards, as bits."""
    bits = 0
    for seat in range(len(table.held)):
        if table.held[seat] > 0:
            bits |= 1 << seat
    return bits


@kernel
def ask(scoring: Scoring, table: Table, now: Turn) -> int:
    """Return the card that a club player on turn plays; GO for a go."""
    seats, seat = len(table.held), now.seat
    other = next_seat(seats, holding(table) & ~now.gone, seat)
    replies, sign = 0, 0.0
    if other != seat:
        replies = table.held[other]
        sign = 1.0 if other % scoring.sides == seat % scoring.sides else -scoring.weight
    for rank in range(13):
        table.unseen[rank] = table.left[rank] - table.hands[seat][rank]
    return reckon(now, table.pile, table.hands[seat], table.unseen, replies, sign, table.scratch)


@part
def play(table: Table, now: Turn, rank: int) -> Turn:
    """Play a card of the seat on turn, and return the next turn."""
    table.hands[now.seat][rank] -= 1
    table.held[now.seat] -= 1
    table.left[rank] -= 1
    table.pile[now.end] = rank
    return after_card(len(table.held), now, value_of(rank), holding(table))


@part
def peg(table: Table, seat: int, points: int) -> bool:
    """Add points to a seat's side, and return whether it has won."""
    side = seat % len(table.pegged)
    table.pegged[side] += points
    return bool(table.pegged[side] >= table.needs[side])


@kernel
def play_on(scoring: Scoring, table: Table, now: Turn, rank: int) -> None:
    """Play `rank` (GO: a chosen card), then to the end (R53–R66), adding the points of each side.

    A win ends play (R14).
    """
    if rank == GO:
        rank = ask(scoring, table, now)
    while rank != GO or holding(table) > 0:
        if rank == GO:
            now = after_go(len(table.held), now, holding(table))
            if now.total == 0 and peg(table, now.last, 1):
                return
        else:
            seat, count = now.seat, now.total + value_of(rank)
            start, end = now.start, now.end + 1
            now = play(table, now, rank)
            if peg(table, seat, card_points(table.pile, start, end, count)):
                return
        if scoring.one_count and now.total == 0:
            return
        rank = ask(scoring, table, now)
    if now.total > 0:
        peg(table, now.last, 1)


@part
def likelihood(own: int, scoring: Scoring, acts: Ints, table: Table) -> float:
    """Return the probability of the cards played from these kept hands, which are changed."""
    weight = 1.0
    now = Turn(int(acts[0, SEAT]), 0, 0, 0, 0, 0)
    for row in range(len(acts)):
        seat, rank, mark = int(acts[row, SEAT]), int(acts[row, RANK]), int(acts[row, MARK])
        while now.seat != seat or (mark & BEGINS and now.total > 0):
            now = after_go(len(table.held), now, holding(table))
        if seat != own and mark & SETTLED == 0:
            best = ask(scoring, table, now)
            weight *= chance_of(table, seat, now.total, rank, best)
        now = play(table, now, rank)
    return weight


@part
def chance_of(table: Table, seat: int, count: int, rank: int, best: int) -> float:
    """Return the probability that a seat plays this rank of those that fit, by their values."""
    values = table.scratch.values
    total, fitting = 0.0, 0
    for other in range(13):
        if table.hands[seat][other] > 0 and playable(count, value_of(other)):
            total += exp((values[other] - values[best]) / HEAT)
            fitting += 1
    if fitting < 2:
        return 1.0
    chance = exp((values[rank] - values[best]) / HEAT) / total
    return (1 - UNSOLVED_EPSILON) * chance + UNSOLVED_EPSILON / fitting


@part
def draw_hands(luck: int, draw: Draw, rest: Ints, hands: Ints, table: Table) -> tuple[int, float]:
    """Draw one set of hands (seats, 13).

    Return the random state, and the factor by which the set is more likely kept.

    rest: room for the pool. table.hands: contains the cards played.
    """
    weight = 1.0
    length, taken = len(draw.pool), 0
    for place in range(length):
        rest[place] = draw.pool[place]
    for place in range(len(draw.order)):
        seat = int(draw.order[place])
        fitting = int(draw.fits[place]) - taken
        for _ in range(draw.held[seat]):
            luck = drawn(luck)
            at = below(luck, fitting)
            rank = int(rest[at])
            for other in range(at, length - 1):
                rest[other] = rest[other + 1]
            length -= 1
            fitting -= 1
            taken += 1
            hands[seat, rank] += 1
            table.hands[seat][rank] += 1
        code = 0
        for rank in range(13):
            for _ in range(table.hands[seat][rank]):
                code = code * 13 + rank
        weight *= draw.ratios[draw.cribs[seat], code]
    return luck, weight


@part
def lay_out(table: Table, hands: Ints, held: Ints, left: Ints) -> None:
    """Begin a play with these hands (seats, 13)."""
    for seat in range(len(table.held)):
        for rank in range(13):
            table.hands[seat][rank] = int(hands[seat, rank])
        table.held[seat] = int(held[seat])
    for side in range(len(table.pegged)):
        table.pegged[side] = 0
    for rank in range(13):
        table.left[rank] = int(left[rank])


@kernel
def sample(
    luck: int,
    own: int,
    scoring: Scoring,
    draw: Draw,
    table: Table,
    rest: Ints,
    hands: Ints,
    weights: Floats,
) -> int:
    """Fill `hands` (number, seats, 13) with possible hands and their probabilities; return the random state.

    rest: room for the pool.
    """
    for number in range(len(hands)):
        lay_out(table, draw.done, draw.held, draw.left)
        luck, weight = draw_hands(luck, draw, rest, hands[number], table)
        if len(draw.acts) > 0:
            for seat in range(len(draw.held)):
                table.held[seat] = 0
                for rank in range(13):
                    table.held[seat] += table.hands[seat][rank]
            weight *= likelihood(own, scoring, draw.acts, table)
        weights[number] = weight
    return luck


@kernel
def pegged_by_card(
    scoring: Scoring, now: Now, ranks: Ints, sampled: Ints, table: Table, pegged: Ints
) -> None:
    """Write to pegged[number, at, side] what each side pegs if the seat plays ranks[at] with those hands."""
    for number in range(len(sampled)):
        for at in range(len(ranks)):
            lay_out(table, sampled[number], now.held, now.left)
            for place in range(len(now.played)):
                table.pile[place] = int(now.played[place])
            turn = Turn(now.seat, now.total, 0, len(now.played), now.gone, now.seat)
            play_on(scoring, table, turn, int(ranks[at]))
            for side in range(len(table.pegged)):
                pegged[number, at, side] = table.pegged[side]
