"""Whether each part of the table is in the window, not covered, and in the accessibility tree."""

from collections.abc import Iterable
from typing import Any

from playwright.sync_api import CDPSession, Page

from fifteentwo import i18n
from tests.support.playing import Player

SIZES = (
    (320, 256),
    (360, 640),
    (390, 664),
    (390, 844),
    (640, 400),
    (844, 390),
    (820, 1180),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
)
"""CSS pixels, width and height: a laptop at 400 %, phones both ways round, a tablet, laptops, a hall."""
LETTERS = (1, 2)
"""Factors of the size of letters."""

# Which parts that a player needs at a glance are not there, stand out of the window, or lie under another.
UNSEEN = """() => {
  const amiss = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight)
    amiss.push(`page ${root.scrollWidth}×${root.scrollHeight}`);
  const see = (name, node, places, least = 8, own = node) => {
    if (!node) return void amiss.push(`${name}: none`);
    const { left, top, right, bottom, width, height } = node.getBoundingClientRect();
    if (width < least || height < least) amiss.push(`${name}: ${width.toFixed()}×${height.toFixed()}`);
    else if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)
      amiss.push(`${name}: out of the window, ${[left, top, right, bottom].map(Math.round)}`);
    else
      for (const [x, y] of places) {
        const over = document.elementFromPoint(left + width * x, top + height * y);
        const named = `${over?.tagName}.${over?.getAttribute("class")}#${over?.id}`;
        if (!own.contains(over)) return void amiss.push(`${name}: under ${named} at ${x}, ${y}`);
      }
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const whole = [[0.5, 0.5], [0.12, 0.12], [0.88, 0.12], [0.12, 0.88], [0.88, 0.88]];
  const edge = [[0.05, 0.2], [0.05, 0.5], [0.05, 0.8]];
  const stage = document.getElementById("table").dataset.stage;
  if (["cut", "play"].includes(stage)) {
    const starter = document.querySelector(".spot--starter .card, .spot--starter .deck");
    see("starter", starter, [[0.5, 0.5], [0.2, 0.85], [0.8, 0.85]], 24);
    see("crib", document.querySelector("[data-crib] > :last-child"), whole, 24);
  }
  if (document.querySelector(".count-box")) {
    see("count", document.querySelector(".count-box .count"), [[0.5, 0.5]]);
    const played = all(".played-card .card");
    const bare = (at) => (at < played.length - 1 ? edge : whole);
    played.forEach((card, at) => see(`played ${card.dataset.card}`, card, bare(at), 24, card.parentElement));
    if (!played.length) see("pile", document.querySelector(".pile .card-place"), [], 24);
  }
  const hand = all("#hand:not([hidden]) button");
  hand.forEach((card, at) => see(`hand ${card.dataset.card}`, card, at < hand.length - 1 ? edge : whole, 24));
  see("board", document.querySelector("#board .board"), whole, 24);
  all(".score").forEach((score) => see("score", score.querySelector(".score-points"), [[0.5, 0.5]]));
  // Two presses in one are offered where there is visible for both buttons; each of the two is always there.
  const offered = (button) => !button.matches('[data-action$="-cut"]') || button.checkVisibility();
  all("#buttons .button").filter(offered).forEach((button) => see("button", button, whole, 24));
  all(".plate").forEach((plate) => see("plate", plate.querySelector(".side-mark"), [[0.5, 0.5]], 6));
  return amiss;
}"""

# The page is laid out again, then the board; until nothing has moved from one frame to the next.
_SETTLED = """async ([width, height, letters]) => {
  document.documentElement.style.fontSize = `${letters * 100}%`;
  const parts = ".board, .board svg, .felt > *, .stage *, .near *";
  const places = () => [...document.querySelectorAll(parts)].map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left, top, width, height];
  }).join();
  let before = "";
  let frames = 0;
  for (let still = 0; still < 1; ) {
    if ((frames += 1) > 900) throw new Error("the table is never at rest");
    await new Promise(requestAnimationFrame);
    const now = places();
    still = innerWidth === width && innerHeight === height && now === before ? still + 1 : 0;
    before = now;
  }
}"""


