"""Kernels that play whole five-card deals by a solution, and count their points (R99–R104).

Sides: 0 pone, 1 dealer. A card is 4 * rank + suit. Events have the format of `lab.board.deal_kernels`.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.five_card import end_of_count, fitting, pair_place
from fifteentwo.fast.hands import UP2, UP3
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.play import card_points, value_of
from fifteentwo.fast.show import FLUSH_OF_THREE, WHOLE_FLUSH_OF_THREE
from fifteentwo.fast.show_kernels import flush_and_nobs, hand_points, join_four
from fifteentwo.fast.suits import class_row
from fifteentwo.strategy.pegging_points import NEAR, SPAN
from lab.board.deal_kernels import CARD, CRIB, HAND, HEELS, KIND_SHIFT, LAST_CARD, POINTS_SHIFT, sort_cards
from lab.cfr import DEALER, PONE, Floats


class Strategies(NamedTuple):
    """Discards and pegging strategies of both sides with one starter, in the form that kernels read."""

    index: Any
    """Arrays that find the row of a five-card hand: `suits.ClassIndex`."""
    pone_discards: Floats
    """(134459, 10) the pone's discard probabilities, cumulative over the ten options."""
    dealer_discards: Floats
    """(134459, 10) the dealer's discard probabilities, cumulative over the ten options."""
    lead: Floats
    """Positive weights of the pone's first card, as in `cfr.Cells.lead`."""
    reply: Floats
    """Positive weights of the dealer's first card, as in `cfr.Cells.reply`."""
    rest: Floats
    """Positive weights of both sides' second cards, as in `cfr.Cells.rest`."""
    starts: npt.NDArray[np.int64]
    """(169,) the first cell in `rest` of each lead and reply."""
    thirds: npt.NDArray[np.int64]
    """(2197,) the first cell in `rest` of the dealer's second card, by the three ranks played before."""


class DealBuffers(NamedTuple):
    """Arrays that are overwritten for each deal."""

    five: Any
    """(5,) the cards dealt to a side, ascending."""
    order: Any
    """(5,) positions of the cards in the order of the strategy's hand class."""
    kept: Any
    """(2, 3) cards kept by pone and dealer."""
    hands: Any
    """(2, 3) ranks kept by pone and dealer, ascending."""
    crib: Any
    """(4,) cards in the crib, the pone's first."""
    discarded_pairs: Any
    """(2,) number of the two ranks discarded by each side, as in `fast.hands.PAIRS`."""
    played: Any
    """(8,) ranks played in pegging, in order."""


@kernel
def write_event(events: Any, size: int, kind: int, side: int, points: int) -> int:
    """Write points as an event at events[size], unless they are 0. Return the number of events."""
    if points == 0:
        return size
    events[size] = points << POINTS_SHIFT | kind << KIND_SHIFT | side
    return size + 1


@kernel
def choose_first_card(table: Any, hand: Any, pile: int, draw: float) -> int:
    """Return the position in `hand` (three ascending ranks) of a side's first card, drawn by weights.

    table: (13, 91, 91) weights by rank played, pair that remains and pair discarded. pile: the pair
    discarded. draw: random, in [0, 1).
    """
    weights = np.zeros(3)
    for at in range(3):
        if at == 0 or hand[at] != hand[at - 1]:
            weights[at] = max(table[hand[at], UP2[hand[(at + 1) % 3], hand[(at + 2) % 3]], pile], 0.0)
    if weights.sum() == 0:
        for at in range(3):
            weights[at] = 1.0 if at == 0 or hand[at] != hand[at - 1] else 0.0
    left = draw * weights.sum()
    chosen = 0
    for at in range(3):
        if weights[at] > 0:
            chosen = at
            if left < weights[at]:
                break
            left -= weights[at]
    return chosen


@kernel
def plays_lower(rest: Any, start: int, ranks: int, low: int, high: int, pile: int, draw: float) -> bool:
    """Return whether the lower of two playable ranks is played, drawn by the strategy's weights.

    rest: `Strategies.rest`. start: the decision's first cell. ranks: number of playable ranks. pile: the pair
    discarded. draw: random, in [0, 1).
    """
    cell = start + 2 * (91 * pair_place(low, high, ranks) + pile)
    one, two = max(rest[cell], 0.0), max(rest[cell + 1], 0.0)
    return bool(draw * (one + two) < one) if one + two > 0 else draw < 0.5


@kernel
def write_card(played: Any, end: int, count: int, rank: int, side: int, events: Any, size: int) -> int:
    """Play a rank as card number `end` and write its points. Return the number of events."""
    played[end] = rank
    return write_event(events, size, CARD, side, card_points(played, 0, end + 1, count + value_of(rank)))


