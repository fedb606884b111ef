"""Pass-and-play, and spectators on other pages."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocket, expect

from fifteentwo.i18n import text
from tests.support.accessible import clean
from tests.support.live_server import Live, cards_in
from tests.support.playing import ASKED, PATIENCE_MS, Player, Visit, messages_in
from tests.support.two_browsers import COVER, TAKE, spectate

Json = dict[str, Any]
EVERYTHING = """() => {
  const stores = [localStorage, sessionStorage].map((store) =>
    Object.fromEntries(Object.entries(store).filter(([name]) => !name.startsWith("dealing"))));
  return document.documentElement.outerHTML + JSON.stringify(stores);
}"""
KEPT = """() => Object.entries(localStorage).filter(([name]) => name.startsWith("dealing/"))
  .map(([, value]) => { try { return JSON.parse(value); } catch { return null; } })
  .filter((one) => one?.seen)"""


class Screen:
    """The page of pass-and-play, with the cards that each player holds according to its messages."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.holds: dict[int, set[str]] = {}
        self.deals = 0
        self.covered = False
        self.behind: list[str] = []
        """The messages that were received while the cover was shown."""
        self.covers: list[Json] = []
        self.open: list[str] = []
        player.page.on("websocket", self._line)

    def _line(self, line: WebSocket) -> None:
        line.on("framereceived", self._hear)
        line.on("framesent", self._sent)

    def _sent(self, frame: str | bytes) -> None:
        if json.loads(frame)["t"] == "uncover-screen":
            self.covered = False

    def _hear(self, frame: str | bytes) -> None:
        for message in messages_in(frame):
            self._take(message)

    def _take(self, message: Json) -> None:
        d = message["d"]
        if message["t"] == "pass-screen":
            self.covered = d["is_covered"]
            if d["is_covered"]:
                self.covers.append(d)
        elif self.covered and message["t"] != "dealing":
            self.behind.append(json.dumps(message))
        if message["t"] in ("table", "view"):
            self.holds[d["view"]["seat"]] = set(d["view"]["hand"])
        event = d["event"] if message["t"] == "event" else None
        if event and event["type"] == "Shown":
            self.holds = {seat: held - set(event["cards"]) for seat, held in self.holds.items()}
        if event and event["type"] == "Dealt":
            self.holds = {}
            self.deals += 1

    def hidden(self) -> set[str]:
        return set().union(*self.holds.values())

    def looked_behind(self) -> None:
        """Check that no held card is in the page or in a message while the cover is shown."""
        page = self.player.page
        there = page.evaluate(EVERYTHING)
        for card in cards_in(there) & self.hidden():
            where = page.locator(f'[data-card="{card}"]').evaluate_all(
                "(all) => all.map((one) => one.parentElement.outerHTML.slice(0, 80))"
            )
            raise AssertionError(f"{card} is in the page: {where}")
        assert not any(cards_in(one) & self.hidden() for one in self.behind)
        for game in page.evaluate(KEPT):
            assert not any("hand" in deal for deal in game["seen"].values()), "a hand is kept in the browser"

    def play(self, *, most: int = 1500) -> Iterator[str]:
        """Answer for every player until the game is over; yield each question, and "cover"."""
        page = self.player.page
        for _ in range(most):
            page.wait_for_function(f"() => document.querySelector('{TAKE}') || ({ASKED})()", polling=16)
            if page.locator(TAKE).count():
                yield "cover"
                page.locator(TAKE).click()
                page.wait_for_selector(COVER, state="hidden")
                continue
            asked = page.evaluate(ASKED)
            if asked is None:
                continue
            yield asked
            if asked == "over":
                return
            self.player.click(asked)
            self.player.answered(asked)
        raise AssertionError("no end")


def open_table(player: Player, **chosen: str) -> Screen:
    screen = Screen(player)
    player.sit_down(**chosen)
    return screen


def test_two_play_a_whole_game_in_pass_and_play(visit: Visit) -> None:
    player = visit("ja", phone=True)
    screen = open_table(player, variant="five-card", level_1="here", name="Ada", here_1="Ben")
    page, asked = player.page, list[str]()
    named = set()
    for one in screen.play():
        asked.append(one)
        if one == "cover":
            screen.looked_behind()
            title = page.locator(f"{COVER} h2").inner_text()
            named |= {name for name in ("Ada", "Ben") if name in title}
            expect(page.locator(TAKE)).to_be_focused()
            expect(page.locator("#hand button")).to_have_count(0)
    assert named == {"Ada", "Ben"}
    # There is no cover if the same player acts again, and none at the show, the draw and the cut.
    assert asked.count("cover") <= asked.count("discard") + asked.count("play")
    assert asked[0] == "draw"
    assert player.scores()[0] == 61 or player.scores()[1] == 61
    expect(page.locator("#seal")).to_have_attribute("data-state", "whole")
    page.goto("/history")
    expect(page.locator("main")).to_contain_text("Ada")
    expect(page.locator("main")).not_to_contain_text(text("home.you", "ja"))


