"""`ft.score` and `ft.discards`: the figures of the commands, and refusals with codes."""

import json
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import fifteentwo as ft
from fifteentwo.cli import main
from fifteentwo.i18n import refusal
from tests.support.errors import raises_code

FIVE = ft.Card("5H")


def printed(*words: str) -> Any:
    result = CliRunner().invoke(main, (*words, "--json"))
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_hand_is_scored_item_by_item() -> None:
    made = ft.score("5H 5S 5D JC", starter="5C")
    assert (made.points, int(made)) == (29, 29)
    assert sum(item.points for item in made.items) == 29
    assert str(made).endswith("double pair royal twenty-eight, and one's twenty-nine")
    assert str(ft.score("2H 4S 6D 8C", starter="QC")) == "nothing"
    assert made.spoken("ja") != made.spoken("en")


def test_it_is_what_the_command_prints(subtests: pytest.Subtests) -> None:
    more: dict[str, Any]
    for hand, more in (
        ("5H 5S 6D JC", {"starter": "7C"}),
        ("2H 4H 6H 8H", {"starter": "KH", "crib": True}),
        ("2H 4H 6H 8H", {"starter": "KC", "crib": True}),
        ("2H 4H 6H", {"starter": "KC", "five_card": True}),
        ("2H 4H 6H KC", {"starter": "KD", "five_card": True, "crib": True}),
    ):
        with subtests.test(hand=hand, more=more):
            options = [
                word
                for name, value in more.items()
                for word in ([f"--{name.replace('_', '-')}"] if value is True else [f"--{name}", str(value)])
            ]
            wanted = printed("score", *hand.split(), *options)
            made = ft.score(hand, **more)
            assert made.points == wanted["points"]
            assert [(item.name.value, item.points) for item in made.items] == [
                (one["name"], one["points"]) for one in wanted["scores"]
            ]


def test_cards_are_read_as_people_write_them(subtests: pytest.Subtests) -> None:
    hand: Any
    for hand in (
        "5H 5S 5D JC",
        "5h,5s,5d,jc",
        "5H5S5DJC",
        "♥5 ♠5 ♦5 ♣J",
        "♥5♠5♦5♣J",
        "🂵🂥🃅🃛",
        {"5H", "5S", "5D", "JC"},
        ["5H", "5S", "5D", "JC"],
        ft.cards("5H 5S 5D JC"),
        (card for card in ft.cards("5H 5S 5D JC")),
    ):
        with subtests.test(hand=hand):
            assert ft.score(hand, starter=ft.Card("5C")).points == 29


def test_the_last_of_five_cards_in_a_row_is_the_starter() -> None:
    for hand in ("5H 5S 5D JC 5C", "5H5S5DJC5C", ["5H", "5S", "5D", "JC", "5C"]):
        assert ft.score(hand) == ft.score("5H 5S 5D JC", "5C")
    assert ft.score("10H 0S 10D JC TC").points == 13
    assert ft.score("5H 6H 7H 8H", five_card=True) == ft.score("5H 6H 7H", "8H", five_card=True)


def test_a_set_of_cards_is_read_in_the_decks_order() -> None:
    assert ft.score({"KH", "5S", "AD", "2C"}, "3H").hand == ft.cards("AD 2C 5S KH")


def test_an_error_is_the_sentence_of_the_command_line() -> None:
    with pytest.raises(ft.NotationError) as error:
        ft.score("5H 5S 5D XX", "5C")
    assert str(error.value) == refusal(error.value, "en")
    assert (error.value.code, error.value.text, error.value.position) == ("not-a-card", "XX", 3)


def test_discards_are_a_table_for_print_and_for_data_frames() -> None:
    found = ft.discards("5H 5S 6D 7C JC KD", dealer=True)
    heading, *rows = str(found).splitlines()
    assert heading.split() == ["keep", "discard", "net", "hand", "crib", "pegging"]
    assert len(rows) == 15
    assert len({len(line) for line in (heading, *rows)}) == 1
    assert str(ft.discards("5H 5S 6D 7C JC KD", dealer=True, score="0-0")).splitlines()[0].endswith("  win")
    assert ft.DiscardOption._fields == ("discard", "keep", "win", "net", "hand", "crib", "pegging")
    options = found.to_dict()["options"]
    assert options[0]["discard"] == [card.text for card in found[0].discard]
    assert [one["net"] for one in options] == [one.net for one in found]


