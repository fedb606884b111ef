"""The lobby under attack: what strangers learn, who gets the last place, and what is listed for how long."""

import asyncio
import html
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import msgspec
import pytest
import sqlalchemy as sa

from fifteentwo.i18n import text
from fifteentwo.rules.variants import Variant
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import rate_limits
from fifteentwo.server.http.rate_limits import LIST_TABLE, RATE_BY_BUCKET, TAKE_SEAT, Rate
from fifteentwo.server.live import seats
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.pages import site
from fifteentwo.server.people import lobby
from fifteentwo.server.people.expiry import remove_expired
from fifteentwo.server.people.invitations import invitation_codes
from fifteentwo.server.people.lobby import TABLES_PER_PAGE, Lobby, mark_open_tables
from fifteentwo.server.settings import Settings
from fifteentwo.server.store.schema import invitation_code, lobby_listing, match
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log import proposals
from tests.support.accounts import listed, new_table, shown
from tests.support.errors import raises_code
from tests.support.live_server import Live, serving
from tests.support.stored_match import Process, opened_store


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """Start a server with an empty lobby without a cache."""
    monkeypatch.setattr(lobby, "_CACHE_SECONDS", -1.0)
    with serving(tmp_path / "games.sqlite3") as server:
        yield server


def test_a_table_is_shown_if_its_host_says_so_and_no_other(hall: Live) -> None:
    with hall.person() as host, hall.person() as stranger:
        host.new_game(level_1="person", name="Quiet")
        host.new_game(level_1="random", listed="yes", name="Alone")
        assert shown(stranger) == []
        assert text("lobby.empty", "en") in stranger.browser.get("/lobby").text
        listed(host, name="Aiko")
        assert len(shown(stranger)) == 1


def test_the_lobby_shows_what_the_invitation_shows(hall: Live, lang: str) -> None:
    with hall.person() as host, hall.person(lang) as guest:
        chosen = {
            "counting": "claimed",
            "muggins": "missed",
            "challenge_seconds": "20",
            "length": "to-5",
            "target": "61",
        }
        game = listed(host, "three-handed", name="Aiko", name_2="Clio", level_2="club", **chosen)
        seen = html.unescape(guest.browser.get("/lobby").text)
        with host.open(game) as page:
            page.until("people")
            invitation = html.unescape(guest.browser.get(page.table["invitations"][0]["path"]).text)
    agreed = re.search(r'<p class="lead">([^<]+)</p>', invitation)
    assert agreed is not None
    same = (
        "Aiko",
        "Clio",
        agreed[1],
        *(text(key, lang) for key in ("home.challenge_seconds.20", "level.club")),
    )
    for words in (*same, text("join.points", lang, n=61), text("variant.three-handed", lang)):
        assert words in seen, words
        assert words in invitation, words
    assert text("lobby.open", lang, n=1) in seen


def test_a_stranger_learns_no_address_no_secret_and_no_session(hall: Live) -> None:
    with hall.person() as host, hall.person() as guest, hall.person() as stranger:
        game = listed(host, "four-handed", name="Aiko", level_2="person", level_3="person")
        with host.open(game) as page:
            page.until("people")
            paths = [one["path"] for one in page.table["invitations"]]
            codes = re.findall(r"data-code>([^<]+)<", host.browser.get(f"/game/{game}/waiting").text)
            assert len(codes) == 3
            guest.sit(paths[0], name="Ken")
        (handle,) = shown(stranger)
        answers = [stranger.browser.get(f"/lobby{rest}") for rest in ("", "/tables", f"/{handle}")]
        secrets = [game, *(path.rpartition("/")[2] for path in paths)]
        secrets += [code.replace(" ", "") for code in codes] + codes
        secrets += [*host.browser.cookies.values(), *guest.browser.cookies.values()]
        for answer in answers:
            assert answer.status_code == 200
            response = answer.text + str(answer.headers)
            assert "Aiko" in response
            assert "Ken" in response
            for secret in secrets:
                assert secret not in response
        # The lobby gives no access to the table itself.
        for path in (f"/game/{handle}", f"/game/{handle}/waiting", f"/game/{handle}/join/{handle}"):
            assert stranger.browser.get(path).status_code in (403, 404)


