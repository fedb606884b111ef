"""Kernels that play whole deals of six-card cribbage for two, and count their points.

Sides: 0 pone, 1 dealer. A card is 4 * rank + suit. An event is an int16: number of cards played << 10
| points << 4 | kind << 1 | side. Kinds: 0 heels, 1 card (pairs, runs, fifteen, thirty-one), 2 last card,
3 hand, 4 crib. A 0 ends the events of a deal.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.counting_out import pegged as scored
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.noise import HUMAN_EPSILON
from fifteentwo.fast.play import (
    COUNT,
    END,
    HELD,
    LAST,
    PLAYED,
    START,
    TURN,
    card_points,
    go,
    play_rank,
    playable,
    value_of,
)
from fifteentwo.fast.show_kernels import FLUSH, hand_points
from fifteentwo.fast.suits import class_row
from lab.board.deal_choices import BOOK, TARGET, best_card, best_discard, book_card, digits_of
from lab.six_card.play_counts_kernels import begin_play, card_alone, card_policy, fitting_cards

MOST_EVENTS = 32
HEELS, CARD, LAST_CARD, HAND, CRIB = 0, 1, 2, 3, 4
KIND, POINTS_AT, PLAYED_AT = 1, 4, 10
"""Lowest bits of the parts of an event; the side is bit 0."""
PONE, DEALER = 0, 1
UNKNOWN = -1
"""Instead of a known rank: the side on turn chooses."""


@kernel
def pegged(table: Any, events: Any, size: int, kind: int, side: int, points: int) -> int:
    """Add points to a score and write the event to events[size]; return the number of events."""
    if points == 0:
        return size
    events[size] = table.public[PLAYED] << PLAYED_AT | points << POINTS_AT | kind << KIND | side
    table.scores[side] += points
    return size + 1


@kernel
def card_to_play(policy: Any, book: Any, table: Any, starter: int, draw: float) -> int:
    """Return the card of the side on turn, -1 if it must say go (R54, R56)."""
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
def play_card(table: Any, chosen: int, events: Any, size: int) -> int:
    """Play a card of the side on turn, or -1 for a go; return the number of events."""
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
    """Score the last card of the deal unless it made 31; return the number of events."""
    return pegged(table, events, size, LAST_CARD, table.public[LAST], 1 if table.public[COUNT] > 0 else 0)


@kernel
def count_show(table: Any, starter: int, ranks: Any, events: Any, size: int) -> None:
    """Write the events of the show in their order (R78) and the final 0."""
    size = pegged(table, events, size, HAND, PONE, table.shows[PONE])
    size = pegged(table, events, size, HAND, DEALER, table.shows[DEALER])
    size = pegged(table, events, size, CRIB, DEALER, hand_points(table.crib, starter, 0, ranks))
    events[size] = 0


@kernel
def place_of(table: Any, rank: int) -> int:
    """Return the place of a playable card of this rank in the hand of the side on turn, or -1."""
    public = table.public
    if not playable(public[COUNT], value_of(rank)):
        return -1
    for i in range(public[HELD + public[TURN]]):
        if table.hands[public[TURN], i] == rank:
            return i
    return -1


@kernel
def probability_of(book: Any, table: Any, chosen: int) -> float:
    """Return the probability that the side on turn plays a card: by the book, with a little noise."""
    public = table.public
    hand, held = table.hands[public[TURN]], public[HELD + public[TURN]]
    card_policy(public, hand, held, table.pile, book, table.reply_values)
    return float((1 - HUMAN_EPSILON) * table.reply_values[chosen] + HUMAN_EPSILON / held)


@kernel
def play_out(
    policies: Any, book: Any, table: Any, starter: int, draws: Any, known: Any, events: Any, ranks: Any
) -> int:
    """Play two hands of four ranks; write events and ranks played; return the number of events.

    draws: (8,) in [0, 1). known: (9, 2) side and rank of each card in the order of play, or UNKNOWN;
    known[8, 0] is a side. `table.likelihood` becomes the probability that the other side plays its known
    cards; play stops if it is 0.
    """
    public = table.public
    begin_play(public)
    table.likelihood[0] = 1.0
    size = pegged(table, events, 0, HEELS, DEALER, 2 if starter >> 2 == JACK else 0)
    while public[PLAYED] < 8:
        turn = public[TURN]
        rank = known[public[PLAYED], 1]
        if rank == UNKNOWN:
            chosen = card_to_play(policies[turn], book, table, starter >> 2, draws[public[PLAYED]])
        else:
            # If the other side plays next, this side must say go.
            chosen = place_of(table, rank) if turn == known[public[PLAYED], 0] else -1
            if chosen < 0 and fitting_cards(public[COUNT], table.hands[turn], public[HELD + turn])[0] > 0:
                table.likelihood[0] = 0.0
                return size
            if chosen >= 0 and turn != known[8, 0]:
                table.likelihood[0] *= probability_of(book, table, chosen)
        if chosen >= 0:
            ranks[public[PLAYED]] = table.hands[turn, chosen]
        size = play_card(table, chosen, events, size)
    return end_play(table, events, size)


@kernel
def sort_cards(dealt: Any, first: int, six: Any) -> None:
    """Write the cards of `dealt` from `first` on to `six`, or five cards, in ascending order."""
    for i in range(len(six)):
        card = np.int64(dealt[first + i])
        j = i
        while j > 0 and six[j - 1] > card:
            six[j] = six[j - 1]
            j -= 1
        six[j] = card


@kernel
def part_six(table: Any, side: int, option: int) -> None:
    """Write the cards kept and discarded by a side that discards the pair `option` (first * 6 + second)."""
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
    deals: Any, known: Any, start: Any, policies: Any, book: Any, tables: Any, table: Any, played: Any
) -> None:
    """Play n deals. deals: (n, 13) pone's six, dealer's six, starter, and draws (n, 8) in [0, 1).

    known: as in `play_out`; start: (2,) scores before the deal; policies: `deal.Policy` of pone and dealer.
    The options of `played` (`deal.Played`) are read; its other arrays are written.
    """
    dealt, draws = deals
    for deal in range(len(dealt)):
        starter: Any = np.int64(dealt[deal, 12])
        for side in range(2):
            six = table.six[side]
            kept = table.kept[side]
            sort_cards(dealt[deal], 6 * side, six)
            part_six(table, side, int(played.options[deal, side]))
            table.shows[side] = hand_points(kept, starter, FLUSH, tables.ranks)
            played.kept[deal, side] = tables.fours[digits_of(kept)]
            table.scores[side] = start[side]
        events = played.events[deal]
        size = play_out(policies, book, table, starter, draws[deal], known, events, played.ranks[deal])
        played.weights[deal] = table.likelihood[0]
        count_show(table, starter, tables.ranks, events, size)


@kernel
def book_options(dealt: Any, index: Any, tables: Any, draws: Any, chosen: Any) -> None:
    """Write to `chosen` (n, 2) the pairs that both sides discard by the solved table: first * 6 + second.

    index: `suits.ClassIndex`; tables: (options, probability) of pone and dealer; draws: (n, 2) in [0, 1).
    """
    six = np.zeros(6, np.int64)
    order = np.zeros(6, np.int64)
    for deal in range(len(dealt)):
        for side in range(2):
            sort_cards(dealt[deal], 6 * side, six)
            row = class_row(six, index, order)
            options, probability = tables[side]
            both = np.int64(options[row])
            option: Any = both & 15
            if draws[deal, side] * 255 >= probability[row]:
                option = both >> 4
            # Options are in the order of their places.
            one = 0
            while option >= 5 - one:
                option -= 5 - one
                one += 1
            two = order[one + 1 + option]
            chosen[deal, side] = min(order[one], two) * 6 + max(order[one], two)


@kernel
def best_discards(dealt: Any, values: Any, side: int, tables: Any, table: Any, chosen: Any) -> None:
    """Write to chosen[:, side] the best pair by `deal.DiscardValues`."""
    six = table.six[side]
    for deal in range(len(dealt)):
        sort_cards(dealt[deal], 6 * side, six)
        chosen[deal, side] = best_discard(values, table, tables, six)


@kernel
def tally(events: Any, counted: Any) -> None:
    """Add deals to a `deal.Tally`."""
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
    """Return the scores of dealer and pone after a deal's events, up to the event that wins the game."""
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
def outcomes(events: Any, dealer: int, pone: int, net: Any, paid: Any, made: Any) -> None:
    """Write to `made` (n, k) the games that the dealer can expect after each deal, for each payoff.

    net: (k, 121, 121) the same at the start of a deal, [payoff, dealer's score, pone's score]; paid: (k, 121)
    games that a loser pays, by its score.
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
