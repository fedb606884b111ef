"""R1–R23: variants, cards, target, the end of a game, skunks; each by its number."""

import copy
import pickle
from itertools import product
from typing import Any

import msgspec
import pytest

from fifteentwo.rules import pegging, show
from fifteentwo.rules.actions import Action, Cut, Deal, NameDealer, TurnUp
from fifteentwo.rules.cards import DECK, Card, Suit, cards, show_text
from fifteentwo.rules.errors import (
    IllegalAction,
    InvalidArgument,
    InvalidRules,
    NotationError,
    UnknownVariant,
)
from fifteentwo.rules.events import GameWon, Pegged, PeggedFor
from fifteentwo.rules.game import legal, step, to_act
from fifteentwo.rules.state import Phase, start
from fifteentwo.rules.variants import FIVE_CARD, HALF_GAME, SIX_CARD, Rules, options_of, rules_for
from tests.rules.positions import (
    ALL,
    at_play,
    dealing,
    discarded,
    do,
    every_variant,
    pegged,
    plays,
    read,
    refused,
)
from tests.support.errors import raises_code

# ── 1A Players, cards ────────────────────────────────────────────────────────────────────────────────────


def test_r1_r3_r4_r5_every_variant_has_its_players(subtests: pytest.Subtests) -> None:
    for variant, seats, sides in (
        ("six-card", 2, 2),
        ("five-card", 2, 2),
        ("three-handed", 3, 3),
        ("partners", 4, 2),
        ("four-handed", 4, 4),
    ):
        with subtests.test(variant=variant, seats=seats, sides=sides):
            rules = rules_for(variant)
            state = start(rules)
            assert (rules.seats, rules.sides) == (seats, sides)
            assert len(state.hands) == seats
            assert state.front == (0,) * sides


def test_r1_other_variants_do_not_exist(subtests: pytest.Subtests) -> None:
    variant: Any
    for variant in ("two-card", "", "SIX-CARD", "six_card", 6, None):
        with subtests.test(variant=variant):
            with pytest.raises(UnknownVariant) as caught:
                rules_for(variant)
            assert caught.value.name == str(variant)


def test_r2_six_card_is_the_basic_game() -> None:
    assert rules_for("six-card") == SIX_CARD
    assert (SIX_CARD.dealt, SIX_CARD.kept, SIX_CARD.target) == (6, 4, 121)
    # The numbers of a variant are not options.
    for name, number in (("dealt", 7), ("seats", 3), ("discards", 1), ("dealt_to_crib", 1)):
        options: Any = {name: number}
        with raises_code(InvalidArgument, "unknown-option"):
            rules_for("six-card", **options)
        values = {field: getattr(SIX_CARD, field) for field in SIX_CARD.__struct_fields__}
        with pytest.raises(InvalidRules) as caught:
            Rules(**{**values, name: number})
        assert caught.value.code == "variant-changed"


def test_r6_one_deck_of_52_no_jokers() -> None:
    assert len(DECK) == len({card.text for card in DECK}) == 52
    assert {(card.rank, card.suit) for card in DECK} == {(r, s) for r in range(1, 14) for s in Suit}
    assert [card.index for card in DECK] == list(range(52))
    for joker in ("JOKER", "*", "🃏", "Jo", "JJ"):
        with pytest.raises(NotationError):
            Card(joker)


def test_r6_what_is_no_card_is_refused(subtests: pytest.Subtests) -> None:
    words = "1X 5 5HH H HH 55 1H 00 11H 105H T 10 T10 ♥ ♥♥5 五H 🂬 5H, -5H X 5Z EH 110H"
    for text in (*words.split(), "", "5 H", "5H 6H"):
        with subtests.test(text=text):
            with pytest.raises(NotationError) as caught:
                Card(text)
            assert caught.value.code == "not-a-card"
            assert caught.value.text == text


def test_r6_a_card_is_read_in_letters_signs_and_full_width(subtests: pytest.Subtests) -> None:
    for text, card in (
        ("5H", "5H"),
        ("h5", "5H"),
        ("10c", "TC"),
        ("C10", "TC"),
        ("tc", "TC"),
        ("♥5", "5H"),
        ("5♥", "5H"),
        ("♡10", "TH"),
        ("10♢", "TD"),
        ("♠️A", "AS"),
        ("A♠︎", "AS"),
        ("♤k", "KS"),
        ("♧Q", "QC"),
        ("５Ｈ", "5H"),
        ("１０ｄ", "TD"),
        (" 5H\n", "5H"),
    ):
        with subtests.test(text=text, card=card):
            assert Card(text) is Card(card)
            assert str(Card(text)) == card