@kernel
def write_count_points(played: Any, third: int, stays: int, last: int, events: Any, size: int) -> int:
    """Write all points of pegging (R102) if three ranks are `played`. third: dealer's next, or -1 (go)."""
    count = value_of(played[0])
    size = write_card(played, 1, count, played[1], DEALER, events, size)
    count += value_of(played[1])
    size = write_card(played, 2, count, played[2], PONE, events, size)
    count += value_of(played[2])
    end, latest = 3, 1
    if third >= 0:
        size = write_card(played, end, count, third, DEALER, events, size)
        end, latest = 4, -1
    by_pone, by_dealer, last_card = end_of_count(played, end, last, stays if third >= 0 else -1, latest)
    size = write_event(events, size, CARD, PONE, by_pone)
    size = write_event(events, size, CARD, DEALER, by_dealer)
    return write_event(events, size, LAST_CARD, PONE if last_card > 0 else DEALER, abs(last_card))


@kernel
def points_in_events(events: Any, size: int, side: int) -> int:
    """Return the points of a side in the first `size` events."""
    total: Any = 0
    for at in range(size):
        if events[at] & 1 == side:
            total += np.int64(events[at]) >> POINTS_SHIFT & 63
    return int(total)


@kernel
def fill_points(payoffs: Any, side: int) -> None:
    """Write one side's points, instead of net points, to `walk_kernels.Payoffs`."""
    played, events = np.zeros(8, np.int64), np.zeros(8, np.int16)
    for at in range(2197):
        played[0], played[1], played[2] = at // 169, at // 13 % 13, at % 13
        ranks = fitting(value_of(played[0]) + value_of(played[1]) + value_of(played[2]))
        for last in range(13):
            size = write_count_points(played, -1, 0, last, events, 0)
            payoffs.goes[at, last] = points_in_events(events, size, side)
            for third in range(ranks):
                for stays in range(13):
                    size = write_count_points(played, third, stays, last, events, 0)
                    payoffs.plays[at, third, stays, last] = points_in_events(events, size, side)


@kernel
def play_pegging(table: Any, strategies: Any, draws: Any, events: Any, size: int) -> int:
    """Play the pegging by the strategies; write its events and return their number. draws: (4,) in [0, 1)."""
    pone, dealer, played = table.hands[PONE], table.hands[DEALER], table.played
    at = choose_first_card(strategies.lead, pone, table.discarded_pairs[PONE], draws[0])
    lead = pone[at]
    one, two = pone[(at + 1) % 3], pone[(at + 2) % 3]
    second, last = min(one, two), max(one, two)
    at = choose_first_card(strategies.reply[lead], dealer, table.discarded_pairs[DEALER], draws[1])
    branch = 13 * lead + dealer[at]
    if second != last:
        start = strategies.starts[branch]
        if not plays_lower(strategies.rest, start, 13, second, last, table.discarded_pairs[PONE], draws[2]):
            second, last = last, second
    played[0], played[1], played[2] = lead, dealer[at], second
    one, two = dealer[(at + 1) % 3], dealer[(at + 2) % 3]
    third, stays = min(one, two), max(one, two)
    ranks = fitting(value_of(lead) + value_of(dealer[at]) + value_of(second))
    if third >= ranks:
        third = -1
    elif third != stays and stays < ranks:
        start = strategies.thirds[13 * branch + second]
        if not plays_lower(
            strategies.rest, start, ranks, third, stays, table.discarded_pairs[DEALER], draws[3]
        ):
            third, stays = stays, third
    return write_count_points(played, third, stays, last, events, size)


@kernel
def option_places(at: int, order: Any) -> int:
    """Return 5 · first + second: the positions of the two cards that option `at` (0–9) discards."""
    one = 0
    while at >= 4 - one:
        at -= 4 - one
        one += 1
    return int(order[one] * 5 + order[one + 1 + at])


@kernel
def split_five_cards(table: Any, dealt: Any, side: int, option: int, draw: float, strategies: Any) -> int:
    """Write a side's discards and kept cards to `table`. Return 91 · (kept ranks) + (discarded ranks).

    option: two positions of the five ascending cards, first · 5 + second, or -1 to draw by the strategy.
    """
    five = table.five
    sort_cards(dealt, 5 * side, five)
    if option < 0:
        row = class_row(five, strategies.index, table.order)
        chances = strategies.pone_discards[row] if side == PONE else strategies.dealer_discards[row]
        at = 0
        while at < 9 and chances[at] <= draw:
            at += 1
        option = option_places(at, table.order)
    one, two = option // 5, option % 5
    kept = gone = 0
    for i in range(5):
        if i in (one, two):
            table.crib[2 * side + gone] = five[i]
            gone += 1
        else:
            table.kept[side, kept] = five[i]
            table.hands[side, kept] = five[i] >> 2
            kept += 1
    hand = table.hands[side]
    table.discarded_pairs[side] = UP2[table.crib[2 * side] >> 2, table.crib[2 * side + 1] >> 2]
    return int(UP3[hand[0], UP2[hand[1], hand[2]]] * 91 + table.discarded_pairs[side])


