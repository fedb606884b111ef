"""How often `master` plays each card: as the book does, unless a search prefers another."""

from typing import Any

import pytest

from fifteentwo.analysis.pegging import endgame, look_ahead, mixture
from fifteentwo.analysis.pegging.beliefs import history, role_of
from fifteentwo.library.position import Position
from fifteentwo.rules.view import View
from fifteentwo.strategy.pegging import load_pegging_book
from tests.support.pegging_views import pegging_views

KING = 12
LEADS = ("6S7H8DKC/KD9C 4H", "2S4H5D6C/KDQC 9H", "9STHJDKC/2D7C AH", "AS2H3D4C/KD9C 4H", "7S8H9DTC/KD2C 4H")


def book(view: View) -> dict[int, float]:
    own = [card.index // 4 + 1 for card in view.hand]
    often = load_pegging_book().strategy(own, history(view), role_of(view, view.seat))
    return {rank - 1: probability for rank, probability in often.items()}


def has_choice(view: View) -> bool:
    return len({card.index >> 2 for card in view.playable}) > 1


def is_near(view: View) -> bool:
    return max(view.front) >= view.rules.target - mixture.NEAR_TO_PLAY


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("score", ["0-0", "60-94", "94-80"])
def test_leads_are_mixed_as_the_book_mixes_them(lead: str, score: str) -> None:
    view = Position(f"{score} pone {lead}").view()
    assert mixture.frequencies(view) == book(view)


def test_the_book_mixes_most_of_these_leads() -> None:
    """Otherwise the test above says little."""
    often = [book(Position(f"0-0 pone {lead}").view()) for lead in LEADS]
    assert sum(max(one.values()) < 0.95 for one in often) >= 3


@pytest.mark.parametrize("rest", ["3S8H 5D JC", "2S7H 9D JS", "4S4H 8D JD", "7S8H AD JD", "2S3H 6D JD"])
def test_queens_jack_king_never_pair_a_jack_led(rest: str) -> None:
    """A pair makes most against people, but a best response gains on who always pairs."""
    view = Position(f"0-0 dealer QSJHKDQC/{rest}").view()
    assert mixture.frequencies(view) == {10: 0.0, 11: 0.0, KING: 1.0}


def test_a_card_against_the_book_is_preferred_clearly_and_loses_little() -> None:
    overruled = mixed = 0
    views = [view for level in ("expert", "club", "greedy") for view in pegging_views(level)]
    for view in views:
        if not has_choice(view) or mixture.is_few(view) or (not view.played and not is_near(view)):
            continue
        often, by_book = mixture.frequencies(view), book(view)
        assert sum(often.values()) == pytest.approx(1)
        if often == by_book:
            mixed += 1
            continue
        ((rank, probability),) = often.items()
        assert probability == 1
        people, equilibrium = (
            look_ahead.LookAhead(view, other).chances(games=view.rules.skunk)
            for other in (look_ahead.PEOPLE, look_ahead.EQUILIBRIUM)
        )
        lost = max(equilibrium.values()) - equilibrium[rank]
        assert lost / 2 <= mixture.RISKED
        margin = mixture.CLEARLY if len(view.played) == 1 and not is_near(view) else 0.0
        better = [
            values[rank] - sum(probability * values[at] for at, probability in by_book.items())
            for values in (people, equilibrium)
        ]
        assert max(better) / 2 > margin
        overruled += 1
    assert overruled > 3
    assert mixed > 10


def test_what_would_lose_much_against_the_equilibrium_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much better people let it be."""
    view = Position("0-0 dealer QSJHKDQC/3S8H 5D JC").view()
    values = {
        look_ahead.PEOPLE: {10: 0.9, 11: 0.0, 12: 0.0},
        look_ahead.EQUILIBRIUM: {10: 0.0, 11: 0.0, 12: 0.02},
    }

    class Given:
        def __init__(self, seen: View, opponent: look_ahead.Opponent) -> None:
            assert seen is view
            self.opponent = opponent

        def chances(self, *, games: bool) -> dict[int, float]:
            assert not games
            return values[self.opponent]

    monkeypatch.setattr(look_ahead, "LookAhead", Given)
    assert mixture.frequencies(view) == {10: 0.0, 11: 0.0, KING: 1.0}
    values[look_ahead.EQUILIBRIUM][10] = 0.011
    assert mixture.frequencies(view) == {10: 1.0}


def few_of_each_number() -> list[View]:
    """Positions to be re-solved, two of every number of cards."""
    found: dict[int, list[View]] = {}
    for view in reversed(pegging_views("expert")):
        if mixture.is_few(view) and has_choice(view):
            found.setdefault(sum(view.hand_sizes), []).append(view)
    return [view for views in found.values() for view in (views[0], views[-1])]


def test_cards_from_the_third_on_are_resolved_at_every_score(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[View] = []
    inner = endgame.resolved

    def spied(search: look_ahead.LookAhead, **how: Any) -> endgame.Solution:
        asked.append(search.view)
        return inner(search, **how)

    monkeypatch.setattr(endgame, "resolved", spied)
    few = few_of_each_number()
    for view in few:
        often = mixture.frequencies(view)
        assert set(often) <= {card.index >> 2 for card in view.playable}
        assert min(often.values()) >= mixture.SOMETIMES
    assert asked == few
    assert {sum(view.hand_sizes) for view in few} == {3, 4, 5, 6}
    assert any(is_near(view) for view in few)
    assert not all(is_near(view) for view in few)


def test_a_resolved_card_that_loses_much_against_the_equilibrium_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    view = next(one for one in few_of_each_number() if not is_near(one))
    low, high = sorted({card.index >> 2 for card in view.playable})[:2]
    values = {low: 0.3, high: 0.3 - 2.1 * mixture.RISKED}
    policy = {low: 0.4, high: 0.6}

    class Given:
        def __init__(self, seen: View, _: look_ahead.Opponent) -> None:
            assert seen is view

        def chances(self, *, games: bool) -> dict[int, float]:
            assert not games
            return values

    class Solved:
        def __init__(self, _: Given, *, games: bool) -> None:
            assert not games
            self.policy = policy

    monkeypatch.setattr(look_ahead, "LookAhead", Given)
    monkeypatch.setattr(endgame, "resolved", Solved)
    assert mixture.frequencies(view) == {low: 0.4}
    values[high] += 0.2 * mixture.RISKED
    assert mixture.frequencies(view) == policy
    policy[low] = 0.0
    values[high] -= 1.0
    assert mixture.frequencies(view) == {low: 1.0}


@pytest.mark.parametrize(("score", "searched"), [(94, False), (95, True), (120, True)])
def test_a_lead_is_searched_from_twenty_six_points_before_the_game_hole(
    score: int, searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[View] = []

    def searching(view: View, *opponent: Any) -> Any:
        asked.append(view)
        return search(view, *opponent)

    search = look_ahead.LookAhead
    monkeypatch.setattr(look_ahead, "LookAhead", searching)
    mixture.frequencies(Position(f"{score}-{score} pone {LEADS[0]}").view())
    assert bool(asked) is searched
