"""The review in the browser: steps, mistakes tried again, other cards compared, sharing."""

import random
import re

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from fifteentwo.i18n import text
from fifteentwo.rules import record
from tests.support.accessible import clean
from tests.support.live_server import Live
from tests.support.playing import Player, Visit
from tests.support.quick_records import played

SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 900))
FIVE = record.write(played("five-card"))
THREE = record.write(played("three-handed"))


def _first_deal() -> str:
    """Return a record of one six-card deal, which has win probabilities and is reviewed quickly."""
    whole = played("six-card")
    deals = [place for place, action in enumerate(whole.actions) if type(action).__name__ == "Deal"]
    return record.write(msgspec.structs.replace(whole, actions=whole.actions[: deals[1]]))


def _review(player: Player, kept: str, *, full: bool = True) -> Page:
    """Choose a record's file on the page, and wait for the whole review. full: leave the story."""
    page = player.page
    page.goto(f"/review?lang={player.lang}")
    page.wait_for_selector("#opening:visible")
    page.set_input_files(
        "#record-file", {"name": "game.txt", "mimeType": "text/plain", "buffer": kept.encode()}
    )
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    if full:
        page.click("#mode")
        assert _at(page) > 0, "the full review opens on a choice"
        expect(page.locator("#judged .compared")).to_be_visible()
        page.keyboard.press("Home")
    return page


def _at(page: Page) -> int:
    return int(page.locator("#at").input_value())


def test_the_costliest_mistake_is_tried_again_before_the_answer(visit: Visit) -> None:
    """The answer is hidden until a choice is made."""
    player = visit("en", reduced_motion="reduce")
    page = _review(player, _first_deal())
    expect(page.locator("#course-title")).to_have_text(text("review.course.of", "en", name="Aiko"))
    expect(page.locator("#no-chance")).to_be_hidden()
    expect(page.locator("#chance")).to_contain_text("%")
    clean(player, "review")
    page.click('[data-step="mark-on"]')
    others = page.locator("#judged .other")
    tagged = [
        page.locator(f"#felt [data-tag*='{text(f'review.{word}', 'en')}']")
        for word in ("best", "chosen_short")
    ]
    for tags in tagged:
        expect(tags).to_have_count(1 + (others.count() == 15))
    why = page.locator("#judged .why p").all_inner_texts()
    expect(page.locator("#judged .compared")).to_be_visible()
    page.click('[data-action="try"]')
    screen, main = page.locator(".story-screen"), page.locator("#story-bar [data-primary]")
    expect(screen).to_have_count(1)
    expect(screen.locator("h2")).to_be_focused()
    expect(page.locator("#judged, #decisions").locator("visible=true")).to_have_count(0)
    assert screen.locator(".is-best, [data-tag], [aria-pressed=true]").count() == 0
    assert not [reason for reason in why if reason in page.locator("#game").inner_text()]
    expect(main).to_have_text(text("review.show_answer", "en"))
    discards = others.count() == 15
    for key in "12"[: 1 + discards]:
        page.keyboard.press(key)
    main.click()
    if not screen.locator(".is-best").count():
        main.click()
    expect(screen.locator(".is-best")).to_have_count(1 + discards)
    assert why[0] in screen.inner_text()
    clean(player, "review, answered")
    expect(main).to_have_text(text("review.leave", "en"))
    main.click()
    expect(page.locator("#judged .compared")).to_be_visible()
    page.click('[data-action="try"]')
    expect(main).to_have_text(text("review.show_answer", "en"))
    page.click("#mode")
    page.click("#mode")
    expect(screen.nth(1)).to_be_attached()


