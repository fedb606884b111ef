"""Claimed counting at the table: touched cards, claims of nothing, a whole game."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from fifteentwo.i18n import text
from tests.support.playing import Player, Visit

STRICT = {"counting": "claimed", "muggins": "missed-and-overclaims", "target": "61", "level_1": "random"}
OVERLAPS = """(parts) => {
  const boxes = (selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  const cards = boxes("#felt .card");
  const inside = (low, high, other, end) => low < end - 1 && other < high - 1;
  const covers = (part, card) =>
    inside(part.left, part.right, card.left, card.right)
    && inside(part.top, part.bottom, card.top, card.bottom);
  return boxes(parts).flatMap((part) => cards.filter((card) => covers(part, card)));
}"""

TOO_LOW = """(numbers) => [...document.querySelectorAll(numbers)]
  .map((one) => [one, one.getBoundingClientRect(), one.closest(".pad, .actions").getBoundingClientRect()])
  .filter(([, box, host]) => box.height < 40 || box.bottom > host.bottom || box.top < host.top)
  .map(([one, box]) => `${one.textContent}: ${box.top}–${box.bottom}`)"""
"""Numbers that are too low for a finger, or that cannot be seen without scrolling."""


def _until(player: Player, wanted: Callable[[str], bool]) -> None:
    for asked in player.play():
        if wanted(asked):
            return


def _in_the_show(page: Page) -> bool:
    return page.locator("#table").get_attribute("data-stage") == "show"


@pytest.mark.journey
def test_r93_touched_cards_are_counted_and_no_number_covers_a_card(visit: Visit) -> None:
    lang = "ja"
    player = visit(lang, phone=True)
    page = player.page
    page.set_viewport_size({"width": 360, "height": 640})
    player.sit_down(variant="six-card", challenge_seconds="none", **STRICT)

    def at_own_hand(asked: str) -> bool:
        if asked in ("play", "accept"):
            assert page.evaluate(OVERLAPS, ".bubble, .play-and-claim .button, .pad-number") == []
        assert page.evaluate(TOO_LOW, ".pad-number, .claim-choice") == []
        return asked == "claim" and _in_the_show(page)

    _until(player, at_own_hand)
    cards = page.locator(".show-cards button")
    expect(cards).to_have_count(5)
    for place in range(5):
        cards.nth(place).click(position={"x": 6, "y": 10})
    expect(page.locator('.show-cards [aria-pressed="true"]')).to_have_count(5)
    count = page.locator('[data-action="count"]')
    expect(count).to_have_text(text("claim.count", lang))
    count.click()
    expect(page.locator('.show-cards [aria-pressed="true"]')).to_have_count(0)
    cards.nth(0).press("Enter")
    expect(cards.nth(0)).to_have_attribute("aria-pressed", "true")
    cards.nth(0).press("Enter")
    expect(page.locator(".pad-number")).to_have_count(30)
    for number in (0, 29):
        expect(page.locator(f'.pad-number[data-n="{number}"]')).to_be_in_viewport(ratio=1)
    page.keyboard.press("4")
    expect(page.locator('[data-action="claim"]')).to_have_text(text("claim.say", lang, n=4))


def test_r97_a_claim_of_nothing_is_accepted_after_three_seconds_if_another_plays_next(visit: Visit) -> None:
    player = visit("en")
    page = player.page
    page.clock.install()
    player.sit_down(variant="three-handed", challenge_seconds="60", level_2="random", **STRICT)

    def nothing_claimed(asked: str) -> bool:
        nothing = asked == "accept" and player.view["claim"] == 0 and not _in_the_show(page)
        return nothing and not page.locator(".claim-choices").count() and player.view["count"] != 31

    _until(player, nothing_claimed)
    accepted = page.locator("#log").get_by_text(text("event.accepted.you", "en"))
    before = accepted.count()
    seconds = [text("claim.seconds", "en", n=n) for n in range(4)]
    expect(page.locator("#countdown")).to_have_text(re.compile("|".join(seconds)))
    page.clock.fast_forward(3100)
    expect(accepted.nth(before)).to_be_attached()


def test_r96_if_only_hands_are_claimed_pegging_is_counted(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(
        variant="six-card", **(STRICT | {"counting": "claimed-hands", "challenge_seconds": "none"})
    )
    pages = set()

    def at_own_hand(asked: str) -> bool:
        pages.add((asked, _in_the_show(player.page)))
        return asked == "claim"

    _until(player, at_own_hand)
    assert _in_the_show(player.page)
    assert not {("claim", False), ("accept", False)} & pages
    player.click("claim")
    for asked in player.play():
        if asked == "continue":
            break
    expect(player.page.locator(".summary")).to_be_visible()


def test_r93_a_claimed_deal_at_normal_speed(visit: Visit) -> None:
    player = visit("ja", phone=True)
    player.sit_down("normal", variant="six-card", **STRICT)
    _until(player, lambda asked: asked == "continue" and _in_the_show(player.page))
    assert {"discard", "play", "claim", "accept"} <= set(player.asked)


def test_r93_a_whole_claimed_game_by_keys(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(variant="three-handed", challenge_seconds="none", level_2="random", **STRICT)

    def answer(asked: str) -> None:
        # If a card can accept a claim, the focus may be on a card.
        player.key("a") if asked == "accept" else player.press(asked)

    for _ in player.play(answer):
        pass
    assert max(player.view["won"]["scores"]) == 61
