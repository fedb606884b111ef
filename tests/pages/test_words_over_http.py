"""Rules, glossary, sheets and counts as the server writes them."""

import html.parser
import itertools
import json
import random
import re
import string
from collections.abc import Callable, Collection
from html import unescape
from pathlib import Path

import httpx
import pytest

from fifteentwo.i18n import catalogue, languages
from fifteentwo.i18n.reading import examples, glossary, rulebook
from fifteentwo.rules import pegging
from fifteentwo.rules.cards import Card, Rank, cards
from fifteentwo.server.pages import review
from fifteentwo.server.study.hand_count import SCORES_BY_PART, count_hand
from tests.support.fetched_pages import get
from tests.support.live_server import serving
from tests.web.modules import MODULES, code, imports, reached

PAGES = ("/rules", "/glossary", "/summary", "/sheet", "/books", "/check", "/pad")

# Every Japanese name of a term in the documents, and the English next to it.
SYNONYMS = """
クリベッジ|6枚カード・クリベッジ|シックス・カード・クリベッジ|ファイブ・カード・クリベッジ
スリー・フォ・ラスト|ハーフゲーム|ディーラー|親|親マーカー|ディーラーボタン|ディーラーの相手
ノンディーラー|子|クリベッジ・ボード|クリベッジボード|ペグ|ピン|ゲームホール|クリブ|デック|山札
配り残しのカード|手札|カット|スタート・カード|スターター|ターン・アップ・カード|ヒズ・ヒール|ヒズ・ノブ
ヒズ・ニブ|ジャック|プレー|プレイ|カウント|合計|累計|累計点|場の合計|ゴー|最後の札|ラストカード
ゴーの得点|サーティーワン|フィフティーン|ペア|ペア・ロイヤル|ペアズ・ロイヤル|トリプレット
ペア・ロイアル|ロイヤル・ペア|ロイアル・ペア|ペアロイヤル|スリーオブアカインド|ダブル・ペア・ロイヤル
ダブル・ペアズ・ロイヤル|フォー・カーズ|ダブル・ペア・ロイアル|ダブル・ロイヤル・ペア|ダブルペアロイヤル
フォーオブアカインド|ラン|シークエンス|ラン・オブ・スリー|ダブル・ラン・オブ・スリー
トリプル・ラン・オブ・スリー|クアドラプル・ラン・オブ・スリー|フラッシュ|ショー|手役の得点|手役の計算
手役|マギンズ|マギン|スコンク|スカンク|ラーチ|ダブルスコンク|ダブル・スコンク|位|ランク|数字|スーツ
スート|マーク|絵札|ラウンド|リセット|場がリセット|ディール|パートナー|チーム|個人戦|ペア戦|チーム戦|得点
カードの点数|捨てる|捨て札|ドロー|連番|捨札置場|ノブ|ニブ
cribbage|six-card cribbage|five-card cribbage|three for last|half game|dealer|pone
non-dealer|cribbage board|peg|game hole|crib|deck|stock|hand|cut|starter|turn-up card|turned-up card
his heels|his nobs|his nibs|the jack|the play|count|running total|go|last card|go point|thirty-one
fifteen|pair|pair royal|triplet|three of a kind|prial|trips|threes|double pair royal|four of a kind
double prial|quads|fours|run|sequence|run of three|double run of three|triple run of three
quadruple run of three|double double run|flush|the show|muggins|skunk|lurch|Lurk|double skunk|rank|suit
court card|face card|reset|deal|partner|side|team|individual|partnership|points scored|counting value
""".replace("\n", "|").strip("|")


def pegging_points(pile: tuple[Card, ...]) -> int:
    return sum(score.points for score in pegging.scores(pile))


def part_points(held: tuple[Card, ...], part: str) -> int:
    return count_hand({"hand": " ".join(card.text for card in held), "part": part}, "en").points


