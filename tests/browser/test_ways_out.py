"""Ways out of a table whose player never arrives or does not return."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from fifteentwo.i18n import text
from fifteentwo.rules.record import read
from fifteentwo.server.live import move_clock
from fifteentwo.server.table_log.proofs import verify_dealing
from fifteentwo.server.table_log.time_controls import CLAIM_ON_TIMEOUT, TimeControl
from tests.support.accessible import clean
from tests.support.playing import Player, Visit
from tests.support.two_browsers import (
    accept_invitation,
    give_up,
    in_game,
    invited,
    nothing_warned,
    until_play,
)

SECONDS = 3.0
NO_CLOCK = {"clock_move": "none", "clock_away": "none"}


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the five minutes until a game can be claimed by three seconds."""
    monkeypatch.setattr(move_clock, "NO_CLOCK", TimeControl(None, SECONDS, CLAIM_ON_TIMEOUT))
    monkeypatch.setattr(move_clock, "GRACE_SECONDS", 0.0)


def test_the_player_who_stays_sees_the_time_and_claims_the_game(visit: Visit) -> None:
    host, guest = visit("en", phone=True), visit("ja", phone=True)
    invited(host, guest, "健", variant="six-card", name="Mia", **NO_CLOCK)
    until_play(host, guest, guest)
    guest.page.goto("about:blank")
    page = host.page
    claim = page.locator('[data-action="claim-forfeit"]')
    expect(page.locator("#prompt")).to_have_text(text("clock.claim.words", "en", name="健", minutes=1))
    expect(claim).to_be_disabled()
    expect(claim).to_contain_text("0:0")
    expect(page.locator('.seat .plate-clock[data-clock="away"]')).to_be_visible()
    expect(claim).to_be_enabled()
    expect(page.locator("#prompt")).to_have_text(text("clock.claim.now", "en", name="健", minutes=1))
    expect(claim).to_have_text(text("clock.claim.win", "en"))
    clean(host, "a game that may be claimed")
    claim.tap()
    expect(page.locator(".over [data-why=away]")).to_be_visible()
    expect(page.locator(".over-title")).to_have_text(text("over.you_win", "en"))


def test_a_game_is_claimed_from_a_player_who_does_not_move(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_clock, "NO_CLOCK", TimeControl(SECONDS, SECONDS, CLAIM_ON_TIMEOUT))
    host, guest = visit("en"), visit("ja")
    invited(host, guest, "健", variant="six-card", name="Mia", **NO_CLOCK)
    until_play(host, guest, guest)
    claim = host.page.locator('[data-action="claim-forfeit"]')
    expect(claim).to_be_enabled()
    expect(host.page.locator("#prompt")).to_have_text(
        text("clock.claim.idle.now", "en", name="健", minutes=1)
    )
    clean(host, "a game that may be claimed from an idle player")
    claim.click()
    expect(host.page.locator(".over-title")).to_have_text(text("over.you_win", "en"))


def test_a_player_who_can_act_is_asked_to_and_not_told_that_another_is_slow(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_clock, "NO_CLOCK", TimeControl(SECONDS, SECONDS, CLAIM_ON_TIMEOUT))
    host, guest = visit("en"), visit("ja")
    invited(host, guest, "健", variant="six-card", name="Mia", **NO_CLOCK)
    discard = '#table[data-phase="discard"][data-turn="own"][data-settled="true"]'
    for _ in range(6000):
        if all(player.page.locator(discard).count() for player in (host, guest)):
            break
        for player in (host, guest):
            if not player.page.locator(discard).count():
                player.turn()
        host.page.wait_for_timeout(20)
    # The line is drawn after the clock of both has been taken into account.
    expect(host.page.locator(".clock-line")).to_be_visible()
    expect(host.page.locator(".clock-number")).to_have_text(re.compile(r"^\d s$"))
    expect(host.page.locator("#prompt")).to_contain_text("crib")
    expect(host.page.locator('[data-action="claim-forfeit"]')).to_have_count(0)
    host.turn()
    expect(host.page.locator('[data-action="claim-forfeit"]')).to_be_visible()


