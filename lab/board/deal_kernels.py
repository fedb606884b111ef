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
from lab.board.deal_choices import PEG_BY_BOOK, TARGET, base_13_number, best_card, best_discard, book_card
from lab.six_card.play_counts_kernels import begin_play, card_policy, count_playable, first_card_alone

MAX_EVENTS = 32
"""Size of the row of events of one deal, including the 0 that ends them."""
HEELS, CARD, LAST_CARD, HAND, CRIB = 0, 1, 2, 3, 4
"""Kinds of event: what its points are scored for. CARD: a pair, run, fifteen or thirty-one in pegging."""
KIND_SHIFT, POINTS_SHIFT, PLAYED_SHIFT = 1, 4, 10
"""Lowest bit of an event's kind, points and number of cards played; bit 0 is the side."""
PONE, DEALER = 0, 1
UNKNOWN = -1
"""Rank in `known` of `play_deals` if the side on turn chooses the card."""


@kernel
def write_event(buffers: Any, events: Any, size: int, kind: int, side: int, points: int) -> int:
    """Add points to a side's score and write the event to events[size]; return the number of events."""
    if points == 0:
        return size
    events[size] = buffers.public[PLAYED] << PLAYED_SHIFT | points << POINTS_SHIFT | kind << KIND_SHIFT | side
    buffers.scores[side] += points
    return size + 1


@kernel
def card_to_play(policy: Any, book: Any, buffers: Any, starter: int, draw: float) -> int:
    """Return the index of the card that the side on turn plays, or -1 if it must say go (R54, R56)."""
    public = buffers.public
    turn = public[TURN]
    hand = buffers.hands[turn]
    fitting, last = count_playable(public[COUNT], hand, public[HELD + turn])
    if fitting <= 1:
        return last
    if public[HELD + 1 - turn] == 0:
        return first_card_alone(public, buffers.pile, hand)
    if policy.play_aim == PEG_BY_BOOK:
        return book_card(book, buffers, draw)
    return best_card(policy, buffers, starter)


@kernel
def play_card(buffers: Any, chosen: int, events: Any, size: int) -> int:
    """Play card number `chosen` of the side on turn, or say go if it is -1; return the number of events."""
    public = buffers.public
    turn = public[TURN]
    if chosen < 0:
        last = public[LAST]
        return write_event(buffers, events, size, LAST_CARD, last, go(public, public))
    hand = buffers.hands[turn]
    rank = hand[chosen]
    for i in range(chosen, public[HELD + turn] - 1):
        hand[i] = hand[i + 1]
    end = public[END]
    buffers.pile[end] = rank
    points = card_points(buffers.pile, public[START], end + 1, public[COUNT] + value_of(rank))
    play_rank(public, public, rank)
    return write_event(buffers, events, size, CARD, turn, points)


@kernel
def write_last_card(buffers: Any, events: Any, size: int) -> int:
    """Score the last card of the deal unless it made 31; return the number of events."""
    public = buffers.public
    return write_event(buffers, events, size, LAST_CARD, public[LAST], 1 if public[COUNT] > 0 else 0)


@kernel
def write_show_events(buffers: Any, starter: int, ranks: Any, events: Any, size: int) -> None:
    """Write the events of the show in their order (R78) from events[size] on, and the final 0."""
    size = write_event(buffers, events, size, HAND, PONE, buffers.show_points[PONE])
    size = write_event(buffers, events, size, HAND, DEALER, buffers.show_points[DEALER])
    size = write_event(buffers, events, size, CRIB, DEALER, hand_points(buffers.crib, starter, 0, ranks))
    events[size] = 0


@kernel
def index_of_rank(buffers: Any, rank: int) -> int:
    """Return the index of a playable card of this rank in the hand of the side on turn, or -1."""
    public = buffers.public
    if not playable(public[COUNT], value_of(rank)):
        return -1
    for i in range(public[HELD + public[TURN]]):
        if buffers.hands[public[TURN], i] == rank:
            return i
    return -1


@kernel
def noisy_book_probability(book: Any, buffers: Any, chosen: int) -> float:
    """Return the probability that the side on turn plays card number `chosen`: the book's, with ε-noise."""
    public = buffers.public
    hand, held = buffers.hands[public[TURN]], public[HELD + public[TURN]]
    card_policy(public, hand, held, buffers.pile, book, buffers.reply_values)
    return float((1 - HUMAN_EPSILON) * buffers.reply_values[chosen] + HUMAN_EPSILON / held)


@kernel
def play_hands(
    policies: Any, book: Any, buffers: Any, starter: int, draws: Any, known: Any, events: Any, ranks: Any
) -> int:
    """Play out two hands of four ranks; write events and the ranks played; return the number of events.

    draws: (8,) random numbers in [0, 1). known: (9, 2) side and rank of each card in the order of play, or
    UNKNOWN; known[8, 0]: the side whose known cards do not count. `likelihood` of the buffers becomes the
    probability that the other side plays its known cards; play stops if it is 0.
    """
    public = buffers.public
    begin_play(public)
    buffers.likelihood[0] = 1.0
    size = write_event(buffers, events, 0, HEELS, DEALER, 2 if starter >> 2 == JACK else 0)
    while public[PLAYED] < 8:
        turn = public[TURN]
        rank = known[public[PLAYED], 1]
        if rank == UNKNOWN:
            chosen = card_to_play(policies[turn], book, buffers, starter >> 2, draws[public[PLAYED]])
        else:
            # If the other side plays next, this side must say go.
            chosen = index_of_rank(buffers, rank) if turn == known[public[PLAYED], 0] else -1
            if chosen < 0 and count_playable(public[COUNT], buffers.hands[turn], public[HELD + turn])[0] > 0:
                buffers.likelihood[0] = 0.0
                return size
            if chosen >= 0 and turn != known[8, 0]:
                buffers.likelihood[0] *= noisy_book_probability(book, buffers, chosen)
        if chosen >= 0:
            ranks[public[PLAYED]] = buffers.hands[turn, chosen]
        size = play_card(buffers, chosen, events, size)
    return write_last_card(buffers, events, size)


