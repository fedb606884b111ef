"""Nothing covers what it explains and nothing is squeezed, at any size and with large letters."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from fifteentwo.rules import record
from tests.support.playing import Visit
from tests.support.quick_records import played

SIZES = ((390, 844), (1440, 900), (360, 640), (844, 390), (768, 1024), (1024, 768))
LETTERS = (16, 32)
BY_LANG = pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.long)])

_BOXES = """(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => getComputedStyle(one).visibility === "visible")
  .map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width > 2 && height > 2)
  .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""
# The board is fitted after the window has changed: wait until five frames in a row show the same boxes.
_SETTLED = """(px) => new Promise((done) => {
  document.documentElement.style.fontSize = px ? `${px}px` : "";
  const boxes = () => JSON.stringify([...document.querySelectorAll(".sides, .board, .felt > *, .notes > *")]
    .map((one) => one.getBoundingClientRect()));
  let [last, same] = ["", 0];
  const look = () => {
    const now = boxes();
    same = now === last ? same + 1 : 0;
    last = now;
    if (same < 5) requestAnimationFrame(look);
    else done();
  };
  look();
})"""
Box = list[float]


def boxes(page: Page, selector: str) -> list[Box]:
    found: list[Box] = page.evaluate(_BOXES, selector)
    return found


def width(box: Box) -> float:
    return box[2] - box[0]


def overlaps(one: Box, other: Box) -> bool:
    """Whether two boxes share more than a pixel."""
    return all(max(one[n], other[n]) + 1 < min(one[n + 2], other[n + 2]) for n in (0, 1))


def is_inside(page: Page, box: Box) -> bool:
    size = page.viewport_size
    assert size
    return box[0] >= 0 and box[1] >= 0 and box[2] <= size["width"] and box[3] <= size["height"]


def at_each_size(page: Page) -> Iterator[tuple[int, int, int]]:
    """Show the page at every size, first with usual letters and then with large ones."""
    for across, down in SIZES:
        page.set_viewport_size({"width": across, "height": down})
        for letters in LETTERS:
            page.evaluate(_SETTLED, letters)
            yield across, down, letters
    page.evaluate(_SETTLED, 0)


