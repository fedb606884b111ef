"""Kernels that follow the pegging of two kept hands through every card that the solved book may play.

Sides: 0 pone, 1 dealer; ranks 0–12. The public state has the layout of `fast.play`.
"""

from typing import Any

import numpy as np

from fifteentwo.fast.book_policy import hand_policy
from fifteentwo.fast.compiled import kernel
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
    play_alone,
    play_rank,
    playable,
    value_of,
)
from fifteentwo.strategy.pegging_points import NEAR, SPAN

MAX_WAITING = 64
"""Maximum number of unfinished plays of two hands at a time."""
MAX_EVENTS = 24
"""Maximum number of events in one play of two hands."""
LAST_CARD_FLAG = 64
"""Bit of an event that marks the point for a go or the last card."""
MIN_PROBABILITY = 1e-6
"""Plays with a smaller probability are not continued."""


@kernel
def begin_play(public: Any) -> None:
    """Write the public state of pegging before the first card to `public`."""
    for place in range(WIDTH):
        public[place] = 0
    public[HELD], public[HELD + 1] = 4, 4
    public[LAST] = 1


@kernel
def count_playable(count: int, cards: Any, held: int) -> tuple[int, int]:
    """Return how many of cards[:held] can be played, and the position of the last of them (-1: none)."""
    fitting = 0
    last = -1
    for i in range(held):
        if playable(count, value_of(cards[i])):
            fitting += 1
            last = i
    return fitting, last


@kernel
def first_card_alone(public: Any, pile: Any, cards: Any) -> int:
    """Return the position of the card that starts the best order if the other side has no cards."""
    held = public[HELD + public[TURN]]
    first = play_alone(pile, public[START], public[END], public[COUNT], cards, held).first
    place = 0
    while cards[place] != first:
        place += 1
    return place


@kernel
def card_policy(public: Any, hand: Any, held: int, pile: Any, book: Any, policy: Any) -> int:
    """Write each card's probability by the book to policy (4,). Return the number of playable cards."""
    for i in range(4):
        policy[i] = 0.0
    fitting, last = count_playable(public[COUNT], hand, held)
    if fitting == 0:
        return 0
    if fitting == 1:
        policy[last] = 1.0
        return 1
    if public[HELD + 1 - public[TURN]] == 0:
        policy[first_card_alone(public, pile, hand)] = 1.0
        return fitting
    hand_policy(book, public, hand, held, policy)
    total = 0.0
    first = -1
    for i in range(held):
        if policy[i] < 0:
            policy[i] = 0.0
        elif first < 0:
            first = i
        total += policy[i]
    if total <= 0:
        policy[first] = 1.0
        return fitting
    for i in range(held):
        policy[i] /= total
    return fitting


@kernel
def walk(pone: Any, dealer: Any, book: Any, scratch: Any, plays: Any, chances: Any) -> int:
    """Write every way in which the book plays two hands, and its probability. Return their number.

    pone, dealer: (4,) ranks ascending. plays: (n, MAX_EVENTS) number of cards played << 8 | 1 << 7 for a last
    card | points << 1 | side, then 0. scratch: the result of `scratch`.
    """
    states, holds, _, events, odds = scratch
    begin_play(states[0])
    for i in range(4):
        holds[0, 0, i] = pone[i]
        holds[0, 1, i] = dealer[i]
    events[0, 0] = 0
    odds[0] = 1.0
    return _play_all(book, scratch, plays, chances)


@kernel
def _play_all(book: Any, scratch: Any, plays: Any, chances: Any) -> int:
    states, holds, piles, events, odds = scratch
    policy = np.zeros(4, np.float64)
    waiting = 1
    ended = 0
    while waiting > 0:
        waiting -= 1
        at = waiting
        public = states[at]
        turn = public[TURN]
        if public[HELD] + public[HELD + 1] == 0:
            if public[COUNT] > 0:
                _write_event(events[at], public[PLAYED], LAST_CARD_FLAG | 1, public[LAST])
            plays[ended] = events[at]
            chances[ended] = odds[at]
            ended += 1
            continue
        held = public[HELD + turn]
        if card_policy(public, holds[at, turn], held, piles[at], book, policy) == 0:
            played, last = public[PLAYED], public[LAST]
            if go(public, states[MAX_WAITING]):
                _write_event(events[at], played, LAST_CARD_FLAG | 1, last)
            states[at] = states[MAX_WAITING]
            waiting += 1
            continue
        # Rows are written from the last card to the first, because the first card overwrites row `at`.
        ways = 0
        for i in range(held):
            if policy[i] * odds[at] > MIN_PROBABILITY:
                ways += 1
        row = at + ways
        for i in range(held - 1, -1, -1):
            probability = policy[i]
            if probability * odds[at] <= MIN_PROBABILITY:
                continue
            row -= 1
            _play_on(scratch, at, row, i, probability)
        waiting = at + ways
    return ended


