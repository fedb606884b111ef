"""Luck-adjusted results: nought on average by construction, added up exactly, the rules' own order."""

from typing import Any

import numpy as np
import pytest

from fifteentwo.analysis import win
from fifteentwo.analysis.review.luck_adjusted import (
    PLAYS,
    UNSEEN,
    Dealing,
    by_starter,
    dealt_luck,
    followed,
    in_deals,
)
from fifteentwo.analysis.rollouts.rollout_policy import (
    DEALER,
    PONE,
    Hands,
    dealer_chances,
    discard,
    pegged,
    shown,
)
from fifteentwo.contest.match import play_out
from fifteentwo.contest.table import Table, seeded
from fifteentwo.fast.random_deals import random_deals
from fifteentwo.players import player
from fifteentwo.rules.actions import Deal
from fifteentwo.rules.events import Pegged, PeggedFor
from fifteentwo.rules.record import Record, last_state, replay
from fifteentwo.rules.state import evolve, start
from fifteentwo.rules.variants import Variant, rules_for
from tests.support.recorded_games import played, report_of


def game(seed: int = 3, **options: Any) -> Record:
    return played(["club", "casual"], seed, **options)


def dealing(seed: int, scores: tuple[int, int], number: int = 1) -> list[Dealing]:
    """Deals at a score with discards and a starter, of no real game."""
    found = []
    for row in random_deals(number, 13, seed).tolist():
        pones, dealers = tuple(sorted(row[:6])), tuple(sorted(row[6:12]))
        found.append(Dealing(0, scores, (pones, dealers), (pones[:2], dealers[3:5]), row[12]))
    return found


@pytest.mark.parametrize("scores", [(0, 0), (116, 110), (119, 119), (120, 117)], ids=str)
def test_over_all_starters_that_might_be_turned_they_bring_nothing(scores: tuple[int, int]) -> None:
    one = dealing(7, scores)[0]
    turned = [one._replace(starter=card) for card in one.unseen]
    brought = [each.starter for each in in_deals(turned, "game", 1)]
    assert len(brought) == UNSEEN
    assert sum(brought) == pytest.approx(0, abs=1e-12)
    assert max(brought) > 0.001


@pytest.mark.parametrize("others", [1, 3])
@pytest.mark.parametrize("scores", [(0, 0), (108, 113)], ids=str)
def test_deals_bring_nothing_on_average_however_few_they_are_held_against(
    others: int, scores: tuple[int, int]
) -> None:
    deals = [one._replace(starter=None) for one in dealing(11, scores, 400)]
    brought = np.array([one.deal for one in in_deals(deals, "game", others)])
    error = brought.std() / np.sqrt(len(brought))
    assert abs(brought.mean()) < 3 * error
    assert error < 0.03


def test_the_better_cards_are_luck_and_a_jack_turned_at_119_wins() -> None:
    # Threes to sixes and fives against kings and aces apart.
    good, bad = (8, 9, 12, 16, 17, 20), (0, 25, 30, 35, 44, 51)
    dealt = [
        Dealing(0, (0, 0), sixes, (sixes[0][:2], sixes[1][:2]), None) for sixes in ((good, bad), (bad, good))
    ]
    pones, dealers = in_deals(dealt, "game")
    assert pones.deal < -0.02 < 0.02 < dealers.deal
    one = dealing(3, (0, 119))[0]
    chances = by_starter([one], [np.full((PLAYS, 2, 4), 0.5)], "game")[0]
    assert [chances[at] for at, card in enumerate(one.unseen) if card >> 2 == 10] == [1.0] * sum(
        card >> 2 == 10 for card in one.unseen
    )


@pytest.mark.parametrize("how", [{}, {"target": 61, "skunk": True}], ids=str)
def test_a_deal_has_the_value_that_the_rules_give_it(how: dict[str, Any]) -> None:
    """The game's own plays, counted here, lead to the next deal's scores, or to the winner."""
    ended = 0
    for seed in range(3, 11):
        record = game(**{**how, "seed": seed})
        payoff = win.race_of(record.rules)
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
        _, dealings = followed(record)
        after = [one.scores[::-1] for one in dealings[1:]]
        for place, (one, pegs) in enumerate(zip(dealings, moves, strict=True)):
            assert one.starter is not None
            kept = [
                [c for c in six if c not in gave] for six, gave in zip(one.sixes, one.discards, strict=True)
            ]
            hands = Hands(
                np.array([kept], np.uint8),
                np.array([one.discards[0] + one.discards[1]], np.uint8),
                np.array([one.starter], np.uint8),
            )
            chance = dealer_chances(np.array([one.scores]), np.array([[*pegs, 0]]), shown(hands), payoff)[0]
            if place < len(after):
                # The next pone dealt this one.
                pone, dealer = after[place]
                net = win.after_deal(payoff, True, False)[dealer, pone]
                assert chance == pytest.approx((1 + net) / 2)
            else:
                won = last_state(record).won
                assert won is not None
                assert chance == float(won.side == one.dealer)
                ended += 1
    assert ended == 8


def test_rollouts_discard_two_each_and_peg_the_last_card() -> None:
    some = random_deals(300, 13, 5)
    hands = discard(some, np.zeros((300, 2, 15)))
    for row, cards in enumerate(some.tolist()):
        mine = [*hands.kept[row].ravel().tolist(), *hands.crib[row].tolist()]
        assert sorted(mine) == sorted(cards[:12])
        assert {*hands.kept[row, PONE].tolist()} <= {*cards[:6]}
        assert {*hands.kept[row, DEALER].tolist()} <= {*cards[6:12]}
    totals = np.abs(pegged(hands.kept, np.zeros((300, 2, 4)))).sum(axis=1)
    assert totals.min() >= 1
    assert 3 < totals.mean() < 9


def test_what_comes_later_changes_nothing_before() -> None:
    whole = game()
    luck = dealt_luck(whole)
    deals = [at for at, action in enumerate(whole.actions) if isinstance(action, Deal)]
    for number, end in enumerate(deals[:3]):
        part = Record(rules=whole.rules, names=(), actions=whole.actions[: end + 1], named=whole.named)
        so_far = dealt_luck(part)
        drawn = len(luck) - 2 * len(deals)
        assert so_far[:-1] == luck[: drawn + 2 * number + 1]
        assert so_far[-1] == 0, "no starter yet"


def test_a_first_deal_that_was_drawn_is_luck_and_one_that_was_named_is_not() -> None:
    drawn = game(5)
    first = followed(drawn)[1][0].dealer
    assert followed(drawn)[0] == first
    luck = dealt_luck(drawn)
    assert len(luck) % 2 == 1
    assert 0.02 < (luck[0] if first == 0 else -luck[0]) < 0.1
    named = played_by_name()
    assert followed(named)[0] is None
    assert len(dealt_luck(named)) == 2 * len(followed(named)[1])


def played_by_name() -> Record:
    table = Table(rules_for("six-card", first_dealer="named"), seeded(5))
    table.adopt(table.name_dealer(1))
    play_out(table, [player(level, 5) for level in ("club", "casual")])
    return Record(rules=table.state.rules, names=(), actions=tuple(table.actions))


@pytest.mark.parametrize("variant", [Variant.FIVE_CARD, Variant.PARTNERS])
def test_where_no_chance_is_known_there_is_no_even_result(variant: Variant) -> None:
    seats = rules_for(variant).seats
    report = report_of(played(["club", "random", "random", "random"][:seats], 4, variant.value))
    assert {seat[name] for seat in report["seats"] for name in ("dealt_luck", "even_result")} == {None}