@pytest.mark.journey
@BY_LANG
def test_draw_and_hints_cover_nothing_at_any_size(visit: Visit, lang: str) -> None:
    player = visit(lang, phone=lang == "ja", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random")
    for asked in player.play():
        if asked == "draw":
            _look_at_the_draw(page)
        elif asked in ("discard", "play"):
            page.keyboard.press("h")
            page.wait_for_selector("#note p")
            _look_at_the_hint(page)
        if asked == "play":
            break


def _look_at_the_draw(page: Page) -> None:
    usual = 0.0
    for across, down, letters in at_each_size(page):
        at = across, down, letters
        spread, plates = boxes(page, ".spread .card-button"), boxes(page, ".plate")
        words = boxes(page, "#prompt, #sound-offer, .own-draw .stage-note")
        assert not any(overlaps(card, other) for card in spread for other in [*plates, *words]), at
        assert not any(overlaps(one, other) for one in words for other in words if one is not other), at
        assert all(is_inside(page, box) for box in [*plates, *words]), at
        usual = width(spread[0]) if letters == LETTERS[0] else usual
        # A card is as wide as the space beside the other columns; a third less is seen, but still pressed.
        assert width(spread[0]) >= 0.65 * usual, at


def _look_at_the_hint(page: Page) -> None:
    for at in at_each_size(page):
        # Cards that are practically equal have an answer at once, without a button.
        [note], more = boxes(page, "#note"), boxes(page, ".note-more")
        # In small windows the note replaces the board, which is hidden then.
        explained = boxes(page, "#hand button, .line > *, #hint, #hint-tool, .bar, .score, .plate, .held")
        explained += boxes(page, ".board-place, .board")
        assert not [one for one in explained if overlaps(note, one)], (at, note)
        assert is_inside(page, note), at
        assert all(button[3] <= note[3] for button in more), at
        assert len(boxes(page, '[data-action="hint"]')) == 1, at


@pytest.mark.parametrize("variant", ["six-card", "three-handed", "four-handed"])
def test_in_a_low_window_a_hint_leaves_the_scores_of_all_players(visit: Visit, variant: str) -> None:
    player = visit("ja", reduced_motion="reduce")
    player.sit_down(variant=variant, level_1="random")
    next(asked for asked in player.play() if asked == "discard")
    player.page.keyboard.press("h")
    player.page.wait_for_selector("#note p")
    for across, down in ((844, 390), (1024, 600)):
        player.page.set_viewport_size({"width": across, "height": down})
        player.page.evaluate(_SETTLED, 0)
        [note] = boxes(player.page, "#note")
        assert not any(overlaps(note, score) for score in boxes(player.page, ".score")), (across, down)


def test_hand_cards_do_not_shrink_with_larger_letters(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    player.sit_down(variant="six-card", level_1="random")
    for asked in player.play():
        if asked not in ("discard", "play"):
            continue
        usual = 0.0
        for at in at_each_size(player.page):
            [card, *_] = boxes(player.page, "#hand .card")
            usual = width(card) if at[2] == LETTERS[0] else usual
            assert width(card) >= usual - 1, (asked, at)
        if asked == "play":
            break


def test_claims_can_be_pressed_in_one_row(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random", counting="claimed", muggins="missed")
    for asked in player.play():
        # A claim above the card claimed can be made instead of accepting.
        if asked == "accept" and page.locator(".claim-choice").count():
            break
    for across, down in SIZES:
        page.set_viewport_size({"width": across, "height": down})
        chips = boxes(page, ".claim-choice")
        if (across, down) in ((1440, 900), (390, 844), (768, 1024)):
            assert len({round(chip[1]) for chip in chips}) == 1, (across, down)
            assert all(width(chip) >= 33 and chip[3] - chip[1] >= 40 for chip in chips), (across, down)
        assert all(is_inside(page, chip) for chip in chips), (across, down)
        # The question above them is read in two lines.
        [question], [stage] = boxes(page, "#prompt"), boxes(page, "#stage")
        assert question[3] - question[1] < 60, (across, down)
        assert stage[3] - stage[1] > 90, (across, down)


@pytest.mark.parametrize(("variant", "seats", "lang"), [("three-handed", 3, "ja"), ("four-handed", 4, "en")])
def test_a_claim_covers_no_name_and_scores_are_not_cut_off(
    visit: Visit, variant: str, seats: int, lang: str
) -> None:
    player = visit(lang, reduced_motion="reduce")
    page = player.page
    others = {f"level_{seat}": "random" for seat in range(1, seats)}
    rules = {"counting": "claimed", "muggins": "missed", "challenge_seconds": "none"}
    player.sit_down(variant=variant, **others, **rules)
    for asked in player.play():
        if asked == "accept" and page.locator(".seats .bubble").count():
            break
    for across, down in SIZES:
        page.set_viewport_size({"width": across, "height": down})
        page.evaluate(_SETTLED, 16)
        names = boxes(page, ".seats .plate-name, .seats .plate .side-mark")
        [bubble] = boxes(page, ".seats .bubble")
        assert not any(overlaps(bubble, name) for name in names), (across, down)
        assert is_inside(page, bubble), (across, down)
        for score in page.locator(".score").all():
            [outer] = score.evaluate(_BOXES_OF, "&")
            parts = score.evaluate(_BOXES_OF, "& > *")
            assert all(part[3] <= outer[3] + 1 for part in parts if part[1] < outer[3]), (across, down)


_BOXES_OF = """(one, selector) => (selector === "&" ? [one] : [...one.children])
  .map((part) => part.getBoundingClientRect()).filter(({ width, height }) => width > 2 && height > 2)
  .map(({ left, top, right, bottom }) => [left, top, right, bottom])"""


def test_the_next_action_stays_in_one_place_until_the_game_is_over(visit: Visit) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant="six-card", level_1="random", target="61")
    places: dict[tuple[int, int], Box] = {}
    for asked in player.play():
        if asked not in ("continue", "over") or (asked == "continue" and places):
            continue
        for across, down in SIZES:
            page.set_viewport_size({"width": across, "height": down})
            page.evaluate(_SETTLED, 0)
            [place] = boxes(page, "#buttons [data-primary]")
            before = places.setdefault((across, down), place)
            assert place[1:] == pytest.approx(before[1:], abs=8), (asked, across, down)
            assert asked == "continue" or boxes(page, "#hint") == []
            if asked == "continue" and (across, down) == (390, 844):
                assert all(width(card) > 30 for card in boxes(page, ".summary-cards .card"))


@pytest.mark.parametrize(("variant", "seats"), [("partners", 4), ("three-handed", 3)])
def test_a_deals_end_is_whole_and_names_are_not_cut_at_1024_by_768(
    visit: Visit, variant: str, seats: int
) -> None:
    player = visit("en", viewport={"width": 1024, "height": 768}, reduced_motion="reduce")
    page = player.page
    others = {f"level_{seat}": "random" for seat in range(1, seats)}
    player.sit_down(variant=variant, name="Alexandra", **others)
    for asked in player.play():
        if asked == "continue":
            break
    cut = page.locator(".score-name, .plate-name").evaluate_all(
        "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    )
    assert cut == []
    summary = page.locator(".summary")
    expect(summary).to_be_visible()
    assert summary.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
    partner = boxes(page, ".seats .seat")[seats // 2 - 1]
    if variant == "partners":
        middle = sum(boxes(page, "#felt")[0][0:3:2]) / 2
        assert abs((partner[0] + partner[2]) / 2 - middle) < 60


_STORY_PARTS = "h2, .story-pile, .story-hand, .story-words, .row, .story-picture"
STORY_SIZES = ((390, 844), (360, 640), (844, 390), (768, 1024), (1440, 900))


@pytest.mark.long
@BY_LANG
def test_a_reviews_story_covers_nothing_and_its_button_stays_in_one_place(visit: Visit, lang: str) -> None:
    """The screens are read before and after each answer; then the full review."""
    page = visit(lang, phone=True, reduced_motion="reduce").page
    page.goto(f"/review?lang={lang}")
    page.fill("#record-text", record.write(played("six-card", seed=3, level="beginner", target=61)))
    page.click("#record-form .button--primary")
    page.wait_for_selector("#review[data-ready]")
    page.wait_for_selector("#working", state="hidden")
    for across, down in STORY_SIZES:
        page.set_viewport_size({"width": across, "height": down})
        for letters in LETTERS:
            page.evaluate(_SETTLED, letters)
            # Another seat and back: the story begins again.
            for seat in (0, 1):
                page.locator("#seat-choice input").nth(seat).check(force=True)
            _look_at_the_story(page, (across, down, letters))
            page.click("#mode")
            page.evaluate(_SETTLED, letters)
            assert page.evaluate(_CUT, "#game") == [], (across, down, letters, "full review")
            page.click("#mode")
    page.evaluate(_SETTLED, 0)


_CUT = """(within) => {
  const parts = "p, h1, h2, button, a, .story-card, .story-picture";
  const drawn = ".table, .table-wrap, .others-list, .glimpse, .visually-hidden, [inert]";
  return [...document.querySelectorAll(`${within} :is(${parts})`)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(drawn))
    .filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      const edge = document.documentElement.clientWidth + 1;
      return left < -1 || right > edge || one.scrollWidth > one.clientWidth + 2;
    }).map((one) => one.outerHTML.slice(0, 80));
}"""
"""Texts, buttons and cards of a part of the page that leave the window or are wider than their box."""


_IS_END_ABOVE_BAR = """() => {
  const screen = document.querySelector(".story-screen:not([inert])");
  const top = screen.scrollTop;
  screen.scrollTop = screen.scrollHeight;
  const last = Math.max(...[...screen.querySelectorAll("p, button, a, summary")]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().bottom));
  const bar = document.getElementById("story-bar").getBoundingClientRect().top;
  screen.scrollTop = top;
  return last <= bar;
}"""
"""Whether the last line of a screen can be scrolled above the bar."""


def _look_at_the_story(page: Page, at: tuple[int, int, int]) -> None:
    places = []
    for _ in range(10):
        page.evaluate(_SETTLED, at[2])
        [main] = boxes(page, "#story-bar [data-primary]")
        places.append(main)
        assert is_inside(page, main), (at, main)
        assert page.evaluate(_CUT, "#game") == [], (at, len(places))
        parts = boxes(page, f".story-screen:not([inert]) :is({_STORY_PARTS})")
        assert not any(overlaps(one, other) for one in parts for other in parts if one is not other), at
        assert page.evaluate(_IS_END_ABOVE_BAR), (at, len(places))
        if page.locator("#story-bar a[data-primary]").count():
            break
        page.click("#story-bar [data-primary]")
    assert len(places) == 7, "five screens, two with an answer"
    if at[0] < 500:
        assert all((box[1] + box[3]) / 2 > at[1] * 2 / 3 for box in places), (at, places)
    assert max(box[1] for box in places) - min(box[1] for box in places) <= 8, (at, places)
    assert max(box[3] for box in places) - min(box[3] for box in places) <= 8, (at, places)


_CUT_OFF = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.closest(".visually-hidden, .table-wrap"))
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    const cuts = getComputedStyle(one).overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1;
    return width > 2 && (left < -1 || right > innerWidth + 1 || cuts);
  })
  .map((one) => one.id || String(one.className))"""
PRACTICE = "#hand > *, #cards > *, #pad button, #top > *, #ask, #status, #typed, #which, #verdict, #why, #go"


def _look_at_practice(page: Page, places: dict[tuple[int, int, int], float]) -> None:
    """Check the boxes of one state, and that the button stands where it stood in the state before."""
    for at in at_each_size(page):
        across, down, letters = at
        page.locator("#go").scroll_into_view_if_needed()
        assert page.evaluate(_CUT_OFF) == [], at
        assert page.evaluate("document.documentElement.scrollWidth") <= across, at
        is_phone = min(across, down) < 400
        parts = boxes(page, PRACTICE)
        [button] = boxes(page, "#go")
        if not is_phone:
            # On phones the button is fixed, and the page scrolls behind it.
            assert not any(overlaps(one, other) for one in parts for other in parts if one is not other), at
        if is_phone:
            assert is_inside(page, button), at
            assert button[1] >= down * 2 / 3 - 8, at
        if is_phone:
            _look_at_the_keys(page, at)
        if is_phone or letters == LETTERS[0]:
            # Elsewhere the place is that on the page, which may be scrolled.
            place = button[3] + (0 if is_phone else page.evaluate("scrollY"))
            assert place == pytest.approx(places.setdefault(at, place), abs=8), at


def _look_at_the_keys(page: Page, at: tuple[int, int, int]) -> None:
    """Check that the fixed button covers no key and no card when the reader has scrolled to the felt."""
    page.evaluate("document.getElementById('felt').scrollIntoView({ behavior: 'instant' })")
    [button] = boxes(page, "#go")
    assert not any(overlaps(button, key) for key in boxes(page, "#pad button")), at
    for card in page.locator("#hand > *, #cards > *").all():
        # A problem with two rows of cards is longer than a window with large letters.
        card.evaluate("(one) => one.scrollIntoView({ block: 'nearest', behavior: 'instant' })")
    assert not any(overlaps(button, card) for card in boxes(page, "#hand > *, #cards > *")), at


@BY_LANG
@pytest.mark.parametrize("kind", ["count", "sets/crib", "sets/ladder", "daily"])
def test_practice_is_whole_and_its_button_stays_at_any_size(visit: Visit, lang: str, kind: str) -> None:
    page = visit(lang, reduced_motion="reduce").page
    page.goto(f"/practice/{kind}?lang={lang}")
    page.wait_for_selector("[data-ready]")
    places: dict[tuple[int, int, int], float] = {}
    if kind == "count":
        page.check('[name="seconds"][value="0"]', force=True)
        page.click("#begin")
        _look_at_practice(page, places)
        page.locator("#pad button").first.click()
    else:
        _look_at_practice(page, places)
        for place in range(2):
            page.locator("#hand button").nth(place).click()
    _look_at_practice(page, places)
    page.click("#go")
    if kind == "daily":
        page.wait_for_selector('[data-stage="solved"]')
        _look_at_practice(page, places)
        page.click("#go")
        page.locator("#hand button:not(.is-dim)").first.click()
        page.click("#go")
        page.wait_for_selector('[data-stage="solved"]')
        page.click("#go")
        _look_at_practice(page, places)
        return
    page.wait_for_selector('[data-stage="answered"], [data-stage="solved"]')
    _look_at_practice(page, places)


_SAY_GO = """() => document.querySelectorAll(".seats .plate").forEach((plate) => {
  plate.insertAdjacentHTML("beforeend", '<span class="bubble grid nowrap">Go</span>');
})"""


@pytest.mark.parametrize(("variant", "seats"), [("three-handed", 3), ("partners", 4)])
def test_go_covers_no_card_no_count_and_no_score(visit: Visit, variant: str, seats: int) -> None:
    player = visit("en", reduced_motion="reduce")
    page = player.page
    player.sit_down(variant=variant, **{f"level_{seat}": "random" for seat in range(1, seats)})
    next(asked for asked in player.play() if asked == "play")
    before = boxes(page, ".felt, .actions")
    page.keyboard.press("r")
    page.wait_for_selector("#reading p")
    assert boxes(page, ".felt, .actions") == before, "reading the table moves nothing"
    page.keyboard.press("Escape")
    page.evaluate(_SAY_GO)
    for across, down in SIZES:
        page.set_viewport_size({"width": across, "height": down})
        page.evaluate(_SETTLED, 16)
        others = boxes(page, ".card, .count, .score, .plate-name, .spot-name")
        said = boxes(page, ".seats .bubble")
        assert len(said) == seats - 1
        assert not any(overlaps(bubble, other) for bubble in said for other in others), (across, down)


def test_the_book_opens_without_scrolling_on_a_phone(visit: Visit) -> None:
    page = visit("en", phone=True).page
    page.goto("/book?lang=en")
    page.wait_for_selector("#picker button")
    assert all(is_inside(page, box) for box in boxes(page, "#pick > .book-fields > .row .button"))
