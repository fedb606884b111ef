"""The scoring pad: whole games by keyboard, without a server, through reloads."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from fifteentwo.i18n import text
from tests.pages.conftest import PHONE, Opened
from tests.support.live_server import Live, serving
from tests.support.playing import PATIENCE_MS


def _begin(page: Page, variant: str = "six-card", **fields: str) -> None:
    page.select_option("[name=variant]", variant)
    for name, value in fields.items():
        page.fill(f"[name={name}]", value)
    page.locator("#setup [type=submit]").click()
    expect(page.locator("#game")).to_be_visible()


def _scores(page: Page) -> list[int]:
    return [int(score) for score in page.locator(".pad-score").all_inner_texts()]


def _pegs(page: Page, which: str) -> list[int]:
    found: list[int] = page.locator(f'.peg[data-peg="{which}"]').evaluate_all(
        "pegs => pegs.sort((a, b) => a.dataset.side - b.dataset.side).map(p => Number(p.dataset.hole))"
    )
    return found


def _peg(page: Page, points: int) -> None:
    page.keyboard.type(str(points))
    page.keyboard.press("Enter")


@pytest.mark.journey
def test_a_whole_game_without_the_server_through_reloads(chromium: Browser, tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'tables.sqlite'}") as live:
        context = chromium.new_context(locale="ja")
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{live.http}/pad?lang=ja")
        expect(page.locator("html[data-offline=ready]")).to_be_attached()
    # The server is gone now.
    page.get_by_role("switch", name=text("pad.skunk", "ja")).check()
    _begin(page, name_0="あいこ", name_1="けん")
    _peg(page, 12)
    page.keyboard.press("ArrowDown")
    _peg(page, 8)
    page.keyboard.press("f")
    page.keyboard.press("p")
    assert _scores(page) == [12, 12]
    page.reload()
    expect(page.locator("#game")).to_be_visible()
    assert _scores(page) == [12, 12]
    assert _pegs(page, "rear") == [0, 10]
    page.keyboard.press("z")
    assert _scores(page) == [12, 10]
    page.reload()
    page.keyboard.press("y")
    assert _scores(page) == [12, 12]
    for _ in range(4):
        _peg(page, 29)
    expect(page.locator("#over-line")).to_contain_text("あいこの勝ちです（121対12）")
    expect(page.locator("#over-line")).to_contain_text("けんはスコンクで、2ゲーム分の負けです")
    page.reload()
    expect(page.locator("#over")).to_be_visible()
    page.locator("#next-game").click()
    assert _scores(page) == [0, 0]
    expect(page.locator(".pad-rest").first).to_contain_text("2勝")
    assert _pegs(page, "games") == [2, 0]
    # An address without a language, or with a language never opened, shows the last page.
    for lang in ("", "en"):
        page.goto(f"{live.http}/pad?lang={lang}")
        assert _scores(page) == [0, 0]
    context.close()


def test_a_whole_game_is_scored_by_keyboard_alone(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad?lang=en", lang="en")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('name')") == "name_0":
            break
    page.keyboard.type("Aiko")
    page.keyboard.press("Enter")
    expect(page.locator("#game")).to_be_visible()
    expected = [0, 0]
    side = 0
    for turn in range(400):
        key, points = (("f", 2), ("g", 1), ("p", 2), ("t", 2), ("r", 6), ("h", 2), ("n", 1), ("d", 12))[
            turn % 8
        ]
        page.keyboard.press(key)
        expected[side] = min(121, expected[side] + points)
        if 121 in expected:
            break
        page.keyboard.press("ArrowDown")
        side = 1 - side
        if turn % 5 == 0:
            _peg(page, 7)
            expected[side] = min(121, expected[side] + 7)
    assert _scores(page) == expected
    assert 121 in expected
    expect(page.locator("#over")).to_be_visible()
    expect(page.locator("#next-game")).to_be_focused()
    page.keyboard.press("Enter")
    assert _scores(page) == [0, 0]
    for _ in range(3):
        page.keyboard.press("z")
    expect(page.locator("#over")).to_be_hidden()
    assert 121 not in _scores(page)


def _new_game(page: Page) -> None:
    page.evaluate("localStorage.clear()")
    page.reload()


def test_the_buttons_fit_the_variant(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad", size=PHONE, reduced_motion="reduce")
    for variant, sides, target, button in [
        ("six-card", 2, 121, "pair_royal"),
        ("half-game", 2, 61, "heels"),
        ("five-card", 2, 61, "three_for_last"),
        ("three-handed", 3, 121, "nobs"),
        ("partners", 2, 121, "run"),
        ("four-handed", 4, 121, "flush"),
        ("other", 2, 100, "points"),
    ]:
        _begin(page, variant)
        expect(page.locator(".pad-side")).to_have_count(sides)
        expect(page.locator(".pad-rest").first).to_have_text(f"{target} to go")
        # The whole board and the button below it fit this phone.
        expect(page.get_by_role("button", name=text("board.whole", "en"))).to_have_count(0)
        expect(page.locator("#peg")).to_be_in_viewport()
        pressed = page.locator(f'[data-what="{button}"]').first
        points = int(pressed.get_attribute("data-points") or 0)
        pressed.click()
        assert _scores(page)[0] == points
        assert (page.locator('[data-what="three_for_last"]').count() == 1) == (variant == "five-card")
        expect(page.locator(".pie-slice")).to_have_count(1)
        _new_game(page)


def test_r123_any_target_and_number_of_players(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad", reduced_motion="reduce")
    for target, sides in [(1, 2), (45, 3), (100, 4), (151, 2), (999, 3)]:
        page.select_option("[name=variant]", "other")
        page.select_option("[name=sides]", str(sides))
        page.fill("[name=target]", str(target))
        page.locator("#setup [type=submit]").click()
        for _ in range(12):
            if page.locator("#over").is_visible():
                break
            _peg(page, 99)
        expect(page.locator("#over-line")).to_contain_text(f"Player 1 wins, {target} to 0")
        assert _scores(page) == [target, *[0] * (sides - 1)]
        _new_game(page)


def test_an_invalid_target_is_refused_next_to_its_field(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad?lang=ja")
    for target in ("0", "1000", "-5", "", "1.5e9"):
        page.fill("[name=target]", target)
        page.locator("#setup [type=submit]").click()
        expect(page.locator("#target-error")).to_be_visible()
        expect(page.locator("#game")).to_be_hidden()


def test_numbers_out_of_range_are_refused_and_negative_numbers_subtract(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad")
    _begin(page)
    for wrong in ("0", "100", "-", "--1"):
        page.fill("#number", wrong)
        page.keyboard.press("Enter")
        expect(page.locator("#number-error")).to_be_visible()
        page.fill("#number", "")
    assert _scores(page) == [0, 0]
    _peg(page, 10)
    page.fill("#number", "-3")
    page.keyboard.press("Enter")
    assert _scores(page) == [7, 0]
    page.fill("#number", "-50")
    page.keyboard.press("Enter")
    assert _scores(page) == [0, 0]


def test_r18_r20_skunks_are_judged_at_the_end(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad", reduced_motion="reduce")
    for loser, skunk, double, games in [
        (90, True, False, 2),
        (91, True, False, 1),
        (60, True, True, 4),
        (61, True, True, 2),
        (10, False, False, 1),
    ]:
        page.locator("[name=skunk]").set_checked(skunk)
        if double:
            page.locator("[name=double]").check()
        _begin(page)
        page.keyboard.press("ArrowDown")
        for points in [30] * (loser // 30) + [loser % 30] * (loser % 30 > 0):
            _peg(page, points)
        page.keyboard.press("ArrowDown")
        for _ in range(5):
            if page.locator("#over").is_hidden():
                _peg(page, 30)
        assert _pegs(page, "games") == [games, 0]
        assert ("skunked" in page.locator("#over-line").inner_text()) == (games > 1)
        _new_game(page)


def test_both_boards_and_numbers_show_the_same_game(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad", reduced_motion="reduce")
    _begin(page)
    _peg(page, 17)
    _peg(page, 16)
    for kind in ("B", "A"):
        page.locator(f'[name=shown][value="{kind}"]').check(force=True)
        expect(page.locator(f".board--{kind.lower()}")).to_be_visible()
        assert _pegs(page, "front")[0] == 33
        assert _pegs(page, "rear")[0] == 17
    page.locator('[name=shown][value="none"]').check(force=True)
    expect(page.locator("#board")).to_be_hidden()
    assert _scores(page) == [33, 0]


def test_r11_the_marker_is_shown_at_the_dealer(live: Live, opened: Opened) -> None:
    lang = "ja"
    page = opened(f"{live.http}/pad?lang={lang}", size=PHONE)
    page.fill("[name=name_1]", "Ken")
    page.locator("[name=name_1]").blur()
    page.select_option("[name=dealer]", label="Ken")
    _begin(page, name_0="Aiko")
    marked = page.locator(".pad-side:has(.pad-marker)")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("Ken")
    expect(page.locator("#dealer")).to_have_text(text("pad.deals", lang, name="Ken"))
    page.locator("#next-deal").click()
    expect(marked).to_contain_text("Aiko")
    expect(page.locator("#status")).to_have_text(text("pad.deals", lang, name="Aiko"))
    page.keyboard.press("e")
    expect(marked).to_contain_text("Ken")
    page.keyboard.press("z")
    page.reload()
    expect(marked).to_contain_text("Aiko")
    # The loser deals first in the next game.
    for _ in range(5):
        _peg(page, 29)
    expect(page.locator("#deal")).to_be_hidden()
    page.locator("#next-game").click()
    expect(marked).to_contain_text("Ken")


def test_each_group_of_buttons_has_a_heading(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad?lang=ja", reduced_motion="reduce")
    _begin(page)
    for group in ("play", "hand"):
        found = page.get_by_role("group", name=text(f"pad.group.{group}", "ja"))
        for what in ("fifteen", "pair", "pair_royal", "double_pair_royal", "run"):
            expect(found.locator(f'[data-what="{what}"]').first).to_be_visible()
    expect(page.locator('[data-what="last_card"]')).to_contain_text("ゴー")


def test_muggins_scores_for_the_player_who_calls_it(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad")
    _begin(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.type("4m")
    assert _scores(page) == [0, 4]
    expect(page.locator("#history li").first).to_contain_text("muggins")


def test_keys_have_no_effect_when_they_are_switched_off(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad")
    _begin(page)
    page.locator("#shortcuts").uncheck()
    page.keyboard.press("f")
    page.keyboard.press("5")
    assert _scores(page) == [0, 0]
    page.reload()
    expect(page.locator("#shortcuts")).not_to_be_checked()


def test_a_damaged_game_is_replaced_by_a_new_one(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad")
    for kept in ("{", "null", '{"setup":{}}', '{"setup":{"names":["a"],"target":5},"entries":[]}', "[]"):
        page.evaluate("kept => localStorage.setItem('pad', kept)", kept)
        page.reload()
        expect(page.locator("#setup")).to_be_visible()


def test_every_entry_is_announced(live: Live, opened: Opened) -> None:
    page: Any = opened(f"{live.http}/pad")
    _begin(page, name_0="Aiko")
    page.keyboard.press("f")
    expect(page.locator("#status")).to_have_text("Aiko: fifteen, 2. Now 2.")
    page.keyboard.press("z")
    expect(page.locator("#status")).to_have_text(re.compile("Undone"))


def test_choices_return_with_their_variant_and_disabled_ones_have_reasons(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad?lang=en")

    def field(name: str) -> Locator:
        return page.locator(f"[name={name}]")

    expect(page.locator("#why-double")).to_be_visible()
    expect(page.locator("#why-board")).to_be_hidden()
    page.get_by_role("switch", name=text("pad.skunk", "en")).check()
    page.get_by_role("switch", name=text("pad.double", "en")).check()
    expect(page.locator("#why-double")).to_be_hidden()
    page.locator('label:has([name=board][value="B"])').click()
    field("target").fill("91")
    field("variant").select_option("four-handed")
    expect(page.locator("#why-board")).to_be_visible()
    expect(page.locator('[name=board][value="A"]')).to_be_checked()
    expect(field("target")).to_have_value("91")
    field("dealer").select_option("3")
    field("variant").select_option("half-game")
    expect(field("target")).to_have_value("61")
    expect(field("dealer")).to_have_value("0")
    expect(page.locator('[name=board][value="B"]')).to_be_checked()
    field("variant").select_option("four-handed")
    expect(field("dealer")).to_have_value("3")
    expect(field("target")).to_have_value("91")
    expect(page.get_by_role("switch", name=text("pad.double", "en"))).to_be_checked()


def test_each_variant_sets_its_target_until_one_is_typed(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/pad?lang=en")
    for variant, target in (
        ("five-card", "61"),
        ("three-handed", "121"),
        ("other", "100"),
        ("six-card", "121"),
    ):
        page.select_option("[name=variant]", variant)
        expect(page.locator("[name=target]")).to_have_value(target)