def test_a_guest_from_the_lobby_is_seated_and_a_full_table_is_hidden(hall: Live, lang: str) -> None:
    with hall.person() as host, hall.person(lang) as guest, hall.person(lang) as late:
        game = listed(host, name="Aiko")
        (handle,) = shown(guest)
        asked = guest.browser.get(f"/lobby/{handle}")
        assert text("lobby.seen-there", lang) in asked.text
        assert text("lobby.host", lang, host="Aiko") in asked.text
        assert text("join.title", lang) not in asked.text
        answer = guest.browser.post(f"/lobby/{handle}", data={"name": " 健\u202e "})
        assert answer.headers["location"] == f"/game/{game}"
        with guest.open(game) as page:
            page.until("table")
            assert page.table["names"] == ["Aiko", "健"]
        assert shown(late) == shown(guest) == []
        for answer in (late.browser.get(f"/lobby/{handle}"), late.browser.post(f"/lobby/{handle}")):
            assert answer.status_code == 404
            assert html.escape(text("refusal.not-in-lobby", lang), quote=False) in html.unescape(answer.text)
            assert "Aiko" not in answer.text


@pytest.mark.long
def test_every_header_leads_to_other_people_and_to_the_account(hall: Live, lang: str) -> None:
    with hall.person(lang) as reader:
        page = reader.browser.get("/rules").text
    header = page[page.index('<header class="top">') : page.index("</header>")]
    assert text("lobby.home", lang) in header
    for path in ("/now", "/lobby", "/club", "/practice/daily", "/account"):
        assert header.count(f'href="{path}"') == 1, path


def test_only_one_of_many_simultaneous_guests_gets_the_last_place(hall: Live) -> None:
    with ExitStack() as stack:
        host = stack.enter_context(hall.person())
        rushing = [stack.enter_context(hall.person()) for _ in range(8)]
        game = listed(host)
        (handle,) = shown(host)
        with ThreadPoolExecutor(8) as threads:
            answers = list(
                threads.map(lambda one: one.browser.post(f"/lobby/{handle}", data={"name": "x"}), rushing)
            )
        assert sorted(answer.status_code for answer in answers) == [303] + [404] * 7
        seated = [one for one in rushing if one.browser.get(f"/game/{game}").status_code == 200]
        assert len(seated) == 1
        assert seated[0] is rushing[[answer.status_code for answer in answers].index(303)]


def test_two_requests_of_a_new_guest_take_one_seat(hall: Live) -> None:
    """A new browser sends both requests before either is answered."""
    for way in ("lobby", "invitation"):
        with hall.person() as host, hall.person() as guest:
            game = listed(host, "three-handed", level_2="person")
            with host.open(game) as page:
                page.until("table")
                path = f"/lobby/{shown(host)[0]}" if way == "lobby" else page.table["invitations"][0]["path"]
                assert guest.browser.get(path).status_code == 200
                cookies = dict(guest.browser.cookies)

                def press(path: str = path, cookies: dict[str, str] = cookies) -> httpx.Response:
                    return httpx.post(hall.http + path, data={"name": "Ken"}, cookies=cookies)

                with ThreadPoolExecutor(2) as threads:
                    answers = [one.result() for one in [threads.submit(press) for _ in range(2)]]
                assert [answer.status_code for answer in answers] == [303, 303]
                for answer in answers:
                    with httpx.Client(base_url=hall.http, cookies={**cookies, **answer.cookies}) as browser:
                        assert browser.get(f"/game/{game}").status_code == 200
                page.send("lang", "en")
                page.until("table")
                assert len(page.table["invitations"]) == 1, "one place is left for another guest"


