"""The Book by touch, keys and text: choosing cards, an entry, its map and its play."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from fifteentwo import i18n
from fifteentwo.i18n import text
from fifteentwo.rules.cards import cards
from tests.pages.conftest import PHONE, Opened
from tests.support.live_server import Live

ENTRY = "/book/5H5S6D7CJCKD/pone/110-116"


def clean(page: Page) -> None:
    """Check that axe-core finds nothing and that the page is not wider than the window."""
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_six_cards_are_chosen_by_touch_and_open_their_entry(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/book", lang="ja", size=PHONE, has_touch=True, color_scheme="dark")
    for card in ("KD", "JC", "7C", "6D", "5S", "9H", "5H"):
        page.locator(f'[data-card="{card}"]').tap()
    # A seventh is not taken; one is put back for it.
    expect(page.locator('[data-card="5H"]')).to_have_attribute("aria-pressed", "false")
    page.locator("#places button").nth(5).tap()
    page.locator('[data-card="5H"]').tap()
    expect(page.locator("#status")).to_have_text(text("book.pick.ready", "ja"))
    clean(page)
    page.get_by_label(text("book.own-points", "ja")).fill("110")
    page.get_by_label(text("book.other-points", "ja")).fill("116")
    page.get_by_role("button", name=text("book.open", "ja")).tap()
    page.wait_for_url(f"**{ENTRY}")
    # The map comes after the page, in its place.
    expect(page.locator("svg.map")).to_be_visible()
    clean(page)


@pytest.mark.journey
def test_six_cards_are_chosen_by_keys(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/book")
    page.locator('[data-card="AS"]').focus()
    for _ in range(5):
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.get_by_label(text("book.pick.typed", "en"))).to_have_value("AS 2S 3S 4S 5S 6H")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/book/AS2S3S4S5S6H/pone/0-0")


def test_cards_are_typed_with_signs(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/book")
    page.get_by_label(text("book.pick.typed", "en")).fill("♥10 9d 2c3c 4c ks")
    expect(page.locator("#places button")).to_have_count(6)
    page.keyboard.press("Enter")
    page.wait_for_url("**/book/2C3C4C9DTHKS/pone/0-0")


def test_the_map_says_what_is_under_the_pointer_and_opens_it(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}{ENTRY}")
    drawn = page.locator("svg.map[data-ready]")
    drawn.scroll_into_view_if_needed()
    box = drawn.bounding_box()
    assert box is not None
    # The picture is 139 units wide, its boards begin 13 from the left and 3 from the top.
    unit = box["width"] / 139
    at = {"x": (13 + 60.5) * unit, "y": (3 + 120.5 - 40) * unit}
    drawn.hover(position={"x": at["x"], "y": at["y"]})
    expect(page.locator("#map-status")).to_have_text(re.compile("^60–40 .*J♣ K♦"))
    drawn.click(position={"x": at["x"], "y": at["y"]})
    page.wait_for_url("**/book/5H5S6D7CJCKD/pone/60-40")
    assert opened.complaints == []


def test_the_map_is_walked_by_keys_and_read_aloud(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}{ENTRY}", lang="ja")
    map_ = page.get_by_role("application", name=text("book.map.label", "ja"))
    expect(map_).to_have_accessible_description(text("book.map.keys", "ja"))
    map_.focus()

    def hears(own: int, other: int, cards: str) -> None:
        words = text("book.map.at", "ja", own=own, other=other, cards=cards)
        expect(page.locator("#map-status .visually-hidden")).to_have_text(words)

    hears(110, 116, i18n.card_names(cards("6D 7C"), "ja"))
    for key in ("ArrowRight", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowUp"):
        page.keyboard.press(key)
    expect(page.locator("#map-status")).to_have_text(re.compile("^120–120 "))
    for _ in range(6):
        page.keyboard.press("Shift+ArrowLeft")
    for _ in range(8):
        page.keyboard.press("Shift+ArrowDown")
    hears(60, 40, i18n.card_names(cards("JC KD"), "ja"))
    assert "60–40" not in page.locator("#map-status").aria_snapshot(), "seen, and not read twice"
    clean(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/book/5H5S6D7CJCKD/pone/60-40")
    assert opened.complaints == []


@pytest.mark.parametrize(
    ("address", "scheme"),
    [(f"{ENTRY}/6D7C/4S/JCTS5H", "dark"), ("/book/AS2S3S4S5S6S/card", "light"), ("/solved", "dark")],
)
def test_other_pages_of_the_book_are_accessible_on_a_phone(
    live: Live, opened: Opened, address: str, scheme: str
) -> None:
    page = opened(f"{live.http}{address}", size=PHONE, color_scheme=scheme)
    clean(page)
    assert opened.complaints == []


def test_the_card_prints_on_two_sides_of_a6(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/book/AS2S3S4S5S6S/card", lang="ja")
    pdf = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 2
    width, height = (float(size) for size in re.findall(rb"MediaBox\s*\[\s*0 0 ([0-9.]+) ([0-9.]+)", pdf)[0])
    assert (round(width / 72 * 25.4), round(height / 72 * 25.4)) == (148, 105)
