"""Spectators and several people in front of one page."""

from playwright.sync_api import Page

from tests.support.playing import Player

COVER = "dialog.cover[open]"
TAKE = f"{COVER} [data-action=take]"


def spectate(page: Page, game: str, player: Player) -> None:
    """Open the spectators' link that the player's page shows in another page."""
    player.page.goto(f"/game/{game}/spectate")
    page.goto(player.page.locator("[data-link]").input_value() + f"?lang={player.lang}")
    player.page.goto(f"/game/{game}")
