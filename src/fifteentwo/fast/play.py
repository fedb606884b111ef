"""Pegging by the fast rules: cards that fit, whose turn it is, ends of counts, scores.

Ranks are 0–12 (ace low); `pile` holds the ranks played, pile[start:end] those of the running count. `Turn`,
`after_card` and `after_go` serve any number of seats. For two players with six cards, sides 0 pone and 1
dealer, the array `public` holds the public state; its indexes are below.
"""

from typing import Any, NamedTuple

from fifteentwo.fast.compiled import kernel

TURN, COUNT, START, END, GONE, LAST, CODE, LEAD, REPLY, PLAYED, PLACES = range(11)
"""Indices of the array `public`: TURN side on turn, COUNT running count, START and END its ranks in
`pile`, GONE bits of the sides that said go in it, LAST side that played last, CODE history as digits to
base 15, LEAD and REPLY first two ranks, PLAYED number of cards played. PLACES: number of these indices."""
SEEN, LOWS, HELD = PLACES, PLACES + 13, PLACES + 15
"""First indices in `public` of: SEEN (13) number of cards played of each rank; LOWS (2) a counting value
that all cards of the side exceed, because it said go; HELD (2) number of cards that each side holds."""
WIDTH = PLACES + 17
"""Length of the array `public`."""
LIMIT = 31
"""The highest count (R53)."""


@kernel
def value_of(rank: int) -> int:
    """Return the counting value of a rank 0–12 (R7)."""
    return rank + 1 if rank < 9 else 10


@kernel
def playable(count: Any, value: Any) -> Any:
    """Return whether a card of this counting value may be played on a count (R53). Accepts arrays."""
    return count + value <= LIMIT


@kernel
def card_points(pile: Any, start: int, end: int, count: int) -> int:
    """Return the points in pegging of the last card of pile[start:end] at `count` (R59, R68–R75)."""
    points = 2 if count == 15 or count == LIMIT else 0
    top = pile[end - 1]
    size = end - start
    if size < 2:
        return points
    if pile[end - 2] == top:
        alike = 2
        while alike < size and pile[end - 1 - alike] == top:
            alike += 1
        return points + alike * (alike - 1)
    if size < 3:
        return points
    seen = 1 << top
    low = top
    high = top
    best = 0
    for length in range(2, size + 1):
        rank = pile[end - length]
        if seen >> rank & 1:
            break
        seen |= 1 << rank
        if rank < low:
            low = rank
        if rank > high:
            high = rank
        if length >= 3 and high - low == length - 1:
            best = length
    return points + best


class Turn(NamedTuple):
    """Whose turn it is, and the running count of the ranks pile[start:end]. Fields are numbers or arrays."""

    seat: Any
    """The seat on turn."""
    total: Any
    """The running count."""
    start: Any
    """Index in the pile of the first rank of this count."""
    end: Any
    """Index of the last rank of this count, plus 1."""
    gone: Any
    """Bits of the seats that have said go in this count."""
    last: Any
    """The seat that played the last card."""


@kernel
def pick(first: Any, one: Any, other: Any) -> Any:
    """Return `one` if `first` is true, otherwise `other`. Accepts arrays."""
    return other + (one - other) * first


@kernel
def next_seat(seats: int, able: Any, seat: Any) -> Any:
    """Return the next seat clockwise whose bit is set in `able`; `seat` if there is none. Accepts arrays."""
    found = seat
    for step in range(seats - 1, 0, -1):
        other = seat + step - seats * (seat + step >= seats)
        found = pick(able >> other & 1, other, found)
    return found


@kernel
def after_card(seats: int, now: Turn, value: Any, holding: Any) -> Turn:
    """Return the turn after the seat on turn plays a card of this counting value (R53–R66). Accepts arrays.

    holding: bits of the seats that still hold cards.
    """
    total = now.total + value
    goes_on = total < LIMIT
    end, gone = now.end + 1, now.gone * goes_on
    seat = next_seat(seats, holding & ~gone, now.seat)
    return Turn(seat, total * goes_on, pick(goes_on, now.start, end), end, gone, now.seat)


@kernel
def after_go(seats: int, now: Turn, holding: Any) -> Turn:
    """Return the turn after a go; `holding`: bits of the seats that hold cards (R57–R59). Accepts arrays.

    The total is 0 if the go has ended the count; then the seat that played last scores a point.
    """
    gone = now.gone | 1 << now.seat
    able = holding & ~gone
    goes_on = able > 0
    seat = next_seat(seats, pick(goes_on, able, holding), pick(goes_on, now.seat, now.last))
    return Turn(
        seat, now.total * goes_on, pick(goes_on, now.start, now.end), now.end, gone * goes_on, now.last
    )