@kernel
def points_of_three(cards: Any, starter: int, ranks: Any) -> int:
    """Return the points of a hand of three with its starter (R103). ranks: `show.rank_points(4)`."""
    one, two, three = cards[0], cards[1], cards[2]
    at = (((one >> 2) * 13 + (two >> 2)) * 13 + (three >> 2)) * 13 + (starter >> 2)
    # A card counted twice changes neither a flush nor nobs.
    hand = join_four(one, two, three, one)
    return int(ranks[at] + flush_and_nobs(hand, starter, FLUSH_OF_THREE, WHOLE_FLUSH_OF_THREE))


@kernel
def play_deals(
    dealt: Any, options: Any, draws: Any, strategies: Any, shows: Any, events: Any, types: Any
) -> None:
    """Play n deals and write their events (n, MAX_EVENTS) and both sides' types (n, 2).

    dealt: (n, 11) the pone's five cards, the dealer's five, the starter. options: (n, 2) as in
    `split_five_cards`. draws: (n, 6) random, in [0, 1). shows: `show.rank_points` of 4 and of 5 cards.
    """
    table = DealBuffers(
        np.zeros(5, np.int64),
        np.zeros(5, np.int64),
        np.zeros((2, 3), np.int64),
        np.zeros((2, 3), np.int64),
        np.zeros(4, np.int64),
        np.zeros(2, np.int64),
        np.zeros(8, np.int64),
    )
    for deal in range(len(dealt)):
        for side in range(2):
            types[deal, side] = split_five_cards(
                table, dealt[deal], side, options[deal, side], draws[deal, side], strategies
            )
        starter: Any = np.int64(dealt[deal, 10])
        row = events[deal]
        size = write_event(row, 0, HEELS, DEALER, 2 if starter >> 2 == JACK else 0)
        size = play_pegging(table, strategies, draws[deal, 2:], row, size)
        for side in range(2):
            size = write_event(row, size, HAND, side, points_of_three(table.kept[side], starter, shows[0]))
        size = write_event(row, size, CRIB, DEALER, hand_points(table.crib, starter, 0, shows[1]))
        row[size] = 0


@kernel
def count_pegging(events: Any, types: Any, side: int, weights: Any, classes: Any, counts: Any) -> None:
    """Add deals to the counts of points that both sides peg, by the kept hand of `side`.

    weights: (n,) weight of each deal. classes: (455,) class of the other side's hand. counts: the two arrays
    of `chances.PeggedPoints`.
    """
    joint, first = counts
    when = np.zeros((2, NEAR + 1), np.int64)
    gains = np.zeros(2, np.int64)
    for deal in range(len(events)):
        own = types[deal, side] // 91
        gains[:] = 0
        at = 0
        while events[deal, at] != 0:
            event = np.int64(events[deal, at])
            kind, who, points = event >> KIND_SHIFT & 7, event & 1, event >> POINTS_SHIFT & 63
            if kind in (CARD, LAST_CARD):
                for gain in range(gains[who] + 1, min(gains[who] + points, NEAR) + 1):
                    when[who, gain] = at
                gains[who] += points
            at += 1
        mine, theirs = min(gains[side], SPAN - 1), min(gains[1 - side], SPAN - 1)
        joint[own, classes[types[deal, 1 - side] // 91], mine, theirs] += weights[deal]
        for x in range(1, min(mine, NEAR) + 1):
            for y in range(1, min(theirs, NEAR) + 1):
                if when[side, x] < when[1 - side, y]:
                    first[own, x - 1, y - 1] += weights[deal]


@kernel
def deal_remaining_cards(kept: Any, starter: Any, draws: Any, dealt: Any) -> None:
    """Write deals (n, 10) in which one side's kept cards (n, 3) and the starter (n,) are given.

    draws: (n, 7) in [0, 1). The five cards of this side come first, beginning with the kept cards.
    """
    deck = np.zeros(52, np.int64)
    for deal in range(len(kept)):
        size = 0
        for card in range(52):
            if card not in (starter[deal], kept[deal, 0], kept[deal, 1], kept[deal, 2]):
                deck[size] = card
                size += 1
        for at in range(3):
            dealt[deal, at] = kept[deal, at]
        for at in range(7):
            chosen = at + int(draws[deal, at] * (size - at))
            dealt[deal, 3 + at] = deck[chosen]
            deck[chosen] = deck[at]
