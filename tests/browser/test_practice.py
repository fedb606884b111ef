"""Practice pages: counting by keys and by touch, sets, the daily game and the ladder."""

import json
import random
import re
from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from fifteentwo.i18n import text
from fifteentwo.rules import show
from fifteentwo.server.study import daily
from tests.support.accessible import clean
from tests.support.live_server import Live
from tests.support.playing import Visit


def test_ten_hands_are_counted_by_keys_and_the_result_is_kept(visit: Visit) -> None:
    player = visit("en", color_scheme="light")
    page = player.page
    page.goto("/practice/count?lang=en")
    page.wait_for_selector("#drill[data-ready]")
    clean(player, "before the first hand")
    page.check('[name="seconds"][value="0"]')
    page.locator("#begin").press("Enter")
    for number in range(10):
        expect(page.locator("#drill")).to_have_attribute("data-stage", "asked")
        # No hand counts nineteen (R90).
        for key in ("1", "9", "Enter"):
            player.key(key)
        expect(page.locator("#drill")).to_have_attribute("data-stage", "answered")
        expect(page.locator("#round .is-wrong")).to_have_count(number + 1)
        if number == 0:
            clean(player, "an answer")
        player.key("Enter")
    expect(page.locator("#over-title")).to_have_text(text("practice.count.over", "en", n=0, of=10))
    expect(page.locator("#work-on a")).to_have_attribute("href", "/practice/sets/ladder")
    clean(player, "the end of the round")
    page.reload()
    expect(page.locator("#kept-result")).to_contain_text("0 of 10")


def test_scores_are_claimed_one_by_one_by_touch(visit: Visit) -> None:
    player = visit("ja", phone=True, color_scheme="dark")
    page = player.page
    page.goto("/practice/count?lang=ja")
    page.wait_for_selector("#drill[data-ready]")
    page.locator('[name="how"][value="items"]').tap()
    page.locator('[name="seconds"][value="0"]').tap(force=True)
    page.locator("#begin").tap()
    cards = page.locator("#cards button")
    expect(cards).to_have_count(5)
    # Every subset of the cards is claimed, so that no score is missed.
    for chosen in range(1, 32):
        for place in range(5):
            if chosen & (1 << place):
                cards.nth(place).tap()
        page.locator("#go").tap()
    page.locator("#go").tap()
    expect(page.locator("#round .is-right")).to_have_count(1)
    clean(player, "score by score")


def test_a_set_is_solved_and_explained(visit: Visit) -> None:
    player = visit("ja", phone=True)
    page = player.page
    page.goto("/practice?lang=ja")
    clean(player, "practice")
    page.click('[href="/practice/sets/crib"]')
    page.wait_for_selector('#solve[data-stage="asked"]')
    clean(player, "a position")
    player.key("1")
    player.key("2")
    player.key("Enter")
    page.wait_for_selector('#solve[data-stage="solved"]')
    expect(page.locator("#choices .is-own")).to_have_count(1)
    expect(page.locator("#verdict")).not_to_be_empty()
    clean(player, "an answer")
    first = page.locator("#hand").inner_html()
    page.click("#go")
    page.wait_for_selector('#solve[data-stage="asked"]')
    assert page.locator("#hand").inner_html() != first
    page.goto("/practice?lang=ja")
    expect(page.locator('[href="/practice/sets/crib"] [data-done]')).to_contain_text("1/64")
    expect(page.locator("#skill-list")).to_contain_text(re.compile(r"相手のクリブへ[01]/1"))
    clean(player, "practice with progress")
    for address in ("errors", "daily", "duplicate"):
        page.goto(f"/practice/{address}")
        clean(player, address)