@pytest.mark.long
def test_three_places_are_taken_by_three_at_once_and_never_by_one_twice(hall: Live) -> None:
    with ExitStack() as stack:
        host = stack.enter_context(hall.person())
        rushing = [stack.enter_context(hall.person()) for _ in range(3)]
        game = listed(host, "partners", level_2="person", level_3="person")
        (handle,) = shown(host)
        twice = [*rushing, *rushing]
        for one in rushing:
            one.browser.get("/lobby")
            one.browser.post("/games", data={"level_1": "random"})  # in the player's own session
        with ThreadPoolExecutor(6) as threads:
            answers = list(threads.map(lambda one: one.browser.post(f"/lobby/{handle}"), twice))
        assert {answer.status_code for answer in answers} <= {303, 404, 409}
        with host.open(game) as page:
            page.until("people")
            assert page.table["invitations"] == []
        assert all(one.browser.get(f"/game/{game}").status_code == 200 for one in rushing)


def test_only_the_host_can_unlist_a_table(hall: Live) -> None:
    with hall.person() as host, hall.person() as guest, hall.person() as stranger:
        game = listed(host, "three-handed", level_2="person")
        handle = shown(stranger)[0]
        assert stranger.browser.post(f"/game/{game}/lobby", data={"listed": "no"}).status_code == 403
        guest.browser.post(f"/lobby/{handle}")
        assert guest.browser.post(f"/game/{game}/lobby", data={"listed": "no"}).status_code == 403
        assert shown(stranger) == [handle]
        assert host.browser.post(f"/game/{game}/lobby", data={"listed": "no"}).status_code == 303
        assert shown(stranger) == []
        assert stranger.browser.get(f"/lobby/{handle}").status_code == 404
        host.browser.post(f"/game/{game}/lobby", data={"listed": "yes"})
        (again,) = shown(stranger)
        assert again != handle, "an old name in the lobby leads nowhere"


def test_no_host_fills_the_lobby_with_tables_of_their_own(hall: Live) -> None:
    with hall.person() as host, hall.person() as stranger:
        games = [listed(host) for _ in range(lobby.MAX_TABLES_PER_HOST + 2)]
        assert len(shown(stranger)) == lobby.MAX_TABLES_PER_HOST
        refused = host.browser.post(f"/game/{games[-1]}/lobby", data={"listed": "yes"})
        assert refused.status_code == 429
        host.browser.post(f"/game/{games[0]}/lobby", data={"listed": "no"})
        assert host.browser.post(f"/game/{games[-1]}/lobby", data={"listed": "yes"}).status_code == 303
        # Listing a table again counts as listing it.
        assert host.browser.post(f"/game/{games[-1]}/lobby", data={"listed": "yes"}).status_code == 303
        assert len(shown(stranger)) == lobby.MAX_TABLES_PER_HOST


def test_listings_and_seats_of_an_address_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "_CACHE_SECONDS", -1.0)
    monkeypatch.setitem(RATE_BY_BUCKET, "lobby", Rate(2 * LIST_TABLE.tokens + TAKE_SEAT.tokens, 0.001))
    monkeypatch.setattr(rate_limits, "MAX_PERSON_SHARE", 1.0)
    behind = Settings(trusted_proxies=("127.0.0.1",))
    with serving(tmp_path / "games.sqlite3", settings=behind) as server, ExitStack() as stack:
        people = [stack.enter_context(server.person()) for _ in range(5)]
        for one in people:
            one.browser.headers["X-Forwarded-For"] = "203.0.113.7"
        for one in people:
            # A browser without a session is not limited by session.
            listed(one)
        handles = shown(people[0])
        assert len(handles) == 2
        taken = [people[3].browser.post(f"/lobby/{handle}").status_code for handle in handles]
        assert taken == [303, 429]