def test_a_game_is_stepped_through_by_keys_alone(visit: Visit) -> None:
    player = visit("ja", phone=True, color_scheme="dark", reduced_motion="reduce")
    page = _review(player, THREE)
    expect(page.locator("#no-chance")).to_be_visible()
    clean(player, "review of a variant without chances")
    page.locator("#title").evaluate("() => document.activeElement.blur()")
    moments = int(page.locator("#at").get_attribute("max") or 0)
    assert moments > 60
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", moments), ("Home", 0)):
        page.keyboard.press(key)
        assert _at(page) == at
        expect(page.locator("#status")).not_to_be_empty()
    page.keyboard.press("n")
    first = _at(page)
    assert first > 0
    expect(page.locator("#judged .mark-chip").first).to_be_visible()
    page.keyboard.press("n")
    assert _at(page) > first
    page.keyboard.press("p")
    assert _at(page) == first
    page.keyboard.press("t")
    expect(page.locator(".story-screen h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#judged")).to_be_visible()
    assert _at(page) == first
    page.locator("#ask-first").check(force=True)
    page.keyboard.press("n")
    expect(page.locator(".story-screen h2")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#judged .compared")).to_be_visible()
    assert _at(page) > first
    page.keyboard.press("End")
    expect(page.locator(".over-title")).to_be_visible()
    expect(page.locator(".over-buttons")).to_have_count(0)
    page.locator("#at").focus()
    page.keyboard.press("ArrowLeft")
    assert _at(page) == moments - 1
    page.locator("#every").check(force=True)
    page.locator("#decisions .to-step").first.click()
    assert 0 < _at(page) < moments


BROKEN_WORDS = r"""() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.getElementById("game"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent.checkVisibility() || parent.closest("svg, .visually-hidden")) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\p{Script=Latin}\p{Script=Katakana}ー]+/gu)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].map(({ top }) => Math.round(top / 8));
      if (new Set(lines).size > 1) found.add(word);
    }
  }
  return [...found];
}"""
OUTSIDE = """() => {
  const felt = document.getElementById("felt").getBoundingClientRect();
  return [...document.querySelectorAll("#felt .card")].filter((card) => {
    const { left, right } = card.getBoundingClientRect();
    return left < felt.left || right > felt.right;
  }).length;
}"""
"""Number of cards that are wider than the felt."""


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_word_is_broken_and_no_card_leaves_the_felt(visit: Visit, lang: str) -> None:
    page = _review(visit(lang, reduced_motion="reduce"), _first_deal())
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    slider = page.locator("#at")
    slider.fill(str(int(slider.get_attribute("max") or 0) // 2))
    expect(page.locator("#felt .crib-cards .card")).to_have_count(4)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BROKEN_WORDS) == [], (width, height)
        top = page.evaluate("document.getElementById('review-table').getBoundingClientRect().top + scrollY")
        assert top < 0.8 * max(width, height), "the table begins in the first window"
        for seat in (0, 1):
            page.locator("#seat-choice input").nth(seat).check(force=True)
            assert page.evaluate(OUTSIDE) == 0, (width, height, seat)


STEPS = """() => Array.from({ length: Number(document.getElementById("at").max) }, () => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return [
    [...document.querySelectorAll("#scores .score-points")].map((one) => Number(one.textContent)),
    document.getElementById("table").dataset.stage,
    [0, 1].map((side) =>
      Number(document.querySelector(`#board .peg[data-peg="front"][data-side="${side}"]`).dataset.hole)),
  ];
})"""
"""Scores, stage and holes of the pegs after each press of the right arrow."""


def test_every_move_is_drawn_with_its_score_and_pegs(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = _review(player, FIVE)
    end = record.last_state(record.read(FIVE)).front
    seen: list[tuple[int, ...]] = []
    stages: set[str] = set()
    for scores, stage, pegs in page.evaluate(STEPS):
        assert pegs == scores
        seen.append(tuple(scores))
        stages.add(stage)
    assert seen == sorted(seen, key=sum), "a score decreased"
    assert seen[-1] == end
    assert len(set(seen)) > 10
    assert stages == {"play", "show", "over"} | (stages & {"cut"})


def test_the_address_contains_the_record_and_a_new_table_continues_from_a_position(visit: Visit) -> None:
    player = visit("ja", reduced_motion="reduce")
    page = _review(player, FIVE)
    # The address of the first move names no move, so that it opens the story.
    page.wait_for_function("() => /^#record=[^&]+$/.test(location.hash)")
    address = page.url
    other = visit("en")
    other.page.goto(address.replace("lang=ja", "lang=en"))
    other.page.wait_for_selector("#review[data-ready]")
    expect(other.page.locator("#title")).to_have_text(page.locator("#title").inner_text())
    page.evaluate("""document.querySelector('a[hreflang=en]').click()""")
    page.wait_for_selector('html[lang="en"] #review[data-ready]')
    page.goto(address[:-40])
    page.reload()
    expect(page.locator("#refused")).to_have_text(text("review.link_broken", "ja"))
    other.page.wait_for_selector("#working", state="hidden")
    other.page.click("#mode")
    other.page.click('[data-step="mark-on"]')
    hand = other.page.locator("#hand button").count()
    other.page.select_option("#play-on-level", "random")
    other.page.click("#play-on button")
    other.page.wait_for_url("**/game/*")
    assert other.wait() in ("discard", "play")
    expect(other.page.locator("#hand button").nth(hand - 1)).to_be_visible()


def test_a_review_is_shared_by_a_short_link_and_deleted(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    page = _review(player, FIVE, full=False)
    page.click('[data-action="share"] >> visible=true')
    expect(page.locator(".toast")).to_contain_text(re.compile(r"copied\. .+ keeps this review until \d"))
    expect(page.locator(".toast--warn")).to_have_count(0)
    address = str(page.evaluate("navigator.clipboard.readText()"))
    assert re.fullmatch(r"http://[\w.:]+/r/[\w-]{12}", address)
    other = visit("en", reduced_motion="reduce")
    other.page.goto(address)
    other.page.wait_for_selector("#review[data-ready]")
    expect(other.page.locator("#title")).to_have_text(page.locator("#title").inner_text())
    assert other.page.url == address
    expect(other.page.locator(".share-panel .button--danger")).to_have_count(0)
    page.goto(address)
    page.wait_for_selector("#review[data-ready]")
    page.click("#mode")
    page.click(".share-panel .button--danger")
    page.wait_for_url("**/review")
    assert other.page.request.get(address).status == 404


SHIFTS = """() => {
  window.shifted = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted.push(one.value);
  }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.fixture
def finished(visit: Visit, live: Live) -> tuple[Player, str]:
    """Return a player with a finished game, and the id of its table."""
    player = visit("en", phone=True, reduced_motion="reduce")
    with live.person() as aiko:
        game = aiko.new_game("five-card", level_1="random")
        with aiko.open(game) as table:
            table.until("waiting")
            table.play_out(random.Random(8))
        cookie = {"name": "fifteentwo", "value": aiko.browser.cookies["fifteentwo"], "url": live.http}
    player.page.context.add_cookies([cookie])  # type: ignore[list-item]
    return player, game


@pytest.mark.journey
def test_a_finished_game_is_one_key_from_its_review(finished: tuple[Player, str]) -> None:
    player, game = finished
    player.page.goto(f"/game/{game}")
    player.page.wait_for_selector('[data-action="review"]')
    today = player.page.get_by_role("link", name=text("over.today", "en"))
    expect(today).to_have_attribute("href", "/practice/daily")
    player.page.keyboard.press("v")
    player.page.wait_for_selector("#review[data-ready]")
    assert player.page.url.endswith(f"/review/{game}")
    expect(player.page.locator("#title")).to_contain_text(text("home.you", "en"))
    assert "#" not in player.page.url


def test_a_review_opens_on_its_story_and_nothing_moves(finished: tuple[Player, str]) -> None:
    """No record is sent; every part has its space from the start; keys and swipes lead on."""
    player, game = finished
    page = player.page
    asked: list[tuple[str, str]] = []
    page.on("request", lambda request: asked.append((request.method, request.url)))
    page.add_init_script(f"({SHIFTS})()")
    page.goto(f"/review/{game}")
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    screens = page.locator(".story-screen")
    expect(screens).to_have_count(5)
    expect(screens.first.locator("p")).not_to_have_count(0)
    assert all(method == "GET" and "/record" not in url for method, url in asked)
    assert sum(page.evaluate("window.shifted")) < 0.1
    clean(player, "story")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#story-bar")).to_contain_text("2 / 5")
    expect(screens.nth(1).locator("h2")).to_be_focused()
    assert [one.get_attribute("inert") is None for one in screens.all()] == [False, True, False, False, False]
    page.locator("#story-screens").evaluate("(track) => track.scrollTo(4 * track.clientWidth, 0)")
    expect(page.locator("#story-bar a")).to_have_attribute("href", f"/game/{game}")
    end = page.locator(".story-screen:not([inert])")
    expect(end.locator("a")).to_have_attribute("href", re.compile("^/practice/sets/"))
    expect(end.locator("button:not(.card-button)")).to_have_attribute("data-action", "full")
    page.click("#mode")
    expect(page.locator("#course")).to_be_visible()
    page.click("#mode")
    expect(page.locator("#story-bar")).to_contain_text("5 / 5")


def test_a_mistake_of_the_story_gives_nothing_away_before_the_answer(visit: Visit) -> None:
    player = visit("ja", phone=True, reduced_motion="reduce")
    page = _review(player, FIVE, full=False)
    main = page.locator("#story-bar [data-primary]")
    main.click()
    screen = page.locator(".story-screen").nth(1)
    assert screen.locator(".is-best, [data-tag], [aria-pressed=true]").count() == 0
    expect(screen.locator("p")).to_have_count(2)
    expect(main).to_have_text(text("review.show_answer", "ja"))
    cards = screen.locator(".story-hand button:not([aria-disabled])")
    discards = text("review.prompt.discard", "ja") in screen.inner_text()
    for card in cards.all()[: 2 if discards else 1]:
        card.click()
    expect(main).to_have_text(text("review.discard" if discards else "story.play", "ja"))
    main.click()
    # A hint and a second try come before the answer.
    expect(screen).to_contain_text("もう一度どうぞ")
    expect(screen.locator(".is-best, [data-tag], [aria-pressed=true]")).to_have_count(0)
    expect(main).to_have_text(text("review.show_answer", "ja"))
    main.click()
    expect(screen.locator(".is-best")).to_have_count(2 if discards else 1)
    expect(screen.locator("p")).not_to_have_count(2)
    expect(main).to_have_text(text("story.next", "ja"))
    clean(player, "story, answered")
    screen.locator("summary").click()
    screen.get_by_role("button", name=text("story.table", "ja")).click()
    expect(page.locator("#judged .compared")).to_be_visible()
    page.go_back()
    expect(screen.locator(".is-best")).to_have_count(2 if discards else 1)


_PLACES = """() => [...document.querySelectorAll(
  ".story-screen:not([inert]) :is(h2, .story-place, .story-card)"
)].map((one) => one.getBoundingClientRect()).map(({ x, y }) => [Math.round(x), Math.round(y)])"""
_COVERED = """() => [...document.querySelectorAll(".story-screen:not([inert]) [data-tag]")].filter((one) => {
  const { x, width, bottom } = one.getBoundingClientRect();
  return !one.contains(document.elementFromPoint(x + width / 2, bottom - 4));
}).length"""
"""How many cards whose tag, at the lower edge, lies under something or outside the window."""


def test_the_answer_of_a_story_moves_nothing_and_covers_no_tag(visit: Visit) -> None:
    page = _review(visit("en", phone=True, reduced_motion="reduce"), FIVE, full=False)
    for across, down in ((390, 844), (360, 640), (844, 390)):
        page.set_viewport_size({"width": across, "height": down})
        # Another seat and back: the story begins again.
        for seat in (1, 0):
            page.locator("#seat-choice input").nth(seat).check(force=True)
        page.click("#story-bar [data-primary]")
        places = page.evaluate(_PLACES)
        page.click("#story-bar [data-primary]")
        expect(page.locator(".story-screen:not([inert]) [data-tag]")).not_to_have_count(0)
        assert page.evaluate(_PLACES) == places, (across, down)
        assert page.evaluate(_COVERED) == 0, (across, down)
        page.locator(".story-screen:not([inert]) summary").click()
        page.click("#story-bar [data-primary]")
        expect(page.locator(".story-screen:not([inert]) h2")).to_be_in_viewport(ratio=1)


def test_a_card_of_the_story_shows_what_was_played_and_discarded_before(visit: Visit) -> None:
    late = record.write(played("six-card", seed=3, level="beginner"))
    page = _review(visit("en", phone=True, reduced_motion="reduce"), late, full=False)
    page.click("#story-bar [data-primary]")
    screen = page.locator(".story-screen:not([inert])")
    expect(screen.locator("h2")).to_have_text("Now you: card that starts a count")
    expect(screen.locator(".story-place").first).to_contain_text("Their crib")
    expect(screen.locator(".story-earlier .story-small")).to_have_count(4)
    expect(screen.locator(".story-earlier .is-own")).to_have_count(2)
    expect(screen.get_by_text("You discarded")).to_be_in_viewport()


def test_a_picture_of_the_game_is_saved_and_the_page_says_so(visit: Visit) -> None:
    page = _review(visit("en", phone=True, reduced_motion="reduce"), FIVE, full=False)
    with page.expect_download() as saved:
        page.get_by_role("button", name=text("story.share-picture", "en")).click()
    picture = saved.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (1080, 1440)
    expect(page.locator(".toast")).to_have_text(text("story.picture.saved", "en"))
    expect(page.locator(".toast--warn")).to_have_count(0)


def test_the_way_back_leads_through_the_screens_and_from_the_full_review(visit: Visit) -> None:
    """The browser's button, the page's button and the left arrow go back one screen; a reload keeps it."""
    page = _review(visit("en", phone=True, reduced_motion="reduce"), FIVE, full=False)
    bar, before = page.locator("#story-bar"), page.url
    for n in (2, 3):
        page.keyboard.press("ArrowRight")
        expect(bar).to_contain_text(f"{n} / 5")
    expect(page.locator("#story-marks")).to_have_attribute("style", "--at: 3; --of: 5;")
    page.go_back()
    expect(bar).to_contain_text("2 / 5")
    page.reload()
    page.wait_for_selector("#story-bar [data-primary]:enabled")
    expect(bar).to_contain_text("2 / 5")
    page.click("#mode")
    expect(page.locator("#course")).to_be_visible()
    for seen in ("#title", "#felt", '[data-step="mark-on"]'):
        expect(page.locator(seen)).to_be_in_viewport(ratio=0.99)
    page.wait_for_function("() => /move=/.test(location.hash)")
    page.go_back()
    expect(bar).to_contain_text("2 / 5")
    expect(page.locator("#course")).to_be_hidden()
    page.locator("#story-screens").evaluate("(track) => track.scrollTo(2 * track.clientWidth, 0)")
    expect(bar).to_contain_text("3 / 5")
    page.click('[data-at="story-back"]')
    expect(bar).to_contain_text("2 / 5")
    page.keyboard.press("ArrowLeft")
    expect(bar).to_contain_text("1 / 5")
    assert page.url.split("#")[0] == before.split("#")[0]


def test_every_move_has_an_address_and_back_returns_to_it(finished: tuple[Player, str]) -> None:
    player, game = finished
    page = player.page
    page.goto(f"/review/{game}")
    page.wait_for_selector("#review[data-ready]")
    page.click("#mode")
    page.keyboard.press("Home")
    for _ in range(11):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#move=12'")
    # Followed at once: the address is written before the page is left.
    page.keyboard.press("ArrowRight")
    page.locator("footer a").first.click()
    page.wait_for_url(lambda url: "/review/" not in url)
    page.go_back()
    page.wait_for_selector("#review[data-ready]")
    assert page.url.endswith("#move=13")
    assert _at(page) == 12
    page.reload()
    page.wait_for_selector("#review[data-ready]")
    assert _at(page) == 12
    page.evaluate("() => { location.hash = '#move=5'; }")
    expect(page.locator("#at")).to_have_value("4")


def test_the_curve_shows_the_position_under_pointer_finger_and_focus(finished: tuple[Player, str]) -> None:
    player, game = finished
    page = player.page
    page.goto(f"/review/{game}")
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    page.click("#mode")
    expect(page.locator("#course")).to_be_visible()
    page.keyboard.press("Home")
    picture, curve = page.locator("#glimpse"), page.locator("#course")
    curve.hover()
    expect(picture).to_be_visible()
    expect(picture.locator(".glimpse-at")).to_contain_text(" ")
    assert _at(page) == 0, "hovering went to the position"
    inside = picture.bounding_box()
    assert inside is not None
    assert 0 <= inside["x"] <= 390 - inside["width"]
    page.mouse.move(195, 5)
    expect(picture).to_be_hidden()
    curve.dispatch_event("pointerdown", {"pointerType": "touch", "clientX": 195})
    expect(picture).to_be_visible()
    page.keyboard.press("Escape")
    expect(picture).to_be_hidden()
    curve.tap()
    expect(picture).to_be_hidden()
    assert _at(page) > 0
    page.locator("#at").focus()
    page.keyboard.press("ArrowRight")
    expect(picture).to_be_visible()
    page.locator("#title").click()
    expect(picture).to_be_hidden()


def test_the_end_of_a_game_shows_its_review_and_nothing_moves(visit: Visit, live: Live) -> None:
    """The review appears in the space that was kept for it, with a link to its move."""
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    with live.person() as aiko:
        six, five = (
            aiko.new_game(variant, level_1="random", target="61", skunk="yes")
            for variant in ("six-card", "five-card")
        )
        for game in (six, five):
            with aiko.open(game) as table:
                table.until("waiting")
                table.play_out(random.Random(8))
        cookie = {"name": "fifteentwo", "value": aiko.browser.cookies["fifteentwo"], "url": live.http}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.add_init_script(f"({SHIFTS})()")
    held: list[Route] = []
    page.route("**/end?*", lambda route: held.append(route))
    page.goto(f"/game/{six}")
    place = page.locator(".over-review")
    expect(place).to_have_text(text("over.reviewing", "en"))
    expect(place).to_be_visible()
    expect(page.locator(".over-lane")).to_have_count(2)
    expect(page.locator(".lane-skunk")).to_have_count(2)
    before = page.locator(".over").bounding_box(), place.bounding_box()
    # A busy server is asked again, and the page still says that the review is being made.
    held[0].fulfill(status=429)
    page.wait_for_timeout(500)
    expect(place).to_have_text(text("over.reviewing", "en"))
    page.unroute("**/end?*")
    player.complaints.clear()
    page.wait_for_selector('.over-review[data-made="true"]')
    assert (page.locator(".over").bounding_box(), place.bounding_box()) == before
    expect(place.locator(".end-figures dd")).to_have_count(3)
    assert sum(page.evaluate("window.shifted")) < 0.1
    assert page.locator(".over").evaluate("(panel) => panel.scrollHeight <= panel.clientHeight")
    place.locator("a").click()
    page.wait_for_selector("#review[data-ready]")
    assert page.url.endswith(f"#move={_at(page) + 1}")
    page.goto(f"/game/{five}")
    expect(page.locator(".over-lane")).to_have_count(2)
    expect(page.locator(".over-review")).to_have_count(0)


def test_without_scripts_the_page_says_so(visit: Visit) -> None:
    player = visit("ja", java_script_enabled=False)
    player.page.goto("/review?lang=ja")
    expect(player.page.locator(".no-script")).to_contain_text("fifteentwo review")


def test_a_review_begins_at_the_top_of_a_low_window(visit: Visit) -> None:
    page = visit("en", viewport={"width": 844, "height": 390}).page
    page.goto("/review?lang=en")
    page.fill("#record-text", FIVE)
    page.click("#record-form .button--primary")
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    assert page.evaluate("scrollY") == 0
