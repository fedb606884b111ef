"""Every event has text in both languages, for the player concerned and for the others."""

import random
import re
from typing import Any

import msgspec
import pytest

from fifteentwo.contest.table import Table
from fifteentwo.i18n import event_text, languages
from fifteentwo.rules import show
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.events import (
    Accepted,
    Claimed,
    ClaimSettled,
    Discarded,
    Event,
    GameWon,
    MugginsCalled,
    PartnersMade,
    Pegged,
    PeggedFor,
    Score,
    ScoreName,
    Shown,
    is_called,
)
from fifteentwo.rules.game import legal
from fifteentwo.rules.pegging import scores
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import see

_NAMES = ("Aiko", "Ken", "Ume", "Bo")


def _random_game(variant: str, seed: int, **options: Any) -> Table:
    table, choose = Table(rules_for(variant, **options), seeded(seed)), random.Random(seed)
    for _ in range(5000):
        if table.over:
            return table
        actions = legal(table.state)
        action = choose.choice(actions)
        assert hasattr(action, "seat")
        table.submit(action.seat, action)  # type: ignore[arg-type]
    raise AssertionError("a game without an end")


def test_every_event_of_whole_games_has_text_in_both_languages(subtests: pytest.Subtests) -> None:
    for variant, options in (
        ("six-card", {"skunk": True, "double_skunk": True}),
        ("five-card", {}),
        ("three-handed", {"counting": "claimed", "muggins": "missed-and-overclaims"}),
        ("partners", {"partners_by_draw": True}),
        ("four-handed", {"counting": "claimed"}),
    ):
        with subtests.test(variant=variant, options=options):
            table = _random_game(variant, 7, **options)
            rules = table.state.rules
            names = _NAMES[: rules.seats]
            for event in table.events:
                for viewer in (None, *range(rules.seats)):
                    for lang in languages():
                        result = event_text(see(event, viewer), lang, names, viewer, sides=rules.sides)
                        assert result.endswith("." if lang == "en" else "。"), result
                        assert not re.search(r"[{}]|event\.|score\.|name\.|number\.|  ", result), result
                        assert result[0] == result[0].upper()
                        if viewer is None:
                            assert "You" not in result
                            assert "あなた" not in result


def test_a_score_event_has_card_signs_and_the_new_total() -> None:
    run = Pegged(0, 0, 3, 64, PeggedFor.PLAY, scores(cards("4C 5D 6S"))[1:])
    english = "Run of three: 4♣ 5♦ 6♠, for 3."
    assert event_text(run, "en", _NAMES[:2], 0) == f"{english} You: 64."
    assert event_text(run, "en", _NAMES[:2], 1) == f"{english} Aiko: 64."
    assert event_text(run, "ja", _NAMES[:2], 0) == "3枚のラン：♣4、♦5、♠6で3点。あなたは計64点。"


def test_r75_different_scores_of_one_card_are_added() -> None:
    both = Pegged(1, 1, 5, 12, PeggedFor.PLAY, scores(cards("4C 5D 6S")))
    assert event_text(both, "en", _NAMES[:2]) == (
        "Fifteen: 4♣ 5♦ 6♠, for 2. Run of three: 4♣ 5♦ 6♠, for 3. Together 5. Ken: 12."
    )
    assert event_text(both, "ja", _NAMES[:2]) == (
        "フィフティーン：♣4、♦5、♠6で2点。3枚のラン：♣4、♦5、♠6で3点。合わせて5点です。Kenは計12点。"
    )


def test_r93_a_counted_hand_is_reported_score_by_score() -> None:
    counted = show.scores(cards("5H 9S 2D JC"), Card("7C"))
    hand = Pegged(0, 0, 3, 20, PeggedFor.HAND, counted)
    assert event_text(hand, "en", _NAMES[:2], 0) == (
        "Fifteen: 5♥ J♣, for 2. His nobs: J♣, for 1. The hand makes 3. You: 20."
    )
    assert event_text(msgspec.structs.replace(hand, reason=PeggedFor.CRIB), "ja", _NAMES[:2], 1) == (
        "フィフティーン：♥5と♣Jで2点。ヒズ・ノブ：♣Jで1点。クリブは3点です。Aikoは計20点。"
    )


def test_scores_without_cards_are_reported_without_cards(subtests: pytest.Subtests) -> None:
    for name, points, english, japanese in (
        (ScoreName.THREE_FOR_LAST, 3, "Three for last.", "スリー・フォ・ラストで3点。"),
        (ScoreName.MUGGINS, 4, "Muggins for 4.", "マギンズで4点。"),
    ):
        with subtests.test(name=name, points=points, english=english, japanese=japanese):
            event = Pegged(0, 0, points, 9, PeggedFor(name.value), (Score(name, (), points, "R100"),))
            assert event_text(event, "en", _NAMES[:2]) == f"{english} Aiko: 9."
            assert event_text(event, "ja", _NAMES[:2]) == f"{japanese}Aikoは計9点。"


