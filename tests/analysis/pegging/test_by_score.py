"""The card by the score: from the book of the board at which pegging began, for the whole deal."""

import random

import pytest

from fifteentwo.analysis.pegging.beliefs import book_frequencies, history, role_of
from fifteentwo.analysis.pegging.by_score import begun_at, frequencies_by_score
from fifteentwo.library.position import Position
from fifteentwo.players import player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import View, view
from fifteentwo.strategy import pegging_by_score
from fifteentwo.strategy.board import TARGET
from tests.rules.random_games import game


def plays(number: int, rules: Rules) -> list[tuple[State, View]]:
    """(state when its pegging began, View) of every card of a random game."""
    found, began = [], None
    for moment in game(number, rules):
        if moment.before.phase is not Phase.PLAY:
            began = moment.after
        elif isinstance(moment.action, Play):
            assert began is not None
            found.append((began, view(moment.before, moment.action.seat)))
    return found


@pytest.mark.parametrize("target", [121, 61])
def test_pegging_began_at_the_score_then(target: int) -> None:
    rules, seen = rules_for("six-card", target=target), 0
    for number in range(12):
        for began, now in plays(number, rules):
            if began.phase is not Phase.PLAY:
                continue
            pone, dealer = (began.front[rules.side(seat)] for seat in (1 - now.dealer, now.dealer))
            assert begun_at(now) == (pone + TARGET - target, dealer + TARGET - target)
            seen += now.front != began.front
    assert seen > 100


def test_all_cards_of_a_deal_are_of_one_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the score moves: else a hand could be in a place to which no book has led it."""
    asked: list[tuple[int, int]] = []

    def number_at(dealer: int, pone: int) -> int:
        asked.append((dealer, pone))
        return pegging_by_score.NET

    monkeypatch.setattr(pegging_by_score, "number_at", number_at)
    deals: dict[int, tuple[int, int]] = {}
    for _, now in plays(3, rules_for("six-card")):
        frequencies_by_score(now)
        assert deals.setdefault(now.deal, asked[-1]) == asked[-1]
    assert len(set(deals.values())) > 4


def test_a_seat_that_played_otherwise_goes_on_by_the_book_for_net_points() -> None:
    """As when `expert` takes a person's seat in the middle of a deal."""
    strange = by_book = 0
    for number in range(30):
        for _, now in plays(number, rules_for("six-card")):
            pone, dealer = begun_at(now)
            book = pegging_by_score.number_at(dealer, pone)
            if book == pegging_by_score.NET or len(now.hand) not in (2, 3):
                continue
            role, kept = role_of(now, now.seat), [card.index // 4 + 1 for card in now.kept]
            led_here = True
            for at, (who, rank) in enumerate(history(now)):
                if who == role and rank is not None:
                    often = pegging_by_score.books()[book].strategy(kept, history(now)[:at], role)
                    led_here &= often[rank] > 0
                    kept.remove(rank)
            found = frequencies_by_score(now)
            if led_here:
                weighted = pegging_by_score.books()[book].strategy(kept, history(now), role)
                assert found == {rank - 1: often for rank, often in weighted.items()}
                by_book += found != book_frequencies(now)
            else:
                assert found == book_frequencies(now)
                strange += 1
    assert strange > 20
    assert by_book > 5


def test_expert_leads_as_often_as_the_book_of_its_score() -> None:
    now = Position("92-92 dealer 5H6S6DJC/KD9C 9S 9H").view()
    often = frequencies_by_score(now)
    found = dict.fromkeys(often, 0.0)
    seats = random.Random(1).sample(range(10_000), 80)
    for seed in seats:
        action = player("expert", seed).act(now)
        assert isinstance(action, Play)
        found[action.card.index >> 2] += 1 / len(seats)
    assert found == pytest.approx(often, abs=0.2)
