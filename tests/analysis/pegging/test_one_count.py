"""Win probability in five-card pegging equals a plain walk over every line."""

from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

from fifteentwo.analysis.pegging import one_count
from fifteentwo.analysis.pegging.one_count import OneCount, forced_points, second_chances
from fifteentwo.fast.hands import TRIPLES
from fifteentwo.rules.cards import Card
from fifteentwo.rules.state import Phase
from fifteentwo.rules.view import View
from fifteentwo.strategy.pegging import ImpossiblePlay
from tests.analysis.hint_positions import positions
from tests.analysis.test_five_card import table, who_came_here
from tests.lab.five_card.plain_walk import Holding, Position, played, value


def in_pegging(number: int, least: int = 0) -> list[View]:
    """Return Views of club players on turn, with a choice, after a number of cards or more."""
    return [
        seen
        for seen, _ in positions("five-card", number)
        if seen.phase is Phase.PLAY and len(seen.played) >= least and len(seen.playable) > 1
    ]


def ranks(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted(1 + (card.index >> 2) for card in cards))


@pytest.fixture
def _no_noise(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(one_count, "EQUILIBRIUM_EPSILON", 0.0)
    second_chances.cache_clear()
    yield
    second_chances.cache_clear()


@pytest.mark.usefixtures("_no_noise")
def test_points_of_every_card_equal_a_plain_walk() -> None:
    compared = 0
    for seen in in_pegging(120, least=2):
        assert seen.starter is not None
        own, starter = Holding(ranks(seen.hand), ranks(seen.discarded)), 1 + (seen.starter.index >> 2)
        pile = tuple(1 + (card.index >> 2) for _, card in seen.played)
        if len(pile) > 3 or seen.said_go or compared == 4:
            continue
        others = who_came_here(own, pile, starter)
        if not others or len({*own.cards}) < 2:
            continue
        compared += 1
        found = OneCount(seen).values()
        for rank in {*ranks(seen.playable)}:
            after, points = played(Position(len(pile) % 2, pile), rank)
            rest = list(own.cards)
            rest.remove(rank)
            left = own._replace(cards=tuple(rest))
            later = value(len(pile) % 2, left, others, after, table(starter), best=True)
            expected = points + later / sum(others.values())
            assert found[rank - 1][0] == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert compared == 4


def test_the_win_probability_is_that_of_the_best_card() -> None:
    for seen in in_pegging(24):
        found = OneCount(seen)
        values = found.values()
        assert {*values} == {card.index >> 2 for card in seen.playable}
        assert all(0 <= win <= 1 for _, win in values.values())
        assert found.chance() == pytest.approx(max(win for _, win in values.values()))


def test_r14_points_that_reach_61_win_and_points_after_them_count_nothing() -> None:
    seen = next(one for one in in_pegging(60, least=1) if max_points(one) >= 2)
    own, other = 61 - max_points(seen), 60
    front = (own, other) if seen.side == 0 else (other, own)
    best = max(OneCount(msgspec.structs.replace(seen, front=front)).values().values(), key=lambda one: one[1])
    assert best[1] == pytest.approx(1)
    assert OneCount(seen).chance_after_count((61, 40)) == 1
    assert OneCount(seen).chance_after_count((40, 61)) == 0


def max_points(seen: View) -> int:
    from fifteentwo.analysis.win.counting import points_at_once

    return max(points_at_once(seen, card) for card in seen.playable)


def test_a_point_more_never_wins_less() -> None:
    for seen in in_pegging(12, least=1):
        found = OneCount(seen)
        chances = [found.chance_after_count((own, 50)) for own in range(40, 61)]
        assert np.diff(chances).min() >= -1e-9


def test_r55_a_side_that_has_gone_holds_nothing_that_fits() -> None:
    gone = [
        seen
        for seen, _ in positions("five-card", 300)
        if seen.phase is Phase.PLAY and seen.said_go and seen.seat not in seen.said_go
    ]
    assert gone
    for seen in gone[:5]:
        held = OneCount(seen).held
        for row in np.flatnonzero(held.weight.sum(axis=1)):
            left = [*(TRIPLES[held.kept[row]] + 1)]
            for seat, card in seen.played:
                if seat != seen.seat:
                    left.remove(1 + (card.index >> 2))
            assert all(seen.count + min(rank, 10) > 31 for rank in left)


def test_r60_r102_last_card_scores_one_unless_it_makes_31() -> None:
    assert forced_points((9, 9, 9), 0, 0, 0, None) == ((0, 2),)
    assert forced_points((9, 9, 8), 0, 0, 0, None) == ((0, 1),)
    assert forced_points((9, 9, 8, 0), 1, 0, 12, None) == ((1, 1),)
    assert forced_points((1, 2, 3, 4), 1, 1, 6, 5) == ((0, 5), (1, 6), (1, 1))


def test_two_with_six_cards_are_refused() -> None:
    seen = next(one for one, _ in positions("six-card", 40) if one.phase is Phase.PLAY)
    with pytest.raises(ImpossiblePlay):
        OneCount(seen)
