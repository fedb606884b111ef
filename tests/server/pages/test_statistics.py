"""Statistics of a user's games: correct, reviewed once, and visible to the user only."""

import itertools
import re
from typing import Any

import msgspec
import pytest

from fifteentwo.analysis.review.rating import predicted
from fifteentwo.contest.statistics import GameCount, count_game, mean
from fifteentwo.formats import write
from fifteentwo.rules.record import Record, last_state, read
from fifteentwo.server.pages.history import luck_of
from fifteentwo.server.pages.statistics import MIN_RATED_GAMES, figures_over_time, predict_wins
from fifteentwo.server.store import history
from fifteentwo.server.store.history import GameSummary, PlayedGame, SeatReview
from fifteentwo.server.study.reviews import ReviewedGames
from tests.formats.written_games import written_game
from tests.support.live_server import Live, Person

GAMES = 6


def import_game(person: Person, number: int) -> Record:
    text = write(written_game(7 * number), "halscrib")
    answer = person.browser.post("/import", data={"text": text, "act": "keep", "seat": "0"})
    return read(person.browser.get(f"{answer.headers['location'].rpartition('/')[0]}/record").text)


@pytest.fixture
def reviewed(monkeypatch: pytest.MonkeyPatch) -> list[Record]:
    """Replace reviews by instant ones; return the reviewed games."""
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
        about = {"variant": "six-card", "by_chance": False}
        return about | {"seats": [seat, seat | {"luck": -0.25, "rating": None}]}

    monkeypatch.setattr(ReviewedGames, "report", quick)
    return asked


def test_the_figures_are_those_of_ones_own_seat(aiko: Person) -> None:
    records = [import_game(aiko, number) for number in range(GAMES)]
    page = aiko.browser.get("/statistics?kind=imported").text
    deals = [deal for record in records for deal in count_game(record).deals]
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
    aiko: Person, stranger: Person, reviewed: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = MIN_RATED_GAMES

    def review() -> int:
        left: int = aiko.browser.post(where, headers=json).json()["left"]
        return left

    for number in range(games):
        import_game(aiko, number)
    where = "/statistics/review"
    json = {"Accept": "application/json"}
    assert [review() for _ in range(games - 1)] == [*range(games - 1, 0, -1)]
    page = aiko.browser.get("/statistics?kind=imported").text
    assert "30.0" not in page, "a rating of few games"
    assert "Expected wins" not in page
    assert [review() for _ in range(3)] == [0, 0, 0]
    assert len(reviewed) == games
    assert stranger.browser.post(where, headers=json).json() == {"left": 0}
    page = aiko.browser.get("/statistics?kind=imported").text
    assert "<b>Luck</b> <span>+1.2</span>" in page
    assert "30.0 per 100 choices" in page
    assert "Expected wins" in page
    assert len(re.findall(r"<polyline", page)) == 1
    assert page.count('<a href="/review/') == games, "every game behind the lines"
    assert "30.0" not in aiko.browser.get("/history").text
    monkeypatch.setattr(history, "REVIEW_METHOD_VERSION", history.REVIEW_METHOD_VERSION + 1)
    assert aiko.browser.post(where, headers=json).json()["left"] == games - 1
    assert len(reviewed) == games + 1