def test_an_open_page_is_sent_nothing_while_nothing_changes(hall: Live) -> None:
    with hall.person() as host, hall.person("ja") as stranger:
        listed(host)
        first = stranger.browser.get("/lobby/tables")
        etag = first.headers["etag"]
        assert first.headers["cache-control"] == "no-cache, private"
        assert html.unescape(stranger.browser.get("/lobby").text).count(f'data-etag="{etag}"') == 1
        same = stranger.browser.get("/lobby/tables", headers={"If-None-Match": etag})
        assert (same.status_code, same.content) == (304, b"")
        for whose, more in ((stranger, {"Accept-Language": "en"}), (host, {})):
            assert (
                whose.browser.get("/lobby/tables", headers={"If-None-Match": etag, **more}).status_code == 200
            )
        listed(host)
        assert stranger.browser.get("/lobby/tables", headers={"If-None-Match": etag}).status_code == 200


def test_players_see_their_own_listed_tables_marked(hall: Live) -> None:
    with hall.person() as host, hall.person() as stranger:
        game = listed(host)
        (handle,) = shown(host)
        assert f'href="/game/{game}/waiting"' in host.browser.get("/lobby").text
        assert f'href="/lobby/{handle}"' not in host.browser.get("/lobby").text
        assert f'href="/lobby/{handle}"' in stranger.browser.get("/lobby").text
        for answer in (host.browser.get(f"/lobby/{handle}"), host.browser.post(f"/lobby/{handle}")):
            assert answer.headers["location"] == f"/game/{game}", "no guest takes two places"
        assert len(shown(stranger)) == 1


def test_an_invalid_page_number_shows_a_page(subtests: pytest.Subtests, hall: Live) -> None:
    for number in ["0", "-1", "9" * 40, "２", "x", "", "1e3", "51"]:
        with subtests.test(number=number), hall.person() as stranger:
            for path in ("/lobby", "/lobby/tables"):
                assert stranger.browser.get(path, params={"page": number}).status_code == 200


def test_an_invalid_handle_is_a_plain_404(subtests: pytest.Subtests, hall: Live) -> None:
    for handle in ["x", "%00", "a" * 5000, "..%2f..", "'; DROP TABLE game; --", "🂡", "tables%2f"]:
        with subtests.test(handle=handle), hall.person() as stranger:
            for answer in (
                stranger.browser.get(f"/lobby/{handle}"),
                stranger.browser.post(f"/lobby/{handle}"),
            ):
                assert answer.status_code in (404, 405)


async def test_invalid_handles_are_not_looked_up_in_the_database(address: str) -> None:
    """PostgreSQL refuses NUL, which looked like a lost connection."""
    async with opened_store(address) as store:
        for handle in ["\0", "a\0b", "\udcff", "' OR 1", "a" * 17, ""]:
            with raises_code(Refused, "not-in-lobby"):
                await lobby.find_table(store, handle)


def test_names_are_text_and_nothing_else(hall: Live) -> None:
    with hall.person() as host, hall.person() as stranger:
        listed(host, name="<script>alert(1)</")
        tables = stranger.browser.get("/lobby/tables").text
        assert "<script>" not in tables
        assert "&lt;script&gt;" in tables


# ── The database decides ─────────────────────────────────────────────────────────────────────────────────


ORIGIN = seats.Origin("0000", "1111")


async def _set_seen(store: Store, seconds_ago: int) -> None:
    async with store.writing() as connection:
        await connection.execute(lobby_listing.update().values(seen_at=int(time.time()) - seconds_ago))


