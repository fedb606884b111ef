"""Kernels that play whole deals of two players and six cards under given policies, and count what came.

Sides: 0 pone, 1 dealer. A card is 4 * rank + suit. An event is an int16: cards played << 10 | points << 4 |
kind << 1 | side; kinds 0 heels, 1 card (pairs, runs, fifteen, thirty-one), 2 last card, 3 hand, 4 crib; cards
played counts those so far, and a row ends with 0.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.counting_out import pegged as scored
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.play import (
    COUNT,
    END,
    HELD,
    LAST,
    PLAYED,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    play_rank,
    value_of,
)
from fifteentwo.fast.show_kernels import FLUSH, hand_points
from fifteentwo.fast.suits import class_row
from lab.board.deal_choices import (
    BOOK,
    POINTS,
    TARGET,
    best_card,
    best_discard,
    book_card,
    digits_of,
    discard,
)
from lab.six_card.play_counts_kernels import card_alone, fitting_cards

__all__ = ["BOOK", "POINTS"]

MOST_EVENTS = 32
HEELS, CARD, LAST_CARD, HAND, CRIB = 0, 1, 2, 3, 4
KIND, POINTS_AT, PLAYED_AT = 1, 4, 10
"""Where the parts of an event begin; the side is its lowest bit."""
PONE, DEALER = 0, 1


@kernel
def pegged(table: Any, events: Any, size: int, kind: int, side: int, points: int) -> int:
    """Peg points and write the event to events[size]; how many events there are then."""
    if points == 0:
        return size
    events[size] = table.public[PLAYED] << PLAYED_AT | points << POINTS_AT | kind << KIND | side
    table.scores[side] += points
    return size + 1


@kernel
def card_to_play(policy: Any, book: Any, table: Any, starter: int, draw: float) -> int:
    """Return the card that the side on turn plays, -1 where none fits (R54, R56)."""
    public = table.public
    turn = public[TURN]
    hand = table.hands[turn]
    fitting, last = fitting_cards(public[COUNT], hand, public[HELD + turn])
    if fitting <= 1:
        return last
    if public[HELD + 1 - turn] == 0:
        return card_alone(public, table.pile, hand)
    if policy.play_aim == BOOK:
        return book_card(book, table, draw)
    return best_card(policy, table, starter)


@kernel
def begin_play(public: Any) -> None:
    """Write the public state of two hands of four before a card is played."""
    for place in range(WIDTH):
        public[place] = 0
    public[HELD + PONE] = 4
    public[HELD + DEALER] = 4
    public[LAST] = DEALER


@kernel
def play_card(table: Any, chosen: int, events: Any, size: int) -> int:
    """Play a card of the hand of the side on turn, -1 for a go; how many events there are then."""
    public = table.public
    turn = public[TURN]
    if chosen < 0:
        last = public[LAST]
        return pegged(table, events, size, LAST_CARD, last, go(public, public))
    hand = table.hands[turn]
    rank = hand[chosen]
    for i in range(chosen, public[HELD + turn] - 1):
        hand[i] = hand[i + 1]
    end = public[END]
    table.pile[end] = rank
    points = card_points(table.pile, public[START], end + 1, public[COUNT] + value_of(rank))
    play_rank(public, public, rank)
    return pegged(table, events, size, CARD, turn, points)


@kernel
def end_play(table: Any, events: Any, size: int) -> int:
    """Peg the last card of all, unless it has made 31; how many events there are then."""
    return pegged(table, events, size, LAST_CARD, table.public[LAST], 1 if table.public[COUNT] > 0 else 0)


@kernel
def count_show(table: Any, starter: int, ranks: Any, events: Any, size: int) -> None:
    """Write the events of the show in their order (R78), and the 0 that ends them."""
    size = pegged(table, events, size, HAND, PONE, table.shows[PONE])
    size = pegged(table, events, size, HAND, DEALER, table.shows[DEALER])
    size = pegged(table, events, size, CRIB, DEALER, hand_points(table.crib, starter, 0, ranks))
    events[size] = 0


@kernel
def play_out(
    policies: Any, book: Any, table: Any, starter: int, draws: Any, events: Any, size: int, ranks: Any
) -> int:
    """Play out two hands of four ranks; write the events from events[size] on and the ranks; return how many.

    table: its hands are used up, its scores raised. starter: its rank. draws: (8,) in [0, 1).
    """
    public = table.public
    begin_play(public)
    while public[PLAYED] < 8:
        turn = public[TURN]
        chosen = card_to_play(policies[turn], book, table, starter, draws[public[PLAYED]])
        if chosen >= 0:
            ranks[public[PLAYED]] = table.hands[turn, chosen]
        size = play_card(table, chosen, events, size)
    return end_play(table, events, size)


@kernel
def sort_six(dealt: Any, first: int, six: Any) -> None:
    """dealt[first : first + 6] in ascending order to six."""
    for i in range(6):
        card = np.int64(dealt[first + i])
        j = i
        while j > 0 and six[j - 1] > card:
            six[j] = six[j - 1]
            j -= 1
        six[j] = card


@kernel
def part_six(table: Any, side: int, option: int) -> None:
    """Discard the pair `option` (first * 6 + second) and keep the rest, cards and ranks."""
    kept = 0
    discarded = 0
    for i in range(6):
        card = table.six[side, i]
        if i == option // 6 or i == option % 6:
            table.crib[2 * side + discarded] = card
            discarded += 1
        else:
            table.kept[side, kept] = card
            table.hands[side, kept] = card >> 2
            kept += 1


@kernel
def play_deals(
    dealt: Any,
    draws: Any,
    start: Any,
    policies: Any,
    book: Any,
    tables: Any,
    table: Any,
    played: Any,
) -> None:
    """Play n deals. dealt: (n, 13) pone's six, dealer's six, starter; draws: (n, 8) in [0, 1).

    start: (2,) scores before the deal. policies: `deal.Policy` of pone and dealer; tables: `deal.Tables`;
    table: `deal.Table`. played: `deal.Played`, whose options are read where they are not -1; all written.
    """
    for deal in range(len(dealt)):
        starter: Any = np.int64(dealt[deal, 12])
        for side in range(2):
            six = table.six[side]
            kept = table.kept[side]
            sort_six(dealt[deal], 6 * side, six)
            option: Any = np.int64(played.options[deal, side])
            if option < 0:
                option = discard(policies[side], table, tables, six)
                played.options[deal, side] = option
            part_six(table, side, option)
            table.shows[side] = hand_points(kept, starter, FLUSH, tables.ranks)
            played.kept[deal, side] = tables.fours[digits_of(kept)]
            table.scores[side] = start[side]
        events = played.events[deal]
        table.public[PLAYED] = 0
        size = pegged(table, events, 0, HEELS, DEALER, 2 if starter >> 2 == JACK else 0)
        size = play_out(policies, book, table, starter >> 2, draws[deal], events, size, played.ranks[deal])
        count_show(table, starter, tables.ranks, events, size)


@kernel
def book_options(dealt: Any, index: Any, tables: Any, draws: Any, chosen: Any) -> None:
    """Pairs to discard by mixed tables of six-card hands: chosen (n, 2) int8, first * 6 + second, written.

    index: `suits.ClassIndex`; tables: (options, probability) of pone and of dealer; draws: (n, 2).
    """
    six = np.zeros(6, np.int64)
    order = np.zeros(6, np.int64)
    for deal in range(len(dealt)):
        for side in range(2):
            sort_six(dealt[deal], 6 * side, six)
            row = class_row(six, index, order)
            options, probability = tables[side]
            both = np.int64(options[row])
            option: Any = both & 15
            if draws[deal, side] * 255 >= probability[row]:
                option = both >> 4
            # Pairs stand in the order of their places.
            one = 0
            while option >= 5 - one:
                option -= 5 - one
                one += 1
            two = order[one + 1 + option]
            chosen[deal, side] = min(order[one], two) * 6 + max(order[one], two)


@kernel
def best_discards(
    dealt: Any, values: Any, side: int, tables: Any, table: Any, chosen: Any, within: float
) -> None:
    """Write to chosen[:, side] the pair that one side discards by `deal.DiscardValues`, first * 6 + second.

    dealt: (n, 13) as in `play_deals`; tables: `deal.Tables`; table: `deal.Table`; within: `best_discard`.
    """
    six = table.six[side]
    for deal in range(len(dealt)):
        sort_six(dealt[deal], 6 * side, six)
        chosen[deal, side] = best_discard(values, table, tables, six, chosen[deal, side], within)


@kernel
def tally(events: Any, counted: Any) -> None:
    """Add deals to a `deal.Tally`, which is all that the board needs of them."""
    gains = np.zeros(2, np.int64)
    for deal in range(len(events)):
        gains[0] = 0
        gains[1] = 0
        at = 0
        while events[deal, at] != 0:
            event = np.int64(events[deal, at])
            at += 1
            side = event & 1
            points = event >> POINTS_AT & 63
            counted.by_kind[side, event >> KIND & 7] += points
            for gain in range(gains[side] + 1, gains[side] + points + 1):
                counted.reached[side, gain, gains[1 - side]] += 1
            gains[side] += points
        counted.ended[gains[DEALER], gains[PONE]] += 1


@kernel
def after_events(events: Any, dealer: int, pone: int) -> tuple[int, int]:
    """Scores of dealer and pone after a deal's events, of which those after the game is won count nothing."""
    at = 0
    while events[at] != 0:
        event = np.int64(events[at])
        points = event >> POINTS_AT & 63
        if event & 1:
            dealer = scored(dealer, pone, points, TARGET)
        else:
            pone = scored(pone, dealer, points, TARGET)
        at += 1
    return dealer, pone


@kernel
def score_events(events: Any, dealer: int, scores: Any) -> None:
    """Raise scores (n, 2) by player by each deal's events, to TARGET at most; dealer: which player dealt."""
    for deal in range(len(events)):
        own, other = after_events(events[deal], scores[deal, dealer], scores[deal, 1 - dealer])
        scores[deal, dealer] = min(own, TARGET)
        scores[deal, 1 - dealer] = min(other, TARGET)


@kernel
def outcomes(events: Any, dealer: int, pone: int, net: Any, paid: Any, made: Any) -> None:
    """Games the dealer expects after each deal, for each payoff: made (n, k) float64.

    net: (k, 121, 121) at the start of a deal, [payoff, dealer's score, pone's]; paid: (k, 121) what a loser
    with that score pays.
    """
    for deal in range(len(events)):
        own, other = after_events(events[deal], dealer, pone)
        for k in range(len(net)):
            if own >= TARGET:
                made[deal, k] = paid[k, other]
            elif other >= TARGET:
                made[deal, k] = -paid[k, own]
            else:
                made[deal, k] = -net[k, other, own]
