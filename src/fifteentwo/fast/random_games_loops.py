"""Loops of the play and of whole games."""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.play import card_points

wide: Any = np.int64
"""Bytes become whole numbers before they are reckoned with."""
TARGET = 121
LEGS = 25
"""Numbers a recorded deal takes."""
MULTIPLIER = 2147483085
"""Multiply with carry: MULTIPLIER * 2**32 - 1 is a safe prime, and a state stays below 2**63."""
LOW = 0xFFFFFFFF
PLAYED = 64


@kernel
def drawn(state: int) -> int:
    """The next state of chance."""
    return MULTIPLIER * (state & LOW) + (state >> 32)


@kernel
def below(state: int, limit: int) -> int:
    """A number from 0 to limit - 1, from a state."""
    return (((state & LOW) ^ (state >> 32)) * limit) >> 32


@kernel
def value(card: int) -> int:
    """Counting value (R7)."""
    return (card >> 2) + 1 if card < 40 else 10


@kernel
def fitting(values: int, count: int) -> int:
    """Which of four cards keep the count within 31 (R54): bits 0-3. values: a byte each, PLAYED if gone."""
    # The top bit of each byte stays where the value is not above what is left.
    fits = ((((31 - count) | 0x80) * 0x01010101 - values) >> 7) & 0x01010101
    return (fits | (fits >> 7) | (fits >> 14) | (fits >> 21)) & 15


@kernel
def show_points(cards: Any, first: int, starter: int, crib: bool, table: Any) -> int:
    """Points of four cards and the starter."""
    a, b = wide(cards[first]), wide(cards[first + 1])
    c, d = wide(cards[first + 2]), wide(cards[first + 3])
    place = ((((a >> 2) * 13 + (b >> 2)) * 13 + (c >> 2)) * 13 + (d >> 2)) * 13 + (starter >> 2)
    points: int = wide(table[place])
    if ((a ^ b) | (a ^ c) | (a ^ d)) & 3 == 0:
        if (a ^ starter) & 3 == 0:
            points += 5
        elif not crib:
            points += 4
    jack = 40 | (starter & 3)
    if a == jack or b == jack or c == jack or d == jack:
        points += 1
    return points


@kernel
def lay_away_greedily(cards: Any, first: int, four_table: Any) -> None:
    """Put the four of six that make most by themselves first; of equals the first way to lay away."""
    best, away_one, away_other = -1, 0, 1
    for one in range(5):
        for other in range(one + 1, 6):
            place, unlike, suit = 0, 0, -1
            for i in range(6):
                if i != one and i != other:
                    card = wide(cards[first + i])
                    place = place * 13 + (card >> 2)
                    if suit < 0:
                        suit = card & 3
                    unlike |= (card & 3) ^ suit
            points = wide(four_table[place])
            if unlike == 0:
                points += 4
            if points > best:
                best, away_one, away_other = points, one, other
    # The cards kept stay in order; those laid away go to the end.
    card_one, card_other = cards[first + away_one], cards[first + away_other]
    kept = first
    for i in range(6):
        if i != away_one and i != away_other:
            cards[kept] = cards[first + i]
            kept += 1
    cards[kept] = card_one
    cards[kept + 1] = card_other


@kernel
def greedy_card(hands: Any, first: int, fits: int, pile: Any, length: int, count: int) -> int:
    """The place of the playable card that makes most now; of equals the highest rank, then the first held."""
    best, place = -1, 0
    for i in range(4):
        if (fits >> i) & 1:
            card = wide(hands[first + i])
            pile[length] = card >> 2
            worth = card_points(pile, 0, length + 1, count + value(card)) * 16 + (card >> 2)
            if worth > best:
                best, place = worth, i
    return place


@kernel
def choices() -> Any:
    """The place of the k-th bit of four at [4 * bits + k], and how many there are at [64 + bits]."""
    places = np.zeros(80, np.uint8)
    for bits in range(16):
        number = 0
        for i in range(4):
            if (bits >> i) & 1:
                places[4 * bits + number] = i
                number += 1
        places[64 + bits] = number
    return places


