"""Cribbage in ten minutes, from the first card to 31, by clicks and by keys; the helpers of a first game."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.browser.learning import begin, first_game, lessons
from tests.support.accessible import clean
from tests.support.playing import Player

Visit = Callable[..., Player]
SLOW = pytest.mark.slow


@pytest.mark.long
@pytest.mark.parametrize(
    ("lang", "keys"),
    [
        ("en", False),
        pytest.param("en", True, marks=SLOW),
        pytest.param("ja", False, marks=SLOW),
        pytest.param("ja", True, marks=SLOW),
    ],
)
def test_the_lessons_and_a_first_game_to_31(visit: Visit, lang: str, keys: bool) -> None:
    player = visit(lang, phone=lang == "ja" and not keys, reduced_motion="reduce")
    page = player.page
    begin(player)
    for _ in lessons(player, keys=keys):
        pass
    asked = list(first_game(player, keys=keys))
    assert asked.count("discard") >= 1
    over = page.locator("#first-over")
    expect(over).to_be_visible()
    numbers = [int(number) for number in over.locator(".count").all_inner_texts()]
    assert len(numbers) == 3
    scores = player.scores()
    assert sum(numbers) == scores[player.view["seat"]], "play, hands and cribs are all there is"
    assert max(scores) >= 31
    expect(over.locator("[data-praise]")).not_to_be_empty()
    expect(over.locator("[data-tip]")).not_to_be_empty()
    if keys:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    else:
        page.click('[data-action="on-to-61"]')
    expect(over).to_have_count(0)
    assert player.wait() in ("discard", "play", "continue", "cut", "over")
    page.reload()
    assert player.wait()
    expect(page.locator("#first-over")).to_have_count(0)


@SLOW
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_helpers_stand_by_fade_and_can_be_switched(visit: Visit, lang: str) -> None:
    """In the first deal: counts on cards, a hint at every move, a bubble at every score; then fewer."""
    player = visit(lang, reduced_motion="reduce")
    page = player.page
    begin(player)
    page.evaluate("sessionStorage.setItem('fifteentwo.learn', '9')")
    page.reload()
    page.wait_for_selector("#learn[data-ready]")
    page.click("#begin")
    page.wait_for_selector("#table")
    hinted: set[int] = set()
    counted: set[int] = set()
    for asked in first_game(player, keys=False):
        deal = player.view["deal"]
        if asked not in ("play", "discard"):
            continue
        if deal == 1:
            expect(page.locator("#note")).not_to_be_empty()
        page.wait_for_timeout(300)
        if page.locator("#note p").count():
            hinted.add(deal)
        if asked != "play":
            continue
        would = page.locator("#hand button:not([aria-disabled]) .would").all_inner_texts()
        if would:
            counted.add(deal)
            cards = page.locator("#hand button:not([aria-disabled])").evaluate_all(
                "(all) => all.map((one) => one.dataset.card)"
            )
            values = [min("A23456789TJQK".index(card[0]) + 1, 10) for card in cards]
            assert [int(one) for one in would] == [player.view["count"] + value for value in values]
        if deal == 1 and len(player.view["played"]) > 1:
            clean(player, "a first game")
            page.keyboard.press("s")
            switch = page.locator('[name="first-counts"]')
            expect(switch).to_be_checked()
            switch.click()
            page.keyboard.press("Escape")
            break
    for asked in first_game(player, keys=False):
        if asked == "play":
            expect(page.locator(".would")).to_have_count(0)
        if asked == "discard":
            expect(page.locator("#note")).to_be_empty()
            expect(page.locator("#first-note")).to_have_text(
                text("first.fades", lang, helpers=text("first.helper.hints", lang))
            )
            break
    assert hinted == counted == {1}


@SLOW
@pytest.mark.parametrize(("lang", "scheme", "phone"), [("en", "light", False), ("ja", "dark", True)])
def test_every_screen_is_clean_and_a_wrong_card_is_answered(
    visit: Visit, lang: str, scheme: str, phone: bool
) -> None:
    player = visit(lang, phone=phone, color_scheme=scheme, reduced_motion="reduce")
    page = player.page
    begin(player)
    for screen in lessons(player, keys=False):
        if screen.lesson == 1:
            wrong = [card for card in screen.cards if card not in screen.accept[0]][: screen.pick]
            wrong += list(screen.accept[0][: screen.pick - len(wrong)])
            for card in wrong:
                page.click(f'#hand [data-card="{card.text}"]')
            expect(page.locator("#status")).to_have_text(text("learn.again", lang))
            expect(page.locator("#next")).to_be_disabled()
        clean(player, screen.id)
        wide = "document.documentElement.scrollWidth <= innerWidth"
        assert page.evaluate(wide), screen.id
