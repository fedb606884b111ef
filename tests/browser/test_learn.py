"""The lessons and a first game to 31, by clicks and by keys; the helpers of the first game."""

import json
import re
from itertools import combinations, pairwise

import pytest
from playwright.sync_api import Page, expect

from fifteentwo.i18n import text
from fifteentwo.rules.actions import Discard
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import from_json
from fifteentwo.rules.view import View
from fifteentwo.server.live.coach import make_first_verdict
from fifteentwo.server.study.lessons import lesson_screens
from tests.browser.conftest import PHONE
from tests.browser.learning import (
    answer,
    answer_again,
    begin,
    count_hand,
    do_right,
    first_game,
    in_hand,
    leave,
    lessons,
    read,
)
from tests.browser.test_boxes import LETTERS, at_each_size, boxes, is_inside, overlaps
from tests.support.accessible import clean
from tests.support.playing import PATIENCE_MS, Visit

SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    ("lang", "keys"),
    [
        ("en", False),
        pytest.param("en", True, marks=SLOW),
        pytest.param("ja", False, marks=SLOW),
        pytest.param("ja", True, marks=SLOW),
    ],
)
def test_the_lessons_and_a_first_game_to_31(visit: Visit, lang: str, keys: bool) -> None:
    player = visit(lang, phone=lang == "ja" and not keys, reduced_motion="reduce")
    page = player.page
    begin(player)
    for _ in lessons(player, keys=keys):
        pass
    asked = list(first_game(player, keys=keys))
    assert asked[0] == "discard", "the cards are dealt at once"
    over = page.locator("#first-over")
    expect(over).to_be_visible()
    assert max(player.scores()) >= 31
    if keys:
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    else:
        page.click('[data-action="on-to-61"]')
    expect(over).to_have_count(0)
    assert player.wait() in ("discard", "play", "continue", "cut", "over")
    page.reload()
    assert player.wait()
    expect(page.locator("#first-over")).to_have_count(0)


@pytest.mark.journey
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_first_game_leads_to_its_story_and_home_leads_back_to_the_step(visit: Visit, lang: str) -> None:
    """The lesson, the game and its end are each left, and entered again from the home page."""
    player = visit(lang, phone=True, reduced_motion="reduce")
    page = player.page
    begin(player)
    steps = lesson_screens(lang)
    for screen in steps[:3]:
        read(player, screen)
        do_right(player, screen, keys=False)
        leave(player, screen)
    page.click("#next")
    player.home()
    expect(page.locator("#learn-card small")).to_have_text(
        text("learn.card.continue", lang, n=4, of=len(steps))
    )
    page.click("#learn-card")
    expect(page.locator("#learn")).to_have_attribute("data-screen", steps[3].id)
    expect(page.locator("#learn")).to_have_attribute("data-page", "1")
    begin(player, at="start")
    page.click("#begin")
    page.wait_for_selector("#table")
    for asked in first_game(player, keys=False, until="play"):
        assert asked
    hand = player.view["hand"]
    player.home()
    page.click('[data-action="go-on"]')
    assert player.wait() == "play"
    assert player.view["hand"] == hand
    for asked in first_game(player, keys=False):
        assert asked
    words, scores = page.locator("#first-title").inner_text(), player.scores()
    shown = page.locator("#first-over b, .score-points").all_inner_texts()
    assert sorted(shown) == sorted(2 * [str(min(points, 31)) for points in scores])
    page.click('[data-action="story"]')
    _tells_who_won_the_race(page, words, scores, lang)
    _step_through_the_story(page)
    page.wait_for_selector("#table")
    assert player.wait() in ("discard", "play", "continue", "cut")
    expect(page.locator("#first-over")).to_have_count(0)
    player.home()
    expect(page.locator(".hero-line")).to_contain_text(text("home.going.first", lang, names="", n=61))
    page.click('[data-action="go-on"]')
    assert player.wait() in ("discard", "play", "continue", "cut")
    expect(page.locator("#first-over")).to_have_count(0)


