"""Write the pictures in docs/screens/ and docs/pictures/: `python -m tests.browser.contact_sheet`.

Every page and state with fixed decks, in two kinds of window each. `--whole FOLDER` keeps every picture whole
as well, to look closely; names of sheets or visits take only those (`pages-phone-light-en lessons`), and with
a visit no sheet is written.
"""

import argparse
import base64
import hashlib
import struct
import tempfile
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Literal
from unittest import mock

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from fifteentwo.server.live import computers, socket
from fifteentwo.server.table_log import dealing
from tests.browser.conftest import ARGUMENTS, PHONE, WIDE, chromium_path
from tests.browser.pictured import (
    ANIMATION_MS,
    AT_THE_TABLE,
    ENTRY,
    PAGES,
    Shots,
    Visit,
    counted_game,
    imported_game,
    lessons,
    practising,
    reviewed,
    standing,
)
from tests.support.live_server import Live, serving
from tests.support.playing import Player

DOCS = Path(__file__).parents[2] / "docs"
SCREENS = DOCS / "screens"
MANUAL_VISITS = (counted_game, lessons, standing, reviewed, practising, imported_game)
"""Visits whose pictures are in the manual."""
Scheme = Literal["light", "dark"]
SHEETS: dict[str, tuple[str, Scheme, bool, tuple[Visit, ...]]] = {
    "table-wide-light-en": ("en", "light", False, AT_THE_TABLE),
    "table-phone-dark-ja": ("ja", "dark", True, AT_THE_TABLE),
    "pages-wide-dark-ja": ("ja", "dark", False, PAGES),
    "pages-phone-light-en": ("en", "light", True, PAGES),
    "readme": ("en", "light", False, (counted_game, reviewed)),
    "manual-en": ("en", "light", False, MANUAL_VISITS),
    "manual-ja": ("ja", "light", False, MANUAL_VISITS),
}
"""The language, colour scheme, whether it is a phone, and the visits of each sheet.

Every state is shown in both languages, both sizes, light and dark.
"""
VISITS = (*AT_THE_TABLE, *PAGES)
README = {"play, 5 played": "table", "review": "review"}
"""The states that are pictures of the README."""
MANUAL = README | {
    "home": "home",
    "show": "show",
    "learn, fifteen": "learn",
    "pad": "pad",
    "check": "check",
    ENTRY: "book",
    "practice": "practise",
    "import": "import",
}
"""The states that are pictures of the manual, in each language."""


def _same_decks() -> Iterator[bytes]:
    for number in count():
        yield hashlib.sha256(f"contact sheet {number}".encode()).digest()


def _sheet(browser: Browser, taken: list[tuple[str, bytes]], file: Path, *, width: int, columns: int) -> None:
    """Write one small picture of all pictures."""
    figures = "".join(
        f"<figure><img src='data:image/png;base64,{base64.b64encode(png).decode()}'>"
        f"<figcaption>{name}</figcaption></figure>"
        for name, png in taken
    )
    page = browser.new_page(viewport={"width": columns * (width + 8) + 8, "height": 400})
    page.set_default_timeout(300_000)
    page.set_content(
        f"<style>body{{margin:8px;background:#777;display:grid;gap:8px;grid-template-columns:repeat({columns},{width}px)}}"
        "figure{margin:0}img{width:100%;display:block}figcaption{font:12px sans-serif;color:#fff}</style>"
        + figures
    )
    page.evaluate("Promise.all([...document.images].map((one) => one.decode()))")
    page.wait_for_timeout(ANIMATION_MS)
    file.write_bytes(_small(page, page.screenshot(full_page=True)))
    page.close()