def test_an_impossible_pile_is_refused_with_a_code() -> None:
    with raises_code(ft.InvalidArgument, "no-card-played"):
        ft.pegging.scores(())
    with raises_code(ft.IllegalAction, "count-past-31"):
        ft.pegging.scores(ft.cards("KH KS KD 2C"))
    with raises_code(ft.IllegalAction, "card-twice"):
        ft.pegging.scores(ft.cards("5H") * 2)


def test_points_are_the_sum_of_the_items() -> None:
    rng = random.Random(1)
    for size in (3, 4):
        for crib in (False, True):
            for _ in range(2000):
                *hand, starter = rng.sample(ft.DECK, size + 1)
                items = ft.show.scores(hand, starter, crib=crib)
                assert ft.show.points(hand, starter, crib=crib) == sum(item.points for item in items)


def test_an_impossible_hand_is_refused_with_a_code(subtests: pytest.Subtests) -> None:
    hand: Any
    starter: Any
    for hand, starter, code in (
        ([FIVE] * 4, FIVE, "card-twice"),
        ("5H 5H 5D JC", "5C", "card-twice"),
        ("5H 5S 5D JC", "5H", "card-twice"),
        ("5H 5S 5D", "5C", "wrong-number-of-cards"),
        ("5H 5S 5D JC QC", "5C", "wrong-number-of-cards"),
        ("", "5C", "wrong-number-of-cards"),
        ("5H 5S 5D 1C", "5C", "not-a-card"),
        ("5H 5S 5D JC", "5C 6C", "wrong-number-of-cards"),
        (None, "5C", "not-cards"),
        (5, "5C", "not-cards"),
        (b"5H 5S 5D JC", "5C", "not-cards"),
        ([5, 6, 7, 8], "5C", "not-cards"),
        (np.arange(4), "5C", "not-cards"),
        ("5H 5S 5D JC", None, "wrong-number-of-cards"),
        ({"5H", "5S", "5D", "JC", "5C"}, None, "no-last-card"),
        ("5H 5S 5D JC", 3, "not-cards"),
    ):
        with subtests.test(hand=hand, starter=starter, code=code):
            with pytest.raises(ft.FifteenTwoError) as refused:
                ft.score(hand, starter=starter)
            assert refused.value.code == code
            assert "{" not in refusal(refused.value, "en") + refusal(refused.value, "ja")


def test_a_score_has_the_fields_of_the_command() -> None:
    wanted = printed("score", "5H", "5S", "6D", "JC", "7C")
    assert {"version": 1, **ft.score("5H 5S 6D JC 7C").to_dict()} == wanted


def test_pegging_scores_cards_written_as_text() -> None:
    wanted = ft.pegging.scores(ft.cards("4C 5D 6S"))
    assert ft.pegging.scores("4C 5D 6S") == ft.pegging.scores(["4C", "5D", "6S"]) == wanted
    with raises_code(ft.NotationError, "not-a-card"):
        ft.pegging.scores("4C 5X")


def test_rules_that_are_given_text_or_a_view_name_the_function_that_reads_it() -> None:
    function: Any
    for function in (ft.show.points, ft.show.scores):
        for hand, starter in (("5H 5S 5D JC", "5C"), (["5H", "5S"], "5C"), (ft.cards("5H 5S 5D JC"), "5C")):
            with raises_code(ft.InvalidArgument, "text-not-cards"):
                function(hand, starter)
    function = ft.legal
    with raises_code(ft.InvalidArgument, "not-a-state"):
        function(ft.view(ft.start("six-card"), 0))


def test_r6_the_rules_refuse_a_card_twice(subtests: pytest.Subtests) -> None:
    for score in (ft.show.points, ft.show.scores):
        with subtests.test(score=score):
            with raises_code(ft.IllegalAction, "card-twice"):
                score((FIVE,) * 4, FIVE)
            with raises_code(ft.IllegalAction, "card-twice"):
                score(ft.cards("5H 6H 7H 8H"), FIVE)


def test_a_card_is_read_from_text_alone(subtests: pytest.Subtests) -> None:
    text: Any
    for text in (None, 5, b"5H", ["5H"], {}):
        with subtests.test(text=text):
            for read in (ft.Card, ft.cards):
                with pytest.raises(ft.InvalidArgument):
                    read(text)


def test_discards_are_what_the_command_prints() -> None:
    hand = "5H 5S 6D 7C JC KD"
    for role, board in (("--pone", "110-116"), ("--dealer", "0-0")):
        wanted = printed("discard", *hand.split(), role, "--board", board)["options"]
        found = ft.discards(hand, dealer=role == "--dealer", score=board)
        assert len(found) == 15
        for one, other in zip(found, wanted, strict=True):
            assert [card.text for card in one.discard] == other["discard"]
            assert [card.text for card in one.keep] == other["keep"]
            for name in ("hand", "crib", "pegging", "net", "win"):
                assert getattr(one, name) == pytest.approx(other[name], abs=1e-6)


