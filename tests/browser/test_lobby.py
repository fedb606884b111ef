"""Two browsers: a table is put in the lobby, found there, sat down at and played; quick chat, and mute."""

import re

import pytest
from playwright.sync_api import Page, expect

from fifteentwo.i18n import text
from fifteentwo.server.live import quick_chat
from fifteentwo.server.live.quick_chat import PRESETS
from tests.support.playing import Player, Visit, messages_in
from tests.support.two_browsers import INSTANT, both_play


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_chat, "CHAT_BURST_MESSAGES", 1000)


def _met_in_the_lobby(host: Player, guest: Player, **chosen: str) -> None:
    """Show the host's table in the lobby, and let the guest, who has the lobby open, sit down at it."""
    page = guest.page
    page.goto(f"/lobby?lang={guest.lang}")
    page.evaluate(INSTANT)
    page.wait_for_selector("#lobby[data-ready]")
    host.sit_down(level_1="person", listed="yes", **chosen)
    expect(host.page.get_by_text(text("lobby.shown", host.lang))).to_be_visible()
    table = page.locator(".lobby-table", has_text=chosen["name"])
    # The page asks for the lobby whenever it becomes visible; the server reads it every two seconds.
    while not table.count():
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(100)
    expect(table).to_be_visible()
    # Wait for the next page, because the lobby has a field of the same name.
    with page.expect_navigation():
        table.locator("[data-action=sit]").click()
    page.get_by_label(text("home.name", guest.lang)).fill("健")
    page.locator("main [data-action=sit]").click()
    for player in (host, guest):
        player.page.wait_for_selector("#table")


def _send(page: Page, preset: str) -> None:
    page.locator("#quick-chat-button").click()
    page.locator(f'[data-message="{preset}"]').click()


@pytest.mark.journey
def test_a_guest_sits_down_at_a_table_of_the_lobby_and_plays(visit: Visit) -> None:
    host, guest = visit("en", phone=True), visit("ja")
    _met_in_the_lobby(host, guest, variant="five-card", name="Mia five")
    both_play(host, guest, lambda: {"discard", "play"} <= set(host.asked) & set(guest.asked))
    late = visit("en")
    late.page.goto("/lobby")
    expect(late.page.locator(".lobby-table", has_text="Mia five")).to_have_count(0)


def test_the_lobby_and_its_codes_work_without_scripts(visit: Visit) -> None:
    host, guest = visit("ja"), visit("en", java_script_enabled=False)
    host.sit_down(level_1="person", name="Aya", listed="yes")
    host.page.locator("[data-action=take-out]").click()
    expect(host.page.get_by_text(text("lobby.not-shown", "ja"))).to_be_visible()
    page = guest.page
    page.goto("/lobby?lang=en")
    expect(page.locator(".lobby-table", has_text="Aya")).to_have_count(0)
    host.page.locator("[data-action=show-in-lobby]").click()
    expect(host.page.get_by_text(text("lobby.shown", "ja"))).to_be_visible()
    # The server reads the lobby at most every two seconds.
    while not page.locator(".lobby-table", has_text="Aya").count():
        page.wait_for_timeout(100)
        page.reload()
    expect(page.get_by_text(text("lobby.reload", "en"))).to_be_visible()
    page.goto("/")
    page.locator(".home-code input").fill(host.page.locator("[data-code]").inner_text().lower())
    page.locator(".home-code button").click()
    expect(page.locator("h1")).to_contain_text("Aya")
    page.locator("main [data-action=sit]").click()
    host.page.wait_for_selector("#table")


def test_an_empty_lobby_offers_a_new_table(visit: Visit) -> None:
    host = visit("ja")
    host.page.goto("/lobby?lang=ja")
    host.page.locator(".lobby-new [name=name]").fill("みお")
    host.page.locator("[data-action=open-table]").click()
    host.page.wait_for_selector("#waiting-room")
    expect(host.page.get_by_text(text("lobby.shown", "ja"))).to_be_visible()
    code = host.page.locator("[data-code]").inner_text()
    assert re.fullmatch(r"[2-9C-Y]{4} [2-9C-Y]{4}", code)


