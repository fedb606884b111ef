"""Beliefs about the other hand agree with the cards played and predict better than chance."""

import math
import random
from functools import cache

import numpy as np
import pytest

from fifteentwo.analysis.pegging.beliefs import history, next_beliefs, role_of
from fifteentwo.analysis.pegging.look_ahead import LookAhead, opponent_types
from fifteentwo.analysis.win.counting import VALUES
from fifteentwo.contest.table import Table
from fifteentwo.fast.hands import SIZES, copies, hands, place, without
from fifteentwo.fast.plays import Plays
from fifteentwo.library.position import Position
from fifteentwo.players import player
from fifteentwo.rules.cards import DECK
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from fifteentwo.strategy.discards import discard_frequencies
from fifteentwo.strategy.pegging import follow, load_pegging_book


@cache
def positions() -> list[State]:
    """Return every state of pegging in three games of experts."""
    found: list[State] = []
    for seed in range(3):
        table = Table(rules_for("six-card"), seeded(seed))
        players = [player("expert", seat) for seat in range(2)]
        while not table.over:
            seat = table.waiting[0]
            if table.state.phase is Phase.PLAY:
                found.append(table.state)
            table.submit(seat, players[seat].act(view(table.state, seat)))
    return found


def test_hands_are_counted_as_the_deck_allows() -> None:
    assert [len(hands(size)) for size in (1, 2, 3, 4)] == [13, 91, 455, 1820]
    assert hands(3)[without(4)[place(4)[2, 5, 5, 9], 5]] == (2, 5, 9)
    assert without(4)[place(4)[2, 5, 5, 9], 3] == -1
    assert copies(4).sum() == 4 * 1820


def test_the_true_hand_is_always_possible_and_likelier_than_by_chance() -> None:
    gained: list[float] = []
    for state in positions()[::2]:
        seen = view(state, state.turn)
        other = 1 - state.turn
        if not state.hands[other]:
            continue
        weights = LookAhead(seen).belief.sum(axis=0)
        assert weights.sum() == pytest.approx(1)
        held = tuple(sorted(card.index >> 2 for card in state.hands[other]))
        true = weights[place(len(held))[held]]
        assert true > 0
        left = [4] * 13
        for card in (*seen.kept, *seen.discarded, *[card for seat, card in seen.played if seat == other]):
            left[card.index >> 2] -= 1
        chance = math.prod(math.comb(left[rank], held.count(rank)) for rank in set(held))
        gained.append(math.log(true / (chance / math.comb(sum(left), len(held)))))
    assert len(gained) > 100
    assert sum(gained) / len(gained) > 0.2


def test_r55_a_go_excludes_cards_that_would_have_fitted() -> None:
    checked = 0
    for state in positions():
        seen = view(state, state.turn)
        side = 0 if role_of(seen, 1 - state.turn) == "pone" else 1
        position = follow(history(seen))
        if not state.hands[1 - state.turn] or not position.low[side]:
            continue
        weights = LookAhead(seen).belief.sum(axis=0)
        for hand in np.flatnonzero(weights):
            held = hands(len(state.hands[1 - state.turn]))[hand]
            assert all(VALUES[rank] > position.low[side] for rank in held)
        checked += 1
    assert checked > 2


def test_probabilities_are_those_of_the_book_hand_by_hand() -> None:
    book = load_pegging_book()
    luck = random.Random(3)
    by_book = opponent_types(-1, noise=0.0)
    compared = 0
    for state in luck.sample(positions(), 40):
        seen = view(state, state.turn)
        acts, role = history(seen), role_of(seen, state.turn)
        if not state.hands[1 - state.turn]:
            continue
        ranks = tuple(sorted(card.index >> 2 for card in state.hands[state.turn]))
        policy = book.strategy([rank + 1 for rank in ranks], acts, role)
        now = Plays(np.array([follow(acts, role).public]), np.zeros((1, 16), np.int64))
        held = np.zeros((1, 1, SIZES[len(ranks)]))
        held[0, 0, place(len(ranks))[ranks]] = 1
        played = next_beliefs(now, held, by_book).played[0, :, 0].sum(axis=1)
        assert played.sum() == pytest.approx(1)
        for rank in range(13):
            assert played[rank] == pytest.approx(policy.get(rank + 1, 0.0), abs=1e-12)
        compared += 1
    assert compared > 20


def test_beliefs_after_an_unusual_reply_equal_deals_played_out() -> None:
    """The dealer, playing the stored strategies, replied with an ace to a three."""
    seen, deals = Position("107-97 pone 2S3H6D9S/8CJD KC 3HAH").view(), 1500
    ace = seen.played[1][1]
    left = [card for card in DECK if card not in (*seen.kept, *seen.discarded, seen.starter, ace)]
    luck, book = random.Random(5), load_pegging_book()
    weights = np.zeros(SIZES[3])
    for _ in range(deals):
        six = (ace, *luck.sample(left, 5))
        for pair, often in discard_frequencies(six, "dealer").items():
            kept = [card.index // 4 + 1 for card in six if card not in pair]
            if ace not in pair:
                reply = book.strategy(kept, (("pone", 3),), "dealer").get(1, 0.0)
                kept.remove(1)
                weights[place(3)[tuple(sorted(rank - 1 for rank in kept))]] += often * reply
    search = LookAhead(seen)
    believed = search.chances(games=False)
    search.belief = (weights / weights.sum())[None]
    for rank, value in search.chances(games=False).items():
        # Values are from -1 to 1; the sample of deals has an error of about 0.02.
        assert value == pytest.approx(believed[rank], abs=0.06)
