"""`ft.Position`: its text, forum spellings, its View, and impossible positions."""

import json
import pickle
import random
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fifteentwo as ft
from fifteentwo.cli import main
from fifteentwo.i18n import refusal
from tests.support.errors import raises_code

FORUM = Path(__file__).with_name("forum_positions.txt")
VARIANTS = ("six-card", "five-card", "three-handed", "partners", "four-handed")


def positions(variant: str, seed: int, *, target: int) -> Any:
    """Yield every state of a random game that can be written as a position."""
    chance = random.Random(f"{variant} {seed}")
    rules = ft.rules_for(
        variant,
        target=target,
        cut_before_deal=chance.random() < 0.5,
        starter=chance.choice(["cut", "top"]),
        counting=chance.choice(["automatic", "claimed-hands"]),
    )
    state = ft.start(rules, named=True)
    while True:
        action: Any
        if state.phase is ft.Phase.DEAL:
            dealt = rules.seats * rules.dealt + rules.dealt_to_crib
            action = ft.rules.Deal(tuple(chance.sample(ft.DECK, dealt)))
        elif state.phase is ft.Phase.CLAIM:
            action = ft.Claim(state.turn, 2)
        else:
            action = chance.choice(ft.legal(state))
        state, _ = ft.step(state, action)
        if state.won is not None:
            return
        if state.phase not in (ft.Phase.CLAIM, ft.Phase.CHALLENGE):
            yield state


def agrees(position: ft.Position, seen: ft.View) -> None:
    """Check that a position's View has the same play from the same seat, and the same choices."""
    again = position.view()
    seats = seen.rules.seats

    def turned(seat: int) -> int:
        return seat if seat < 0 else (seat - seen.seat) % seats

    assert again.dealer == turned(seen.dealer)
    assert again.front[again.side] == seen.front[seen.side]
    assert (again.starter, again.count, again.count_ends) == (seen.starter, seen.count, seen.count_ends)
    assert again.played == tuple([(turned(seat), card) for seat, card in seen.played])
    if seen.phase is ft.Phase.PLAY:
        assert again.hand_sizes == tuple(
            [seen.hand_sizes[(place + seen.seat) % seats] for place in range(seats)]
        )
        assert again.turn == turned(seen.turn)
        assert sorted(again.said_go) == sorted(map(turned, seen.said_go))
    if seen.phase in (ft.Phase.PLAY, ft.Phase.DISCARD) and seen.seat in seen.to_act:
        wanted, found = ft.choices(seen), ft.choices(again)
        assert len(wanted) == len(found)
        assert {frozenset(cards_of(one)) for one in wanted} == {frozenset(cards_of(one)) for one in found}


def cards_of(action: ft.Action) -> tuple[ft.Card, ...]:
    assert isinstance(action, ft.Play | ft.Discard)
    return action.cards if isinstance(action, ft.Discard) else (action.card,)


@pytest.mark.parametrize(
    ("seeds", "step"),
    [(1, 3), pytest.param(3, 2, marks=pytest.mark.long), pytest.param(12, 1, marks=pytest.mark.slow)],
)
def test_positions_of_games_come_back_from_their_text(
    seeds: int, step: int, subtests: pytest.Subtests
) -> None:
    for variant in VARIANTS:
        with subtests.test(variant=variant):
            checked, target = 0, 61 if variant == "five-card" or seeds == 1 else 121
            for seed in range(1, 1 + seeds):
                for state in islice(positions(variant, seed, target=target), None, None, step):
                    for seat in range(state.rules.seats):
                        seen = ft.view(state, seat)
                        position = ft.Position.of(seen)
                        assert ft.Position(position.text) == position == ft.Position(position.text.lower())
                        agrees(position, seen)
                        checked += 1
            assert checked > 50 * seeds


def test_two_hundred_positions_as_forums_write_them() -> None:
    lines = FORUM.read_text("utf-8").splitlines()
    assert len(lines) == 200
    wrong = []
    for line in lines:
        written, wanted = line.split("\t")
        if str(ft.Position(written)) != wanted:
            wrong.append((written, wanted, str(ft.Position(written))))
    assert wrong == []


