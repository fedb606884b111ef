"""Play now under attack: who is paired with whom and when, with two processes, and what requests may do."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from fifteentwo.contest.match import Length
from fifteentwo.i18n import text
from fifteentwo.server.people import lobby, play_now
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.own_data import DataOwner, delete_data
from fifteentwo.server.store.schema import waiting_player
from fifteentwo.server.store.store import Store
from tests.measured.play_now import simulate
from tests.support.accounts import keep
from tests.support.live_server import Live, Person, serving
from tests.support.stored_match import Process, opened_store

pytestmark = pytest.mark.usefixtures("clock")
WISH = {"name": "", "browser": "", "address": "", "length": "open", "move_seconds": 10, "points": 1500}


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(play_now, "wall_clock", clock)
    return clock


async def wait(store: Store, *owners: str, **wish: object) -> None:
    for owner in owners:
        last = await play_now.last_wait(store, owner)
        await play_now.start_waiting(store, owner, WISH | wish, None if last is None else last.match_id)


async def polled(store: Store, *owners: str) -> dict[str, str]:
    """Poll for people in turn; return the opponent of each who is paired."""
    # Who was polled first may learn of the pairing by the next poll.
    for owner in owners:
        await play_now.poll(store, owner)
    rows = [await play_now.poll(store, owner) for owner in owners]
    return {row.owner: row.opponent for row in rows if row is not None and row.match_id is not None}


async def test_the_allowed_difference_widens_every_five_seconds(store: Store, clock: Clock) -> None:
    await wait(store, "near")
    await wait(store, "far", points=1500 + 3 * play_now.WIDENING_POINTS)
    for _ in range(2):
        assert await polled(store, "near", "far") == {}
        clock.now += play_now.WIDENING_SECONDS - 1
        assert await polled(store, "near", "far") == {}
        clock.now += 1
    assert await polled(store, "near", "far") == {"near": "far", "far": "near"}


async def test_the_nearest_rating_is_preferred(store: Store) -> None:
    for owner, points in (("a", 1500), ("b", 1540), ("c", 1530), ("d", 1490)):
        await wait(store, owner, points=points)
    assert await polled(store, "a") == {"a": "d"}
    assert await polled(store, "b") == {"b": "c"}


async def test_nobody_meets_one_person_twice_in_a_row_if_another_waits(store: Store, clock: Clock) -> None:
    await wait(store, "a", "b")
    assert await polled(store, "a", "b") == {"a": "b", "b": "a"}
    await wait(store, "a", "b")
    await wait(store, "c", points=1500 + 3 * play_now.WIDENING_POINTS)
    for _ in range(2):
        assert await polled(store, "a", "b", "c") == {}
        clock.now += play_now.WIDENING_SECONDS
    # Whoever is left waits alone, and may then meet the same person again.
    assert await polled(store, "a", "b", "c") == {"a": "c", "c": "a"}
    await wait(store, "a")
    assert await polled(store, "a", "b") == {"a": "b", "b": "a"}
    await wait(store, "a", "b")
    await wait(store, "d", length="to-2")
    assert await polled(store, "a", "b", "d") == {"a": "b", "b": "a"}, "no other chose this length"


async def test_who_is_silent_or_stops_is_neither_paired_nor_counted(store: Store, clock: Clock) -> None:
    await wait(store, "a", "b", "c")
    await play_now.stop_waiting(store, "b")
    clock.now += play_now.MAX_SILENCE_SECONDS - 1
    assert await play_now.count_waiting(store) == 2
    clock.now += 1
    assert await play_now.count_waiting(store) == 0
    await wait(store, "d")
    assert await polled(store, "d") == {}
    assert await play_now.poll(store, "b", 3600) is None
    assert await play_now.poll(store, "a") is None
    # A page that its browser has suspended continues to wait.
    assert (await play_now.poll(store, "a", 3600)).opponent == "d"


async def test_a_second_window_of_one_person_does_not_wait_again(store: Store, clock: Clock) -> None:
    await wait(store, "a")
    clock.now += 8
    await wait(store, "a", move_seconds=40)
    assert await play_now.count_waiting(store) == 1
    row = await play_now.poll(store, "a")
    assert (row.since, row.move_seconds) == (clock.now - 8, 40)
    await wait(store, "b")
    assert await polled(store, "a", "b") == {"a": "b", "b": "a"}
    # The second window has not seen the pairing, and does not undo it.
    await play_now.start_waiting(store, "a", WISH, None)
    assert await polled(store, "a", "b") == {"a": "b", "b": "a"}


async def test_the_table_has_the_chosen_length_and_the_slower_clock(address: str, process: Process) -> None:
    tables = await process(address)
    await wait(tables.store, "a", length="to-2", move_seconds=10)
    await wait(tables.store, "b", length="to-2", move_seconds=40)
    await wait(tables.store, "c", length="open")
    assert await polled(tables.store, "c", "a", "b") == {"a": "b", "b": "a"}
    table = await play_now.table_of_pair(tables, await play_now.last_wait(tables.store, "a"))
    assert table is not None
    assert table.options.length is Length.TO_2
    assert table.options.clock is not None
    assert (table.options.clock.move_seconds, table.options.clock.discard_seconds) == (40, 40)
    assert [one.owner for one in table.people] == ["a", "b"]


@pytest.mark.parametrize("both", [False, True])
async def test_a_process_that_stops_after_the_pairing_delays_nobody(
    address: str, process: Process, both: bool
) -> None:
    stopped, other = await process(address), await process(address)
    await wait(stopped.store, "a", "b")
    row = await play_now.poll(stopped.store, "a")
    assert row.match_id is not None
    # Its process stops here: nobody has created the table.
    assert await stopped.store.people(row.match_id) == ()
    row = await play_now.poll(other.store, "b")
    servers = (other, stopped) if both else (other,)
    found = await asyncio.gather(*[play_now.table_of_pair(tables, row) for tables in servers])
    assert {table and table.id for table in found} == {row.match_id}
    assert [one.owner for one in await other.store.people(row.match_id)] == ["a", "b"]


async def test_an_opponent_who_left_before_the_table_was_created_is_not_waited_for(
    process: Process, tmp_path: Path
) -> None:
    tables = await process(tmp_path / "left.sqlite3")
    await wait(tables.store, "a", "b")
    assert await polled(tables.store, "a", "b") == {"a": "b", "b": "a"}
    everything = DataOwner(tables=tables, accounts=Accounts(tables.store), owner="b", user=None)
    await delete_data(everything)
    row = await play_now.last_wait(tables.store, "a")
    assert row.opponent == ""
    assert await play_now.table_of_pair(tables, row) is None
    await wait(tables.store, "c")
    assert await polled(tables.store, "a", "c") == {"a": "c", "c": "a"}
    assert await play_now.last_wait(tables.store, "b") is None


async def test_two_processes_at_once_pair_nobody_twice(address: str) -> None:
    rng = random.Random(37)
    # Fewer than the connections of a store: a poll that waits for one is refused on a slow machine.
    owners = [f"p{number}" for number in range(14)]
    async with opened_store(address) as one, opened_store(address) as two:
        for _ in range(5):
            await wait(one, *owners)
            opponents = dict[str, str]()
            # With every poll at once, rows are skipped while another poll holds them.
            for _ in range(200):
                # Both processes poll for everybody at the same time, in any order.
                polls = [play_now.poll(store, owner) for store in (one, two) for owner in owners]
                rng.shuffle(polls)
                await asyncio.gather(*polls)
                rows = await one.select(waiting_player.select())
                sizes = Counter(row.match_id for row in rows if row.match_id is not None)
                assert set(sizes.values()) <= {2}
                opponents = {row.owner: row.opponent for row in rows if row.match_id is not None}
                assert all(opponents[other] == owner for owner, other in opponents.items())
                if len(opponents) == len(owners):
                    break
            assert len(opponents) == len(owners)


@pytest.mark.long
def test_two_hundred_people_are_paired_by_two_processes(address: str) -> None:
    found = simulate(address)
    assert (found.left_over, found.twice) == (0, 0)
    assert len(found.waits) == 200
    assert found.waits[100] <= 10
    assert found.waits[197] <= 60
    assert found.gaps[50] <= 2 * play_now.WIDENING_POINTS


# ── Requests ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """Start a server in which nobody waits, with a lobby that is not cached."""
    monkeypatch.setattr(lobby, "_CACHE_SECONDS", -1.0)
    with serving(tmp_path / "games.sqlite3") as server:
        yield server


def press(person: Person, **chosen: str) -> httpx.Response:
    return person.browser.post("/now", data={"length": "open", "seconds": "20", **chosen})


def answer(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.browser.get("/now/answer").json()
    return found


def met(one: Person, other: Person) -> str:
    """Pair two people; return their table."""
    for person in (one, other):
        assert press(person).headers["location"] == "/now"
    games = [person.browser.get("/now").headers["location"] for person in (other, one)]
    assert games[0] == games[1]
    return games[0].split("/")[2].partition("?")[0]


def test_two_people_meet_and_play_a_rated_game(hall: Live) -> None:
    with hall.person() as one, hall.person(address="127.0.0.2") as other:
        keep(one, "Rated one")
        keep(other, "Rated other")
        game = met(one, other)
        with one.open(game) as page, other.open(game) as opposite:
            page.settle()
            assert sorted(page.table["names"]) == ["Rated one", "Rated other"]
            opposite.settle()
            page.send("resign", page.match["game"])
            while not opposite.view["won"]:
                opposite.hear()
        ratings = [person.browser.post("/account/export").json() for person in (one, other)]
        assert [[rated["games"] for rated in file["ratings"]] for file in ratings] == [[1], [1]]
        assert [file["play_now"][0]["name"] for file in ratings] == ["Rated one", "Rated other"]
        # The game is over: the form is shown again, with the choices of the last wait.
        assert 'value="20" checked' in one.browser.get("/now").text


def test_a_person_who_waits_is_a_number_in_the_lobby(hall: Live, lang: str) -> None:
    with hall.person(lang) as one, hall.person(lang) as stranger:
        before = stranger.browser.get("/lobby/tables")
        press(one, name="Mia Secret")
        for path in ("/lobby", "/lobby/tables"):
            page = stranger.browser.get(path, headers={"If-None-Match": before.headers["ETag"]}).text
            assert text("lobby.waiting", lang, n=1) in page
            assert "Mia Secret" not in page
        assert stranger.browser.get("/now").text.count("Mia Secret") == 0
        one.browser.post("/now/stop")
        assert text("lobby.waiting", lang, n=1) not in stranger.browser.get("/lobby").text


def test_a_person_at_a_table_returns_to_it(hall: Live, clock: Clock) -> None:
    with hall.person() as one, hall.person() as other:
        game = met(one, other)
        assert press(one).headers["location"] == f"/game/{game}"
        # The opponent never comes: after a while the table can be given up.
        clock.now += play_now.MISSING_SECONDS
        assert answer(one)["begun"] is False
        assert answer(one)["missing"]
        # The page at the table has no form: the last choices hold.
        assert one.browser.post("/now").headers["location"] == "/now"
        assert one.browser.get("/now").status_code == 200
        assert answer(other)["game"] is None
        with one.open(game) as page:
            page.until("table")
            assert page.table["closed"]


def test_a_game_against_a_level_is_closed_and_not_counted(hall: Live, lang: str) -> None:
    with hall.person(lang) as one, hall.person(lang) as other:
        assert one.browser.post("/now/level").status_code == 409
        press(one)
        assert answer(one)["others"] == text("now.others.none", lang)
        assert text("now.level", lang, level=text("level.club", lang)) in one.browser.get("/now").text
        started = one.browser.post("/now/level").headers["location"]
        game = started.removeprefix("/game/").removesuffix("?now=yes")
        assert 'id="now"' in one.browser.get(started).text
        assert 'id="now"' not in one.browser.get(f"/game/{game}").text
        # Nobody has come yet.
        assert one.browser.post("/now/go", data={"game": game}).status_code == 409
        assert one.browser.get(f"/game/{game}").status_code == 200
        press(other)
        table = other.browser.get("/now").headers["location"]
        assert answer(one)["game"] in table
        assert one.browser.post("/now/go", data={"game": game}).headers["location"] == table
        with one.open(game) as page:
            page.until("table")
            assert page.table["closed"]
        assert game not in one.browser.get("/").text
        assert game not in one.browser.get("/history").text


def test_only_the_own_game_against_a_level_can_be_closed(hall: Live) -> None:
    with hall.person() as one, hall.person() as other, hall.person() as third:
        game = met(one, other)
        foreign = third.new_game()
        assert one.browser.post("/now/go", data={"game": foreign}).status_code == 403
        assert one.browser.post("/now/go", data={"game": game}).status_code == 409
        for forged in ("", "x" * 16, "../" * 5, "A" * 4000):
            assert one.browser.post("/now/go", data={"game": forged}).status_code == 404
        with one.open(game) as page:
            page.until("table")
            assert not page.table["closed"]
        assert third.browser.get(f"/game/{game}").status_code == 403


@pytest.mark.parametrize(
    "wrong", [{"length": "nine"}, {"seconds": "1"}, {"seconds": "-20"}, {"seconds": "２０"}, {"length": ""}]
)
def test_a_choice_that_is_not_offered_is_refused(hall: Live, wrong: dict[str, str]) -> None:
    with hall.person() as one:
        assert press(one, **wrong).status_code == 400
        assert one.browser.post("/now").status_code == 400, "without any choice"
        assert not answer(one)["waits"]


def test_requests_of_other_sites_are_refused(hall: Live) -> None:
    with hall.person() as one:
        for path in ("/now", "/now/stop", "/now/level", "/now/go"):
            forged = one.browser.post(path, headers={"Origin": "https://elsewhere.example"})
            assert forged.status_code == 403
        assert one.browser.get("/now/answer").json()["waits"] is False


def test_a_long_name_with_markup_is_cut_and_escaped(hall: Live) -> None:
    with hall.person() as one, hall.person() as other:
        press(one, name="<b>" * 100)
        press(other, name="Ken")
        other.browser.get("/now")
        game = answer(one)["game"]
        with one.open(game) as page:
            page.until("table")
            assert sorted(page.table["names"]) == sorted([("<b>" * 100)[:24], "Ken"])
        one.browser.post("/now/stop")
        assert not re.search("<b><b>", other.browser.get("/now").text)
