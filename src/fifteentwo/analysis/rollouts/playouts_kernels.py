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

TEMPERATURE = 0.35
"""Points more that make a card e (2.7) times as likely to be played. Chosen, not measured."""
PILE_SIZE = 32
"""Length of the pile: more cards than a deal and a reply have."""
SEAT, RANK, MARK = range(3)
"""Columns of a row that describes a card played."""
BEGINS, SETTLED = 1, 2
"""Bits of MARK: the card begins a count; the seat has no cards left, so that its hand is known."""


class Scoring(NamedTuple):
    """What pegging depends on in a variant."""

    one_count: bool
    """Whether pegging ends with its first count."""
    sides: int
    opponent_weight: float
    """Weight of an opponent's point against an own point: 1 / number of opposing sides."""


class Table(NamedTuple):
    """Pegging that is simulated, changed in place. Arrays, or lists if the kernels are not compiled."""

    hands: Any
    """(seats, 13) number of cards of each rank in each hand."""
    held: Any
    """(seats,) number of cards in each hand."""
    left: Any
    """(13,) number of cards of each rank that have not been played or turned."""
    pile: Any
    """(PILE_SIZE,) ranks played; the current count begins at `Turn.start`."""
    pegged: Any
    """(sides,) points pegged in this simulation."""
    needs: Any
    """(sides,) points with which each side wins."""
    unseen: Any
    """(13,) number of cards of each rank that the seat now choosing has not seen."""
    scratch: Scratch
    """Work memory of `fast.club.reckon`."""


class Draw(NamedTuple):
    """What a View tells about the hands of the other seats, from which they are drawn at random."""

    pool: Ints
    """Ranks of the unseen cards, highest first."""
    order: Ints
    """The other seats in the order of drawing: seats whose cards must be high come first."""
    fits: Ints
    """Number of cards at the front of `pool` that each seat in `order` may hold."""
    held: Ints
    """(seats,) number of cards that each seat holds."""
    played: Ints
    """(seats, 13) cards of each rank that each seat has played; for the own seat those it kept."""
    left: Ints
    """(13,) cards of each rank that could be in hands before pegging: all but the starter."""
    has_crib: Ints
    """(seats,) 1 if the seat's side has the crib, otherwise 0."""
    ratios: Floats
    """(2, 13 ** kept) factors from `kept_ratios`; the row is `has_crib`."""
    acts: Ints
    """(n, 3) cards played so far: SEAT, RANK, MARK."""


class Now(NamedTuple):
    """The position from which pegging is simulated."""

    seat: int
    """Seat on turn."""
    played: Ints
    """Ranks played in this count, in order."""
    total: int
    """The running count."""
    held: Ints
    """(seats,) number of cards in each hand."""
    gone: int
    """Seats that have said go in this count, as bits."""
    left: Ints
    """(13,) number of cards of each rank that have not been played or turned."""


def empty_table(seats: int, needs: Ints) -> Table:
    """Return a table without cards. needs: (sides,) points with which each side wins."""
    return Table(
        np.zeros((seats, 13), np.int64),
        np.zeros(seats, np.int64),
        np.zeros(13, np.int64),
        np.zeros(PILE_SIZE, np.int64),
        np.zeros(len(needs), np.int64),
        needs,
        np.zeros(13, np.int64),
        club.empty_scratch(),
    )


def in_lists(table: Table) -> Table:
    """Return a table of lists instead of arrays, because Python reads numbers faster from lists."""
    scratch = Scratch._make(one.tolist() for one in table.scratch)
    return Table._make([*(one.tolist() for one in table[:-1]), scratch])


@part
def holding(table: Table) -> int:
    """Return which seats hold cards, as bits."""
    bits = 0
    for seat in range(len(table.held)):
        if table.held[seat] > 0:
            bits |= 1 << seat
    return bits


