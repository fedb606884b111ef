"""Two people in two browsers with a clock: absence, loss by time, resignation."""

import re
import time
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, expect

from fifteentwo.i18n import text
from fifteentwo.server.live import move_clock
from tests.support.accessible import clean
from tests.support.playing import ASKED, Player, Visit
from tests.support.two_browsers import NEXT, both_play, in_game, invited, until_play


class Time:
    """The server's time at tables: which passes only when a test calls `passes`."""

    def __init__(self) -> None:
        self.at = time.monotonic()

    def now(self) -> float:
        return self.at

    def passes(self, seconds: float) -> None:
        self.at += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """Replace the clock of the tables, so that no time runs out on a slow machine."""
    own = Time()
    monkeypatch.setattr(move_clock, "steady_clock", own.now)
    monkeypatch.setattr(move_clock, "MAX_TIMER_SECONDS", 0.2)
    monkeypatch.setattr(move_clock, "MAX_CHARGED_SECONDS", 1000.0)
    # Pages count down themselves; here the server sends the time whenever it checks.
    monkeypatch.setattr(move_clock, "CLOCK_TOLERANCE_SECONDS", -1.0)
    monkeypatch.setattr(move_clock, "GRACE_SECONDS", 0.0)
    return own


BOXES = """(shown) => {
  const ends = (one) => { const { left, right } = one.getBoundingClientRect(); return [left, right]; };
  const word = document.querySelector(`.seat .plate-clock[data-clock="${shown}"]`);
  const plates = [...document.querySelectorAll(".seat .plate")].map(ends);
  return word?.checkVisibility() && { word: ends(word), felt: ends(document.querySelector("#felt")), plates };
}"""
"""Left and right ends of the clock, the table and the plates, once a plate shows that clock."""


def own_number(player: Player) -> Locator:
    return player.page.locator(".clock-number")


def test_a_level_plays_for_a_player_who_was_away_too_long_until_they_return(
    visit: Visit, clock: Time
) -> None:
    host, guest = visit("en", phone=True), visit("ja", phone=True)
    invited(host, guest, "健", variant="six-card", name="Mia", clock_away="120")
    until_play(host, guest, guest)
    address = guest.page.url
    guest.page.goto("about:blank")
    away = host.page.locator('.seat .plate-clock[data-clock="away"]')
    expect(away).to_be_visible()
    clock.passes(114.0)
    expect(away).to_have_text(re.compile("away 0:0[0-6]"))
    expect(host.page.locator(".seat .plate-absent")).to_be_hidden()
    expect(host.page.locator("#prompt")).to_have_text(
        text("clock.away.level", "en", name="健", level=text("level.club", "en"))
    )
    clean(host, "a player is away")
    # A status is announced once, not every second.
    assert host.page.locator("#prompt").get_attribute("role") == "status"
    clock.passes(7.0)
    expect(host.page.locator('.seat .plate-clock[data-clock="level"]')).to_have_text("Club plays")
    guest.page.goto(address)
    guest.page.wait_for_selector("#table")
    expect(guest.page.locator("#prompt")).to_have_text(
        text("clock.plays.you", "ja", level=text("level.club", "ja"))
    )
    clean(guest, "a level plays for the reader")
    guest.page.click('[data-action="come-back"]')
    expect(guest.page.locator('[data-action="come-back"]')).to_have_count(0)
    expect(host.page.locator(".seat .plate-clock")).to_have_count(0)
    played = len([one for one in guest.asked if one == "play"])
    both_play(host, guest, lambda: guest.asked.count("play") > played)


def test_a_page_follows_the_level_that_plays_for_its_reader_to_the_end_and_into_the_next_game(
    visit: Visit, clock: Time
) -> None:
    host, guest = visit("en", phone=True), visit("ja", phone=True)
    invited(host, guest, "健", variant="five-card", name="Mia", clock_move="60", clock_on_timeout="random")
    until_play(host, guest, guest)
    clock.passes(61.0)
    expect(guest.page.locator('[data-action="come-back"]')).to_be_visible()
    over = host.page.locator(".over")
    for _ in range(6000):
        if host.page.evaluate(ASKED) == "over":
            break
        host.turn()
        host.page.wait_for_timeout(20)
    expect(over).to_be_visible()
    # The guest's page shows the whole game, although nobody presses anything there.
    expect(guest.page.locator(".over")).to_be_visible()
    expect(guest.page.locator('[data-action="come-back"]')).to_have_count(0)
    guest.page.click(NEXT)
    for player in (host, guest):
        in_game(player, 2)


