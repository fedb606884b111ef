"""Two people, each with a browser, at one table."""

from collections.abc import Callable

from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.support.playing import Player

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
