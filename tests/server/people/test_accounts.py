"""Accounts with a passphrase: who is signed in, who is refused, and which games are moved."""

import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from websockets.exceptions import ConnectionClosed

from fifteentwo.server.app import make_app
from fifteentwo.server.errors import StoreError
from fifteentwo.server.http.sessions import owner_of_token
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT
from fifteentwo.server.people import accounts, passwords
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.usernames import look_key
from fifteentwo.server.store.schema import signed_in_browser
from fifteentwo.server.store.store import Store
from fifteentwo.server.study import daily
from tests.support.accounts import HERE, SECRET, finished_game, keep, sign_in
from tests.support.live_server import Live, Page, Person


def assert_shown_out(page: Page) -> None:
    """Check that the connection is closed, and that a player of the table can reconnect."""
    with pytest.raises(ConnectionClosed) as closed:
        page.until("nothing")
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == CLOSE_AND_RECONNECT


# ── A guest first, then a name ───────────────────────────────────────────────────────────────────────────


def test_a_guest_can_play_without_an_account(guest: Person) -> None:
    game = guest.new_game()
    assert guest.browser.get(f"/game/{game}").status_code == 200
    for page in ("/", f"/game/{game}", "/history"):
        html = guest.browser.get(page).text
        assert 'type="password"' not in html
        assert html.count("/account") <= 1, "the one quiet link"


def test_a_guests_games_move_to_the_account_and_appear_on_other_devices(live: Live) -> None:
    with live.person() as here, live.person("ja") as there:
        over, going = finished_game(here), here.new_game("five-card")
        assert keep(here, "Along").status_code == 303
        assert sign_in(there, "ALONG").status_code == 303
        for person in (here, there):
            assert over in person.browser.get("/history").text
            assert f"/game/{going}" in person.browser.get("/").text
            assert person.browser.get(f"/game/{over}/record").status_code == 200
        with here.open(going) as one, there.open(going) as other:
            one.until("waiting")
            other.until("waiting")
            assert other.view["seat"] == one.view["seat"] == 0
        assert 'value="Along"' in there.browser.get("/").text, "the name stands where one is asked for"
        new = there.new_game("five-card")
        assert here.browser.get(f"/game/{new}").status_code == 200


def test_an_open_table_reconnects_when_its_player_creates_an_account(aiko: Person) -> None:
    game = aiko.new_game("five-card")
    with aiko.open(game) as page:
        page.until("waiting")
        assert keep(aiko, "Goes on").status_code == 303
        assert_shown_out(page)
        v = page.v
    with aiko.open(game, v) as page:
        page.until("waiting")
        page.settle()
        page.act(page.choices[0])
    assert aiko.browser.get(f"/game/{game}").status_code == 200


@pytest.mark.parametrize("way", ["keep", "sign-in", "along"])
def test_a_guests_cookie_opens_nothing_once_an_account_has_the_seat(live: Live, way: str) -> None:
    with live.person() as aiko, live.person() as mallory:
        if way != "keep":
            keep(aiko, f"Robbed {way}")
            aiko.browser.post("/account/sign-out")
        game = aiko.new_game("five-card")
        mallory.browser.cookies.update(aiko.browser.cookies)
        with mallory.open(game) as page:
            page.until("waiting")
            if way == "keep":
                keep(aiko, f"Robbed {way}")
            else:
                sign_in(aiko, f"Robbed {way}", **({"along": "yes"} if way == "sign-in" else {}))
                aiko.browser.post("/account/along")
            assert_shown_out(page)
        assert mallory.browser.get(f"/game/{game}").status_code == 403
        assert aiko.browser.get(f"/game/{game}").status_code == 200


def test_signing_in_as_another_ends_the_session_before_and_its_open_tables(live: Live) -> None:
    with live.person() as aiko, live.person() as mallory:
        keep(aiko, "Signs over")
        aiko.browser.post("/account/sign-out")
        keep(aiko, "Signed over")
        game = aiko.new_game("five-card")
        mallory.browser.cookies.update(aiko.browser.cookies)
        with mallory.open(game) as page:
            page.until("waiting")
            assert sign_in(aiko, "Signs over").status_code == 303
            assert_shown_out(page)
        assert mallory.browser.get(f"/game/{game}").status_code == 403


def test_signing_in_leaves_a_guests_games_unless_asked_and_signing_out_finds_them_again(live: Live) -> None:
    with live.person() as first, live.person() as second:
        keep(first, "Asked")
        game = second.new_game()
        page = second.browser.get("/account").text
        assert 'name="along"' in page
        assert sign_in(second, "Asked").status_code == 303
        assert second.browser.get(f"/game/{game}").status_code == 403
        assert "Played here before signing in" in second.browser.get("/account").text
        assert second.browser.post("/account/sign-out").status_code == 303
        assert second.browser.get(f"/game/{game}").status_code == 200, "a guest again"
        assert sign_in(second, "Asked", along="yes").status_code == 303
        assert second.browser.get(f"/game/{game}").status_code == 200
        assert first.browser.get(f"/game/{game}").status_code == 200
        second.browser.post("/account/sign-out")
        assert second.browser.get(f"/game/{game}").status_code == 403, "handed over"


