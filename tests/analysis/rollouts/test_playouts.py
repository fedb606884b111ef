"""Rollouts follow the rules, use possible hands only, and play like a club player."""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from queue import Queue

import numpy as np
import pytest
from numpy.typing import NDArray

from fifteentwo import background_compilation
from fifteentwo.analysis.discards.kept_hands import kept_ratios
from fifteentwo.analysis.pegging.one_reply import foreseen
from fifteentwo.analysis.rollouts import playouts, playouts_kernels
from fifteentwo.analysis.rollouts.playouts_kernels import BEGINS, Now, Scoring, Table, empty_table
from fifteentwo.analysis.win.counting import VALUES, unseen
from fifteentwo.analysis.win.race import ChanceAfterPegging
from fifteentwo.contest.table import Table as CardTable
from fifteentwo.fast.compiled import compiled, has_numba
from fifteentwo.fast.play import Turn
from fifteentwo.players import player
from fifteentwo.rules.actions import Play
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.events import Pegged, PeggedFor
from fifteentwo.rules.game import step
from fifteentwo.rules.state import Phase, State
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import View, go_bounds, view
from fifteentwo.strategy.means import mean_pegging
from lab.measure.measuring import discards, play_by_pair

VARIANTS = [variant for variant in Variant if variant is not Variant.SIX_CARD]
KERNELS = compiled(playouts.KERNELS)


def positions(variant: Variant, games: int) -> list[State]:
    found: list[State] = []
    for seed in range(games):
        table = CardTable(rules_for(variant, target=61), seeded(f"{variant}-{seed}"))
        players = [player(level, seat) for seat, level in enumerate(["club", "greedy", "random", "casual"])]
        while not table.over:
            seat = table.waiting[0]
            if table.state.phase is Phase.PLAY:
                found.append(table.state)
            table.submit(seat, players[seat].act(view(table.state, seat)))
    return found


def counts(ranks: list[int]) -> list[int]:
    return [ranks.count(rank) for rank in range(13)]


def open_to_all(state: State) -> list[int]:
    """Return unplayed cards of each rank, without the starter."""
    played = [card.index >> 2 for _, card in state.played]
    assert state.starter is not None
    return [4 - number for number in counts([*played, state.starter.index >> 2])]


def open_ended(sides: int) -> NDArray[np.int64]:
    """Return needs that no side can reach."""
    return np.full(sides, playouts.UNREACHABLE_POINTS, np.int64)


def scoring(state: State) -> Scoring:
    rules = state.rules
    return Scoring(rules.one_count, rules.sides, 1 / (rules.sides - 1))


def table(state: State) -> Table:
    """Return the pegging of a state with all hands known, as a kernel table."""
    played = [card.index >> 2 for card in view(state, state.turn).in_count]
    made: Table = KERNELS.empty_table(state.rules.seats, open_ended(state.rules.sides))
    made.hands[:] = [counts([card.index >> 2 for card in hand]) for hand in state.hands]
    made.held[:] = [len(hand) for hand in state.hands]
    made.left[:] = open_to_all(state)
    made.pile[: len(played)] = played
    return made


def gone(state: State) -> int:
    return sum(1 << seat for seat in state.said_go)


def asked(state: State, known: Table) -> int:
    """Return the rank that the seat on turn plays by the kernels."""
    played = view(state, state.turn).in_count
    now = Turn(state.turn, state.count, 0, len(played), gone(state), state.turn)
    rank: int = KERNELS.choose_card(scoring(state), known, now)
    return rank


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_rollout_with_the_true_hands_pegs_what_the_rules_peg(variant: Variant) -> None:
    for start in random.Random(2).sample(positions(variant, 2), 10):
        state, rules = start, start.rules
        rank = asked(state, table(state))
        played = [card.index >> 2 for card in view(state, state.turn).in_count]
        pegs = np.zeros((1, 1, rules.sides), np.int64)
        known = table(state)
        now = Now(state.turn, np.array(played, np.int64), state.count, known.held, gone(state), known.left)
        ranks, memory = np.array([rank], np.int64), empty_table(rules.seats, open_ended(rules.sides))
        KERNELS.pegged_by_card(scoring(state), now, ranks, known.hands[None], memory, pegs)
        pegged, dealer = [0.0] * rules.sides, state.dealer
        while state.phase is Phase.PLAY and state.dealer == dealer and state.won is None:
            rank = asked(state, table(state))
            card = next(card for card in state.hands[state.turn] if card.index >> 2 == rank)
            state, events = step(state, Play(state.turn, card))
            for event in events:
                if isinstance(event, Pegged) and event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD):
                    pegged[rules.side(event.seat)] += event.points
        if state.won is None:
            assert pegs[0, 0].tolist() == pegged