@kernel
def choose_card(scoring: Scoring, table: Table, now: Turn) -> int:
    """Return the rank that a club player plays, or GO; write all ranks' values to `table.scratch.values`."""
    seats, seat = len(table.held), now.seat
    other = next_seat(seats, holding(table) & ~now.gone, seat)
    replies, sign = 0, 0.0
    if other != seat:
        replies = table.held[other]
        sign = 1.0 if other % scoring.sides == seat % scoring.sides else -scoring.opponent_weight
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
    """Add pegging points to a seat's side, and return whether the side has won."""
    side = seat % len(table.pegged)
    table.pegged[side] += points
    return bool(table.pegged[side] >= table.needs[side])


@kernel
def play_to_end(scoring: Scoring, table: Table, now: Turn, rank: int) -> None:
    """Play `rank` (GO: a chosen card), then simulate club players to the end of pegging or to a win."""
    if rank == GO:
        rank = choose_card(scoring, table, now)
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
        rank = choose_card(scoring, table, now)
    if now.total > 0:
        peg(table, now.last, 1)


@part
def likelihood(own: int, scoring: Scoring, acts: Ints, table: Table) -> float:
    """Return the probability of the other seats' cards in `acts`, if they kept the hands in `table`."""
    weight = 1.0
    now = Turn(int(acts[0, SEAT]), 0, 0, 0, 0, 0)
    for row in range(len(acts)):
        seat, rank, mark = int(acts[row, SEAT]), int(acts[row, RANK]), int(acts[row, MARK])
        while now.seat != seat or (mark & BEGINS and now.total > 0):
            now = after_go(len(table.held), now, holding(table))
        if seat != own and mark & SETTLED == 0:
            best = choose_card(scoring, table, now)
            weight *= chance_of(table, seat, now.total, rank, best)
        now = play(table, now, rank)
    return weight


@part
def chance_of(table: Table, seat: int, count: int, rank: int, best: int) -> float:
    """Return the probability that a seat plays this rank; best: the rank of highest value in `scratch`."""
    values = table.scratch.values
    total, fitting = 0.0, 0
    for other in range(13):
        if table.hands[seat][other] > 0 and playable(count, value_of(other)):
            total += exp((values[other] - values[best]) / TEMPERATURE)
            fitting += 1
    if fitting < 2:
        return 1.0
    chance = exp((values[rank] - values[best]) / TEMPERATURE) / total
    return (1 - UNSOLVED_EPSILON) * chance + UNSOLVED_EPSILON / fitting


@part
def draw_hands(luck: int, draw: Draw, rest: Ints, hands: Ints, table: Table) -> tuple[int, float]:
    """Draw the cards that the other seats hold, and add them to `hands` (seats, 13) and `table.hands`.

    Return the random state, and the factor by which all hands are more likely to be kept than dealt.
    luck: the random state before; rest: work memory of the pool's length.
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
        weight *= draw.ratios[draw.has_crib[seat], code]
    return luck, weight


@part
def reset_table(table: Table, hands: Ints, held: Ints, left: Ints) -> None:
    """Prepare a table for a new simulation. hands: (seats, 13); held, left: as in `Table`."""
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
    luck: int, own: int, scoring: Scoring, draw: Draw, table: Table, rest: Ints, hands: Ints, weights: Floats
) -> int:
    """Write n possible hands and their probabilities to `hands` and `weights`; return the random state.

    luck: the random state before; own: the own seat; hands: (n, seats, 13); rest: work memory of the pool's
    length.
    """
    for number in range(len(hands)):
        reset_table(table, draw.played, draw.held, draw.left)
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
    """Write to `pegged` (n, cards, sides) the points of each side, by deal in `sampled` and card tried."""
    for number in range(len(sampled)):
        for at in range(len(ranks)):
            reset_table(table, sampled[number], now.held, now.left)
            for place in range(len(now.played)):
                table.pile[place] = int(now.played[place])
            turn = Turn(now.seat, now.total, 0, len(now.played), now.gone, now.seat)
            play_to_end(scoring, table, turn, int(ranks[at]))
            for side in range(len(table.pegged)):
                pegged[number, at, side] = table.pegged[side]
