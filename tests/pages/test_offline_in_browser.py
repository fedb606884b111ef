"""Pages that need no server work without it after one of them was opened; other pages wait for it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from fifteentwo.i18n import text
from fifteentwo.server.study.lessons import lesson_screens
from tests.browser.learning import do_right, leave, read
from tests.support.live_server import serving
from tests.support.playing import PATIENCE_MS, Player

LANG = "ja"
HANDS = {
    "hand=5H+5S+5D+JC&starter=5C": ("29", 10),
    "hand=4S+5H+6D+6C&starter=5C&crib=1": ("24", 10),
    "hand=2S+4S+6S+KH&starter=8D": ("0", 0),
}
"""Questions to the hand checker: points, and how many scores."""


def _stands(page: Page, path: str, what: str) -> None:
    """Check that the page has its styles, drawings and script."""
    page.goto(path)
    expect(page.locator("html")).to_have_attribute("lang", LANG)
    expect(page.locator(what).first).to_be_visible()
    # base.css is there: without it nothing on a page is set in a grid or a row.
    assert page.locator("header.top").evaluate("(top) => getComputedStyle(top).display") == "flex"


@pytest.mark.journey
def test_pages_work_without_the_server_and_the_table_continues_with_it(
    chromium: Browser, tmp_path: Path
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with serving(database) as live:
        context = chromium.new_context(locale=LANG, base_url=live.http)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        answer = context.request.post("/games", form={"variant": "six-card", "level_1": "random"})
        table = re.sub(r"\?.*", "", answer.url)
        page.goto(f"/summary?lang={LANG}")
        expect(page.locator("html[data-offline=ready]")).to_be_attached()
        for path in ("/books", "/learn"):
            page.goto(f"{path}?lang={LANG}")
            page.wait_for_load_state("networkidle")
    # The server is gone now. Only the summary, the links and the lesson were ever opened.
    _stands(page, "/pad", "#setup [type=submit]")
    _stands(page, "/rules", "[data-cards] svg")
    _stands(page, "/glossary", "main dl, main h2")
    _stands(page, "/summary", "article.summary")
    expect(page.locator(".stored-note")).to_be_visible()
    _stands(page, f"/books?lang={LANG}", "main h1")
    expect(page.locator(".stored-note")).to_be_visible()
    page.goto("/statistics")
    expect(page.locator("h1")).to_have_text(text("waiting.title", LANG))
    _stands(page, f"/learn?lang={LANG}", "#learn[data-ready] #lies svg")
    page.click("#next")
    page.click("#show-me")
    expect(page.locator("#next")).to_be_enabled()
    for asked, (points, scores) in HANDS.items():
        _stands(page, f"/check?{asked}", "#places svg")
        if scores:
            page.locator('[data-step="all"]').click()
        expect(page.locator("#total")).to_have_text(points)
        expect(page.locator("#scores button")).to_have_count(scores)
        expect(page.locator("#error")).to_be_hidden()
    _stands(page, "/practice/count", "#begin")
    page.click("#begin")
    expect(page.locator("#cards .drill-card svg")).to_have_count(5)
    page.goto("/check?hand=5H+5X&starter=5C")
    expect(page.locator("#error")).to_have_text(text("check.unreachable", LANG))
    # The table says that it needs the server, and continues when the server is back.
    page.goto(table)
    expect(page.locator("h1")).to_have_text(text("waiting.title", LANG))
    with serving(database, port=live.port):
        page.wait_for_selector('#table:not([data-phase="connecting"])')
        context.close()


@pytest.mark.long
def test_the_whole_lesson_and_ten_counted_hands_need_no_server(chromium: Browser, tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'tables.sqlite'}") as live:
        page = chromium.new_context(locale=LANG, base_url=live.http, reduced_motion="reduce").new_page()
        player = Player(page, LANG)
        page.goto(f"/learn?lang={LANG}")
        expect(page.locator("html[data-offline=ready]")).to_be_attached()
        page.wait_for_load_state("networkidle")
    page.goto(f"/learn?lang={LANG}")
    page.wait_for_selector("#learn[data-ready]")
    for number, screen in enumerate(lesson_screens(LANG)):
        expect(page.locator("#learn")).to_have_attribute("data-at", str(number))
        if screen.id == "start":
            break
        read(player, screen)
        do_right(player, screen, keys=False)
        leave(player, screen)
    expect(page.locator("#begin")).to_be_visible()
    page.goto(f"/practice/count?lang={LANG}")
    page.wait_for_selector("#drill[data-ready]")
    page.check('[name="seconds"][value="0"]')
    page.click("#begin")
    for number in range(10):
        expect(page.locator("#drill")).to_have_attribute("data-stage", "asked")
        # No hand counts nineteen (R90).
        page.keyboard.type("19")
        page.keyboard.press("Enter")
        expect(page.locator("#round .is-wrong")).to_have_count(number + 1)
        expect(page.locator("#drill")).to_have_attribute("data-stage", "answered")
        page.keyboard.press("Enter")
    expect(page.locator("#over-title")).to_have_text(text("practice.count.over", LANG, n=0, of=10))
    page.context.close()
