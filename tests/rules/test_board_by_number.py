"""R115–R122: pegs and holes; each by its number."""

import pytest

from fifteentwo.rules.board import Column, HoleA, HoleB, Pegs, hole_a, hole_b, skunk_lines
from fifteentwo.rules.events import Pegged
from fifteentwo.rules.state import start
from fifteentwo.rules.variants import rules_for
from tests.rules.positions import ALL
from tests.rules.random_games import game


def test_r115_two_pegs_a_side() -> None:
    for rules in ALL:
        state = start(rules)
        assert len(state.front) == len(state.rear) == rules.sides
    assert Pegs() == Pegs(0, 0)


def test_r116_the_pegs_leapfrog() -> None:
    pegs, stated = Pegs(), []
    for points in (2, 12, 1, 29):
        pegs = pegs.move(points)
        stated.append((pegs.front, pegs.rear))
    assert stated == [(2, 0), (14, 2), (15, 14), (44, 15)]
    assert pegs.move(0) is pegs


def test_r116_the_game_hole_is_the_last(subtests: pytest.Subtests) -> None:
    for front, points, target, at in (
        (119, 1, 121, 120),
        (119, 2, 121, 121),
        (119, 29, 121, 121),
        (60, 1, 61, 61),
        (59, 1, 61, 60),
    ):
        with subtests.test(front=front, points=points, target=target, at=at):
            assert Pegs(front, 0).move(points, target) == Pegs(at, front)


def test_r117_r118_in_every_game_the_rear_peg_shows_the_score_before() -> None:
    for number in range(30):
        pegs: dict[int, Pegs] = {}
        for moment in game(number):
            target = moment.before.rules.target
            for event in moment.events:
                if isinstance(event, Pegged):
                    # The pegs of the other side do not move.
                    pegs[event.side] = pegs.get(event.side, Pegs()).move(event.points, target)
            for side, (front, rear) in enumerate(zip(moment.after.front, moment.after.rear, strict=True)):
                assert pegs.get(side, Pegs()) == Pegs(front, rear)


def test_r119_board_a_is_one_track_of_120_and_the_game_hole() -> None:
    holes = [hole_a(score) for score in range(1, 121)]
    assert None not in holes
    assert len(set(holes)) == 120
    assert hole_a(1) == HoleA(1, 1)
    assert (hole_a(30), hole_a(31)) == (HoleA(1, 30), HoleA(2, 1))
    assert (hole_a(90), hole_a(91)) == (HoleA(3, 30), HoleA(4, 1))
    assert hole_a(120) == HoleA(4, 30)
    for off in (-1, 0, 121, 122):
        assert hole_a(off) is None
        assert hole_b(off) is None


def test_r119_the_skunk_lines() -> None:
    assert skunk_lines(121) == {"skunk": 91, "double_skunk": 61}
    assert skunk_lines(61) == {"skunk": 31}
    # Other targets: no skunk unless a line is given (C15).
    for other in (1, 31, 60, 100, 120, 181):
        assert skunk_lines(other) == {}
    for target in (121, 61):
        rules = rules_for("six-card", target=target, skunk=True)
        assert rules.skunk_line == skunk_lines(target)["skunk"]


def test_r120_board_b_up_the_outer_and_down_the_inner_twice() -> None:
    way = [
        *((1, "outer", row) for row in range(1, 31)),
        *((1, "inner", row) for row in range(30, 0, -1)),
        *((2, "outer", row) for row in range(1, 31)),
        *((2, "inner", row) for row in range(30, 0, -1)),
    ]
    assert [hole_b(score) for score in range(1, 121)] == [
        HoleB(lap, Column(column), row) for lap, column, row in way
    ]
