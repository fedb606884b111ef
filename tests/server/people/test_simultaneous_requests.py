"""Simultaneous requests, interrupted uploads, and names of other players."""

import asyncio
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.i18n import text
from fifteentwo.server.app import make_app
from fifteentwo.server.errors import Refused
from fifteentwo.server.http.sessions import SignedInUser
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people import accounts
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.store.store import Store
from fifteentwo.server.study import daily
from tests.support.accounts import HERE, SECRET, keep, sign_in
from tests.support.errors import raises_code
from tests.support.live_server import Live, Person

OTHER = "quite another horse"


def test_two_simultaneous_requests_for_the_daily_deal_create_one_table(
    aiko: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily.DailyScores, "play_levels", lambda *_: None)
    create, both = Tables.create, threading.Barrier(2)

    async def together(self: Tables, *given: Any, **more: Any) -> str:
        await asyncio.to_thread(both.wait, 30)
        return await create(self, *given, **more)

    monkeypatch.setattr(Tables, "create", together)
    aiko.browser.get("/practice/daily")
    # A known browser: both requests are by the same user.
    keep(aiko, "Presses twice")
    with ThreadPoolExecutor(2) as threads:
        presses = [threads.submit(aiko.browser.post, "/practice/daily") for _ in range(2)]
        answers = [press.result() for press in presses]
    assert [one.status_code for one in answers] == [303, 303]
    assert answers[0].headers["location"] == answers[1].headers["location"]
    assert aiko.browser.get(answers[0].headers["location"]).status_code == 200


async def named(known: Accounts, name: str = "Aiko") -> SignedInUser:
    came = await known.create(name, SECRET, None, "", HERE)
    found = await known.user_of(came.token)
    assert found is not None
    return found


async def test_a_sign_in_during_a_passphrase_change_is_refused(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    known = Accounts(store)
    own = await named(known)
    right = known.passphrases.is_right
    changed: list[str] = []

    async def meanwhile(kept: str | None, given: str, block: str | None = None) -> bool:
        answer = await right(kept, given, block)
        if not changed:
            changed.append("now")
            await known.change_passphrase(own, SECRET, OTHER)
        return answer

    monkeypatch.setattr(known.passphrases, "is_right", meanwhile)
    with raises_code(Refused, "sign-in-wrong"):
        await known.sign_in("Aiko", SECRET, None, "", HERE)
    assert [one.own for one in await known.sessions_of(own)] == [True], "no session of the old one"
    assert (await known.sign_in("Aiko", OTHER, None, "", HERE)).owner == own.owner


async def test_one_of_two_simultaneous_passphrase_changes_is_refused(store: Store) -> None:
    known = Accounts(store)
    own = await named(known)
    answers = await asyncio.gather(
        known.change_passphrase(own, SECRET, OTHER),
        known.change_passphrase(own, SECRET, f"{OTHER} too"),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Refused) for one in answers) == 1


async def test_the_username_of_a_deleted_account_is_free_after_ninety_days(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    assert accounts.RESERVED_SECONDS == 90 * 24 * 3600
    known = Accounts(store)
    own = await named(known, "Mia-Ben")
    async with store.writing() as connection:
        await accounts.delete_account(connection, own.owner)
    now = time.time()
    for name in ("Mia-Ben", "miaben"):
        with raises_code(Refused, "name-taken"):
            await known.create(name, SECRET, None, "", HERE)
    monkeypatch.setattr(
        "fifteentwo.server.people.accounts.time.time", lambda: now + accounts.RESERVED_SECONDS + 1
    )
    assert (await known.create("miaben", SECRET, None, "", HERE)).owner != own.owner


def test_an_interrupted_upload_is_not_logged_as_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/import",
        "raw_path": b"/import",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(b"host", b"a"), (b"content-type", b"application/x-www-form-urlencoded")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
    }
    parts = [{"type": "http.request", "body": b"text=half", "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Any] = []

    async def run() -> None:
        app = make_app(str(tmp_path / "games.sqlite3"))
        waiting = list(parts)

        async def receive() -> Any:
            return waiting.pop(0) if waiting else parts[-1]

        async def send(message: Any) -> None:
            sent.append(message)

        async with app.router.lifespan_context(app):
            await app(scope, receive, send)

    with caplog.at_level(logging.WARNING):
        asyncio.run(run())
    assert sent[0]["status"] == 400
    assert caplog.records == []


def test_a_guest_under_somebodys_username_is_marked(live: Live, lang: str) -> None:
    with live.person() as aiko, live.person(lang) as host, live.person(lang) as guest:
        keep(aiko, f"Known {lang}")
        with host.at_table("three-handed", level_1="person", level_2="person", name="Host") as page:
            page.until("waiting")
            first, second = [one["path"] for one in page.table["invitations"]]
            guest.sit(first, f"known-{lang}")
            aiko.sit(second)
            while page.table["names"][2] != f"Known {lang}":
                page.until("table")
            assert page.table["names"][1] == text("name.as-guest", lang, name=f"known-{lang}")
        # The host gives the name and the guest none, or an invisible character is added.
        for called, given in ((f"Known {lang}", ""), ("", f"Known {lang}\ufe0f")):
            other = host.new_game("five-card", level_1="person", name_1=called, name="Host")
            with host.open(other) as page:
                page.until("waiting")
                guest.sit(page.table["invitations"][0]["path"], given)
                while page.table["invitations"]:
                    page.until("table")
                assert page.table["names"][1] == text("name.as-guest", lang, name=f"Known {lang}")
        # A user signed in with this name keeps it.
        with live.person() as there:
            sign_in(there, f"Known {lang}")
            other = there.new_game("five-card", level_1="person", name=f"KNOWN {lang}")
            with there.open(other) as page:
                page.until("waiting")
                assert page.table["names"][0] == f"KNOWN {lang}"
