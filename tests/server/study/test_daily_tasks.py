"""The daily deal's three tasks: the same for everyone, judged once, and counted without names."""

import json
from datetime import date, timedelta

import httpx
import pytest

from fifteentwo.rules import show
from fifteentwo.server.people import expiry
from fifteentwo.server.store.schema import daily_discard
from fifteentwo.server.store.store import Store
from fifteentwo.server.study import daily
from tests.support.live_server import Live, Person


def answer(person: Person, discard: list[str], day: str = "", **headers: str) -> httpx.Response:
    tasks = daily.tasks(day or daily.today())
    body = {"day": tasks.day, "deal": discard, "problem": [tasks.problem.fits[0].text], "count": 4}
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
