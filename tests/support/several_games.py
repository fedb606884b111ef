"""Several games of one match in browsers."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.support.playing import Player

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
