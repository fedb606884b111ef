"""Spectators and several people in front of one page."""

from playwright.sync_api import Page

from tests.support.playing import Player

COVER = "dialog.cover[open]"
TAKE = f"{COVER} [data-action=take]"


def looks_on(page: Page, game: str, player: Player) -> None:
    """Somebody else follows the link that the players' page shows."""
    player.page.goto(f"/game/{game}/watch")
    page.goto(player.page.locator("[data-link]").input_value() + f"?lang={player.lang}")
    player.page.goto(f"/game/{game}")
