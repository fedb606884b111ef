"""The spoken count: Parlett's order, both languages, and totals that equal the score."""

import random
import re

import pytest

from fifteentwo.i18n import named, spoken, spoken_count
from fifteentwo.rules.cards import DECK, Card, cards
from fifteentwo.rules.events import Pegged, PeggedFor, Played, Score, ScoreName, WentGo
from fifteentwo.rules.pegging import scores as pegging_scores
from fifteentwo.rules.show import points, scores

_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_STEMS = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
_TEENS = ["ten", "eleven", "twelve", *(f"{stem}teen" for stem in _STEMS)]
_TWENTIES = ["twenty", *(f"twenty-{one}" for one in _ONES)]
_NUMBERS = ["zero", *_ONES, *_TEENS, *_TWENTIES, "thirty", "thirty-one"]


def _english_total(stated: str) -> int:
    """Return the number at the end of an English entry, the longest that fits."""
    if stated == "one for his nobs":
        return 1
    return max(number for number, word in enumerate(_NUMBERS) if re.search(rf"\b{word}$", stated))


def _japanese_total(stated: str) -> int:
    return int(stated.rsplit("で", 1)[1])


DOCUMENTS_EXAMPLES = (
    (
        "5H 5S 6D JC 7C",
        "fifteen two/fifteen four/pair six/seven-eight-nine/ten-eleven-twelve/and one's thirteen",
        "フィフティーンで2/フィフティーンで4/ペアで6/ランで9/ランで12/ヒズ・ノブで13",
    ),
    (
        "4C 7H 8D 9D 9S",
        "fifteen two/pair four/five-six-seven/eight-nine-ten",
        "フィフティーンで2/ペアで4/ランで7/ランで10",
    ),
    (
        "5H 5S 5D JC 5C",
        "/".join(f"fifteen {_NUMBERS[total]}" for total in range(2, 17, 2))
        + "/double pair royal twenty-eight/and one's twenty-nine",
        "/".join(f"フィフティーンで{total}" for total in range(2, 17, 2))
        + "/ダブル・ペア・ロイヤルで28/ヒズ・ノブで29",
    ),
    (
        "4C 5H 6C 6S 4D",
        "/".join(f"fifteen {_NUMBERS[total]}" for total in range(2, 9, 2))
        + "/pair ten/pair twelve/thirteen-fourteen-fifteen/sixteen-seventeen-eighteen"
        + "/nineteen, twenty, twenty-one/twenty-two, twenty-three, twenty-four",
        "/".join(f"フィフティーンで{total}" for total in range(2, 9, 2))
        + "/ペアで10/ペアで12/ランで15/ランで18/ランで21/ランで24",
    ),
    ("2H 4H 6H 8H KC", "flush four", "フラッシュで4"),
    ("JH 7C 3D KS 9H", "one for his nobs", "ヒズ・ノブで1"),
    ("7H 7S 7D KC 2C", "pair royal six", "ペア・ロイヤルで6"),
    ("4H 6S 8D QC 2C", "", ""),
)
"""Hand with the starter last, and what is said in both languages."""


def test_r93_documents_examples_are_spoken_as_written(subtests: pytest.Subtests) -> None:
    for hand, english, japanese in DOCUMENTS_EXAMPLES:
        with subtests.test(hand=hand, english=english, japanese=japanese):
            *held, starter = cards(hand)
            counted = scores(held, starter)
            assert "/".join(spoken(counted, "en")) == english
            assert "/".join(spoken(counted, "ja")) == japanese


def test_r93_order_does_not_depend_on_the_order_given() -> None:
    counted = scores(cards("5H 5S 6D JC"), Card("7C"))
    assert spoken(reversed(counted), "ja")[-1] == "ヒズ・ノブで13"
    assert spoken(reversed(counted), "ja")[2] == "ペアで6"


