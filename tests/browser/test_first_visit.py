"""A stranger's first visit asks for few files: on a slow phone each is a wait."""

import pytest
from playwright.sync_api import Browser

from tests.measured.first_card import PLAIN, TABLE, visit
from tests.support.live_server import Live

MOST = 15
"""Requests, the page itself among them."""


@pytest.mark.parametrize("page", [TABLE, "/", PLAIN])
def test_a_first_visit_makes_few_requests(chromium: Browser, live: Live, page: str) -> None:
    found = visit(chromium, live.http, page, slow=False)
    assert 4 < found.requests <= MOST, found
