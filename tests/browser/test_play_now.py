"""Play now in browsers: two people meet on phones, and one closes a game against a level for it."""

import pytest
from playwright.sync_api import Dialog, expect

from fifteentwo.i18n import text
from tests.support.playing import Player, Visit
from tests.support.two_browsers import INSTANT, both_play

pytestmark = pytest.mark.long


def _look(player: Player, length: str) -> None:
    """Press the button of the first page, choose a length, and wait for an opponent."""
    page = player.page
    player.home()
    page.evaluate(INSTANT)
    page.locator('.home-people a[href="/now"]').click()
    page.locator(f'label:has([name="length"][value="{length}"])').click()
    page.locator("[data-action=look]").click()


def test_two_people_meet_on_phones_and_play_a_card(visit: Visit) -> None:
    one, other = visit("en", phone=True), visit("ja", phone=True)
    _look(one, "open")
    expect(one.page.locator("#looking")).to_have_text(text("now.looking", "en"))
    one.page.locator(".now-sound").click()
    _look(other, "open")
    for player in (one, other):
        player.page.wait_for_selector("#table")
    both_play(one, other, lambda: {"discard", "play"} <= set(one.asked) & set(other.asked))
    expect(one.page.locator("[data-when=missing]")).to_be_hidden()
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    one.page.on("dialog", stay)
    one.page.locator(".bar-home").click()
    assert asked == [text("now.leave", "en")]
    expect(one.page.locator("#table")).to_be_visible()


def test_a_game_against_a_level_is_left_with_one_tap(visit: Visit) -> None:
    one, other = visit("ja", phone=True), visit("en", java_script_enabled=False)
    _look(one, "to-2")
    one.page.locator("[data-action=level]").click()
    one.page.wait_for_selector("#table")
    game = one.page.url
    expect(one.page.locator("#now [data-action=go]")).to_be_hidden()
    # Without a script the form is sent, and the page reloads itself.
    other.page.goto("/now?lang=en")
    other.page.locator('[name="length"][value="to-2"]').check()
    other.page.locator("[data-action=look]").click()
    other.page.wait_for_url("**/game/*")
    expect(one.page).to_have_title(text("now.come", "ja"))
    one.page.locator("[data-action=go]").click()
    one.page.wait_for_url(other.page.url)
    one.page.goto(game)
    expect(one.page.locator("#resign")).to_be_hidden()
