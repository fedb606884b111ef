"""Spectators and several people in front of one page."""

import pytest
from playwright.sync_api import Page

from fifteentwo.server.live import spectators
from tests.support.playing import Player

COVER = "dialog.cover[open]"


TAKE = f"{COVER} [data-action=take]"


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("DELAY", 1.0), ("LATE", 1.0), ("POLL", 0.2)):
        monkeypatch.setattr(spectators, name, seconds)


def looks_on(page: Page, game: str, player: Player) -> None:
    """Somebody else follows the link that the players' page shows."""
    player.page.goto(f"/game/{game}/watch")
    page.goto(player.page.locator("[data-link]").input_value() + f"?lang={player.lang}")
    player.page.goto(f"/game/{game}")
