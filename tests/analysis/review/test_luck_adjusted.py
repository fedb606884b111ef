"""Luck of the deck has mean 0 by construction, adds up exactly, and follows the order of the rules."""

from typing import Any

import numpy as np
import pytest

from fifteentwo.analysis.review.luck_adjusted import (
    PLAYOUTS,
    Dealing,
    chances_by_starter,
    deals_of,
    dealt_luck,
    luck_of_deals,
)
from fifteentwo.analysis.rollouts.rollout_policy import (
    Hands,
    chances,
    chances_at_deal,
    discard,
    pegged,
    show_points,
)
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.counting import VALUES, played_points
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table
from fifteentwo.fast.discards import ways
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.players import player
from fifteentwo.players.base import BasePlayer
from fifteentwo.rules.actions import Deal, Discard, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.events import Pegged, PeggedFor
from fifteentwo.rules.record import Record, last_state, replay
from fifteentwo.rules.state import evolve, start
from fifteentwo.rules.variants import Variant, rules_for
from fifteentwo.rules.view import View
from tests.support.recorded_games import played

SIX = rules_for("six-card")
SCORES: dict[Variant, list[tuple[int, ...]]] = {
    Variant.SIX_CARD: [(0, 0), (116, 110), (119, 119), (120, 117)],
    Variant.FIVE_CARD: [(3, 0), (50, 52)],
    Variant.THREE_HANDED: [(0, 0, 0), (110, 118, 90)],
    Variant.PARTNERS: [(0, 0), (117, 112)],
    Variant.FOUR_HANDED: [(0, 0, 0, 0), (100, 108, 112, 104)],
}
EVERYWHERE = [(variant, scores) for variant, several in SCORES.items() for scores in several]


def game(seed: int = 3, **options: Any) -> Record:
    return played(["club", "casual"], seed, **options)


def dealing(
    seed: int, scores: tuple[int, ...], number: int = 1, variant: Variant = Variant.SIX_CARD
) -> list[Dealing]:
    """Return invented deals at a score with discards and a starter."""
    found = []
    rules = rules_for(variant)
    cards = rules.seats * rules.dealt
    for row in random_deals(number, cards + rules.dealt_to_crib + 1, seed).tolist():
        hands = tuple(tuple(sorted(row[at : at + rules.dealt])) for at in range(0, cards, rules.dealt))
        discards = tuple(hand[3 * seat % 4 :][: rules.discards] for seat, hand in enumerate(hands))
        found.append(Dealing(0, scores, hands, discards, tuple(row[cards:-1]), row[-1]))
    return found


def kept_of(one: Dealing) -> list[list[int]]:
    return [[c for c in hand if c not in gave] for hand, gave in zip(one.hands, one.discards, strict=True)]


@pytest.mark.parametrize(("variant", "scores"), EVERYWHERE, ids=str)
def test_over_all_starters_that_might_be_turned_they_bring_nothing(
    variant: Variant, scores: tuple[int, ...]
) -> None:
    one = dealing(7, scores, variant=variant)[0]
    turned = [one._replace(starter=card) for card in one.unseen]
    brought = np.array([each.starter for each in luck_of_deals(turned, rules_for(variant), 1)])
    assert brought.sum(axis=0) == pytest.approx(0, abs=1e-12)
    assert brought.max() > 0.001


