"""Look at it: `python -m tests.browser.contact_sheet` writes docs/screens/.

Every page and state, in both languages and sizes, light and dark, with fixed packs; one sheet each.
"""

import base64
import hashlib
import struct
import tempfile
import zlib
from collections.abc import Iterator
from itertools import count, product
from pathlib import Path
from typing import Literal
from unittest import mock

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from fifteentwo import players
from fifteentwo.rules import record
from fifteentwo.server import pages, pages_inviting, rooms, socket
from tests.browser.conftest import PHONE, WIDE, chromium_path
from tests.browser.playing import Player
from tests.server.live import serving
from tests.server.records import played

SCREENS = Path(__file__).parents[2] / "docs" / "screens"
STANDING = (
    *("pad", "check", "rules", "glossary", "summary", "history", "statistics", "import", "review", "waiting"),
    *("book", "book/5H5S6D7CJCKD/pone/110-116", "solved"),
)
FAST_ENOUGH = 300
"""Milliseconds for a page's own motion to come to rest."""

Shots = list[tuple[str, bytes]]


def _same_packs() -> Iterator[bytes]:
    for number in count():
        yield hashlib.sha256(f"contact sheet {number}".encode()).digest()


def _take(page: Page, shots: Shots, name: str) -> None:
    page.wait_for_timeout(FAST_ENOUGH)
    shots.append((name, page.screenshot()))


def _automatic(player: Player, shots: Shots) -> None:
    """A counted game: draw, cut, lay away, the play, the show with lit cards, the end."""
    page = player.page
    player.home()
    _take(page, shots, "home")
    player.sit_down(form="six-card", target="61", skunk="yes")
    seen: set[str] = set()
    while (asked := player.wait()) != "over":
        laid = len(player.view["played"])
        name = asked if asked != "play" else f"play, {laid} laid"
        lifted = [0, 2] if asked == "lay-away" else []
        if name not in seen and (asked != "play" or laid in (0, 3, 5)):
            seen.add(name)
            _lift(page, lifted)
            _take(page, shots, name)
            _lift(page, lifted)
        if asked == "play" and len(player.view["hand"]) == 1 and "show" not in seen:
            seen.add("show")
            _show(player, shots)
        else:
            player.click(asked)
            player.answered(asked)
    _take(page, shots, "over")


def _lift(page: Page, places: list[int]) -> None:
    for place in places:
        page.locator("#hand button").nth(place).click(position={"x": 8, "y": 40})


def _show(player: Player, shots: Shots) -> None:
    """The last card at an unhurried pace, until some cards are lit."""
    page = player.page
    speed = "(speed) => document.querySelector(`[name=speed][value=${speed}]`).click()"
    page.evaluate(speed, "slow")
    player.click("play")
    page.wait_for_selector("#stage .show .is-lit", state="attached", timeout=60_000)
    _take(page, shots, "show")
    page.evaluate(speed, "instant")


def _claimed(player: Player, shots: Shots) -> None:
    """A game counted by hand, as far as its first gate; then the dialogs."""
    page = player.page
    player.sit_down(form="partners", target="121", counting="claimed", muggins="missed", moment="none")
    seen: set[str] = set()
    for asked in player.play():
        stage = page.locator("#table").get_attribute("data-stage")
        name = f"{asked}, {stage}"
        if asked in ("claim", "accept", "continue") and name not in seen:
            seen.add(name)
            _take(page, shots, f"four, {name}")
        if asked == "continue":
            break
    for dialog in ("settings", "keys"):
        page.click(f'[data-action="{dialog}"]')
        _take(page, shots, dialog)
        page.keyboard.press("Escape")
    player.sit_down(form="four-handed", first_dealer="named")
    for asked in player.play():
        if asked == "name-dealer" or (asked == "play" and len(player.view["played"]) > 2):
            _take(page, shots, f"four-handed, {asked}")
        if asked == "continue":
            break


