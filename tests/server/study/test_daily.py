"""The daily deal is the same for everyone and gives no advantage; its decks can be replayed."""

import html
import random
from datetime import date, timedelta
from typing import Any

import pytest

from fifteentwo import i18n
from fifteentwo.contest.match import play_out
from fifteentwo.contest.same_decks import deck_tops, first_dealer
from fifteentwo.contest.table import Table
from fifteentwo.players import player
from fifteentwo.rules import record as records
from fifteentwo.rules.actions import Deal
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.study import daily
from fifteentwo.server.study.reviews import ReviewedGames
from tests.support.live_server import Live, Person
from tests.support.stored import ledger_of


@pytest.fixture(autouse=True)
def _no_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the levels' games, which take half a minute."""
    monkeypatch.setattr(daily, "GAMES_PER_LEVEL", 0)


def sit_down(person: Person) -> str:
    """Open the day's table; return its id."""
    answer = person.browser.post("/practice/daily")
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).split("/")[2]


def test_everyone_gets_the_same_cards_and_the_same_opponent(live: Live) -> None:
    seen: list[Any] = []
    for _ in range(2):
        with live.person() as one:
            game = sit_down(one)
            with one.open(game) as page:
                page.settle()
                first = page.view["hand"]
                page.act({"type": "Discard", "seat": 0, "cards": first[:2]})
                page.settle()
                while page.view["deal"] == 1 and not page.view["won"]:
                    page.act(page.choices[0])
                    page.settle()
                visible = [event for event in page.events.values() if event and event["type"] != "Discarded"]
                seen.append((first, page.view["hand"], page.view["front"], visible))
    assert seen[0] == seen[1]


def test_each_user_has_one_daily_table_without_undo(aiko: Person, bran: Person) -> None:
    game = sit_down(aiko)
    assert sit_down(aiko) == game
    assert sit_down(bran) != game
    assert bran.browser.get(f"/game/{game}").status_code == 403
    with aiko.open(game) as page:
        page.settle()
        assert page.table["options"]["daily"] == daily.today()
        assert not page.table["hints"]
        page.act({"type": "Discard", "seat": 0, "cards": page.view["hand"][:2]})
        assert not page.may_undo()
        for asked in ("undo", "hint"):
            page.send(asked)
            assert page.until("refused")["d"]["code"] == "not-in-the-daily-deal"
    now = aiko.browser.get("/practice/daily.json").json()
    assert (now["game"], now["over"], now["own"], now["levels"]) == (game, False, None, [])


def test_a_finished_daily_deal_is_listed_as_such_and_counts(aiko: Person, lang: str) -> None:
    shown = aiko.browser.get(f"/practice/daily?lang={lang}").text.split("<time", 1)[1].split("</time>")[0]
    year, month, day = (int(part) for part in daily.today().split("-"))
    date = i18n.text("history.date", lang, day=day, month=i18n.text(f"month.{month}", lang), year=year)
    assert shown.endswith(f">{date}")
    with aiko.open(sit_down(aiko)) as page:
        page.play_out(random.Random(4))
    history = aiko.browser.get(f"/history?lang={lang}").text
    assert i18n.text("history.daily", lang) in history
    assert i18n.text("history.goes-on", lang) not in history
    assert "tile" in aiko.browser.get("/statistics").text


@pytest.mark.slow
def test_a_finished_daily_deal_is_scored_as_the_review_scores_it(live: Live) -> None:
    with live.person() as aiko:
        game = sit_down(aiko)
        with aiko.open(game) as page:
            page.play_out(random.Random(3))
        now = aiko.browser.get("/practice/daily.json").json()
        text = aiko.browser.get(f"/game/{game}/record").text
    expected = daily.review_score(records.read(text), ReviewedGames())
    assert now["over"]
    assert now["own"]["lost"] == expected.lost
    assert now["own"]["front"] == list(expected.front)
    assert now["own"]["deals"] == list(expected.deals)
    assert set(expected.deals) > {"blunder"}
    assert now["own"]["lost"] > 0.05, "cards played at random"


