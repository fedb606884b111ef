"""Loops that play whole deals of two players and six cards under given policies, and count what came.

Sides: 0 pone, 1 dealer. A card is 4 * rank + suit. An event is an int16: cards laid << 10 | points << 4 |
kind << 1 | side; kinds 0 heels, 1 card (pairs, runs, fifteen, thirty-one), 2 last card, 3 hand, 4 crib; cards
laid counts those of the play so far, and a row ends with 0.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.book_shares import book_share
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.deal_choices import BOOK, JACK, POINTS, TARGET, choose_card, lay_away
from fifteentwo.fast.play import card_points, value_of

MOST_EVENTS = 32
HEELS, CARD, LAST, HAND, CRIB = 0, 1, 2, 3, 4


@kernel
def show_points(a: int, b: int, c: int, d: int, starter: int, crib: int, five: Any) -> int:
    """Points of four cards with the starter (R80–R90)."""
    place = (((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)) * 13 + (d >> 2)
    points = int(five[place * 13 + (starter >> 2)])
    jack = 4 * JACK + (starter & 3)
    if a == jack or b == jack or c == jack or d == jack:
        points += 1
    suit = a & 3
    if (b & 3) == suit and (c & 3) == suit and (d & 3) == suit:
        if (starter & 3) == suit:
            points += 5
        elif crib == 0:
            points += 4
    return points


@kernel
def play(
    hands: Any,
    shows: Any,
    scores: Any,
    aims: Any,
    prices: Any,
    tables: Any,
    outs: Any,
    likely: Any,
    book: Any,
    draws: Any,
    starter: int,
    events: Any,
    size: int,
    laid: Any,
) -> int:
    """Play out two hands of four ranks; write events from events[size] on and what was laid; how many events.

    hands: (2, 4) ranks ascending, used up. shows: (2,) points of each hand. scores: (2,), raised.
    """
    held = np.full(2, 4, np.int64)
    weights = np.zeros(13, np.float64)
    points_of = np.zeros(13, np.int64)
    worth_by_rank = np.zeros(13, np.float64)
    seen = np.zeros(13, np.int64)
    lows = np.zeros(2, np.int64)
    here = np.zeros(6, np.int64)
    pile = np.zeros(16, np.int64)
    end = 0
    count = 0
    turn = 0
    gone = 0
    last = 1
    code = np.int64(0)
    laid_cards = 0
    while held[0] + held[1] > 0:
        other = 1 - turn
        hand = hands[turn]
        fitting = 0
        for i in range(held[turn]):
            if count + value_of(hand[i]) <= 31:
                fitting += 1
        if fitting == 0:
            code = code * 15 + 14
            lows[turn] = max(lows[turn], 31 - count)
            if gone == 1 or held[other] == 0:
                events[size] = laid_cards << 10 | 1 << 4 | LAST << 1 | last
                size += 1
                scores[last] += 1
                turn = 1 - last if held[1 - last] > 0 else last
                count = 0
                end = 0
                gone = 0
            else:
                turn = other
                gone = 1
            continue
        chosen = -1
        if fitting == 1:
            for i in range(held[turn]):
                if count + value_of(hand[i]) <= 31:
                    chosen = i
        elif aims[turn] == BOOK and held[other] > 0:
            here[0], here[1], here[2], here[3] = turn, count, code, lows[turn]
            total = 0.0
            for i in range(held[turn]):
                if count + value_of(hand[i]) <= 31 and (i == 0 or hand[i] != hand[i - 1]):
                    worth_by_rank[i] = book_share(book, here, hand, held[turn], i, seen)
                    total += worth_by_rank[i]
            drawn = draws[laid_cards] * total
            for i in range(held[turn]):
                if count + value_of(hand[i]) <= 31 and (i == 0 or hand[i] != hand[i - 1]):
                    if chosen < 0 or drawn > 0:
                        chosen = i
                    drawn -= worth_by_rank[i]
        else:
            for rank in range(13):
                left = 4 - seen[rank] - (1 if rank == starter else 0)
                for i in range(held[turn]):
                    if hand[i] == rank:
                        left -= 1
                weights[rank] = (
                    left * likely[turn, rank] if value_of(rank) > lows[other] and left > 0 else 0.0
                )
            chosen = choose_card(
                hand,
                held[turn],
                pile,
                end,
                count,
                held[other],
                gone,
                weights,
                scores[turn],
                scores[other],
                POINTS if aims[turn] == BOOK else aims[turn],
                prices[turn],
                tables[turn],
                outs[turn],
                shows[turn],
                laid_cards,
                points_of,
                worth_by_rank,
            )
        rank = hand[chosen]
        for i in range(chosen, held[turn] - 1):
            hand[i] = hand[i + 1]
        held[turn] -= 1
        seen[rank] += 1
        laid[laid_cards] = rank
        if laid_cards < 2:
            here[4 + laid_cards] = rank
        laid_cards += 1
        code = code * 15 + rank + 1
        pile[end] = rank
        end += 1
        count += value_of(rank)
        last = turn
        points = card_points(pile, 0, end, count)
        if points > 0:
            events[size] = laid_cards << 10 | points << 4 | CARD << 1 | turn
            size += 1
            scores[turn] += points
        if count == 31:
            count = 0
            end = 0
            gone = 0
            turn = other if held[other] > 0 else turn
        elif not ((gone == 1 or held[other] == 0) and held[turn] > 0):
            turn = other
    if count > 0:
        events[size] = laid_cards << 10 | 1 << 4 | LAST << 1 | last
        size += 1
        scores[last] += 1
    return size


@kernel
def play_deals(
    dealt: Any,
    draws: Any,
    start: Any,
    lay_aims: Any,
    aims: Any,
    prices: Any,
    tables: Any,
    outs: Any,
    likely: Any,
    book: Any,
    five: Any,
    fours: Any,
    charts: Any,
    keep_worth: Any,
    shifts: Any,
    by_show: Any,
    options: Any,
    events: Any,
    kept: Any,
    laid: Any,
) -> None:
    """Play n deals. dealt: (n, 13) pone's six, dealer's six, starter; start: (2,) scores before the deal.

    options: (n, 2) pairs laid away given beforehand as first * 6 + second, or -1. events: (n, MOST_EVENTS)
    int16, kept: (n, 2) int16 the four ranks kept, laid: (n, 8) uint8 ranks in order, all written.
    """
    six = np.zeros((2, 6), np.int64)
    fourcards = np.zeros((2, 4), np.int64)
    ranks = np.zeros((2, 4), np.int64)
    crib = np.zeros(4, np.int64)
    shows = np.zeros(2, np.int64)
    scores = np.zeros(2, np.int64)
    for deal in range(len(dealt)):
        starter = int(dealt[deal, 12])
        for side in range(2):
            for i in range(6):
                card = np.int64(dealt[deal, side * 6 + i])
                j = i
                while j > 0 and six[side, j - 1] > card:
                    six[side, j] = six[side, j - 1]
                    j -= 1
                six[side, j] = card
            option = options[deal, side]
            if option < 0:
                option = lay_away(
                    six[side],
                    lay_aims[side],
                    five,
                    fours,
                    charts[side],
                    keep_worth[side],
                    shifts[side],
                    by_show[side],
                )
                options[deal, side] = option
            n = 0
            thrown = 0
            for i in range(6):
                if i == option // 6 or i == option % 6:
                    crib[2 * side + thrown] = six[side, i]
                    thrown += 1
                else:
                    fourcards[side, n] = six[side, i]
                    ranks[side, n] = six[side, i] >> 2
                    n += 1
            hand = fourcards[side]
            shows[side] = show_points(hand[0], hand[1], hand[2], hand[3], starter, 0, five)
            place = ((ranks[side, 0] * 13 + ranks[side, 1]) * 13 + ranks[side, 2]) * 13 + ranks[side, 3]
            kept[deal, side] = fours[place]
            scores[side] = start[side]
        row = events[deal]
        size = 0
        if starter >> 2 == JACK:
            row[0] = 2 << 4 | HEELS << 1 | 1
            size = 1
            scores[1] += 2
        size = play(
            ranks,
            shows,
            scores,
            aims,
            prices,
            tables,
            outs,
            likely,
            book,
            draws[deal],
            starter >> 2,
            row,
            size,
            laid[deal],
        )
        if shows[0] > 0:
            row[size] = 8 << 10 | shows[0] << 4 | HAND << 1
            size += 1
        if shows[1] > 0:
            row[size] = 8 << 10 | shows[1] << 4 | HAND << 1 | 1
            size += 1
        points = show_points(crib[0], crib[1], crib[2], crib[3], starter, 1, five)
        if points > 0:
            row[size] = 8 << 10 | points << 4 | CRIB << 1 | 1
            size += 1
        row[size] = 0


@kernel
def tally(events: Any, reached: Any, ended: Any, by_kind: Any) -> None:
    """Add deals to what the board needs of them.

    reached: (2, 128, 128), [side, gain, other's gain]: deals in which the side first gains so many points
    while the other has gained those. ended: (128, 128) by dealer's and pone's points. by_kind: (2, 5) points.
    """
    gains = np.zeros(2, np.int64)
    for deal in range(len(events)):
        gains[0] = 0
        gains[1] = 0
        at = 0
        while events[deal, at] != 0:
            event = np.int64(events[deal, at])
            at += 1
            side = event & 1
            kind = event >> 1 & 7
            points = event >> 4 & 63
            by_kind[side, kind] += points
            for gain in range(gains[side] + 1, gains[side] + points + 1):
                reached[side, gain, gains[1 - side]] += 1
            gains[side] += points
        ended[gains[1], gains[0]] += 1


@kernel
def outcomes(events: Any, dealer: int, pone: int, net: Any, worth: Any, made: Any) -> None:
    """Games the dealer expects after each deal, for each payoff: made (n, k) float64.

    net: (k, 121, 121) at the start of a deal, [payoff, dealer's score, pone's]; worth: (k, 121) what a loser
    with that score pays.
    """
    for deal in range(len(events)):
        own = dealer
        other = pone
        at = 0
        while True:
            event = int(events[deal, at])
            at += 1
            if event == 0:
                for k in range(len(net)):
                    made[deal, k] = -net[k, other, own]
                break
            if event & 1:
                own += event >> 4 & 63
                if own >= TARGET:
                    for k in range(len(net)):
                        made[deal, k] = worth[k, other]
                    break
            else:
                other += event >> 4 & 63
                if other >= TARGET:
                    for k in range(len(net)):
                        made[deal, k] = -worth[k, own]
                    break