def test_listing_is_offered_only_if_a_person_is_invited_and_is_not_remembered(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.unfold()
    tick = player.page.locator(".home-listed")
    expect(tick).to_be_hidden()
    player.choose(variant="six-card", level_1="person")
    expect(tick).to_be_visible()
    # The third person of a variant for three does not exist in one for two.
    player.choose(level_1="random", variant="three-handed")
    player.choose(level_2="person")
    expect(tick).to_be_visible()
    player.choose(variant="six-card")
    expect(tick).to_be_hidden()
    player.choose(level_1="person", listed="yes")
    player.page.click('[data-action="begin"]')
    player.page.wait_for_selector("#waiting-room")
    player.home()
    player.unfold()
    expect(player.page.locator("[name=listed]")).not_to_be_checked()


def test_quick_chat_is_shown_in_the_readers_language_next_to_the_sender(visit: Visit) -> None:
    host, guest = visit("en", phone=True), visit("ja", phone=True)
    _met_in_the_lobby(host, guest, variant="six-card", name="Mia chat")
    for preset in PRESETS[:3]:
        _send(guest.page, preset)
        expect(guest.page.locator(".chat-message")).to_have_text(text(f"chat.{preset}", "ja"))
        bubble = host.page.locator(f'.chat-message[data-chat="{preset}"]')
        expect(bubble).to_have_text(text(f"chat.{preset}", "en"))
        status = text("chat.said", "en", name="健", words=text(f"chat.{preset}", "en"))
        expect(host.page.locator("#chat-status[role=status]")).to_have_text(status)
    # The bubble moves to its place.
    host.page.locator(".chat-message").evaluate(
        "(one) => Promise.all(one.getAnimations().map((its) => its.finished))"
    )
    box = host.page.locator(".chat-message").bounding_box()
    plate = host.page.locator(".seat .plate").bounding_box()
    window = host.page.viewport_size
    assert box is not None
    assert plate is not None
    assert window is not None
    assert abs(box["y"] - plate["y"] - plate["height"]) < 12, "by the sender's name"
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window["width"]
    # The bubble disappears, and the log does not contain it.
    expect(host.page.locator(".chat-message")).to_have_count(0)
    assert text("chat.nice-peg", "en") not in str(host.page.locator("#log").text_content())


def test_messages_of_a_muted_player_are_hidden_also_after_a_reload(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    page, heard = host.page, list[str]()

    def hear(frame: str | bytes) -> None:
        heard.extend(one["d"]["message"] for one in messages_in(frame) if one["t"] == "chat")

    page.on("websocket", lambda line: line.on("framereceived", hear))
    _met_in_the_lobby(host, guest, variant="six-card", name="Mia muted")
    page.locator("#quick-chat-button").click()
    mute = page.get_by_role("button", name=text("chat.mute", "en", name="健"))
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    for times, reloaded in enumerate((False, True), start=1):
        if reloaded:
            page.reload()
            page.wait_for_selector("#quick-chat-button:not([hidden])")
        _send(guest.page, "again")
        expect(guest.page.locator(".chat-message")).to_be_visible()
        while len(heard) < times:
            page.wait_for_timeout(20)
        # The page has received the message and does not show it.
        expect(page.locator(".chat-message")).to_have_count(0)
        expect(page.locator("#chat-status")).to_be_empty()
    page.locator("#quick-chat-button").click()
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")
    _send(guest.page, "sorry")
    expect(page.locator(".chat-message")).to_have_text(text("chat.sorry", "en"))


def test_quick_chat_is_sent_by_keys_alone(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    _met_in_the_lobby(host, guest, variant="six-card", name="Mia by keys")
    page = host.page
    expect(page.locator("#quick-chat-button")).to_be_visible()
    page.locator("#quick-chat-button").focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-message="luck"]')).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#quick-chat")).to_be_hidden()
    expect(page.locator("#quick-chat-button")).to_be_focused()
    expect(guest.page.locator(".chat-message")).to_have_text(text("chat.luck", "ja"))


def test_against_computers_there_is_no_quick_chat(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(variant="six-card", level_1="random")
    player.wait()
    expect(player.page.locator("#quick-chat-button")).to_have_count(0)
    assert not player.page.evaluate(
        "performance.getEntriesByType('resource').some((one) => one.name.includes('quick-chat'))"
    )