@pytest.mark.journey
@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=SLOW)])
def test_missed_questions_are_asked_once_more_before_the_last_step(visit: Visit, lang: str) -> None:
    """A wrong answer and a shown one count as missed; a reload shows the same question again."""
    player = visit(lang, phone=True, reduced_motion="reduce")
    page = player.page
    begin(player)
    *questions, last = lesson_screens(lang)
    missed = ["sum", "pair", "pone"]
    for screen in questions:
        read(player, screen)
        if screen.id == "pair":
            page.click("#show-me")
        elif screen.id in missed:
            answer(player, screen, screen.wrong[0].answer, keys=False)
            if screen.discards:
                page.click("#discard")
            expect(page.locator("#status")).to_have_attribute("data-verdict", "wrong")
        if screen.id != "pair":
            do_right(player, screen, keys=False)
        leave(player, screen)
    learn, heading = page.locator("#learn"), page.locator("#heading")
    expect(learn).to_have_attribute("data-screen", "sum")
    expect(heading).to_have_text(text("learn.again", lang, n=3))
    expect(page.locator("#back")).to_be_hidden()
    by_name = {screen.id: screen for screen in questions}
    do_right(player, by_name["sum"], keys=False)
    leave(player, last)
    page.reload()
    expect(learn).to_have_attribute("data-screen", "pone")
    expect(heading).to_have_text(text("learn.again", lang, n=2))
    expect(page.locator("#text")).to_have_text(by_name["pone"].text)
    page.click("#show-me")
    leave(player, last)
    expect(heading).to_have_text(text("learn.again", lang, n=1))
    assert answer_again(player, keys=False) == ["pair"], "a question is asked again only once"
    end = page.locator("#lies")
    expect(end).to_contain_text(text("learn.result", lang, n=len(questions) - 3, of=len(questions)))
    for when, names in {"later": ("sum", "pair"), "missed": ("pone",)}.items():
        steps = text("list.comma", lang).join(by_name[name].title for name in names)
        expect(end).to_contain_text(text(f"learn.result.{when}", lang, steps=steps))
    page.reload()
    expect(learn).to_have_attribute("data-screen", "start")
    expect(end.locator("li")).to_have_count(9)
    page.click("#begin")
    page.wait_for_selector("#table")


def test_a_lesson_without_a_wrong_answer_says_so_and_asks_nothing_again(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player)
    for screen in lessons(player, keys=False):
        if screen.id == "start":
            count = len(lesson_screens("en")) - 1
            expect(page.locator("#lies h2")).to_have_text(text("learn.result.all", "en", of=count))
            expect(page.locator("#lies p")).to_have_text(text("learn.learned", "en"))


def test_every_pair_that_makes_fifteen_is_right(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    (screen,) = (one for one in lesson_screens("en") if one.id == "sum")
    for number, two in enumerate(screen.accept):
        begin(player, at="sum")
        chosen = tuple(card.text for card in two)
        answer(player, screen, chosen[:: 1 if number else -1], keys=False)
        expect(page.locator("#status")).to_have_text(screen.done)
        expect(page.locator("#next")).to_be_enabled()
        laid = page.locator("#played svg").evaluate_all("(all) => all.map((one) => one.dataset.card)")
        assert laid == [*chosen], "the cards lie in the order of the hand"
        expect(page.locator("#count")).to_have_text("2")


def test_a_wrong_discard_stays_until_another_card_is_tapped(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, at="pone")
    (screen,) = (one for one in lesson_screens("en") if one.id == "pone")
    read(player, screen)
    one, other = screen.wrong[0].answer
    outside = next(card.text for card in screen.cards if card.text not in (one, other))
    for tapped, left in ((outside, outside), (one, other)):
        answer(player, screen, (one, other), keys=False)
        page.click("#discard")
        expect(page.locator("#status")).to_contain_text(screen.wrong[0].why)
        expect(page.locator('#hand [aria-pressed="true"]')).to_have_count(2)
        page.click(f'#hand [data-card="{tapped}"]')
        expect(page.locator("#status")).to_be_empty()
        (raised,) = page.locator('#hand [aria-pressed="true"]').all()
        expect(raised).to_have_attribute("data-card", left)
        expect(page.locator("#discard")).to_be_disabled()
    page.click("#back")
    page.click("#next")
    expect(page.locator('#hand [aria-pressed="true"]')).to_have_count(0)


@pytest.mark.journey
def test_a_right_card_of_the_pegging_raises_the_score(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, at="fifteen")
    (screen,) = (one for one in lesson_screens("en") if one.id == "fifteen")
    expect(page.locator("#hand .would")).to_have_count(0)
    do_right(player, screen, keys=False)
    own, other = screen.front
    expect(page.locator("#score")).to_have_text(f"+2You {own + 2} Ada {other}")


def test_a_note_of_a_first_game_waits_for_a_press(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, at="start")
    page.click("#begin")
    for asked in first_game(player, keys=False, until="discard"):
        assert asked
    page.evaluate("document.querySelector('input[name=speed][value=fast]').click()")
    player.click("discard")
    page.wait_for_selector('#buttons :is([data-action="note"], [data-action="go-on"])')
    if page.locator('#buttons [data-action="take-back"]').count():
        expect(page.locator("#first-note")).to_be_empty()
        page.click('#buttons [data-action="go-on"]')
    note = page.locator("#first-note")
    go_on = page.locator('#buttons [data-action="note"]')
    expect(go_on).to_have_text(text("coach.next", "en"))
    words = note.inner_text()
    go_on.click()
    expect(note).not_to_have_text(words)


def test_a_costly_discard_of_a_first_game_is_explained_and_taken_back(visit: Visit) -> None:
    """The reason is read before any note; the switch of the hints ends the comments too."""
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, at="start")
    page.click("#begin")
    for hints in (True, False):
        for asked in first_game(player, keys=False, until="discard"):
            assert asked
        seen = from_json(json.dumps(player.view), View)
        every = (Discard(seen.seat, two) for two in combinations(seen.hand, 2))
        judged = ((one, make_first_verdict(seen, one, "en")) for one in every)
        chosen, reason = next((one, found.reasons[0]) for one, found in judged if found and found.mark)
        if not hints:
            page.evaluate("document.querySelector('[name=first-hints]').click()")
        for card in chosen.cards:
            page.locator(f'#hand button[data-card="{card}"]').click(position={"x": 8, "y": 16})
        page.click('[data-action="discard"]')
        if not hints:
            assert player.wait() == "play"
            expect(page.locator("#coach")).to_be_empty()
            return
        expect(page.locator("#coach")).to_contain_text(reason)
        page.click('[data-action="take-back"]')
        expect(page.locator("#hand button")).to_have_count(6)
        expect(page.locator("#coach")).to_be_empty()


