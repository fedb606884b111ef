"""No text of pages is cut off, buttons are large enough, and axe-core finds nothing."""

import itertools
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page

from tests.browser.pictured import STANDING
from tests.measured.boxes import SMALL, cut_off
from tests.measured.sights import SIZES, resize
from tests.support.playing import Visit, loaded

EVERY = pytest.mark.slow
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
AT_EVERY_SIZE = (
    *("/", "/check?hand=5H+5S+6D+JC&starter=7C", "/pad", "/rules", "/glossary", "/summary", "/books"),
    *("/settings", "/solved"),
    *("/dealing", "/learn", "/lobby", "/join", "/club", "/people", "/account", "/review", "/nowhere"),
    *(f"/{name}" for name in STANDING if name.startswith("book/")),
    # If the server is running, this page opens another page, so it is the last.
    "/waiting",
)
PAGES = (
    *("/", "/pad", "/check?hand=5H+5S+6D+JC&starter=7C", "/check?hand=9H", "/rules", "/glossary", "/summary"),
    *("/sheet", "/sheet?sides=4", "/history", "/statistics", "/import", "/import/by-hand"),
    *("/nowhere", "/waiting"),
)

# Text that its own box hides, and text outside a window that cannot be scrolled to it.
RUN_OVER = """() => {
  const named = (box) => `${box.tagName}.${box.className}#${box.id} ${box.textContent.trim().slice(0, 40)}`;
  const hidden = (box) => box.closest(".visually-hidden, .skip-link, [hidden], [popover]:not(:popover-open)");
  const found = [];
  const breadth = document.documentElement.scrollWidth;
  if (breadth > innerWidth) found.push(`page ${breadth}`);
  for (const box of document.body.querySelectorAll("*")) {
    const seen = box.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (box.closest("svg") || !seen || hidden(box)) continue;
    const style = getComputedStyle(box);
    const words = [...box.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    const cuts = [style.overflowX, style.overflowY].some((one) => ["hidden", "clip"].includes(one));
    const over = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    // Text for screen readers and long names with an ellipsis are allowed.
    const shortened = style.textOverflow === "ellipsis" && box.matches("[class$=-name]");
    // The log contains the whole newest line.
    const meant = box.clientWidth <= 1 || shortened || box.matches("#latest p");
    if (words && cuts && over && !meant) found.push(`cut: ${named(box)}`);
    if (!words || meant) continue;
    const range = document.createRange();
    range.selectNodeContents(box);
    const { left, right, width } = range.getBoundingClientRect();
    let scrolls = false;
    for (let up = box; up; up = up.parentElement)
      scrolls ||= ["auto", "scroll"].includes(getComputedStyle(up).overflowX);
    if (width && !scrolls && (left < -1 || right > innerWidth + 1)) found.push(`out: ${named(box)}`);
  }
  return [...new Set(found)].slice(0, 12);
}"""

# How much of each card of the spread deck lies bare, and the cards that are not what is pressed
# all over a square of 24 pixels (less the rounded corners) in the middle of that.
BARE = """() => {
  const cards = [...document.querySelectorAll(".spread-card")].map((one) => one.getBoundingClientRect());
  const under = (x, y) => document.elementFromPoint(x, y)?.closest("[data-action=draw]");
  const bare = { wide: [], tall: [], missed: [] };
  for (const button of document.querySelectorAll("[data-action=draw]")) {
    button.scrollIntoView({ block: "center" });
    const at = button.getBoundingClientRect();
    const { at: number } = button.dataset;
    const place = cards[number];
    const right = cards.filter((one) => one.top === place.top && one.left > place.left);
    const below = cards.filter((one) => one.top > place.top);
    const wide = Math.min(at.width, ...right.map((one) => one.left - place.left));
    const tall = Math.min(at.height, ...below.map((one) => one.top - place.top));
    bare.wide.push(wide);
    bare.tall.push(tall);
    const across = [at.left + wide / 2 - 9, at.left + wide / 2, at.left + wide / 2 + 9];
    const down = [at.top + tall / 2 - 9, at.top + tall / 2, at.top + tall / 2 + 9];
    if (across.some((x) => down.some((y) => under(x, y) !== button))) bare.missed.push(number);
  }
  const least = { wide: Math.min(...bare.wide), tall: Math.min(...bare.tall) };
  return { ...least, missed: bare.missed, cards: bare.wide.length };
}"""
FINGER, BETTER = 24, 40
"""CSS pixels of a target's sides (WCAG 2.2, 2.5.8), and of the height of the draw's targets."""