def _picture(browser: Browser, png: bytes, file: Path) -> None:
    """Write a picture of one state at two thirds of its size."""
    page = browser.new_page(viewport={"width": 2 * WIDE["width"] // 3, "height": 2 * WIDE["height"] // 3})
    page.set_content(
        "<style>body{margin:0}img{width:100%;display:block}</style>"
        f"<img src='data:image/png;base64,{base64.b64encode(png).decode()}'>"
    )
    page.evaluate("document.images[0].decode()")
    file.write_bytes(_small(page, page.screenshot()))
    page.close()


_PIXELS = """async (png) => {
  const picture = await createImageBitmap(await (await fetch(png)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  const bytes = context.getImageData(0, 0, picture.width, picture.height).data;
  let text = "";
  for (let from = 0; from < bytes.length; from += 32768)
    text += String.fromCharCode(...bytes.subarray(from, from + 32768));
  return [picture.width, picture.height, btoa(text)];
}"""


def _small(page: Page, png: bytes) -> bytes:
    """Return the picture in its 256 most frequent colours, which is a third of the size."""
    address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    width, height, text = page.evaluate(_PIXELS, address)
    pixels = np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[..., :3]
    coarse = (pixels >> 3).astype(np.int32) @ np.array([1024, 32, 1], np.int32)
    often = np.bincount(coarse.ravel(), minlength=32768)
    sums = [np.bincount(coarse.ravel(), pixels[..., one].ravel(), 32768) for one in range(3)]
    # Each of 32,768 coarse colours is replaced by its average; the middle of its range would make dark bands.
    every = np.rint(np.stack(sums, axis=1) / np.maximum(often, 1)[:, None]).astype(np.int32)
    palette = every[np.argsort(-often)[:256]]
    used = np.flatnonzero(often)
    nearest = np.zeros(32768, np.uint8)
    nearest[used] = [np.argmin(((palette - every[one]) ** 2).sum(axis=1)) for one in used]
    rows = np.hstack([np.zeros((height, 1), np.uint8), nearest[coarse]])

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            chunk(b"PLTE", palette.astype(np.uint8).tobytes()),
            chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)),
            chunk(b"IEND", b""),
        )
    )


def _shots(browser: Browser, live: Live, sheet: str, visits: list[str], whole: Path | None) -> Shots:
    """Return all pictures of a sheet."""
    lang, scheme, phone, usual = SHEETS[sheet]
    folder = None if whole is None else whole / sheet
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    decks = _same_decks()
    with mock.patch.object(dealing, "new_secret", side_effect=decks):
        context = browser.new_context(
            viewport=PHONE if phone else WIDE, has_touch=phone, base_url=live.http, color_scheme=scheme
        )
        player = Player(context.new_page(), lang)
        shots = Shots(folder)
        for visit in [one for one in VISITS if one.__name__ in visits] or usual:
            visit(player, shots)
        context.close()
    print(sheet, len(shots.taken), "pictures", player.complaints or "", flush=True)
    return shots


def main() -> None:
    """Write all sheets."""
    asked = argparse.ArgumentParser(description="Pictures of every page and state, written to docs/screens.")
    visits_by_name = {visit.__name__ for visit in VISITS}
    asked.add_argument("only", nargs="*", metavar="NAME", help=", ".join((*SHEETS, *sorted(visits_by_name))))
    asked.add_argument("--whole", type=Path, metavar="FOLDER", help="keep every picture whole there, too")
    wanted = asked.parse_args()
    if unknown := set(wanted.only) - set(SHEETS) - visits_by_name:
        asked.error(f"no sheet and no visit: {', '.join(sorted(unknown))}")
    sheets = [one for one in wanted.only if one in SHEETS] or list(SHEETS)
    visits = [one for one in wanted.only if one not in SHEETS]
    SCREENS.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(socket, "PAGE_MESSAGES_PER_SECOND", 1e6),
        mock.patch.object(computers, "computer_seed", return_value=15),
        serving(Path(folder) / "games.sqlite3") as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        for sheet in sheets:
            shots = _shots(browser, live, sheet, visits, wanted.whole)
            if sheet == "readme":
                for name, png in shots.taken:
                    if name in README:
                        _picture(browser, png, SCREENS / f"{README[name]}.png")
            elif sheet.startswith("manual-"):
                for name, png in shots.taken:
                    if name in MANUAL:
                        _picture(browser, png, DOCS / "pictures" / f"{MANUAL[name]}-{sheet[-2:]}.png")
            elif not visits:
                phone = SHEETS[sheet][2]
                file = SCREENS / f"{sheet}.png"
                _sheet(browser, shots.taken, file, width=260 if phone else 520, columns=8 if phone else 4)
        browser.close()


if __name__ == "__main__":
    main()
