"""Two people in two browsers with a clock: one goes away and comes back, one is too slow, one gives up."""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from fifteentwo.i18n import text
from fifteentwo.server import clock_terms, move_clock
from tests.browser.playing import Player
from tests.browser.test_access import clean
from tests.browser.test_inviting import _both_play, _invited

Visit = Callable[..., Player]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is minutes at a table is seconds here."""
    monkeypatch.setitem(clock_terms.MOVES, "60", 12.0)
    monkeypatch.setitem(clock_terms.AWAYS, "120", 6.0)
    monkeypatch.setattr(move_clock, "GRACE", 0.0)


def pictured(player: Player, name: str) -> None:
    """Keep what it looks like, where somebody wants to look."""
    if folder := os.environ.get("FIFTEENTWO_PICTURES"):
        player.page.screenshot(path=str(Path(folder) / f"{name}.png"))


def until_play(host: Player, guest: Player, whose: Player) -> None:
    """Play on until the table waits for this one's card."""
    _both_play(
        host,
        guest,
        lambda: (
            whose.view.get("phase") == "play"
            and whose.view["to_act"] == [whose.view["seat"]]
            and whose.page.locator('#table[data-turn="own"][data-settled="true"]').count() == 1
        ),
    )


def own_number(player: Player) -> Locator:
    return player.page.locator(".clock-number")


@pytest.mark.parametrize("phone", [False, True])
def test_who_goes_away_is_waited_for_then_played_for_and_may_come_back(visit: Visit, phone: bool) -> None:
    host, guest = visit("en", phone=phone), visit("ja", phone=phone)
    _invited(host, guest, "健", form="six-card", name="Mia", clock_away="120")
    until_play(host, guest, guest)
    address = guest.page.url
    guest.page.goto("about:blank")
    away = host.page.locator('.seat .plate-clock[data-clock="away"]')
    expect(away).to_have_text("away 0:05")
    expect(host.page.locator(".seat .plate-absent")).to_be_hidden()
    expect(host.page.locator("#prompt")).to_have_text(
        text("clock.away.level", "en", name="健", level=text("level.club", "en"))
    )
    clean(host, "somebody is away")
    pictured(host, f"away-{phone}")
    # A word that is said, and not said again every second.
    assert host.page.locator("#prompt").get_attribute("role") == "status"
    expect(host.page.locator('.seat .plate-clock[data-clock="level"]')).to_have_text("Club plays")
    pictured(host, f"plays-{phone}")
    guest.page.goto(address)
    guest.page.wait_for_selector("#table")
    expect(guest.page.locator("#prompt")).to_have_text(
        text("clock.plays.you", "ja", level=text("level.club", "ja"))
    )
    clean(guest, "a level plays for the reader")
    pictured(guest, f"played-for-{phone}")
    guest.page.click('[data-action="come-back"]')
    expect(guest.page.locator('[data-action="come-back"]')).to_have_count(0)
    expect(host.page.locator(".seat .plate-clock")).to_have_count(0)
    played = len([one for one in guest.asked if one == "play"])
    _both_play(host, guest, lambda: guest.asked.count("play") > played)


