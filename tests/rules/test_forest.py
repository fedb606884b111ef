"""The forest of the play: every way two hands of four can be played out, cards of one rank being alike.

Over all 3,274,375 pairs of rank hands that one deck allows there are 545,768,753 ways. The fast form walks
all of them against a counter that shares nothing with it (`make slow`); the rules' own `legal` and `step`
walk a stated part, 3,847 ways in `make test` and 57,892 in `make slow`, against the fast form and a count
by hand.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations_with_replacement, islice
from multiprocessing import get_context
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from fifteentwo.fast import play
from fifteentwo.fast.compiled import compiled
from fifteentwo.rules.actions import Play
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.events import Pegged, PeggedFor
from fifteentwo.rules.game import legal, step
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import SIX_CARD
from tests.rules.positions import at_play
from tests.rules.second_scorer import RANKS, play_points

Hand = tuple[int, ...]
Walk = Callable[..., None]
Found = tuple[int, int, int, int]
"""Numbers of ways and positions, and the sums of pone's and dealer's points."""

PACKED: dict[Hand, int] = {
    hand: sum(1 << 4 * rank for rank in hand) for hand in combinations_with_replacement(range(13), 4)
}
"""All hands of four ranks; a code of four bits per rank holds the number of its copies."""
EACH = sum(1 << 4 * rank for rank in range(13))


def dealer_hands(pone: Hand) -> Iterator[Hand]:
    """Return the hands that one deck allows with this one: at most four cards of a rank."""
    # Three more carry five copies, and no fewer, into the fourth bit.
    full = PACKED[pone] + 3 * EACH
    return (hand for hand, own in PACKED.items() if not (full + own) & 8 * EACH)


def pairs() -> Iterator[tuple[Hand, Hand]]:
    return ((pone, dealer) for pone in PACKED for dealer in dealer_hands(pone))


def by_the_rules(pone: Hand, dealer: Hand) -> Found:
    """Count with `legal` and `step`; one card of each rank represents the others."""
    used: dict[int, int] = {}
    hands: list[list[str]] = []
    for hand in (pone, dealer):
        words = []
        for rank in hand:
            words.append(DECK[rank * 4 + used.get(rank, 0)].text)
            used[rank] = used.get(rank, 0) + 1
        hands.append(words)
    return _walk(at_play(SIX_CARD, hands), (0, 0))


def _walk(state: State, points: tuple[int, int]) -> Found:
    if state.phase is not Phase.PLAY:
        return 1, 1, *points
    ways, positions, pone, dealer = 0, 1, 0, 0
    tried = set()
    for action in legal(state):
        assert isinstance(action, Play)
        if action.card.rank in tried:
            continue
        tried.add(action.card.rank)
        after, events = step(state, action)
        made = list(points)
        for event in events:
            if isinstance(event, Pegged) and event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD):
                made[event.side] += event.points
        found = _walk(after, (made[0], made[1]))
        ways, positions = ways + found[0], positions + found[1]
        pone, dealer = pone + found[2], dealer + found[3]
    return ways, positions, pone, dealer


def by_hand(pone: Hand, dealer: Hand) -> Found:
    """Count without the rules: two piles of ranks, a stack, and "who can still play?"."""
    held = [list(pone), list(dealer)]
    stack: list[int] = []
    points = [0, 0]
    found = [0, 0, 0, 0]

    def value(rank: int) -> int:
        return min(rank + 1, 10)

    def act_on(turn: int) -> None:
        """Play the next card: `turn` first if it can; the other seat played the last one."""
        found[1] += 1
        if not held[0] and not held[1]:
            found[0] += 1
            found[2] += points[0]
            found[3] += points[1]
            return
        space = 31 - sum(value(rank) for rank in stack)
        for seat in (turn, 1 - turn):
            if any(value(rank) <= space for rank in held[seat]):
                put_from(seat)
                return
        turned_down = stack[:]
        stack.clear()
        put_from(turn if held[turn] else 1 - turn)
        stack[:] = turned_down

    def put_from(seat: int) -> None:
        space = 31 - sum(value(rank) for rank in stack)
        for rank in sorted(set(held[seat])):
            if value(rank) > space:
                continue
            held[seat].remove(rank)
            stack.append(rank)
            made = play_points([RANKS[played] + "S" for played in stack])
            left = 31 - sum(value(played) for played in stack)
            if left and not any(value(other) <= left for hand in held for other in hand):
                made += 1
            points[seat] += made
            act_on(1 - seat)
            points[seat] -= made
            stack.pop()
            held[seat].append(rank)

    act_on(0)
    return found[0], found[1], found[2], found[3]


def as_it_is(function: Walk) -> Walk:
    return function


def by_the_fast_form(module: ModuleType, loaded: Callable[[Walk], Walk] = as_it_is) -> Walk:
    """Add the result of a walk through the kernels of `fast.play` to `found`."""
    play_rank, go, card_points, value_of = module.play_rank, module.go, module.card_points, module.value_of
    turn_at, count_at, start_at, end_at, last_at = play.TURN, play.COUNT, play.START, play.END, play.LAST
    held_at = play.HELD

    @loaded
    def walk(level: int, table: Any, hands: Any, pile: Any, points: Any, found: Any) -> None:
        now, then = table[level], table[level + 1]
        turn, count, end = now[turn_at], now[count_at], now[end_at]
        if now[held_at] + now[held_at + 1] == 0:
            found[0] += 1
            for side in range(2):
                found[2 + side] += points[side]
            # A count below 31 that was open at the end had its last card too.
            if count:
                found[2 + now[last_at]] += 1
            return
        could = False
        for rank in range(13):
            if hands[turn, rank] and count + value_of(rank) <= 31:
                could = True
                pile[end] = rank
                made = card_points(pile, now[start_at], end + 1, count + value_of(rank))
                play_rank(now, then, rank)
                found[1] += 1
                hands[turn, rank] -= 1
                points[turn] += made
                walk(level + 1, table, hands, pile, points, found)
                points[turn] -= made
                hands[turn, rank] += 1
        if not could:
            last, ended = now[last_at], go(now, then)
            points[last] += ended
            walk(level + 1, table, hands, pile, points, found)
            points[last] -= ended

    return walk


def walked(walk: Walk, pone: Hand, dealer: Hand) -> Found:
    """Return the result of the fast form for one pair."""
    table = np.zeros((20, play.WIDTH), np.int64)
    table[0, play.LAST] = 1
    table[0, play.HELD : play.HELD + 2] = 4
    hands = np.array([[hand.count(rank) for rank in range(13)] for hand in (pone, dealer)])
    found = np.array([0, 1, 0, 0])
    walk(0, table, hands, np.zeros(8, np.int64), np.zeros(2, np.int64), found)
    ways, positions, *points = found.tolist()
    return ways, positions, points[0], points[1]


def all_ways(pone: Hand, dealer: Hand) -> Found:
    """Return the result if the rules, the fast form and the count by hand agree."""
    ways = by_the_rules(pone, dealer)
    assert ways == walked(by_the_fast_form(play), pone, dealer) == by_hand(pone, dealer), (pone, dealer)
    return ways


def test_two_hands_without_a_limit_can_be_played_in_576_ways() -> None:
    """4! × 4!: four small different cards each never meet 31."""
    assert all_ways((0, 1, 2, 3), (0, 1, 2, 3))[0] == 576
    # Four kings against four queens: one way only.
    assert all_ways((12,) * 4, (11,) * 4)[0] == 1


SAMPLES = [
    (0, 162_003, [3_847, 15_858, 7_874, 11_659]),
    pytest.param(7, 10_009, [57_892, 240_398, 99_867, 160_276], marks=pytest.mark.slow),
]
"""The first pair and the distance of the others in the order of the ranks, and the sums of what is found."""


@pytest.mark.parametrize(("first", "step", "found"), SAMPLES)
def test_a_sample_of_pairs(first: int, step: int, found: list[int]) -> None:
    total = np.sum([all_ways(*pair) for pair in islice(pairs(), first, None, step)], axis=0)
    assert total.tolist() == found


def by_a_counter(loaded: Callable[[Walk], Walk]) -> Walk:
    """Count in a third way: without pile and points, with hands packed in four bits a rank."""

    @loaded
    def act_on(own: int, other: int, count: int, found: Any) -> None:
        found[1] += 1
        if own == 0 and other == 0:
            found[0] += 1
            return
        for turn in range(2):
            mine, yours = (own, other) if turn == 0 else (other, own)
            could = False
            for rank in range(13):
                value = min(rank + 1, 10)
                if (mine >> (4 * rank)) & 7 and count + value <= 31:
                    could = True
                    act_on(yours, mine - (1 << (4 * rank)), count + value, found)
            if could:
                return
        # The other played the last card, so the one to move leads, if it has a card.
        if own == 0:
            own, other = other, own
        for rank in range(13):
            if (own >> (4 * rank)) & 7:
                act_on(other, own - (1 << (4 * rank)), min(rank + 1, 10), found)

    return act_on


@cache
def compiled_ways() -> tuple[Walk, Walk]:
    """Return the compiled walk of the fast form, and the compiled counter."""
    import numba

    row, table = "int64[::1]", "int64[:, ::1]"
    walk = numba.njit(f"void(int64, {table}, {table}, {row}, {row}, {row})")
    count = numba.njit(f"void(int64, int64, int64, {row})")
    return by_the_fast_form(compiled(play.__name__), walk), by_a_counter(count)


def all_ways_of(pone: Hand) -> tuple[int, int, int, int]:
    """Return the pairs with this hand, their ways and positions, and the most ways of one pair."""
    walk, count = compiled_ways()
    tried, ways, positions, most = 0, 0, 0, 0
    for dealer in dealer_hands(pone):
        found, counted = walked(walk, pone, dealer), np.zeros(2, np.int64)
        count(PACKED[pone], PACKED[dealer], 0, counted)
        assert list(found[:2]) == counted.tolist(), (pone, dealer)
        tried, ways, positions = tried + 1, ways + found[0], positions + found[1]
        most = max(most, found[0])
    return tried, ways, positions, most


@pytest.mark.slow
def test_the_whole_forest() -> None:
    """Every pair by the compiled fast form and the compiled counter."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as workers:
        tried, ways, positions, most = zip(*workers.map(all_ways_of, PACKED, chunksize=10), strict=True)
    assert (sum(tried), max(most)) == (3_274_375, 576)
    assert (sum(ways), sum(positions)) == (545_768_753, 2_277_510_349)