def test_r14_a_side_that_has_won_ends_a_rollout() -> None:
    for start in random.Random(2).sample(positions(Variant.THREE_HANDED, 2), 10):
        needs = np.full(3, 1, np.int64)
        known = KERNELS.empty_table(3, needs)
        whole = table(start)
        known.hands[:], known.held[:], known.left[:] = whole.hands, whole.held, whole.left
        known.pile[:] = whole.pile
        played = view(start, start.turn).in_count
        now = Turn(start.turn, start.count, 0, len(played), gone(start), start.turn)
        KERNELS.play_to_end(scoring(start), known, now, asked(start, table(start)))
        assert (known.pegged > 0).sum() == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_seats_of_a_rollout_value_cards_as_the_club_level_does(variant: Variant) -> None:
    compared = 0
    for state in positions(variant, 3):
        seen = view(state, state.turn)
        known = table(state)
        hand = counts([card.index >> 2 for card in seen.hand])
        others = counts([card.index >> 2 for card in unseen(seen)])
        known.left[:] = np.array(hand) + np.array(others)
        asked(state, known)
        for rank, value in foreseen(seen).items():
            compared += 1
            assert known.scratch.values[rank] == pytest.approx(value)
    assert compared > 100


@pytest.mark.parametrize("variant", VARIANTS)
def test_sampled_hands_have_the_right_numbers_and_cards(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The arguments of the kernels are recorded."""
    passed: list[np.ndarray[tuple[int, ...], np.dtype[np.int64]]] = []

    class Recorded:
        sample = staticmethod(KERNELS.sample)

        @staticmethod
        def pegged_by_card(*given: object) -> None:
            hands = given[3]
            assert isinstance(hands, np.ndarray)
            passed.append(hands)
            KERNELS.pegged_by_card(*given)

    monkeypatch.setattr(playouts, "kernels", lambda *_: Recorded)
    for state in random.Random(1).sample(positions(variant, 2), 20):
        seen = view(state, state.turn)
        bounds = go_bounds(seen)
        passed.clear()
        playouts.card_values(seen, bounds, kept_ratios(variant), random.Random(3), 24)
        left = counts([card.index >> 2 for card in unseen(seen)])
        for hands in passed:
            for each in hands:
                others = each.copy()
                assert others[seen.seat].tolist() == counts([card.index >> 2 for card in seen.hand])
                others[seen.seat] = 0
                assert (others.sum(axis=0) <= left).all()
                for seat, held in enumerate(others):
                    if seat != seen.seat:
                        assert held.sum() == seen.hand_sizes[seat]
                        assert all(VALUES[rank] > bounds[seat] for rank in np.flatnonzero(held))


def test_a_seat_rarely_holds_a_card_that_it_would_have_played() -> None:
    """A seat that replies to a ten with a king seldom holds a five, because it would have played it."""
    ten, king = 9, 12
    likelihoods = {}
    for kept in ([king, 4, 2, 1], [king, 11, 2, 1]):
        known: Table = KERNELS.empty_table(2, open_ended(2))
        known.hands[:] = [counts(kept), counts([ten, 3, 3, 1])]
        known.held[:] = 4
        known.left[:] = 4
        acts = np.array([[1, ten, BEGINS], [0, king, 0]], np.int64)
        likelihoods[kept[1]] = KERNELS.likelihood(1, Scoring(False, 2, 1.0), acts, known)
    assert 0 < likelihoods[4] < likelihoods[11] / 3


def test_hands_are_picked_in_proportion_to_their_weights() -> None:
    times = playouts._pick_counts(np.array([1.0, 0.0, 3.0, 6.0]), 100, 0.5)
    assert times.tolist() == [10, 0, 30, 60]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("own", [False, True])
def test_hands_kept_are_as_many_as_hands_dealt(variant: Variant, own: bool) -> None:
    rules, ratios = rules_for(variant), kept_ratios(variant)[int(own)]
    total = 0.0
    for code in np.flatnonzero(ratios).tolist():
        keep = [code // 13**place % 13 for place in range(rules.kept)]
        ways = prod(comb(4, number) for number in Counter(keep).values())
        total += ways * ratios[code]
    # A hand of four equal ranks cannot get a fifth, which changes little.
    assert total / comb(52, rules.kept) == pytest.approx(1, abs=0.02)
    pairs = sum([5 * 13**place for place in range(rules.kept)])
    assert ratios[pairs] > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_hand_of_every_variant_has_mean_pegging(variant: Variant) -> None:
    rules = rules_for(variant)
    for place in range(rules.seats):
        for pair in discards(rules_for("five-card")):
            keep = tuple(sorted((*pair, *(range(rules.kept - 2)))))
            assert -4 < mean_pegging(variant, place, keep) < 4


@pytest.mark.slow
@pytest.mark.skipif(not has_numba(), reason="minutes without numba")
def test_stored_means_equal_measured_ones() -> None:
    values, _ = play_by_pair(Variant.FIVE_CARD, 400, 77)
    pairs = list(combinations_with_replacement(range(13), 2))
    for place, row in enumerate(values, start=1):
        value = dict(zip(pairs, row.tolist(), strict=True))
        strays = [
            sum([value[pair] for pair in combinations(keep, 2)])
            - mean_pegging(Variant.FIVE_CARD, place % 2, keep)
            for keep in combinations_with_replacement(range(13), 3)
        ]
        assert abs(sum(strays)) / len(strays) < 0.03
        assert sum(map(abs, strays)) / len(strays) < 0.15


def test_where_people_wait_nothing_is_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = next(
        view(state, state.turn)
        for state in positions(Variant.THREE_HANDED, 1)
        if len({card.rank for card in state.hands[state.turn]}) > 2
    )
    begun: Queue[str] = Queue()
    action = player("expert", 3).act(seen)
    monkeypatch.setattr(background_compilation, "may_wait", lambda: False)
    monkeypatch.setattr(background_compilation, "has_numba", lambda: True)
    monkeypatch.setattr(background_compilation, "is_ready", lambda _: False)
    monkeypatch.setattr(background_compilation, "compiled", lambda _: pytest.fail("compiled here"))
    monkeypatch.setattr(background_compilation, "_compile", begun.put)
    monkeypatch.setattr(background_compilation, "_begun", set())
    # The kernels as plain Python; they are requested more than once.
    assert player("expert", 3).act(seen) == action
    assert begun.get(timeout=60) == playouts.__name__
    assert begun.empty()


@pytest.mark.skipif(not has_numba(), reason="numba is not installed or switched off")
@pytest.mark.parametrize("variant", [Variant.THREE_HANDED, Variant.PARTNERS, Variant.FOUR_HANDED])
def test_every_value_is_the_same_compiled_and_plain(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    ratios = kept_ratios(variant)
    seen = [view(state, state.turn) for state in positions(variant, 1)[:4]]

    def values() -> list[dict[int, float]]:
        return [
            playouts.card_values(one, go_bounds(one), ratios, random.Random(5), 60, ChanceAfterPegging(one))
            for one in seen
        ]

    by_compiled = values()
    monkeypatch.setattr(playouts, "kernels", lambda *_: playouts_kernels)
    assert values() == by_compiled


def test_the_same_view_gets_the_same_card() -> None:
    seen: list[View] = [view(state, state.turn) for state in positions(Variant.FOUR_HANDED, 1)[:12]]
    assert [player("expert", 4).act(each) for each in seen] == [
        player("expert", 4).act(each) for each in seen
    ]


def test_hands_are_drawn_as_kept_for_an_own_crib_or_for_another() -> None:
    assert playouts.own_cribs(rules_for(Variant.PARTNERS), 1).tolist() == [0, 1, 0, 1]
    assert playouts.own_cribs(rules_for(Variant.THREE_HANDED), 2).tolist() == [0, 0, 1]
    # Fives are discarded to the own crib and kept from the other's.
    for variant in (Variant.FIVE_CARD, Variant.THREE_HANDED):
        hands = list(combinations_with_replacement(range(13), rules_for(variant).kept))
        places = [sum(rank * 13**at for at, rank in enumerate(reversed(hand))) for hand in hands]
        with_fives = [at for hand, at in zip(hands, places, strict=True) if 4 in hand]
        others, own = kept_ratios(variant)[:, with_fives]
        assert others.mean() > own.mean() + 0.1
