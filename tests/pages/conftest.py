"""A headless Chromium and a running server for the pages that are mostly words."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

import pytest
from playwright.sync_api import Browser, Error, Page, ViewportSize, expect, sync_playwright

from tests.server.live import Live, serving
from tests.server.luck import DICE, same_luck

__all__ = ["browser", "live", "opened", "same_luck"]

CHROMIUM = Path("/usr/bin/chromium")
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}

# A busy machine is no reason to fail.
expect.set_options(timeout=30_000)


def _without_browser(why: str) -> NoReturn:
    if "browser" in os.environ.get("FIFTEENTWO_REQUIRE", ""):
        pytest.fail(f"the browser tests are required: {why}")
    pytest.skip(f"no headless Chromium: {why}")


# One a module, not one a session: Playwright's event loop must have ended before other tests start theirs.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        _without_browser(f"{CHROMIUM} is missing")
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=CHROMIUM)
        except Error as error:
            _without_browser(str(error).splitlines()[0])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    database = tmp_path_factory.mktemp("tables") / "tables.sqlite"
    with serving(f"sqlite:///{database}") as running:
        yield running


class Opened:
    """Opens pages and remembers what their consoles complained of."""

    def __init__(self, browser: Browser, stack: ExitStack) -> None:
        self._browser = browser
        self._stack = stack
        self.complaints: list[str] = []

    def __call__(
        self,
        address: str,
        *,
        lang: str = "en",
        size: ViewportSize | None = None,
        script: str = "",
        **context: Any,
    ) -> Page:
        inside = self._browser.new_context(viewport=DESK if size is None else size, locale=lang, **context)
        self._stack.callback(inside.close)
        inside.add_init_script(DICE + script)
        page = inside.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)
        page.goto(address)
        return page

    def _heard(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    with ExitStack() as stack:
        opening = Opened(browser, stack)
        yield opening
        assert opening.complaints == []
