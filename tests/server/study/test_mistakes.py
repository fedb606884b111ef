"""Own mistakes: the costliest of each finished game, repeated at growing intervals."""

import random
import time
from typing import Any

import pytest

from fifteentwo.i18n import text
from fifteentwo.rules import record as records
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import history
from fifteentwo.server.study import mistakes
from fifteentwo.server.study.mistakes import DAY_SECONDS, find_mistakes
from fifteentwo.server.study.reviews import ReviewedGames
from fifteentwo.server.table_log.options import FIRST_GAME_GOAL
from tests.support.accounts import next_of
from tests.support.live_server import Live, Person


def test_mistakes_of_a_game_are_repeated_until_they_are_right(
    aiko: Person, bran: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert next_of(aiko)["problem"] is None
    with aiko.at_table(target="61", level_1="greedy") as page:
        page.play_and_resign(random.Random(6))
    played = records.read(aiko.browser.get(f"/game/{page.game}/record").text)
    searching = aiko.browser.get("/practice").text
    assert text("practice.searching", "en") in searching
    assert 'data-due href="/practice/errors"' not in searching, "nothing is offered before it is found"
    kept, _ = find_mistakes(played, 0, ReviewedGames())
    due = next_of(aiko)
    assert due["now"] == len(kept) > 1
    assert 'data-due href="/practice/errors"' in aiko.browser.get("/practice").text
    first = due["problem"]
    costliest = max(kept, key=lambda step: kept[step].loss)
    assert first["id"] == f"{page.game}.1.{costliest}", "the costliest comes first"
    held = sorted(kept[costliest].view.hand, key=lambda card: card.index)
    assert first["hand"] == [card.text for card in held]
    # The mistake of the game is repeated, so it is due again tomorrow.
    was = {"id": first["id"], "cards": [card.text for card in kept[costliest].chosen]}
    assert bran.browser.post("/practice/errors/answer", json=was).status_code == 404
    wrong = aiko.browser.post("/practice/errors/answer", json=was).json()
    assert not wrong["right"]
    assert wrong["why"]
    assert wrong["due"] == 1
    assert next_of(aiko)["now"] == len(kept) - 1
    # A second answer on the same day is judged but does not change the due date.
    best = {"id": first["id"], "cards": wrong["best"]}
    again = aiko.browser.post("/practice/errors/answer", json=best).json()
    assert (again["right"], again["due"], again["loss"]) == (True, None, 0)
    now = time.time()
    monkeypatch.setattr("fifteentwo.server.study.mistakes.time.time", lambda: now + 1.2 * DAY_SECONDS)
    right = aiko.browser.post("/practice/errors/answer", json=best).json()
    assert right["due"] >= 1
    assert next_of(bran)["problem"] is None


def test_a_game_that_cannot_be_reviewed_is_marked_and_the_search_continues(
    aiko: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unforeseen error is included; another version of the engine tries the game again."""
    bad: list[records.Record] = []

    def breaks(record: records.Record, seat: int, games: ReviewedGames, *, in_race: bool) -> Any:
        if not bad:
            bad.append(record)
        if record == bad[0]:
            raise ZeroDivisionError
        return find_mistakes(record, seat, games, in_race=in_race)

    monkeypatch.setattr(mistakes, "find_mistakes", breaks)
    for seed in (6, 7):
        with aiko.open(aiko.new_game(target="61", level_1="greedy")) as page:
            page.play_and_resign(random.Random(seed))
    found = next_of(aiko)
    assert found["now"] > 0, "the other game was gone through"
    assert "This version cannot review it (internal-error)." in aiko.browser.get("/history").text
    monkeypatch.setattr(mistakes, "find_mistakes", find_mistakes)
    assert next_of(aiko)["now"] == found["now"], "this engine does not try again"
    monkeypatch.setattr(history, "REVIEW_METHOD_VERSION", history.REVIEW_METHOD_VERSION + 1)
    assert next_of(aiko)["now"] > found["now"]
    assert "cannot review" not in aiko.browser.get("/history").text


def test_a_first_game_is_searched_after_its_race_and_whole_when_it_ends(aiko: Person) -> None:
    game = aiko.new_game(first_game="yes", level_1="greedy")
    rng = random.Random(6)
    with aiko.open(game) as page:
        page.settle()
        while max(page.view["front"]) < FIRST_GAME_GOAL or page.view["deal"] < 2:
            assert next_of(aiko)["now"] == 0 if page.view["phase"] == "discard" else True
            page.attempt(rng.choice(page.choices))
            page.settle()
        raced = next_of(aiko)
        assert raced["now"] > 0
        assert raced["problem"]["id"].startswith(f"{game}.{mistakes.FIRST_GAME_NUMBER}.")
        assert max(raced["problem"]["own"], raced["problem"]["other"]) < FIRST_GAME_GOAL
        assert raced["problem"]["target"] == FIRST_GAME_GOAL
        hand = raced["problem"]["fits"] or raced["problem"]["hand"]
        given = {"id": raced["problem"]["id"], "cards": hand[: raced["problem"]["pick"]]}
        judged = aiko.browser.post("/practice/errors/answer", json=given).json()
        assert not judged["by_chance"]
        points = [choice["points"] for choice in judged["choices"]]
        assert points == sorted(points, reverse=True)
        page.play_and_resign(rng, actions=3)
    whole = next_of(aiko)
    assert whole["problem"]["id"].startswith(f"{game}.1.")
    stored = aiko.browser.post("/account/export").json()["practice"]
    assert {one["number"] for one in stored} == {1}


def test_a_database_error_marks_no_game(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def away(record: records.Record, seat: int, games: ReviewedGames, *, in_race: bool) -> Any:
        asked.append(seat)
        if len(asked) == 1:
            raise StoreError("database-locked")
        return find_mistakes(record, seat, games, in_race=in_race)

    monkeypatch.setattr(mistakes, "find_mistakes", away)
    with live.person() as aiko:
        with aiko.open(aiko.new_game(target="61", level_1="greedy")) as page:
            page.play_and_resign(random.Random(6))
        assert next_of(aiko)["now"] > 0
    assert len(asked) == 2


def test_only_legal_choices_are_answers(aiko: Person) -> None:
    with aiko.at_table(target="61", level_1="greedy") as page:
        page.play_and_resign(random.Random(1))
    problem = next_of(aiko)["problem"]
    hand = problem["hand"]
    assert problem["pick"] in (1, 2)
    for cards in ([], hand[:3], [hand[0], hand[0]], ["KS" if "KS" not in hand else "2D"], "x", ["ZZ"]):
        answer = aiko.browser.post("/practice/errors/answer", json={"id": problem["id"], "cards": cards})
        assert answer.status_code == 400, cards
        assert answer.json()["message"]
    for name in ("", "a.b.c", f"{page.game}.1", f"{page.game}.1.9999999", f"{page.game}.1.0"):
        answer = aiko.browser.post("/practice/errors/answer", json={"id": name, "cards": hand[:1]})
        assert answer.status_code == 404, name
    assert next_of(aiko)["problem"] == problem


def test_right_answers_lengthen_the_interval_and_wrong_ones_reset_it() -> None:
    memory, now, gaps = None, 1_800_000_000, []
    for _ in range(5):
        memory, due = mistakes.schedule_repetition(memory, mistakes.GOOD_GRADE, now)
        gaps.append(due - now)
        now = due
    assert gaps == sorted(set(gaps))
    assert gaps[0] >= DAY_SECONDS
    memory, due = mistakes.schedule_repetition(memory, mistakes.AGAIN_GRADE, now)
    assert due - now < gaps[-1]
    assert mistakes.schedule_repetition(None, mistakes.AGAIN_GRADE, now)[1] - now == DAY_SECONDS
    assert [mistakes.grade_answer(loss, (0.003, 0.01)) for loss in (0, 0.005, 0.02)] == [
        "good",
        "hard",
        "again",
    ]