def test_a_position_is_written_in_one_way(subtests: pytest.Subtests) -> None:
    for text, canonical in (
        ("100-91* 5-6-8-Q-Q-K", "100-91 pone 568QQK"),
        ("100*-91 5 6 8 Q Q 10", "100-91 dealer 568TQQ"),
        ("pone 100-91 k♦ q♣ q♥ 8♠ 6♦ 5♥", "100-91 pone 5H6D8SQCQHKD"),
        ("110-116 pone 5H 5S JC KD (6D 7C) 4S JC-TS", "110-116 pone 5H5SJCKD/6D7C 4S JCTS"),
        ("six-card:61 50-56 non-dealer 5H5S6D7CJCKD", "six-card:61 50-56 pone 5H5S6D7CJCKD"),
        ("six-card 0-0 dealer", "0-0 dealer"),
        ("three-handed 1-2-3* 568QK", "three-handed 1-2-3 eldest 568QK"),
        ("three-handed 1-2*-3 568QK", "three-handed 1-2-3 second 568QK"),
        # A count of 31 is over even if this is not written, and the other side leads.
        ("10-10 pone AHJCQDKD/2H3H 9S KDJSAHTS", "10-10 pone AHJCQDKD/2H3H 9S KDJSAHTS|"),
    ):
        with subtests.test(text=text, canonical=canonical):
            assert ft.Position(text).text == canonical
            assert ft.Position(canonical).text == canonical


def test_a_go_that_follows_from_the_cards_is_added() -> None:
    position = ft.Position("10-18 pone 5HJCQDKD/9HTH 9S KD7SJC2C2DQD")
    assert position.text == "10-18 pone 5HJCQDKD/9HTH 9S KD7SJC2C.2D|QD"
    alone = ft.Position("10-18 pone 5HJCQDKD/9HTH 9S KD7SJC2C")
    assert (alone.text[-9:], alone.view().turn) == ("KD7SJC2C.", 1)


def test_ranks_alone_are_analysed_with_suits_that_make_no_flush() -> None:
    position = ft.Position("0-0* 2-4-6-8-10-Q")
    suits = [card.suit for card in position.assumed]
    assert max(suits.count(suit) for suit in suits) == 2
    assert ft.Position("0-0* 2H4D6S8CTHQS").assumed == ()
    best = position.best()
    assert isinstance(best, ft.DiscardOption)
    assert {card.rank for card in (*best.keep, *best.discard)} == {card.rank for card in position.assumed}


def test_the_best_of_a_position_is_that_of_the_commands() -> None:
    position = ft.Position("110-116 pone 5H5S6D7CJCKD")
    assert position.options() == ft.discards("5H 5S 6D 7C JC KD", dealer=False, score=(110, 116))
    from fifteentwo.analysis.book.play import Asked
    from fifteentwo.analysis.book.play import position as in_book

    asked = Asked(
        dealt=ft.cards("5H 5S 6D 7C JC KD"),
        dealer=False,
        board=(90, 96),
        discard=ft.cards("6D 7C"),
        starter=ft.Card("4S"),
        played=ft.cards("JC TS"),
    )
    found = in_book(asked).options
    options = ft.Position("90-96 pone 5H5SJCKD/6D7C 4S JCTS").options()
    for wanted, option in zip(found, options, strict=True):
        assert isinstance(option, ft.CardOption)
        assert option.card.rank is wanted.card.rank
        assert (option.win, option.points) == pytest.approx((wanted.win, wanted.points))


def test_every_variant_has_a_best_choice(subtests: pytest.Subtests) -> None:
    for variant in VARIANTS[1:]:
        with subtests.test(variant=variant):
            state = next(one for one in positions(variant, 3, target=61) if one.phase is ft.Phase.PLAY)
            best = ft.Position.of(ft.view(state, state.turn)).best()
            assert isinstance(best, ft.CardOption)
            assert (best.win is None) == (variant != "five-card")
            assert best.card in ft.view(state, state.turn).playable


def test_the_score_before_the_deal_is_found_again() -> None:
    assert ft.Position("93-98 pone 5H5SJCKD/6D7C 4S 5H5CJCTS").before_deal() == (93, 96)
    assert ft.Position("93-98 pone 5H5S6D7CJCKD").before_deal() == (93, 98)


