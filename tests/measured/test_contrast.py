"""Contrast of letters and focus rings with the pixels behind them: felt, wood, cards, paper."""

import numpy as np
import pytest

from tests.measured.pixels import Eye, contrast
from tests.support.playing import Visit

THEMES = ("light", "dark")


@pytest.fixture
def eye() -> Eye:
    """Return an eye that measures contrast."""
    return Eye()


def test_contrast_equals_published_values() -> None:
    black, white, grey = np.zeros(3), np.full(3, 255.0), np.full(3, 118.0)
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(white, white) == pytest.approx(1)
    # The lightest grey that may carry letters on white.
    assert contrast(grey, white) == pytest.approx(4.54, abs=0.01)


PLAIN = """
  body { display: block; background: #fff; }
  p { width: max-content; font-size: 16px; color: #222; }
  p.faint { color: #888; }
  p.lost { background: linear-gradient(90deg, #fff, #333); }
  p.half { opacity: 0.4; }
  p.large { font-size: 24px; color: #888; }
  :focus-visible { outline: 3px solid #e8e8e8; }
  .strong:focus-visible { outline-color: #003366; }
"""


def test_faint_letters_and_rings_are_found(visit: Visit, eye: Eye) -> None:
    page = visit("en", reduced_motion="reduce").page
    page.goto("/summary")
    page.evaluate(
        """(css) => {
          const kinds = ["plain", "faint", "lost", "half", "large"];
          const buttons = "<button>weak</button> <button class='strong'>strong</button>";
          const words = kinds.map((one) => `<p class="${one}">${one} letters</p>`);
          document.body.innerHTML = words.join(" ") + buttons;
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          document.adoptedStyleSheets = [sheet];
        }""",
        PLAIN,
    )
    assert {found.split()[0] for found in eye.faint(page)} == {"faint", "lost", "half"}
    for name, seen in (("weak", False), ("strong", True)):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == name
        thick, edge = eye.ring(page)
        assert (thick >= edge) is seen


@pytest.mark.parametrize("theme", THEMES)
def test_letters_and_rings_on_the_table(visit: Visit, eye: Eye, theme: str) -> None:
    """Every ring is two pixels thick along half its edge or more."""
    dark = theme == "dark"
    player = visit("ja" if dark else "en", phone=dark, color_scheme=theme, reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="four-handed", skunk="yes", **{f"level_{seat}": "random" for seat in (1, 2, 3)})
    faint: dict[str, dict[str, float]] = {}
    rings: dict[str, tuple[int, int]] = {}
    for asked in player.play(player.press):
        if asked not in faint:
            faint[asked] = eye.faint(page)
            # Before a key is pressed the draw's card has no ring: it would look recommended.
            page.keyboard.press("Shift")
            # The tools are checked once, then the elements of each question.
            for _ in range({"draw": 8, "discard": 8}.get(asked, 2)):
                what = page.evaluate(_FOCUSED)
                thick, edge = eye.ring(page)
                # After the last button the focus is in the browser's frame.
                if thick < edge and not what.startswith("BODY"):
                    rings[f"{asked}: {what}"] = (thick, edge)
                page.keyboard.press("Tab")
            page.evaluate(_BACK)
        if asked == "continue":
            break
    assert {asked: lost for asked, lost in faint.items() if lost} == {}
    assert rings == {}
    assert {"draw", "discard", "play", "continue"} <= set(faint)


_FOCUSED = """() => {
  const { tagName, id, className, textContent, ariaLabel } = document.activeElement;
  return `${tagName}#${id}.${className} ${textContent.trim().slice(0, 20) || ariaLabel}`;
}"""
_BACK = """async () => {
  const { moveFocus } = await import("/static/play/keyboard/focus.js");
  document.activeElement.blur();
  moveFocus();
}"""


@pytest.mark.slow
@pytest.mark.parametrize("theme", THEMES)
def test_letters_and_rings_on_the_first_page_and_in_dialogs(visit: Visit, eye: Eye, theme: str) -> None:
    player = visit("en" if theme == "dark" else "ja", color_scheme=theme, reduced_motion="reduce")
    page = player.page
    player.home()
    found = {"home": eye.faint(page)}
    rings: dict[str, tuple[int, int]] = {}

    def along(place: str, stops: int) -> None:
        for _ in range(stops):
            page.keyboard.press("Tab")
            thick, edge = eye.ring(page)
            if thick < edge:
                rings[f"{place}: {page.evaluate(_FOCUSED)}"] = (thick, edge)

    along("home", 10)
    player.sit_down(variant="six-card", level_1="random")
    assert player.wait() == "draw"
    for dialog in ("settings", "keys"):
        if page.locator(".bar-menu").is_visible():
            page.click(".bar-menu")
        page.click(f'[data-action="{dialog}"]')
        found[dialog] = eye.faint(page)
        along(dialog, 3)
        page.keyboard.press("Escape")
    page.keyboard.press("l")
    found["log"] = eye.faint(page)
    page.keyboard.press("r")
    page.wait_for_selector("#reading p")
    found["reading"] = eye.faint(page)
    assert {place: lost for place, lost in found.items() if lost} == {}
    assert rings == {}