def _settled(page: Page) -> None:
    page.wait_for_function(
        "() => document.getAnimations()"
        ".every((one) => one.timeline !== document.timeline || one.playState !== 'running')"
    )


def _violations(page: Page) -> list[tuple[str, str]]:
    """Return what axe finds after all animations have ended."""
    _settled(page)
    page.evaluate(AXE)
    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [(found["id"], found["nodes"][0]["html"][:140]) for found in result["violations"]]


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_no_text_of_any_page_is_cut_off(visit: Visit, lang: str) -> None:
    player = visit(lang, quiet=False, reduced_motion="reduce")
    page = player.page
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys((*PAGES[:-1], *AT_EVERY_SIZE)):
        resize(page, 360, 640)
        page.goto(f"{path}{'&' if '?' in path else '?'}lang={lang}")
        loaded(page)
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        for width in (320, 390) if path in PAGES else ():
            resize(page, width, 844)
            found[f"{path} {width}"] = page.evaluate(RUN_OVER)
        for width, height, letters in SMALL if path in AT_EVERY_SIZE else ():
            resize(page, width, height, letters)
            found[f"{path} {width}×{height}, letters ×{letters}"] = cut_off(page)
    assert {place: lost for place, lost in found.items() if lost} == {}


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_no_text_of_the_first_page_is_cut_off(visit: Visit, lang: str) -> None:
    """The page shows an open game and is unfolded; letters are also twice as large."""
    player = visit(lang, reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="partners", name="長い名前の人" if lang == "ja" else "Margarethe")
    player.home()
    player.unfold()
    found = {}
    for (width, height), letters in itertools.product((*SIZES, (801, 900)), (1, 2)):
        resize(page, width, height, letters)
        if lost := cut_off(page):
            found[f"{width}×{height}, letters ×{letters}"] = lost
    assert found == {}


@pytest.mark.parametrize(
    "variant", ["six-card", pytest.param("partners", marks=EVERY), pytest.param("four-handed", marks=EVERY)]
)
def test_nothing_is_cut_off_at_the_table_of_a_phone(visit: Visit, variant: str) -> None:
    """A deal with claimed counting and long names on a Japanese phone."""
    player = visit("ja", phone=True, reduced_motion="reduce")
    opponents = {"six-card": 1}.get(variant, 3)
    levels = {f"level_{seat}": "random" for seat in range(1, opponents + 1)}
    player.sit_down(variant=variant, counting="claimed", muggins="missed", name="長い名前の人" * 4, **levels)
    found: dict[str, list[str]] = {}
    for asked in player.play():
        if asked not in found:
            _settled(player.page)
            found[asked] = player.page.evaluate(RUN_OVER)
            for width, height, letters in SMALL[:1]:
                resize(player.page, width, height, letters)
                found[f"{asked} {width}×{height}, letters ×{letters}"] = cut_off(player.page)
            resize(player.page, 390, 844)
        if asked == "continue":
            break
    for dialog in ("settings", "keys"):
        player.page.click(".bar-menu")
        player.page.click(f'[data-action="{dialog}"]')
        found[dialog] = player.page.evaluate(RUN_OVER)
        player.page.keyboard.press("Escape")
    assert {asked: lost for asked, lost in found.items() if lost} == {}
    assert {"discard", "play", "claim", "continue"} <= set(found)