# Letters that overlap other letters, or are cut off by the window or an element.
_ON_EACH_OTHER = """() => {
  const lines = [];
  const walker = document.createTreeWalker(document.getElementById("table"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (!node.textContent.trim() || box.closest("svg")) continue;
    if (!box.checkVisibility({ visibilityProperty: true })) continue;
    let [left, top, right, bottom] = [0, 0, innerWidth, innerHeight];
    for (let up = box; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflow === "visible" && style.clipPath === "none") continue;
      const visible = up.getBoundingClientRect();
      if (style.clipPath.startsWith("inset(50%")) right = left;
      [left, top] = [Math.max(left, visible.left), Math.max(top, visible.top)];
      [right, bottom] = [Math.min(right, visible.right), Math.min(bottom, visible.bottom)];
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      // Half of a line's height is air above and below its letters.
      const air = line.height / 4;
      const [from, to] = [Math.max(left, line.left), Math.min(right, line.right)];
      const [over, under] = [Math.max(top, line.top + air), Math.min(bottom, line.bottom - air)];
      const seen = { box, left: from, right: to, top: over, bottom: under };
      if (seen.right - seen.left > 2 && seen.bottom - seen.top > 2) lines.push(seen);
    }
  }
  const named = ({ box }) => `${box.className || box.tagName} “${box.textContent.trim().slice(0, 24)}”`;
  const amiss = [];
  for (const [at, one] of lines.entries())
    for (const other of lines.slice(at + 1)) {
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const tall = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.box === other.box || wide <= 2 || tall <= 2) continue;
      amiss.push(`${named(one)} and ${named(other)} stand on each other`);
    }
  return amiss;
}"""

# The spacing that WCAG 2.2 asks a page to bear (1.4.12).
_SPACING = """(on) => {
  window.spacing ??= new CSSStyleSheet();
  const wide = { "line-height": 1.5, "letter-spacing": "0.12em", "word-spacing": "0.16em" };
  const apart = Object.entries(wide).map(([name, value]) => `${name}: ${value} !important;`).join(" ");
  window.spacing.replaceSync(on ? `* { ${apart} } p { margin-block-end: 2em !important; }` : "");
  document.adoptedStyleSheets = [window.spacing];
}"""


def space(page: Page, *, on: bool) -> None:
    """Set wide spacing of letters, words and lines, or the page's own."""
    page.evaluate(_SPACING, on)


def on_each_other(page: Page) -> list[str]:
    """Return letters that overlap other letters."""
    found: list[str] = page.evaluate(_ON_EACH_OTHER)
    return found


def resize(page: Page, width: int, height: int, letters: float = 1) -> None:
    """Set the size of window and letters, and wait until the layout is stable."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(_SETTLED, [width, height, letters])


def unseen(page: Page) -> list[str]:
    """Return the parts that a player needs and cannot see."""
    found: list[str] = page.evaluate(UNSEEN)
    return found


_OPERATED = {
    *("button", "link", "DisclosureTriangle", "checkbox", "switch", "radio", "slider"),
    *("textbox", "searchbox", "spinbutton", "combobox"),
}
"""Roles, as Chromium calls them."""


class ScreenReader:
    """The accessibility tree of a page."""

    def __init__(self, page: Page) -> None:
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._devtools.send("Accessibility.enable")

    def names(self) -> set[str]:
        """Return every name in the accessibility tree."""
        tree: list[dict[str, Any]] = self._devtools.send("Accessibility.getFullAXTree")["nodes"]
        return {node["name"]["value"] for node in tree if not node["ignored"] and node.get("name")}

    def operated(self) -> list[tuple[str, str]]:
        """Return role and name of every control."""
        tree: list[dict[str, Any]] = self._devtools.send("Accessibility.getFullAXTree")["nodes"]
        return [
            (role, node.get("name", {}).get("value", ""))
            for node in tree
            if not node["ignored"] and (role := node["role"]["value"]) in _OPERATED
        ]


def unheard(player: Player, names: set[str]) -> list[str]:
    """Return the view's parts that are not among these names of the accessibility tree."""
    return [part for part in _parts(player) if not any(part in name for name in names)]


def _parts(player: Player) -> Iterable[str]:
    """Return the sentences that the accessibility tree must contain."""
    view, lang = player.view, player.lang

    def words(key: str, **values: object) -> str:
        return i18n.text(key, lang, **values)

    def card(text: str) -> str:
        return words("card.name", rank=words(f"card.rank.{text[0]}"), suit=words(f"card.suit.{text[1]}"))

    yield from map(card, view["hand"])
    if view["starter"]:
        yield words("table.starter_is", card=card(view["starter"]))
    if view["phase"] == "play":
        yield words("table.count_is", n=view["count"])
        yield from (card(played) for _, played in view["played"][(view["count_ends"] or [0])[-1] :])
        crib = view["rules"]["seats"] * view["rules"]["discards"] + view["rules"]["dealt_to_crib"]
        yield words("table.crib_holds", crib="", n=crib)
    # The board's name has every side's score.
    yield from (str(score) for score in view["front"])
