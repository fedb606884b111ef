"""Two people in two browsers: an invitation, its waiting room, the game, who is away, and another game."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from tests.browser.playing import PATIENCE_MS, Player

Visit = Callable[..., Player]
INSTANT = "localStorage.setItem('fifteentwo.settings', '{\"speed\": \"instant\"}')"


def _invited(host: Player, guest: Player, guest_name: str, **chosen: str) -> None:
    """The host waits with the link on the screen; the guest follows it, gives a name and sits down."""
    host.sit_down(level_1="person", **chosen)
    expect(host.page.locator('.person[data-state="open"]')).to_have_count(1)
    link = host.page.locator("[data-link]").input_value()
    guest.page.goto(f"{link}?lang={guest.lang}")
    guest.page.evaluate(INSTANT)
    guest.page.get_by_label(text("home.name", guest.lang)).fill(guest_name)
    guest.page.get_by_role("button", name=text("join.sit", guest.lang)).click()
    guest.page.wait_for_selector("#table")
    # The waiting room has nothing left to wait for.
    host.page.wait_for_selector("#table")


def _both_play(host: Player, guest: Player, enough: Callable[[], bool]) -> None:
    for _ in range(6000):
        for player in (host, guest):
            player.turn()
        if enough():
            return
        host.page.wait_for_timeout(20)
    raise AssertionError((host.asked[-10:], guest.asked[-10:]))


def test_somebody_invited_gives_a_name_sits_down_and_both_play(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    _invited(host, guest, "健", form="six-card", name="Mia")
    expect(host.page.locator(".seat .plate-name")).to_have_text("健")
    expect(guest.page.locator(".seat .plate-name")).to_have_text("Mia")
    expect(host.page.locator("#invite-button")).to_be_hidden()
    expect(host.page.locator("[data-absent]")).to_have_count(0)
    _both_play(host, guest, lambda: "play" in host.asked and "play" in guest.asked)
    assert {"draw", "discard", "play"} <= set(host.asked) & set(guest.asked)
    assert not set(host.view["hand"]) & set(guest.view["hand"])
    guest.page.goto("about:blank")
    expect(host.page.locator('.seat [data-absent="away"]')).to_be_visible()
    guest.page.go_back()
    expect(host.page.locator("[data-absent]")).to_have_count(0)


def test_a_press_on_the_pack_counts_though_somebody_draws_meanwhile(visit: Visit) -> None:
    """What lies under a finger stays the same button while others take theirs."""
    host, guest = visit("en"), visit("ja")
    _invited(host, guest, "健", form="six-card", name="Mia")
    assert (host.wait(), guest.wait()) == ("draw", "draw")
    page = host.page
    page.locator("[data-action=draw]").nth(20).hover(force=True, position={"x": 4, "y": 12})
    page.mouse.down()
    guest.click("draw")
    page.wait_for_selector(".spread-card.is-taken", state="attached")
    page.mouse.up()
    until = time.monotonic() + PATIENCE_MS / 1000
    while not host.view["drawn"][host.view["seat"]]:
        assert time.monotonic() < until, "the press was lost"
        page.wait_for_timeout(50)


@pytest.mark.slow
def test_after_the_game_the_same_people_play_another(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    _invited(host, guest, "健", form="five-card", name="Mia")
    next_game = '[data-action="next"]:visible'
    _both_play(host, guest, lambda: all(one.page.locator(next_game).count() for one in (host, guest)))
    guest.page.click(next_game)
    for player in (host, guest):
        expect(player.page.locator("#title")).to_contain_text("2")
        expect(player.page.locator(next_game)).to_have_count(0)
    expect(host.page.locator(".score-games").first).to_be_visible()
    host.page.goto("/history")
    expect(host.page.locator(".match-result")).to_contain_text("健")
    expect(host.page.locator(".match-game")).to_have_count(1)
