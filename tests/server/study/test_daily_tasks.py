"""The daily deal's three tasks: the same for everyone, judged once, and counted without names."""

import json
import time
from datetime import date, timedelta

import httpx
import pytest

from fifteentwo.rules import show
from fifteentwo.server.people import expiry
from fifteentwo.server.store.schema import daily_discard
from fifteentwo.server.store.store import Store
from fifteentwo.server.study import daily, mistakes
from tests.support.accounts import keep
from tests.support.live_server import Live, Person


def answer(person: Person, discard: list[str], day: str = "", **headers: str) -> httpx.Response:
    tasks = daily.tasks(day or daily.today())
    body = {"day": tasks.day, "deal": discard, "problem": [tasks.problem.fits[0].text]}
    return person.browser.post("/practice/daily/answer", content=json.dumps(body), headers=headers)


def test_tasks_of_a_year_are_whole_and_rarely_worth_nothing() -> None:
    points = []
    for number in range(365):
        tasks = daily.tasks((date(2026, 1, 1) + timedelta(days=number)).isoformat())
        assert (len(set(tasks.deal.hand)), tasks.deal.pick, tasks.problem.pick) == (6, 2, 1)
        assert tasks.problem.fits
        assert len({*tasks.hand, tasks.starter}) == 5
        points.append(show.points(tasks.hand, tasks.starter))
    assert points.count(0) < 5
    assert max(points) <= 29


def test_everyone_sees_counts_only_after_the_own_answer_which_counts_once(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "today", lambda: "2027-03-01")
    deal = [card.text for card in daily.tasks(daily.today()).deal.hand]
    first, other = sorted(deal[:2]), sorted(deal[2:4])
    with live.person("en") as aiko, live.person("ja", address="127.0.0.2") as ken:
        assert '"discards":' not in aiko.browser.get("/practice/daily").text
        [mine] = answer(aiko, first).json()["discards"]
        assert (sorted(mine["cards"]), mine["count"]) == (first, 1)
        # A second answer is judged, but does not count.
        again = answer(aiko, other).json()
        assert [one["count"] for one in again["discards"]] == [1]
        assert sorted(again["discards"][0]["cards"]) == first
        both = {" ".join(sorted(one["cards"])): one["count"] for one in answer(ken, other).json()["discards"]}
        assert both == {" ".join(first): 1, " ".join(other): 1}
        exported = aiko.browser.post("/account/export").json()["daily_discards"]
        assert exported == [{"day": daily.today(), "cards": " ".join(first)}]
        aiko.browser.post("/account/delete", data={"sure": "yes"})
        [left] = answer(ken, other).json()["discards"]
        assert sorted(left["cards"]) == other


def test_answers_of_other_sites_days_and_cards_are_refused(
    aiko: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "today", lambda: "2027-04-01")
    hand = [card.text for card in daily.tasks(daily.today()).deal.hand]
    absent = next(card for card in ("AS", "2S", "3S", "4S", "5S", "6S", "7S") if card not in hand)
    assert answer(aiko, hand[:2], Origin="https://elsewhere.example").status_code == 403
    for offset, status in ((1, 404), (-1, 200), (-2, 404)):
        day = (date.fromisoformat(daily.today()) + timedelta(days=offset)).isoformat()
        then = [card.text for card in daily.tasks(day).deal.hand]
        assert answer(aiko, then[:2], day).status_code == status
    for cards in (hand[:1], hand[:3], [hand[0], hand[0]], [hand[0], absent], []):
        assert answer(aiko, cards).status_code == 400
    [counted] = answer(aiko, hand[:2]).json()["discards"]
    assert counted["count"] == 1


async def test_discards_are_removed_after_thirty_days(tmp_path: object) -> None:
    store = await Store.open(f"{tmp_path}/games.sqlite3")
    for age in (0, 29, 32):
        day = (date.fromisoformat(daily.today()) - timedelta(days=age)).isoformat()
        await store.execute(daily_discard.insert().values(day=day, owner="o", cards="4C JH"))
    await expiry.clean_up(store, 0)
    assert len(await store.select(daily_discard.select())) == 2
    await store.close()


def test_costly_answers_are_practised_from_tomorrow_and_counted_once(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deal is judged before the problem is answered; whoever signs up keeps the mistakes."""
    day = "2026-11-28"
    monkeypatch.setattr(daily, "today", lambda: day)
    tasks = daily.tasks(day)
    wrong, card = [card.text for card in tasks.deal.hand[:2]], tasks.problem.fits[0].text
    with live.person("en") as aiko:
        first = aiko.browser.post("/practice/daily/answer", json={"day": day, "deal": wrong}).json()
        assert first["deal"]["mark"] in ("mistake", "blunder")
        assert first["problem"] is None
        both = {"day": day, "deal": wrong, "problem": [card]}
        aiko.browser.post("/practice/daily/answer", json=both)
        second = aiko.browser.post("/practice/daily/answer", json=both).json()
        assert second["problem"]["mark"] in ("mistake", "blunder")
        due = aiko.browser.get("/practice/errors/next.json").json()
        assert (due["problem"], due["now"], due["later"], due["days"]) == (None, 0, 2, 1)
        assert "2 tomorrow" in aiko.browser.get("/practice?lang=en").text
        keep(aiko, "Practising")
        now = time.time()
        monkeypatch.setattr("fifteentwo.server.study.mistakes.time.time", lambda: now + mistakes.DAY_SECONDS)
        shown = aiko.browser.get("/practice/errors/next.json").json()
        assert shown["now"] == 2
        assert "2 of your own mistakes are due" in aiko.browser.get("/practice?lang=en").text
        assert shown["problem"]["hand"] == [card.text for card in tasks.deal.hand], "the costliest first"
        again = {"id": shown["problem"]["id"], "cards": first["deal"]["best"]}
        assert aiko.browser.post("/practice/errors/answer", json=again).json()["right"]
        assert len(aiko.browser.post("/account/export").json()["practice"]) == 2
        right = {"day": day, "deal": first["deal"]["best"], "problem": second["problem"]["best"]}
        with live.person("en") as ken:
            ken.browser.post("/practice/daily/answer", json=right)
            assert ken.browser.get("/practice/errors/next.json").json()["later"] == 0


def test_the_short_address_leads_to_the_daily_deal(aiko: Person) -> None:
    answer = aiko.browser.get("/daily?lang=ja")
    assert answer.status_code == 308
    assert answer.headers["location"].endswith("/practice/daily?lang=ja")
