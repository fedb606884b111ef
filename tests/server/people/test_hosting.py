"""Tables whose players never arrive or leave for good: every way out, with a test clock."""

import contextlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from fifteentwo.rules.events import ForfeitedFor
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import move_clock, seats
from fifteentwo.server.live.move_clock import ClaimOutcome, MoveClock
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.seats import Origin
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages import site
from fifteentwo.server.people import hosting, lobby
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.dealing import commitment_to
from fifteentwo.server.table_log.time_controls import ABSENCE_CLAIM_SECONDS, IDLE_CLAIM_SECONDS
from tests.support.accounts import listed, shown
from tests.support.clocked_tables import BOTH, Table, Time, at_a_table
from tests.support.live_server import Live, Page, Person, serving
from tests.support.stored import ledger_of, rows_of
from tests.support.stored_match import Process

# ── A seat that is taken and never opened ────────────────────────────────────────────────────────────────


async def new_table(tables: Tables, **fields: str) -> str:
    rules, options, people = site.read_table_form({"variant": "six-card", "level_1": "person", **fields})
    return await tables.create(rules, options, people)


async def test_a_seat_that_is_never_opened_is_free_after_two_minutes(
    tmp_path: Path, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    monkeypatch.setattr(seats, "wall_clock", lambda: time.date)
    tables = await process(tmp_path / "games.sqlite3")
    origin = Origin("0000", "1111")
    names = [await new_table(tables, name_1="Ben"), await new_table(tables)]
    for number, name in enumerate(names):
        table = await tables.open(name)
        await lobby.take_first_seat(tables, table, f"ken {number}", "Ken", origin)
    await seats.record_opened(tables.store, names[1], [1])
    time.go(seats.UNOPENED_SECONDS - 1)
    assert await seats.free_unopened(tables) == 0
    time.go(2)
    assert await seats.free_unopened(tables) == 1
    rebuilt = [(await tables.open(name)).people[1] for name in names]
    assert [(one.name, one.owner) for one in rebuilt] == [("Ben", None), ("Ken", "ken 1")]
    table = await tables.open(names[0])
    (place,) = table.open_invitations()
    again = await seats.take_seat(tables, table, place.path.rpartition("/")[2], "mia", "Mia", origin)
    assert again == 1, "the invitation holds again"
    await seats.record_opened(tables.store, names[0], [1])
    time.go(10 * seats.UNOPENED_SECONDS)
    assert await seats.free_unopened(tables) == 0


async def test_a_seat_that_was_opened_while_the_database_was_away_stays_taken(
    tmp_path: Path, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    monkeypatch.setattr(seats, "wall_clock", lambda: time.date)
    tables = await process(tmp_path / "games.sqlite3")
    table = await tables.open(await new_table(tables))
    await lobby.take_first_seat(tables, table, "ken", "Ken", Origin("0000", "1111"))
    page = OpenPage(1, "en", None)
    table.join(page)
    for _ in range(2):
        time.go(seats.UNOPENED_SECONDS + 1)
        assert await seats.free_unopened(tables) == 0
        # After the page was recorded, it may close.
        table.leave(page)


@pytest.mark.long
def test_unopened_seats_of_a_browser_and_an_address_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "_CACHE_SECONDS", -1.0)
    monkeypatch.setattr(lobby, "MAX_TABLES_PER_HOST", 20)
    with serving(tmp_path / "games.sqlite3") as server, server.person() as host, server.person() as ken:
        for _ in range(8):
            listed(host)

        def take(person: Person) -> list[str]:
            answers = [person.browser.post(f"/lobby/{handle}") for handle in shown(person)]
            return [one.headers["location"].split("/")[2] for one in answers if one.status_code == 303]

        own = take(ken)
        assert len(own) == seats.MAX_UNOPENED_PER_BROWSER
        # A player who opens the table may take another seat.
        with ken.open(own[0]) as page:
            page.until("table")
            assert len(take(ken)) == 1
        others = 0
        for _ in range(8):
            with server.person() as stranger:
                others += len(take(stranger))
        assert 2 + others == seats.MAX_UNOPENED_PER_ADDRESS, "one address does not take them all"
        with server.person(address="127.0.0.2") as elsewhere:
            assert take(elsewhere)


# ── What a host may do before the first card ─────────────────────────────────────────────────────────────


def seed(number: int) -> bytes:
    return bytes([number]) * 32


def opened(person: Person, game: str, number: int) -> Page:
    return person.open(game, commitment=commitment_to(seed(number)))


def reveal(page: Page, number: int) -> None:
    """Send the seed when it is requested, and wait for the cards."""
    while page.dealing.get("stage") != "revealing":
        page.hear()
    page.send("reveal", seed(number).hex())
    page.settle()


def arrange(who: Person, game: str, **chosen: str) -> int:
    return who.browser.post(f"/game/{game}/seat", data=chosen).status_code


def test_a_host_clears_the_seat_of_a_guest_who_came_and_went(live: Live, database: Path) -> None:
    with live.person() as host, live.person() as ben, live.person() as cyd, live.person() as mia:
        game = host.new_game("three-handed", level_1="person", level_2="person")
        with opened(host, game, 1) as page:
            page.until("table")
            first, second = [one["path"] for one in page.table["invitations"]]
            ben.sit(first, "Ben")
            with opened(ben, game, 2) as gone:
                gone.until("dealing")
            assert arrange(ben, game, person="1", do="clear") == 403
            assert arrange(host, game, person="1", do="clear") == 303
            assert "unseated" in [row.type for row in rows_of(database, game)]
            assert ben.browser.get(f"/game/{game}").status_code == 403
            mia.sit(first, "Mia")
            cyd.sit(second, "Cyd")
            with opened(mia, game, 3) as other, opened(cyd, game, 4) as third:
                for one, number in ((other, 3), (third, 4)):
                    while one.dealing.get("stage") != "revealing":
                        one.hear()
                    one.send("reveal", seed(number).hex())
                reveal(page, 1)
                assert page.dealing["committed"][1] == commitment_to(seed(3))
                assert arrange(host, game, person="1", do="clear") == 409, "cards have been dealt"


def test_a_computer_logged_but_not_seated_can_be_seated_again(
    host: Person, ben: Person, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ended between the two writes; the host presses the button again."""
    rise, failed = hosting._store_cleared_seat, [False]

    async def breaks(*given: Any) -> None:
        if not failed[0]:
            failed[0] = True
            raise StoreError("disk-full")
        await rise(*given)

    monkeypatch.setattr(hosting, "_store_cleared_seat", breaks)
    game = host.new_game(level_1="person")
    with opened(host, game, 1) as page:
        page.until("table")
        ben.sit(page.table["invitations"][0]["path"], "Ben")
        assert arrange(host, game, person="1", do="computer", level="greedy") == 503
        assert [row.type for row in rows_of(database, game)].count("unseated") == 1
        assert arrange(host, game, person="1", do="computer", level="greedy") == 303
        assert [row.type for row in rows_of(database, game)].count("unseated") == 1
        assert ben.browser.get(f"/game/{game}").status_code == 403
        reveal(page, 1)
        assert page.view["phase"]


@pytest.mark.parametrize("earlier", ["again", "first"])
def test_clearing_the_seat_of_an_open_page_leaves_no_commitment(
    live: Live, database: Path, monkeypatch: pytest.MonkeyPatch, earlier: str
) -> None:
    """The open page would commit at once, and its seed could never be revealed."""
    free = seats.free_seat

    async def answered(store: Store, game: str, number: int, called: str, **more: bool) -> None:
        with contextlib.suppress(Refused):
            table = await tables[0].open(game)
            await table.part(Seeding).commit(table, number, commitment_to(seed(2)))
        await free(store, game, number, called, **more)

    tables: list[Tables] = []
    clear = hosting.clear_seat

    async def clearing(own: Tables, *chosen: Any) -> None:
        tables.append(own)
        await clear(own, *chosen)

    monkeypatch.setattr(seats, "free_seat", answered)
    monkeypatch.setattr(hosting, "clear_seat", clearing)
    with live.person() as host, live.person() as ben, live.person() as mia:
        game = host.new_game("three-handed", level_1="person", level_2="person")
        with opened(host, game, 1) as page:
            page.until("table")
            first = page.table["invitations"][0]["path"]
            ben.sit(first)
            with ben.open(game, commitment=commitment_to(seed(2)) if earlier == "again" else "") as gone:
                gone.until("dealing")
                assert arrange(host, game, person="1", do="clear") == 303
                with pytest.raises(ConnectionClosed):
                    gone.until("closed")
            while True:
                if page.until("people")["d"]["open"] == [False, True, True]:
                    break
            seeds = ledger_of(database, game).seeds
            assert seeds is not None
            assert 1 not in seeds.commitments
            mia.sit(first, "Mia")
            with opened(mia, game, 3) as other:
                other.until("dealing")
                assert other.dealing["committed"] == [commitment_to(seed(1)), commitment_to(seed(3)), ""]


def test_a_seat_on_the_hosts_screen_cannot_be_cleared(host: Person) -> None:
    """This seat has no invitation, so no guest could take it afterwards."""
    game = host.new_game("three-handed", level_1="here", level_2="person", here_1="Ben")
    assert arrange(host, game, person="1", do="clear") == 409
    assert host.browser.get(f"/game/{game}/waiting").text.count("data-clear") == 1
    assert arrange(host, game, person="1", do="computer", level="random") == 303


@pytest.mark.parametrize("came", [False, True])
def test_a_host_seats_a_computer_instead_of_an_absent_guest(live: Live, came: bool) -> None:
    with live.person() as host, live.person() as ben, live.person() as cyd:
        game = host.new_game("three-handed", level_1="person", level_2="person")
        with opened(host, game, 1) as page:
            page.until("table")
            ben.sit(page.table["invitations"][0]["path"], "Ben")
            last = page.table["invitations"][1]["path"]
            with opened(ben, game, 2) as other:
                other.until("dealing")
                if came:
                    cyd.sit(last, "Cyd")
                    with opened(cyd, game, 3) as third:
                        third.until("dealing")
                        # The page has committed, and closes before it reveals its seed.
                        other.send("reveal", seed(2).hex())
                    assert arrange(host, game, person="2", do="computer", level="random") == 409
                    return
                assert arrange(host, game, person="2", do="computer", level="wizard") == 400
                assert arrange(host, game, person="2", do="computer", level="random") == 303
                while other.dealing.get("stage") != "revealing":
                    other.hear()
                other.send("reveal", seed(2).hex())
                reveal(page, 1)
                assert page.table["levels"] == [None, None, "random"]
                assert page.dealing["committed"][2] == "computer"
            assert cyd.browser.post(last, data={"name": "Cyd"}).status_code == 404


def test_a_host_cancels_a_table_and_its_pages_say_so(live: Live, host: Person, ben: Person) -> None:
    game = host.new_game("three-handed", level_1="person", level_2="person", listed="yes")
    with opened(host, game, 1) as page, live.person() as stranger:
        page.until("table")
        ben.sit(page.table["invitations"][0]["path"], "Ben")
        with opened(ben, game, 2) as other:
            other.until("dealing")
            assert ben.browser.post(f"/game/{game}/cancel").status_code == 403
            assert stranger.browser.post(f"/game/{game}/cancel").status_code == 403
            assert host.browser.post(f"/game/{game}/cancel").status_code == 303
            while True:
                message = other.until("view")
                if message["d"]["closed"]:
                    break
        assert host.browser.post(f"/game/{game}/cancel").status_code == 409
        assert f"/game/{game}" not in host.browser.get("/").text
    assert host.browser.get(f"/game/{game}/waiting").headers["location"] == f"/game/{game}"


def test_a_table_whose_cards_are_dealt_is_not_cancelled(host: Person, ben: Person) -> None:
    with host.at_table("five-card", level_1="person") as page:
        page.until("waiting")
        ben.sit(page.table["invitations"][0]["path"], "Ben")
        with ben.open(page.game) as other:
            other.settle()
            assert host.browser.post(f"/game/{page.game}/cancel").status_code == 409
            assert arrange(host, page.game, person="1", do="computer", level="club") == 409


# ── Players who stay ─────────────────────────────────────────────────────────────────────────────────────


async def refused(table: Table, by: int, seat: int, then: ClaimOutcome = "forfeit") -> str:
    with pytest.raises(Refused) as error:
        await table.live.part(MoveClock).claim(table.live, by, seat, then)
    return error.value.code


async def test_a_player_who_stays_claims_the_game_after_five_minutes_and_not_before(
    tmp_path: Path, time: Time
) -> None:
    async with at_a_table(tmp_path, time, None) as table:
        await table.until(1, phase=Phase.PLAY)
        seat = table.ledger.seat_of(1)
        assert await refused(table, 0, seat) == "nothing-to-claim", "they are here"
        table.go(1)
        await table.later(ABSENCE_CLAIM_SECONDS - 1)
        assert await refused(table, 0, seat) == "nothing-to-claim"
        clock = table.clock_of(0)
        assert (clock["on_timeout"], clock["away_seconds"]) == ("claim", ABSENCE_CLAIM_SECONDS)
        # The time is sent once, and the page counts it down.
        left = pytest.approx(ABSENCE_CLAIM_SECONDS, abs=0.6)
        assert clock["seats"][seat] == {"running": "away", "seconds_left": left, "level": None}
        await table.later(1000)
        assert not table.ledger.table.over, "nothing ends by itself"
        assert await refused(table, 0, table.ledger.seat_of(0)) == "nothing-to-claim"
        assert await refused(table, 0, 17) == "nothing-to-claim"
        await table.live.part(MoveClock).claim(table.live, 0, seat, "forfeit")
        won = table.ledger.table.state.won
        assert won is not None
        assert (won.side, won.forfeited, won.why) == (table.ledger.seat_of(0), seat, ForfeitedFor.AWAY)


async def test_a_player_who_comes_back_or_acts_has_the_whole_time_again(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, None) as table:
        await table.until(1, phase=Phase.PLAY)
        seat = table.ledger.seat_of(1)
        table.go(1)
        await table.later(ABSENCE_CLAIM_SECONDS - 5)
        await table.come(1)
        await table.later(10)
        assert await refused(table, 0, seat) == "nothing-to-claim"
        table.go(1)
        await table.later(ABSENCE_CLAIM_SECONDS - 5)
        # Reloading a waiting player's page costs no time.
        table.go(0)
        await table.later(1)
        await table.come(0)
        await table.later(6)
        await table.live.part(MoveClock).claim(table.live, 0, seat, "level")
        assert table.ledger.disconnects.levels_by_person == {1: "club"}
        await table.come(1)
        await table.settled()
        await move_clock.come_back(table.live, 1)
        assert table.ledger.disconnects.levels_by_person == {}


@pytest.mark.parametrize("then", ["forfeit", "level"])
async def test_a_player_who_is_here_and_does_not_move_can_be_claimed_after_ten_minutes(
    tmp_path: Path, time: Time, then: ClaimOutcome
) -> None:
    async with at_a_table(tmp_path, time, None) as table:
        await table.until(1, phase=Phase.PLAY)
        seat = table.ledger.seat_of(1)
        await table.later(IDLE_CLAIM_SECONDS - ABSENCE_CLAIM_SECONDS - 1)
        assert {one["running"] for one in table.clock_of(0)["seats"]} == {None}, "thinking is not hurried"
        await table.later(6)
        clock = table.clock_of(0)
        assert (clock["on_timeout"], clock["move_seconds"]) == ("claim", IDLE_CLAIM_SECONDS)
        assert clock["seats"][seat]["running"] == "move"
        assert ABSENCE_CLAIM_SECONDS - 5 < clock["seats"][seat]["seconds_left"] <= ABSENCE_CLAIM_SECONDS
        assert await refused(table, 0, seat) == "nothing-to-claim"
        await table.later(ABSENCE_CLAIM_SECONDS - 6)
        assert await refused(table, 0, seat) == "nothing-to-claim"
        # Reloading a page gives no time back.
        table.go(1)
        await table.later(2)
        await table.come(1)
        await table.later(2)
        assert await refused(table, 1, seat) == "nothing-to-claim", "the player who is asked"
        await table.live.part(MoveClock).claim(table.live, 0, seat, then)
        won = table.ledger.table.state.won
        if then == "level":
            assert table.ledger.disconnects.levels_by_person == {1: "club"}
            return
        assert won is not None
        assert (won.forfeited, won.why) == (seat, ForfeitedFor.TIME)


async def test_players_who_share_a_screen_are_not_idle(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, None) as table:
        for one, person in enumerate(table.live.people):
            table.live.people[one] = msgspec.structs.replace(person, owner="shared")
        await table.until(1, phase=Phase.PLAY)
        await table.later(IDLE_CLAIM_SECONDS + 60)
        assert await refused(table, 0, table.ledger.seat_of(1)) == "nothing-to-claim"


async def test_three_players_let_a_computer_replace_the_fourth(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, None, rules_for("partners", target=61), people=4) as table:
        await table.until(3, phase=Phase.PLAY)
        seat = table.ledger.seat_of(3)
        table.go(3)
        await table.later(ABSENCE_CLAIM_SECONDS + 1)
        await table.live.part(MoveClock).claim(table.live, 1, seat, "level")
        while not table.ledger.table.over:
            await table.settled()
            if waiting := [one for one in table.asked() if one != 3]:
                await table.act(waiting[0])
        assert table.ledger.disconnects.levels_by_person == {3: "club"}


async def test_a_next_game_for_which_a_player_never_comes_can_be_closed(tmp_path: Path, time: Time) -> None:
    async with at_a_table(tmp_path, time, None) as table:
        await table.until(0, phase=Phase.PLAY)
        await move_clock.resign(table.live, 1, 1)
        table.go(1)
        await table.settled()
        await table.live.next_game()
        await table.settled()
        assert table.ledger.awaited_for_seeds == (1,)
        seat = table.ledger.seat_of(1)
        await table.later(ABSENCE_CLAIM_SECONDS - 1)
        assert await refused(table, 0, seat) == "nothing-to-claim"
        await table.later(2)
        await table.live.part(MoveClock).claim(table.live, 0, seat, "forfeit")
        assert table.ledger.is_abandoned
        assert table.live.ledger.match.games == (1, 0), "the game that was played counts, the other does not"
        views = [message["d"] for message in table.messages(0) if message["t"] == "view"]
        assert views[-1]["closed"]


async def test_at_a_table_with_a_clock_too_a_game_that_is_never_dealt_can_be_closed(
    tmp_path: Path, time: Time
) -> None:
    async with at_a_table(tmp_path, time, BOTH) as table:
        await table.until(0, phase=Phase.PLAY)
        await move_clock.resign(table.live, 1, 1)
        table.go(1)
        await table.settled()
        await table.live.next_game()
        await table.settled()
        seat = table.ledger.seat_of(1)
        await table.later(ABSENCE_CLAIM_SECONDS - 1)
        assert await refused(table, 0, seat) == "nothing-to-claim"
        assert table.ledger.disconnects.absences == {}, "it is not the time that was agreed"
        await table.come(1)
        await table.settled()
        table.go(1)
        await table.until(1)
        assert table.clock_of(0)["seats"][seat]["seconds_left"] == pytest.approx(120, abs=0.6)


def test_at_a_table_with_a_clock_there_is_nothing_to_claim(host: Person, ben: Person) -> None:
    with host.at_table("five-card", level_1="person", clock_away="120") as page:
        page.until("waiting")
        ben.sit(page.table["invitations"][0]["path"], "Ben")
        page.send("claim-absent", {"seat": 1, "outcome": "level"})
        assert page.until("refused")["d"]["code"] == "nothing-to-claim"
        page.line.send(json.dumps({"t": "claim-absent", "d": {"seat": 1, "outcome": "master"}}))
        assert page.until("refused")["d"]["code"] == "message-unreadable"
