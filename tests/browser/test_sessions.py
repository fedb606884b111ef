"""A match of several games: "Next game" leads to the next game, and no page ever shows a red toast."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.browser.playing import Player
from tests.browser.test_inviting import _invited

Visit = Callable[..., Player]
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
    """None of these pages shows a red toast at any time."""
    for player in players:
        player.page.add_init_script(WARNED)
    yield
    for player in players:
        assert player.page.evaluate("window.warned") == []


def give_up(player: Player) -> None:
    page = player.page
    page.locator('[data-action="settings"]').first.evaluate("(one) => one.click()")
    page.click("#resign")
    page.click('[data-action="give-up"]')


def in_game(player: Player, number: int) -> None:
    """The page shows the game of this number, and its cards may be drawn or played."""
    player.page.wait_for_function("() => document.getElementById('table').dataset.settled === 'true'")
    expect(player.page.locator("#title")).to_contain_text(
        text("table.heading", player.lang, game=number, deal=1)
    )
    expect(player.page.locator(NEXT)).to_have_count(0)


def test_alone_the_next_game_begins_without_a_word(visit: Visit) -> None:
    player = visit("en")
    with nothing_warned(player):
        player.sit_down(form="six-card", level_1="random")
        for number in (1, 2, 3):
            in_game(player, number)
            give_up(player)
            player.page.click(NEXT)
        in_game(player, 4)


def test_two_people_play_several_games_whoever_asks_for_the_next(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja", phone=True)
    with nothing_warned(host, guest):
        _invited(host, guest, "健", form="six-card", name="Mia")
        for number, presses in enumerate([(host,), (guest,), (host, guest), (guest, host)], 1):
            for player in (host, guest):
                in_game(player, number)
            give_up(host if number % 2 else guest)
            for player in (host, guest):
                expect(player.page.locator(NEXT)).to_be_visible()
            for player in presses:
                # At once: the second is pressed before the first has been answered, or is gone.
                player.page.evaluate("""() => document.querySelector('[data-action="next"]')?.click()""")
        for player in (host, guest):
            in_game(player, 5)
