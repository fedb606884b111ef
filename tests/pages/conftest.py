"""A headless Chromium and a running server for the pages that are mostly text."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.conftest import chromium
from tests.support.live_server import Live, serving
from tests.support.luck import DICE, same_luck
from tests.support.playing import PATIENCE_MS

__all__ = ["chromium", "live", "opened", "same_luck"]

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 800}


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    database = tmp_path_factory.mktemp("tables") / "tables.sqlite"
    with serving(f"sqlite:///{database}") as running:
        yield running


class Opened:
    """Opens pages and collects the errors that they log."""

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
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._on_console)
        page.goto(address)
        return page

    def _on_console(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Opened]:
    with ExitStack() as stack:
        opening = Opened(chromium, stack)
        yield opening
        assert opening.complaints == []