@pytest.mark.journey
def test_the_last_seconds_are_large_and_announced_once_before_the_forfeit(visit: Visit, clock: Time) -> None:
    host, guest = visit("en", phone=True), visit("ja", phone=True)
    invited(host, guest, "健", variant="six-card", name="Mia", clock_move="60", clock_on_timeout="forfeit")
    until_play(host, guest, host)
    clock.passes(48.0)
    expect(own_number(host)).to_be_visible()
    assert own_number(host).evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 24
    assert own_number(host).get_attribute("aria-hidden") == "true"
    aloud = host.page.locator(".clock-aloud")
    expect(aloud).to_contain_text("seconds left for your move")
    announced = aloud.inner_text()
    expect(guest.page.locator('.seat .plate-clock[data-clock="move"]')).to_be_visible()
    shown = own_number(host).inner_text()
    clock.passes(2.0)
    expect(own_number(host)).not_to_have_text(shown)
    assert aloud.inner_text() == announced
    clock.passes(11.0)
    expect(host.page.locator(".over-title")).to_contain_text("健")
    expect(host.page.locator(".over [data-why]")).to_be_visible()
    expect(guest.page.locator(".over [data-why]")).to_be_visible()
    expect(host.page.locator(".over [data-why]")).to_have_text(text("over.forfeit.time.you", "en"))
    expect(guest.page.locator(".over [data-why]")).to_have_text(text("over.forfeit.time", "ja", name="Mia"))
    expect(own_number(host)).to_be_hidden()
    clean(host, "a game that was forfeited")
    host.page.reload()
    expect(host.page.locator(".over [data-why]")).to_have_text(text("over.forfeit.time.you", "en"))
    host.page.goto("/history")
    expect(host.page.locator(".match-result, .history").first).to_be_visible()
    assert "ran out of time" in host.page.inner_text("main")


def test_a_game_is_resigned_from_the_menu_after_a_question(visit: Visit) -> None:
    lang = "en"
    alone = visit(lang, phone=True)
    alone.sit_down(variant="five-card", level_1="random")
    alone.wait()
    page = alone.page

    def ask() -> None:
        page.click(".bar-menu")
        page.click('[data-action="resign"]')

    ask()
    dialog = page.locator("dialog.resign")
    expect(dialog).to_contain_text(text("clock.resign.words", lang))
    # A slip must not resign.
    expect(dialog.locator('[value="no"]')).to_be_focused()
    clean(alone, "the question before giving up")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert alone.view["won"] is None
    ask()
    page.click('[data-action="give-up"]')
    expect(page.locator(".over [data-why]")).to_have_text(text("over.forfeit.resigned.you", lang))
    expect(page.locator("#resign[hidden]")).to_have_count(1)
    page.click('[data-action="next"]')
    expect(page.locator(".over")).to_have_count(0)


def test_the_clock_is_shown_before_anyone_sits_down(visit: Visit) -> None:
    lang = "ja"
    host, guest = visit(lang), visit(lang)
    host.sit_down(level_1="person", clock_move="86400", clock_away="300", clock_on_timeout="forfeit")
    link = host.page.locator("[data-link]").input_value()
    guest.page.goto(f"{link}?lang={lang}")
    facts = guest.page.inner_text(".facts")
    assert text("join.clock.long", lang) in facts
    assert text("join.clock.then.forfeit", lang) in facts
    assert text("home.clock_away.300", lang) not in facts, "by correspondence no player has to be here"


def test_clocks_of_several_players_fit_a_phone(visit: Visit, clock: Time) -> None:
    host, guest = visit("ja", phone=True), visit("ja", phone=True)
    others = {"level_2": "random", "level_3": "random"}
    invited(host, guest, "健太郎左衛門", variant="four-handed", name="Mia", clock_away="120", **others)
    until_play(host, guest, guest)
    guest.page.goto("about:blank")
    for shown in ("away", "level"):
        word = host.page.locator(f'.seat .plate-clock[data-clock="{shown}"]')
        if shown == "level":
            clock.passes(121.0)
        expect(word).to_be_visible()
        # All boxes are read at one moment, because a redraw replaces the elements.
        boxes = host.page.wait_for_function(BOXES, arg=shown).json_value()
        word_left, word_right = boxes["word"]
        felt_left, felt_right = boxes["felt"]
        assert felt_left <= word_left
        assert word_right <= felt_right
        assert all(one[1] <= other[0] + 1 for one, other in pairwise(sorted(boxes["plates"])))