def test_r93_total_spoken_is_the_score_of_1000_random_hands() -> None:
    shuffled = random.Random(19)
    for number in range(1000):
        kept = 3 if number % 5 == 0 else 4
        *hand, starter = shuffled.sample(DECK, kept + 1)
        crib = kept == 4 and number % 2 == 0
        counted = scores(hand, starter, crib=crib)
        english, japanese = spoken(counted, "en"), spoken(counted, "ja")
        assert len(english) == len(japanese) == len(counted)
        running = 0
        for score, stated, result in zip(counted, english, japanese, strict=True):
            running += score.points
            assert _english_total(stated) == running, stated
            assert _japanese_total(result) == running, result
        assert running == points(hand, starter, crib=crib)


def test_r84_learners_hear_the_names_of_scores(subtests: pytest.Subtests) -> None:
    for hand, starter, english, japanese in (
        (
            "6D 7C 8H KS",
            "KD",
            "fifteen two, run of three is five, pair is seven",
            "フィフティーンで2、3枚のランで5、ペアで7",
        ),
        (
            "2H 3C 3D 4S",
            "JH",
            "fifteen two, fifteen four, double run of three is twelve",
            "フィフティーンで2、フィフティーンで4、3枚のダブル・ランで12",
        ),
        ("9H TC JD JS", "2C", "double run of three is eight", "3枚のダブル・ランで8"),
        ("9H TC JD QS", "9S", "double run of four is ten", "4枚のダブル・ランで10"),
        ("9H TC JD JS", "JC", "triple run of three is fifteen", "トリプル・ランで15"),
        ("9H 9C JD JS", "TC", "quadruple run of three is sixteen", "クアドラプル・ランで16"),
        ("2H 4H 6H 8H", "8C", "pair is two, flush is six", "ペアで2、フラッシュで6"),
        ("JH 7C 3D KS", "9H", "his nobs is one", "ヒズ・ノブで1"),
        ("4H 6S 8D QC", "2C", "", ""),
    ):
        with subtests.test(hand=hand, starter=starter, english=english, japanese=japanese):
            counted = scores(cards(hand), Card(starter))
            assert ", ".join(score.words for score in named(counted, "en")) == english
            assert "、".join(score.words for score in named(counted, "ja")) == japanese


def test_named_scores_add_up_to_the_score_and_have_its_cards() -> None:
    shuffled = random.Random(84)
    for number in range(1000):
        *hand, starter = shuffled.sample(DECK, 5)
        counted = scores(hand, starter, crib=number % 2 == 0)
        heard = named(counted, "en")
        assert sum(score.points for score in heard) == sum(score.points for score in counted)
        assert {card for score in heard for card in score.cards} == {
            c for score in counted for c in score.cards
        }
        running = 0
        for score in heard:
            running += score.points
            assert _english_total(score.words) == running, score.words


def test_r52_the_count_go_and_points_of_pegging_are_spoken() -> None:
    assert spoken_count(Played(0, Card("7S"), 21), "en") == "twenty-one"
    assert spoken_count(Played(0, Card("7S"), 21), "ja") == "21"
    assert spoken_count(WentGo(1), "en") == "go"
    assert spoken_count(WentGo(1), "ja") == "ゴー"
    made = Pegged(0, 0, 5, 5, PeggedFor.PLAY, pegging_scores(cards("4C 5D 6S")))
    assert spoken_count(made, "en") == "fifteen for two, run of three for three"
    assert spoken_count(made, "ja") == "フィフティーンで2点、3枚のランで3点"
    last = Pegged(0, 0, 1, 6, PeggedFor.LAST_CARD, (Score(ScoreName.LAST_CARD, (Card("6S"),), 1, "R60"),))
    assert spoken_count(last, "en") == "one for the last card"
    assert spoken_count(last, "ja") == "ラストカードで1点"


def test_the_show_is_not_spoken_in_pegging() -> None:
    counted = scores(cards("5H 5S 6D JC"), Card("7C"))
    assert spoken_count(Pegged(0, 0, 13, 13, PeggedFor.HAND, counted), "en") is None