def _tells_who_won_the_race(page: Page, dialog: str, scores: list[int], lang: str) -> None:
    """Expect the scores of the point that won the race, at most 31, its winner, and never “not finished”."""
    page.wait_for_selector("#story-bar [data-primary]:enabled", timeout=PATIENCE_MS)
    score = re.fullmatch(r"(\D+) (\d+) – (\D+) (\d+)", page.locator("#title").inner_text())
    assert score
    own, other = int(score[2]), int(score[4])
    assert [own, other] == [min(points, 31) for points in scores]
    assert (own >= 31) != (other >= 31)
    won = own >= 31
    assert dialog == (text("first.over", lang) if won else text("first.over-other", lang, name=score[3]))
    expect(page.locator('[data-kind="result"] .story-words p').first).to_have_text(
        text("story.race.you", lang) if won else text("story.race", lang, name=score[3])
    )
    expect(page.locator("#title-form")).not_to_contain_text(text("review.unfinished", lang))
    # Chances of the longer game would say nothing about this race.
    assert "%" not in str(page.locator(".story-picture").text_content())


def _step_through_the_story(page: Page) -> None:
    page.wait_for_selector("#story-bar [data-primary]:enabled", timeout=PATIENCE_MS)
    kinds = page.locator(".story-screen").evaluate_all("(all) => all.map((one) => one.dataset.kind)")
    assert kinds in (["result", "mistake", "well", "onward"], ["result", "well", "onward"])
    for kind in kinds:
        shown = page.locator(".story-screen:not([inert])")
        expect(shown).to_have_attribute("data-kind", kind)
        if kind == "mistake":
            expect(shown.locator(".is-best")).to_have_count(0)
            page.click("#story-bar [data-primary]")
            expect(shown.locator(".is-best").first).to_be_visible()
        expect(shown.locator(".story-words p").first).not_to_be_empty()
        page.click("#story-bar [data-primary]")


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=SLOW)])
def test_helpers_are_shown_until_31_and_can_be_switched(visit: Visit, lang: str) -> None:
    """The helpers are counts on cards, a hint at every move, and a board and scores that count to 31."""
    player = visit(lang, reduced_motion="reduce")
    page = player.page
    begin(player, at="start")
    page.click("#begin")
    page.wait_for_selector("#table")
    assert next(first_game(player, keys=False)) == "discard"
    page.evaluate(_WON_RACE)
    page.reload()
    hole = page.locator("#board .peg[data-peg=front]")
    for asked in first_game(player, keys=False):
        if asked == "first-over":
            break
        rest = page.locator("#scores .score-rest").all_inner_texts()
        assert rest == [
            text("table.to_go", lang, n=31 - int(score))
            for score in page.locator("#scores .score-points").all_inner_texts()
        ]
        if asked not in ("play", "discard"):
            continue
        expect(page.locator("#note p").first).to_be_visible()
        if asked == "discard":
            continue
        would = page.locator("#hand button:not([aria-disabled]) .would").all_inner_texts()
        cards = page.locator("#hand button:not([aria-disabled])").evaluate_all(
            "(all) => all.map((one) => one.dataset.card)"
        )
        values = [min("A23456789TJQK".index(card[0]) + 1, 10) for card in cards]
        assert [int(one) for one in would] == [player.view["count"] + value for value in values]
    assert {int(peg.get_attribute("data-hole") or 0) for peg in hole.all()} >= {31}, (
        "the game hole of this board"
    )
    # After a lost race the help stays.
    page.click('[data-action="on-to-61"]')
    expect(page.locator("#scores .score-rest").first).to_contain_text(
        str(61 - player.scores()[player.view["seat"]])
    )
    expect(page.locator("#note p")).to_have_count(0)
    for asked in first_game(player, keys=False, until="play"):
        assert asked
    expect(page.locator(".would")).to_have_count(0)
    expect(page.locator("#note p")).to_have_count(0)
    page.keyboard.press("s")
    switch = page.locator('[name="first-counts"]')
    expect(switch).not_to_be_checked()
    switch.click()
    page.keyboard.press("Escape")
    expect(page.locator(".would").first).to_be_visible()


