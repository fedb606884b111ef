"""Near misses are explained, and nothing else is."""

import random

import msgspec
import pytest

from fifteentwo.i18n import languages
from fifteentwo.i18n.scores import near_miss_text
from fifteentwo.rules import pegging, show
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.near_misses import card_near_misses, hand_near_misses


def test_a_hand_without_points_is_explained(subtests: pytest.Subtests) -> None:
    for hand, starter, crib, why in (
        ("2H 4H 6H QH", "8S", True, "crib-flush"),
        ("2H 4H 6H QS", "8H", False, "starter-flush"),
        ("QH KS AS 8D", "3C", False, "corner"),
        ("JH 2S 4S 8D", "QC", False, "jack"),
        ("2H 4S 6D QS", "8H", False, "hand"),
    ):
        with subtests.test(hand=hand, starter=starter, crib=crib, why=why):
            assert show.points(cards(hand), Card(starter), crib=crib) == 0
            assert why in {one.why for one in hand_near_misses(cards(hand), Card(starter), crib=crib)}


def test_a_card_that_pegs_nothing_says_why(subtests: pytest.Subtests) -> None:
    for played, why in (
        ("2C TC 2D", "broken-pair"),
        ("4C 5D 5H 6D", "broken-run"),
        ("QC KD AS", "corner"),
        ("7C TC", "card"),
    ):
        with subtests.test(played=played, why=why):
            assert why in {one.why for one in card_near_misses(cards(played))}


def test_only_hands_and_cards_without_points_are_explained() -> None:
    chance = random.Random(1)
    for _ in range(300):
        *hand, starter = chance.sample(DECK, 5)
        crib = chance.random() < 0.5
        assert (hand_near_misses(hand, starter, crib=crib) == ()) == (
            show.points(hand, starter, crib=crib) > 0
        )
        played = tuple(hand[: chance.randint(2, 4)])
        if sum(card.value for card in played) <= 31:
            assert (card_near_misses(played) == ()) == bool(pegging.scores(played))
            for lang in languages():
                for line in near_miss_text(msgspec.to_builtins(card_near_misses(played), enc_hook=str), lang):
                    assert "nothing." not in line
                    assert "{" not in line
