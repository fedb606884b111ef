"""Two browsers: a table is put in the lobby, found there, sat down at and played; quick chat, and mute."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from fifteentwo.i18n import text
from fifteentwo.server.live import quick_chat
from fifteentwo.server.live.quick_chat import PRESETS
from tests.support.playing import Player, messages_in

Visit = Callable[..., Player]
INSTANT = "localStorage.setItem('fifteentwo.settings', '{\"speed\": \"instant\"}')"


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_chat, "MESSAGE_BURST", 1000)


def _met_in_the_lobby(host: Player, guest: Player, **chosen: str) -> None:
    """The host shows a table; the guest, who looks at the lobby already, sees it come and sits down."""
    page = guest.page
    page.goto(f"/lobby?lang={guest.lang}")
    page.evaluate(INSTANT)
    page.wait_for_selector("#lobby[data-ready]")
    host.sit_down(level_1="person", listed="yes", **chosen)
    expect(host.page.get_by_text(text("lobby.shown", host.lang))).to_be_visible()
    table = page.locator(".lobby-table", has_text=chosen["name"])
    # It comes by itself, as soon as the page is looked at again and the server reads the lobby again.
    while not table.count():
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(100)
    expect(table).to_be_visible()
    # The lobby has a field of the same name: it is the next page's that is filled in.
    with page.expect_navigation():
        table.locator("[data-action=sit]").click()
    page.get_by_label(text("home.name", guest.lang)).fill("健")
    page.locator("main [data-action=sit]").click()
    for player in (host, guest):
        player.page.wait_for_selector("#table")


def _send(page: Page, preset: str) -> None:
    page.locator("#quick-chat-button").click()
    page.locator(f'[data-message="{preset}"]').click()


@pytest.mark.parametrize("phone", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_table_in_the_lobby_is_found_sat_down_at_and_played(visit: Visit, phone: bool) -> None:
    host, guest = visit("en", phone=phone), visit("ja", phone=phone)
    _met_in_the_lobby(host, guest, variant="five-card", name=f"Mia {phone}")
    for _ in range(2000):
        for player in (host, guest):
            player.turn()
        if "play" in host.asked and "play" in guest.asked:
            break
        host.page.wait_for_timeout(20)
    assert {"discard", "play"} <= set(host.asked) & set(guest.asked)
    late = visit("en")
    late.page.goto("/lobby")
    expect(late.page.locator(".lobby-table", has_text=f"Mia {phone}")).to_have_count(0)


def test_the_lobby_works_without_a_script_and_its_code_leads_to_the_place(visit: Visit) -> None:
    host, guest = visit("ja"), visit("en", java_script_enabled=False)
    host.sit_down(level_1="person", name="Aya", listed="yes")
    host.page.locator("[data-action=take-out]").click()
    expect(host.page.get_by_text(text("lobby.not-shown", "ja"))).to_be_visible()
    page = guest.page
    page.goto("/lobby?lang=en")
    expect(page.locator(".lobby-table", has_text="Aya")).to_have_count(0)
    host.page.locator("[data-action=show-in-lobby]").click()
    expect(host.page.get_by_text(text("lobby.shown", "ja"))).to_be_visible()
    # The lobby is read once for all who ask within two seconds.
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


def test_a_table_of_ones_own_is_one_press_away_where_no_one_waits(visit: Visit) -> None:
    host = visit("ja")
    host.page.goto("/lobby?lang=ja")
    host.page.locator(".lobby-new [name=name]").fill("みお")
    host.page.locator("[data-action=open-table]").click()
    host.page.wait_for_selector("#waiting-room")
    expect(host.page.get_by_text(text("lobby.shown", "ja"))).to_be_visible()
    code = host.page.locator("[data-code]").inner_text()
    assert re.fullmatch(r"[2-9C-Y]{4} [2-9C-Y]{4}", code)


def test_the_tick_stands_only_where_a_person_is_invited_and_is_not_remembered(visit: Visit) -> None:
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


@pytest.mark.long
@pytest.mark.parametrize("phone", [False, pytest.param(True, marks=pytest.mark.long)])
def test_quick_chat_is_shown_in_the_readers_language_next_to_the_sender(visit: Visit, phone: bool) -> None:
    host, guest = visit("en", phone=phone), visit("ja", phone=phone)
    _met_in_the_lobby(host, guest, variant="six-card", name=f"Mia{phone}")
    for preset in PRESETS[:3]:
        _send(guest.page, preset)
        expect(guest.page.locator(".chat-message")).to_have_text(text(f"chat.{preset}", "ja"))
        bubble = host.page.locator(f'.chat-message[data-chat="{preset}"]')
        expect(bubble).to_have_text(text(f"chat.{preset}", "en"))
        status = text("chat.said", "en", name="健", words=text(f"chat.{preset}", "en"))
        expect(host.page.locator("#chat-status[role=status]")).to_have_text(status)
    # It rises to its place.
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
    # It goes by itself, and is in no log.
    expect(host.page.locator(".chat-message")).to_have_count(0)
    assert text("chat.nice-peg", "en") not in str(host.page.locator("#log").text_content())


@pytest.mark.long
def test_a_muted_player_is_not_heard_until_unmuted_even_after_a_reload(visit: Visit) -> None:
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
        # The page knows of it, and keeps it to itself.
        expect(page.locator(".chat-message")).to_have_count(0)
        expect(page.locator("#chat-status")).to_be_empty()
    page.locator("#quick-chat-button").click()
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "false")
    _send(guest.page, "sorry")
    expect(page.locator(".chat-message")).to_have_text(text("chat.sorry", "en"))


@pytest.mark.long
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
