"""Protection from wrong taps: a card can be taken back before it is sent, or must be pressed twice."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from fifteentwo.i18n.cards import card_name
from fifteentwo.rules import record
from fifteentwo.rules.cards import Card
from tests.support.playing import PLAYABLE, Player, Visit
from tests.support.quick_records import played

ALONE = {"variant": "six-card", "level_1": "random", "cut_before_deal": "no", "first_dealer": "named"}


def _with_a_choice(player: Player) -> None:
    """Play until the player can choose between cards."""
    for asked in player.play():
        if asked == "play" and player.page.locator(PLAYABLE).count() > 1:
            return


def _sent(player: Player) -> list[str]:
    """Return a list to which the cards that the page plays are added."""
    cards: list[str] = []

    def note(frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["t"] == "act" and message["d"]["type"] == "Play":
            cards.append(message["d"]["card"])

    player.page.on("websocket", lambda socket: socket.on("framesent", note))
    return cards


@pytest.fixture
def still(visit: Visit) -> Iterator[tuple[Player, list[str]]]:
    """Return a player at the slowest speed who must play a card, its clock paused, and the cards it sends."""
    player = visit("ja", phone=True)
    page = player.page
    page.clock.install()
    cards = _sent(player)
    player.sit_down(**ALONE)
    _with_a_choice(player)
    page.locator('[data-action="speed"]').evaluate("(one) => one.click()")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    cards.clear()
    yield player, cards
    page.clock.resume()


def test_a_card_is_taken_back_before_it_is_sent(still: tuple[Player, list[str]]) -> None:
    player, sent = still
    page = player.page
    hand = page.locator("#hand button[data-card]")
    first, other = (str(page.locator(PLAYABLE).nth(n).get_attribute("data-card")) for n in (0, 1))
    held = hand.count()
    page.locator(f'#hand [data-card="{first}"]').first.click(position={"x": 8, "y": 16})
    expect(page.locator(f'#stage [data-card="{first}"]')).to_be_visible()
    expect(hand).to_have_count(held - 1)
    page.click("#undo")
    expect(hand).to_have_count(held)
    expect(page.locator(f'#stage [data-card="{first}"]')).to_have_count(0)
    page.clock.run_for(10_000)
    assert sent == []
    # The clock jumped without an answer from the server, so the page connects again.
    expect(page.locator("#line")).to_be_hidden()
    page.locator(f'#hand [data-card="{other}"]').first.click(position={"x": 8, "y": 16})
    expect(page.locator("#undo")).to_be_visible()
    page.clock.run_for(10_000)
    page.wait_for_function("() => document.getElementById('undo').hidden")
    page.clock.resume()
    page.wait_for_function("() => document.getElementById('table').dataset.settled === 'true'")
    assert sent == [other]
    for _ in range(600):
        if [player.view["seat"], other] in player.view["played"]:
            break
        page.wait_for_timeout(100)
    assert [player.view["seat"], other] in player.view["played"]
    assert first in player.view["hand"]


def test_an_unsent_card_is_in_the_hand_after_a_reload_or_a_card_of_another_tab(
    still: tuple[Player, list[str]],
) -> None:
    player, sent = still
    page = player.page
    hand = page.locator("#hand button[data-card]")
    first, other = (str(page.locator(PLAYABLE).nth(n).get_attribute("data-card")) for n in (0, 1))
    held = hand.count()
    page.locator(f'#hand [data-card="{first}"]').first.click(position={"x": 8, "y": 16})
    expect(hand).to_have_count(held - 1)
    page.reload()
    page.clock.resume()
    expect(hand).to_have_count(held)
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator("#hand button[data-card]")).to_have_count(held)
    second.locator('[name="speed"][value="instant"]').evaluate("(one) => one.click()")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    page.locator(f'#hand [data-card="{first}"]').first.click(position={"x": 8, "y": 16})
    expect(hand).to_have_count(held - 1)
    second.locator(f'#hand [data-card="{other}"]').first.click(position={"x": 8, "y": 16})
    expect(page.locator(f'#stage [data-card="{first}"]')).to_have_count(0)
    page.clock.run_for(20_000)
    expect(page.locator(f'#hand button[data-card="{first}"]')).to_have_count(1)
    expect(page.locator(f'#hand button[data-card="{other}"]')).to_have_count(0)
    assert sent == []


def test_if_cards_are_confirmed_the_first_press_chooses_and_the_second_plays(visit: Visit) -> None:
    lang = "en"
    player = visit(lang)
    page = player.page
    player.sit_down(**ALONE)
    _with_a_choice(player)
    page.locator('[data-action="settings"]').evaluate("(one) => one.click()")
    page.get_by_text(text("settings.confirm", lang)).click()
    page.keyboard.press("Escape")
    first, other = (str(page.locator(PLAYABLE).nth(n).get_attribute("data-card")) for n in (0, 1))
    for card in (first, other):
        page.locator(f'#hand [data-card="{card}"]').first.click(position={"x": 8, "y": 16})
        expect(page.locator('#hand [aria-pressed="true"]')).to_have_attribute("data-card", card)
    assert player.view["played"] == [] or player.view["played"][-1][1] not in (first, other)
    play = page.locator('[data-action="play"]')
    expect(play).to_have_text(text("play.this", lang, card=card_name(Card(other), lang)))
    play.click()
    expect(page.locator(f'#hand [data-card="{other}"]')).to_have_count(0)
    player.wait()
    assert [player.view["seat"], other] in player.view["played"]


_UNDER = """([x, y]) => document.elementFromPoint(x, y)?.closest("button")?.dataset.action ?? null"""


@pytest.mark.journey
def test_the_second_tap_of_a_double_tap_presses_nothing_that_has_just_appeared(visit: Visit) -> None:
    player = visit("en", phone=True)
    page = player.page
    page.clock.install()
    sent: list[str] = []
    page.on("websocket", lambda line: line.on("framesent", lambda frame: sent.append(json.loads(frame)["t"])))
    appeared = set()
    for share in (0.1, 0.9):
        # The computer deals first, so that the player can undo the discard, or cut.
        player.sit_down(**ALONE)
        for asked in player.play():
            if asked == "discard":
                break
        assert player.view["dealer"] == 1
        for place in (0, 1):
            page.locator("#hand button").nth(place).click(position={"x": 8, "y": 40})
        box = page.locator('[data-action="discard"]').bounding_box()
        assert box
        point = [box["x"] + share * box["width"], box["y"] + box["height"] / 2]
        page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
        page.touchscreen.tap(*point)
        page.wait_for_function("() => !document.getElementById('undo').hidden")
        appeared.add(page.evaluate(_UNDER, point))
        sent.clear()
        page.touchscreen.tap(*point)
        page.clock.run_for(300)
        page.touchscreen.tap(*point)
        assert "undo" not in sent
        assert "act" not in sent
        page.clock.resume()
    assert appeared - {None}, appeared


def test_a_double_tap_does_not_skip_the_answer_of_a_story(visit: Visit) -> None:
    page = visit("en", phone=True, reduced_motion="reduce").page
    page.goto("/review?lang=en")
    page.fill("#record-text", record.write(played("five-card")))
    page.click("#record-form .button--primary")
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    page.click("#story-bar [data-primary]")
    main = page.locator("#story-bar [data-primary]")
    expect(main).to_have_text(text("review.show_answer", "en"))
    main.dblclick()
    expect(page.locator("#story-bar")).to_contain_text("2 / 5")
    expect(page.locator(".story-screen .is-best").first).to_be_visible()
