"""A stranger's first visit needs few files, because each is a wait on a slow phone."""

import pytest
from playwright.sync_api import Browser, Request

from tests.browser.conftest import PHONE
from tests.support.live_server import Live
from tests.support.playing import ASKED, PATIENCE_MS

MAX_REQUESTS = 15
"""Requests, the page itself among them."""
MAX_LESSON_REQUESTS, MAX_LESSON_BYTES = 10, 40_828
"""Requests, and bytes of their responses with headers, before the first step of the lesson."""
CARD_CAN_BE_DRAWN = f"() => document.getElementById('table') && ({ASKED})() !== null"
LOADED = "() => document.readyState === 'complete'"


@pytest.mark.parametrize("page", ["table", "/", "/rules"])
def test_a_first_visit_makes_few_requests(chromium: Browser, live: Live, page: str) -> None:
    """Requests are counted until the page is loaded, or until the first card of a table can be drawn."""
    with chromium.new_context(
        viewport=PHONE, has_touch=True, base_url=live.http, locale="en", service_workers="block"
    ) as context:
        address, is_ready = page, LOADED
        if page == "table":
            made = context.request.post("/games", form={"variant": "six-card"}, max_redirects=0)
            address, is_ready = made.headers["location"], CARD_CAN_BE_DRAWN
        window = context.new_page()
        requested: list[str] = []
        window.on("request", lambda request: requested.append(request.url))
        window.goto(address, wait_until="commit")
        window.wait_for_function(is_ready, timeout=PATIENCE_MS)
    assert 4 < len(requested) <= MAX_REQUESTS, requested


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_first_visit_to_the_lesson_needs_few_requests_and_bytes(
    chromium: Browser, live: Live, lang: str
) -> None:
    with chromium.new_context(
        viewport=PHONE, has_touch=True, base_url=live.http, locale=lang, service_workers="block"
    ) as context:
        window = context.new_page()
        received: list[Request] = []
        window.on("requestfinished", lambda request: received.append(request))
        window.goto("/learn")
        window.wait_for_selector("#learn[data-ready] .board")
        window.wait_for_load_state("networkidle")
        sizes = [request.sizes() for request in received]
    total = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    assert 4 < len(received) <= MAX_LESSON_REQUESTS
    assert 20_000 < total <= MAX_LESSON_BYTES