def test_a_daily_deal_that_cannot_be_reviewed_is_shown_without_its_score(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(daily, "review_score", breaks)
    with live.person() as aiko:
        with aiko.open(sit_down(aiko)) as page:
            page.play_out(random.Random(4))
        now = aiko.browser.get("/practice/daily.json").json()
    assert now["own"]["lost"] is None
    assert max(now["own"]["front"]) == 121


def test_levels_play_the_daily_deal() -> None:
    day = "2026-02-03"
    kept = [daily.play_level(level, 0, day) for level in ("greedy", "casual")]
    deals = [[action for action in one.actions if isinstance(action, Deal)] for one in kept]
    shared = min(map(len, deals))
    assert shared > 4
    assert deals[0][:shared] == deals[1][:shared]
    assert deals[0][0] != daily.opening("2026-02-04").actions[-1]


def test_a_deal_finished_after_midnight_counts_for_its_own_day(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        daily, "review_score", lambda *_: daily.DailyScore(0.1, 30, (121, 90), True, (None, "small"))
    )
    days = iter(("2026-05-01", "2026-05-02"))
    # The page's script has the sentence, too.
    unfinished = f'<p class="panel">{i18n.text("practice.daily.unfinished", "en")}'
    with live.person("en") as aiko:
        for day in days:
            monkeypatch.setattr(daily, "today", lambda day=day: day)
            game = sit_down(aiko)
            after = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
            monkeypatch.setattr(daily, "today", lambda after=after: after)
            page = aiko.browser.get("/practice/daily?lang=en").text
            assert unfinished in html.unescape(page)
            assert f"/game/{game}" in page
            with aiko.open(game) as table:
                table.play_out(random.Random(4))
        page = aiko.browser.get("/practice/daily").text
        assert unfinished not in html.unescape(page)
        # Yesterday's result is still shown; a future day cannot be requested.
        assert aiko.browser.get("/practice/daily.json?day=2026-05-02").json()["own"]["deals"] == [
            None,
            "small",
        ]
        for day in ("2026-05-03", "2026-05-04", "never"):
            assert aiko.browser.get(f"/practice/daily.json?day={day}").json()["day"] == "2026-05-03"


def played(variant: str, seed: int, **options: Any) -> Record:
    rules = rules_for(variant, **options)
    table = Table(rules, seeded(seed))
    play_out(table, [player("greedy", seed + one) for one in range(rules.seats)])
    return Record(rules=rules, names=("Ada", "Ben", "Cy", "Di")[: rules.seats], actions=tuple(table.actions))


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("five-card", {"counting": "claimed", "muggins": "missed"}),
        ("partners", {"target": 61, "partners_by_draw": True}),
        pytest.param("six-card", {"target": 61}, marks=pytest.mark.long),
        pytest.param("three-handed", {"target": 61}, marks=pytest.mark.long),
    ],
)
def test_the_decks_of_a_record_are_dealt_again_from_the_second_seat(
    live: Live, database: Any, variant: str, options: dict[str, Any]
) -> None:
    old = played(variant, 8, **options)
    with live.person() as aiko:
        answer = aiko.browser.post(
            "/practice/duplicate", data={"record": records.write(old), "level": "greedy"}
        )
        assert answer.status_code == 303, answer.text
        game = str(answer.headers["location"]).split("/")[2]
        with aiko.open(game) as page:
            page.play_out(random.Random(variant))
            assert page.view["seat"] == 1
        ledger = ledger_of(database, game)
        new = ledger.record(1, ("",) * 4)
        shown = aiko.browser.get("/practice/duplicate").text
    both = list(zip(deck_tops(old), deck_tops(new), strict=False))
    assert len(both) > 2
    # A game can be won before a starter is turned.
    assert all(one[: len(other)] == other[: len(one)] for one, other in both)
    assert first_dealer(new) == first_dealer(old)
    assert records.read(records.write(new)) == new
    assert "−" in shown or "+" in shown


def test_only_whole_records_and_own_games_can_be_replayed(aiko: Person, bran: Person) -> None:
    text = records.write(played("six-card", 2, target=61))
    game = aiko.new_game(target="61", level_1="greedy")
    for chosen in (
        {"record": text.replace("play 0", "play 1", 1)},
        {"record": "no record"},
        {"game": "AAAAAAAAAAAAAAAA/1"},
        {"game": f"{game}/1"},
        {"game": f"{game}/x"},
        {"game": ""},
        {"record": text, "level": "unknown"},
    ):
        answer = aiko.browser.post("/practice/duplicate", data=chosen)
        assert answer.status_code == 400, chosen
        assert 'role="alert"' in answer.text
    with aiko.open(game) as page:
        page.play_out(random.Random(4))
    assert bran.browser.post("/practice/duplicate", data={"game": f"{game}/1"}).status_code == 400
    assert f'value="{game}/1"' in aiko.browser.get("/practice/duplicate").text
    answer = aiko.browser.post("/practice/duplicate", data={"game": f"{game}/1"})
    assert answer.status_code == 303
