"""Loops of plays imagined to their end, for any form: hands the others may hold, and how they go on.

Ranks are 0 (ace) to 12 (king); hands are (seats, 13) numbers of cards. Everybody plays as a club player
reckons: points, less what the next to play can be expected to peg on it, and the point for last card. Cards
already laid tell of hands through the same reckoning.
"""

from math import exp
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel, part
from fifteentwo.fast.play import card_points, value_of
from fifteentwo.fast.random_games_loops import below, drawn

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

HEAT = 0.35
"""Points that make a card 2.7 times as likely to be laid."""
MISTRUST = 0.1
"""Part of every card's chance that owes nothing to the reckoning."""
DEEPEST = 28
"""Room for every card of a count, and a reply."""
MOST_PEGGED = 64
"""More than one card can peg."""
SELDOM = 0.01
"""Chances below this are not followed."""
SEAT, RANK, MARK = range(3)
"""Places of an act."""
BEGINS, SETTLED = 1, 2
"""Marks of an act: a count begins; what its seat holds is no question. 3 is both."""
GO = -1
"""In place of a rank."""


class Scoring(NamedTuple):
    """What a form makes of the play."""

    one_count: bool
    """Whether the play ends with its first count."""
    sides: int
    share: float
    """What a point to one opponent costs."""


class Table(NamedTuple):
    """A play under way, used up as it is played on."""

    hands: Ints
    """(seats, 13) cards by rank."""
    held: Ints
    """(seats,) how many cards."""
    gone: Ints
    """(seats,) 1 where a seat has said go in this count."""
    left: Ints
    """(13,) cards of each rank that nobody has laid."""
    laid: Ints
    """Ranks of this count, and room."""
    pegged: Ints
    """(seats,) points."""
    by_points: Ints
    """(64,) room, all 0: cards that would peg so many."""
    used: Ints
    """(13,) room."""
    values: Floats
    """(13,) what a card of each rank is worth to the seat asked last."""


class Draw(NamedTuple):
    """From what, and how, hands of the others are drawn."""

    pool: Ints
    """Unseen ranks, highest first."""
    order: Ints
    """The other seats, those whose cards must be highest first."""
    fits: Ints
    """How many of the pool each of them may hold."""
    held: Ints
    """(seats,) cards each holds."""
    done: Ints
    """(seats, 13) cards each has laid, the own hand as it was kept."""
    left: Ints
    """(13,) cards of each rank in sight of nobody before the play."""
    cribs: Ints
    """(seats,) 1 where the crib is the seat's own side's."""
    ratios: Floats
    """(2, 13 ** kept) by how much each hand is likelier to be kept than dealt, by `cribs`."""
    acts: Ints
    """(n, 3) what was laid: seat, rank, mark."""


class Now(NamedTuple):
    """Where the play stands that is played on from."""

    seat: int
    laid: Ints
    total: int
    """The running count."""
    held: Ints
    gone: Ints
    left: Ints


def empty_table(seats: int) -> Table:
    """Room for a play."""
    return Table(
        np.zeros((seats, 13), np.int64),
        np.zeros(seats, np.int64),
        np.zeros(seats, np.int64),
        np.zeros(13, np.int64),
        np.zeros(DEEPEST, np.int64),
        np.zeros(seats, np.int64),
        np.zeros(MOST_PEGGED, np.int64),
        np.zeros(13, np.int64),
        np.zeros(13),
    )


@part
def going_on(table: Table, seat: int, length: int, count: int) -> int:
    """Points of going on alone in this count, last card included: always the card that pegs most now."""
    laid, used, hand = table.laid, table.used, table.hands[seat]
    total, end = 0, length
    for rank in range(13):
        used[rank] = 0
    while count < 31:
        best, chosen = -1, -1
        for rank in range(12, -1, -1):
            if hand[rank] > used[rank] and count + value_of(rank) <= 31:
                laid[end] = rank
                points = card_points(laid, 0, end + 1, count + value_of(rank))
                if points > best:
                    best, chosen = points, rank
        if chosen < 0:
            return total + 1
        laid[end] = chosen
        used[chosen] += 1
        count += value_of(chosen)
        end += 1
        total += best
    return total