def test_every_rule_has_exactly_one_anchor(lang: str) -> None:
    page = get(f"/rules?lang={lang}").text
    for number in range(1, 126):
        assert page.count(f'id="R{number}"') == 1, number
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_every_linked_rule_is_on_the_rules_page(lang: str) -> None:
    anchors = set(re.findall(r'\bid="([^"]+)"', get(f"/rules?lang={lang}").text))
    for path in ("/glossary", "/books", "/check?hand=5H+5S+5D+JC&starter=5C"):
        pointed = re.findall(
            r'href="/rules#([^"]+)"', get(f"{path}{'&' if '?' in path else '?'}lang={lang}").text
        )
        assert pointed
        assert set(pointed) <= anchors
    assert {number for group in glossary(lang) for term in group.terms for number in term.rules} <= anchors


def test_the_rules_say_the_same_in_both_languages() -> None:
    english, japanese = rulebook("en"), rulebook("ja")
    assert [part.id for part in english] == [part.id for part in japanese]
    for part, other in zip(english, japanese, strict=True):
        for rule, same in zip(part.rules, other.rules, strict=True):
            assert rule.numbers == same.numbers
            assert rule.text != same.text
            # The numbers of the game are the same in every language.
            figures = set(re.findall(r"(?<![-\d])(?:31|61|91|121|120)(?!\d)", rule.text))
            assert figures <= set(re.findall(r"\d+", same.text)), rule


PICTURED: dict[str, Callable[[tuple[Card, ...]], int]] = {
    "R47": lambda held: 2 if held[0].rank is Rank.JACK else 0,
    "R68": pegging_points,
    "R69": pegging_points,
    "R72": pegging_points,
    "R75": pegging_points,
    "R81": lambda held: part_points(held, "fifteens"),
    "R82": lambda held: part_points(held, "pairs"),
    "R83": lambda held: part_points(held, "runs"),
    "R84": lambda held: part_points(held, "runs") + part_points(held, "pairs"),
    "R85": lambda held: part_points(held, "flush"),
    "R87": lambda held: 1 if held[0].rank is Rank.JACK else 0,
}
"""How the points of the pictures next to a rule are counted."""


def test_every_picture_next_to_a_rule_is_true() -> None:
    seen = set()
    for part in rulebook("en"):
        for rule in part.rules:
            if rule.numbers[0] == "R7":
                assert [picture.points for picture in rule.pictures] == [None] * 3, "no points are scored"
                continue
            for picture in rule.pictures:
                assert picture.points == PICTURED[rule.numbers[0]](cards(" ".join(picture.cards))), rule
                seen.add(rule.numbers[0])
    assert seen == set(PICTURED)


def test_every_picture_in_the_glossary_is_true() -> None:
    pictured = {term.id: term.pictures for group in glossary("ja") for term in group.terms if term.pictures}
    for name in ("fifteen", "pair", "pair-royal", "double-pair-royal", "run", "double-run", "flush", "nobs"):
        assert name in pictured, name
    for name, pictures in pictured.items():
        for held, points in ((cards(" ".join(one.cards)), one.points) for one in pictures):
            counted = sum(part_points(held, part) for part in SCORES_BY_PART) if len(held) > 1 else None
            if name == "thirty-one":
                counted = pegging_points(held)
            assert points in (None, counted) or (name, points) in {("heels", 2), ("nobs", 1)}, name


def test_pictures_have_names_and_rule_links_have_titles(subtests: pytest.Subtests) -> None:
    for path, lang in itertools.product(["/rules", "/glossary"], languages()):
        with subtests.test(path=path, lang=lang):
            page = get(f"{path}?lang={lang}").text
            assert (
                "five of spades and jack of clubs" if lang == "en" else "スペードの5とクラブのジャック"
            ) in page
            links = re.findall(
                r'<a class="rule-link.+? href="([^"]+)" title="([^"]+)" aria-label="([^"]+)">(.*?)</a>', page
            )
            assert len(links) > 60
            for href, title, label, shown in links:
                assert href.rsplit("#", 1)[1] in title.split(" · ")
                assert title in label
                assert re.sub("<[^>]+>", "", shown) == ""