@pytest.mark.parametrize("others", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize(("variant", "scores"), EVERYWHERE, ids=str)
def test_luck_of_deals_has_mean_zero_for_any_number_of_other_deals(
    others: int, variant: Variant, scores: tuple[int, ...]
) -> None:
    deals = [one._replace(starter=None) for one in dealing(11, scores, 200, variant)]
    brought = np.array([one.deal for one in luck_of_deals(deals, rules_for(variant), others)])
    errors = brought.std(axis=0) / np.sqrt(len(brought))
    assert (abs(brought.mean(axis=0)) < 3.5 * errors).all()
    assert errors.max() < 0.04


@pytest.mark.parametrize("variant", Variant)
def test_the_better_cards_are_luck_for_the_side_that_holds_them(variant: Variant) -> None:
    # Threes to sixes and fives, against cards that score little.
    good, bad = (8, 9, 12, 16, 17, 20), (0, 25, 30, 35, 44, 51, 3, 26, 31, 38, 45, 49, 6, 29, 47)
    rules = rules_for(variant)
    scores = SCORES[variant][0]
    for lucky in range(rules.seats):
        others = iter(bad)
        hands = tuple(
            good[-rules.dealt :] if seat == lucky else tuple(next(others) for _ in range(rules.dealt))
            for seat in range(rules.seats)
        )
        left = (41, 42)[: rules.dealt_to_crib]
        one = Dealing(0, scores, hands, ((),) * rules.seats, left, None)
        luck = luck_of_deals([one], rules)[0].deal
        assert luck.sum() == pytest.approx(0, abs=0.005)
        assert luck[lucky % rules.sides] == luck.max() > 0.02


@pytest.mark.parametrize("variant", Variant)
def test_a_jack_turned_where_the_dealer_needs_one_wins(variant: Variant) -> None:
    rules = rules_for(variant)
    scores = (*(0,) * (rules.sides - 1), rules.target - 1)
    one = dealing(3, scores, variant=variant)[0]
    noise = np.full((PLAYOUTS, rules.seats, rules.kept), 0.5)
    chances_of = chances_by_starter([one], [noise], rules)[0]
    jacks = [card >> 2 == 10 for card in one.unseen]
    assert any(jacks)
    assert (chances_of[jacks] == np.eye(rules.sides)[-1]).all()


@pytest.mark.parametrize("how", [{}, {"target": 61, "skunk": True}], ids=str)
def test_the_value_of_a_deal_follows_the_rules(how: dict[str, Any]) -> None:
    """The pegging of the real game, counted here, leads to the next deal's scores or to the winner."""
    ended = 0
    for seed in range(3, 11):
        record = game(**{**how, "seed": seed})
        rules, payoff = record.rules, win.race_of(record.rules)
        state = start(record.rules, named=record.named)
        moves: list[list[int]] = []
        for _, _, events in replay(record):
            for event in events:
                if isinstance(event, Pegged) and event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD):
                    moves[-1].append(event.points if event.seat == state.dealer else -event.points)
                before, state = state, evolve(state, event)
                if type(event).__name__ == "Dealt":
                    moves.append([])
                assert before is not state
        _, dealings = deals_of(record)
        after = [one.scores[::-1] for one in dealings[1:]]
        for place, (one, pegs) in enumerate(zip(dealings, moves, strict=True)):
            assert one.starter is not None
            kept = kept_of(one)
            hands = Hands(
                np.array([kept], np.uint8),
                np.array([one.discards[0] + one.discards[1]], np.uint8),
                np.array([one.starter], np.uint8),
            )
            chance = chances(rules, np.array([one.scores]), np.array([[*pegs, 0]]), show_points(hands))[0, -1]
            if place < len(after):
                # The next deal's pone dealt this one.
                pone, dealer = after[place]
                net = win.after_deal(payoff, True, False)[dealer, pone]
                assert chance == pytest.approx((1 + net) / 2)
            else:
                won = last_state(record).won
                assert won is not None
                assert chance == float(won.side == one.dealer)
                ended += 1
    assert ended == 8


@pytest.mark.parametrize("variant", [Variant.THREE_HANDED, Variant.PARTNERS, Variant.FOUR_HANDED])
def test_the_value_of_a_deal_of_more_sides_follows_the_rules(variant: Variant) -> None:
    """The pegging of all seats in real games leads, with their hands, to the scores of the next deal."""
    rules = rules_for(variant)
    ended = 0
    for seed in range(4):
        record = played(["club", "casual", "club", "greedy"][: rules.seats], seed, variant.value)
        _, dealings = deals_of(record)
        pegs = _pegs(record)
        for place, (one, made) in enumerate(zip(dealings, pegs, strict=True)):
            kept = kept_of(one)
            crib = [card for gave in one.discards for card in gave] + [*one.to_crib]
            hands = Hands(np.array([kept], np.uint8), np.array([crib], np.uint8), np.array([one.starter]))
            # Counted from the dealer's left.
            by_side = np.roll(made, -one.dealer - 1)
            after = chances(rules, np.array([one.scores]), by_side[None], show_points(hands))[0]
            if place + 1 < len(dealings):
                scores = np.array([dealings[place + 1].scores])
                # The seat on the next dealer's left is one further.
                assert after == pytest.approx(np.roll(chances_at_deal(rules, scores)[0], 1))
            else:
                won = last_state(record).won
                assert won is not None
                assert np.roll(after, one.dealer + 1).tolist() == np.eye(rules.sides)[won.side].tolist()
                ended += 1
    assert ended == 4


def _pegs(record: Record) -> list[np.ndarray[Any, Any]]:
    """Return the pegging points of each side in each deal."""
    found = []
    for _, _, events in replay(record):
        for event in events:
            if type(event).__name__ == "Dealt":
                found.append(np.zeros(record.rules.sides, np.int64))
            if isinstance(event, Pegged) and event.reason in (PeggedFor.PLAY, PeggedFor.LAST_CARD):
                found[-1][record.rules.side(event.seat)] += event.points
    return found


