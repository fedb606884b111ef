"""Discards: points by the rules, signs, variants, refused input, printed values."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from fifteentwo.analysis.discards import discard
from fifteentwo.analysis.discards.many import _pair_probabilities, split_means
from fifteentwo.fast import discards
from fifteentwo.fast import random_deals as deals
from fifteentwo.rules import show
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.variants import FIVE_CARD, FOUR_HANDED, PARTNERS, THREE_HANDED, Rules

SIX = cards("5H 5S 6D 7C JC KD")


def no_pegging(_kept: object, _own_crib: bool) -> float:
    return 0.0


def by_hand(option: discard.Option, held: tuple[Card, ...]) -> tuple[list[int], list[int]]:
    """Return counts of kept hands and cribs by the rules, if all other discards are equally likely."""
    unseen = [card for card in DECK if card not in held]
    hands = Counter(show.points(option.keep, starter) for starter in unseen)
    cribs: Counter[int] = Counter()
    for starter in unseen:
        rest = [card for card in unseen if card is not starter]
        for other_discard in combinations(rest, 2):
            cribs[show.points((*option.discard, *other_discard), starter, crib=True)] += 1
    return [hands[points] for points in range(30)], [cribs[points] for points in range(30)]


def test_r80_one_option_counted_by_the_rules() -> None:
    held = cards("JS 2S 5S 9S KS JH")
    option = next(each for each in discard.options(held, own_crib=True) if set(each.discard) == set(held[:2]))
    hands, cribs = by_hand(option, held)
    assert list(option.hand.weights) == hands
    counted = discards.crib_counts([[card.index for card in held]])[0, 0]
    assert counted.tolist() == cribs
    assert counted.sum() == 45_540


def test_r42_the_crib_counts_for_its_owner() -> None:
    for own_crib, sign in ((True, 1), (False, -1)):
        found = discard.options(SIX, own_crib=own_crib, pegging=no_pegging)
        assert len(found) == 15
        for option in found:
            assert option.net == pytest.approx(option.hand.mean + sign * option.crib.mean)
        assert [option.net for option in found] == sorted((option.net for option in found), reverse=True)
        assert {card for option in found for card in option.discard} == set(SIX)


def test_r41_every_option_keeps_the_rest() -> None:
    for option in discard.options(SIX, own_crib=True):
        assert set(option.discard) | set(option.keep) == set(SIX)
        assert len(option.keep) == 4


@pytest.mark.parametrize(
    ("rules", "ways", "kept"),
    [(FIVE_CARD, 10, 3), (THREE_HANDED, 5, 4), (PARTNERS, 5, 4), (FOUR_HANDED, 5, 4)],
)
def test_forms_of_five_cards(rules: Rules, ways: int, kept: int) -> None:
    held = cards("5H 5S 6D JC KD")
    found = discard.options(held, own_crib=True, rules=rules)
    assert len(found) == ways
    for option in found:
        assert len(option.keep) == kept
        assert option.hand.total == 47
        starters = [card for card in DECK if card not in held]
        assert option.hand.mean == pytest.approx(
            sum(show.points(option.keep, card) for card in starters) / 47
        )


def test_a_given_estimate_of_pegging_is_used() -> None:
    def pegging(kept: Sequence[Card], _own_crib: bool) -> float:
        return 100.0 if Card("KD") in kept else 0.0

    best = discard.options(SIX, own_crib=True, pegging=pegging)[0]
    assert Card("KD") in best.keep
    assert best.pegging == 100.0
    assert best.win is None


def test_many_hands_have_the_means_of_their_distributions() -> None:
    hands, points = deals.random_deals(30, 6, 1), np.arange(30)
    for own_crib in (True, False):
        hand, crib, _ = split_means(hands, own_crib=own_crib)
        assert hand == pytest.approx(discards.kept_counts(hands) @ points / 46)
        cribs = discards.crib_counts(hands, _pair_probabilities("pone" if own_crib else "dealer"))
        assert crib == pytest.approx(cribs @ points / cribs.sum(axis=2))


def test_wrong_rows_are_named_and_no_rows_give_no_means() -> None:
    hands = deals.random_deals(9, 6, 2).astype(int)
    with pytest.raises(ValueError, match="shape"):
        split_means(hands[:, :5], own_crib=True)
    hands[4, 1] = 99
    with pytest.raises(ValueError, match="row 4 has 99"):
        split_means(hands, own_crib=True)
    assert split_means([], own_crib=True)[1].shape == (0, 15)


def test_the_spread_of_chances() -> None:
    spread = discard.Spread((1.0, 0.0, 3.0, *(0.0,) * 27))
    assert spread.mean == 1.5


def test_a_board_outside_the_game_is_refused() -> None:
    for board in ((121, 0), (0, -1)):
        with pytest.raises(ValueError, match="board"):
            discard.options(SIX, own_crib=True, board=board)


def test_the_report_has_the_agreed_shape() -> None:
    output = discard.report(SIX, own_crib=True, spread=True)
    assert json.loads(json.dumps(output)) == output
    assert len(output["options"]) == 15
    first = output["options"][0]
    assert list(first)[:7] == ["discard", "keep", "hand", "crib", "pegging", "net", "win"]
    for name in ("hand", "crib"):
        chances = first[f"{name}_chances"]
        assert sum(chances) == pytest.approx(1)
        assert sum(points * chance for points, chance in enumerate(chances)) == pytest.approx(
            first[name], abs=1e-5
        )
    assert "hand_chances" not in discard.report(SIX, own_crib=True)["options"][0]


def test_numba_is_not_imported_for_one_hand() -> None:
    asked = (
        "import sys; from fifteentwo.analysis.discards import discard; from fifteentwo.rules.cards import "
        "cards; discard.options(cards('5H 5S 6D 7C JC KD'), own_crib=True); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", asked], check=False, timeout=60).returncode == 0