def _reviewed(player: Player, shots: Shots) -> None:
    """A game under review: its course, the dearest to be tried again, the answer."""
    page = player.page
    page.goto(f"/review?lang={player.lang}")
    page.fill("#record-text", record.write(played("six-card", target=61)))
    page.click("#record-form .button--primary")
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    _take(page, shots, "review")
    page.locator(".dearest .try").first.click()
    _take(page, shots, "review, tried again")
    page.click('[data-action="tell"]')
    _take(page, shots, "review, the answer")
    page.locator("#judged").scroll_into_view_if_needed()
    _take(page, shots, "review, why")


def _inviting(player: Player, shots: Shots) -> None:
    """The host's waiting room, as by an address that others reach; then the invitation, to a stranger."""
    page = player.page
    with mock.patch.object(pages_inviting, "base_for_others", return_value="http://cards.example"):
        player.sit_down(form="three-handed", level_1="person")
        _take(page, shots, "waiting room")
    path = page.locator("[data-link]").input_value().removeprefix("http://cards.example")
    page.context.clear_cookies()
    page.goto(f"{path}?lang={player.lang}")
    _take(page, shots, "invitation")


def _pages(player: Player, shots: Shots) -> None:
    for name in STANDING:
        answer = player.page.goto(f"/{name}?lang={player.lang}")
        if answer is not None and answer.ok:
            _take(player.page, shots, name)


def _sheet(browser: Browser, shots: Shots, file: Path, *, width: int, columns: int) -> None:
    """All pictures on one small one."""
    figures = "".join(
        f"<figure><img src='data:image/png;base64,{base64.b64encode(png).decode()}'>"
        f"<figcaption>{name}</figcaption></figure>"
        for name, png in shots
    )
    page = browser.new_page(viewport={"width": columns * (width + 8) + 8, "height": 400})
    page.set_default_timeout(300_000)
    page.set_content(
        f"<style>body{{margin:8px;background:#777;display:grid;gap:8px;grid-template-columns:repeat({columns},{width}px)}}"
        "figure{margin:0}img{width:100%;display:block}figcaption{font:12px sans-serif;color:#fff}</style>"
        + figures
    )
    page.evaluate("Promise.all([...document.images].map((one) => one.decode()))")
    page.wait_for_timeout(FAST_ENOUGH)
    file.write_bytes(_small(page, page.screenshot(full_page=True)))
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
    """The same picture in its 256 commonest colours, a third of the size."""
    address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    width, height, text = page.evaluate(_PIXELS, address)
    pixels = np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[..., :3]
    coarse = (pixels >> 3).astype(np.int32) @ np.array([1024, 32, 1], np.int32)
    often = np.bincount(coarse.ravel(), minlength=32768)
    sums = [np.bincount(coarse.ravel(), pixels[..., one].ravel(), 32768) for one in range(3)]
    # Each of 32,768 coarse colours as it is on average: the middle of its range would make bands in the dark.
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


def main() -> None:
    """Write all sheets."""
    SCREENS.mkdir(parents=True, exist_ok=True)
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(socket, "A_SECOND", 1e6),
        mock.patch.object(pages, "NEW_TABLES", (1000, 1e6), create=True),
        mock.patch.object(rooms, "player", lambda level, _: players.player(level, 15)),
        serving(Path(folder) / "games.sqlite3") as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        for lang, scheme, phone in product(("en", "ja"), schemes, (False, True)):
            packs = _same_packs()
            with mock.patch.object(rooms, "new_secret", lambda packs=packs: next(packs)):
                context = browser.new_context(
                    viewport=PHONE if phone else WIDE,
                    has_touch=phone,
                    base_url=live.http,
                    color_scheme=scheme,
                )
                player = Player(context.new_page(), lang)
                shots: Shots = []
                for visit in (_automatic, _claimed, _pages, _reviewed, _inviting):
                    visit(player, shots)
                context.close()
            file = SCREENS / f"{'phone' if phone else 'wide'}-{scheme}-{lang}.png"
            _sheet(browser, shots, file, width=160 if phone else 336, columns=8 if phone else 4)
            print(file.name, len(shots), "pictures", player.complaints or "")
        browser.close()


if __name__ == "__main__":
    main()
