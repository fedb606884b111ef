"""Loops that play deals on from the middle of the play: cards laid so far as they were, the rest by the book.

As `fast.deal_loops`, whose table, draws and events these are.
"""

from typing import Any

from fifteentwo.fast.book_shares import hand_shares
from fifteentwo.fast.compiled import kernel
from fifteentwo.fast.deal_choices import card_alone
from fifteentwo.fast.deal_loops import (
    CARD,
    CRIB,
    DEALER,
    HAND,
    HEELS,
    LAST_CARD,
    PONE,
    card_to_lay,
    part_six,
    pegged,
    sort_six,
)
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.play import (
    COUNT,
    END,
    HELD,
    LAID,
    LAST,
    START,
    TURN,
    WIDTH,
    card_points,
    go,
    lay,
    value_of,
)
from fifteentwo.fast.show_loops import FLUSH, hand_points

UNKNOWN = -1
"""In place of a rank: whoever is on turn chooses."""
MISTRUST = 0.03
"""Part of what the other side lays that owes nothing to the book: it was somebody else's play."""


@kernel
def place_of(table: Any, rank: int) -> int:
    """Where the side on turn holds a card of this rank that fits; -1 where it holds none."""
    public = table.public
    if public[COUNT] + value_of(rank) > 31:
        return -1
    for i in range(public[HELD + public[TURN]]):
        if table.hands[public[TURN], i] == rank:
            return i
    return -1


@kernel
def fits_any(table: Any) -> bool:
    """Whether the side on turn has a card to lay."""
    public = table.public
    for i in range(public[HELD + public[TURN]]):
        if public[COUNT] + value_of(table.hands[public[TURN], i]) <= 31:
            return True
    return False


@kernel
def share_of(book: Any, table: Any, chosen: int) -> float:
    """How often the side on turn lays this card of its hand: by the book, and a little by nothing at all."""
    public = table.public
    turn = public[TURN]
    hand = table.hands[turn]
    held = public[HELD + turn]
    if held == 1:
        return 1.0
    if public[HELD + 1 - turn] == 0:
        share = 1.0 if hand[card_alone(table)] == hand[chosen] else 0.0
        return float((1 - MISTRUST) * share + MISTRUST / held)
    shares = table.reply_worth
    hand_shares(book, public, hand, held, shares)
    total = 0.0
    for i in range(held):
        total += max(shares[i], 0.0)
    share = shares[chosen] / total if total > 0 else 0.0
    return float((1 - MISTRUST) * share + MISTRUST / held)


@kernel
def lay_card(table: Any, chosen: int, events: Any, size: int) -> int:
    """Lay a card of the hand of the side on turn; how many events there are then."""
    public = table.public
    turn = public[TURN]
    hand = table.hands[turn]
    rank = hand[chosen]
    for i in range(chosen, public[HELD + turn] - 1):
        hand[i] = hand[i + 1]
    end = public[END]
    table.pile[end] = rank
    points = card_points(table.pile, public[START], end + 1, public[COUNT] + value_of(rank))
    lay(public, public, rank)
    return pegged(table, events, size, CARD, turn, points)


@kernel
def play_through(
    policies: Any, book: Any, table: Any, starter: int, known: Any, draws: Any, events: Any, size: Any
) -> float:
    """Play two hands of four ranks; size[0] events are raised. Returns how often the other side plays so.

    known: (9, 2) who lays what by cards laid, UNKNOWN from where on nobody knows; last whose own cards these
    are: what that side laid was its choice, and tells nothing.
    """
    public = table.public
    for place in range(WIDTH):
        public[place] = 0
    public[HELD + PONE] = 4
    public[HELD + DEALER] = 4
    public[LAST] = DEALER
    weight = 1.0
    while public[LAID] < 8:
        turn = public[TURN]
        actor, rank = known[public[LAID], 0], known[public[LAID], 1]
        if rank == UNKNOWN:
            chosen = card_to_lay(policies[turn], book, table, starter, draws[public[LAID]])
        else:
            # Whoever lays next may have said go before, at the end of a count.
            chosen = place_of(table, rank) if turn == actor else -1
            if chosen < 0 and fits_any(table):
                return 0.0
            if chosen >= 0 and turn != known[8, 0]:
                weight *= share_of(book, table, chosen)
        if chosen < 0:
            last = public[LAST]
            if go(public, public):
                size[0] = pegged(table, events, size[0], LAST_CARD, last, 1)
            continue
        size[0] = lay_card(table, chosen, events, size[0])
    if public[COUNT] > 0:
        size[0] = pegged(table, events, size[0], LAST_CARD, public[LAST], 1)
    return weight


@kernel
def play_on(
    deals: Any,
    known: Any,
    policies: Any,
    book: Any,
    ranks: Any,
    table: Any,
    played: Any,
) -> None:
    """Play n deals as far as is `known` and then on; events (n, MOST_EVENTS) and weights (n,) are written.

    deals: dealt (n, 13), options (n, 2) and draws (n, 8) as of `deal.play_deals`; ranks: `deal.Tables.ranks`.
    played: events, weights, room for one number.
    """
    dealt, options, draws = deals
    events, weights, size = played
    for deal in range(len(dealt)):
        starter: Any = int(dealt[deal, 12])
        for side in range(2):
            sort_six(dealt[deal], 6 * side, table.six[side])
            part_six(table, side, int(options[deal, side]))
            table.shows[side] = hand_points(table.kept[side], starter, FLUSH, ranks)
            table.scores[side] = 0
        row = events[deal]
        table.public[LAID] = 0
        size[0] = pegged(table, row, 0, HEELS, DEALER, 2 if starter >> 2 == JACK else 0)
        weights[deal] = play_through(policies, book, table, starter >> 2, known, draws[deal], row, size)
        made = pegged(table, row, size[0], HAND, PONE, table.shows[PONE])
        made = pegged(table, row, made, HAND, DEALER, table.shows[DEALER])
        made = pegged(table, row, made, CRIB, DEALER, hand_points(table.crib, starter, 0, ranks))
        row[made] = 0