def test_in_pass_and_play_claims_and_muggins_need_no_cover_at_the_show(visit: Visit) -> None:
    player = visit("ja")
    named = {"name": "Ada", "here_1": "Ben"}
    screen = open_table(
        player, variant="six-card", level_1="here", counting="claimed", muggins="missed", **named
    )
    show, asked = 0, set[str]()
    for one in screen.play():
        asked.add(one)
        if one == "cover":
            assert screen.deals > show, "nothing is hidden at the show"
            screen.looked_behind()
            if show:
                break
        if any(player.view["open_hands"]):
            show = screen.deals
    assert show
    assert {"claim", "accept", "cover"} <= asked


def test_two_partners_in_pass_and_play_against_two_computers(visit: Visit) -> None:
    player = visit("en")
    levels = {"level_1": "random", "level_2": "here", "level_3": "random"}
    screen = open_table(player, variant="partners", target="61", name="Ada", **levels, here_2="Cleo")
    covers = 0
    for one in screen.play():
        if one == "cover":
            covers += 1
            screen.looked_behind()
            if covers == 3:
                # The cover lists the events since the last one, also the computers' actions.
                assert screen.covers[-1]["sentences"]
                expect(player.page.locator(".cover-events")).to_be_visible()
        if one == "continue" and covers > 4:
            break
    assert covers > 4
    expect(player.page.locator("#seal")).to_have_attribute("data-state", "whole")


def test_a_reload_shows_the_cover_and_the_keyboard_opens_it(visit: Visit) -> None:
    player = visit("ja")
    page = player.page
    screen = open_table(
        player,
        variant="six-card",
        level_1="here",
        name="エイダ",
        here_1="健",
        first_dealer="named",
        cut_before_deal="no",
    )
    for one in screen.play():
        if one == "discard":
            break
    before = set(player.view["hand"])
    assert len(before) == 6
    page.reload()
    page.wait_for_selector(TAKE)
    screen.looked_behind()
    page.keyboard.press("Escape")
    expect(page.locator(COVER)).to_be_visible()
    expect(page.locator(f"{COVER} h2")).to_contain_text("さんに渡してください")
    clean(player, "cover")
    page.keyboard.press("Enter")
    page.wait_for_selector(COVER, state="hidden")
    expect(page.locator("#hand button")).to_have_count(6)
    assert set(player.view["hand"]) == before
    page.wait_for_function("() => document.activeElement.closest('#hand')")


def test_in_pass_and_play_both_seeds_are_committed_and_the_dealing_is_checked(visit: Visit) -> None:
    player = visit("en")
    screen = open_table(player, variant="six-card", level_1="here", name="Ada", here_1="Ben", target="61")
    for one in screen.play():
        if one == "continue":
            break
    player.page.click("[data-action=continue]")
    player.page.wait_for_function("() => document.querySelector('#seal').dataset.state === 'whole'")
    kept = player.page.evaluate(KEPT)
    assert [len(one) for one in kept[0]["committed"]] == [64, 64]
    assert kept[0]["checked"] >= 1
    assert kept[0]["fault"] is None


def test_the_cover_says_that_the_connection_is_lost(visit: Visit) -> None:
    player = visit("en", quiet=False)
    page = player.page
    page.add_init_script(
        """window.lines = [];
        window.WebSocket = class extends WebSocket {
          constructor(address) { super(address); window.lines.push(this); }
        };"""
    )
    screen = open_table(player, variant="six-card", level_1="here", name="Ada", here_1="Ben")
    for one in screen.play():
        if one == "cover":
            break
    page.evaluate(
        """() => {
          window.WebSocket = class extends EventTarget {};
          for (const line of window.lines) line.close();
        }"""
    )
    expect(page.locator(".cover-line")).to_contain_text("No connection.")


