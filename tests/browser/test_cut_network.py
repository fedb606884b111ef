"""A network that fails or drops messages: the page says so within seconds, and no card is played twice."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from fifteentwo.i18n import text
from fifteentwo.i18n.cards import card_name
from fifteentwo.rules.cards import Card
from tests.support.playing import PLAYABLE, Player, Visit

QUICK = {"variant": "six-card", "level_1": "random"}
LOST_AFTER_MS = 5_000
"""Time after which a page without answers says that its connection is lost."""


class Wire:
    """The connection of a page and the server, which passes messages or drops them silently."""

    def __init__(self, page: Page) -> None:
        self.swallows = False
        self.sent: list[dict[str, object]] = []
        self.held: list[Callable[[], None]] = []
        self.opened = 0
        page.route_web_socket(re.compile("/socket"), self._open)

    def _open(self, route: WebSocketRoute) -> None:
        self.opened += 1
        if self.swallows:
            return
        server = route.connect_to_server()

        def to_server(message: str | bytes) -> None:
            if self.swallows:
                self.held.append(lambda: server.send(message))
            else:
                self.sent.append(json.loads(message))
                server.send(message)

        route.on_message(to_server)
        server.on_message(lambda message: None if self.swallows else route.send(message))
        server.on_close(lambda code, reason: route.close(code=code, reason=reason))


def _until_play(player: Player) -> None:
    for asked in player.play():
        if asked == "play":
            return


@pytest.mark.journey
def test_an_offline_page_says_so_and_reconnects_at_once(visit: Visit) -> None:
    lang = "ja"
    player = visit(lang, phone=True, quiet=False)
    player.sit_down(**QUICK)
    _until_play(player)
    player.page.context.set_offline(True)
    expect(player.page.locator("#line")).to_have_text(text("line.lost", lang))
    expect(player.page.locator("#line")).to_be_visible()
    # Presses have no effect now, and nothing covers the menu.
    player.page.keyboard.press("u")
    player.page.locator(PLAYABLE).first.click()
    expect(player.page.locator(".toast")).to_have_count(0)
    player.page.locator(".bar-menu").click()
    expect(player.page.locator("#tools")).to_be_visible()
    player.page.keyboard.press("Escape")
    player.page.context.set_offline(False)
    expect(player.page.locator("#toasts")).to_have_text(text("line.back", lang))
    expect(player.page.locator("#line")).to_be_hidden()
    assert player.wait() == "play"


def test_a_silent_connection_is_noticed_and_the_card_can_be_played_again(visit: Visit) -> None:
    player = visit("en", quiet=False)
    wire = Wire(player.page)
    player.page.clock.install()
    player.sit_down(**QUICK)
    _until_play(player)
    hand = player.page.locator("#hand button")
    before = hand.count()
    wire.swallows = True
    player.page.locator(PLAYABLE).first.click()
    expect(player.page.locator("#table[data-settled=false]")).to_be_attached()
    player.page.clock.run_for(LOST_AFTER_MS)
    expect(player.page.locator("#line")).to_have_text(text("line.lost", "en"))
    expect(player.page.locator("#table[data-settled=true]")).to_be_attached()
    # Attempts to reconnect that get no answer are given up too.
    opened = wire.opened
    player.page.clock.run_for(LOST_AFTER_MS * 5)
    assert wire.opened > opened
    wire.swallows = False
    player.page.clock.run_for(LOST_AFTER_MS * 5)
    expect(player.page.locator("#line")).to_be_hidden()
    expect(hand).to_have_count(before)
    # The first press arrives after the second, and is not played.
    player.page.locator(PLAYABLE).first.click()
    expect(hand).to_have_count(before - 1)
    acts = [message for message in wire.sent if message["t"] == "act"]
    assert isinstance(acts[-1]["v"], int)
    for late in wire.held:
        late()
    player.page.reload()
    expect(hand).to_have_count(before - 1)


def test_a_hidden_page_sends_no_pings(visit: Visit) -> None:
    player = visit("en")
    wire = Wire(player.page)
    player.page.clock.install()
    player.sit_down(**QUICK)
    _until_play(player)
    player.page.clock.run_for(LOST_AFTER_MS)
    asked = sum(message["t"] == "ping" for message in wire.sent)
    assert asked >= 1
    player.page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    player.page.clock.run_for(LOST_AFTER_MS)
    asked = sum(message["t"] == "ping" for message in wire.sent)
    player.page.clock.run_for(LOST_AFTER_MS * 4)
    assert sum(message["t"] == "ping" for message in wire.sent) == asked


@pytest.mark.parametrize("counting", ["automatic", "claimed"])
def test_a_card_pressed_without_a_connection_waits_for_it(visit: Visit, counting: str) -> None:
    """The card stays in the hand, is marked, and is sent once; not if it is taken back or claims points."""
    player = visit("en", phone=True, quiet=False)
    page = player.page
    wire = Wire(page)
    page.clock.install()
    player.sit_down(counting=counting, cut_before_deal="no", first_dealer="named", **QUICK)
    for asked in player.play():
        if asked == "play" and page.locator(PLAYABLE).count() > 1:
            break
    page.locator('[data-action="speed"]').evaluate("(one) => one.click()")
    hand = page.locator("#hand .card-button")
    before = hand.count()
    wire.swallows = True
    card = page.locator(PLAYABLE).first
    # The connection is lost while the card can be taken back; then the card is pressed without a connection.
    card.click(position={"x": 8, "y": 16})
    expect(hand).to_have_count(before - 1)
    page.context.set_offline(True)
    expect(page.locator("#line")).to_be_visible()
    expect(hand).to_have_count(before)
    page.keyboard.press("h")
    pressed = str(card.get_attribute("data-card"))
    waits = page.locator("#hand .is-delayed")
    for number in (1, 0, 1) if counting == "automatic" else ():
        card.click(position={"x": 8, "y": 16})
        expect(waits).to_have_count(number)
    if counting == "automatic":
        expect(page.locator("#prompt")).to_have_text(
            text("line.delayed_card", "en", card=card_name(Card(pressed), "en"))
        )
    else:
        card.click(position={"x": 8, "y": 16})
        expect(page.locator("#toasts")).to_contain_text(text("line.lost", "en"))
    expect(hand).to_have_count(before)
    wire.sent.clear()
    wire.swallows = False
    page.context.set_offline(False)
    expect(page.locator("#line")).to_be_hidden()
    if counting == "automatic":
        expect(page.locator(f'#hand [data-card="{pressed}"]')).to_have_count(0)
        page.clock.run_for(LOST_AFTER_MS)
        acts = [message["d"] for message in wire.sent if message["t"] == "act"]
        assert acts == [{"type": "Play", "seat": player.view["seat"], "card": pressed}]
        return
    assert player.wait() == "play"
    page.clock.run_for(LOST_AFTER_MS)
    assert [message for message in wire.sent if message["t"] == "act"] == []
    expect(hand).to_have_count(before)
    if page.locator("#hint").is_visible():
        page.keyboard.press("h")
        expect(page.locator("#note")).not_to_be_empty()


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_game_is_played_to_its_end_after_a_minute_without_a_connection(visit: Visit, lang: str) -> None:
    """The minute is the page's clock. The card pressed in it is sent once, and so is every other action."""
    player = visit(lang, phone=lang == "ja", quiet=False)
    page, wire = player.page, Wire(player.page)
    page.clock.install()
    player.sit_down(target="61", **QUICK)
    acts: list[dict[str, object]] = []
    pressed = ""

    def answer(asked: str) -> None:
        nonlocal pressed
        if pressed or asked != "play" or page.locator(PLAYABLE).count() < 2:
            player.click(asked)
            return
        acts.extend(message for message in wire.sent if message["t"] == "act")
        wire.swallows = True
        page.context.set_offline(True)
        expect(page.locator("#line")).to_have_text(text("line.lost", lang))
        card = page.locator(PLAYABLE).first
        pressed = str(card.get_attribute("data-card"))
        card.click(position={"x": 8, "y": 16})
        expect(page.locator("#hand .is-delayed")).to_have_count(1)
        page.clock.run_for(60_000)
        expect(page.locator("#line")).to_be_visible()
        expect(page.locator("#hand .is-delayed")).to_have_count(1)
        wire.sent.clear()
        wire.swallows = False
        page.context.set_offline(False)
        expect(page.locator("#line")).to_be_hidden()
        expect(page.locator(f'#hand [data-card="{pressed}"]')).to_have_count(0)

    assert list(player.play(answer))[-1] == "over"
    after = [message for message in wire.sent if message["t"] == "act"]
    assert after[0]["d"] == {"type": "Play", "seat": player.view["seat"], "card": pressed}
    versions = [message["v"] for message in [*acts, *after]]
    assert versions
    assert len(versions) == len(set(versions))
    assert max(player.scores()) >= 61
