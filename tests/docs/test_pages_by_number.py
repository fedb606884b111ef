"""Rules that only pages show: the rulebook, the pad and the sheets, each by its number."""

import asyncio
import re
from itertools import product

import httpx
import pytest

from fifteentwo.i18n.reading import rulebook
from fifteentwo.server.app import make_app

NUMBERS = [f"R{number}" for number in range(1, 126)] + [f"C{number}" for number in range(1, 23)]


def page(path: str) -> str:
    """Return a page of the server, without a database."""

    async def fetch() -> httpx.Response:
        transport = httpx.ASGITransport(app=make_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path)

    answer = asyncio.run(fetch())
    assert answer.status_code == 200, path
    return answer.text


def test_every_number_can_be_read_on_the_rules_page(lang: str) -> None:
    result = {number: rule.text for part in rulebook(lang) for rule in part.rules for number in rule.numbers}
    shown = page(f"/rules?lang={lang}")
    assert set(result) == set(NUMBERS)
    for number in NUMBERS:
        assert len(result[number]) > 10, number
        assert re.search(rf'id="{number}"', shown), number
        assert bool(re.search("[ぁ-ん]", result[number])) == (lang == "ja"), number


def test_r12_how_long_and_how_old(lang: str) -> None:
    (about,) = [rule.text for part in rulebook(lang) for rule in part.rules if "R12" in rule.numbers]
    assert ("half an hour" if lang == "en" else "30分") in about
    assert ("seventeenth century" if lang == "en" else "17世紀") in about


def test_r12_what_is_said_of_its_history_is_no_more_than_is_known(lang: str) -> None:
    (about,) = [rule.text for part in rulebook(lang) for rule in part.rules if "R12" in rule.numbers]
    stated = ("1630", "this is not proved", "hardly changed", "Britain and America", "ten years")
    if lang == "ja":
        stated = ("1630", "証拠はありません", "ほとんど変わらず", "イギリスやアメリカ", "10歳")
    for word in stated:
        assert word in about, word


def test_r119_the_sheet_has_the_skunk_line_and_the_game_hole(subtests: pytest.Subtests) -> None:
    for lang, sides in product(("en", "ja"), (2, 3, 4)):
        with subtests.test(lang=lang, sides=sides):
            shown = page(f"/sheet?lang={lang}&sides={sides}")
            # Between the holes 90 and 91: at the head of the row that begins after 90.
            assert len(re.findall(r'<b>90<span class="skunk-mark">S</span></b>', shown)) == sides
            assert len(re.findall(r'<span class="game-hole[^"]*">121</span></b></p>', shown)) == sides


def test_r122_adding_eight_in_three_pictures(lang: str) -> None:
    shown = page(f"/rules?lang={lang}")
    (example,) = re.findall(r'<div class="pegging".*?</div>', shown, re.DOTALL)
    pictures = re.findall(r"<svg.*?</svg>", example, re.DOTALL)
    assert len(pictures) == 3
    holes = [set(map(float, re.findall(r'strip-hole" cx="(\d+)', picture))) for picture in pictures]
    numbered = [sorted(at) for at in holes]
    pegs = [
        [numbered[number].index(float(at)) + 1 for at in re.findall(r'strip-peg" cx="(\d+)', picture)]
        for number, picture in enumerate(pictures)
    ]
    assert pegs == [[7, 12], [12], [12, 20]]


def test_r10_r123_boards_books_and_links(lang: str) -> None:
    shown = page(f"/books?lang={lang}")
    assert "AdderPad" in shown
    assert ("Parlett" if lang == "en" else "パーレット") in shown
    # What document 001 names.
    named = ("Matsuda", "Man&#39;indō", "Sekai Yūgi Hakubutsukan", "Game Farm")
    if lang == "ja":
        named = ("松田道弘著『面白いトランプ・ゲーム』", "萬印堂", "世界遊戯博物館", "ゲームファーム")
    for name in named:
        assert name in shown, name
    outside = set(re.findall(r'href="(https?://[^"]+)"', shown))
    assert outside == {
        "https://www.cribbage.org/",
        "http://sekaiyugi.com/games/cribbage-1.html",
        "http://www.gamefarm.jp/modules/gamerule/page.php?game=cribbage.html",
    }
    assert 'href="/books"' in page(f"/rules?lang={lang}")


def test_r97_c12_the_rules_say_of_muggins_what_the_table_does(lang: str) -> None:
    """A comment names the rule test that shows each sentence at the table."""
    texts = {number: rule.text for part in rulebook(lang) for rule in part.rules for number in rule.numbers}
    expected = {
        # test_r95_uncalled_the_surplus_stands_where_it_could_be_called
        "R95": {"en": "If no opponent calls it, it stands", "ja": "だれも指摘しなければ、そのまま通ります"},
        # test_r95_a_claim_too_high_cannot_win_once_called
        "R97": {"en": "after the claim and before its peg moves", "ja": "申告してからペグが進むまでの間"},
        # test_r95_where_over_cannot_be_called_it_is_put_right_without_penalty
        "C12": {"en": "without a penalty where overclaims cannot be called", "ja": "罰はありません"},
    }
    for number, words in expected.items():
        assert words[lang] in texts[number], number


def test_r10_a_sheet_for_pencil_and_paper(subtests: pytest.Subtests) -> None:
    for lang, sides in product(("en", "ja"), (2, 3, 4)):
        with subtests.test(lang=lang, sides=sides):
            shown = page(f"/sheet?lang={lang}&sides={sides}")
            assert shown.count("<i></i>") == 120 * sides
            assert shown.count('class="sheet-side"') == sides


def test_r123_the_pad_has_a_pie_undo_and_any_target(lang: str) -> None:
    shown = page(f"/pad?lang={lang}")
    for part in ("pie", "undo", "redo", "target"):
        assert part in shown, part


def test_r124_a_summary_of_one_page(lang: str) -> None:
    shown = page(f"/summary?lang={lang}")
    assert "121" in shown
    assert "31" in shown
    assert ("his heels" if lang == "en" else "ヒズ・ヒール") in shown.lower()


def test_r84_the_hand_checker_names_the_shape(lang: str) -> None:
    shown = page(f"/check?lang={lang}&hand=3C+3D+4S+4H&starter=5C")
    assert ("quadruple run" if lang == "en" else "クアドラプル") in shown.lower()