def test_a_guests_seat_stays_at_tables_where_the_account_has_one(live: Live) -> None:
    with live.person() as named, live.person() as guest:
        keep(named, "Both sit")
        game = named.new_game("five-card", level_1="person")
        with named.open(game) as page:
            page.until("waiting")
            guest.sit(page.table["invitations"][0]["path"])
            assert sign_in(guest, "Both sit", along="yes").status_code == 303
        with guest.open(game) as page:
            page.until("waiting")
            assert page.view["seat"] == 0
        guest.browser.post("/account/sign-out")


def test_the_days_deal_is_not_dealt_twice(aiko: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily.DailyScores, "play_levels", lambda *_: None)
    first = aiko.browser.post("/practice/daily").headers["location"]
    keep(aiko, "Daily")
    assert aiko.browser.post("/practice/daily").headers["location"] == first
    assert aiko.browser.get(first).status_code == 200


# ── Attacks ──────────────────────────────────────────────────────────────────────────────────────────────


def test_wrong_name_and_wrong_passphrase_are_answered_alike(live: Live, monkeypatch: Any) -> None:
    tried: list[str] = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, kept: str, given: str) -> bool:
        tried.append(kept)
        return verify(self, kept, given)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    with live.person() as aiko, live.person() as mallory:
        keep(aiko, "Alike")
        answers = [
            sign_in(mallory, name, "wrong wrong") for name in ("Alike", "Unknown here", "<>\x00", "x" * 900)
        ]
    assert len(tried) == 4, "the hash is worked out for each"
    assert len(set(tried)) == 2, "her own, and an unknown one"
    assert len({one.split("$")[3] for one in tried}) == 1, "with the same work"
    assert [one.status_code for one in answers] == [403] * 4
    assert len({one.text.split('role="alert"')[1].split("</p>")[0] for one in answers}) == 1
    assert all(not one.headers.get_list("set-cookie") for one in answers)


def test_a_planted_cookie_leads_nowhere(live: Live, database: Path) -> None:
    """Mallory plants her guest's or account's cookie, and waits for Aiko to create an account."""
    planted, named = "M" * 43, "N" * 43
    with live.person() as aiko, live.person() as mallory:
        for browser in (aiko.browser, mallory.browser):
            browser.cookies.set("fifteentwo", planted, "127.0.0.1")
            browser.cookies.set(accounts.SIGNED_IN_COOKIE.name, named, "127.0.0.1")
        game = aiko.new_game()
        assert mallory.browser.get(f"/game/{game}").status_code == 200, "so it is for guests"
        assert keep(aiko, "Planted").status_code == 303
        assert aiko.browser.cookies[accounts.SIGNED_IN_COOKIE.name] != named
        assert aiko.browser.cookies["fifteentwo"] != planted
        assert aiko.browser.get(f"/game/{game}").status_code == 200
        assert mallory.browser.get(f"/game/{game}").status_code == 403
        before = aiko.browser.cookies[accounts.SIGNED_IN_COOKIE.name]
        assert sign_in(aiko, "Planted").status_code == 303
        assert aiko.browser.cookies[accounts.SIGNED_IN_COOKIE.name] != before, "every time a new one"
        mallory.browser.cookies.set(accounts.SIGNED_IN_COOKIE.name, before, "127.0.0.1")
        assert "Sign out" not in mallory.browser.get("/account").text, "the one before has ended"
    kept = database.read_bytes() + Path(f"{database}-wal").read_bytes()
    assert owner_of_token(aiko.browser.cookies[accounts.SIGNED_IN_COOKIE.name]).encode() in kept
    for secret in (before, SECRET, planted):
        assert secret.encode() not in kept, "tokens are hashed, passphrases too"


async def test_over_https_only_host_cookies_are_accepted(tmp_path: Path) -> None:
    app = make_app(str(tmp_path / "games.sqlite3"))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="https://cards.example") as browser,
    ):
        kept = await browser.post("/account/keep", data={"name": "Secure", "passphrase": SECRET})
        assert kept.headers["location"] == "/account"
        (given,) = [one for one in kept.headers.get_list("set-cookie") if "-name=" in one]
        assert given.startswith(f"__Host-{accounts.SIGNED_IN_COOKIE.name}=")
        parts = {part.strip().lower() for part in given.split(";")[1:]}
        assert {"secure", "httponly", "path=/", "samesite=lax"} <= parts
        assert not any(part.startswith("domain") for part in parts)
        token = given.split("=")[1].split(";")[0]
        browser.cookies.clear()
        for name, is_in in (
            (accounts.SIGNED_IN_COOKIE.name, False),
            (f"__Host-{accounts.SIGNED_IN_COOKIE.name}", True),
        ):
            page = await browser.get("/account", headers={"Cookie": f"{name}={token}"})
            assert ("Sign out" in page.text) == is_in