@part
def best_reply(table: Table, seat: int, length: int, count: int, replies: int) -> tuple[float, float]:
    """Mean points of the best reply from so many unseen cards to laid[:length], and the chance of none."""
    laid, by_points, hand = table.laid, table.by_points, table.hands[seat]
    number, most = 0, 0
    for rank in range(13):
        cards = table.left[rank] - hand[rank]
        if cards <= 0:
            continue
        number += cards
        if count + value_of(rank) <= 31:
            laid[length] = rank
            points = card_points(laid, 0, length + 1, count + value_of(rank))
            by_points[points] += cards
            most = max(most, points)
    silent, without, mean = 1.0, number, 0.0
    for points in range(most, -1, -1):
        if by_points[points] == 0:
            continue
        without -= by_points[points]
        by_points[points] = 0
        none = 1.0
        for card in range(replies):
            if number > card:
                none *= max(without - card, 0) / (number - card)
        mean += points * (silent - none)
        silent = none
    return mean, silent


@part
def reckon(table: Table, seat: int, length: int, count: int, replies: int, sign: float) -> int:
    """The card a club player lays, GO for none, with the value of every rank that fits in table.values.

    replies: cards the next to play holds, 0 where nobody else can play. sign: what its points count.
    """
    laid, hand, values = table.laid, table.hands[seat], table.values
    best = GO
    for rank in range(12, -1, -1):
        after = count + value_of(rank)
        if hand[rank] == 0 or after > 31:
            continue
        laid[length] = rank
        value = float(card_points(laid, 0, length + 1, after))
        if after < 31:
            mean, silent = 0.0, 1.0
            if replies > 0:
                mean, silent = best_reply(table, seat, length + 1, after, replies)
            value += sign * mean
            if silent > SELDOM:
                hand[rank] -= 1
                laid[length] = rank
                value += silent * going_on(table, seat, length + 1, after)
                hand[rank] += 1
        values[rank] = value
        if best < 0 or value > values[best]:
            best = rank
    return best


@kernel
def ask(scoring: Scoring, table: Table, seat: int, length: int, count: int) -> int:
    """The card a seat lays by the reckoning; GO for a go."""
    seats = len(table.held)
    replies, sign = 0, 0.0
    for place in range(1, seats):
        other = (seat + place) % seats
        if table.held[other] > 0 and table.gone[other] == 0:
            replies = table.held[other]
            sign = 1.0 if other % scoring.sides == seat % scoring.sides else -scoring.share
            break
    return reckon(table, seat, length, count, replies, sign)


@part
def next_holding(table: Table, last: int) -> int:
    """The next seat that holds a card, -1 where none does."""
    seats = len(table.held)
    for place in range(1, seats + 1):
        seat = (last + place) % seats
        if table.held[seat] > 0:
            return seat
    return -1


@kernel
def play_on(scoring: Scoring, table: Table, seat: int, length: int, count: int, rank: int) -> None:
    """Add what each seat pegs if this one lays `rank` (GO: by the reckoning) and all go on (R53–R66)."""
    seats = len(table.held)
    if rank == GO:
        rank = ask(scoring, table, seat, length, count)
    while True:
        table.hands[seat, rank] -= 1
        table.held[seat] -= 1
        table.left[rank] -= 1
        count += value_of(rank)
        table.laid[length] = rank
        length += 1
        table.pegged[seat] += card_points(table.laid, 0, length, count)
        last, rank = seat, GO
        if count < 31:
            for place in range(1, seats + 1):
                seat = (last + place) % seats
                if table.gone[seat] == 1 or table.held[seat] == 0:
                    continue
                rank = ask(scoring, table, seat, length, count)
                if rank != GO:
                    break
                table.gone[seat] = 1
            if rank != GO:
                continue
            table.pegged[last] += 1
        seat = next_holding(table, last)
        if scoring.one_count or seat < 0:
            return
        length, count = 0, 0
        for other in range(seats):
            table.gone[other] = 0
        rank = ask(scoring, table, seat, length, count)


@part
def likelihood(own: int, scoring: Scoring, acts: Ints, table: Table) -> float:
    """How likely what was laid is from these hands as they were kept; uses them up."""
    seats = len(table.held)
    weight = 1.0
    length, count, last = 0, 0, 0
    for row in range(len(acts)):
        seat, rank, mark = acts[row, SEAT], acts[row, RANK], acts[row, MARK]
        if mark & BEGINS:
            length, count = 0, 0
            for other in range(seats):
                table.gone[other] = 0
        else:
            other = (last + 1) % seats
            while other != seat:
                table.gone[other] = 1
                other = (other + 1) % seats
        if seat != own and mark & SETTLED == 0:
            best = ask(scoring, table, seat, length, count)
            weight *= chance_of(table, seat, count, rank, best)
        table.hands[seat, rank] -= 1
        table.held[seat] -= 1
        table.left[rank] -= 1
        table.laid[length] = rank
        length += 1
        count += value_of(rank)
        last = seat
    return weight