def test_the_glossary_has_every_term_and_synonym(lang: str) -> None:
    unbroken = re.sub(r'<span class="whole">([^<]+)</span>', r"\1", get(f"/glossary?lang={lang}").text)
    page = re.sub(r"<[^>]+>", "\n", unbroken)
    missing = [name for name in SYNONYMS.split("|") if name not in page]
    assert missing == []


def test_r84_named_shapes_have_their_points() -> None:
    for example in examples().hands:
        if example.shape is not None:
            shape = get(f"/api/score?hand={example.hand.replace(' ', '+')}&starter={example.starter}").json()[
                "shape"
            ]
            assert shape["points"] == example.points


def test_an_invalid_hand_is_refused_with_a_sentence(subtests: pytest.Subtests) -> None:
    """The page of the checker says what its JSON says, without markup of what was typed."""
    wrong = {
        "wrong-number-of-cards": (
            *(
                "hand=5H+5S+5D&starter=5C&crib=1",
                "hand=5H+5S+5D+JC&starter=5C&five=1",
                "hand=5H+5S&starter=5C",
            ),
            *("starter=5C", "hand=5H+5S+5D+JC+QC+KC&starter=5C"),
        ),
        "card-twice": (
            *("hand=5H+5S+5D+JC&starter=JC", "hand=5H+5S+5H+JC&starter=5C"),
            "hand=" + "5H+" * 3000 + "&starter=5C",
        ),
        "not-a-card": (
            *("hand=5H+5S+5D+1C&starter=5C", "hand=5H+5S+5D+5C&part=nonsense", "hand=&starter=", "", "hand="),
            *(
                "hand=%22%3E<script>alert(1)</script>&starter=5C",
                "hand=%00%01&starter=%ff",
                "hand=5H+5S+5D+JC",
            ),
            *("hand=🂬🂼🃌🃜&starter=🃏", "hand={0}+{hand}+%25s+%25d&starter=5C"),
        ),
        "wrong-number-for-a-part": ("hand=5H&part=pairs", "hand=5H+5S+5D+5C+JH+JS&part=pairs"),
    }
    for lang, (refusal, several) in itertools.product(languages(), wrong.items()):
        for asked in several:
            with subtests.test(asked=asked, lang=lang):
                answer = get(f"/api/score?{asked}&lang={lang}")
                assert answer.status_code == 400
                assert answer.json()["code"] == refusal
                message = answer.json()["message"]
                assert bool(re.search("[ぁ-ん]", message)) == (lang == "ja")
                assert len(message) < 300
                if asked.strip("&=") not in ("", "hand", "hand=&starter"):
                    page = get(f"/check?{asked}&lang={lang}")
                    assert page.status_code == 400
                    assert message.replace("\0", "") in unescape(page.text).replace("\0", "").replace(
                        "\ufffd", ""
                    )
                    assert "<script>alert" not in page.text
                    assert 'role="alert">' in page.text
                    assert 'name="hand"' in page.text


def test_random_text_is_answered_in_one_line() -> None:
    choose = random.Random(5)
    signs = string.printable + "♥♠٣５Ｈ\u200b\U0001f0a1"
    for _ in range(60):
        hand, starter = ("".join(choose.choices(signs, k=choose.randrange(40))) for _ in range(2))
        asked = httpx.QueryParams({"hand": hand, "starter": starter, "crib": choose.choice(["1", "x", ""])})
        answer = get(f"/api/score?{asked}")
        assert answer.status_code in (200, 400)
        if answer.status_code == 400:
            assert "\n" not in answer.json()["message"]
            assert len(answer.json()["message"]) < 300