def test_the_end_of_a_race_is_shown_once_here_and_not_at_all_in_another_browser(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, at="start")
    page.click("#begin")
    for asked in first_game(player, keys=False):
        assert asked
    expect(page.locator("#first-over")).to_be_visible()
    for script in ("() => {}", "() => localStorage.clear()"):
        page.evaluate(script)
        page.reload()
        assert player.wait() in ("discard", "play", "continue", "cut")
    for asked in first_game(player, keys=False, until="play"):
        assert asked != "first-over"
    expect(page.locator("#first-over")).to_have_count(0)


_WON_RACE = """() => {
  const key = "fifteentwo.first-game.progress";
  localStorage[key] = JSON.stringify({ ...JSON.parse(localStorage[key]), winner: 0 });
}"""
"""Let the reader reach 31 first."""


@pytest.mark.parametrize("won", [True, False])
def test_help_is_kept_until_a_race_is_won_and_a_lost_race_offers_another(visit: Visit, won: bool) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, at="start")
    page.click("#begin")
    assert next(first_game(player, keys=False)) == "discard"
    page.evaluate(_WON_RACE if won else _WON_RACE.replace("winner: 0", "winner: 1"))
    page.reload()
    for asked in first_game(player, keys=False):
        assert asked
    title = text("first.over", "en") if won else text("first.over-other", "en", name="Ada")
    expect(page.locator("#first-title")).to_have_text(title)
    expect(page.locator('#first-over [data-won="true"] .over-name')).to_have_text("You" if won else "Ada")
    game = page.url
    if not won:
        page.click("#first-again")
        page.wait_for_url(lambda url: url.split("#")[0] != game.split("#")[0])
        assert next(first_game(player, keys=False)) == "discard"
        assert player.scores() == [0, 0]
        page.goto(game)
    else:
        page.click('[data-action="on-to-61"]')
    for asked in first_game(player, keys=False, until="play"):
        assert asked
    expect(page.locator("#note p").first).to_be_visible(visible=not won)


def test_the_scores_of_a_hand_stay_with_their_cards_until_the_reader_goes_on(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, speed="fast", at="start")
    page.click("#begin")
    counted: list[int] = []

    def read_show() -> None:
        lines = page.locator("#first-note li")
        if page.locator("#stage .show").count() and lines.count():
            points = [
                int(found) for found in re.findall(r" for (\d+):", page.locator("#first-note").inner_text())
            ]
            assert sum(points) == int(page.locator("#show-total").inner_text())
            assert all(one.locator(".card").count() > 0 for one in lines.all())
            counted.append(sum(points))

    for asked in first_game(player, keys=False, until="continue", on_note=read_show):
        assert asked
    assert counted


