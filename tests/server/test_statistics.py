"""Statistics of one's own games: counted right, reviewed once and no oftener, and nobody else's business."""

import re
from typing import Any

import pytest

from fifteentwo.contest.statistics import counted, mean
from fifteentwo.formats import write
from fifteentwo.rules.record import Record, last_state, read
from fifteentwo.server import history
from fifteentwo.server.reviewed_games import ReviewedGames
from tests.formats.written_games import written_game
from tests.server.live import Live, Person

GAMES = 6


def bring_in(person: Person, number: int) -> Record:
    text = write(written_game(7 * number), "halscrib")
    answer = person.browser.post("/import", data={"text": text, "act": "keep", "seat": "0"})
    return read(person.browser.get(f"{answer.headers['location'].rpartition('/')[0]}/record").text)


@pytest.fixture
def reviewed(monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """Reviews that take no time; which games were reviewed."""
    asked: list[Record] = []

    def quick(_: ReviewedGames, record: Record) -> dict[str, Any]:
        asked.append(record)
        seat = {
            "decisions": 40,
            "counted": 30,
            "luck": 0.25,
            "lost": 0.1,
            "rating": 30.0,
            "rating_error": 4.0,
        }
        return {"seats": [seat, seat | {"luck": -0.25, "rating": None}]}

    monkeypatch.setattr(ReviewedGames, "report", quick)
    return asked


def test_the_figures_are_those_of_ones_own_seat(live: Live) -> None:
    with live.person() as aiko:
        records = [bring_in(aiko, number) for number in range(GAMES)]
        page = aiko.browser.get("/statistics?kind=brought-in").text
        deals = [deal for record in records for deal in counted(record).deals]
        own = mean([deal.hand for deal in deals if deal.seat == 0 and not deal.dealer])
        others = mean([deal.crib for deal in deals if deal.seat == 1 and deal.dealer])
        assert own is not None
        assert others is not None
        assert f"{own.mean:.2f}" in page
        assert f"{others.mean:.2f}" in page
        won = sum(last_state(record).won.side == 0 for record in records)  # type: ignore[union-attr]
        assert f"{won} of {GAMES} games" in page
        assert "8.07" in page, "pone's mean hand in best play"
        assert "No finished game to count yet" in aiko.browser.get("/statistics").text, "none was played here"


def test_a_game_is_reviewed_once_and_again_by_another_engine(
    live: Live, reviewed: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    with live.person() as aiko, live.person() as stranger:
        for number in range(3):
            bring_in(aiko, number)
        where = "/statistics/review"
        json = {"Accept": "application/json"}
        left = [aiko.browser.post(where, headers=json).json()["left"] for _ in range(5)]
        assert left == [2, 1, 0, 0, 0]
        assert len(reviewed) == 3
        assert stranger.browser.post(where, headers=json).json() == {"left": 0}
        assert aiko.browser.post(where, headers={"Origin": "http://elsewhere"}).status_code == 403
        page = aiko.browser.get("/statistics?kind=brought-in").text
        assert "<b>Luck</b> <span>+0.8</span>" in page
        assert "<b>Rating</b> <span>30.0</span>" in page
        assert len(re.findall(r"<polyline", page)) == 2
        assert page.count('<a href="/review/') == 3, "every game behind the lines"
        assert "rating 30.0" in aiko.browser.get("/history").text
        monkeypatch.setattr(history, "METHOD", history.METHOD + 1)
        assert aiko.browser.post(where, headers=json).json()["left"] == 2
        assert len(reviewed) == 4


def test_without_scripts_one_press_reviews_one_game(live: Live, reviewed: list[Record]) -> None:
    with live.person("ja") as aiko:
        bring_in(aiko, 1)
        answer = aiko.browser.post("/statistics/review", headers={"Accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/statistics#over-time")
        assert len(reviewed) == 1
        assert (
            aiko.browser.get("/statistics", params={"form": "x", "kind": "x", "against": "<b>"}).status_code
            == 200
        )