@part
def chance_of(table: Table, seat: int, count: int, rank: int, best: int) -> float:
    """How likely a seat lays this rank of those that fit, by table.values; 1 where it has no choice."""
    values = table.values
    total, fitting = 0.0, 0
    for other in range(13):
        if table.hands[seat, other] > 0 and count + value_of(other) <= 31:
            total += exp((values[other] - values[best]) / HEAT)
            fitting += 1
    if fitting < 2:
        return 1.0
    chance = exp((values[rank] - values[best]) / HEAT) / total
    return (1 - MISTRUST) * chance + MISTRUST / fitting


@part
def draw_hands(luck: int, draw: Draw, rest: Ints, hands: Ints, table: Table) -> tuple[int, float]:
    """Draw one set of hands (seats, 13); the state of chance, and how much likelier it is kept than dealt.

    rest: room for the pool. table.hands: with what each has laid.
    """
    weight = 1.0
    length, taken = len(draw.pool), 0
    for place in range(length):
        rest[place] = draw.pool[place]
    for place in range(len(draw.order)):
        seat = draw.order[place]
        fitting = draw.fits[place] - taken
        for _ in range(draw.held[seat]):
            luck = drawn(luck)
            at = below(luck, fitting)
            rank = rest[at]
            for other in range(at, length - 1):
                rest[other] = rest[other + 1]
            length -= 1
            fitting -= 1
            taken += 1
            hands[seat, rank] += 1
            table.hands[seat, rank] += 1
        code = 0
        for rank in range(13):
            for _ in range(table.hands[seat, rank]):
                code = code * 13 + rank
        weight *= draw.ratios[draw.cribs[seat], code]
    return luck, weight


@part
def lay_out(table: Table, hands: Ints, held: Ints, left: Ints) -> None:
    """Begin a play with these hands (seats, 13): nobody has said go, nothing is laid or pegged."""
    for seat in range(len(table.held)):
        for rank in range(13):
            table.hands[seat, rank] = hands[seat, rank]
        table.held[seat] = held[seat]
        table.gone[seat] = 0
        table.pegged[seat] = 0
    for rank in range(13):
        table.left[rank] = left[rank]


@kernel
def imagine(
    luck: int,
    own: int,
    scoring: Scoring,
    draw: Draw,
    table: Table,
    rest: Ints,
    hands: Ints,
    weights: Floats,
) -> int:
    """Fill `hands` (number, seats, 13) with cards the others may hold, and how likely each set is.

    rest: room for the pool. Returns the state of chance.
    """
    for number in range(len(hands)):
        lay_out(table, draw.done, draw.held, draw.left)
        luck, weight = draw_hands(luck, draw, rest, hands[number], table)
        if len(draw.acts) > 0:
            for seat in range(len(draw.held)):
                table.held[seat] = 0
                for rank in range(13):
                    table.held[seat] += table.hands[seat, rank]
            weight *= likelihood(own, scoring, draw.acts, table)
        weights[number] = weight
    return luck


@part
def net(scoring: Scoring, pegged: Ints, seat: int) -> float:
    """Points of a seat's side, those of others shared out."""
    points = 0.0
    for other in range(len(pegged)):
        same = other % scoring.sides == seat % scoring.sides
        points += pegged[other] if same else -scoring.share * pegged[other]
    return points


@kernel
def card_values(
    scoring: Scoring, now: Now, ranks: Ints, imagined: Ints, table: Table, values: Floats
) -> None:
    """values[number, at]: points to come, others shared out, if the seat lays ranks[at] among those hands."""
    for number in range(len(imagined)):
        for at in range(len(ranks)):
            lay_out(table, imagined[number], now.held, now.left)
            for seat in range(len(now.gone)):
                table.gone[seat] = now.gone[seat]
            for place in range(len(now.laid)):
                table.laid[place] = now.laid[place]
            play_on(scoring, table, now.seat, len(now.laid), now.total, ranks[at])
            values[number, at] = net(scoring, table.pegged, now.seat)


@kernel
def play_values(scoring: Scoring, first: int, now: Now, imagined: Ints, table: Table, values: Floats) -> None:
    """values[number]: what the whole play, begun by `first`, is worth to now.seat with those hands."""
    for number in range(len(imagined)):
        lay_out(table, imagined[number], now.held, now.left)
        play_on(scoring, table, first, 0, 0, GO)
        values[number] = net(scoring, table.pegged, now.seat)
