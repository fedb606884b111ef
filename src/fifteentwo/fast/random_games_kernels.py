"""Kernels of whole games of simple players. Seats 0 and 1; a card is 4 * rank + suit.

The counting values of a hand are bytes of one number, so that all four cards are compared with the count at
once. This makes the kernels as fast as C (docs/architecture.md has the figure).
"""

from typing import Any, NamedTuple

import numpy as np

from fifteentwo.fast.compiled import kernel, part
from fifteentwo.fast.counting_out import after_show
from fifteentwo.fast.layout import JACK
from fifteentwo.fast.play import LIMIT, card_points, value_of
from fifteentwo.fast.show_kernels import FLUSH, hand_points, suits_apart

wide: Any = np.int64
"""Converts bytes to integers before arithmetic, so that they do not overflow."""
TARGET = 121
DEAL_COLUMNS = 25
"""Number of columns of a recorded deal."""
MULTIPLIER = 2147483085
"""Multiplier of the random generator: MULTIPLIER * 2**32 - 1 is a safe prime; states stay below 2**63."""
LOW = 0xFFFFFFFF
"""Mask of the lower 32 bits of a random state."""
PLAYED = 64
"""Byte in `Buffers.values` for a card that has been played."""
EVERY_BYTE = 0x01010101
"""A byte times this number is written to each of four bytes."""


class Buffers(NamedTuple):
    """Work arrays for one deal: fields of a record (`layout.as_records`), used again for the next deal."""

    deck: Any
    """(52,) uint8 cards; the first 13 are dealt. Unsigned bytes show the compiler that no index is < 0."""
    cards: Any
    """(12,) uint8: pone's four kept and two discarded cards, then the dealer's."""
    crib: Any
    """(4,) uint8 cards of the crib."""
    hands: Any
    """(8,) uint8: the four cards kept by seat 0, then by seat 1."""
    values: Any
    """(2,) int64 by seat: counting values of the four cards, a byte each, PLAYED for played cards."""
    score: Any
    """(2,) int64 score of each seat."""
    pile: Any
    """(9,) int64 ranks of the running count."""
    cards_played: Any
    """(9,) uint8: cards played in this deal, in order; the last element is their number."""
    places: Any
    """(80,) uint8: lookup table of set bits, see `choices`."""
    greedy: Any
    """(2,) uint8 by seat: 1 if the seat plays greedily, 0 if at random."""
    fives: Any
    """`show.rank_points` of five cards; a field here because numba counts references to other arrays."""
    fours: Any
    """`show.rank_points` of four cards."""


@kernel
def drawn(state: int) -> int:
    """Return the next state of the random generator."""
    return MULTIPLIER * (state & LOW) + (state >> 32)


@kernel
def below(state: int, limit: int) -> int:
    """Return the random number from 0 to limit - 1 that a random state gives."""
    return (((state & LOW) ^ (state >> 32)) * limit) >> 32


@part
def choices(places: Any) -> None:
    """Write the index of the k-th set bit of four to places[4 * bits + k], their number to [64 + bits]."""
    for bits in range(16):
        number = 0
        for i in range(4):
            if (bits >> i) & 1:
                places[4 * bits + number] = i
                number += 1
        places[64 + bits] = number


@part
def fitting(values: int, count: int) -> int:
    """Return which of four cards fit on a count (R54), as bits 0-3. values: a byte each, PLAYED if played."""
    # The top bit of each byte stays set if the value is not above what is left.
    fits = ((((LIMIT - count) | 0x80) * EVERY_BYTE - values) >> 7) & EVERY_BYTE
    return (fits | (fits >> 7) | (fits >> 14) | (fits >> 21)) & 15


@part
def shuffle(deck: Any, state: int) -> int:
    """Put thirteen random cards first in the deck; return the new random state."""
    for place in range(13):
        state = drawn(state)
        other_place = place + (below(state, 52 - place) & 63)
        swapped = deck[other_place]
        deck[other_place] = deck[place]
        deck[place] = swapped
    return state


@part
def discard_greedily(cards: Any, first: int, fours: Any) -> None:
    """Put first the four of six cards that score most by themselves; the first discard of equal ones."""
    best, discard_one, discard_other = -1, 0, 1
    for one in range(5):
        for other in range(one + 1, 6):
            place, packed = 0, 0
            for i in range(6):
                if i != one and i != other:
                    card = wide(cards[first + i])
                    place = place * 13 + (card >> 2)
                    packed = packed << 8 | card
            points = wide(fours[place])
            if suits_apart(packed) == 0:
                points += FLUSH
            if points > best:
                best, discard_one, discard_other = points, one, other
    # Kept cards stay in order; discarded ones move to the end.
    card_one, card_other = cards[first + discard_one], cards[first + discard_other]
    kept = first
    for i in range(6):
        if i != discard_one and i != discard_other:
            cards[kept] = cards[first + i]
            kept += 1
    cards[kept] = card_one
    cards[kept + 1] = card_other


@part
def greedy_card(hands: Any, first: int, fits: int, pile: Any, length: int, count: int) -> int:
    """Return the index of the fitting card that scores most now; the highest rank of equals."""
    best, place = -1, 0
    for i in range(4):
        if (fits >> i) & 1:
            rank = wide(hands[first + i]) >> 2
            pile[length] = rank
            merit = card_points(pile, 0, length + 1, count + value_of(rank)) * 16 + rank
            if merit > best:
                best, place = merit, i
    return place


