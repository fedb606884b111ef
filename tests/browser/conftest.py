"""One server and one Chromium for all tests of this folder.

They stop after the folder, because no other test can start an event loop while Playwright runs.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, ViewportSize, expect, sync_playwright

from fifteentwo.server.live import socket, spectators
from tests.support.live_server import Live, serving
from tests.support.luck import DICE, same_luck
from tests.support.playing import PATIENCE_MS, Player

__all__ = ["chromium", "live", "same_luck", "visit"]

WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
# The headless shell shows the same pages with a quarter less work.
CHROMIUM = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
# No graphics card is used: without a GPU process Chromium does a third less work.
# All pages come from one server, so that sites need no separate processes.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-site-isolation-trials")

expect.set_options(timeout=PATIENCE_MS)


def chromium_path() -> str | None:
    """Return the path of the system's Chromium, if possible the headless shell."""
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """Run a headless Chromium. Without it, skip; fail if FIFTEENTWO_REQUIRE contains `browser`."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=chromium_path(), args=ARGUMENTS, timeout=PATIENCE_MS
            )
        except Error as error:
            if "browser" in os.environ.get("FIFTEENTWO_REQUIRE", ""):
                raise
            pytest.skip(f"no Chromium here: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="package")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Run a server without a rate limit, because tests play faster than people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "PAGE_MESSAGES_PER_SECOND", 1e6)
        with serving(tmp_path_factory.mktemp("browser") / "games.sqlite3") as server:
            yield server


@pytest.fixture
def visit(chromium: Browser, live: Live) -> Iterator[Callable[..., Player]]:
    """Return a function that opens a page in a new context; check at the end that no page logged errors."""
    players: list[Player] = []

    def open_page(lang: str = "en", *, phone: bool = False, quiet: bool = True, **more: object) -> Player:
        context: BrowserContext = chromium.new_context(
            **{
                "viewport": PHONE if phone else WIDE,
                "has_touch": phone,
                "base_url": live.http,
                "locale": lang,
                **more,
            }  # type: ignore[arg-type]
        )
        context.add_init_script(DICE)
        player = Player(context.new_page(), lang, quiet=quiet)
        players.append(player)
        return player

    yield open_page
    for player in players:
        player.page.context.close()
    for player in players:
        if player.quiet:
            assert player.complaints == []


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show spectators a game after one second instead of minutes."""
    for name, seconds in (("DELAY_SECONDS", 1.0), ("LOG_POLL_SECONDS", 0.2)):
        monkeypatch.setattr(spectators, name, seconds)
