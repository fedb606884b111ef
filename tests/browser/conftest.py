"""One server and one Chromium for all tests of this folder; everything in it is marked `browser`.

Both end with the folder: while Playwright runs, no other test can start an event loop of its own.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, ViewportSize, expect, sync_playwright

from fifteentwo.server.live import socket, spectators
from tests.support.live_server import Live, serving
from tests.support.luck import DICE, same_luck
from tests.support.playing import PATIENCE_MS, Player

__all__ = ["chromium", "live", "same_luck", "visit"]

HERE = Path(__file__).parent
WIDE: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
# The first is Chromium without its windows: the same pages for a quarter less work.
CHROMIUM = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
# Nothing here is drawn by a graphics card; without a process that plays one, a third less work.
# All pages are of one server here: Chromium need not keep its sites in processes of their own.
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-site-isolation-trials")

# A busy machine is no reason to fail.
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


def chromium_path() -> str | None:
    """The system's own Chromium, without windows where it can be had."""
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A headless Chromium; a skip without one, or a failure where it is required."""
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
    """Without the limits on haste: tests play faster than people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "MESSAGES_PER_SECOND", 1e6)
        with serving(tmp_path_factory.mktemp("browser") / "games.sqlite3") as server:
            yield server


@pytest.fixture
def visit(chromium: Browser, live: Live) -> Iterator[Callable[..., Player]]:
    """A user with a browser of their own; at the end its console must have been quiet."""
    players: list[Player] = []

    def come(lang: str = "en", *, phone: bool = False, quiet: bool = True, **more: object) -> Player:
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

    yield come
    for player in players:
        player.page.context.close()
    for player in players:
        if player.quiet:
            assert player.complaints == []


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spectators see a game a second late instead of minutes."""
    for name, seconds in (("DELAY_SECONDS", 1.0), ("POLL_SECONDS", 0.2)):
        monkeypatch.setattr(spectators, name, seconds)
