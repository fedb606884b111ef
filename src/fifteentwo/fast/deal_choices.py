"""Loops of what a side chooses in a deal of two players and six cards: a pair to lay away, a card to lay.

Sides: 0 pone, 1 dealer. A card is 4 * rank + suit; in the play ranks suffice.

Worth of scores, for choosing: aim 0 counts own points less `price` times the other's; aim 1 reads the chance
of winning from a table. Aim 2 takes the play from a solved book.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import card_points, value_of

JACK = 10
POINTS, CHANCE, BOOK = 0, 1, 2
"""Aims."""
TARGET = 121
LEAST_SHIFT = -4
SHIFTS = 12


@kernel
def alone_points(pile: Any, end: int, count: int, hand: Any, held: int, without: int) -> int:
    """Points a side pegs on alone in this count, its best card each time; hand[without] is gone."""
    gone = 1 << without
    total = 0
    while True:
        best = -1
        chosen = -1
        for i in range(held):
            if gone >> i & 1 or count + value_of(hand[i]) > 31:
                continue
            pile[end] = hand[i]
            points = card_points(pile, 0, end + 1, count + value_of(hand[i]))
            if points > best:
                best = points
                chosen = i
        if chosen < 0:
            return total + 1
        gone |= 1 << chosen
        pile[end] = hand[chosen]
        end += 1
        count += value_of(hand[chosen])
        total += best
        if count == 31:
            return total


@kernel
def worth_of(
    own: int, other: int, aim: int, price: float, table: Any, out: Any, show: int, laid: int
) -> float:
    """Worth of scores to the side that has `own` and a hand of `show` points to come, `laid` cards being
    laid.

    table: [laid, own score + hand, other's score]; out: [laid, points needed] chance to peg them in the rest
    of the play.
    """
    if aim == POINTS:
        return own - price * other
    if own >= TARGET:
        return 1.0
    if other >= TARGET:
        return 0.0
    laid = min(laid, 8)
    pegged = out[laid, TARGET - own]
    return float(pegged + (1 - pegged) * table[laid, own + show, other])


@kernel
def choose_card(
    hand: Any,
    held: int,
    pile: Any,
    end: int,
    count: int,
    others: int,
    silent: int,
    weights: Any,
    own: int,
    other: int,
    aim: int,
    price: float,
    table: Any,
    out: Any,
    show: int,
    laid: int,
    points_of: Any,
    worth_by_rank: Any,
) -> int:
    """Which of hand[:held] to lay: the best worth after the other side's reply and one's own answer to it.

    weights: (13,) how likely a card of the other side is of each rank. silent: the other side has said go.
    points_of, worth_by_rank: (13,) scratch. -1 where no card fits.
    """
    best = -1e9
    chosen = -1
    total = 0.0
    for rank in range(13):
        total += weights[rank]
    for i in range(held):
        rank = hand[i]
        now = count + value_of(rank)
        if now > 31:
            continue
        twice = False
        for j in range(i):
            if hand[j] == rank:
                twice = True
        if twice:
            continue
        pile[end] = rank
        points = card_points(pile, 0, end + 1, now)
        mine = own + points
        if now == 31:
            worth = worth_of(mine, other, aim, price, table, out, show, laid + 1)
        elif silent or others == 0 or total <= 0:
            alone = alone_points(pile, end + 1, now, hand, held, i)
            worth = worth_of(mine + alone, other, aim, price, table, out, show, laid + 2)
        else:
            highest = 0
            for reply in range(13):
                points_of[reply] = -1
                then = now + value_of(reply)
                if weights[reply] <= 0 or then > 31:
                    continue
                pile[end + 1] = reply
                gained = card_points(pile, 0, end + 2, then)
                points_of[reply] = gained
                if gained > highest:
                    highest = gained
                answer = 0
                if then < 31:
                    for j in range(held):
                        if j != i and then + value_of(hand[j]) <= 31:
                            pile[end + 2] = hand[j]
                            back = card_points(pile, 0, end + 3, then + value_of(hand[j]))
                            if back > answer:
                                answer = back
                worth_by_rank[reply] = (
                    0.0
                    if aim == CHANCE and other + gained >= TARGET and mine < TARGET
                    else worth_of(mine + answer, other + gained, aim, price, table, out, show, laid + 3)
                )
            worth = 0.0
            rest = total
            before = 1.0
            for gained in range(highest, -1, -1):
                weight = 0.0
                summed = 0.0
                for reply in range(13):
                    if points_of[reply] == gained:
                        weight += weights[reply]
                        summed += weights[reply] * worth_by_rank[reply]
                if weight > 0:
                    rest -= weight
                    share = rest / total
                    if share < 0:
                        share = 0.0
                    none = share
                    for _ in range(others - 1):
                        none *= share
                    worth += (before - none) * summed / weight
                    before = none
            if before > 0:
                alone = alone_points(pile, end + 1, now, hand, held, i)
                worth += before * worth_of(mine + alone, other, aim, price, table, out, show, laid + 2)
        # Among equals high cards go first.
        worth += 1e-6 * value_of(rank) * (100 if aim == POINTS else 1)
        if worth > best:
            best = worth
            chosen = i
    return chosen


@kernel
def lay_away(
    six: Any, aim: int, five: Any, fours: Any, chart: Any, keep_worth: Any, shifts: Any, by_show: Any
) -> int:
    """Which pair of six ascending cards to lay away, as first * 6 + second.

    chart: (13, 13) worth of the pair in the crib (aim 0: signed). aim 1: by_show[h, k] is the chance of
    winning with a hand of h and the crib shifted by LEAST_SHIFT + k points; shifts: (13, 13) a pair's shift.
    keep_worth: (1820,) what the four kept bring in the play, in points or chances.
    """
    left = np.zeros(13, np.int64)
    suits = np.zeros(4, np.int64)
    dealt = np.int64(0)
    for rank in range(13):
        left[rank] = 4
    for i in range(6):
        left[six[i] >> 2] -= 1
        suits[six[i] & 3] += 1
        dealt |= np.int64(1) << six[i]
    kept = np.zeros(4, np.int64)
    best = -1e9
    chosen = 0
    for one in range(6):
        for two in range(one + 1, 6):
            n = 0
            for i in range(6):
                if i != one and i != two:
                    kept[n] = six[i]
                    n += 1
            place = (((kept[0] >> 2) * 13 + (kept[1] >> 2)) * 13 + (kept[2] >> 2)) * 13 + (kept[3] >> 2)
            suit = kept[0] & 3
            flush = (kept[1] & 3) == suit and (kept[2] & 3) == suit and (kept[3] & 3) == suit
            low = six[one] >> 2
            high = six[two] >> 2
            row = low if (six[one] & 3) == (six[two] & 3) else high
            column = high if (six[one] & 3) == (six[two] & 3) else low
            if aim == CHANCE:
                shift = shifts[row, column] - LEAST_SHIFT
                at = min(max(int(shift), 0), SHIFTS - 2)
                part = shift - at
                summed = 0.0
                for card in range(52):
                    if dealt >> card & 1:
                        continue
                    shown = int(five[place * 13 + (card >> 2)])
                    if flush:
                        shown += 5 if (card & 3) == suit else 4
                    for i in range(4):
                        if kept[i] == 4 * JACK + (card & 3):
                            shown += 1
                    summed += (1 - part) * by_show[shown, at] + part * by_show[shown, at + 1]
                worth = summed / 46 + keep_worth[fours[place]]
            else:
                made = 0
                for rank in range(13):
                    made += left[rank] * five[place * 13 + rank]
                if flush:
                    made += 4 * 46 + 13 - suits[suit]
                for i in range(4):
                    if kept[i] >> 2 == JACK:
                        made += 13 - suits[kept[i] & 3]
                worth = made / 46 + chart[row, column] + keep_worth[fours[place]]
            if worth > best:
                best = worth
                chosen = one * 6 + two
    return chosen


@kernel
def book_options(dealt: Any, find_row: Any, index: Any, tables: Any, draws: Any, chosen: Any) -> None:
    """Pairs to lay away by mixed tables of six-card hands: chosen (n, 2) int8, first * 6 + second, written.

    find_row: `peg_deals.suit_row`; index: its four arrays; tables: (options, share) of pone and of dealer;
    draws: (n, 2) in [0, 1).
    """
    six = np.zeros(6, np.int64)
    names = np.zeros(6, np.int64)
    for deal in range(len(dealt)):
        for side in range(2):
            for i in range(6):
                card = np.int64(dealt[deal, side * 6 + i])
                j = i
                while j > 0 and six[j - 1] > card:
                    six[j] = six[j - 1]
                    j -= 1
                six[j] = card
            row = find_row(six, index[0], index[1], index[2], index[3], names)
            options, share = tables[side]
            option = options[row] & 15
            if draws[deal, side] * 255 >= share[row]:
                option = options[row] >> 4
            n = 0
            for one in range(6):
                for two in range(one + 1, 6):
                    if n == option:
                        # Positions of the table's row to places among the six ascending cards.
                        places = 0
                        other = 0
                        for i in range(6):
                            places += six[i] < six[one]
                            other += six[i] < six[two]
                        chosen[deal, side] = min(places, other) * 6 + max(places, other)
                    n += 1
