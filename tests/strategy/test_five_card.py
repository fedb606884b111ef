"""Discards of the five-card solution."""

from itertools import product

import pytest

from fifteentwo.rules.cards import Card, cards
from fifteentwo.strategy.five_card import ROLES, discard_frequencies

HANDS = ("5H 5S 6D 7C JC", "2H 4H 6H 9S KS", "AH AS AD AC KD", "3C 3D 8C 8D QS", "TH JH QH KH AH")


def by_ranks(often: dict[tuple[Card, Card], float]) -> list[tuple[float, list[str]]]:
    """Return frequencies by ranks, because suits of one rank are interchangeable."""
    return sorted((share, sorted(str(card)[0] for card in pair)) for pair, share in often.items())


def test_discards_are_pairs_of_the_hand_whatever_its_suits_are_called(subtests: pytest.Subtests) -> None:
    for role, hand in product(ROLES, HANDS):
        with subtests.test(role=role, hand=hand):
            often = discard_frequencies(cards(hand), role)
            assert sum(often.values()) == pytest.approx(1)
            assert all({*pair} < {*cards(hand)} for pair in often)
            renamed = discard_frequencies(cards(hand.translate(str.maketrans("HSDC", "SDCH"))), role)
            assert by_ranks(renamed) == by_ranks(often)


def test_a_flush_is_kept_where_other_suits_would_not_be() -> None:
    (suited,) = discard_frequencies(cards("2H 7H QH 6S 9D"), "dealer")
    other = discard_frequencies(cards("2H 7S QD 6S 9D"), "dealer")
    assert {*suited} == {*cards("6S 9D")}
    assert ("6S", "9D") not in {tuple(map(str, pair)) for pair in other}


def test_other_numbers_of_cards_are_refused(subtests: pytest.Subtests) -> None:
    for hand in ("5H 5S 6D 7C", "5H 5S 6D 7C JC KD"):
        with subtests.test(hand=hand), pytest.raises(ValueError, match="five"):
            discard_frequencies(cards(hand), "pone")