async def test_processes_show_the_same_tables_and_absent_hosts_hide_them(
    address: str, process: Process
) -> None:
    here, there = await process(address), await process(address)
    store, other = here.store, there.store
    name = await new_table(here, "aiko")
    table = await here.open(name)
    await lobby.list_table(store, table, "aiko")
    (seen,) = (await Lobby(other).page(1)).tables
    assert seen.table_id == name
    assert seen.open_seats == 1
    assert await lobby.find_table(other, seen.handle) == name

    # The host's page closes: the table stays for some minutes, and is then hidden.
    await _set_seen(store, lobby.HOST_ABSENCE_SECONDS - 5)
    assert len((await Lobby(other).page(1)).tables) == 1
    await _set_seen(store, lobby.HOST_ABSENCE_SECONDS + 5)
    assert (await Lobby(other).page(1)).tables == ()
    with raises_code(Refused, "not-in-lobby"):
        await lobby.find_table(other, seen.handle)
    # A second process that writes an old row does not bring the table back.
    await mark_open_tables(there)
    assert (await Lobby(other).page(1)).tables == ()
    assert await lobby.is_listed(other, name)

    # The host returns in any process, and so does the table.
    back = await there.open(name)
    back.join(OpenPage(0, "en", None))
    await mark_open_tables(there)
    assert len((await Lobby(store).page(1)).tables) == 1

    # A guest who takes a seat in one process fills the table in all processes.
    place = table.open_invitations()[0].path.rpartition("/")[2]
    await seats.take_seat(here, table, place, "ken", "Ken", ORIGIN)
    assert (await Lobby(other).page(1)).tables == ()


async def test_abandoned_games_and_absent_hosts_leave_no_listing(address: str, process: Process) -> None:
    tables = await process(address)
    store = tables.store
    given_up, unseen = [await new_table(tables, owner) for owner in ("aiko", "mia")]
    for name, owner in ((given_up, "aiko"), (unseen, "mia")):
        await lobby.list_table(store, await tables.open(name), owner)
    table = await tables.open(given_up)
    await table.add_row(lambda: proposals.abandon(table.ledger))
    assert [one.table_id for one in (await Lobby(store).page(1)).tables] == [unseen]
    with raises_code(Refused, "lobby-no-open-place"):
        await lobby.list_table(store, table, "aiko")
    await _set_seen(store, lobby.REMOVAL_SECONDS + 5)
    await mark_open_tables(tables)
    async with store.reading() as connection:
        rows = await connection.execute(sa.select(sa.func.count()).select_from(lobby_listing))
        assert rows.scalar_one() == 0


async def test_a_host_lists_at_most_three_tables_at_a_time(address: str, process: Process) -> None:
    """The limit holds for simultaneous requests, and for earlier tables that are opened again."""
    halls = [await process(address)]
    if halls[0].store.is_shared:
        halls.append(await process(address))
    stores = [hall.store for hall in halls]

    async def show(name: str, number: int) -> None:
        table = await halls[number % len(halls)].open(name)
        await lobby.list_table(stores[number % len(halls)], table, "aiko")

    async def shown_now() -> set[str]:
        return {one.table_id for one in (await Lobby(stores[0]).page(1)).tables}

    names = [await new_table(halls[0], "aiko") for _ in range(8)]
    answers = await asyncio.gather(
        *(show(name, number) for number, name in enumerate(names)), return_exceptions=True
    )
    assert answers.count(None) == lobby.MAX_TABLES_PER_HOST, answers
    earlier = await shown_now()
    assert len(earlier) == lobby.MAX_TABLES_PER_HOST
    await _set_seen(stores[0], lobby.HOST_ABSENCE_SECONDS + 5)
    later = [await new_table(halls[0], "aiko") for _ in range(3)]
    for name in later:
        await show(name, 0)
    await lobby.mark_seen(stores[0], names)
    assert await shown_now() == set(later)
    # A table without an open seat is hidden and does not count.
    table = await halls[0].open(later[0])
    await lobby.take_first_seat(halls[0], table, "ken", "Ken", ORIGIN)
    await show(names[0], 0)
    assert await shown_now() == {names[0], *later[1:]}


async def test_two_processes_give_the_last_place_to_one(address: str, process: Process) -> None:
    halls = [await process(address) for _ in range(2)]
    for attempt in range(5):
        name = await new_table(halls[0], f"host {attempt}")
        tables = [await hall.open(name) for hall in halls]
        results = await asyncio.gather(
            *(
                lobby.take_first_seat(halls[number], table, f"{number} {attempt}", "x", ORIGIN)
                for number, table in enumerate(tables)
            ),
            return_exceptions=True,
        )
        refused = [one for one in results if isinstance(one, Refused)]
        assert len(refused) == 1
        assert refused[0].code == "not-in-lobby"
        assert results.count(1) == 1


