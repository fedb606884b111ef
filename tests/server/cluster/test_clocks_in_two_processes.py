"""The clock of a table whose people have pages in two processes: one decides, both send the same."""

import json
import time
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

import pytest

from fifteentwo.server.live import clocks, socket
from fifteentwo.server.pages import site
from fifteentwo.server.table_log import time_controls
from tests.support.live_server import Page
from tests.support.stored import rows_of
from tests.support.two_servers import heard_until, two, two_people

pytestmark = pytest.mark.postgres


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "A_SECOND", 1e6)
    monkeypatch.setattr(site, "NEW_TABLES", (1000, 1e6))
    monkeypatch.setitem(time_controls.MOVES, "60", 4.0)
    monkeypatch.setitem(time_controls.MOVES, "120", 60.0)
    monkeypatch.setattr(clocks, "GRACE", 0.5)


def clock(page: Page) -> dict[str, Any]:
    """Return the clock that the page was sent last."""
    messages = [json.loads(text) for text in page.heard if '"t":"clock"' in text]
    return messages[-1]["d"] if messages else {"seats": []}


def is_won(page: Page) -> bool:
    return bool(page.view.get("won"))


@pytest.mark.long
def test_one_of_them_ends_the_game_and_both_pages_know(cluster: str) -> None:
    with (
        two(cluster) as (here, there),
        two_people(here, there, clock_move="60", clock_then="forfeit", first_dealer="low") as both,
    ):
        game, page, other = both
        for one in (page, other):
            heard_until(one, partial(is_won, one))
        assert page.view["won"] == other.view["won"]
        assert page.view["won"]["why"] == "time"
        kinds = [row.type for row in rows_of(cluster, game)]
        assert kinds.count("forfeited") == 1
        assert "stood_in" not in kinds


def test_a_page_that_comes_through_the_other_process_is_sent_what_is_left(cluster: str) -> None:
    with two(cluster) as (here, there), two_people(here, there, clock_move="120") as (_, page, other):

        def left(one: Page) -> float | None:
            seats = [seat for seat in clock(one)["seats"] if seat["runs"] == "move"]
            return seats[0]["left"] if seats else None

        for one in (page, other):
            heard_until(one, partial(left, one))
        # Both draw for the deal: their minutes began together, whichever process counts them.
        times = [left(page), left(other)]
        assert all(one is not None and 30 < one <= 60 for one in times)


def test_who_goes_away_in_one_process_is_seen_and_played_for_in_the_other(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(time_controls.AWAYS, "120", 3.0)
    with two(cluster) as (here, there), two_people(here, there, clock_away="120") as (game, page, other):
        other.line.close()
        heard_until(page, lambda: any(seat["runs"] == "away" for seat in clock(page)["seats"]))
        heard_until(page, lambda: any(seat["level"] == "club" for seat in clock(page)["seats"]))
        assert [row.type for row in rows_of(cluster, game)].count("stood_in") == 1


@pytest.mark.long
def test_time_away_is_counted_once_by_each_process_though_one_alone_notes_it(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the holder puts in the log the others no longer count as well: no one away is charged twice."""
    monkeypatch.setitem(time_controls.AWAYS, "120", 20.0)
    with ExitStack() as stack:
        here, there = stack.enter_context(two(cluster))
        dan = stack.enter_context(here.person())
        fields = {"variant": "three-handed", "level_2": "person", "clock_away": "120"}
        game, page, other = stack.enter_context(two_people(here, there, **fields))
        dan.sit(other.table["invitations"][0]["path"], "Dan")
        with dan.open(game) as third:
            third.until("waiting")
        ends: dict[str, list[float]] = {"page": [], "other": []}
        until = time.monotonic() + 9
        while time.monotonic() < until:
            for name, one in (("page", page), ("other", other)):
                with suppress(TimeoutError):
                    if one.hear(0.1)["t"] == "clock":
                        if clock(one)["away"] != 20.0:
                            continue  # before the first card: until the table may be closed
                        left = [seat["left"] for seat in clock(one)["seats"] if seat["runs"] == "away"]
                        ends[name] += [time.monotonic() + one for one in left]
        kinds = [row.type for row in rows_of(cluster, game)]
        assert kinds.count("away") > 3, "it was noted meanwhile"
        for times in ends.values():
            assert times, "it runs"
            # Counted twice, it would have moved by about nine seconds.
            assert max(times) - min(times) < 5.0, "its end stays where it was"