@kernel
def play_games(
    numbers: Any,
    state: int,
    greedy: Any,
    table: Any,
    four_table: Any,
    winners: Any,
    scores: Any,
    deals: Any,
    record: Any,
) -> int:
    """Whole games to 121 between two seats; seat (number & 1) deals first. Returns the deals recorded.

    numbers: (n,) int64, the games' numbers. greedy: (2,) bool by seat. winners (n,), scores (n, 2), deals
    (n,): filled. record: (rows, LEGS) int16, filled as far as it goes: game, dealer, pone's four kept and two
    laid away, the dealer's, starter, cards played, those up to eight cards, points of seat 0.
    """
    # Unsigned bytes: the compiler then knows that no index is negative.
    pack = np.arange(52).astype(np.uint8)
    cards = np.empty(12, np.uint8)
    crib = np.empty(4, np.uint8)
    hands = np.empty(8, np.uint8)
    values = np.empty(2, np.int64)
    places = choices()
    none_left = PLAYED * 0x01010101
    score = np.zeros(2, np.int64)
    pile = np.empty(9, np.int64)
    rows = 0
    any_greedy = greedy[0] or greedy[1]
    for game in range(len(numbers)):
        score[0] = 0
        score[1] = 0
        dealer = 1 - (numbers[game] & 1)
        dealt = 0
        over = False
        while not over:
            dealer = 1 - dealer
            pone = 1 - dealer
            dealt += 1
            for place in range(13):
                state = drawn(state)
                other_place = place + (below(state, 52 - place) & 63)
                swapped = pack[other_place]
                pack[other_place] = pack[place]
                pack[place] = swapped
            for place in range(12):
                cards[place] = pack[place]
            starter = wide(pack[12])
            # The last two of six random cards are two at random.
            if any_greedy:
                if greedy[pone]:
                    lay_away_greedily(cards, 0, four_table)
                if greedy[dealer]:
                    lay_away_greedily(cards, 6, four_table)
            values[0] = 0
            values[1] = 0
            for i in range(4):
                hands[4 * pone + i] = cards[i]
                hands[4 * dealer + i] = cards[6 + i]
                values[pone] |= value(wide(cards[i])) << (8 * i)
                values[dealer] |= value(wide(cards[6 + i])) << (8 * i)
            row = -1
            if rows < len(record):
                row = rows
                rows += 1
                record[row, 0] = numbers[game]
                record[row, 1] = dealer
                for i in range(12):
                    record[row, 2 + i] = cards[i]
                record[row, 14] = starter
            length, count, played, turn = 0, 0, 0, pone
            fits = 15
            if starter >> 2 == 10:
                score[dealer] += 2
                over = score[dealer] >= TARGET
            while not over:
                first = 4 * turn
                if greedy[turn]:
                    place = greedy_card(hands, first, fits, pile, length, count)
                else:
                    number = wide(places[64 + fits])
                    chosen = 0
                    if number > 1:
                        state = drawn(state)
                        chosen = below(state, number) & 3
                    place = wide(places[4 * fits + chosen])
                card = wide(hands[first + place])
                values[turn] = (values[turn] & ~(0xFF << (8 * place))) | (PLAYED << (8 * place))
                pile[length] = card >> 2
                length += 1
                count += value(card)
                if row >= 0:
                    record[row, 16 + played] = card
                played += 1
                score[turn] += card_points(pile, 0, length, count)
                if score[turn] >= TARGET:
                    over = True
                    break
                other = 1 - turn
                if count < 31:
                    fits = fitting(values[other], count)
                    if fits:
                        turn = other
                        continue
                    fits = fitting(values[turn], count)
                    if fits:
                        continue
                    score[turn] += 1
                    if score[turn] >= TARGET:
                        over = True
                        break
                count = 0
                length = 0
                if values[other] != none_left:
                    turn = other
                elif values[turn] == none_left:
                    break
                fits = fitting(values[turn], 0)
            if not over:
                score[pone] += show_points(cards, 0, starter, False, table)
                over = score[pone] >= TARGET
            if not over:
                score[dealer] += show_points(cards, 6, starter, False, table)
                over = score[dealer] >= TARGET
            if not over:
                crib[0] = cards[4]
                crib[1] = cards[5]
                crib[2] = cards[10]
                crib[3] = cards[11]
                score[dealer] += show_points(crib, 0, starter, True, table)
                over = score[dealer] >= TARGET
            if row >= 0:
                record[row, 15] = played
                record[row, 24] = min(score[0], TARGET)
        winners[game] = 0 if score[0] >= TARGET else 1
        scores[game, 0] = min(score[0], TARGET)
        scores[game, 1] = min(score[1], TARGET)
        deals[game] = dealt
    return rows