def test_invalid_positions_are_refused_with_a_code(subtests: pytest.Subtests) -> None:
    for text, code in (
        ("", "position-score"),
        ("pone 5H5S6D7CJCKD", "position-score"),
        ("110 pone 5H5S6D7CJCKD", "position-score"),
        ("121-10 pone 5H5S6D7CJCKD", "position-score"),
        ("10-20-30 pone 5H5S6D7CJCKD", "position-score"),
        ("six-card:61 70-10 pone", "position-score"),
        ("six-card:x 70-10 pone", "position-score"),
        ("six-card:100 70-10 pone", "target-not-offered"),
        ("five-card:121 70-10 pone", "five-card-is-61"),
        ("110-116 5H5S6D7CJCKD", "position-role"),
        ("110*-116* 5H5S6D7CJCKD", "position-role"),
        ("110*-116 pone 5H5S6D7CJCKD", "position-role"),
        ("110-116 pone dealer 5H5S6D7CJCKD", "position-role"),
        ("partners 60*-55 5H5S6D7CJC", "position-role"),
        ("110-116 pone 5H5S6D7CJC", "position-cards"),
        ("110-116 pone 5H5S6D7CJCKDKS", "position-cards"),
        ("110-116 pone 5H5SJCKD 4S 8C", "position-cards"),
        ("110-116 pone 5H5S6/D7CJCKD", "position-card"),
        ("110-116 pone 5H5S6D/7CJCKD", "position-cards"),
        ("110-116 pone 5H5SJCKD/6D7C/4S", "position-cards"),
        ("110-116 pone 5H5SJCKD/6D7C .", "position-cards"),
        ("110-116 pone 5H5S6D7CJCKD 4S", "position-discards"),
        ("110-116 pone 5H5S6D7CJC1D", "position-card"),
        ("110-116 pone 5H56D7CJCKD", "position-card"),
        ("110-116 pone hello", "position-card"),
        ("110-116 pone 5H5S6D7CJCJC", "card-twice"),
        ("110-116 pone 5H5SJCKD/6D7C 5H", "card-twice"),
        ("110-116 pone 555556", "card-twice"),
        ("0-0 pone 5H5SJCKD/6D7C 4S 5H5C", "position-impossible"),
        ("90-96 pone 5H5SJCKD/6D7C 4S 6D", "position-impossible"),
        ("90-96 pone 5H5SJCKD/6D7C 4S JCTS.", "position-impossible"),
        ("90-96 pone 5H5SJCKD/6D7C 4S .", "position-impossible"),
        ("90-96 pone 5H5SJCKD/6D7C 4S JC5S", "position-impossible"),
        ("90-96 pone " + "5H" * 200, "position-too-long"),
    ):
        with subtests.test(text=text, code=code):
            with pytest.raises(ft.FifteenTwoError) as refused:
                ft.Position(text)
            assert refused.value.code == code
            for lang in ("en", "ja"):
                assert "{" not in refusal(refused.value, lang)


def test_a_position_is_text(subtests: pytest.Subtests) -> None:
    given: Any
    for given in (None, 5, b"0-0 pone", ["0-0", "pone"]):
        with subtests.test(given=given):
            with pytest.raises(ft.InvalidArgument):
                ft.Position(given)
            with pytest.raises(ft.InvalidArgument):
                ft.Position.of(given)


def test_a_position_is_a_value() -> None:
    position = ft.Position("100-91* 5-6-8-Q-Q-K")
    assert pickle.loads(pickle.dumps(position)) == position
    assert {position: 1}[ft.Position(position.text)] == 1
    assert position != position.text
    with pytest.raises(AttributeError):
        position.text = ""
    assert json.dumps(str(position)) == '"100-91 pone 568QQK"'


def test_the_commands_take_a_position_as_one_argument() -> None:
    def printed(*words: str) -> Any:
        result = CliRunner().invoke(main, (*words, "--json"))
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    usual = ("5H", "5S", "6D", "7C", "JC", "KD", "--pone", "--board", "110-116")
    for command in ("discard", "book"):
        wanted = printed(command, *usual)
        assert printed(command, "110-116 pone 5H5S6D7CJCKD") == wanted
        assert printed(command, "110-116*", "5H-5S-6D-7C-JC-KD") == wanted
    assert len(printed("discard", "three-handed 10-20-30* 5-6-8-Q-K")["options"]) == 5
    wanted = printed(
        *("book", "play", *usual[:-1], "88-94", "--discarded", "6D 7C"),
        "--starter",
        "4S",
        "--played",
        "5H 5C JC",
    )
    assert printed("book", "88-96 pone 5H5SJCKD/6D7C 4S 5H5CJC") == wanted
    half = printed("discard", "six-card:61 50-56 pone 5H5S6D7CJCKD")["options"][0]
    assert half["win"] == pytest.approx(
        ft.Position("six-card:61 50-56 pone 5H5S6D7CJCKD").options()[0].win, abs=1e-6
    )


def test_the_commands_refuse_invalid_positions(subtests: pytest.Subtests) -> None:
    for words, names in (
        (("discard", "110-116 pone 5H5S6D7CJC"), "6"),
        (("discard", "90-96 pone 5H5SJCKD/6D7C 4S"), "discard"),
        (("book", "three-handed 0-0-0* 5H5S6D7CJC"), "Book"),
        (("book", "0-0 dealer"), "discard"),
    ):
        with subtests.test(words=words, names=names):
            result = CliRunner().invoke(main, words)
            assert (result.exit_code, result.stdout) == (1, "")
            assert names in result.stderr


def test_positions_without_a_choice_are_refused() -> None:
    for text in ("0-0 dealer", "90-96 dealer 5H5SJCKD/6D7C 4S", "90-96 pone 5H5SJCKD/6D7C"):
        with raises_code(ft.InvalidArgument, "nothing-to-choose"):
            ft.Position(text).best()
