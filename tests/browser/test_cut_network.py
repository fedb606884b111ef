"""A network that is cut, or swallows everything: said within seconds, and nothing is played twice."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from fifteentwo.i18n import text
from tests.support.playing import PLAYABLE, Player

Visit = Callable[..., Player]
QUICK = {"variant": "six-card", "level_1": "random"}
MOST_MS = 5_000
"""Until a page says that its connection is lost."""


class Wire:
    """What lies between a page and the server: messages pass, or are swallowed without a word."""

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


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_page_that_is_offline_says_so_at_once_and_comes_back_at_once(visit: Visit, lang: str) -> None:
    player = visit(lang, phone=lang == "ja", quiet=False)
    player.sit_down(**QUICK)
    _until_play(player)
    player.page.context.set_offline(True)
    expect(player.page.locator("#line")).to_have_text(text("line.lost", lang))
    expect(player.page.locator("#line")).to_be_visible()
    # What is pressed now does nothing, and nothing lies over the menu.
    player.page.keyboard.press("u")
    player.page.locator(PLAYABLE).first.click()
    expect(player.page.locator(".toast")).to_have_count(0)
    if lang == "ja":
        player.page.locator(".bar-menu").click()
        expect(player.page.locator("#tools")).to_be_visible()
        player.page.keyboard.press("Escape")
    player.page.context.set_offline(False)
    expect(player.page.locator("#toasts")).to_have_text(text("line.back", lang))
    expect(player.page.locator("#line")).to_be_hidden()
    assert player.wait() == "play"


def test_a_connection_over_which_nothing_comes_is_noticed_and_the_button_comes_back(visit: Visit) -> None:
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
    player.page.clock.run_for(MOST_MS)
    expect(player.page.locator("#line")).to_have_text(text("line.lost", "en"))
    expect(player.page.locator("#table[data-settled=true]")).to_be_attached()
    # Attempts that get no answer either are given up in turn.
    opened = wire.opened
    player.page.clock.run_for(MOST_MS * 5)
    assert wire.opened > opened
    wire.swallows = False
    player.page.clock.run_for(MOST_MS * 5)
    expect(player.page.locator("#line")).to_be_hidden()
    expect(hand).to_have_count(before)
    # Pressed once more, and only then does what was pressed first arrive: it is not played as well.
    player.page.locator(PLAYABLE).first.click()
    expect(hand).to_have_count(before - 1)
    acts = [message for message in wire.sent if message["t"] == "act"]
    assert isinstance(acts[-1]["v"], int)
    for late in wire.held:
        late()
    player.page.reload()
    expect(hand).to_have_count(before - 1)


def test_a_hidden_page_does_not_ask(visit: Visit) -> None:
    player = visit("en")
    wire = Wire(player.page)
    player.page.clock.install()
    player.sit_down(**QUICK)
    _until_play(player)
    player.page.clock.run_for(MOST_MS)
    asked = sum(message["t"] == "ping" for message in wire.sent)
    assert asked >= 1
    player.page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    player.page.clock.run_for(MOST_MS)
    asked = sum(message["t"] == "ping" for message in wire.sent)
    player.page.clock.run_for(MOST_MS * 4)
    assert sum(message["t"] == "ping" for message in wire.sent) == asked


@pytest.mark.long
@pytest.mark.parametrize("counting", ["automatic", "claimed"])
def test_what_is_pressed_without_a_connection_is_left_as_it_was(visit: Visit, counting: str) -> None:
    """The card stays in the hand, before and after the connection is back; a hint can be asked for again."""
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
    # Lost while the card lies there to be taken back, and then pressed without a connection.
    card.click(position={"x": 8, "y": 16})
    expect(hand).to_have_count(before - 1)
    page.context.set_offline(True)
    expect(page.locator("#line")).to_be_visible()
    expect(hand).to_have_count(before)
    page.keyboard.press("h")
    card.click(position={"x": 8, "y": 16})
    expect(hand).to_have_count(before)
    wire.sent.clear()
    wire.swallows = False
    page.context.set_offline(False)
    expect(page.locator("#line")).to_be_hidden()
    assert player.wait() == "play"
    page.clock.run_for(MOST_MS)
    assert [message for message in wire.sent if message["t"] == "act"] == []
    expect(hand).to_have_count(before)
    if page.locator("#hint").is_visible():
        page.keyboard.press("h")
        expect(page.locator("#note")).not_to_be_empty()