@pytest.mark.parametrize(
    ("lang", "scheme", "phone"),
    [
        ("en", "light", True),
        pytest.param("ja", "dark", True, marks=SLOW),
        pytest.param("ja", "light", False, marks=SLOW),
    ],
)
def test_every_wrong_answer_of_every_step_is_explained_in_the_window(
    visit: Visit, lang: str, scheme: str, phone: bool
) -> None:
    player = visit(lang, phone=phone, color_scheme=scheme, reduced_motion="reduce")
    page = player.page
    if phone:
        page.set_viewport_size({"width": 360, "height": 640})
    begin(player)
    status = page.locator("#status")
    for screen in lessons(player, keys=False):
        for number, wrong in enumerate(screen.wrong):
            answer(player, screen, wrong.answer, keys=False)
            if screen.discards:
                page.click("#discard")
            tip = screen.better if number else screen.hint
            expect(status).to_have_text((" " if tip and lang == "en" else "").join((wrong.why, tip)))
            marked = page.locator("#hand [data-verdict=wrong]").evaluate_all(
                "(all) => all.map((one) => one.dataset.card)"
            )
            assert {*marked} == {*wrong.answer}, "the wrong choice stays visible"
            expect(page.locator("#next")).to_be_disabled()
            assert page.evaluate(UNCOVERED), (screen.id, wrong.why)
        for good in screen.good:
            answer(player, screen, good.answer, keys=False)
            page.click("#discard")
            expect(status).to_have_text(good.why)
            expect(page.locator("#next")).to_be_enabled()
            expect(page.locator("#hand [data-verdict=good]")).to_have_count(len(good.answer))
            assert page.evaluate(UNCOVERED), (screen.id, good.why)
        clean(player, screen.id)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), screen.id


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=SLOW)])
def test_the_primary_button_keeps_its_place_and_nothing_is_clipped(visit: Visit, lang: str) -> None:
    player = visit(lang, phone=True, reduced_motion="reduce")
    page = player.page
    begin(player)
    tops: dict[tuple[int, int, int], list[float]] = {}
    for screen in lesson_screens(lang):
        pages = [*screen.before, None, None, *screen.after][: None if screen.id != "start" else 1]
        longest = max((one for one in pages if one), key=lambda one: len(one.words), default=None)
        for at_page, shown in enumerate(pages):
            if at_page == len(screen.before) + 1:
                do_right(player, screen, keys=False)
                expect(page.locator("#next")).to_be_enabled()
            elif at_page:
                page.click("#next")
            if shown and shown.scores:
                count_hand(player, shown)
            elif shown not in (None, longest):
                continue
            for across, down, letters in at_each_size(page):
                at = screen.id, at_page, across, down, letters
                (primary,) = boxes(page, "#next, #discard, #begin")
                tops.setdefault((across, down, letters), []).append(primary[1])
                assert is_inside(page, primary), at
                assert primary[1] > down * 2 / 3, at
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), at
                assert page.evaluate(CLIPPED) == [], at
                if letters == LETTERS[0]:
                    (foot,) = boxes(page, ".learn-foot")
                    answers = boxes(page, "#hand button, #lies .card")
                    assert not any(overlaps(one, foot) or not is_inside(page, one) for one in answers), at
            page.set_viewport_size(PHONE)
        if screen.id != "start":
            page.click("#next")
    for size, found in tops.items():
        assert max(abs(one - other) for one, other in pairwise(found)) <= 8, (size, found)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_end_fits_small_windows_if_six_questions_were_missed(visit: Visit, lang: str) -> None:
    player = visit(lang, phone=True, reduced_motion="reduce")
    page = player.page
    begin(player)
    names = [screen.id for screen in lesson_screens(lang)[:-1]]
    for later in (0, 1, 3):
        kept = {"at": "start", "done": names, "first": names[6:], "learned": names[:later]}
        page.evaluate("(kept) => localStorage.setItem('fifteentwo.learn', kept)", json.dumps(kept))
        for across, down in ((360, 640), (390, 844), (844, 390)):
            page.set_viewport_size({"width": across, "height": down})
            page.reload()
            expect(page.locator("#lies li")).to_have_count(9)
            (foot,) = boxes(page, ".learn-foot")
            shown = boxes(page, "#lies :is(h2, p, li)")
            assert not any(overlaps(one, foot) or not is_inside(page, one) for one in shown), (across, later)