def test_r6_the_same_card_twice_is_refused_and_its_place_is_reported() -> None:
    assert cards("5H, 10C ♠A") == (Card("5H"), Card("TC"), Card("AS"))
    assert cards(show_text(DECK)) == DECK
    for text, position in (("5H 6H 5H", 2), ("5H,h5", 1), ("TC AS 10♣", 2)):
        with pytest.raises(NotationError) as caught:
            cards(text)
        assert (caught.value.code, caught.value.position) == ("card-twice", position)
    with pytest.raises(NotationError) as caught:
        cards("5H 6H 1X 5H")
    assert (caught.value.code, caught.value.text, caught.value.position) == ("not-a-card", "1X", 2)


def test_r6_a_card_is_one_object_that_does_not_change() -> None:
    five = Card("5H")
    assert copy.copy(five) is copy.deepcopy(five) is pickle.loads(pickle.dumps(five)) is five
    for name in ("rank", "text", "index", "value", "suit", "colour"):
        with pytest.raises(AttributeError):
            setattr(five, name, 1)
    assert five.text == "5H"


def test_r6_a_deck_deals_no_card_twice() -> None:
    state = dealing(SIX_CARD)
    refused(state, Deal((*DECK[:11], DECK[0])), "card-twice", "R6")
    state = discarded(SIX_CARD)
    state, _ = step(state, Cut(state.eldest, 4))
    for card in DECK:
        if card in DECK[:12]:
            refused(state, TurnUp(card), "card-not-in-stock", "R45")
        else:
            assert step(state, TurnUp(card))[0].starter is card


def test_r7_counting_values() -> None:
    values = [Card(rank + "S").value for rank in "A23456789TJQK"]
    assert values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_r8_ace_is_low_only_and_courts_keep_their_rank() -> None:
    assert [score.points for score in show.scores(read("AH 2S 3D 7C"), Card("9C"))].count(3) == 1
    for hand in ("QH KS AD 7C", "KH AS 2D 7C"):
        assert not [score for score in show.scores(read(hand), Card("9H")) if score.name.value == "run"]
    assert not pegging.scores(read("QH KS AD"))
    assert [score.points for score in pegging.scores(read("TH QS JD"))] == [3]
    ordered = sorted(DECK)
    assert [card.rank for card in ordered] == sorted(card.rank for card in DECK)


def test_r9_suits_never_matter_for_runs() -> None:
    for first in "SHDC":
        for second in "SHDC":
            for third in "SHDC":
                played = (Card("7" + first), Card("9" + second), Card("8" + third))
                assert [score.points for score in pegging.scores(played)] == [3]


# ── 1B Target, end, skunk ────────────────────────────────────────────────────────────────────────────────


@every_variant
def test_r13_r104_target(rules: Rules) -> None:
    assert rules.target == (61 if rules.variant == "five-card" else 121)
    for target in (0, 60, 62, 120, 122, 1000, -121):
        with pytest.raises(InvalidRules) as caught:
            rules_for(rules.variant, target=target)
        assert (caught.value.code, caught.value.rule) == ("target-not-offered", "R13")
    unreadable: Any
    for unreadable in ("121", 121.5, None, True):
        with raises_code(InvalidArgument, "option-value"):
            rules_for(rules.variant, target=unreadable)


@every_variant
def test_r14_the_game_ends_in_the_middle_of_the_play(rules: Rules) -> None:
    near = [rules.target - 2] * rules.sides
    hands = ["7C 2H", "8D 3S", "KD 4S", "QD 5S"][: rules.seats]
    state, events = do(at_play(rules, hands, front=near), plays("0:7C", "1:8D"))
    assert isinstance(events[-1], GameWon)
    assert events[-1].side == 1
    assert isinstance(events[-2], Pegged)
    assert state.phase is Phase.OVER
    assert to_act(state) == ()
    assert legal(state) == ()
    done: tuple[Action, ...] = (
        *plays("0:2H", "1:3S"),
        Cut(0, 10),
        NameDealer(0),
        TurnUp(Card("KC")),
        Deal(DECK[:12]),
    )
    for action in done:
        refused(state, action, "game-over", "R14")


def test_r15_reaching_is_enough_and_the_surplus_is_not_kept(subtests: pytest.Subtests) -> None:
    for rules, surplus in product(ALL, (0, 1)):
        with subtests.test(rules=rules, surplus=surplus):
            front = [0] * rules.sides
            front[1] = rules.target - 2 + surplus
            hands = ["7C 2H", "8D 3S", "KD 4S", "QD 5S"][: rules.seats]
            state, events = do(at_play(rules, hands, front=front), plays("0:7C", "1:8D"))
            assert state.front[1] == rules.target
            assert events[-2] == Pegged(
                1, 1, 2, rules.target, PeggedFor.PLAY, pegging.scores(read("7C 8D"))
            )  # the full points, the score stopped (C11)