def test_every_card_of_the_draw_is_large_enough_for_a_finger(visit: Visit) -> None:
    """The case with the least space: four players, claimed counting, a long name."""
    player = visit("ja", phone=True, reduced_motion="reduce")
    levels = {f"level_{seat}": "random" for seat in (1, 2, 3)}
    name = "長い名前の人" * 4
    player.sit_down(variant="four-handed", counting="claimed", muggins="missed", name=name, **levels)
    assert player.wait() == "draw"
    found: dict[str, Any] = {}
    for width, height in itertools.product((320, 344, 360, 375, 390, 430, 600, 820), (568, 664, 844)):
        player.page.set_viewport_size({"width": width, "height": height})
        _settled(player.page)
        bare = player.page.evaluate(BARE)
        fits = bare["wide"] >= FINGER and bare["tall"] >= BETTER and not bare["missed"]
        lost = player.page.evaluate(RUN_OVER)
        if not fits or lost or bare["cards"] < 40:
            found[f"{width}×{height}"] = (bare, lost)
    assert found == {}


@pytest.mark.parametrize("variant", ["six-card", pytest.param("four-handed", marks=EVERY)])
@pytest.mark.parametrize("lang", ["ja", pytest.param("en", marks=EVERY)])
def test_a_short_phone_shows_the_buttons_without_scrolling(visit: Visit, lang: str, variant: str) -> None:
    """A phone whose browser shows its bars; in a lower window the page can be scrolled to every button."""
    player = visit(lang, phone=True, reduced_motion="reduce")
    opponents = {"six-card": 1}.get(variant, 3)
    player.sit_down(variant=variant, **{f"level_{seat}": "random" for seat in range(1, opponents + 1)})
    found: dict[str, Any] = {}
    asked = ""
    for asked in player.play():
        for height in (664, 480):
            player.page.set_viewport_size({"width": 390, "height": height})
            _settled(player.page)
            below = player.page.evaluate(
                """() => {
                  const felt = document.getElementById("felt").getBoundingClientRect();
                  const lowest = Math.max(...[...document.querySelectorAll(".actions *, #near *")]
                    .filter((one) => one.checkVisibility() && !one.closest(".summary"))
                    .map((one) => one.getBoundingClientRect().bottom));
                  const page = document.documentElement.scrollHeight - innerHeight;
                  return { cut: lowest - felt.bottom, page };
                }"""
            )
            # The draw has its own size, and no button below the cards.
            unseen = height == 664 and asked != "draw" and below["page"] > 0
            if below["cut"] > 0 or unseen:
                found[f"{asked} {height}"] = below
        if asked == "continue":
            break
    assert found == {}
    assert asked == "continue"


SIGHTS = [
    pytest.param("ja", False, "light"),
    pytest.param("en", True, "dark", marks=EVERY),
    pytest.param("en", False, "light", marks=EVERY),
    pytest.param("en", True, "light", marks=EVERY),
    pytest.param("en", False, "dark", marks=EVERY),
    pytest.param("ja", True, "light", marks=EVERY),
    pytest.param("ja", True, "dark", marks=EVERY),
    pytest.param("ja", False, "dark", marks=EVERY),
]


@pytest.mark.parametrize(("lang", "phone", "scheme"), SIGHTS)
def test_axe_finds_nothing_on_the_pages_no_other_test_checks(
    visit: Visit, lang: str, phone: bool, scheme: str
) -> None:
    """Other tests check the other pages; `make slow` checks all pages here."""
    player = visit(lang, phone=phone, quiet=False, color_scheme=scheme, reduced_motion="reduce")
    page = player.page
    host = visit("en")
    host.sit_down(variant="six-card", level_1="person", name="Aiko")
    host.page.wait_for_selector("#waiting-room")
    invitation = host.page.locator("[data-link]").input_value()
    found = {"the host's waiting room": _violations(host.page)}
    every = len(PAGES) if (lang, phone, scheme) not in [("en", True, "dark"), ("ja", False, "light")] else 0
    for path in (invitation, "/nowhere", *PAGES[:every]):
        page.goto(path)
        loaded(page)
        found[path] = _violations(page)
    page.goto("/")
    player.unfold()
    page.evaluate("document.querySelector('[name=board]:checked').value = 'C'")
    page.locator('[data-action="begin"]').click()
    page.wait_for_selector('main [role="alert"]')
    found["a refused request"] = _violations(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
