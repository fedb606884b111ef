"""Pictures of a page as numbers, and the contrast of letters and rings in them (WCAG 2.2)."""

import base64
import re
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import CDPSession, FloatRect, Page

from tests.measured.colours import linear

Picture = NDArray[np.uint8]
"""Rows of pixels, each red, green, blue."""

# Letters gone, all else in its place; styles set by script are no matter for the page's policy.
_HIDE = """(css) => {
  window.eyeSheet ??= new CSSStyleSheet();
  window.eyeSheet.replaceSync(css);
  const others = document.adoptedStyleSheets.filter((one) => one !== window.eyeSheet);
  document.adoptedStyleSheets = [...others, window.eyeSheet];
}"""
_NO_LETTERS = "* { color: transparent !important; } svg text { fill: transparent !important; }"
_NO_RING = "* { outline: none !important; } :focus-visible { box-shadow: none !important; }"

# Every line of letters in the window: where it stands, its colour, how far it shines through, its size.
_LINES = """() => {
  const lines = [];
  const dialog = document.querySelector("dialog[open]");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    const words = node.textContent.trim();
    if (!words || !box.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (box.closest("script, style, noscript, option, :disabled, [aria-disabled=true]")) continue;
    // Under an open dialog nothing can be done; words for screen readers alone are not to be seen.
    if (dialog && !dialog.contains(box)) continue;
    const style = getComputedStyle(box);
    let [shines, hidden] = [1, false];
    let visible = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let up = box; up; up = up.parentElement) {
      const { opacity, clipPath, overflowY } = getComputedStyle(up);
      shines *= Number(opacity);
      hidden ||= clipPath.startsWith("inset(50%");
      // What is scrolled away is seen when it is scrolled back.
      if (overflowY === "auto" || overflowY === "scroll") {
        const { left, top, right, bottom } = up.getBoundingClientRect();
        visible = {
          left: Math.max(visible.left, left), top: Math.max(visible.top, top),
          right: Math.min(visible.right, right), bottom: Math.min(visible.bottom, bottom),
        };
      }
    }
    if (hidden) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const colour = box.closest("svg text") ? style.fill : style.color;
    const size = parseFloat(style.fontSize) * (box.closest("svg text") ? box.getScreenCTM().a : 1);
    for (const { left, top, right, bottom } of range.getClientRects()) {
      if (right - left < 2 || left < visible.left || top < visible.top) continue;
      if (right > visible.right || bottom > visible.bottom) continue;
      const at = [left, top, right, bottom].map(Math.round);
      lines.push({ words: words.slice(0, 40), at, colour, shines, size, weight: Number(style.fontWeight) });
    }
  }
  return lines;
}"""


class Eye:
    """Measures contrast on pictures of pages."""

    def __init__(self) -> None:
        self._devtools: dict[Page, CDPSession] = {}

    def see(self, page: Page, clip: FloatRect | None = None) -> Picture:
        """Return a picture of the page or of a part of it."""
        if page not in self._devtools:
            self._devtools[page] = page.context.new_cdp_session(page)
        asked: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if clip is not None:
            asked["clip"] = {**clip, "scale": 1}
        return pixels(base64.b64decode(self._devtools[page].send("Page.captureScreenshot", asked)["data"]))

    def faint(self, page: Page) -> dict[str, float]:
        """Return the texts with less contrast than WCAG requires, and their contrast."""
        lines: list[dict[str, Any]] = page.evaluate(_LINES)
        with_letters = self.see(page)
        page.evaluate(_HIDE, _NO_LETTERS)
        behind = self.see(page)
        page.evaluate(_HIDE, "")
        faint = {}
        for line in lines:
            left, top, right, bottom = line["at"]
            cut = (slice(top, bottom), slice(left, right))
            colour, alpha = _colour(line["colour"])
            alpha *= line["shines"]
            ink = np.abs(with_letters[cut].astype(int) - behind[cut]).max(axis=2)
            if ink.max() <= 8:
                continue
            # The pixels of letters without their soft edges; only there is the contrast measured.
            whole = np.abs(with_letters[cut] - (colour * alpha + behind[cut] * (1 - alpha))).max(axis=2) < 24
            core = (ink > 4) & whole
            ground = behind[cut][core if core.sum() > 8 else ink > ink.max() / 2]
            worst = float(np.percentile(contrast(colour * alpha + ground * (1 - alpha), ground), 1))
            large = line["size"] >= 24 or (line["size"] >= 18.66 and line["weight"] >= 700)
            if worst < (3.0 if large else 4.5):
                faint[f"{line['words']} at {line['at']}"] = round(worst, 2)
        return faint

    def ring(self, page: Page) -> tuple[int, int]:
        """Return how many pixels the focus ring changes by 3 to 1, and the length of the element's edge."""
        box: dict[str, float] = page.evaluate(
            """() => {
              const { x, y, width, height } = document.activeElement.getBoundingClientRect();
              return { x, y, width, height };
            }"""
        )
        near = 10.0
        left, top = max(0.0, box["x"] - near), max(0.0, box["y"] - near)
        clip: FloatRect = {
            "x": left,
            "y": top,
            "width": box["x"] + box["width"] + near - left,
            "height": box["y"] + box["height"] + near - top,
        }
        ringed = self.see(page, clip)
        page.evaluate(_HIDE, _NO_RING)
        plain = self.see(page, clip)
        page.evaluate(_HIDE, "")
        changed = contrast(ringed.astype(float), plain.astype(float)) >= 3
        return int(changed.sum()), round(2 * (box["width"] + box["height"]))


def pixels(png: bytes) -> Picture:
    """Return the pixels of a PNG whose rows are stored as differences to the row above, as Chromium's are."""
    at, data, width, height = 8, b"", 0, 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", png[at + 8 : at + 18])
            assert (depth, colours) == (8, 2)
        if kind == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += 12 + length
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 3 * width)
    assert (rows[:, 0] == 2).all()
    return np.add.accumulate(rows[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, 3)


def contrast(one: NDArray[np.floating[Any]], other: NDArray[Any]) -> NDArray[np.float64]:
    """Return the contrast, 1 to 21, of colours from 0 to 255, pixel by pixel."""
    bright = [
        linear(np.asarray(side, dtype=np.float64) / 255) @ np.array([0.2126, 0.7152, 0.0722])
        for side in (one, other)
    ]
    ratio: NDArray[np.float64] = (np.maximum(*bright) + 0.05) / (np.minimum(*bright) + 0.05)
    return ratio


def _colour(written: str) -> tuple[NDArray[np.float64], float]:
    """Return a CSS colour, rgb(…), rgba(…) or color(srgb …), and its opacity."""
    numbers = [float(one) for one in re.findall(r"[\d.]+(?:e-?\d+)?", written.partition("(")[2])]
    scale = 255 if written.startswith("color") else 1
    return np.array(numbers[:3]) * scale, numbers[3] if len(numbers) > 3 else 1.0