# ── Spectating ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.journey
@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("lang", "phone", "scheme"),
    [("en", False, "light"), pytest.param("ja", True, "dark", marks=pytest.mark.long)],
)
def test_spectators_see_no_hand_until_the_deal_is_over(
    visit: Visit, lang: str, phone: bool, scheme: str
) -> None:
    player, other = visit(lang, phone=phone), visit(lang, phone=phone, color_scheme=scheme)
    player.sit_down(variant="six-card", level_1="random", spectators="yes", name="Ada", first_dealer="named")
    game = player.page.url.split("/game/")[1].split("?")[0]
    heard: list[str] = []

    def hear(frame: str | bytes) -> None:
        heard.extend(str(frame).split("\n"))

    other.page.on("websocket", lambda line: line.on("framereceived", hear))
    spectate(other.page, game, player)
    expect(player.page.locator("#spectators")).to_contain_text("1")
    clean(other, "before the first card")
    seen_play = False
    for asked in player.play():
        if asked == "play" and not seen_play:
            seen_play = True
            other.page.wait_for_selector('#table[data-phase="play"]')
            expect(other.page.locator("[data-card]:not(.played-card *, .spot--starter *)")).to_have_count(0)
            hidden = set(player.view["hand"]) | set(player.view["discarded"])
            assert not any(cards_in(one) & hidden for one in heard if '"dealing"' not in one)
            expect(other.page.locator(".spectate-seat")).to_have_count(2)
            clean(other, "while cards are played")
        if asked == "continue":
            break
    player.page.click("[data-action=continue]")
    expect(other.page.locator("#last")).to_be_visible(timeout=PATIENCE_MS)
    expect(other.page.locator("#last-hands li")).to_have_count(4)
    expect(other.page.locator("#dealing")).to_have_attribute("data-state", "fits")
    clean(other, "after the deal")
    assert other.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(other.page.locator("#table button")).to_have_count(0)
    other.page.goto("about:blank")
    expect(player.page.locator("#spectators")).to_have_text("")


def test_the_last_number_of_spectators_is_shown_if_it_changed_while_its_module_was_loading(
    visit: Visit,
) -> None:
    # Requests that a service worker passes on cannot be held.
    player, other = visit("en", service_workers="block", quiet=False), visit("en")
    player.sit_down(variant="six-card", level_1="random", spectators="yes", first_dealer="named")
    path = player.page.url.split("?")[0]
    player.page.goto(f"{path}/spectate")
    link = player.page.locator("[data-link]").input_value()
    module, requests = "**/seats/spectators.js*", list[Route]()
    player.page.route(module, lambda route: requests.append(route))
    with player.page.expect_websocket() as line, player.page.expect_request(module):
        player.page.goto(path)
    while not requests:
        player.page.wait_for_timeout(1)
    with line.value.expect_event("framereceived", lambda frame: '"spectators":1' in str(frame)):
        other.page.goto(link)
    requests[0].continue_()
    expect(player.page.locator("#spectators")).to_contain_text("1")


def test_the_link_page_is_accessible_and_its_link_can_be_copied(visit: Visit) -> None:
    player = visit("ja", phone=True)
    player.sit_down(variant="six-card", level_1="random", spectators="yes")
    game = player.page.url.split("/game/")[1].split("?")[0]
    player.page.goto(f"/game/{game}/spectate")
    clean(player, "link")
    player.page.get_by_role("button").filter(has_text=text("waiting_room.copy", "ja")).click()
    expect(player.page.locator("#status")).not_to_be_empty()


def test_the_shared_board_is_large_and_names_who_cuts(visit: Visit, live: Live) -> None:
    page = visit("en").page
    page.set_viewport_size({"width": 1180, "height": 820})
    with live.person() as host, live.person() as guest:
        game = host.new_game(level_1="person", first_dealer="named", name="Aiko")
        with host.open(game) as seat:
            seat.until("waiting")
            guest.sit(seat.table["invitations"][0]["path"], name="Ben")
            with guest.open(game) as other:
                other.until("waiting")
                seat.act({"type": "NameDealer", "dealer": 1})
                found = re.search(
                    'href="([^"]+)"[^>]*data-action="open-board"',
                    host.browser.get(f"/game/{game}/board").text,
                )
                assert found
                page.goto(found[1])
                expect(page.locator(".stage-note")).to_have_text(text("cut.waiting", "en", name="Aiko"))
                board = page.locator("#board .board").bounding_box()
                assert board
                assert board["width"] > 800


def test_a_new_game_asks_for_names_only_in_pass_and_play(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.unfold()
    page = player.page
    field = page.locator('[name="here_1"]')
    expect(field).to_be_hidden()
    page.locator('[name="level_1"]').select_option("here")
    expect(field).to_be_visible()
    expect(page.locator('[name="here_2"]')).to_be_hidden()
    player.choose(variant="partners")
    page.locator('[name="level_3"]').select_option("here")
    expect(page.locator('[name="here_3"]')).to_be_visible()
    page.locator('[name="level_1"]').select_option("person")
    expect(field).to_be_hidden()
    clean(player, "new game")
