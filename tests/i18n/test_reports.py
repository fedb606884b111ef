"""Reports of analysis and arenas as text: tables, comparisons, reviews, results."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import fifteentwo
from fifteentwo.analysis.discards import discard, explain
from fifteentwo.i18n import languages
from fifteentwo.i18n.arena import arena_text, progress_text
from fifteentwo.i18n.cards import card_text, cards_text
from fifteentwo.i18n.discards import comparison, options_table
from fifteentwo.i18n.game_review import review_text
from fifteentwo.rules.cards import cards

SIX = cards("5H 5S 6D 7C JC KD")
SOURCE = Path(fifteentwo.__file__).parent
JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]")


def option(**values: Any) -> dict[str, Any]:
    usual = {"keep": ["5H", "TS"], "discard": ["JC"], "hand": 4.0, "crib": 5.25, "pegging": -1.5, "net": 7.75}
    return {**usual, "win": None, **values}


def test_the_table_lines_up_in_both_languages() -> None:
    report = discard.report(SIX, own_crib=False)
    english, japanese = (options_table(report, lang).splitlines() for lang in ("en", "ja"))
    assert len(english) == len(japanese) == 16
    assert len({len(line) for line in english}) == 1
    assert english[1].split()[:6] == report["options"][0]["keep"] + report["options"][0]["discard"]
    cells = [line.split() for line in english[1:]]
    by_signs = [[*(card_text(card, "ja") for card in row[:6]), *row[6:]] for row in cells]
    assert [line.split() for line in japanese[1:]] == by_signs
    assert "クリブへ" in japanese[0]
    assert "win" not in english[0]


def test_the_table_has_dashes_for_unknown_values_and_a_column_if_win_is_known() -> None:
    report = {"role": "pone", "options": [option(win=0.5909), option(pegging=None)]}
    for lang, chance in (("en", "59.1 %"), ("ja", "59.1%")):
        heading, first, second = options_table(report, lang).splitlines()
        assert first.endswith(chance)
        assert second.endswith("  –")
        assert re.split(" {2,}", second.strip())[4] == "–"
        assert heading.endswith("win" if lang == "en" else "勝率")


def test_the_comparison_lists_gains_by_part_and_helpful_starters() -> None:
    compared = explain.explain(SIX, cards("JC KD"), cards("6D 7C"), own_crib=False)
    report = explain.report(compared)
    english, japanese = comparison(report, "en").splitlines(), comparison(report, "ja").splitlines()
    net = "-0.21"  # −0.19 + 0.90 − 0.92, as the parts are printed
    assert english[0] == f"Discarding J♣ K♦ rather than 6♦ 7♣: {net} points"
    assert japanese[0] == f"♦6と♣7ではなく♣Jと♦Kをクリブへ出すと{net}点"
    for name in ("hand", "crib", "pegging"):
        part = report[name]
        shown = [round(part[which], 2) for which in ("first", "second")]
        sign = -1 if name == "crib" else 1
        assert f"  {name}: {shown[0]:.2f} / {shown[1]:.2f}  {sign * (shown[0] - shown[1]):+.2f}" in english
    first, second = (
        sum(sign * (starter.first - starter.second) > 0 for starter in compared.starters) for sign in (1, -1)
    )
    assert f"starters that help J♣ K♦ ({first})" in english
    assert f"starters that help 6♦ 7♣ ({second})" in english
    # The queen of clubs helps the second discard most, so it is first there.
    assert english[english.index(f"starters that help 6♦ 7♣ ({second})") + 1] == "  Q♣: 12 / 18"
    assert len(english) == len(japanese)
    assert not any(re.search("[A-Za-z]{3,}", line) for line in japanese)


def test_a_comparison_without_pegging_leaves_that_line_out() -> None:
    part = {"first": 1.0, "second": 2.0, "difference": -1.0}
    report = {
        "role": "dealer",
        "first": ["AS"],
        "second": ["2S"],
        "hand": part,
        "crib": part,
        "pegging": None,
        "net": part,
    }
    assert len(comparison({**report, "starters": []}, "en").splitlines()) == 5


def decision(**values: Any) -> dict[str, Any]:
    usual = {"deal": 3, "seat": 0, "kind": "play", "score": [45, 38], "chosen": "T", "best": "7"}
    usual |= {"hand": ["7D", "TS", "KC"], "count": 15, "card": "TS"}
    return {**usual, "loss_points": 0.52, "loss_win": 0.0123, **values}


def seat(**values: Any) -> dict[str, Any]:
    usual = {"loss_points": 0.0, "loss_win": 0.0, "luck": None, "result": None, "adjusted_result": None}
    usual |= {"luck_adjusted_result": None}
    return {**usual, "rating": None, "rating_error": None, "band": None, "counted": 0, **values}


def reviewed(*decisions: dict[str, Any], **values: Any) -> dict[str, Any]:
    seats = [seat(loss_points=1.5, loss_win=None), seat()]
    report = {"names": ["Aiko", ""], "decisions": list(decisions), "seats": seats}
    return {**report, "by_chance": True, **values}


def test_a_review_reports_each_decision(subtests: pytest.Subtests) -> None:
    for one, english, japanese in (
        (
            decision(),
            (
                "deal 3  45–38  Aiko  [7♦ 10♠ K♣, count 15]  "
                "played 10♠, best 7♦  0.52 points, 1.23 percentage points of win chance lost"
            ),
            (
                "第3ディール  45–38  Aiko  ［♦7 ♠10 ♣K、カウント15］  "
                "♠10をプレイ（最善は♦7）  0.52点、勝率で1.23ポイントの損"
            ),
        ),
        (
            decision(
                kind="discard", hand=["4C", "2S"], count=None, chosen="4C 2S", best="TH QC", loss_win=None
            ),
            "deal 3  45–38  Aiko  [4♣ 2♠]  discarded 4♣ 2♠, best 10♥ Q♣  0.52 points lost",
            "第3ディール  45–38  Aiko  ［♣4 ♠2］  ♣4と♠2をクリブへ（最善は♥10と♣Q）  0.52点の損",
        ),
        (
            decision(kind="claim", seat=1, count=None, chosen="8", best="10", loss_points=2.0, loss_win=None),
            "deal 3  45–38  Player 2  [7♦ 10♠ K♣]  claimed 8, right 10  2.00 points lost",
            "第3ディール  45–38  プレイヤー2  ［♦7 ♠10 ♣K］  8点と申告（正しくは10点）  2.00点の損",
        ),
        (
            decision(kind="muggins", count=None, chosen="8", best="10", loss_points=2.0, loss_win=None),
            "deal 3  45–38  Aiko  [7♦ 10♠ K♣]  accepted a claim of 8, right 10  2.00 points lost",
            "第3ディール  45–38  Aiko  ［♦7 ♠10 ♣K］  8点の申告を見逃し（正しくは10点）  2.00点の損",
        ),
    ):
        with subtests.test(one=one, english=english, japanese=japanese):
            assert review_text(reviewed(one), "en").splitlines()[0] == english
            assert review_text(reviewed(one), "ja").splitlines()[0] == japanese


def test_a_review_omits_free_decisions_and_ends_with_totals() -> None:
    report = reviewed(
        decision(loss_points=0.004, loss_win=0.00004),
        decision(loss_points=0.0, loss_win=None),
        # This card is best for winning although another scores more, so there is no loss.
        decision(best="T", loss_win=0.0),
    )
    luck_is = (
        "Luck is how far the cards moved the chance of winning, best play assumed. "
        "Play alone is an even game in which only the losses count: it varies least, and is right against "
        "best play. Luck-adjusted takes off the result only what deals and starters brought: it varies "
        "more, and is right on average against any opponent. Both are estimates; beyond 0 or 100 % they are "
        "shown as 0 or 100 %."
    )
    assert review_text(report, "en").splitlines() == [
        "Aiko: 1.50 points lost",
        "Player 2: 0.00 points, 0.00 percentage points of win chance lost in all",
        luck_is,
    ]
    assert review_text(report, "ja").splitlines() == [
        "Aiko：1.50点の損",
        "プレイヤー2：0.00点、勝率で合計0.00ポイントの損",
        (
            "運は、互いに最善を尽くすとして、カードの巡りで動いた勝率です。"
            "「実力だけなら」は、五分の勝負から互いの損だけを差し引きした勝率で、"
            "ばらつきが最も小さく、最善を尽くす相手に対する値です。"
            "「カードが五分なら」は、結果から配札とスターターの運だけを除いた値で、"
            "ばらつきは大きくても、平均すればどんな相手に対しても正しくなります。"
            "どちらも推定値で、0%や100%を超えたときは0%または100%と表示します。"
        ),
    ]


def test_a_review_reports_luck_the_result_without_it_and_the_rating() -> None:
    rated = {"rating": 34.85, "rating_error": 14.58, "band": "club", "counted": 34}
    lost = seat(luck=-0.52504, result=0, adjusted_result=0.52504, luck_adjusted_result=-0.03, **rated)
    won = seat(luck=0.52504, result=1, adjusted_result=0.47496)
    report = reviewed(decision(), seats=[lost, won])
    assert review_text(report, "en").splitlines()[2:7] == [
        "  lost: luck −52.5 percentage points, play alone 52.5 %",
        "  luck-adjusted 0.0 %",
        (
            "  loss per 100 choices in this game: 34.9 percentage points of win chance "
            "(34 choices counted; 0 is perfect)"
        ),
        "Player 2: 0.00 points, 0.00 percentage points of win chance lost in all",
        "  won: luck +52.5 percentage points, play alone 47.5 %",
    ]
    assert review_text(report, "ja").splitlines()[2:5] == [
        "  負け：運が−52.5ポイント、実力だけなら52.5%",
        "  カードが五分なら0.0%",
        "  このゲームでの選択100回あたりの損失：勝率34.9ポイント（対象34回、0が最善）",
    ]


def test_a_game_that_is_not_over_has_luck_so_far_and_no_result() -> None:
    report = reviewed(decision(), seats=[seat(luck=0.1), seat(luck=-0.1)])
    assert "  so far: luck +10.0 percentage points" in review_text(report, "en")
    assert "play alone 0" not in review_text(report, "en")


def test_without_a_known_chance_of_winning_a_review_says_so() -> None:
    assert "The chance of winning is not known" in review_text(reviewed(decision(), by_chance=False), "en")
    outcome = review_text(reviewed(decision(), by_chance=False), "ja")
    assert "この種類の勝率はまだ求められていません" in outcome
    assert "実力だけなら" not in outcome


RESULT = {
    "levels": ["master", "club"],
    "variant": "six-card",
    "seed": 7,
    "games": 2000,
    "wins": [1198, 802],
    "win_rate": 0.599,
    "ci95": [0.5772, 0.6207],
    "points": [113.4, 108.214],
    "skunks": [160, 90],
    "double_skunks": [3, 1],
    "deals_per_game": 8.873,
}


def test_an_arena_is_reported_in_both_languages() -> None:
    assert arena_text(RESULT, "en").splitlines() == [
        "Six-card: master against club, 2,000 games, seed 7",
        "  master won 1198, club won 802",
        "  master wins 59.90 % (95 % interval 57.72 % to 62.07 %)",
        "  points a game 113.40 and 108.21; 8.87 deals",
        "  skunks 160 and 90, of them double 3 and 1",
    ]
    assert arena_text(RESULT, "ja").splitlines() == [
        "シックス・カード：master対club、2,000ゲーム（シード7）",
        "  masterの1198勝802敗",
        "  masterの勝率 59.90%（95%信頼区間 57.72%～62.07%）",
        "  1ゲームの平均得点 113.40対108.21、平均8.87ディール",
        "  スコンク勝ち 160対90（うちダブル・スコンク 3対1）",
    ]


def test_an_arena_of_more_than_two_sides_reports_the_share_of_a_seat() -> None:
    result = RESULT | {"variant": "three-handed", "even_share": 1 / 3}
    assert arena_text(result, "en").splitlines()[3].strip() == (
        "a seat of master wins 39.93 % of its games (95 % interval 38.48 % to 41.38 %; equal players 33.33 %)"
    )
    assert (
        arena_text(result, "ja").splitlines()[3]
        == "  masterの1席あたりの勝率 39.93%（95%信頼区間 38.48%～41.38%、互角なら33.33%）"
    )


def test_progress_is_printed_in_both_languages() -> None:
    assert progress_text(1500, 20_000, 61.6, "en") == "1,500 of 20,000 games, about 62 s left"
    assert progress_text(1500, 20_000, 61.6, "ja") == "20,000ゲーム中1,500ゲーム終了、残り約62秒"


def test_cards_are_joined_as_they_are_read() -> None:
    assert [cards_text(some.split(), "ja") for some in ("", "3C", "3C 3S", "3C 3S TH")] == [
        "",
        "♣3",
        "♣3と♠3",
        "♣3、♠3、♥10",
    ]
    assert cards_text(cards("3C 3S TH"), "en") == "3♣ 3♠ 10♥"


def test_only_i18n_contains_texts() -> None:
    """The packages that compute contain no Japanese text and no table of languages."""
    sources = [
        path
        for package in ("analysis", "contest", "players", "fast")
        for path in sorted((SOURCE / package).rglob("*.py"))
    ]
    assert len(sources) > 30
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not JAPANESE.search(node.value), f"{path}:{node.lineno}"
                assert node.value not in languages(), f"{path}:{node.lineno}: speaks a language"


def test_luck_and_results_outside_0_to_1_add_up_as_printed() -> None:
    report = reviewed(decision(), seats=[seat(luck=-1.059, result=0, adjusted_result=1.059), seat()])
    assert (
        "  lost: luck −100.0 percentage points, play alone 100.0 %" in review_text(report, "en").splitlines()
    )