@kernel
def turn_of(public: Any) -> Turn:
    """Return the turn from an array `public`, or from each of its columns."""
    return Turn(public[TURN], public[COUNT], public[START], public[END], public[GONE], public[LAST])


@kernel
def holding(first: Any, second: Any) -> Any:
    """Return the bits of the sides that hold cards, from their numbers of cards. Accepts arrays."""
    return (first > 0) + 2 * (second > 0)


@kernel
def write_turn(then: Any, now: Turn) -> None:
    """Write a turn to an array `public`, or to each of its columns."""
    # `last` may be a view of the column TURN.
    then[LAST] = now.last
    then[TURN], then[COUNT], then[START] = now.seat, now.total, now.start
    then[END], then[GONE] = now.end, now.gone


@kernel
def play_rank(public: Any, then: Any, rank: int) -> None:
    """Write to `then` the public state after the side on turn plays this rank (R53–R66)."""
    for place in range(WIDTH):
        then[place] = public[place]
    then[SEEN + rank] += 1
    then[HELD + public[TURN]] -= 1
    then[CODE] = public[CODE] * 15 + rank + 1
    if public[PLAYED] == 0:
        then[LEAD] = rank
    elif public[PLAYED] == 1:
        then[REPLY] = rank
    then[PLAYED] += 1
    write_turn(then, after_card(2, turn_of(then), value_of(rank), holding(then[HELD], then[HELD + 1])))


@kernel
def go(public: Any, then: Any) -> int:
    """Write to `then` the public state after a go; return 1 if it ended the count, else 0 (R57–R59)."""
    for place in range(WIDTH):
        then[place] = public[place]
    turn = public[TURN]
    then[CODE] = public[CODE] * 15 + 14
    then[LOWS + turn] = max(public[LOWS + turn], LIMIT - public[COUNT])
    write_turn(then, after_go(2, turn_of(then), holding(then[HELD], then[HELD + 1])))
    return 1 if then[COUNT] == 0 else 0


class Alone(NamedTuple):
    """The best play of a side whose opponent has no cards left."""

    points: int
    """Points of this side in pegging, last cards included."""
    needs_go: int
    """1 if no card fits at first, so that the opponent scores last card of this count, otherwise 0."""
    first: int
    """The rank to play first, the lowest of several equally good ones."""


@kernel
def play_alone(pile: Any, start: int, end: int, count: int, cards: Any, size: int) -> Alone:
    """Return the best play of ascending ranks cards[:size] (one to four) against an opponent without cards.

    The opponent played last. Every order is tried. `pile` is written past `end`.
    """
    needs_go = 1 if count > 0 and not playable(count, value_of(cards[0])) else 0
    if needs_go:
        count, start = 0, end
    orders = 1
    for more in range(2, size + 1):
        orders *= more
    best, first = -1, -1
    for order in range(orders):
        points = points_in_order(pile, start, end, count, cards, size, order, False)
        if points > best:
            best = points
            first = cards[order * size // orders]
    return Alone(best, needs_go, first)


@kernel
def points_in_order(
    pile: Any, start: int, end: int, count: int, cards: Any, size: int, order: int, one_count: bool
) -> int:
    """Return the points of cards[:size] played alone in order number `order` (0 to size! - 1).

    Return -1 if this order contains a go although a card fits. one_count: only to the end of this count.
    """
    held = (1 << size) - 1
    orders = 1
    for more in range(2, size):
        orders *= more
    points = 0
    for left in range(size, 0, -1):
        at = -1
        for _ in range(order // orders + 1):
            at += 1
            while held >> at & 1 == 0:
                at += 1
        order %= orders
        orders //= max(left - 1, 1)
        held &= ~(1 << at)
        if not playable(count, value_of(cards[at])):
            for other in range(size):
                if held >> other & 1 and playable(count, value_of(cards[other])):
                    return -1
            points += 1
            if one_count:
                return points
            count, start = 0, end
        pile[end] = cards[at]
        end += 1
        count += value_of(cards[at])
        points += card_points(pile, start, end, count)
        if count == LIMIT:
            count, start = 0, end
            if one_count:
                return points
    return points + 1 if count > 0 else points
