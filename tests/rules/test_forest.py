"""The forest of the play: every way two hands of four can be played out, counted twice.

Cards of one rank are alike here. Over all 3,274,375 pairs of rank hands that one pack allows there are
545,768,753 ways; the rules' own `legal` and `step` are walked through a stated part of them.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice
from typing import Any

import pytest

from fifteentwo.rules.actions import Play
from fifteentwo.rules.cards import PACK
from fifteentwo.rules.events import Pegged, PeggedFor
from fifteentwo.rules.game import legal, step
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import SIX_CARD
from tests.rules.positions import at_play
from tests.rules.second_scorer import RANKS, play_points

Hand = tuple[int, ...]
Found = tuple[int, int, int, int]
"""Ways to the end, positions on the way (the first one too), and all points of pone and of dealer."""

ALL_HANDS: list[Hand] = list(combinations_with_replacement(range(13), 4))


def pairs() -> Iterator[tuple[Hand, Hand]]:
    for pone in ALL_HANDS:
        for dealer in ALL_HANDS:
            if all(pone.count(rank) + dealer.count(rank) <= 4 for rank in pone):
                yield pone, dealer


def by_the_rules(pone: Hand, dealer: Hand) -> Found:
    """Count with `legal` and `step`, a card of each rank standing for all of it."""
    used: dict[int, int] = {}
    hands: list[list[str]] = []
    for hand in (pone, dealer):
        words = []
        for rank in hand:
            words.append(PACK[rank * 4 + used.get(rank, 0)].text)
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
    """The same without the rules: two piles of ranks, a stack, and "who can still play?"."""
    held = [list(pone), list(dealer)]
    stack: list[int] = []
    points = [0, 0]
    found = [0, 0, 0, 0]

    def value(rank: int) -> int:
        return min(rank + 1, 10)

    def lay(turn: int) -> None:
        """The next card, `turn` first if it can; the other seat laid the last one."""
        found[1] += 1
        if not held[0] and not held[1]:
            found[0] += 1
            found[2] += points[0]
            found[3] += points[1]
            return
        room = 31 - sum(value(rank) for rank in stack)
        for seat in (turn, 1 - turn):
            if any(value(rank) <= room for rank in held[seat]):
                lay_from(seat)
                return
        turned_down = stack[:]
        stack.clear()
        lay_from(turn if held[turn] else 1 - turn)
        stack[:] = turned_down

    def lay_from(seat: int) -> None:
        room = 31 - sum(value(rank) for rank in stack)
        for rank in sorted(set(held[seat])):
            if value(rank) > room:
                continue
            held[seat].remove(rank)
            stack.append(rank)
            made = play_points([RANKS[laid] + "S" for laid in stack])
            left = 31 - sum(value(laid) for laid in stack)
            if left and not any(value(other) <= left for hand in held for other in hand):
                made += 1
            points[seat] += made
            lay(1 - seat)
            points[seat] -= made
            stack.pop()
            held[seat].append(rank)

    lay(0)
    return found[0], found[1], found[2], found[3]


def test_two_hands_without_a_limit_can_be_played_in_576_ways() -> None:
    """4! × 4!: four small different cards each never meet 31."""
    assert by_the_rules((0, 1, 2, 3), (4, 5, 6, 7))[0] <= 576
    assert by_hand((0, 1, 2, 3), (0, 1, 2, 3))[0] == by_the_rules((0, 1, 2, 3), (0, 1, 2, 3))[0] == 576
    # Four kings against four queens: one way only.
    assert by_hand((12,) * 4, (11,) * 4)[0] == by_the_rules((12,) * 4, (11,) * 4)[0] == 1


def test_every_54001st_pair() -> None:
    """The stated part: pairs number 0, 54,001, 108,002, … of all, in the order of the ranks."""
    total = [0, 0, 0, 0]
    tried = 0
    for pone, dealer in islice(pairs(), 0, None, 54_001):
        first, second = by_the_rules(pone, dealer), by_hand(pone, dealer)
        assert first == second, (pone, dealer)
        total = [sum(both) for both in zip(total, first, strict=True)]
        tried += 1
    assert tried == 61
    assert total[0] > 5_000


def test_number_of_pairs() -> None:
    fits = 0
    for pone in ALL_HANDS:
        room = {rank: 4 - pone.count(rank) for rank in set(pone)}
        fits += sum(all(dealer.count(rank) <= most for rank, most in room.items()) for dealer in ALL_HANDS)
    assert len(ALL_HANDS) == 1_820
    assert fits == 3_274_375


@pytest.mark.slow
def test_every_10009th_pair() -> None:
    for pone, dealer in islice(pairs(), 7, None, 10_009):
        assert by_the_rules(pone, dealer) == by_hand(pone, dealer), (pone, dealer)


def forest() -> tuple[Any, Any]:
    """A third counter for all pairs: compiled, hands packed three bits a rank."""
    import numba
    import numpy as np

    @numba.njit("void(int64, int64, int64, int64[:])")
    def lay(own: Any, other: Any, count: Any, found: Any) -> None:
        found[1] += 1
        if own == 0 and other == 0:
            found[0] += 1
            return
        for turn in range(2):
            mine, yours = (own, other) if turn == 0 else (other, own)
            could = False
            for rank in range(13):
                value = min(rank + 1, 10)
                if (mine >> (3 * rank)) & 7 and count + value <= 31:
                    could = True
                    lay(yours, mine - (1 << (3 * rank)), count + value, found)
            if could:
                return
        # The other laid the last card, so the one to move leads, if it has a card.
        if own == 0:
            own, other = other, own
        for rank in range(13):
            if (own >> (3 * rank)) & 7:
                lay(other, own - (1 << (3 * rank)), min(rank + 1, 10), found)

    packed = np.array([sum(1 << (3 * rank) for rank in hand) for hand in ALL_HANDS], dtype=np.int64)
    return lay, packed


def test_the_third_counter_agrees_with_the_second() -> None:
    import numpy as np

    lay, packed = forest()
    places = {hand: place for place, hand in enumerate(ALL_HANDS)}
    for pone, dealer in islice(pairs(), 3, None, 54_001):
        found = np.zeros(2, dtype=np.int64)
        lay(packed[places[pone]], packed[places[dealer]], 0, found)
        assert (int(found[0]), int(found[1])) == by_hand(pone, dealer)[:2]


@pytest.mark.slow
def test_the_whole_forest() -> None:
    """545,768,753 ways to play out all pairs, at most 576 a pair."""
    import numpy as np

    lay, packed = forest()
    place = {hand: number for number, hand in enumerate(ALL_HANDS)}
    found = np.zeros(2, dtype=np.int64)
    tried, most = 0, 0
    for pone, dealer in pairs():
        before = int(found[0])
        lay(packed[place[pone]], packed[place[dealer]], 0, found)
        most = max(most, int(found[0]) - before)
        tried += 1
    assert (tried, int(found[0]), most) == (3_274_375, 545_768_753, 576)
    assert int(found[1]) == 2_277_510_349
