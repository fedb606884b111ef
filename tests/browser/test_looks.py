"""Looks that are chosen in the settings, and sounds that are offered once."""

import pytest
from playwright.sync_api import expect

from tests.measured.sights import resize
from tests.support.playing import Visit

SIZES = ((360, 640), (844, 390), (1024, 768), (1440, 900))


def test_a_look_chosen_in_the_settings_is_kept_on_every_page(visit: Visit) -> None:
    player = visit("ja")
    page = player.page
    player.sit_down(first_dealer="named", level_1="random")
    assert player.wait() == "name-dealer"
    root, sheet = page.locator("html"), page.locator('link[href*="looks/looks"]')
    expect(sheet).to_have_count(0)
    page.click('[data-action="settings"]')
    page.click('[data-action="looks"]')
    expect(page.locator("#looks :checked")).to_have_count(4)
    for part, name in (("felt", "wine"), ("wood", "maple"), ("pegs", "metal"), ("back", "blue")):
        page.locator(f'label:has([name="look-{part}"][value="{name}"])').click()
        expect(root).to_have_attribute(f"data-{part}", name)
    page.locator('label:has([name="look-back"][value=""])').click()
    page.goto("/rules?lang=ja")
    expect(sheet).to_have_count(1)
    expect(root).to_have_attribute("data-felt", "wine")
    expect(root).not_to_have_attribute("data-back", "blue")


def test_settings_chosen_outside_a_game_apply_at_the_next_table(visit: Visit) -> None:
    player = visit("ja")
    page = player.page
    page.goto("/learn?lang=ja")
    page.click(".menu-button")
    page.click('#pages a[href="/settings"]')
    # The script has run once it has checked the usual speed.
    expect(page.locator('[name="speed"]:checked')).to_have_count(1)
    page.locator('label:has([name="speed"][value="fast"])').click()
    page.locator('label:has([name="four"])').click()
    page.locator('label:has([name="first-hints"])').click()
    expect(page.locator("#helpers :checked")).to_have_count(3)
    page.click('[data-action="looks"]')
    page.locator('label:has([name="look-felt"][value="blue"])').click()
    expect(page.locator('[data-look="pegs"] .peg-head').first).not_to_have_css("fill", "rgb(0, 0, 0)")
    page.click('.settings a[lang="en"]')
    expect(page.locator('[name="four"]')).to_be_checked()
    expect(page.locator('[name="first-hints"]')).not_to_be_checked()
    player.sit_down(level_1="random")
    expect(page.locator("html")).to_have_attribute("data-felt", "blue")
    page.click('[data-action="settings"]')
    expect(page.locator('[name="speed"][value="fast"]')).to_be_checked()
    expect(page.locator('[name="four"]')).to_be_checked()


def test_sounds_are_offered_once_while_the_first_cards_are_drawn(visit: Visit) -> None:
    player = visit("en")
    page = player.page
    player.sit_down(level_1="random")
    assert player.wait() == "draw"
    page.click("#sound-offer")
    expect(page.locator("#sound-offer")).to_have_count(0)
    assert page.evaluate("JSON.parse(localStorage['fifteentwo.settings']).sound") is True
    page.evaluate("localStorage['fifteentwo.settings'] = '{}'")
    page.reload()
    assert player.wait() == "draw"
    expect(page.locator("#sound-offer")).to_have_count(0)


def test_the_offer_of_sounds_leaves_space_for_text_and_buttons(visit: Visit) -> None:
    player = visit("ja")
    page = player.page
    player.sit_down(level_1="random")
    assert player.wait() == "draw"
    lines = "(e) => e.getBoundingClientRect().height / parseFloat(getComputedStyle(e).lineHeight)"
    for width, height in SIZES:
        resize(page, width, height)
        assert page.locator("#prompt").evaluate(lines) < 3.5, width
    player.click("draw")
    player.answered("draw")
    if player.wait() == "cut":
        for width, height in SIZES:
            resize(page, width, height)
            assert page.locator("#buttons .button").first.evaluate(lines) < 3, width


@pytest.mark.long
def test_pages_are_in_the_middle_of_a_wide_window_and_a_family_chooses_one_screen(visit: Visit) -> None:
    page = visit("en").page
    resize(page, 1440, 900)
    for address in ("practice", "practice/count", "statistics", "history", "dealing", "books", "summary"):
        page.goto(f"/{address}?lang=en")
        gaps = page.locator("#main").evaluate(
            """(main) => {
              const boxes = [...main.children].map((one) => one.getBoundingClientRect());
              const shown = boxes.filter(({ width }) => width > 1);
              const right = Math.max(...shown.map((box) => box.right));
              const left = Math.min(...shown.map((box) => box.left));
              return [left, document.body.clientWidth - right];
            }"""
        )
        assert abs(gaps[0] - gaps[1]) <= 8, (address, gaps)
    page.goto("/?lang=en#another")
    page.locator("label:has([name=variant][value=partners])").click()
    page.click("[data-preset=here]")
    assert page.locator("option[value=here]:checked").count() == 3
    for fields in page.locator(".player-fields").all():
        kind, name = (fields.locator(one).bounding_box() for one in ("select", ".here-name input"))
        assert kind is not None
        assert name is not None
        assert kind["x"] == name["x"]
        assert kind["y"] < name["y"] < kind["y"] + 200
