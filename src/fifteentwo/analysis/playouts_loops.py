"""Loops of plays imagined to their end, for any form: hands the others may hold, and how they go on.

Ranks are 0 (ace) to 12 (king); hands are (seats, 13) numbers of cards. Everybody plays as a club player
reckons: points, less what the next to play can be expected to peg on it, and the point for last card. Cards
already laid tell of hands through the same reckoning.
"""

from math import exp
from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import card_points, value_of
from fifteentwo.fast.random_games_loops import below, drawn

HEAT = 0.35
"""Points that make a card 2.7 times as likely to be laid."""
MISTRUST = 0.1
"""Part of every card's chance that owes nothing to the reckoning."""
DEEPEST = 28


@kernel
def alone(laid: Any, length: int, count: int, hand: Any) -> int:
    """Points of going on alone in this count, last card included: always the card that pegs most now."""
    total, end = 0, length
    used = np.zeros(13, np.int64)
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


@kernel
def reckon(
    laid: Any,
    length: int,
    count: int,
    hand: Any,
    left: Any,
    replies: int,
    sign: float,
    by_points: Any,
    worths: Any,
) -> int:
    """The card a club player lays, -1 for none, with the worth of every rank that fits.

    left: cards of each rank not laid open, the own hand included. replies: cards the next to play holds, 0
    where nobody else can play. sign: what its points count.
    """
    best = -1
    for rank in range(12, -1, -1):
        if hand[rank] == 0:
            continue
        after = count + value_of(rank)
        if after > 31:
            continue
        laid[length] = rank
        worth = float(card_points(laid, 0, length + 1, after))
        if after < 31:
            silent = 1.0
            if replies > 0:
                number, most = 0, 0
                for other in range(13):
                    cards = left[other] - hand[other]
                    if cards <= 0:
                        continue
                    number += cards
                    if after + value_of(other) <= 31:
                        laid[length + 1] = other
                        points = card_points(laid, 0, length + 2, after + value_of(other))
                        by_points[points] += cards
                        most = max(most, points)
                without, mean = number, 0.0
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
                worth += sign * mean
            if silent > 0.01:
                hand[rank] -= 1
                laid[length] = rank
                worth += silent * alone(laid, length + 1, after, hand)
                hand[rank] += 1
        worths[rank] = worth
        if best < 0 or worth > worths[best]:
            best = rank
    return best


@kernel
def ask(
    seat: int,
    sides: int,
    share: float,
    laid: Any,
    length: int,
    count: int,
    hands: Any,
    held: Any,
    gone: Any,
    left: Any,
    by_points: Any,
    worths: Any,
) -> int:
    """The card a seat lays by the reckoning; -1 for a go."""
    seats = len(held)
    replies, sign = 0, 0.0
    for place in range(1, seats):
        other = (seat + place) % seats
        if held[other] > 0 and gone[other] == 0:
            replies = held[other]
            sign = 1.0 if other % sides == seat % sides else -share
            break
    return reckon(laid, length, count, hands[seat], left, replies, sign, by_points, worths)


@kernel
def play_on(
    one_count: bool,
    sides: int,
    share: float,
    laid: Any,
    length: int,
    count: int,
    seat: int,
    rank: int,
    hands: Any,
    held: Any,
    gone: Any,
    left: Any,
    by_points: Any,
    worths: Any,
    pegged: Any,
) -> None:
    """Adds what each seat pegs if this one lays `rank` (-1: by the reckoning) and all go on; uses up its
    arrays."""
    seats = len(held)
    if rank < 0:
        rank = ask(seat, sides, share, laid, length, count, hands, held, gone, left, by_points, worths)
    while True:
        hands[seat, rank] -= 1
        held[seat] -= 1
        left[rank] -= 1
        count += value_of(rank)
        laid[length] = rank
        length += 1
        pegged[seat] += card_points(laid, 0, length, count)
        last, rank = seat, -1
        if count < 31:
            for place in range(1, seats + 1):
                seat = (last + place) % seats
                if gone[seat] == 1 or held[seat] == 0:
                    continue
                rank = ask(
                    seat, sides, share, laid, length, count, hands, held, gone, left, by_points, worths
                )
                if rank >= 0:
                    break
                gone[seat] = 1
            if rank >= 0:
                continue
            pegged[last] += 1
        if one_count:
            return
        length, count = 0, 0
        gone[:] = 0
        found = False
        for place in range(1, seats + 1):
            seat = (last + place) % seats
            if held[seat] > 0:
                found = True
                break
        if not found:
            return
        rank = ask(seat, sides, share, laid, length, count, hands, held, gone, left, by_points, worths)


@kernel
def likelihood(
    own: int,
    sides: int,
    share: float,
    acts: Any,
    hands: Any,
    held: Any,
    gone: Any,
    left: Any,
    laid: Any,
    by_points: Any,
    worths: Any,
) -> float:
    """How likely what was laid is from these hands as they were kept; uses up its arrays.

    acts: rows of seat, rank, and 1 where a count begins, 2 where the seat's hand is no question.
    """
    seats = len(held)
    weight = 1.0
    length, count, last = 0, 0, 0
    for row in range(len(acts)):
        seat, rank = acts[row, 0], acts[row, 1]
        if acts[row, 2] & 1:
            length, count = 0, 0
            gone[:] = 0
        else:
            other = (last + 1) % seats
            while other != seat:
                gone[other] = 1
                other = (other + 1) % seats
        if seat != own and acts[row, 2] & 2 == 0:
            best = ask(seat, sides, share, laid, length, count, hands, held, gone, left, by_points, worths)
            total, fitting = 0.0, 0
            for other in range(13):
                if hands[seat, other] > 0 and count + value_of(other) <= 31:
                    total += exp((worths[other] - worths[best]) / HEAT)
                    fitting += 1
            if fitting > 1:
                chance = exp((worths[rank] - worths[best]) / HEAT) / total
                weight *= (1 - MISTRUST) * chance + MISTRUST / fitting
        hands[seat, rank] -= 1
        held[seat] -= 1
        left[rank] -= 1
        laid[length] = rank
        length += 1
        count += value_of(rank)
        last = seat
    return weight


