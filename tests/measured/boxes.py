"""Finds text that is cut off, or outside its button or the window."""

from itertools import count

from playwright.sync_api import Page

from tests.browser.pictured import Shots
from tests.measured.sights import resize

SMALL = ((360, 640, 1), (390, 844, 1), (390, 844, 2), (1280, 800, 2))
"""Width, height and how large the letters are."""

# Range rectangles are as wide as the whole text, also if an ellipsis replaces its end.
CUT_OFF = """() => {
  const unseen = ".visually-hidden, .skip-link, svg, script, style, noscript, option, dialog:not([open])" +
    ", [popover]:not(:popover-open), .log-panel:not(.is-open), .latest p:not(:first-child)";
  const named = (box) => `${box.className || box.tagName}#${box.id} “${box.textContent.trim().slice(0, 40)}”`;
  const found = new Set();
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) found.add(`the page is ${root.scrollWidth} wide`);
  const range = document.createRange();

  // Room for the first two letters of a name and for what stands for the others.
  function shortened(node, box, right) {
    if (getComputedStyle(box).textOverflow !== "ellipsis" || !box.matches("[class$=-name], .plate-level"))
      return false;
    range.setStart(node, 0);
    range.setEnd(node, Math.min(2, node.length));
    return range.getBoundingClientRect().right + parseFloat(getComputedStyle(box).fontSize) * 0.8 <= right;
  }

  function look(node) {
    const box = node.parentElement;
    range.selectNodeContents(node);
    for (let { left, top, right, bottom, width, height } of [...range.getClientRects()]) {
      if (width < 1) continue;
      // A fifth of a line's height is air above and below its letters.
      [top, bottom] = [top + height / 5, bottom - height / 5];
      const free = { x: false, y: root.scrollHeight > innerHeight };
      for (let up = box; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (style.clipPath.startsWith("inset(50%")) return;
        if (up.clientWidth <= 1 && style.overflow === "hidden") return;
        const own = up.getBoundingClientRect();
        if (up.matches(".button") && !free.x && (left < own.left - 1 || right > own.right + 1))
          found.add(`out of its button: ${named(up)}`);
        const [x, y] = [style.overflowX, style.overflowY];
        if (x === "auto" || x === "scroll") free.x = true;
        if (y === "auto" || y === "scroll") free.y = true;
        const cuts = (one) => one === "hidden" || one === "clip";
        if (cuts(x) && !free.x && (left < own.left - 1 || right > own.right + 1)) {
          if (!shortened(node, up, own.right)) found.add(`cut: ${named(box)} by ${named(up).slice(0, 24)}`);
          return;
        }
        if (cuts(y) && !free.y && box.matches(".score-rest") && top + bottom >= 2 * own.bottom) return;
        if (cuts(y) && !free.y && (top < own.top - 1 || bottom > own.bottom + 1))
          return void found.add(`cut below: ${named(box)} by ${named(up).slice(0, 24)}`);
        if (style.position === "fixed") free.y = y !== "visible";
      }
      if (!free.x && (left < -1 || right > innerWidth + 1)) found.add(`out of the window: ${named(box)}`);
      if (!free.y && (top < -1 || bottom > innerHeight + 1)) found.add(`below the window: ${named(box)}`);
    }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (!node.textContent.trim() || box.closest(unseen)) continue;
    if (box.checkVisibility({ opacityProperty: true, visibilityProperty: true })) look(node);
  }
  // At the table nothing is a swipe away.
  for (const box of document.querySelectorAll("#table *"))
    if (["auto", "scroll"].includes(getComputedStyle(box).overflowX) && box.checkVisibility())
      if (box.scrollWidth > box.clientWidth + 1) found.add(`scrolls sideways: ${named(box)}`);
  return [...found].slice(0, 12);
}"""


def cut_off(page: Page) -> list[str]:
    """Return the texts of a page that cannot be read in this window."""
    found: list[str] = page.evaluate(CUT_OFF)
    return found


class Measured(Shots):
    """Instead of pictures, measurements of each state at each size."""

    def __init__(self, sights: tuple[tuple[int, int, int], ...] = SMALL) -> None:
        super().__init__()
        self.found: dict[str, list[str]] = {}
        self._sights = sights
        self._numbers = count(1)

    def take(self, page: Page, name: str) -> None:
        """Measure at each size, and restore the size of the window."""
        before = page.viewport_size
        assert before is not None
        for width, height, letters in self._sights:
            resize(page, width, height, letters)
            if lost := cut_off(page):
                self.found[f"{next(self._numbers)} {name}, {width}×{height}, letters ×{letters}"] = lost
        resize(page, before["width"], before["height"])