@pytest.mark.parametrize("phone", [False, True])
def test_the_last_seconds_are_large_said_once_and_then_the_game_is_lost(visit: Visit, phone: bool) -> None:
    host, guest = visit("en", phone=phone), visit("ja", phone=phone)
    _invited(host, guest, "健", form="six-card", name="Mia", clock_move="60", clock_then="forfeit")
    until_play(host, guest, host)
    host.page.wait_for_timeout(1000)
    # Twelve seconds a move are few: the number stands from the beginning.
    expect(own_number(host)).to_be_visible()
    assert own_number(host).evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 24
    assert own_number(host).get_attribute("aria-hidden") == "true"
    told = host.page.locator(".clock-aloud").inner_text()
    assert "seconds left for your move" in told
    expect(guest.page.locator('.seat .plate-clock[data-clock="move"]')).to_be_visible()
    pictured(host, f"soon-{phone}")
    pictured(guest, f"soon-other-{phone}")
    host.page.wait_for_timeout(2000)
    assert host.page.locator(".clock-aloud").inner_text() == told
    expect(host.page.locator(".over-title")).to_contain_text("健")
    expect(host.page.locator(".over [data-why]")).to_be_visible()
    expect(guest.page.locator(".over [data-why]")).to_be_visible()
    expect(host.page.locator(".over [data-why]")).to_have_text(text("over.forfeit.time.you", "en"))
    expect(guest.page.locator(".over [data-why]")).to_have_text(text("over.forfeit.time", "ja", name="Mia"))
    expect(own_number(host)).to_be_hidden()
    clean(host, "a game that was forfeited")
    pictured(host, f"forfeit-{phone}")
    pictured(guest, f"forfeit-other-{phone}")
    host.page.reload()
    expect(host.page.locator(".over [data-why]")).to_have_text(text("over.forfeit.time.you", "en"))
    host.page.goto("/history")
    expect(host.page.locator(".match-result, .history").first).to_be_visible()
    assert "ran out of time" in host.page.inner_text("main")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_game_is_given_up_after_one_more_question(visit: Visit, lang: str) -> None:
    alone = visit(lang)
    alone.sit_down(form="five-card", level_1="random")
    alone.wait()
    page = alone.page

    def ask() -> None:
        page.keyboard.press("s")
        page.click('[data-action="resign"]')

    ask()
    dialog = page.locator("dialog.resign")
    expect(dialog).to_contain_text(text("clock.resign.words", lang))
    assert page.evaluate("document.activeElement.value") == "no", "playing on is what a slip leads to"
    clean(alone, "the question before giving up")
    pictured(alone, f"resign-{lang}")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert alone.view["won"] is None
    ask()
    page.click('[data-action="give-up"]')
    expect(page.locator(".over [data-why]")).to_have_text(text("over.forfeit.resigned.you", lang))
    ask()
    page.click('[data-action="give-up"]')
    expect(page.locator(".toast--warn")).to_be_visible()
    page.click('[data-action="next"]')
    expect(page.locator(".over")).to_have_count(0)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_clock_is_chosen_and_told_before_anybody_sits_down(visit: Visit, lang: str) -> None:
    host, guest = visit(lang), visit(lang)
    host.home()
    host.page.evaluate(
        "document.querySelector('#another').open = document.querySelector('#agreed').open = true"
    )
    host.page.locator(".clock-fields").scroll_into_view_if_needed()
    pictured(host, f"chosen-{lang}")
    host.sit_down(level_1="person", clock_move="86400", clock_away="300", clock_then="forfeit")
    link = host.page.locator("[data-link]").input_value()
    guest.page.goto(f"{link}?lang={lang}")
    told = guest.page.inner_text(".facts")
    assert text("join.clock.long", lang) in told
    assert text("join.clock.then.forfeit", lang) in told
    assert text("home.clock_away.300", lang) not in told, "by correspondence nobody has to be here"
    pictured(guest, f"join-{lang}")


def test_beside_several_others_there_is_room_for_it_on_a_phone(visit: Visit) -> None:
    host, guest = visit("ja", phone=True), visit("ja", phone=True)
    others = {"level_2": "random", "level_3": "random"}
    _invited(host, guest, "健太郎左衛門", form="four-handed", name="Mia", clock_away="120", **others)
    until_play(host, guest, guest)
    guest.page.goto("about:blank")
    for shown in ("away", "level"):
        word = host.page.locator(f'.seat .plate-clock[data-clock="{shown}"]')
        expect(word).to_be_visible()
        pictured(host, f"four-{shown}")
        box, felt = word.bounding_box(), host.page.locator("#felt").bounding_box()
        assert box is not None
        assert felt is not None
        assert felt["x"] <= box["x"]
        assert box["x"] + box["width"] <= felt["x"] + felt["width"]
        plates = [one.bounding_box() for one in host.page.locator(".seat .plate").all()]
        ends = [(one["x"], one["x"] + one["width"]) for one in plates if one is not None]
        assert all(one[1] <= other[0] + 1 for one, other in pairwise(sorted(ends)))