def test_cards_may_be_typed_in_any_common_way() -> None:
    for hand in ("5h,5s,6d,jc", "♥5 ♠5 ♦6 ♣J", "５Ｈ ５Ｓ ６Ｄ ＪＣ", "H5 S5 D6 CJ"):
        assert get(f"/api/score?{httpx.QueryParams({'hand': hand, 'starter': '7c'})}").json()["points"] == 13


def test_the_checker_works_without_scripts(lang: str) -> None:
    page = get(f"/check?hand=5H+5S+6D+JC&starter=7C&lang={lang}").text
    assert re.search(r'<output id="total" class="count">13</output>', page)
    assert ("and one&#39;s thirteen" if lang == "en" else "ヒズ・ノブで13") in page


def keys_used_by(script: str, lang: str, *, without: Collection[str] = ()) -> set[str]:
    """Return the keys that a script and its modules use, whole or as the beginning of a template string."""
    modules = reached({name: imports(name, source) for name, source in MODULES.items()}, script) | {script}
    source = "".join(code(MODULES[name]) for name in modules.difference(without))
    beginnings = tuple(re.findall(r"`([a-z_]+(?:\.[a-z_-]+)*\.)\$\{", source))
    written = set(re.findall(r"""(?<=["'`])[\w-]+\.[\w.-]+(?=["'`])""", source))
    return {key for key in catalogue(lang) if key in written or key.startswith(beginnings)}


def test_the_scripts_of_a_table_get_the_words_they_use(subtests: pytest.Subtests) -> None:
    cases_0: list[tuple[str, tuple[str, ...]]] = [
        # The page of a table contains these if it has pass-and-play, spectators, a first game or chat.
        ("play/table.js", ("pass_and_play.", "spectate.", "first.", "story.title", "chat.", "shape.why.")),
        ("spectate/spectate.js", ("spectate.",)),
        ("review/review.js", review.REVIEW_WORDS),
    ]
    for (script, in_page), lang in itertools.product(cases_0, languages()):
        with subtests.test(script=script, in_page=in_page, lang=lang):
            sent = get(f"/i18n/{lang}.json").json()
            for part in ("clock", "looks", "pegs", "proof"):
                sent |= get(f"/i18n/{lang}.json?part={part}").json()
            used = {key for key in keys_used_by(script, lang) if not key.startswith(in_page)}
            assert len(used) > 50
            assert used <= set(sent)
            assert not [key for key in sent if key.startswith(("help.", "rules.", "refusal.", "book."))]


def test_the_home_page_contains_the_words_its_script_uses(lang: str, tmp_path: Path) -> None:
    with serving(tmp_path / "games.sqlite3") as live:
        home = httpx.get(f"{live.http}/?lang={lang}").text
    sent = json.loads(home.partition('id="words">')[2].partition("</script>")[0])
    # The page draws cards, but names none.
    used = keys_used_by("home/home.js", lang, without=["text.js"])
    assert len(used) > 5
    assert used <= set(sent)


def test_no_script_or_style_is_inline(subtests: pytest.Subtests) -> None:
    """The content security policy forbids it, so it would not work."""
    for path, lang in itertools.product(PAGES, languages()):
        with subtests.test(path=path, lang=lang):

            class Inline(html.parser.HTMLParser):
                def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
                    given = dict(attrs)
                    assert "style" not in given
                    assert not [name for name in given if name.startswith("on")]
                    assert tag != "style"
                    if tag == "script":
                        assert "src" in given or given.get("type") == "application/json"

            Inline().feed(get(f"{path}?lang={lang}").text)


def test_r10_the_sheet_has_a_track_of_120_for_each_side() -> None:
    for sides in (2, 3, 4):
        page = get(f"/sheet?sides={sides}").text
        assert page.count("<i></i>") == 120 * sides
    assert get("/sheet?sides=77").text.count("<i></i>") == 240


def test_the_service_worker_may_control_every_page() -> None:
    answer = get("/sw.js")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["service-worker-allowed"] == "/"
    # Only this address may control pages, no other static file.
    assert "service-worker-allowed" not in get("/static/sw.js").headers