BUTTON_PLACE = """() => {
  const { top, bottom } = document.getElementById("go").getBoundingClientRect();
  return [top, bottom];
}"""


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_next_action_stays_in_one_place(visit: Visit, lang: str) -> None:
    """Practice is answered and continued by one button, in the window's lower third on phones."""
    page = visit(lang, reduced_motion="reduce").page
    for width, height in ((360, 640), (390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for address in ("/practice/sets/crib", "/practice/count"):
            page.goto(f"{address}?lang={lang}")
            if address.endswith("count"):
                page.check('[name="seconds"][value="0"]', force=True)
                page.click("#begin")
                page.wait_for_selector('#drill[data-stage="asked"]')
                page.locator("#pad button").first.click()
            else:
                page.wait_for_selector('#solve[data-stage="asked"]')
                for place in (0, 1):
                    page.locator("#hand button").nth(place).click(position={"x": 8, "y": 16})
            top, bottom = before = page.evaluate(BUTTON_PLACE)
            assert bottom <= height, (width, address)
            assert min(width, height) > 400 or top > height * 2 / 3, (width, address)
            page.locator("#go").click()
            page.wait_for_selector('[data-stage="solved"], [data-stage="answered"]')
            after = page.evaluate(BUTTON_PLACE)
            assert after == pytest.approx(before, abs=8), (width, address)


def test_the_daily_game_ends_with_its_result_and_a_text_to_paste(
    visit: Visit, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = (None, "small", "mistake", "blunder", None)
    score = daily.DailyScore(0.0312, 30, (121, 98), True, marks)
    monkeypatch.setattr(daily, "review_score", lambda *_: score)
    monkeypatch.setattr(daily, "GAMES_PER_LEVEL", 0)
    player = visit("en", reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    game = ""
    with live.person() as aiko:
        for day in ("2026-05-01", "2026-05-02"):
            monkeypatch.setattr(daily, "today", lambda day=day: day)
            game = str(aiko.browser.post("/practice/daily").headers["location"]).split("/")[2]
            with aiko.open(game) as table:
                table.play_out(random.Random(3))
        cookie = {"name": "fifteentwo", "value": aiko.browser.cookies["fifteentwo"], "url": live.http}
    page = player.page
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(f"/game/{game}?lang=en")
    way = page.locator('[data-action="daily"]')
    expect(way).to_have_text(text("over.daily", "en"))
    expect(page.locator('[data-action="next"]')).to_have_count(0)
    clean(player, "the end of the day's game")
    page.keyboard.press("Enter")
    page.wait_for_url("**/practice/daily?day=2026-05-02")
    expect(page.locator("#daily")).to_have_attribute("data-over", "yes")
    results = {
        "en": [
            "Fifteen Two, daily deal of 2 May 2026",
            "◎△△×◎ (2 of 5 deals practically best)",
            "Won 121–98, 3.1 points of win chance lost",
        ],
        "ja": [
            "フィフティーン・ツー　今日のディール　2026年5月2日",
            "◎△△×◎（5ディール中2回は最善とほぼ同じ）",
            "121対98で勝ち、逃した勝率3.1ポイント",
        ],
    }
    for lang, lines in results.items():
        page.goto(f"/practice/daily?day=2026-05-02&lang={lang}")
        expect(page.locator("#signs")).to_have_text("◎△△×◎")
        expect(page.locator("#signs-in-words")).to_contain_text(text("review.mark.blunder", lang))
        page.locator("#copy").click()
        expect(page.locator("#copied")).to_have_text(text("practice.daily.copied", lang))
        pasted = page.evaluate("navigator.clipboard.readText()")
        assert pasted.splitlines() == [*lines, f"{live.http}/practice/daily"]
    clean(player, "the day's result")


@pytest.mark.journey
def test_right_answers_climb_the_ladder_and_the_streak_is_kept(visit: Visit) -> None:
    player = visit("en")
    page = player.page
    answers = iter([True] * 4 + [False])
    choice = {"cards": ["5H"], "points": 1.0, "win": 0.5, "loss": 0.0, "chosen": True}
    why = ["The first reason.", "The second."]

    def answer(route: Route) -> None:
        solved = {
            "mark": None,
            "loss": 0.0,
            "by_chance": True,
            "best": ["5H"],
            "choices": [choice],
            "why": why,
            "before": [],
        }
        route.fulfill(json=solved | {"right": next(answers), "due": None})

    page.route("**/practice/sets/ladder/answer", answer)
    page.goto("/practice?lang=en")
    page.click('[href="/practice/sets/ladder"]')

    def solve() -> None:
        page.wait_for_selector('#solve[data-stage="asked"]')
        for card in page.locator("#hand button:not([aria-disabled])").all()[:2]:
            card.click()
        page.click("#go")
        page.wait_for_selector('#solve[data-stage="solved"]')

    def standing(n: int, level: str, streak: int, best: int) -> None:
        named = text(f"level.{level}", "en")
        expect(page.locator("#left")).to_have_text(
            text("practice.ladder.standing", "en", n=n, of=5, level=named)
        )
        expect(page.locator("#streak")).to_have_text(
            text("practice.ladder.streak", "en", n=streak, best=best)
        )

    raised = ""
    for _ in range(3):
        solve()
        expect(page.locator("#why li")).to_have_text(why[:1])
        raised = page.locator("#due").inner_text()
        page.click("#go")
    assert raised == text("practice.ladder.up", "en", level=text("level.casual", "en"))
    standing(2, "casual", 3, 3)
    solve()
    page.reload()
    standing(2, "casual", 4, 4)
    solve()
    standing(2, "casual", 0, 4)
    clean(player, "the ladder")


def test_a_wrong_answer_comes_back_in_its_sitting_which_ends_after_ten_problems(visit: Visit) -> None:
    page = visit("en", phone=True).page
    asked: list[str] = []

    def answer(route: Route) -> None:
        sent = json.loads(route.request.post_data or "")
        is_right = len(asked) not in (0, 9)
        asked.append(sent["id"])
        solved = {
            "mark": None,
            "loss": 0.1,
            "by_chance": True,
            "why": ["A reason."],
            "due": None,
            "before": [],
        }
        choice = {"cards": sent["cards"], "points": 1.0, "win": 0.5, "loss": 0.0, "chosen": True}
        route.fulfill(json=solved | {"right": is_right, "best": sent["cards"], "choices": [choice]})

    page.route("**/practice/sets/traps/answer", answer)
    page.goto("/practice/sets/traps?lang=en")
    for number in range(12):
        page.wait_for_selector('#solve[data-stage="asked"]')
        left = text("practice.solve.retries", "en", n=1) if number in (4, 11) else ""
        expect(page.locator("#left")).to_have_text(left)
        page.locator("#hand button:not([aria-disabled])").first.click()
        page.click("#go")
        page.wait_for_selector('#solve[data-stage="solved"]')
        page.click("#go")
    page.wait_for_selector('#solve[data-stage="over"]')
    # The first problem is repeated after three others; the last wrong one after the ten.
    assert asked == ["0", "1", "2", "3", "0", *map(str, range(4, 10)), asked[9]]
    expect(page.locator("#verdict")).to_have_text(text("practice.solve.over", "en", n=8, of=10))
    expect(page.locator(".solve-missed .is-own")).to_have_count(2)
    expect(page.locator(".solve-missed")).to_have_text(["A reason."] * 2)
    expect(page.locator("#why a")).to_have_attribute("href", "/practice/sets/ladder")
    expect(page.locator("#go")).to_have_text(text("practice.solve.more", "en"))
    page.goto("/practice?lang=en")
    expect(page.locator('[href="/practice/sets/traps"] [data-done]')).to_have_text("10 of 59 done")
    expect(page.locator("#skill-list")).to_have_text("Pegging8/10")
    page.evaluate(f"localStorage.setItem('fifteentwo.daily', '{{\"day\": \"{daily.today()}\"}}')")
    # The count of the daily deal is an answer of the skill, not of the exercise.
    page.evaluate("localStorage.setItem('fifteentwo.practice.skills', '{\"counting\": \"0\"}')")
    page.reload()
    expect(page.locator("#skill-list")).to_have_text("Counting0/1")
    expect(page.locator('[href="/practice/count"] [data-done]')).to_have_text("")
    expect(page.locator("#next")).to_have_attribute("href", "/practice/sets/traps")


def _check_places(places: list[list[float]]) -> None:
    """Check that a button was at one place of a phone's window each time it was measured."""
    for place in places:
        assert place == pytest.approx(places[0], abs=8)
        assert place[1] <= 844


def _copied_result(page: Page) -> list[str]:
    """Press "Share result" in a browser that cannot share, and return the lines that were copied."""
    page.evaluate("navigator.share = undefined")
    page.locator("#share").click()
    expect(page.locator("#copied")).to_have_text(text("practice.daily.copied", "en"))
    return list(page.evaluate("navigator.clipboard.readText()").splitlines())


def _check_result(page: Page, address: str, days: int) -> None:
    """Check the result of three right answers, and what it copies, after days in a row."""
    expect(page.locator("#tasks-done b")).to_have_text(["◎ Discard", "◎ Play", "◎ Count"])
    expect(page.locator("#marks li")).to_have_text(["◎DiscardBest", "◎PlayBest", "◎CountRight"])
    expect(page.locator("#holes i").nth(days - 1)).to_have_class("is-right")
    expect(page.locator(".daily-whole")).to_be_visible()
    expect(page.locator("#people")).to_have_text(text("practice.daily.first", "en"))
    expect(page.locator("#discards li")).to_have_count(0)
    row = ["2 days in a row"] if days == 2 else []
    assert _copied_result(page)[1:] == ["Discard ◎  Play ◎  Count ◎", *row, address]


def test_the_daily_deal_takes_three_screens_from_home_and_can_be_shared(
    visit: Visit, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = visit("en", phone=True, permissions=["clipboard-read", "clipboard-write"])
    page = player.page
    for number, (day, days) in enumerate({"2026-06-01": 1, "2026-06-03": 2, "2026-06-06": 1}.items()):
        monkeypatch.setattr(daily, "today", lambda day=day: day)
        page.goto("/?lang=en")
        page.locator('[data-action="today"]').click()
        page.wait_for_selector("#daily[data-ready]")
        tasks, places = daily.tasks(day), []
        best = daily.judge(daily.DailyAnswers(day, tasks.deal.hand[:2], tasks.problem.fits[:1]), "en")
        assert best.problem
        points = show.points(tasks.hand, tasks.starter)
        for screen, cards in enumerate((best.deal.best, best.problem.best)):
            expect(page.locator("#step")).to_have_text(text("practice.daily.step", "en", n=screen + 1))
            expect(page.locator("#go")).to_be_disabled()
            expect(page.locator(".daily-whole")).to_be_hidden()
            expect(page.locator("#daily time")).to_be_visible()
            if not number:
                clean(player, f"screen {screen}")
            for card in cards:
                page.locator(f'#hand button[data-card="{card.text}"]').click()
            places.append(page.evaluate(BUTTON_PLACE))
            page.locator("#go").click()
            expect(page.locator("#verdict")).to_have_text(f"◎ {text('practice.solve.right', 'en')}")
            expect(page.locator('#hand [data-answer="✓"]')).to_have_count(len(cards))
            if number == 1:
                # Whoever comes back goes on with the next task.
                page.reload()
                page.wait_for_selector("#daily[data-ready]")
            else:
                if not number:
                    clean(player, f"reply {screen}")
                places.append(page.evaluate(BUTTON_PLACE))
                page.locator("#go").click()
        for digit in str(points):
            page.locator(f'#pad [data-key="{digit}"]').click()
        places.append(page.evaluate(BUTTON_PLACE))
        page.locator("#go").click()
        expect(page.locator("#verdict")).to_have_text(f"◎ {text('practice.daily.counted', 'en', n=points)}")
        page.locator("#go").click()
        expect(page.locator("#daily")).to_have_attribute("data-stage", "done")
        _check_places(places)
        _check_result(page, f"{live.http}/practice/daily", days)
        assert not {card.text for card in tasks.deal.hand} & set(" ".join(_copied_result(page)).split())
    clean(player, "the result")
    page.reload()
    expect(page.locator("#daily")).to_have_attribute("data-stage", "done")
    expect(page.locator("#days")).to_contain_text("1 day in a row")


DOUBLE_TAP = """(button) => {
  const { left, top } = button.getBoundingClientRect();
  const tap = { bubbles: true, cancelable: true, detail: 2, clientX: left + 9, clientY: top + 9 };
  document.body.dispatchEvent(new MouseEvent("click", { ...tap, detail: 1 }));
  button.dataset.at = "another";
  button.dispatchEvent(new MouseEvent("click", tap));
}"""


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_wrong_answers_of_the_daily_deal_are_explained_on_one_screen(
    visit: Visit, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = "2026-11-28"
    monkeypatch.setattr(daily, "today", lambda: day)
    page = visit(lang, phone=True).page
    page.goto(f"/practice/daily?lang={lang}")
    page.wait_for_selector("#daily[data-ready]")
    for pick in (2, 1):
        for _ in range(pick):
            page.locator('#hand button[aria-pressed="false"]:not(.is-dim)').first.click()
        page.click("#go")
        expect(page.locator("#verdict")).to_contain_text(re.compile("[△×]"))
        expect(page.locator('#hand [data-answer="✗"]')).not_to_have_count(0)
        expect(page.locator("#why li")).to_have_count(1)
        # The second tap of a double tap does not skip the reply.
        page.locator("#go").evaluate(DOUBLE_TAP)
        expect(page.locator("#why li")).to_have_count(1)
        page.click("#go")
    # 55 is no hand's points; a second 5 begins again.
    for key, shown in (("2", "2"), ("9", "29"), ("5", "5"), ("5", "5")):
        page.click(f'#pad [data-key="{key}"]')
        expect(page.locator("#typed")).to_have_text(shown)
    page.click("#go")
    expect(page.locator("#why li")).to_have_count(4)
    page.click("#go")
    expect(page.locator("#daily")).to_have_attribute("data-stage", "done")
    tasks = page.locator("#tasks-done > li")
    expect(tasks.nth(0).locator('[data-answer="✓"]')).to_have_count(2)
    expect(tasks.nth(0).locator('[data-answer="✗"]')).not_to_have_count(0)
    # 5-Q, 5-K, 2-3-Q and 2-3-K are fifteen each.
    expect(tasks.nth(2)).to_contain_text(text("practice.daily.miscounted", lang, n=8, own=5))
    [streak, button] = [page.locator(one).bounding_box() for one in (".daily-streak", "#share")]
    assert streak
    assert button
    assert streak["y"] + streak["height"] <= button["y"], "the result is seen without scrolling"


@pytest.mark.parametrize(("ago", "shown"), [(0, "done"), (1, "streak"), (3, "plain")])
def test_home_says_whether_the_daily_deal_is_done_and_its_streak(visit: Visit, ago: int, shown: str) -> None:
    page = visit("en").page
    day = (date.fromisoformat(daily.today()) - timedelta(days=ago)).isoformat()
    kept = json.dumps({"day": day, "streak": 4})
    page.add_init_script(f"localStorage.setItem('fifteentwo.daily', {json.dumps(kept)})")
    page.goto("/?lang=en")
    days = text("practice.daily.days", "en", n=4)
    words = {
        "done": text("home.daily.done", "en", days=days),
        "streak": f"{text('home.daily', 'en')} · {days}",
        "plain": text("home.daily", "en"),
    }
    expect(page.locator('[data-action="today"]')).to_have_text(words[shown])
