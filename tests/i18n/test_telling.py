"""Every event is told in both languages, to the one it happened to and to the others."""

import random
import re

import pytest

from fifteentwo.contest.table import Table, seeded
from fifteentwo.i18n import languages, tell
from fifteentwo.rules.cards import Card, cards
from fifteentwo.rules.events import (
    Event,
    GameWon,
    LaidAway,
    PartnersMade,
    Pegged,
    PeggedFor,
    Score,
    ScoreName,
    Shown,
)
from fifteentwo.rules.game import legal
from fifteentwo.rules.pegging import scores
from fifteentwo.rules.variants import variant
from fifteentwo.rules.view import see

_NAMES = ("Aiko", "Ken", "Ume", "Bo")


def _random_game(form: str, seed: int, **options: object) -> Table:
    table, choose = Table(variant(form, **options), seeded(seed)), random.Random(seed)
    for _ in range(5000):
        if table.over:
            return table
        actions = legal(table.state)
        action = choose.choice(actions)
        assert hasattr(action, "seat")
        table.submit(action.seat, action)  # type: ignore[arg-type]
    raise AssertionError("a game without an end")


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("six-card", {"skunk": True, "double_skunk": True}),
        ("five-card", {}),
        ("three-handed", {"counting": "claimed", "muggins": "missed-and-over"}),
        ("partners", {"partners_by_draw": True}),
        ("four-handed", {"counting": "claimed"}),
    ],
)
def test_every_event_of_whole_games_is_told_in_both_languages(form: str, options: dict[str, object]) -> None:
    table = _random_game(form, 7, **options)
    rules = table.state.rules
    names = _NAMES[: rules.seats]
    for event in table.events:
        for viewer in (None, *range(rules.seats)):
            for lang in languages():
                told = tell(see(event, viewer), lang, names, viewer, sides=rules.sides)
                assert told.endswith("." if lang == "en" else "。"), told
                assert not re.search(r"[{}]|event\.|made\.|name\.|  ", told), told
                assert told[0] == told[0].upper()
                if viewer is None:
                    assert "You" not in told
                    assert "あなた" not in told


def test_a_score_names_what_it_is_for_and_where_it_leads() -> None:
    run = Pegged(0, 0, 3, 64, PeggedFor.PLAY, scores(cards("4C 5D 6S"))[1:])
    assert tell(run, "en", _NAMES[:2], 0) == "A run of three for 3. You: 64."
    assert tell(run, "ja", _NAMES[:2], 0) == "3枚のランで3点。あなた：64点。"
    assert tell(run, "en", _NAMES[:2], 1) == "A run of three for 3. Aiko: 64."


def test_r75_different_scores_of_one_card_are_added() -> None:
    both = Pegged(1, 1, 5, 12, PeggedFor.PLAY, scores(cards("4C 5D 6S")))
    assert tell(both, "en", _NAMES[:2]) == "Fifteen for 2 and a run of three for 3: 5. Ken: 12."
    assert tell(both, "ja", _NAMES[:2]) == "フィフティーンで2点、3枚のランで3点、合わせて5点。Ken：12点。"


def test_r112_partners_are_told_as_one_side() -> None:
    heels = Score(ScoreName.HEELS, (Card("JH"),), 2, "R47")
    event = Pegged(3, 1, 2, 40, PeggedFor.HEELS, (heels,))
    assert tell(event, "en", _NAMES, 3, sides=2).endswith("You and Ken: 40.")
    assert tell(event, "ja", _NAMES, 0, sides=2).endswith("Ken・Bo組：40点。")
    assert tell(event, "en", _NAMES, 0).endswith("Bo: 40.")


def test_r18_r20_skunks_are_told_with_what_they_lose() -> None:
    won = GameWon(0, (121, 88, 60), (0, 2, 4))
    assert tell(won, "en", _NAMES[:3], 1) == (
        "Aiko wins, 121 to 88 and 60. You are skunked: that loses 2 games. "
        "Ume is double skunked: that loses 4 games."
    )
    assert tell(won, "ja", _NAMES[:3], 0) == (
        "あなたの勝ちです（121対88、60）。Kenはスコンクで、2ゲーム分の負けです。"
        "Umeはダブル・スコンクで、4ゲーム分の負けです。"
    )


def test_r39_cards_laid_away_by_others_are_not_told() -> None:
    event: Event = LaidAway(0, cards("5H KS"))
    assert tell(event, "en", _NAMES[:2], 0) == "You lay away 5♥ K♠."
    assert tell(see(event, 1), "en", _NAMES[:2], 1) == "Aiko lays away."


def test_r29_new_partners_are_named_as_they_now_sit() -> None:
    told = tell(PartnersMade((0, 2, 1, 3)), "en", _NAMES)
    assert told == "Partners: Aiko and Ume against Ken and Bo."


def test_a_claim_that_was_not_right_is_told_as_a_claim() -> None:
    event = Pegged(0, 0, 8, 20, PeggedFor.HAND, ())
    assert tell(event, "en", _NAMES[:2], 0) == "8 as claimed. You: 20."


def test_a_seat_without_a_name_gets_a_number() -> None:
    assert tell(Shown(1, cards("5H"), True), "ja", ("", "")) == "プレイヤー2のクリブは♥5です。"
