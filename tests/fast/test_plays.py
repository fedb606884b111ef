"""Arrays of plays equal `fast.play` in every field, play by play."""

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from fifteentwo.fast import play, plays
from fifteentwo.fast.hands import hands
from fifteentwo.fast.play import COUNT, END, HELD, START, TURN, WIDTH
from fifteentwo.fast.plays import Ints, Plays
from fifteentwo.strategy.pegging import starting


class Moment(NamedTuple):
    """One public play and the hands in it."""

    public: Ints
    pile: Ints
    hands: tuple[tuple[int, ...], tuple[int, ...]]


def played(seed: int) -> Iterator[Moment]:
    """Return every moment of the pegging of one random deal; few ranks make many pairs and runs."""
    chance = random.Random(seed)
    few = chance.choice((3, 5, 13))
    deck = chance.sample([rank for rank in range(few) for _ in range(4)], 8)
    hands = [deck[:4], deck[4:]]
    public, pile = starting(), np.zeros(16, np.int64)
    while any(hands):
        yield Moment(public.copy(), pile.copy(), (tuple(sorted(hands[0])), tuple(sorted(hands[1]))))
        turn, highest = int(public[TURN]), 31 - int(public[COUNT])
        fitting = [rank for rank in hands[turn] if play.value_of(rank) <= highest]
        then = np.zeros(WIDTH, np.int64)
        if fitting:
            rank = chance.choice(fitting)
            hands[turn].remove(rank)
            pile[public[END]] = rank
            play.play_rank(public, then, rank)
        else:
            play.go(public, then)
        public = then


@cache
def moments() -> tuple[Moment, ...]:
    return tuple(moment for seed in range(250) for moment in played(seed))


def together(some: tuple[Moment, ...]) -> Plays:
    return Plays(np.array([moment.public for moment in some]), np.array([moment.pile for moment in some]))


def test_r55_what_fits_and_r59_to_r75_what_it_pegs() -> None:
    now = together(moments())
    fits, points = plays.fits(now), plays.points(now)
    for at, (public, pile, _) in enumerate(moments()):
        for rank in range(13):
            count = int(public[COUNT]) + play.value_of(rank)
            assert fits[at, rank] == (count <= 31)
            if fits[at, rank]:
                played = pile.copy()
                played[public[END]] = rank
                assert points[at, rank] == play.card_points(
                    played, int(public[START]), int(public[END]) + 1, count
                )
    assert points[fits].max() >= 12


def test_points_of_one_rank_a_play() -> None:
    now = together(moments())
    ranks = np.random.default_rng(5).integers(13, size=(len(now.public), 2))
    asked = plays.points(now, ranks)
    assert (asked == np.take_along_axis(plays.points(now), ranks, axis=1)).all()


def test_r53_to_r66_every_field_after_a_card() -> None:
    now = together(moments())
    holds = now.public[np.arange(len(now.public)), HELD + now.public[:, TURN]] > 0
    rows, ranks = np.nonzero(plays.fits(now) & holds[:, None])
    after = plays.play_rank(now, rows, ranks)
    for at, (row, rank) in enumerate(zip(rows.tolist(), ranks.tolist(), strict=True)):
        then = np.zeros(WIDTH, np.int64)
        play.play_rank(now.public[row], then, rank)
        assert (after.public[at] == then).all(), (now.public[row], rank)
        assert after.pile[at, now.public[row, END]] == rank
    assert len(rows) > 10_000


def test_r57_to_r59_every_field_after_a_go() -> None:
    now = together(moments())
    rows = np.flatnonzero(now.public[:, COUNT] > 0)
    after = plays.go(now, rows)
    ended = 0
    for at, row in enumerate(rows.tolist()):
        then = np.zeros(WIDTH, np.int64)
        ended += play.go(now.public[row], then)
        assert (after.public[at] == then).all(), now.public[row]
    assert 100 < ended < len(rows)


def best_alone(pile: list[int], start: int, count: int, hand: tuple[int, ...]) -> int:
    """Return the most points of a hand against an empty hand, over all orders of its cards."""
    if not hand:
        return int(count > 0)
    fitting = [rank for rank in hand if count + play.value_of(rank) <= 31]
    if not fitting:
        return 1 + best_alone(pile, len(pile), 0, hand)
    found = []
    for rank in fitting:
        at = hand.index(rank)
        then, now = [*pile, rank], count + play.value_of(rank)
        points = play.card_points(then, start, len(then), now)
        start_after, now = (len(then), 0) if now == 31 else (start, now)
        found.append(points + best_alone(then, start_after, now, hand[:at] + hand[at + 1 :]))
    return max(found)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_c6_alone_to_the_end(size: int) -> None:
    """Checks some moments with many hands; the side that played last does not matter."""
    needed = 0
    for public, pile, _ in moments()[:: 20 * size]:
        start, end, count = int(public[START]), int(public[END]), int(public[COUNT])
        for hand in hands(size)[:: 2 * size - 1]:
            alone = play.play_alone(pile.copy(), start, end, count, np.array(hand), size)
            best = best_alone(pile[:end].tolist(), start, count, hand)
            assert alone.points + alone.needs_go == best
            needed += alone.needs_go
    assert needed


def test_what_is_given_stays_as_it_is() -> None:
    some = moments()[:40]
    now = together(some)
    before = now.public.copy(), now.pile.copy()
    rows = np.arange(len(some))
    able = rows[now.public[rows, HELD + now.public[rows, TURN]] > 0]
    plays.play_rank(now, able, np.zeros(len(able), np.int64))
    plays.go(now, rows)
    assert (now.public == before[0]).all()
    assert (now.pile == before[1]).all()