@kernel
def _play_on(scratch: Any, at: int, row: int, i: int, probability: float) -> None:
    """Continue the unfinished play in row `at` with card i, and write it to row `row`, which may be `at`."""
    states, holds, piles, events, odds = scratch
    turn = states[at, TURN]
    rank = holds[at, turn, i]
    held = states[at, HELD + turn]
    play_rank(states[at], states[MAX_WAITING], rank)
    start, end = states[at, START], states[at, END]
    count = states[at, COUNT] + value_of(rank)
    if row != at:
        holds[row] = holds[at]
        piles[row] = piles[at]
        events[row] = events[at]
    for j in range(i, held - 1):
        holds[row, turn, j] = holds[row, turn, j + 1]
    piles[row, end] = rank
    points = card_points(piles[row], start, end + 1, count)
    odds[row] = odds[at] * probability
    states[row] = states[MAX_WAITING]
    if points > 0:
        _write_event(events[row], states[row, PLAYED], points, turn)


@kernel
def _write_event(events: Any, played: int, points: int, side: int) -> None:
    at = 0
    while events[at] != 0:
        at += 1
    events[at] = played << 8 | points << 1 | side
    events[at + 1] = 0


def scratch() -> tuple[Any, ...]:
    """Return new buffers for `walk`, which overwrites them for each pair of hands."""
    return (
        np.zeros((MAX_WAITING + 1, WIDTH), np.int64),
        np.zeros((MAX_WAITING, 2, 4), np.int64),
        np.zeros((MAX_WAITING, 16), np.int64),
        np.zeros((MAX_WAITING, MAX_EVENTS), np.int64),
        np.zeros(MAX_WAITING, np.float64),
    )


@kernel
def count(pone: int, hands: Any, weights: Any, book: Any, scratch: Any, counts: Any, columns: Any) -> int:
    """Write the plays of one pone's hand against every dealer's hand; return their number.

    weights: (3, 1820) of each dealer's hand: as this pone's opponent, with this pone as its opponent, and of
    both together; negative if no deck holds both. columns: dealer's hand, SPAN * pone's points + dealer's
    points, and probability. counts: see `play_counts.Counts`.
    """
    first, rest, rest_first = counts
    against, cells, odds = columns
    plays = np.zeros((4096, MAX_EVENTS), np.int64)
    chances = np.zeros(4096, np.float64)
    pegged = np.zeros(2, np.int64)
    rows = 0
    for dealer in range(len(hands)):
        if weights[2, dealer] < 0:
            continue
        for play in range(walk(hands[pone], hands[dealer], book, scratch, plays, chances)):
            events, chance = plays[play], chances[play]
            _total(events, -1, pegged)
            against[rows] = dealer
            cells[rows] = SPAN * min(pegged[0], SPAN - 1) + min(pegged[1], SPAN - 1)
            odds[rows] = chance
            rows += 1
            _add_first(events, -1, 0, weights[0, dealer] * chance, first[0, pone])
            _add_first(events, -1, 1, weights[1, dealer] * chance, first[1, dealer])
            for played in range(9):
                _total(events, played, pegged)
                i, j = min(pegged[0], SPAN - 1), min(pegged[1], SPAN - 1)
                rest[played, i, j] += weights[2, dealer] * chance
                _add_first(events, played, 0, weights[2, dealer] * chance, rest_first[played])
    return rows


@kernel
def _to_come(event: int, played: int) -> bool:
    """Return whether an event happens after this number of cards."""
    return event >> 8 > played or (event >> 8 == played and event >> 1 & LAST_CARD_FLAG > 0)


@kernel
def _total(events: Any, played: int, pegged: Any) -> None:
    """Write to `pegged` (2,) the points of both sides after this number of cards; -1 counts all."""
    pegged[0] = 0
    pegged[1] = 0
    at = 0
    while events[at] != 0:
        if _to_come(events[at], played):
            pegged[events[at] & 1] += events[at] >> 1 & 63
        at += 1


@kernel
def _add_first(events: Any, played: int, own: int, weight: float, first: Any) -> None:
    """Add `weight` to first[x - 1, y - 1] if side `own` pegs x points before the other side pegs y."""
    pegged = np.zeros(2, np.int64)
    _total(events, played, pegged)
    most = min(pegged[1 - own], NEAR)
    pegged[0] = 0
    pegged[1] = 0
    at = 0
    while events[at] != 0:
        side = events[at] & 1
        if _to_come(events[at], played):
            before = pegged[side]
            pegged[side] += events[at] >> 1 & 63
            if side == own:
                for x in range(before, min(pegged[side], NEAR)):
                    for y in range(pegged[1 - side], most):
                        first[x, y] += weight
        at += 1