@pytest.mark.parametrize("variant", Variant)
def test_rollouts_discard_by_the_rules_and_peg_last_card(variant: Variant) -> None:
    rules = rules_for(variant)
    cards = rules.seats * rules.dealt
    some = random_deals(300, cards + rules.dealt_to_crib + 1, 5)
    hands = discard(rules, some, np.zeros((300, rules.seats, len(ways(rules.dealt, rules.discards)[0]))))
    assert hands.kept.shape == (300, rules.seats, rules.kept)
    for row, dealt in enumerate(some.tolist()):
        mine = [*hands.kept[row].ravel().tolist(), *hands.crib[row].tolist()]
        assert sorted(mine) == sorted(dealt[:-1])
        for seat in range(rules.seats):
            own = dealt[seat * rules.dealt :][: rules.dealt]
            assert {*hands.kept[row, seat].tolist()} <= {*own}
    if rules.seats == 2:
        totals = np.abs(pegged(rules, hands.kept, np.zeros(hands.kept.shape))).sum(axis=1)
        assert totals.min() >= 1
        assert 1.5 < totals.mean() < 9


class ByPolicy(BasePlayer):
    """A player that discards its first cards, and plays like rollouts without noise."""

    def discard(self, view: View) -> Discard:
        return Discard(view.seat, view.hand[: view.rules.discards])

    def play(self, view: View) -> Play:
        def seems(card: Card) -> int:
            rank, ranks = card.index >> 2, tuple(other.index >> 2 for other in view.in_count)
            count = view.count + VALUES[rank]
            return played_points(ranks, view.count, rank) - (count in (5, 21))

        return Play(view.seat, max(sorted(view.playable, key=lambda card: card.index), key=seems))


@pytest.mark.parametrize("variant", [Variant.SIX_CARD, Variant.FIVE_CARD])
def test_rollouts_of_two_peg_the_points_of_the_rules(variant: Variant) -> None:
    rules = rules_for(variant)
    checked = 0
    for seed in range(8):
        table = Table(rules, seeded(f"policy {seed}"))
        play_out(table, [ByPolicy(seed), ByPolicy(seed)])
        record = Record(rules=rules, names=(), actions=tuple(table.actions))
        # The last deal may have ended during pegging.
        for one, made in list(zip(deals_of(record)[1], _pegs(record), strict=True))[:-1]:
            kept = kept_of(one)
            moves = pegged(rules, np.array([kept], np.uint8), np.zeros((1, 2, rules.kept)))[0]
            by_role = [-moves[moves < 0].sum(), moves[moves > 0].sum()]
            assert by_role == np.roll(made, -one.dealer - 1).tolist()
            checked += 1
    assert checked > 30


def test_what_comes_later_changes_nothing_before() -> None:
    whole = game()
    luck = dealt_luck(whole)
    deals = [at for at, action in enumerate(whole.actions) if isinstance(action, Deal)]
    for number, end in enumerate(deals[:3]):
        part = Record(rules=whole.rules, names=(), actions=whole.actions[: end + 1], named=whole.named)
        so_far = dealt_luck(part)
        drawn = len(luck) - 2 * len(deals)
        assert so_far[:-1] == luck[: drawn + 2 * number + 1]
        assert so_far[-1] == (0, 0), "no starter yet"


def test_only_a_drawn_first_deal_is_luck() -> None:
    drawn = game(5)
    first = deals_of(drawn)[1][0].dealer
    assert deals_of(drawn)[0] == first
    luck = dealt_luck(drawn)
    assert len(luck) % 2 == 1
    assert 0.02 < luck[0][first] == -luck[0][1 - first] < 0.1
    named = played_by_name()
    assert deals_of(named)[0] is None
    assert len(dealt_luck(named)) == 2 * len(deals_of(named)[1])


@pytest.mark.parametrize("variant", Variant)
def test_who_draws_the_first_deal_has_luck_that_the_others_pay(variant: Variant) -> None:
    rules = rules_for(variant)
    seats = ["random", "random", "random", "random"][: rules.seats]
    record = played(seats, 6, variant.value)
    first = deals_of(record)[0]
    assert first is not None
    luck = dealt_luck(record)[0]
    assert len(luck) == rules.sides
    assert sum(luck) == pytest.approx(0, abs=1e-12)
    assert max(map(abs, luck)) > 0.01


def played_by_name() -> Record:
    table = Table(rules_for("six-card", first_dealer="named"), seeded(5))
    table.adopt(table.name_dealer(1))
    play_out(table, [player(level, 5) for level in ("club", "casual")])
    return Record(rules=table.state.rules, names=(), actions=tuple(table.actions))