@part
def set_hands(buffers: Any, pone: int) -> None:
    """Write the four kept cards of both seats and their counting values to `hands` and `values`."""
    pones, dealers = 0, 0
    for i in range(4):
        card, other = wide(buffers.cards[i]), wide(buffers.cards[6 + i])
        buffers.hands[4 * pone + i] = card
        buffers.hands[4 - 4 * pone + i] = other
        pones |= value_of(card >> 2) << (8 * i)
        dealers |= value_of(other >> 2) << (8 * i)
    buffers.values[pone] = pones
    buffers.values[1 - pone] = dealers


@part
def play_out(buffers: Any, pone: int, state: int) -> int:
    """Play cards until both hands are played or a seat is at the target (R53–R66); return the random state.

    `play.after_card` and `play.after_go` would make a game a fifth slower, because here all four cards are
    compared at once and goes need no turn.
    """
    pile, score = buffers.pile, buffers.score
    mine, theirs = buffers.values[pone], buffers.values[1 - pone]
    length, count, played, turn = 0, 0, 0, pone
    fits = 15
    while True:
        first = 4 * turn
        if buffers.greedy[turn]:
            place = greedy_card(buffers.hands, first, fits, pile, length, count)
        else:
            number = wide(buffers.places[64 + fits])
            chosen = 0
            if number > 1:
                state = drawn(state)
                chosen = below(state, number) & 3
            place = wide(buffers.places[4 * fits + chosen])
        card = wide(buffers.hands[first + place])
        mine = (mine & ~(0xFF << (8 * place))) | (PLAYED << (8 * place))
        pile[length] = card >> 2
        length += 1
        count += value_of(card >> 2)
        buffers.cards_played[played] = card
        played += 1
        score[turn] += card_points(pile, 0, length, count)
        if score[turn] >= TARGET:
            break
        if count < LIMIT:
            fits = fitting(theirs, count)
            if fits:
                turn, mine, theirs = 1 - turn, theirs, mine
                continue
            fits = fitting(mine, count)
            if fits:
                continue
            score[turn] += 1
            if score[turn] >= TARGET:
                break
        count = 0
        length = 0
        if theirs != PLAYED * EVERY_BYTE:
            turn, mine, theirs = 1 - turn, theirs, mine
        elif mine == PLAYED * EVERY_BYTE:
            break
        fits = fitting(mine, 0)
    buffers.cards_played[8] = played
    return state


@part
def show(buffers: Any, pone: int, starter: int) -> None:
    """Count pone's hand, the dealer's and the crib, until a seat is at the target (R78, R91)."""
    score, dealer = buffers.score, 1 - pone
    for i in range(2):
        buffers.crib[i] = buffers.cards[4 + i]
        buffers.crib[2 + i] = buffers.cards[10 + i]
    score[pone], score[dealer] = after_show(
        score[pone],
        score[dealer],
        hand_points(buffers.cards[0:4], starter, FLUSH, buffers.fives),
        hand_points(buffers.cards[6:10], starter, FLUSH, buffers.fives),
        hand_points(buffers.crib, starter, 0, buffers.fives),
        TARGET,
    )


@part
def play_deal(buffers: Any, dealer: int, state: int) -> int:
    """Play one deal and add its points to `score`; return the random state."""
    pone = 1 - dealer
    state = shuffle(buffers.deck, state)
    for place in range(12):
        buffers.cards[place] = buffers.deck[place]
    starter = wide(buffers.deck[12])
    # The last two of six random cards are two at random.
    if buffers.greedy[pone]:
        discard_greedily(buffers.cards, 0, buffers.fours)
    if buffers.greedy[dealer]:
        discard_greedily(buffers.cards, 6, buffers.fours)
    set_hands(buffers, pone)
    buffers.cards_played[8] = 0
    if starter >> 2 == JACK:
        buffers.score[dealer] += 2
        if buffers.score[dealer] >= TARGET:
            return state
    state = play_out(buffers, pone, state)
    # After the end of a game hands are not counted.
    if buffers.score[0] < TARGET and buffers.score[1] < TARGET:
        show(buffers, pone, starter)
    return state


@part
def record_deal(buffers: Any, game: int, dealer: int, leg: Any) -> None:
    """Write a deal to leg (DEAL_COLUMNS,), in the columns of `random_games.record`."""
    leg[0] = game
    leg[1] = dealer
    for i in range(12):
        leg[2 + i] = buffers.cards[i]
    leg[14] = buffers.deck[12]
    leg[15] = buffers.cards_played[8]
    for i in range(buffers.cards_played[8]):
        leg[16 + i] = buffers.cards_played[i]
    leg[24] = min(buffers.score[0], TARGET)


@kernel
def play_games(numbers: Any, state: int, buffers: Any, games: Any, record: Any) -> int:
    """Play whole games to 121 between two seats; return the number of recorded deals.

    Seat (number & 1) deals first. numbers: (n,) int64, the games' numbers. games: winners (n,), points (n,
    2), deals (n,), written. record: (rows, DEAL_COLUMNS) int16, written as far as it has room.
    """
    winners, points, deals = games
    choices(buffers.places)
    for card in range(52):
        buffers.deck[card] = card
    rows = 0
    for game in range(len(numbers)):
        buffers.score[0] = 0
        buffers.score[1] = 0
        dealer = 1 - (numbers[game] & 1)
        dealt = 0
        while buffers.score[0] < TARGET and buffers.score[1] < TARGET:
            dealer = 1 - dealer
            dealt += 1
            state = play_deal(buffers, dealer, state)
            if rows < len(record):
                record_deal(buffers, numbers[game], dealer, record[rows])
                rows += 1
        winners[game] = 0 if buffers.score[0] >= TARGET else 1
        points[game, 0] = min(buffers.score[0], TARGET)
        points[game, 1] = min(buffers.score[1], TARGET)
        deals[game] = dealt
    return rows
