"""The table: reloads, lost connections, hidden cards, choices, announcements, speeds."""

import json
import re
from itertools import pairwise

import pytest
from playwright.sync_api import WebSocketRoute, expect

from fifteentwo import i18n
from fifteentwo.i18n.cards import card_name
from fifteentwo.rules.cards import Card
from fifteentwo.rules.events import Score
from fifteentwo.rules.record import from_json
from tests.support.playing import PLAYABLE, Player, Visit

QUICK = {"variant": "six-card", "level_1": "random"}


def _until(player: Player, wanted: str) -> None:
    """Play until the page asks for `wanted`."""
    for asked in player.play():
        if asked == wanted:
            return


@pytest.mark.journey
def test_a_reload_and_a_second_tab_continue_the_game(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK)
    _until(player, "play")
    hand = player.view["hand"]
    player.page.reload()
    assert player.wait() == "play"
    assert sorted(player.view["hand"]) == sorted(hand)
    second = Player(player.page.context.new_page(), "en")
    second.page.goto(player.page.url)
    assert second.wait() == "play"
    second.click("play")
    expect(player.page.locator("#hand button")).to_have_count(len(hand) - 1)
    assert second.complaints == []


def test_a_lost_connection_is_shown_and_continues_after_the_last_version(visit: Visit) -> None:
    player = visit("ja")
    # The page itself observes the notice, because it may be gone before a test asks for it.
    player.page.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
          const table = document.getElementById("table");
          const notice = document.getElementById("line");
          const note = () => window.notes.push([table.dataset.line, notice.checkVisibility()]);
          window.notes = [];
          if (table) new MutationObserver(note).observe(table, { attributeFilter: ["data-line"] });
        });"""
    )
    lines: list[WebSocketRoute] = []
    asked_after: list[str] = []

    def pass_on(line: WebSocketRoute) -> None:
        lines.append(line)
        asked_after.append(line.url)
        line.connect_to_server()

    player.page.route_web_socket(re.compile("/socket"), pass_on)
    player.sit_down(**QUICK)
    player.page.wait_for_function("() => document.getElementById('table').dataset.line === 'open'")
    expect(player.page.locator("#prompt")).not_to_be_empty()
    player.page.evaluate("window.notes.length = 0")
    lines[-1].close(code=1013)
    player.page.wait_for_function("() => window.notes.length >= 2")
    assert player.page.evaluate("window.notes") == [["lost", True], ["open", False]]
    expect(player.page.locator("#line")).to_be_hidden()
    assert len(lines) == 2
    assert "v=" not in asked_after[0]
    assert re.search(r"[?&]v=\d+", asked_after[1])


def test_r39_r43_the_page_contains_no_cards_of_others(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK)
    checked = 0
    for asked in player.play():
        if asked in ("discard", "play"):
            held = set(player.view["hand"])
            out = {card for _, card in player.view["played"]} | {player.view["starter"]} - {None}
            shown = set(
                player.page.evaluate(
                    "[...document.querySelectorAll('[data-card]')].map((one) => one.dataset.card)"
                )
            )
            assert shown <= held | out, "a card that no player may see"
            assert held <= shown
            checked += 1
        if asked == "continue" or checked > 8:
            break
    assert checked > 3


def test_a_discard_can_be_changed_until_it_is_confirmed(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK)
    _until(player, "discard")
    cards = player.page.locator("#hand button")
    confirm = player.page.locator('[data-action="discard"]')
    expect(confirm).to_be_disabled()
    for place in (0, 1):
        cards.nth(place).click(position={"x": 8, "y": 40})
    expect(confirm).to_be_enabled()
    cards.nth(0).click(position={"x": 8, "y": 30})
    expect(confirm).to_be_disabled()
    expect(cards.nth(0)).to_have_attribute("aria-pressed", "false")
    cards.nth(3).click(position={"x": 8, "y": 40})
    chosen = {str(cards.nth(place).get_attribute("data-card")) for place in (1, 3)}
    confirm.click()
    player.page.wait_for_selector('[data-action="discard"]', state="detached")
    expect(player.page.locator("#hand button")).to_have_count(4)
    # The page may be drawn a moment before the test has read the same message.
    for _ in range(600):
        if player.view["discarded"]:
            break
        player.page.wait_for_timeout(50)
    assert set(player.view["discarded"]) == chosen


def test_r53_a_card_past_31_is_dimmed_and_explained(visit: Visit) -> None:
    player = visit("en")

    def high_first(asked: str) -> None:
        """Keep low cards for high counts, so that some cards can be played and others cannot."""
        if asked == "discard":
            for place in (2, 3):
                player.page.locator("#hand button").nth(place).click(position={"x": 8, "y": 40})
            player.page.click('[data-action="discard"]')
        elif asked == "play":
            player.page.locator(PLAYABLE).last.click(position={"x": 8, "y": 40})
        else:
            player.click(asked)

    for _ in range(5):
        player.sit_down(**QUICK)
        for asked in player.play(high_first):
            barred = player.page.locator('#hand button[aria-disabled="true"]')
            if asked == "play" and barred.count():
                assert "31" in str(barred.first.get_attribute("aria-label"))
                before = player.view["count"]
                barred.first.click(force=True, position={"x": 8, "y": 40})
                expect(player.page.locator(".toast")).to_contain_text("31")
                assert player.view["count"] == before
                return
    pytest.fail("no card was ever past 31")


def test_every_event_is_announced_and_the_whole_log_opens(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK)
    _until(player, "continue")
    log = player.page.locator("#log")
    assert log.get_attribute("role") == "log"
    assert log.locator("p").count() > 8
    player.page.click('[data-action="log"]')
    expect(player.page.locator('[data-action="log"]')).to_have_attribute("aria-expanded", "true")
    player.page.keyboard.press("Escape")
    expect(player.page.locator('[data-action="log"]')).to_have_attribute("aria-expanded", "false")


def test_undo_takes_a_card_back_if_no_card_was_revealed(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK)
    for asked in player.play():
        if asked in ("play", "cut", "discard") and player.page.locator("#undo").is_visible():
            held = len(player.view["hand"])
            played = len(player.view["played"])
            player.page.keyboard.press("u")
            player.page.wait_for_function(
                "(before) => document.querySelectorAll('#hand button').length !== before", arg=held
            )
            player.wait()
            assert (len(player.view["hand"]), len(player.view["played"])) != (held, played)
            return
    pytest.fail("nothing could ever be taken back")


def _to_the_show(player: Player, speed: str) -> None:
    """Play to the last card at the speed Instant, and play it at another speed."""
    for asked in player.play():
        if asked == "play" and sum(player.view["hand_sizes"]) <= 1:
            break
    _set_speed(player, speed)
    player.page.locator(PLAYABLE).first.click(position={"x": 8, "y": 40})
    player.page.wait_for_selector("#stage .show")


COUNT_FRAMES = """() => {
  window.framesDrawn = 0;
  const next = () => {
    window.framesDrawn += 1;
    requestAnimationFrame(next);
  };
  next();
}"""


def _set_speed(player: Player, speed: str) -> None:
    player.page.evaluate(f"document.querySelector('input[name=speed][value={speed}]').click()")


@pytest.mark.journey
def test_the_show_lights_cards_and_one_key_skips_all_of_it(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK)
    _to_the_show(player, "slow")
    player.page.wait_for_selector("#stage .is-lit", state="attached")
    # The cards of the score are named under the score.
    expect(player.page.locator("#spoken .spoken-cards")).to_contain_text(" of ")
    player.page.evaluate(COUNT_FRAMES)
    player.page.keyboard.press("Space")
    assert player.wait() == "continue"
    # At this speed two more hands take hundreds of frames; a busy machine draws fewer.
    assert player.page.evaluate("window.framesDrawn") < 60
    expect(player.page.locator(".summary-row")).to_have_count(3)


SPOKEN = """() => {
  window.spoken = [];
  const note = () => window.spoken.push(document.querySelector("#spoken")?.textContent);
  new MutationObserver(note).observe(document, { childList: true, subtree: true });
}"""


@pytest.mark.parametrize("parlett", [False, True])
def test_r93_the_table_names_scores_or_counts_in_parletts_words(visit: Visit, parlett: bool) -> None:
    player = visit("en")
    player.page.add_init_script(f"({SPOKEN})()")
    player.sit_down(**QUICK)
    if parlett:
        player.page.evaluate("document.querySelector('[name=parlett]').click()")
    _until(player, "continue")
    spoken = player.page.evaluate("window.spoken")
    hands = [one["scores"] for one in player.pegged if one["reason"] in ("hand", "crib") and one["scores"]]
    assert hands
    for hand in hands:
        scores = from_json(json.dumps(hand).encode(), tuple[Score, ...])
        words = i18n.spoken(scores, "en") if parlett else [one.words for one in i18n.named(scores, "en")]
        assert ", ".join(words) in spoken


def test_the_speed_is_changed_at_the_table_while_a_hand_is_counted(visit: Visit) -> None:
    player = visit("ja", phone=True)
    player.sit_down(**QUICK)
    _to_the_show(player, "slow")
    tool = player.page.locator('[data-action="speed"]')
    for speed in ("normal", "fast", "instant"):
        player.page.click(".bar-menu")
        tool.click()
        name = i18n.text(f"settings.speed.{speed}", "ja")
        expect(tool).to_contain_text(i18n.text("table.speed", "ja", speed=name))
    assert player.wait() == "continue"
    player.page.keyboard.press("-")
    expect(tool).to_contain_text(i18n.text("settings.speed.fast", "ja"))


def test_the_summary_names_the_cards_of_every_score_also_after_a_reload(visit: Visit) -> None:
    player = visit("ja", phone=True)
    player.sit_down(**QUICK)
    _until(player, "continue")
    page = player.page
    chips = page.locator(".summary-scores .chip")
    shown = chips.all_inner_texts()
    made = [event for event in player.pegged if event["reason"] in ("hand", "crib")]
    scores = [score for event in made for score in event["scores"]]
    assert len(shown) == len(scores) > 0
    for words, score in zip(shown, scores, strict=True):
        for card in score["cards"]:
            assert card_name(Card(card), "ja") in words
    expect(chips.first).to_be_visible()
    page.reload()
    assert player.wait() == "continue"
    expect(chips.first).to_be_visible()
    assert chips.all_inner_texts() == shown
    assert player.scores() == player.pegs()["front"]
    # The player can ask to count each hand again: its cards light up in the list.
    expect(page.locator("#stage .show")).not_to_be_visible()
    row = page.locator(".summary-row:has(.chip)").first
    points = row.locator(".summary-points").inner_text()
    row.locator('[data-action="again"]').click()
    expect(row.locator(".is-lit").first).to_be_visible()
    expect(row.locator(".is-lit")).to_have_count(0)
    expect(row.locator(".summary-points")).to_have_text(points)
    player.click("continue")
    player.answered("continue")
    # The next deal has one number, and no counts of the last one.
    assert player.wait() == "discard"
    expect(page.locator(".summary")).to_be_hidden()
    expect(page.locator("#title")).to_contain_text(i18n.text("table.heading", "ja", game=1, deal=2))
    page.reload()
    assert player.wait() == "discard"


def test_r93_r97_playing_a_card_accepts_a_claim_and_claims_points(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK, counting="claimed", muggins="missed", challenge_seconds="none")
    accepted = False
    for asked in player.play():
        cards = player.page.locator(PLAYABLE)
        if asked == "accept" and player.page.locator(".claim-choices").is_visible() and cards.count():
            played = len(player.view["played"])
            card = str(cards.first.get_attribute("data-card"))
            points = player.page.locator('[data-action="claim-with"][data-n="3"]')
            points.click()
            expect(points).to_have_attribute("aria-pressed", "true")
            cards.first.click(position={"x": 8, "y": 40})
            log = player.page.locator("#log")
            expect(log).to_contain_text(i18n.text("event.claimed.you", "en", points=3))
            player.page.wait_for_selector(
                f'#stage [data-card="{card}"], .earlier:not(:empty)', state="attached"
            )
            assert len(player.view["played"]) > played
            accepted = True
            break
    assert accepted, "no claim could be accepted by playing a card"


def test_r93_one_press_plays_and_claims_or_continues_and_cuts(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(**QUICK, counting="claimed", muggins="missed-and-overclaims", challenge_seconds="none")
    page, done = player.page, set[str]()
    for asked in player.play(lambda _: None):
        together = page.locator('[data-action="discard-cut"], [data-cuts]')
        if asked == "continue":
            # One button: the player who cuts next does it with the same press.
            expect(page.locator("#buttons > *")).to_have_count(1)
            # The view shows the next deal.
            expect(together).to_be_visible(visible=player.view["dealer"] != player.view["seat"])
        claims = page.locator("#hand li .play-and-claim")
        if asked == "discard":
            expect(together).to_be_visible(visible=player.view["dealer"] != player.view["seat"])
            for place in range(2):
                page.locator("#hand button").nth(place).click(position={"x": 8, "y": 16})
        # After a go the other player may have a card left, and then plays first.
        follows = not player.view["said_go"] and page.locator(".claim-choices").is_visible()
        # The first card of a count scores nothing.
        leads = player.view["count"] % 31 == 0
        if not leads and (asked == "play" or (asked == "accept" and follows)):
            # Points can be claimed with every card that may be played.
            expect(claims.first).to_be_visible()
            assert claims.count() == page.locator("#hand .card-button:not([aria-disabled])").count()
            card = page.locator("#hand li:has(.play-and-claim) .card-button").first.get_attribute("data-card")
            claims.first.locator('[data-claim="3"]').click()
            expect(page.locator("#log")).to_contain_text(i18n.text("event.claimed.you", "en", points=3))
            expect(page.locator(f'#hand [data-card="{card}"]')).to_have_count(0)
            done.add("card")
        elif asked in ("discard", "continue") and together.is_visible():
            deal, name = player.view["deal"], str(together.get_attribute("data-action"))
            page.keyboard.press("c")
            page.wait_for_selector(f'[data-action="{name}"]', state="detached")
            assert player.wait() != "cut"
            assert player.view["starter"] if name == "discard-cut" else player.view["deal"] == deal + 1
            done.add(name)
        elif asked == "discard":
            page.click('[data-action="discard"]')
        else:
            player.click(asked)
        if done == {"card", "discard-cut", "continue"}:
            return
    raise AssertionError(f"only {done} came up")


def test_nothing_jumps_during_a_deal(visit: Visit) -> None:
    player = visit("en")
    player.page.add_init_script(
        """window.jumps = [];
        const named = ({ sources }) => sources.map(({ node }) => node?.className ?? node?.nodeName);
        const note = (entry) => entry.hadRecentInput || window.jumps.push([entry.value, named(entry)]);
        new PerformanceObserver((list) => list.getEntries().forEach(note))
          .observe({ type: "layout-shift", buffered: true });"""
    )
    player.sit_down(speed="fast", **QUICK)
    _until(player, "draw")
    player.page.evaluate("window.jumps.length = 0")
    _until(player, "continue")
    jumps = player.page.evaluate("window.jumps")
    assert sum(value for value, _ in jumps) < 0.01, jumps


def test_reduced_motion_moves_nothing(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    player.page.add_init_script(
        """window.moved = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...all) {
          window.moved += 1;
          return animate.apply(this, all);
        };"""
    )
    player.sit_down(speed="fast", **QUICK)
    _until(player, "play")
    player.click("play")
    player.wait()
    assert player.page.evaluate("window.moved") == 0


@pytest.mark.parametrize("phone", [False, True])
def test_cards_overlap_only_without_room(visit: Visit, phone: bool) -> None:
    player = visit("ja", phone=phone)
    player.sit_down(variant="six-card", level_1="random")
    for asked in player.play():
        cards = player.page.locator("#hand li")
        if asked == "play" and cards.count() == 3:
            boxes = [box for card in cards.all() if (box := card.locator(".card").bounding_box())]
            assert len(boxes) == 3
            assert all(one["x"] + one["width"] <= other["x"] + 0.5 for one, other in pairwise(boxes)), boxes
            return
    pytest.fail("no turn with three cards")


def test_no_frame_marks_a_card_before_a_key_is_pressed(visit: Visit) -> None:
    player = visit("en")
    player.sit_down(variant="six-card", level_1="random")
    page = player.page
    next(asked for asked in player.play() if asked == "discard")
    page.reload()
    assert player.wait() == "discard"
    card = page.locator("#hand button").first
    expect(card).to_be_focused()
    has_frame = """(card) => {
      const { outlineStyle, outlineColor } = getComputedStyle(card);
      return outlineStyle !== "none" && outlineColor !== "rgba(0, 0, 0, 0)";
    }"""
    assert not card.evaluate(has_frame)
    page.keyboard.press("Shift")
    assert card.evaluate(has_frame)