def test_every_variant_has_its_discards(subtests: pytest.Subtests) -> None:
    for variant, hand, number in (
        ("six-card", "5H 5S 6D 7C JC KD", 15),
        ("five-card", "5H 5S 6D 7C JC", 10),
        ("three-handed", "5H 5S 6D 7C JC", 5),
        ("partners", "5H 5S 6D 7C JC", 5),
        ("four-handed", "5H 5S 6D 7C JC", 5),
    ):
        with subtests.test(variant=variant, hand=hand, number=number):
            found = ft.discards(hand, dealer=True, variant=variant)
            assert len(found) == number
            assert all(one.win is None for one in found)
            nets = [one.net for one in found]
            assert nets == sorted(nets, reverse=True)
            wanted = printed("discard", *hand.split(), "--dealer", "--variant", variant)["options"]
            assert [one["net"] for one in wanted] == pytest.approx(nets, abs=1e-6)


def test_the_half_game_has_its_own_chances() -> None:
    hand = "5H 5S 6D 7C JC KD"
    half = ft.discards(hand, dealer=False, score=(50, 56), target=61)
    assert half[0].win == pytest.approx(ft.discards(hand, dealer=False, score=(110, 116))[0].win, abs=0.02)


SIX = "5H 5S 6D 7C JC KD"


def test_an_impossible_question_is_refused_with_a_code(subtests: pytest.Subtests) -> None:
    arguments: Any
    for arguments, code in (
        ({"hand": "5H 5S 6D 7C JC"}, "cards-not-as-dealt"),
        ({"hand": "5H 5S 6D 7C JC JC"}, "card-twice"),
        ({"hand": None}, "not-cards"),
        ({"variant": "whist"}, "unknown-variant"),
        ({"variant": 6}, "not-text"),
        ({"dealer": "pone"}, "not-true-or-false"),
        ({"dealer": None}, "not-true-or-false"),
        ({"score": (12, 3, 4)}, "not-a-score"),
        ({"score": 12}, "not-a-score"),
        ({"score": "12"}, "not-a-score"),
        ({"score": b"12-3"}, "not-a-score"),
        ({"score": (1.5, 3)}, "not-a-score"),
        ({"score": (True, 3)}, "not-a-score"),
        ({"score": ("a", 3)}, "not-a-score"),
        ({"score": np.eye(2)}, "not-a-score"),
        ({"score": (121, 3)}, "score-out-of-range"),
        ({"score": (-1, 3)}, "score-out-of-range"),
        ({"score": "30-70", "target": 61}, "score-out-of-range"),
        ({"target": 100}, "target-not-offered"),
        ({"hand": SIX[:-3], "variant": "partners", "score": (1, 2)}, "no-win-chances"),
    ):
        with subtests.test(arguments=arguments, code=code):
            with pytest.raises(ft.FifteenTwoError) as refused:
                ft.discards(**{"hand": SIX, "dealer": False, **arguments})
            assert refused.value.code == code


def test_a_choice_that_is_neither_true_nor_false_is_refused(subtests: pytest.Subtests) -> None:
    given: Any
    for argument, given in product(("crib", "five_card"), ("no", 0, None, np.ones(2, bool))):
        with subtests.test(argument=argument, given=given):
            with pytest.raises(ft.InvalidArgument) as refused:
                ft.score("5H 5S 5D JC", starter="5C", **{argument: given})
            assert (refused.value.code, refused.value.argument) == ("not-true-or-false", argument)


def test_a_choice_may_be_numpys() -> None:
    crib: Any = np.True_
    assert ft.score("2H 4H 6H KH", starter="JC", crib=crib).points == 0


def test_a_score_is_any_pair_of_points(subtests: pytest.Subtests) -> None:
    score: Any
    for score in ([12, 3], (12, 3), "12-3", np.array([12, 3])):
        with subtests.test(score=score):
            assert ft.discards(SIX, dealer=True, score=score) == ft.discards(SIX, dealer=True, score=(12, 3))


def test_the_analysis_takes_a_list_as_board() -> None:
    from fifteentwo.analysis.discards.discard import options

    board: Any = [12, 3]
    assert options(ft.cards(SIX), own_crib=True, board=board)[0].win
