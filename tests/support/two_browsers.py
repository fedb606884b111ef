"""Two people, each with a browser, at one table."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from fifteentwo.i18n import text
from tests.support.playing import ASKED, Player

INSTANT = "localStorage.setItem('fifteentwo.settings', '{\"speed\": \"instant\"}')"


def invited(host: Player, guest: Player, guest_name: str, **chosen: str) -> None:
    """Make a table as the host, and accept the invitation as the guest."""
    host.sit_down(level_1="person", **chosen)
    expect(host.page.locator('.person[data-state="open"]')).to_have_count(1)
    link = host.page.locator("[data-link]").input_value()
    accept_invitation(guest, link, guest_name)
    host.page.wait_for_selector("#table")


def accept_invitation(guest: Player, link: str, name: str) -> None:
    """Open an invitation, enter a name, sit down and wait for the table."""
    guest.page.goto(f"{link}?lang={guest.lang}")
    guest.page.evaluate(INSTANT)
    guest.page.get_by_label(text("home.name", guest.lang)).fill(name)
    guest.page.get_by_role("button", name=text("join.sit", guest.lang)).click()
    guest.page.wait_for_selector("#table")


def both_play(host: Player, guest: Player, enough: Callable[[], bool]) -> None:
    for _ in range(6000):
        for player in (host, guest):
            player.turn()
        if enough():
            return
        host.page.wait_for_timeout(20)
    raise AssertionError((host.asked[-10:], guest.asked[-10:]))


def until_play(host: Player, guest: Player, whose: Player) -> None:
    """Play until the table waits for a card of the player `whose`."""
    other = guest if whose is host else host
    for _ in range(6000):
        asked = whose.page.evaluate(ASKED)
        if asked == "play" and whose.view["to_act"] == [whose.view["seat"]]:
            return
        if asked not in (None, "play"):
            whose.turn()
        other.turn()
        host.page.wait_for_timeout(20)
    raise AssertionError((host.asked[-10:], guest.asked[-10:]))


COVER = "dialog.cover[open]"
TAKE = f"{COVER} [data-action=take]"


def spectate(page: Page, game: str, player: Player) -> None:
    """Open the spectators' link that the player's page shows in another page."""
    player.page.goto(f"/game/{game}/spectate")
    page.goto(player.page.locator("[data-link]").input_value() + f"?lang={player.lang}")
    player.page.goto(f"/game/{game}")


NEXT = '[data-action="next"]:visible'


WARNED = """addEventListener("DOMContentLoaded", () => {
  window.warned = [];
  const look = (all) => {
    for (const { addedNodes } of all)
      for (const one of addedNodes)
        if (one.classList?.contains("toast--warn")) window.warned.push(one.textContent);
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
});"""


@contextmanager
def nothing_warned(*players: Player) -> Iterator[None]:
    """Check that no page shows a red toast in the block."""
    for player in players:
        player.page.add_init_script(WARNED)
    yield
    for player in players:
        assert player.page.evaluate("window.warned") == []


def give_up(player: Player) -> None:
    page = player.page
    page.locator("#resign").evaluate("(one) => one.click()")
    page.click('[data-action="give-up"]')


def in_game(player: Player, number: int) -> None:
    """Wait until the page shows the game of this number, and has no button for the next game."""
    player.page.wait_for_function("() => document.getElementById('table').dataset.settled === 'true'")
    expect(player.page.locator("#title")).to_contain_text(
        text("table.heading", player.lang, game=number, deal=1)
    )
    expect(player.page.locator(NEXT)).to_have_count(0)