async def test_a_guest_who_follows_two_invitations_at_once_has_one_place(
    address: str, process: Process
) -> None:
    """A player with two seats would play for both."""
    halls = [await process(address)]
    if halls[0].store.is_shared:
        halls.append(await process(address))
    fields = {"variant": "partners", **{f"level_{number}": "person" for number in (1, 2, 3)}}
    for attempt in range(8):
        rules, options, people = site.read_table_form(fields)
        host = msgspec.structs.replace(people[0], owner="host")
        name = await halls[0].create(rules, options, (host, *people[1:]))
        tables = [await halls[number % len(halls)].read(name) for number in range(3)]
        ways = [str(one.invitation) for one in people[1:]]
        numbers = await asyncio.gather(
            *(
                seats.take_seat(halls[number % len(halls)], table, way, "ken", "", ORIGIN)
                for number, (table, way) in enumerate(zip(tables, ways, strict=True))
            )
        )
        sitting = [one.owner for one in await halls[0].store.people(name)]
        assert sitting.count("ken") == 1, f"at {attempt}: {sitting}"
        assert set(numbers) == {sitting.index("ken")}


async def test_a_thousand_tables_are_paged_in_the_order_they_wait_and_read_once(
    address: str, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = await process(address)
    store = tables.store
    number = 3 * TABLES_PER_PAGE + 1
    names = [await new_table(tables, f"host {at}") for at in range(number)]
    now = int(time.time())
    rows = [
        {"match_id": name, "handle": f"h{at:04}", "listed_at": now - 1000 + at, "seen_at": now}
        for at, name in enumerate(names)
    ]
    async with store.writing() as connection:
        await connection.execute(lobby_listing.insert(), rows)
    shown = Lobby(store)
    pages_read = [await shown.page(at) for at in range(1, 6)]
    assert [one.has_more for one in pages_read] == [True, True, True, False, False]
    assert [one.table_id for page in pages_read for one in page.tables] == names
    # Many requests cause one query.
    monkeypatch.setattr(store, "reading", None)
    again = await asyncio.gather(*(shown.page(1) for _ in range(100)))
    assert all(one is pages_read[0] for one in again)


@pytest.mark.long
def test_every_variant_can_be_shown(subtests: pytest.Subtests, hall: Live) -> None:
    for variant in list(Variant):
        with subtests.test(variant=variant), hall.person() as host, hall.person() as guest:
            listed(host, variant)
            (handle,) = shown(guest)
            assert text(f"variant.{variant}", "en") in guest.browser.get("/lobby").text
            assert guest.browser.post(f"/lobby/{handle}").status_code == 303


async def test_a_table_that_ends_loses_its_listing_and_codes(address: str, process: Process) -> None:
    tables = await process(address)
    store = tables.store

    async def rows() -> list[int]:
        async with store.reading() as connection:
            return [
                (await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one()
                for table in (lobby_listing, invitation_code)
            ]

    name = await new_table(tables, "aiko")
    await lobby.list_table(store, await tables.open(name), "aiko")
    await invitation_codes(store, name)
    assert await rows() == [1, 1]
    # The table was idle for a week.
    async with store.writing() as connection:
        await connection.execute(match.update().values(created_at=0, page_seen_at=0))
    assert await remove_expired(store, 7) == 1
    assert await rows() == [0, 0]


def test_a_user_who_deletes_all_of_themselves_is_gone_from_the_lobby(hall: Live) -> None:
    with hall.person() as host, hall.person() as stranger:
        game = listed(host, name="Aiko")
        host.browser.get(f"/game/{game}/waiting")
        assert len(shown(stranger)) == 1
        answer = host.browser.post("/account/delete", data={"sure": "yes"})
        assert answer.status_code == 303
        assert shown(stranger) == []
        assert "Aiko" not in stranger.browser.get("/lobby").text
