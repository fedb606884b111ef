"""Two people in two browsers: an invitation, the game, absence, and another game."""

import time

import pytest
from playwright.sync_api import expect

from tests.support.playing import PATIENCE_MS, Visit
from tests.support.two_browsers import both_play, invited


def test_an_invited_guest_sits_down_and_both_play(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    invited(host, guest, "健", variant="six-card", name="Mia")
    expect(host.page.locator(".seat .plate-name")).to_have_text("健")
    expect(guest.page.locator(".seat .plate-name")).to_have_text("Mia")
    expect(host.page.locator("#invite-button")).to_be_hidden()
    expect(host.page.locator("[data-absent]")).to_have_count(0)
    both_play(host, guest, lambda: "play" in host.asked and "play" in guest.asked)
    assert {"draw", "discard", "play"} <= set(host.asked) & set(guest.asked)
    assert not set(host.view["hand"]) & set(guest.view["hand"])
    guest.page.goto("about:blank")
    # On turn the plate counts the time instead: "away 4:59".
    expect(host.page.locator(".seat").get_by_text("away").filter(visible=True)).to_have_count(1)
    guest.page.go_back()
    expect(host.page.locator("[data-absent]")).to_have_count(0)


def test_a_press_on_the_deck_counts_if_another_player_draws_during_it(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    invited(host, guest, "健", variant="six-card", name="Mia")
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
    invited(host, guest, "健", variant="five-card", name="Mia")
    next_game = '[data-action="next"]:visible'
    both_play(host, guest, lambda: all(one.page.locator(next_game).count() for one in (host, guest)))
    guest.page.click(next_game)
    for player in (host, guest):
        expect(player.page.locator("#title")).to_contain_text("2")
        expect(player.page.locator(next_game)).to_have_count(0)
    expect(host.page.locator(".score-games").first).to_be_visible()
    host.page.goto("/history")
    expect(host.page.locator(".match-result")).to_contain_text("健")
    expect(host.page.locator(".match-game")).to_have_count(1)
