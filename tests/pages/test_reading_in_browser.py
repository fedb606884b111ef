"""Pages of text: accessible, in the right language, printed on one page, usable without scripts."""

import itertools
import re
from collections import Counter
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

from fifteentwo.i18n import languages, text
from tests.measured.boxes import cut_off
from tests.pages.conftest import DESK, PHONE, Opened
from tests.support.live_server import Live
from tests.support.playing import loaded

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WRONG = "check?hand=5H"
PAGES = (
    "rules",
    "glossary",
    "summary",
    "sheet",
    "books",
    "check",
    "check?hand=5H+5S+6D+JC&starter=7C",
    WRONG,
    "pad",
)

VISIBLE_TEXT = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const box = walker.currentNode.parentElement;
    if (box.closest("script, noscript, style, code, pre, textarea, [lang=en]")) continue;
    found.push(walker.currentNode.textContent.trim());
  }
  for (const box of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    if (box.closest("[lang=en]")) continue;
    for (const name of ["aria-label", "title", "alt"]) found.push(box.getAttribute(name) ?? "");
  }
  return found.filter(Boolean);
}"""


def _address(live: Live, path: str, lang: str) -> str:
    return f"{live.http}/{path}{'&' if '?' in path else '?'}lang={lang}"


def _violations(page: Page) -> list[tuple[str, str]]:
    """Return what axe finds after all animations have ended."""
    page.evaluate("Promise.all(document.getAnimations().map(a => a.finished.catch(() => {})))")
    page.evaluate(AXE)
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(found["id"], found["nodes"][0]["html"][:120]) for found in result["violations"]]


def test_pages_are_accessible_and_never_wider_than_the_window(
    live: Live, opened: Opened, lang: str, subtests: pytest.Subtests
) -> None:
    """Check with axe the English pages on a light phone and the Japanese pages on a dark desktop."""
    checked = PHONE if lang == "en" else DESK
    page = opened(
        live.http, lang=lang, reduced_motion="reduce", color_scheme="light" if lang == "en" else "dark"
    )
    for path in PAGES:
        with subtests.test(path=path):
            page.goto(_address(live, path, lang))
            loaded(page)
            for size in (PHONE, DESK):
                page.set_viewport_size(size)
                assert size != checked or _violations(page) == []
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    opened.complaints.clear()  # Chromium reports every answer that is not 200.


def test_the_pad_is_accessible_while_scoring_and_at_the_end(live: Live, opened: Opened, lang: str) -> None:
    page = opened(_address(live, "pad", lang), size=PHONE, reduced_motion="reduce")
    page.select_option("[name=variant]", "four-handed")
    page.locator("#setup [type=submit]").click()
    for key in ("f", "ArrowDown", "p", "ArrowDown", "t"):
        page.keyboard.press(key)
    assert _violations(page) == []
    assert cut_off(page) == []
    page.set_viewport_size(DESK)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert _violations(page) == []
    for _ in range(4):
        page.keyboard.type("30")
        page.keyboard.press("Enter")
    expect(page.locator("#over")).to_be_visible()
    assert _violations(page) == []
    page.locator("#new").click()
    assert _violations(page) == []


def test_r124_r10_prints_on_one_page_of_a4(live: Live, opened: Opened, subtests: pytest.Subtests) -> None:
    page = opened(live.http)
    for path, lang in itertools.product(("summary", "sheet", "sheet?sides=3", "sheet?sides=4"), languages()):
        with subtests.test(path=path, lang=lang):
            page.goto(_address(live, path, lang))
            printed = page.pdf(prefer_css_page_size=True)
            assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
            (box,) = re.findall(rb"/MediaBox\s*\[([^\]]+)\]", printed)
            width, height = (float(side) for side in box.split()[2:])
            assert (round(width / 72 * 25.4), round(height / 72 * 25.4)) == (210, 297)


MAX_PAGES_OF_A_KIND = 4


def test_a_crawl_of_the_japanese_pages_finds_no_english_sentence(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/?lang=ja", lang="ja", reduced_motion="reduce")
    waiting, seen = ["/", "/pad", "/check?hand=5H+5S+5D+JC&starter=5C", "/nowhere"], set[str]()
    english: list[tuple[str, str]] = []
    kinds = Counter[tuple[str, int]]()
    while waiting:
        path = waiting.pop()
        # Every page of the Book links to others, so only a few of each kind are read.
        kind = path.split("/")[1], path.count("/")
        if path in seen or kinds[kind] == MAX_PAGES_OF_A_KIND:
            continue
        seen.add(path)
        kinds[kind] += path.count("/") > 1
        page.goto(live.http + path)
        loaded(page)
        if path == "/pad":
            page.locator("#setup [type=submit]").click()
            page.keyboard.press("f")
        found: list[str] = page.evaluate(VISIBLE_TEXT)
        english += [
            (path, sentence)
            for sentence in found
            if re.search(r"[A-Za-z]{2,}[ ,]+[A-Za-z']{2,}[ ,]+[A-Za-z']{2,}", sentence)
        ]
        assert page.locator("html").get_attribute("lang") == "ja"
        links: list[str] = page.locator("a[href^='/']").evaluate_all(
            "links => links.map(a => a.getAttribute('href'))"
        )
        for link in links:
            plain = link.split("#")[0]
            if not plain.startswith(("/static", "/check?")) and "lang=" not in plain:
                waiting.append(plain)
    assert english == [], "\n".join(map(repr, english))
    assert {"/", "/rules", "/glossary", "/summary", "/sheet", "/books", "/check", "/pad"} <= seen
    opened.complaints.clear()  # The page that is not there answers 404.


def test_the_rule_of_a_link_is_highlighted(live: Live, opened: Opened) -> None:
    page = opened(f"{live.http}/rules?lang=ja#R72")
    rule = page.locator("#R72")
    assert "ラン" in rule.inner_text()
    expect(rule).not_to_have_css("box-shadow", "none")
    page.wait_for_function(
        """() => {
          const box = document.getElementById("R72").getBoundingClientRect();
          return box.top >= 0 && box.bottom <= innerHeight;
        }"""
    )


def test_r122_the_peg_walks_hole_by_hole(live: Live, opened: Opened) -> None:
    page = opened(_address(live, "rules", "ja"), size=PHONE)
    page.evaluate(
        """() => {
          window.counted = [];
          const status = document.querySelector(".strip-sum");
          const note = () => window.counted.push(status.textContent);
          new MutationObserver(note).observe(status, { childList: true });
        }"""
    )
    page.locator("[data-walk]").click()
    page.wait_for_function("() => window.counted.includes('8')")
    assert [words for words in page.evaluate("window.counted") if words] == [str(n) for n in range(1, 9)]
    lifted, steps = page.locator(".strip-lifted"), page.locator("#R122 .pegging-steps li")
    (down,) = steps.last.locator(".strip-peg").last.evaluate_all(
        "all => all.map(peg => peg.getAttribute('cx'))"
    )
    assert lifted.get_attribute("transform") == f"translate({down} 29)"


def test_r122_with_reduced_motion_the_peg_jumps(live: Live, opened: Opened) -> None:
    page = opened(_address(live, "rules", "en"), reduced_motion="reduce")
    page.locator("[data-walk]").click()
    assert page.locator(".strip-sum").text_content() == "8"


def test_cards_are_shown_next_to_the_text(live: Live, opened: Opened) -> None:
    for path in ("rules", "glossary"):
        page = opened(_address(live, path, "ja"), size=PHONE)
        pictures = page.locator(".picture-cards")
        assert pictures.count() > 15
        expect(page.locator(".picture-cards:not(:has(.card))")).to_have_count(0)
        drawn = page.locator(".picture-cards .card").count()
        assert drawn == sum(
            pictures.evaluate_all("all => all.map(one => one.dataset.cards.split(' ').length)")
        )


def test_without_javascript_every_page_says_what_works(live: Live, opened: Opened) -> None:
    page = opened(live.http, lang="ja", size=PHONE, java_script_enabled=False)
    for path in (*PAGES, ""):
        page.goto(_address(live, path, "ja"))
        panel = page.locator("noscript > .panel").first
        expect(panel).to_be_visible()
        assert panel.text_content() == text("base.no-script", "ja")
        # Buttons that need scripts are hidden.
        for idle in ("[data-print]", "[data-set-theme]", "[data-walk]", "#copy", "#random"):
            expect(page.locator(idle).locator("visible=true")).to_have_count(0)
    page.goto(_address(live, "check?hand=5H+5S+6D+JC&starter=7C", "ja"))
    expect(page.locator("#total")).to_have_text("13")
    page.locator('[data-id="002-P4"] summary').click()
    expect(page.locator('[data-id="002-P4"] li').last).to_contain_text("20")
    opened.complaints.clear()  # Chromium reports every answer that is not 200.
