"""A user who learns: three lessons and a first game to 31, by clicks or by keys."""

from collections.abc import Iterator

from playwright.sync_api import expect

from fifteentwo.server.study.lessons import Screen, screens
from tests.support.playing import ASKED, Player

_ASKED_OR_OVER = f"() => document.querySelector('#first-over') ? 'first-over' : ({ASKED})()"


def begin(player: Player, speed: str = "instant") -> None:
    """Open the lessons."""
    player.page.goto(f"/learn?lang={player.lang}")
    player.page.evaluate(
        "(likes) => localStorage.setItem('fifteentwo.settings', likes)", f'{{"speed": "{speed}"}}'
    )
    player.page.wait_for_selector("#learn[data-ready]")


def lessons(player: Player, *, keys: bool) -> Iterator[Screen]:
    """Go through every screen, yielding each before anything is done; at the end the first game begins."""
    page = player.page
    for number, screen in enumerate(screens(player.lang)):
        expect(page.locator("#learn")).to_have_attribute("data-at", str(number))
        yield screen
        if screen.id == "start":
            break
        do_right(player, screen, keys=keys)
        expect(page.locator("#next")).to_be_enabled()
        if keys:
            player.at("#next")
            player.key("Enter")
        else:
            page.click("#next")
    if keys:
        player.at("#begin")
        player.key("Enter")
    else:
        page.click("#begin")
    page.wait_for_selector("#table")


def do_right(player: Player, screen: Screen, *, keys: bool) -> None:
    """What the screen asks for, done right."""
    page = player.page
    for _ in screen.counted:
        if keys:
            player.at("#show-me")
            player.key("Enter")
        else:
            page.click("#show-me")
    if not screen.pick:
        return
    right = screen.discards[0].cards if screen.discards else screen.accept[0]
    for card in right:
        if keys:
            player.key(str(screen.cards.index(card) + 1))
        else:
            page.click(f'#hand [data-card="{card.text}"]')


def first_game(player: Player, *, keys: bool, most: int = 200) -> Iterator[str]:
    """Play until a player has reached 31, yielding each question before it is answered."""
    for _ in range(most):
        asked: str = player.page.wait_for_function(_ASKED_OR_OVER, polling=16).json_value()
        yield asked
        if asked == "first-over":
            return
        (player.press if keys else player.click)(asked)
        player.answered(asked)
    raise AssertionError(f"no player reached 31 after {most} answers")
