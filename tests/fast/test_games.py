"""Games in bulk follow the rules card by card and point by point."""

import numpy as np
import pytest

from fifteentwo.fast import random_games as games
from fifteentwo.fast import random_games_kernels as plain
from fifteentwo.fast.compiled import compiled
from fifteentwo.fast.layout import as_records
from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Deal, Discard, NameDealer, Play, TurnUp
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.rules.game import legal, step
from fifteentwo.rules.state import Phase, State, start
from fifteentwo.rules.variants import rules_for

RULES = rules_for("six-card", first_dealer="named", cut_before_deal=False, starter="top")
EVERYONE = [("random", "random"), ("greedy", "greedy"), ("random", "greedy")]


def replayed(state: State, row: list[int]) -> State:
    dealer, eight = row[1], row[16:24]
    pone_cards, dealer_cards = ([DECK[card] for card in part] for part in (row[2:8], row[8:14]))
    if state.phase is Phase.NAME_DEALER:
        state, _ = step(state, NameDealer(dealer))
    assert state.dealer == dealer
    dealt = tuple(card for both in zip(pone_cards, dealer_cards, strict=True) for card in both)
    state, _ = step(state, Deal(dealt))
    state, _ = step(state, Discard(1 - dealer, tuple(pone_cards[4:])))
    state, _ = step(state, Discard(dealer, tuple(dealer_cards[4:])))
    state, _ = step(state, TurnUp(DECK[row[14]]))
    for card in eight[: row[15]]:
        state, _ = step(state, Play(state.turn, DECK[card]))
    return state


@pytest.mark.parametrize("players", EVERYONE)
def test_the_rules_replay_every_deal_to_the_same_points(players: tuple[str, str]) -> None:
    found, deals = games.record(60, 11, players)
    states: dict[int, State] = {}
    for row in deals.tolist():
        state = replayed(states.get(row[0], start(RULES)), row)
        assert state.front[0] == row[24]
        states[row[0]] = state
    assert len(states) == 60
    for game, state in states.items():
        assert state.won is not None
        assert state.won.side == found.winners[game]
        assert state.front == tuple(found.points[game].tolist())
        assert found.deals[game] == state.deal


def test_r42_the_first_deal_alternates() -> None:
    _, deals = games.record(8, 3)
    first = {int(row[0]): int(row[1]) for row in deals[::-1]}
    assert first == {game: game % 2 for game in range(8)}


def test_greedy_plays_the_card_that_scores_most() -> None:
    _, deals = games.record(4, 5, ("greedy", "greedy"))
    state = start(RULES)
    for row in deals[deals[:, 0] == 0].tolist():
        for place in range(16, 16 + row[15]):
            before = replayed(state, [*row[:15], place - 16, *row[16:]])
            points_of = {
                action.card: _made(before, action.card)
                for action in legal(before)
                if isinstance(action, Play)
            }
            assert points_of[DECK[row[place]]] == max(points_of.values())
        state = replayed(state, row)


def _made(state: State, card: Card) -> int:
    return sum(score.points for score in pegging.scores((*state.in_count, card)))


def test_plain_and_compiled_games_are_one() -> None:
    def played(kernels: object) -> tuple[list[int], list[list[int]]]:
        made = games.Games(np.empty(12, np.uint8), np.empty((12, 2), np.uint8), np.empty(12, np.uint8))
        record = np.zeros((400, plain.DEAL_COLUMNS), np.int16)
        (buffers,) = as_records(games.new_buffers(("random", "greedy")))
        rows = kernels.play_games(np.arange(12), 987_654_321, buffers, made, record)  # type: ignore[attr-defined]
        return made.winners.tolist(), record[:rows].tolist()

    assert played(plain) == played(compiled("fifteentwo.fast.random_games_kernels"))


def test_a_seed_decides_whatever_the_workers() -> None:
    one, two = games.play(10_000, 21), games.play(10_000, 21, workers=2)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert not np.array_equal(one.winners, games.play(10_000, 22).winners)


def test_every_game_has_one_winner_at_121() -> None:
    found = games.play(20_000, 31)
    assert (found.points.max(axis=1) == 121).all()
    assert (found.points.min(axis=1) < 121).all()
    assert np.array_equal(found.points.argmax(axis=1), found.winners)
    # Within five standard errors of even, since the deal alternates.
    assert abs(found.winners.mean() - 0.5) < 5 * 0.5 / np.sqrt(20_000)


def test_greedy_beats_random() -> None:
    assert games.play(2000, 41, ("greedy", "random")).winners.mean() < 0.06


def test_no_game_and_no_such_player() -> None:
    nothing = games.play(0, 1)
    assert nothing.winners.shape == (0,)
    assert nothing.points.shape == (0, 2)
    with pytest.raises(ValueError, match="genius"):
        games.play(1, 1, ("random", "genius"))
    with pytest.raises(ValueError, match="-1"):
        games.play(-1, 1)
