"""The public play of two with six cards, as the loops keep it: whose turn, which count, what has been seen.

Ranks are 0–12 (ace low), sides 0 pone, 1 dealer; `pile` holds the ranks laid, pile[start:end] those of the
running count. An array `public`, what both sides know of the play, carries the rest: see the places below.
"""

from typing import Any, NamedTuple

from fifteentwo.fast.compiled import kernel

TURN, COUNT, START, END, GONE, LAST, CODE, LEAD, REPLY, LAID, PLACES = range(11)
"""Places of `public`: side on turn, running count, pile[start:end], whether one side has said go, who laid
last, the history in base 15, the first two ranks, how many cards are laid."""
SEEN, LOWS, HELD = PLACES, PLACES + 13, PLACES + 15
"""From here on: cards laid of each rank, what each side's goes showed, cards held by each side."""
WIDTH = PLACES + 17


@kernel
def value_of(rank: int) -> int:
    """Counting value of a rank 0–12 (R7)."""
    return rank + 1 if rank < 9 else 10


@kernel
def card_points(pile: Any, start: int, end: int, count: int) -> int:
    """Points of the last card of pile[start:end] at `count` (R59, R68–R75)."""
    points = 2 if count == 15 or count == 31 else 0
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
    """Whose turn it is, and the running count: its total, its ranks `pile[start:end]`."""

    side: int
    total: int
    start: int
    end: int
    gone: int
    """Whether the other side has said go in this count."""
    last: int
    """The side that laid the last card."""


@kernel
def after_card(now: Turn, rank: int, others: int) -> Turn:
    """The turn after this rank is laid; `others`: cards the other side holds (R53–R66)."""
    count = now.total + value_of(rank)
    end = now.end + 1
    if count == 31:
        return Turn(1 - now.side if others > 0 else now.side, 0, end, end, 0, now.side)
    passes = now.gone == 0 and others > 0
    return Turn(1 - now.side if passes else now.side, count, now.start, end, now.gone, now.side)


@kernel
def after_go(now: Turn, own: int, others: int) -> Turn:
    """The turn after a go; `own`, `others`: cards the side on turn and the other hold (R57–R59).

    The total is 0 where the go has ended the count: then a point goes to the side that laid last.
    """
    if now.gone or others == 0:
        held = others if now.last == now.side else own
        return Turn(1 - now.last if held > 0 else now.last, 0, now.end, now.end, 0, now.last)
    return Turn(1 - now.side, now.total, now.start, now.end, 1, now.last)


@kernel
def _write(now: Turn, then: Any) -> None:
    then[TURN], then[COUNT], then[START] = now.side, now.total, now.start
    then[END], then[GONE], then[LAST] = now.end, now.gone, now.last


@kernel
def lay(public: Any, then: Any, rank: int) -> None:
    """Write the public play after the side on turn has laid this rank (R53–R66)."""
    for place in range(WIDTH):
        then[place] = public[place]
    turn = public[TURN]
    then[SEEN + rank] += 1
    then[HELD + turn] -= 1
    then[CODE] = public[CODE] * 15 + rank + 1
    if public[LAID] == 0:
        then[LEAD] = rank
    elif public[LAID] == 1:
        then[REPLY] = rank
    then[LAID] += 1
    now = Turn(turn, public[COUNT], public[START], public[END], public[GONE], public[LAST])
    _write(after_card(now, rank, public[HELD + 1 - turn]), then)


@kernel
def go(public: Any, then: Any) -> int:
    """Write the public play after a go; whether it ended the count, a point to who laid last (R57–R59)."""
    for place in range(WIDTH):
        then[place] = public[place]
    turn = public[TURN]
    then[CODE] = public[CODE] * 15 + 14
    then[LOWS + turn] = max(public[LOWS + turn], 31 - public[COUNT])
    now = Turn(turn, public[COUNT], public[START], public[END], public[GONE], public[LAST])
    _write(after_go(now, public[HELD + turn], public[HELD + 1 - turn]), then)
    return 1 if then[COUNT] == 0 else 0


@kernel
def forced_ending(pile: Any, now: Turn, pone: int, dealer: int) -> tuple[int, int]:
    """Points of pone and dealer from here on, each holding this one rank, or -1 for none.

    `pile` is written past `now.end`.
    """
    pegged, other_pegged = 0, 0
    while pone >= 0 or dealer >= 0:
        card, other = (pone, dealer) if now.side == 0 else (dealer, pone)
        others = 1 if other >= 0 else 0
        made, scorer = 0, now.side
        if card >= 0 and now.total + value_of(card) <= 31:
            pile[now.end] = card
            made = card_points(pile, now.start, now.end + 1, now.total + value_of(card))
            pone, dealer = (-1, dealer) if now.side == 0 else (pone, -1)
            now = after_card(now, card, others)
        else:
            now = after_go(now, 1 if card >= 0 else 0, others)
            if now.total == 0:
                made, scorer = 1, now.last
        if scorer == 0:
            pegged += made
        else:
            other_pegged += made
    if now.total > 0 and now.last == 0:
        pegged += 1
    elif now.total > 0:
        other_pegged += 1
    return pegged, other_pegged


class Alone(NamedTuple):
    """How a side best plays on, the other being out of cards."""

    points: int
    """Of the side alone, last cards included."""
    given: int
    """1 where no card fits at first, so that the other side has the last card of this count."""
    first: int
    """The rank to lay first, the lowest where several do as well."""


@kernel
def play_alone(pile: Any, start: int, end: int, count: int, cards: Any, size: int) -> Alone:
    """The most points from ascending cards[:size], one to four, against an empty hand that laid last.

    Every order is tried. `pile` is written past `end`.
    """
    given = 1 if count > 0 and count + value_of(cards[0]) > 31 else 0
    if given:
        count, start = 0, end
    orders = 1
    for more in range(2, size + 1):
        orders *= more
    best, first = -1, -1
    for order in range(orders):
        points = points_in_order(pile, start, end, count, cards, size, order)
        if points > best:
            best = points
            first = cards[order * size // orders]
    return Alone(best, given, first)


@kernel
def points_in_order(pile: Any, start: int, end: int, count: int, cards: Any, size: int, order: int) -> int:
    """Points of cards[:size] laid alone in one of their orders (0 to size! - 1); -1 where a go would lie."""
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
        if count + value_of(cards[at]) > 31:
            for other in range(size):
                if held >> other & 1 and count + value_of(cards[other]) <= 31:
                    return -1
            points += 1
            count, start = 0, end
        pile[end] = cards[at]
        end += 1
        count += value_of(cards[at])
        points += card_points(pile, start, end, count)
        if count == 31:
            count, start = 0, end
    return points + 1 if count > 0 else points