@kernel
def imagine(
    luck: int,
    own: int,
    sides: int,
    share: float,
    pool: Any,
    order: Any,
    fits: Any,
    held: Any,
    done: Any,
    acts: Any,
    left: Any,
    cribs: Any,
    ratios: Any,
    hands: Any,
    weights: Any,
) -> int:
    """Fills `hands` (number, seats, 13) with cards the others may hold, and how likely each set is.

    pool: unseen ranks, highest first. order: other seats, those whose cards must be highest first; fits: how
    many of the pool each may hold. done: (seats, 13) cards each has laid, the own hand as it was kept. left:
    cards of each rank in sight of nobody before the play. cribs: 1 for seats whose side's crib it is. ratios:
    (2, 13 ** kept) by how much each hand is likelier to be kept than dealt. Returns the state of chance.
    """
    seats = len(held)
    rest = np.zeros(len(pool), np.int64)
    by_points, worths = np.zeros(64, np.int64), np.zeros(13)
    laid = np.zeros(DEEPEST, np.int64)
    whole = np.zeros((seats, 13), np.int64)
    sizes, gone, still = np.zeros(seats, np.int64), np.zeros(seats, np.int64), np.zeros(13, np.int64)
    for number in range(len(hands)):
        rest[:] = pool
        length, taken = len(pool), 0
        whole[:] = done
        weight = 1.0
        for place in range(len(order)):
            seat = order[place]
            fitting = fits[place] - taken
            for _ in range(held[seat]):
                luck = drawn(luck)
                at = below(luck, fitting)
                rank = rest[at]
                for other in range(at, length - 1):
                    rest[other] = rest[other + 1]
                length -= 1
                fitting -= 1
                taken += 1
                hands[number, seat, rank] += 1
                whole[seat, rank] += 1
            code = 0
            for rank in range(13):
                for _ in range(whole[seat, rank]):
                    code = code * 13 + rank
            weight *= ratios[cribs[seat], code]
        if len(acts) > 0:
            for seat in range(seats):
                sizes[seat] = whole[seat].sum()
            still[:] = left
            weight *= likelihood(own, sides, share, acts, whole, sizes, gone, still, laid, by_points, worths)
        weights[number] = weight
    return luck


@kernel
def card_worths(
    one_count: bool,
    sides: int,
    share: float,
    laid_now: Any,
    count: int,
    seat: int,
    ranks: Any,
    imagined: Any,
    held_now: Any,
    gone_now: Any,
    left_now: Any,
    found: Any,
) -> None:
    """found[number, at]: points to come, others shared out, if `seat` lays ranks[at] among those hands."""
    seats = len(held_now)
    hands = np.zeros((seats, 13), np.int64)
    held, gone = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    left, pegged = np.zeros(13, np.int64), np.zeros(seats, np.int64)
    by_points, worths = np.zeros(64, np.int64), np.zeros(13)
    laid = np.zeros(DEEPEST, np.int64)
    for number in range(len(imagined)):
        for at in range(len(ranks)):
            hands[:] = imagined[number]
            held[:] = held_now
            gone[:] = gone_now
            left[:] = left_now
            laid[: len(laid_now)] = laid_now
            pegged[:] = 0
            play_on(
                one_count,
                sides,
                share,
                laid,
                len(laid_now),
                count,
                seat,
                ranks[at],
                hands,
                held,
                gone,
                left,
                by_points,
                worths,
                pegged,
            )
            worth = 0.0
            for other in range(seats):
                worth += pegged[other] if other % sides == seat % sides else -share * pegged[other]
            found[number, at] = worth


@kernel
def play_worths(
    one_count: bool,
    sides: int,
    share: float,
    first: int,
    seat: int,
    kept: int,
    imagined: Any,
    left_now: Any,
    found: Any,
) -> None:
    """found[number]: what the whole play, begun by `first`, is worth to `seat` with those hands."""
    seats = imagined.shape[1]
    hands = np.zeros((seats, 13), np.int64)
    held, gone = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    left, pegged = np.zeros(13, np.int64), np.zeros(seats, np.int64)
    by_points, worths = np.zeros(64, np.int64), np.zeros(13)
    laid = np.zeros(DEEPEST, np.int64)
    for number in range(len(imagined)):
        hands[:] = imagined[number]
        held[:] = kept
        gone[:] = 0
        left[:] = left_now
        pegged[:] = 0
        play_on(
            one_count,
            sides,
            share,
            laid,
            0,
            0,
            first,
            -1,
            hands,
            held,
            gone,
            left,
            by_points,
            worths,
            pegged,
        )
        for other in range(seats):
            found[number] += pegged[other] if other % sides == seat % sides else -share * pegged[other]