def test_two_sign_ups_of_one_name_at_once_give_it_to_one(live: Live, database: Path) -> None:
    with ThreadPoolExecutor(6) as at_once:
        people = [live.person() for _ in range(6)]
        names = ("Twice", "TWICE", "twice", "ｔｗｉｃｅ", "Tw ice", "Twice")
        answers = list(at_once.map(keep, people, names))
    assert sorted(one.status_code for one in answers) == [303, *[409] * 5]
    connection = sqlite3.connect(database)
    assert connection.execute(
        "SELECT count(*) FROM account WHERE name_key = ?", (look_key("Twice"),)
    ).fetchone() == (1,)
    connection.close()
    for person in people:
        person.browser.close()


def test_passphrases_are_stored_nowhere(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), live.person() as aiko:
        for name, secret in (("Silent", "never to be read"), ("S", "never to be read"), ("Silent", "never")):
            assert "never" not in keep(aiko, name, secret).text
        aiko.browser.post("/account/sign-out")
        answer = sign_in(aiko, "Silent", "never to be guessed")
        assert 'value="Silent"' in answer.text
        assert "never" not in answer.text
        assert answer.headers["cache-control"] == "no-store"
    assert "never" not in caplog.text


async def test_passphrases_are_hashed_by_argon2id() -> None:
    hashes = passwords.PassphraseHasher()
    kept = await hashes.compute_hash("x")
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await hashes.is_right(kept, "x")
    assert not await hashes.is_right("no hash at all", "x")
    assert hashes.needs_rehash(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("x"))


# ── Sessions ─────────────────────────────────────────────────────────────────────────────────────────────


def test_sessions_are_listed_and_ended_and_open_tables_with_them(live: Live) -> None:
    with live.person() as here, live.person() as there, live.person() as third:
        there.browser.headers["User-Agent"] = "Mozilla/5.0 (Android 16) Gecko/140.0 Firefox/140.0"
        keep(here, "Sessions")
        for person in (there, third):
            assert sign_in(person, "Sessions").status_code == 303
        page = here.browser.get("/account").text
        assert "Firefox · Android" in page
        assert page.count('name="session"') == 3, "two others, and all"
        game = here.new_game("five-card")
        with there.open(game) as table:
            table.until("waiting")
            listed = page.split("Firefox · Android")[1].split('name="session" value="')[1][:16]
            assert here.browser.post("/account/end", data={"session": listed}).status_code == 303
            with pytest.raises(ConnectionClosed) as closed:
                table.until("nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == CLOSE_AND_RECONNECT
        assert there.browser.get(f"/game/{game}").status_code == 403
        assert third.browser.get(f"/game/{game}").status_code == 200
        for bad in ("", "x", "%", "%" * 16, "_" * 16):
            here.browser.post("/account/end", data={"session": bad})
        assert third.browser.get(f"/game/{game}").status_code == 200, "none that was not named ended"
        assert here.browser.post("/account/end", data={"session": "all"}).status_code == 303
        for person in (here, third):
            assert person.browser.get(f"/game/{game}").status_code == 403


def test_changing_the_passphrase_ends_all_other_sessions(live: Live) -> None:
    with live.person() as here, live.person() as there:
        keep(here, "Changed")
        sign_in(there, "Changed")
        wrong = here.browser.post("/account/passphrase", data={"passphrase": "wrong wrong", "new": "x" * 9})
        assert wrong.status_code == 403
        short = here.browser.post("/account/passphrase", data={"passphrase": SECRET, "new": "x"})
        assert short.status_code == 400
        assert "Sign out" in there.browser.get("/account").text
        done = here.browser.post("/account/passphrase", data={"passphrase": SECRET, "new": "another one"})
        assert done.status_code == 303
        assert "Sign out" in here.browser.get("/account").text
        assert "Sign out" not in there.browser.get("/account").text
        assert sign_in(there, "Changed").status_code == 403
        assert sign_in(there, "Changed", "another one").status_code == 303


async def test_a_session_not_seen_for_a_year_has_ended(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    known = Accounts(store)
    came = await known.create("Yearly", SECRET, None, "", HERE)
    assert await known.user_of(came.token) is not None
    monkeypatch.setattr(accounts, "SESSION_SECONDS", -1000 * 24 * 3600)
    assert await Accounts(store).user_of(came.token) is None
    assert await Accounts(store).user_of("x" * 43) is None


async def test_sessions_remain_while_the_database_is_read_only(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    came = await Accounts(store).create("Disk full", SECRET, None, "", HERE)
    async with store.writing() as connection:
        await connection.execute(
            signed_in_browser.update().values(seen_at=signed_in_browser.c.seen_at - 24 * 3600)
        )

    def full() -> None:
        raise StoreError("disk-full")

    monkeypatch.setattr(store, "writing", full)
    assert await Accounts(store).user_of(came.token) is not None


async def test_the_number_of_sessions_is_limited(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr(accounts, "MAX_SESSIONS_PER_ACCOUNT", 3)
    known = Accounts(store)
    came = await known.create("Many", SECRET, None, "", HERE)
    *_, last = [await known.sign_in("many", SECRET, None, "", HERE) for _ in range(5)]
    named = await known.user_of(last.token)
    assert named is not None
    assert len(await known.sessions_of(named)) == 3
    assert came.owner == last.owner