CLIPPED = """() => [...document.querySelectorAll("#learn button, #learn p, #learn h2")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""
"""Texts that are wider than their places."""
UNCOVERED = """() => {
  const { left, top, right, bottom } = document.querySelector("#status").getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && seen?.closest("#status") !== null;
}"""
"""Whether the explanation is inside the window and not covered."""


@pytest.mark.journey
@pytest.mark.parametrize("step", ["double", "flush"])
def test_a_hand_is_counted_by_its_cards_in_any_order(visit: Visit, step: str) -> None:
    """A sum over 15, another card and a score counted twice are explained; right scores raise the total."""
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player, at=step)
    (screen,) = (one for one in lesson_screens("en") if one.id == step)
    shown = screen.after[0]
    read(player, screen)
    do_right(player, screen, keys=False)
    page.click("#next")
    status, total = page.locator("#status"), 0
    fifteens = [one for one in shown.scores if one.name == "fifteen"]

    def tap(*taken: Card) -> None:
        for card in taken:
            page.click(f'#hand [data-card="{card.text}"]')

    over = [card for card in in_hand(shown) if card.value > 5][-2:]
    tap(*over)
    n, last = sum(card.value for card in over), over[-1].value
    expect(status).to_have_text(text("learn.wrong.fifteen", "en", count=n - last, card=last, n=n))
    expect(page.locator("#next")).to_be_disabled()
    for number, score in enumerate([*reversed(fifteens), *shown.scores[len(fifteens) :]]):
        if score is shown.scores[-1]:
            page.click("#show-me")
        else:
            tap(*reversed(score.cards))
        total += score.points
        expect(page.locator("#count")).to_have_text(str(total))
        expect(status).to_have_attribute("data-verdict", "right")
        expect(page.locator(".learn-found li")).to_have_count(number + 1)
        if not number:
            tap(*score.cards)
            expect(status).to_have_text(text("learn.say.again", "en"))
            expect(page.locator("#count")).to_have_text(str(total))
    assert total == shown.total
    expect(page.locator("#next")).to_be_enabled()
    expect(page.locator("#strip [data-side='0'][data-peg=front]")).to_have_attribute(
        "data-hole", str(shown.front[0])
    )
    page.click("#next")
    expect(page.locator("#text")).to_have_text(screen.after[1].words)
    expect(page.locator(".learn-found")).to_have_count(0)


@pytest.mark.journey
def test_the_map_shows_the_step_and_leads_back_to_steps_that_are_done(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player)
    steps = lesson_screens("en")
    for screen in steps[:2]:
        read(player, screen)
        do_right(player, screen, keys=False)
        leave(player, screen)
    for address in ("/?lang=en", "/rules?lang=en"):
        page.goto(address)
        page.locator("main [data-learn]").click()
        page.wait_for_selector("#learn[data-ready]")
        expect(page.locator("#learn")).to_have_attribute("data-screen", steps[2].id)
    page.click("#steps")
    opened = page.locator("#map")
    expect(opened.locator("[aria-current=step]")).to_have_text(text(f"learn.title.{steps[2].id}", "en"))
    expect(opened.locator("button:disabled")).to_have_count(len(steps) - 3)
    opened.locator(f'[data-step="{steps[0].id}"]').click()
    expect(opened).to_be_hidden()
    expect(page.locator("#learn")).to_have_attribute("data-screen", steps[0].id)
    page.click("#steps")
    opened.locator(f'[data-step="{steps[2].id}"]').click()
    expect(page.locator("#learn")).to_have_attribute("data-screen", steps[2].id)


def test_back_leads_to_the_text_before_and_asks_questions_anew(visit: Visit) -> None:
    player = visit("en", phone=True, reduced_motion="reduce")
    page = player.page
    begin(player)
    *steps, last = lesson_screens("en")[:4]
    for screen in steps:
        read(player, screen)
        do_right(player, screen, keys=False)
        leave(player, screen)
    read(player, last)
    do_right(player, last, keys=False)
    expect(page.locator("#next")).to_be_enabled()
    texts = [one.words for one in last.before]
    for screen in reversed(steps):
        texts[:0] = [*(one.words for one in screen.before), screen.text, *(one.words for one in screen.after)]
    for shown in reversed(texts):
        page.click("#back")
        expect(page.locator("#text")).to_have_text(shown)
        expect(page.locator("#status")).to_be_empty()
    expect(page.locator("#back")).to_be_hidden()


def test_home_and_rules_link_to_the_lessons_after_a_game_began(visit: Visit) -> None:
    player = visit("en")
    player.home()
    player.page.locator('[data-action="quick"]').click()
    player.page.wait_for_selector('#table:not([data-phase="connecting"])')
    for address in ("/", "/rules"):
        player.page.goto(f"{address}?lang=en")
        expect(player.page.locator("main [data-learn]")).to_have_attribute("href", "/learn")