def test_r112_partners_are_reported_as_one_side() -> None:
    heels = Score(ScoreName.HEELS, (Card("JH"),), 2, "R47")
    event = Pegged(3, 1, 2, 40, PeggedFor.HEELS, (heels,))
    assert event_text(event, "en", _NAMES, 3, sides=2).endswith("You and Ken: 40.")
    assert event_text(event, "ja", _NAMES, 0, sides=2).endswith("Ken・Bo組は計40点。")
    assert event_text(event, "en", _NAMES, 0).endswith("Bo: 40.")


def test_r18_r20_skunks_are_reported_with_what_they_lose() -> None:
    won = GameWon(0, (121, 88, 60), (0, 2, 4))
    assert event_text(won, "en", _NAMES[:3], 1) == (
        "Aiko wins, 121 to 88 and 60. You are skunked: that loses 2 games. "
        "Ume is double skunked: that loses 4 games."
    )
    assert event_text(won, "ja", _NAMES[:3], 0) == (
        "あなたの勝ちです（121対88、60）。Kenはスコンクで、2ゲーム分の負けです。"
        "Umeはダブル・スコンクで、4ゲーム分の負けです。"
    )


def test_r39_discards_of_others_are_not_reported() -> None:
    event: Event = Discarded(0, cards("5H KS"))
    assert event_text(event, "en", _NAMES[:2], 0) == "You discard 5♥ K♠."
    assert event_text(see(event, 1), "en", _NAMES[:2], 1) == "Aiko discards."


def test_r29_new_partners_are_named_as_they_now_sit() -> None:
    event = PartnersMade((0, 2, 1, 3))
    assert event_text(event, "en", _NAMES) == "Partners: Aiko and Ume against Ken and Bo."
    assert event_text(event, "en", _NAMES, 3) == "Partners: Aiko and Ume against you and Ken."
    assert event_text(event, "ja", _NAMES, 2) == "あなた・Aiko組とKen・Bo組に分かれました。"


def test_r112_partners_win_and_are_skunked_as_several_people() -> None:
    won = GameWon(0, (121, 88), (0, 2))
    result = "Aiko and Ume win, 121 to 88. Ken and Bo are skunked: that loses 2 games."
    assert event_text(won, "en", _NAMES) == result
    assert event_text(won, "en", _NAMES, 2).startswith("You and Aiko win, 121 to 88.")


def test_names_are_printed_unchanged() -> None:
    heels = (Score(ScoreName.HEELS, (Card("JH"),), 2, "R47"),)
    assert event_text(Pegged(0, 0, 2, 2, PeggedFor.HEELS, heels), "en", ("bo", "x")).endswith(" bo: 2.")


def test_r93_a_claim_that_was_not_right_is_reported_as_a_claim() -> None:
    event = Pegged(0, 0, 8, 20, PeggedFor.HAND, ())
    assert event_text(event, "en", _NAMES[:2], 0) == "8 as claimed. You: 20."
    assert event_text(event, "ja", _NAMES[:2], 0) == "申告した8点を得点します。あなたは計20点。"


def test_r94_a_wrong_claim_is_reported_with_what_was_right() -> None:
    made = show.scores(cards("5H 9S 2D JC"), Card("7C"))
    short = ClaimSettled(0, 2, 3, made, 1)
    assert event_text(short, "en", _NAMES[:2]) == (
        "2 claimed, 3 there: 1 missed. Fifteen: 5♥ J♣, for 2. His nobs: J♣, for 1."
    )
    over = event_text(ClaimSettled(0, 5, 3, made, None), "ja", _NAMES[:2])
    assert over.startswith("申告は5点、正しくは3点で、2点の数え過ぎです。フィフティーン：")


def test_r97_a_call_on_a_right_claim_fails_and_is_reported() -> None:
    settled = ClaimSettled(0, 8, 8, (), None)
    assert event_text(settled, "ja", _NAMES[:2]) == "申告どおり8点です。"
    assert event_text(settled, "ja", _NAMES[:2], called=True) == "8点の申告は正しく、マギンズは成立しません。"
    assert event_text(settled, "en", _NAMES[:2], called=True) == "8 is right, so the call of muggins fails."


def test_r97_a_call_is_about_the_claim_before_it_and_no_other() -> None:
    called, result = False, []
    events = (Claimed(0, 8), MugginsCalled(1), ClaimSettled(0, 8, 8, (), None), Claimed(1, 2), Accepted(0))
    for event in events:
        called = is_called(called, event)
        result.append(called)
    assert result == [False, True, True, False, False]


def test_a_seat_without_a_name_gets_a_number() -> None:
    assert event_text(Shown(1, cards("5H"), True), "ja", ("", "")) == "プレイヤー2のクリブは♥5です。"
