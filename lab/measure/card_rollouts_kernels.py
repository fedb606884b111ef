"""Kernels that continue deals from the middle of pegging by the book.

Buffers, draws and events have the formats of `lab.board.deal_kernels`.
"""

from typing import Any

from fifteentwo.fast.book_policy import hand_policy
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.noise import HUMAN_EPSILON
from fifteentwo.fast.play import COUNT, HELD, PLAYED, TURN, playable, value_of
from fifteentwo.fast.show_kernels import FLUSH, hand_points
from lab.board.deal_kernels import (
    DEALER,
    HEELS,
    begin_play,
    card_to_play,
    count_show,
    end_play,
    part_six,
    pegged,
    play_card,
    sort_cards,
)
from lab.six_card.play_counts_kernels import card_alone, fitting_cards

UNKNOWN = -1
"""Instead of a rank: the side on turn chooses."""


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
    turn = public[TURN]
    hand = table.hands[turn]
    held = public[HELD + turn]
    if held == 1:
        return 1.0
    if public[HELD + 1 - turn] == 0:
        probability = 1.0 if hand[card_alone(public, table.pile, hand)] == hand[chosen] else 0.0
        return float((1 - HUMAN_EPSILON) * probability + HUMAN_EPSILON / held)
    policy = table.reply_values
    hand_policy(book, public, hand, held, policy)
    total = 0.0
    for i in range(held):
        total += max(policy[i], 0.0)
    probability = policy[chosen] / total if total > 0 else 0.0
    return float((1 - HUMAN_EPSILON) * probability + HUMAN_EPSILON / held)


@kernel
def play_through(
    policies: Any, book: Any, table: Any, starter: int, known: Any, draws: Any, events: Any, size: Any
) -> float:
    """Play two hands of four ranks; return the probability that the other side plays its known cards.

    known: (9, 2) side and rank of each card in the order of play, or UNKNOWN; known[8, 0] is the own side,
    whose cards do not count in the probability. size: (1,) number of events, which is updated.
    """
    public = table.public
    begin_play(public)
    weight = 1.0
    while public[PLAYED] < 8:
        turn = public[TURN]
        actor, rank = known[public[PLAYED], 0], known[public[PLAYED], 1]
        if rank == UNKNOWN:
            chosen = card_to_play(policies[turn], book, table, starter, draws[public[PLAYED]])
        else:
            # If the other side plays next, this side must say go.
            chosen = place_of(table, rank) if turn == actor else -1
            if chosen < 0 and fitting_cards(public[COUNT], table.hands[turn], public[HELD + turn])[0] > 0:
                return 0.0
            if chosen >= 0 and turn != known[8, 0]:
                weight *= probability_of(book, table, chosen)
        size[0] = play_card(table, chosen, events, size[0])
    size[0] = end_play(table, events, size[0])
    return weight


@kernel
def play_on(deals: Any, known: Any, policies: Any, book: Any, ranks: Any, table: Any, played: Any) -> None:
    """Play n deals in which the first cards of pegging are known, and write their events and weights.

    deals: dealt (n, 13) and options (n, 2) as in `deal.play_deals`, and draws (n, 8), a random number for
    each card; known: see `play_through`; ranks: `deal.Tables.ranks`.
    played: events (n, MOST_EVENTS), weights (n,), and a buffer (1,) for the number of events. A weight is the
    probability that the other side plays its known cards.
    """
    dealt, options, draws = deals
    events, weights, size = played
    for deal in range(len(dealt)):
        starter: Any = int(dealt[deal, 12])
        for side in range(2):
            sort_cards(dealt[deal], 6 * side, table.six[side])
            part_six(table, side, int(options[deal, side]))
            table.shows[side] = hand_points(table.kept[side], starter, FLUSH, ranks)
            table.scores[side] = 0
        row = events[deal]
        table.public[PLAYED] = 0
        size[0] = pegged(table, row, 0, HEELS, DEALER, 2 if starter >> 2 == JACK else 0)
        weights[deal] = play_through(policies, book, table, starter >> 2, known, draws[deal], row, size)
        count_show(table, starter, ranks, row, size[0])
