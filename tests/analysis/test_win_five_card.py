"""Win probabilities of five-card discards have the properties of probabilities, and agree with the board."""

import random

import numpy as np
import pytest

from fifteentwo.analysis.discards.discard import options
from fifteentwo.analysis.win import model as win
from fifteentwo.analysis.win.shows import WAYS_OF
from fifteentwo.fast.hands import TRIPLES
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.variants import FIVE_CARD, Variant, rules_for
from fifteentwo.strategy import board, five_card
from fifteentwo.strategy.pegging_points import dealt_ranks, keeping, mean_points, provenance


def hands(number: int, seed: int = 4) -> list[tuple[Card, ...]]:
    luck = random.Random(seed)
    return [tuple(sorted(luck.sample(DECK, 5), key=lambda card: card.index)) for _ in range(number)]


def test_chances_add_up_and_pegging_has_the_exact_means(subtests: pytest.Subtests) -> None:
    for dealer in (False, True):
        with subtests.test(dealer=dealer):
            for held in hands(3):
                known = win.Prospects(held, dealer=dealer)
                assert known.plays.sum(axis=(1, 2, 3)) == pytest.approx(np.ones(10))
                assert known.shows.sum(axis=(2, 3)) == pytest.approx(np.ones(known.shows.shape[:2]))
                joint = known.pegging()
                kept, given = known.numbers
                means = mean_points(known.role)[kept, given]
                own, other = (np.arange(size) for size in joint.shape[1:])
                assert joint.sum(axis=2) @ own == pytest.approx(means[:, 0], abs=2e-3)
                assert joint.sum(axis=1) @ other == pytest.approx(means[:, 1], abs=2e-3)


def test_r103_the_hand_is_exact_and_the_starters_make_the_whole(subtests: pytest.Subtests) -> None:
    for dealer in (False, True):
        with subtests.test(dealer=dealer):
            held = cards("2H 4H 8H JC 5D")
            unseen = [card for card in DECK if card not in held]
            found = {option.discard: option for option in options(held, own_crib=dealer, rules=FIVE_CARD)}
            flush = found[cards("JC 5D")]
            assert flush.hand.mean == pytest.approx(
                sum(show.points(cards("2H 4H 8H"), one) for one in unseen) / 47
            )
            known, way = win.Prospects(held, dealer=dealer), WAYS_OF[5].index((3, 4))
            turned = [known.after_starter(way, one).values(30, 28, "five-card")[0] for one in unseen]
            assert np.mean(turned) == pytest.approx(known.values(30, 28, "five-card")[way], abs=2e-3)


def test_a_point_more_never_wins_less() -> None:
    known = win.Prospects(hands(1)[0], dealer=True)
    chances = np.array([known.values(own, 40, "five-card") for own in range(61)])
    assert np.diff(chances, axis=0).min() > -1e-3
    assert chances[60].min() > 0.5


def test_a_race_to_61_without_a_skunk_counts_a_game_as_one() -> None:
    for skunk, payoff in ((False, "five-card"), (True, "five-card")):
        rules = rules_for("five-card", skunk=skunk)
        assert (win.payoff_of(rules), win.race_of(rules)) == (payoff, payoff)
    plain, skunked = (win.after_deal("five-card", True, games) for games in (False, True))
    assert (plain[61, 30], skunked[61, 30], skunked[61, 31]) == (1, 2, 1)
    assert skunked[20, 61] == -2


def test_r100_three_for_last_make_a_five_card_game_almost_even() -> None:
    found = board.five_card_board()
    assert found.game[0, 3] == pytest.approx(2 * 0.4866 - 1, abs=0.01)
    assert found.game[0, 0] > 0.1
    assert found.game_error.max() < 0.001
    assert np.diff(found.game, axis=0).min() >= 0 >= np.diff(found.game, axis=1).max()
    assert found.game[60, 59] < found.game[60, 40]


def test_the_tables_were_made_from_the_solution_that_ships() -> None:
    digest = five_card.provenance()["digest"]
    for about in (provenance(3), board.provenance(board.FIVE_CARD_NAME)):
        assert about["strategies"] == {five_card.FILE: digest}


def test_a_role_keeps_and_discards_as_the_solution_does(subtests: pytest.Subtests) -> None:
    for role in five_card.ROLES:
        with subtests.test(role=role):
            kept = keeping(role, 3)
            assert len(dealt_ranks(3)) == 6175
            assert np.bincount(kept.dealt, kept.frequency) == pytest.approx(np.ones(6175))
            assert kept.frequency == pytest.approx(five_card.fractions(role)[kept.kept, kept.given], abs=0.02)
            pairs = [number for number, three in enumerate(TRIPLES.tolist()) if len({*three}) < 3]
            assert kept.flush[pairs].max() == 0 < kept.flush.max() <= 1


def test_more_than_two_players_have_no_chances(subtests: pytest.Subtests) -> None:
    for variant in [each for each in Variant if rules_for(each).seats > 2]:
        with subtests.test(variant=variant):
            assert not win.has_win_probability(rules_for(variant))