def test_a_level_plays_for_an_absent_player_who_may_return(visit: Visit) -> None:
    host, guest = visit("ja"), visit("en")
    invited(host, guest, "Ken", variant="six-card", name="みお", **NO_CLOCK)
    until_play(host, guest, guest)
    address = guest.page.url
    guest.page.goto("about:blank")
    plays_on = host.page.locator('[data-action="claim-level"]')
    expect(plays_on).to_be_enabled()
    level = text("level.club", "ja")
    expect(plays_on).to_have_text(text("clock.claim.level", "ja", level=level))
    plays_on.click()
    expect(host.page.locator('.seat .plate-clock[data-clock="level"]')).to_be_visible()
    guest.page.goto(address)
    guest.page.click('[data-action="come-back"]')
    expect(host.page.locator(".seat .plate-clock")).to_have_count(0)


def test_a_player_who_returns_in_time_cannot_be_claimed(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    invited(host, guest, "健", variant="six-card", name="Mia", **NO_CLOCK)
    until_play(host, guest, guest)
    address = guest.page.url
    guest.page.goto("about:blank")
    expect(host.page.locator('[data-action="claim-forfeit"]')).to_be_visible()
    guest.page.goto(address)
    expect(host.page.locator('[data-action="claim-forfeit"]')).to_have_count(0)
    assert guest.wait() == "play"


def table_of_four(host: Player, **chosen: str) -> list[str]:
    """Make a table for four that waits for three people; return their links."""
    people = {f"level_{seat}": "person" for seat in (1, 2, 3)}
    host.sit_down(variant="four-handed", name="Mia", **people, **chosen)
    return [str(one.input_value()) for one in host.page.locator("[data-link]").all()]


def test_a_host_clears_a_seat_fills_the_others_and_the_cards_are_dealt(visit: Visit) -> None:
    host, gone, guest = visit("en", phone=True), visit("ja"), visit("ja")
    links = table_of_four(host)
    accept_invitation(gone, links[0], "消")
    page = host.page
    rows = page.locator(".person")
    expect(rows.nth(1)).to_have_attribute("data-state", "here")
    gone.page.goto("about:blank")
    expect(rows.nth(1)).to_have_attribute("data-state", "away")
    clean(host, "a waiting table whose seats can be arranged")
    rows.nth(1).locator("[data-clear]").click()
    expect(rows.nth(1)).to_have_attribute("data-state", "open")
    accept_invitation(guest, links[0], "健")
    expect(rows.nth(1)).to_have_attribute("data-state", "here")
    for seat in (2, 3):
        rows.nth(seat).locator("select").select_option("random")
        rows.nth(seat).locator('[value="computer"]').click()
        if seat == 2:
            expect(rows.nth(2)).to_have_attribute("data-state", "computer")
    # Everybody is present now, so the table opens.
    page.wait_for_selector("#table")
    assert (host.wait(), guest.wait()) == ("draw", "draw")
    expect(page.locator('[data-action="seats"]')).to_have_count(0)


def test_after_a_committed_seat_is_cleared_pages_are_sealed_and_the_record_verifies(
    visit: Visit, tmp_path: Path
) -> None:
    host, gone, guest, last = visit("en"), visit("en", quiet=False), visit("ja"), visit("ja", phone=True)
    with nothing_warned(host, guest, last):
        links = table_of_four(host)
        page = host.page
        accept_invitation(gone, links[0], "Gone")
        accept_invitation(guest, links[1], "健")
        rows = page.locator(".person")
        expect(rows.nth(2)).to_have_attribute("data-state", "here")
        # The pages of both guests have committed and show the table.
        rows.nth(1).locator("[data-clear]").click()
        expect(rows.nth(1)).to_have_attribute("data-state", "open")
        expect(gone.page.locator("#line")).to_be_visible()
        rows.nth(3).locator("select").select_option("random")
        rows.nth(3).locator('[value="computer"]').click()
        expect(rows.nth(3)).to_have_attribute("data-state", "computer")
        accept_invitation(last, links[0], "愛子")
        page.wait_for_selector("#table")
        players = (host, guest, last)
        for player in players:
            assert player.wait() == "draw"
        for player in players:
            player.click("draw")
        for player in players:
            expect(player.page.locator("#seal")).to_have_attribute("data-state", "whole")
        give_up(guest)
        for player in players:
            expect(player.page.locator(".over-title")).to_be_visible()
            expect(player.page.locator("#seal")).to_have_attribute("data-state", "whole")
    answer = page.request.get(f"{page.url.split('?')[0]}/record")
    record = tmp_path / "record.txt"
    record.write_text(answer.text(), encoding="utf-8")
    assert verify_dealing(read(answer.text())) >= 4
    page.goto("/dealing?lang=en")
    page.set_input_files("#file", record)
    expect(page.locator("#result")).to_contain_text("is as promised")


def test_a_host_returns_from_the_table_to_the_seats_and_cancels(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    links = table_of_four(host)
    accept_invitation(guest, links[0], "健")
    host.page.click("#to-table")
    host.page.wait_for_selector("#table")
    seats: Any = host.page.locator('[data-action="seats"]')
    expect(seats).to_be_visible()
    expect(guest.page.locator("#prompt")).not_to_be_empty()
    expect(guest.page.locator('[data-action="seats"]')).to_have_count(0)
    seats.focus()
    host.page.keyboard.press("Enter")
    host.page.wait_for_selector("#waiting-room")
    host.page.click('[data-action="cancel"]')
    host.page.wait_for_url("**/")
    expect(guest.page.locator("#prompt")).to_have_text(text("table.closed", "ja"))
    clean(guest, "a table that was cancelled")
    guest.page.click('#buttons [data-action="home"]')
    guest.page.wait_for_url("**/")


def test_seats_cannot_be_cleared_while_a_dealer_is_named(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    invited(host, guest, "健", variant="six-card", name="Mia", first_dealer="named", **NO_CLOCK)
    assert (host.wait(), guest.wait()) == ("name-dealer", "name-dealer")
    expect(host.page.locator('[data-action="seats"]')).to_have_count(0)


def test_two_of_three_players_continue_without_the_third(visit: Visit) -> None:
    host, guest, gone = visit("en"), visit("ja"), visit("en")
    host.sit_down(variant="three-handed", name="Mia", level_1="person", level_2="person", **NO_CLOCK)
    links = [str(one.input_value()) for one in host.page.locator("[data-link]").all()]
    accept_invitation(guest, links[0], "健")
    accept_invitation(gone, links[1], "Gone")
    host.page.wait_for_selector("#table")
    for player in (host, guest, gone):
        player.wait()
    gone.page.goto("about:blank")
    for player in (host, guest):
        player.click("draw")
    plays_on = guest.page.locator('[data-action="claim-level"]')
    expect(plays_on).to_be_enabled()
    words = text("clock.claim.end", "ja", name="Gone")
    expect(guest.page.locator('[data-action="claim-forfeit"]')).to_have_text(words)
    plays_on.click()
    for player in (host, guest):
        expect(player.page.locator('.seat .plate-clock[data-clock="level"]')).to_be_visible()


def test_a_next_game_can_be_closed_if_the_other_player_does_not_come(visit: Visit) -> None:
    host, guest = visit("en"), visit("ja")
    invited(host, guest, "健", variant="six-card", name="Mia", **NO_CLOCK)
    in_game(host, 1)
    give_up(host)
    guest.page.goto("about:blank")
    host.page.click('[data-action="next"]:visible')
    close = host.page.locator('[data-action="claim-forfeit"]')
    expect(close).to_have_text(text("clock.claim.close", "en"))
    expect(close).to_be_enabled()
    close.click()
    expect(host.page.locator("#prompt")).to_have_text(text("table.closed", "en"))
