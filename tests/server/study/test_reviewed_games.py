"""The cache of reviews: a game is reviewed once for all requests."""

import os
import random
import signal
import threading
from collections.abc import Iterator
from itertools import islice
from typing import TypeAlias

import msgspec
import pytest

from fifteentwo.analysis.review import review
from fifteentwo.analysis.review.luck import Luck
from fifteentwo.processes import WorkerLost, WorkerPool
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.record import Record, read
from fifteentwo.rules.state import start
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.study import reviews
from fifteentwo.server.study.reviews import ReviewedGames
from tests.support.accounts import next_of
from tests.support.live_server import Person
from tests.support.quick_records import played

Part: TypeAlias = review.Decision | Luck


@pytest.fixture(scope="module")
def five() -> Record:
    """Return some deals that no other test uses, because servers may still review theirs."""
    whole = played("five-card", seed=5)
    return msgspec.structs.replace(whole, actions=whole.actions[:28])


class Worked(list[tuple[threading.Thread, Record, Part]]):
    """The parts that were computed, by thread and game, because servers review in the background."""

    def of(self, game: Record) -> list[Part]:
        """Return the parts of a game."""
        return [part for _, record, part in self if record.actions == game.actions]

    def here(self) -> int:
        """Return the number of parts that this thread has computed."""
        return sum(thread is threading.current_thread() for thread, _, _ in self)


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> Worked:
    made = Worked()
    plain = review.reviewed

    def counted(record: Record) -> Iterator[Part]:
        for part in plain(record):
            made.append((threading.current_thread(), record, part))
            yield part

    monkeypatch.setattr(review, "reviewed", counted)
    return made


def test_a_second_request_needs_no_work(five: Record, worked: Worked) -> None:
    games = ReviewedGames()
    first = list(games.review_parts(five))
    number = worked.here()
    assert number == len(first) > 10
    again = msgspec.structs.replace(five, names=("Aiko", "Ben"), commitment="x", seeds=("z", ""))
    assert list(games.review_parts(again)) == first
    assert games.report(again) == review.report(again, first)
    assert games.report(again)["names"] == ["Aiko", "Ben"]
    assert worked.here() == number


def test_simultaneous_requests_share_the_work_even_if_one_stops(five: Record, worked: Worked) -> None:
    games, courses = ReviewedGames(), list[list[Part]]()
    assert len(list(islice(games.review_parts(five), 3))) == 3
    threads = [
        threading.Thread(target=lambda: courses.append(list(games.review_parts(five)))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(courses) == 8
    assert all(course == worked.of(five) for course in courses)


def test_a_record_that_breaks_the_rules_is_refused_every_time(five: Record) -> None:
    games = ReviewedGames()
    cheated = msgspec.structs.replace(five, actions=five.actions[:12] + five.actions[:1])
    for _ in range(2):
        with pytest.raises(IllegalAction):
            list(games.review_parts(cheated))


def test_a_failed_review_is_tried_again(five: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    games, plain = ReviewedGames(), review.reviewed
    expected = list(plain(five))

    def breaks(record: Record) -> Iterator[Part]:
        yield from islice(plain(record), 5)
        raise MemoryError

    monkeypatch.setattr(review, "reviewed", breaks)
    with pytest.raises(MemoryError):
        list(games.review_parts(five))
    monkeypatch.undo()
    assert list(games.review_parts(five)) == expected


def test_the_least_recently_used_review_is_dropped(
    five: Record, worked: Worked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MAX_CACHED_REVIEWS", 2)
    games = ReviewedGames()
    some = [msgspec.structs.replace(five, actions=five.actions[:number]) for number in (14, 20, 26)]
    for record in (some[0], some[1], some[0], some[2]):
        list(games.review_parts(record))
    number = worked.here()
    list(games.review_parts(some[0]))
    assert worked.here() == number, "asked for since the second was"
    list(games.review_parts(some[1]))
    assert worked.here() > number


def test_page_practice_and_statistics_share_one_review(aiko: Person, worked: Worked) -> None:
    with aiko.at_table(target="61", level_1="greedy") as page:
        page.play_and_resign(random.Random(3))
    record = aiko.browser.get(f"/game/{page.game}/record").text
    assert '"t":"whole"' in aiko.browser.post("/api/review", content=record).text
    number = len(worked.of(read(record)))
    assert number > 10
    asked = aiko.browser.post("/statistics/review", headers={"Accept": "application/json"})
    assert asked.json() == {"left": 0}
    assert next_of(aiko)["now"] > 0
    assert '"t":"whole"' in aiko.browser.post("/api/review", content=record).text
    assert len(worked.of(read(record))) == number


def test_a_review_made_from_a_copy_of_the_record_is_stored_for_statistics(aiko: Person) -> None:
    for seed in (3, 4):
        with aiko.at_table(target="61", level_1="greedy") as page:
            page.play_and_resign(random.Random(seed))
        record = aiko.browser.get(f"/game/{page.game}/record").text
        assert '"t":"whole"' in aiko.browser.post("/api/review", content=record).text
    headers = {"Accept": "application/json"}
    left = [aiko.browser.post("/statistics/review", headers=headers).json()["left"] for _ in range(2)]
    assert left == [1, 0]
    assert 'id="to-review"' not in aiko.browser.get("/statistics").text


@pytest.mark.long
def test_a_worker_makes_the_same_review_and_one_that_dies_is_replaced(five: Record) -> None:
    pool = WorkerPool(1)
    games = ReviewedGames(pool)
    course = games.review_parts(five)
    begin = [next(course)]
    os.kill(pool.submit(os.getpid).result(), signal.SIGKILL)
    with pytest.raises(WorkerLost):
        list(course)
    games.warm_up()
    assert list(games.review_parts(five)) == list(review.reviewed(five))
    assert begin == list(games.review_parts(five))[:1]
    pool.kill()


@pytest.mark.parametrize(("target", "near"), [(121, 91), (61, 31)])
def test_a_game_near_its_end_warms_up_the_review(
    target: int, near: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, jobs = WorkerPool(1), list[object]()
    monkeypatch.setattr(pool, "submit", jobs.append)
    games, state = ReviewedGames(pool), start(rules_for("six-card", target=target))
    for own, other in [(0, 0), (near - 1, near - 1)]:
        games.warm_up_near_the_end(msgspec.structs.replace(state, front=(own, other)))
    assert not jobs
    for _ in range(3):
        games.warm_up_near_the_end(msgspec.structs.replace(state, front=(3, near)))
    assert len(jobs) == 1