@kernel
def sort_cards(dealt: Any, first: int, six: Any) -> None:
    """Write dealt[first], … to all of `six`, in ascending order; `six` may also have five places."""
    for i in range(len(six)):
        card = np.int64(dealt[first + i])
        j = i
        while j > 0 and six[j - 1] > card:
            six[j] = six[j - 1]
            j -= 1
        six[j] = card


@kernel
def split_six(buffers: Any, side: int, option: int) -> None:
    """Write the cards that a side keeps and discards. option: the discarded pair, 6 * i + j."""
    kept = 0
    discarded = 0
    for i in range(6):
        card = buffers.six[side, i]
        if i == option // 6 or i == option % 6:
            buffers.crib[2 * side + discarded] = card
            discarded += 1
        else:
            buffers.kept[side, kept] = card
            buffers.hands[side, kept] = card >> 2
            kept += 1


@kernel
def play_deals(
    deals: Any, known: Any, start: Any, policies: Any, book: Any, lookups: Any, buffers: Any, played: Any
) -> None:
    """Play n deals: (n, 13) pone's six, dealer's six, starter; and (n, 8) random numbers in [0, 1).

    known: as in `play_hands`; start: (2,) scores; policies: `deal.Policy`, both of pone and dealer. The
    options of `played` (`deal.Played`) are read; its other arrays are written.
    """
    dealt, draws = deals
    for deal in range(len(dealt)):
        starter: Any = np.int64(dealt[deal, 12])
        for side in range(2):
            six = buffers.six[side]
            kept = buffers.kept[side]
            sort_cards(dealt[deal], 6 * side, six)
            split_six(buffers, side, int(played.options[deal, side]))
            buffers.show_points[side] = hand_points(kept, starter, FLUSH, lookups.ranks)
            played.kept[deal, side] = lookups.fours[base_13_number(kept)]
            buffers.scores[side] = start[side]
        events = played.events[deal]
        size = play_hands(policies, book, buffers, starter, draws[deal], known, events, played.ranks[deal])
        played.weights[deal] = buffers.likelihood[0]
        write_show_events(buffers, starter, lookups.ranks, events, size)


@kernel
def book_options(dealt: Any, index: Any, discards: Any, draws: Any, chosen: Any) -> None:
    """Write to `chosen` (n, 2) the pairs (6 * i + j) that pone and dealer discard by the solved strategy.

    index: `suits.ClassIndex`; discards: (options, probability) of pone and dealer; draws: (n, 2) in [0, 1).
    """
    six = np.zeros(6, np.int64)
    order = np.zeros(6, np.int64)
    for deal in range(len(dealt)):
        for side in range(2):
            sort_cards(dealt[deal], 6 * side, six)
            row = class_row(six, index, order)
            options, probability = discards[side]
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
def best_discards(dealt: Any, values: Any, side: int, lookups: Any, buffers: Any, chosen: Any) -> None:
    """Write to chosen[:, side] the pair (6 * i + j) with the best value by `deal.DiscardValues`."""
    six = buffers.six[side]
    for deal in range(len(dealt)):
        sort_cards(dealt[deal], 6 * side, six)
        chosen[deal, side] = best_discard(values, buffers, lookups, six)


@kernel
def count_events(events: Any, counted: Any) -> None:
    """Add the events of deals (n, MAX_EVENTS) to `counted`, a `deal.Tally`."""
    gains = np.zeros(2, np.int64)
    for deal in range(len(events)):
        gains[0] = 0
        gains[1] = 0
        at = 0
        while events[deal, at] != 0:
            event = np.int64(events[deal, at])
            at += 1
            side = event & 1
            points = event >> POINTS_SHIFT & 63
            counted.by_kind[side, event >> KIND_SHIFT & 7] += points
            for gain in range(gains[side] + 1, gains[side] + points + 1):
                counted.reached[side, gain, gains[1 - side]] += 1
            gains[side] += points
        counted.ended[gains[DEALER], gains[PONE]] += 1


@kernel
def scores_after(events: Any, dealer: int, pone: int) -> tuple[int, int]:
    """Return the scores of dealer and pone after a deal's events, or after the event that wins the game."""
    at = 0
    while events[at] != 0:
        event = np.int64(events[at])
        points = event >> POINTS_SHIFT & 63
        if event & 1:
            dealer = scored(dealer, pone, points, TARGET)
        else:
            pone = scored(pone, dealer, points, TARGET)
        at += 1
    return dealer, pone


@kernel
def outcomes(events: Any, dealer: int, pone: int, net: Any, paid: Any, made: Any) -> None:
    """Write to `made` (n, k) the dealer's expected net games after deals from these scores, for k payoffs.

    net: (k, 121, 121) net games at the start of a deal, [payoff, dealer's score, pone's score]; paid: (k,
    121) games that a loser pays, by its score.
    """
    for deal in range(len(events)):
        own, other = scores_after(events[deal], dealer, pone)
        for k in range(len(net)):
            if own >= TARGET:
                made[deal, k] = paid[k, other]
            elif other >= TARGET:
                made[deal, k] = -paid[k, own]
            else:
                made[deal, k] = -net[k, other, own]