def test_r16_half_game() -> None:
    assert HALF_GAME.target == 61
    assert msgspec.structs.replace(HALF_GAME, target=121) == SIX_CARD
    state = at_play(HALF_GAME, ["7C 2H", "8D 3S"], front=[0, 59])
    state, _ = do(state, plays("0:7C", "1:8D"))
    assert state.won == GameWon(1, (0, 61), (1, 0))


def test_r17_r104_five_card_is_61_only() -> None:
    assert FIVE_CARD.target == rules_for("five-card", target=61).target == 61
    with pytest.raises(InvalidRules) as caught:
        rules_for("five-card", target=121)
    assert (caught.value.code, caught.value.rule) == ("five-card-is-61", "R104")


def test_r18_skunk_at_121(subtests: pytest.Subtests) -> None:
    for loser, games in ((0, 2), (89, 2), (90, 2), (91, 1), (120, 1)):
        with subtests.test(loser=loser, games=games):
            rules = rules_for("six-card", skunk=True)
            state, _ = do(at_play(rules, ["7C 2H", "8D 3S"], front=[loser, 119]), plays("0:7C", "1:8D"))
            assert state.won == GameWon(1, (loser, 121), (games, 0))


def test_r19_skunk_at_61(subtests: pytest.Subtests) -> None:
    for variant, (loser, games) in product(("six-card", "five-card"), ((0, 2), (30, 2), (31, 1), (60, 1))):
        with subtests.test(variant=variant, loser=loser, games=games):
            rules = rules_for(variant, target=61, skunk=True)
            state, _ = do(at_play(rules, ["7C 2H", "8D 3S"], front=[loser, 59]), plays("0:7C", "1:8D"))
            assert state.won == GameWon(1, (loser, 61), (games, 0))


@every_variant
def test_r20_double_skunk_needs_skunk_and_121(rules: Rules) -> None:
    for target in {121, 61} if rules.variant != "five-card" else {61}:
        with pytest.raises(InvalidRules) as caught:
            rules_for(rules.variant, target=target, double_skunk=True)
        assert caught.value.code == "double-skunk-needs-skunk"
    with pytest.raises(InvalidRules) as caught:
        rules_for(rules.variant, target=61, skunk=True, double_skunk=True)
    assert (caught.value.code, caught.value.rule) == ("double-skunk-needs-121", "R20")


@every_variant
def test_r21_without_agreement_there_is_no_skunk(rules: Rules) -> None:
    assert not rules.skunk
    assert rules.skunk_line is rules.double_skunk_line is None
    assert {rules.games_lost(points) for points in range(121)} == {1}


def test_r22_each_of_several_losers_is_judged_alone() -> None:
    rules = rules_for("four-handed", skunk=True, double_skunk=True)
    hands = ["7C 2H", "8D 3S", "KD 4S", "QD 5S"]
    state, _ = do(at_play(rules, hands, front=[60, 119, 90, 91]), plays("0:7C", "1:8D"))
    assert state.won == GameWon(1, (60, 121, 90, 91), (4, 0, 2, 1))


def test_r23_the_team_wins_together() -> None:
    rules = rules_for("partners")
    hands = ["7C 2H", "KD 3S", "KS 4S", "4D 5S"]
    state, events = do(at_play(rules, hands, front=[0, 119]), plays("0:7C", "1:KD", "2:KS", "3:4D"))
    assert pegged(events) == [(PeggedFor.PLAY, 0, 2), (PeggedFor.PLAY, 1, 2)]
    assert state.won == GameWon(1, (2, 121), (1, 0))


def test_options_are_read_back() -> None:
    for rules in ALL:
        assert rules_for(rules.variant, **options_of(rules)) == rules
    with raises_code(InvalidArgument, "unknown-option"):
        rules_for("six-card", jokers=True)  # type: ignore[call-arg]
    with pytest.raises(InvalidArgument) as refused:
        rules_for("six-card", first_dealer="oldest")
    assert (refused.value.code, refused.value.allowed) == ("option-value", ("low", "high", "named"))
    with pytest.raises(InvalidRules) as caught:
        rules_for("six-card", muggins="missed")
    assert (caught.value.code, caught.value.rule) == ("muggins-needs-claims", "R98")


def test_errors_travel_between_processes() -> None:
    for error in (
        IllegalAction("count-past-31", "R53", 1, card="KH", count=35),
        InvalidRules("five-card-is-61", "R104"),
        NotationError("not-a-card", "1X", 3),
        UnknownVariant("seven-card"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
        assert again.__dict__ == error.__dict__