def test_a_game_that_cannot_be_reviewed_does_not_keep_the_others_waiting(
    aiko: Person, reviewed: list[Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, ours, failed = ReviewedGames.report, list[Record](), list[Record]()

    def breaks(games: ReviewedGames, record: Record) -> dict[str, Any]:
        # The server reviews records without names.
        if ours and record.actions == ours[1].actions:
            failed.append(ours[1])
            raise ZeroDivisionError
        return plain(games, record)

    monkeypatch.setattr(ReviewedGames, "report", breaks)
    ours += [import_game(aiko, number) for number in range(3)]
    headers = {"Accept": "application/json"}
    left = [aiko.browser.post("/statistics/review", headers=headers).json()["left"] for _ in range(4)]
    assert left == [2, 1, 0, 0]
    others = sum(record.actions == one.actions for record in reviewed for one in ours)
    assert (failed, others) == ([ours[1]], 2)
    assert aiko.browser.get("/statistics?kind=imported").status_code == 200
    assert aiko.browser.get("/history").text.count("cannot review it (internal-error)") == 1
    assert aiko.browser.post("/account/export").json()["tables"]


def test_without_scripts_one_press_reviews_one_game(live: Live, reviewed: list[Record]) -> None:
    with live.person("ja") as aiko:
        import_game(aiko, 1)
        answer = aiko.browser.post("/statistics/review", headers={"Accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (303, "/statistics#over-time")
        assert len(reviewed) == 1
        assert (
            aiko.browser.get(
                "/statistics", params={"variant": "x", "kind": "x", "against": "<b>"}
            ).status_code
            == 200
        )


def rated(rating: float, error: float) -> PlayedGame:
    kept = GameSummary(
        ended_at=5,
        variant="six-card",
        target=121,
        players=(0, 1),
        names=("", ""),
        levels=(None, "club"),
        sides=2,
        winner=0,
        scores=(121, 90),
        games_lost=(0, 1),
        count=GameCount((), ()),
    )
    own = SeatReview(decisions=90, counted=40, luck=0.1, lost=0.1, rating=rating, rating_error=error)
    return PlayedGame("g", 1, 0, kept, (own, SeatReview()))


def test_predictions_have_the_uncertainty_of_the_rating() -> None:
    levels = predict_wins([rated(36.0, 6.0).review[0]] * 9)
    assert [one.level for one in levels] == ["random", "beginner", "casual", "club", "expert", "master"]
    assert levels[3].share == pytest.approx(0.5, abs=0.001), "like a club player"
    assert all(one.low < one.share < one.high for one in levels)
    assert all(weaker.share > stronger.share for weaker, stronger in itertools.pairwise(levels))
    # Nine games of 40 decisions with an error of 6 each have a common error of 2.
    assert levels[3].high == pytest.approx(predicted(36.0 - 1.96 * 2, 36.0))
    assert predict_wins([]) == []


def test_luck_adjusted_results_are_averaged_over_the_games_that_have_one() -> None:
    old = rated(30.0, 6.0)
    evened = [
        msgspec.structs.replace(
            old, review=(msgspec.structs.replace(old.review[0], luck_adjusted_result=result), SeatReview())
        )
        for result in (0.4, 0.8) * 6
    ]
    even = figures_over_time([old, *evened], "en")["even"]
    assert even[0] == pytest.approx(0.6)
    assert even[1] == pytest.approx(1.96 * 0.2 * (12 / 11) ** 0.5 / 12**0.5, rel=0.01)
    assert figures_over_time([old], "en")["even"] is None


def test_sums_are_those_of_the_printed_figures() -> None:
    one = rated(30.0, 6.0)
    review = (msgspec.structs.replace(one.review[0], luck=0.124), SeatReview())
    lucky = msgspec.structs.replace(one, review=review)
    rows = figures_over_time([lucky] * 3, "en")["over"]
    assert [f"{row['luck']:+.2f} {row['summed']:+.2f}" for row in rows] == [
        "+0.12 +0.36",
        "+0.12 +0.24",
        "+0.12 +0.12",
    ], "three times 0.124 is 0.37"


@pytest.mark.parametrize(("luck", "printed"), [(0.1, 0.1), (-0.2, 0.0), (1.3, 1.0)])
def test_the_history_has_the_luck_that_the_review_prints(luck: float, printed: float) -> None:
    """Without luck the win probability was 90 %; printed probabilities are limited to 0–100 %."""
    one = rated(30.0, 6.0)
    assert luck_of(one, SeatReview(luck=luck)) == pytest.approx(printed)
    assert luck_of(one, SeatReview()) is None
