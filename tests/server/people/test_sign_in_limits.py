"""Limits on tries to sign in: guessing is stopped, and no user is locked out by the guesses of others."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from fifteentwo.server.errors import Refused
from fifteentwo.server.people import passwords
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.sign_in_limits import (
    FORGET_SECONDS,
    FREE_TRIES,
    KNOWN_BROWSER_COOKIE,
    MAX_MARKS_PER_BROWSER,
    MAX_WAIT_SECONDS,
    Client,
    TryLimiter,
    find_mark,
    new_mark,
)
from fifteentwo.server.settings import Settings
from fifteentwo.server.store.store import Store
from tests.support.accounts import SECRET, keep, sign_in
from tests.support.live_server import Live, Person, serving


class Clock:
    """A clock that a test advances."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def tried(limiter: TryLimiter, account: str = "mia", place: str = "192.0.2.1") -> float:
    """Try once, and return the seconds to wait before the next try."""
    try:
        limiter.admit(account, place)
    except Refused as refused:
        return float(str(refused.values["seconds"]))
    return 0.0


def test_the_wait_doubles_after_each_try_up_to_five_minutes() -> None:
    clock = Clock()
    limiter = TryLimiter(clock)
    assert [tried(limiter) for _ in range(FREE_TRIES + 1)] == [0.0] * FREE_TRIES + [2.0]
    waits = []
    for _ in range(12):
        waits.append(tried(limiter))
        clock.now += waits[-1]
        assert tried(limiter) == 0.0
    assert waits == [2, 4, 8, 16, 32, 64, 128, 256, *[MAX_WAIT_SECONDS] * 4]
    assert tried(limiter, account="ben") == tried(limiter, place="192.0.2.2") == 0.0
    limiter.forget_tries("mia", "192.0.2.1")
    assert tried(limiter) == 0.0


def test_tries_are_forgotten_after_an_hour() -> None:
    clock = Clock()
    limiter = TryLimiter(clock)
    for _ in range(FREE_TRIES):
        tried(limiter)
    clock.now += FORGET_SECONDS
    assert [tried(limiter) for _ in range(FREE_TRIES)] == [0.0] * FREE_TRIES


def test_only_the_server_can_make_a_mark_of_an_account() -> None:
    mark = new_mark("owner of mia")
    assert find_mark((new_mark("owner of ben"), mark), "owner of mia") == mark
    nonce, _, signature = mark.partition(".")
    for forged in (f"{nonce}.{'0' * 64}", f"{nonce[:-1]}x.{signature}", new_mark("owner of ben")):
        assert find_mark((forged,), "owner of mia") is None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    with serving(tmp_path / "games.sqlite3", settings=Settings(trusted_proxies=("127.0.0.1",))) as live:
        yield live


def at(person: Person, address: str) -> Person:
    person.browser.headers["X-Forwarded-For"] = address
    return person


def guess(person: Person, address: str, name: str = "Mia") -> httpx.Response:
    return sign_in(at(person, address), name, "guess guess guess")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace hashing by a plain comparison."""
    monkeypatch.setattr(
        passwords, "_verify_passphrase", lambda kept, given: kept is not None and given == SECRET
    )


@pytest.mark.long
@pytest.mark.usefixtures("quick")
def test_guesses_from_everywhere_do_not_lock_the_owner_out(server: Live) -> None:
    with server.person() as mia, server.person() as mallory, server.person() as phone:
        assert keep(at(mia, "2001:db8:1::1"), "Mia").status_code == 303
        guesses = [guess(mallory, f"2001:db8:2:{number:x}00::1").status_code for number in range(103)]
        assert guesses == [403] * 103
        assert sign_in(at(phone, "2001:db8:3::1"), "Mia").status_code == 303, "a new device"


@pytest.mark.usefixtures("quick")
def test_a_browser_that_has_signed_in_before_is_not_blocked_by_others_at_its_address(server: Live) -> None:
    with server.person() as mia, server.person() as mallory, server.person() as phone:
        keep(at(mia, "192.0.2.1"), "Mia")
        mia.browser.post("/account/sign-out")
        refused = [
            guess(mallory, "192.0.2.1", name) for name in ("Mia", "Ben") for _ in range(FREE_TRIES + 6)
        ]
        assert {one.status_code for one in refused} == {403, 429}
        assert 1 <= int(refused[-1].headers["retry-after"]) <= MAX_WAIT_SECONDS
        assert sign_in(at(phone, "192.0.2.1"), "Mia").status_code == 429, "a new device there waits"
        assert sign_in(mia, "Mia").status_code == 303
        mia.browser.post("/account/sign-out")
        own = [guess(mia, "192.0.2.1").status_code for _ in range(FREE_TRIES + 1)]
        assert own == [403] * FREE_TRIES + [429], "its own wrong tries count"


@pytest.mark.usefixtures("quick")
def test_a_browser_keeps_the_marks_of_a_few_accounts(server: Live) -> None:
    with server.person() as family:
        names = [f"Player {number}" for number in range(MAX_MARKS_PER_BROWSER + 1)]
        for name in names:
            assert keep(at(family, "192.0.2.1"), name).status_code == 303
            family.browser.post("/account/sign-out")
        marks = family.browser.cookies[KNOWN_BROWSER_COOKIE.name].strip('"').split(":")
        assert len(marks) == MAX_MARKS_PER_BROWSER
        sign_in(family, names[-1])
        assert family.browser.cookies[KNOWN_BROWSER_COOKIE.name].strip('"').split(":") == marks, (
            "no second mark of an account"
        )


@pytest.mark.usefixtures("quick")
def test_guesses_at_once_in_any_spelling_count_together(tmp_path: Path) -> None:
    async def work() -> list[str]:
        store = await Store.open(str(tmp_path / "games.sqlite3"))
        accounts, mallory = Accounts(store), Client("192.0.2.1")
        await accounts.create("Guessed", SECRET, None, "", mallory)

        async def code(number: int) -> str:
            name = "GUESSED" if number % 2 else "guessed"
            with pytest.raises(Refused) as refused:
                await accounts.sign_in(name, f"guess {number}", None, "", mallory)
            return refused.value.code

        codes = await asyncio.gather(*[code(number) for number in range(2 * FREE_TRIES)])
        await store.close()
        return codes

    assert sorted(asyncio.run(work())) == ["sign-in-wrong"] * FREE_TRIES + ["too-many-tries"] * FREE_TRIES


@pytest.mark.usefixtures("quick")
def test_trying_many_names_from_one_address_is_stopped(server: Live) -> None:
    with server.person() as mallory:
        statuses = [guess(mallory, "192.0.2.1", f"unknown {number}").status_code for number in range(40)]
        assert statuses[0] == 403
        assert statuses[-1] == 429
        assert guess(mallory, "192.0.2.2", "unknown").status_code == 403


async def test_right_tries_do_not_count(store: Store) -> None:
    accounts, client = Accounts(store), Client("192.0.2.1")
    await accounts.create("Often", SECRET, None, "", client)
    for _ in range(FREE_TRIES + 2):
        await accounts.sign_in("often", SECRET, None, "", client)


async def test_guesses_do_not_stop_a_signed_in_user_from_giving_the_passphrase(store: Store) -> None:
    accounts, client = Accounts(store), Client("192.0.2.1")
    came = await accounts.create("Mia", SECRET, None, "", client)
    named = await accounts.user_of(came.token)
    assert named is not None
    for _ in range(FREE_TRIES):
        with pytest.raises(Refused):
            await accounts.sign_in("mia", "guess", None, "", client)
    await accounts.change_passphrase(named, SECRET, "another one")


async def test_hashes_of_strangers_are_limited_and_a_known_browser_does_not_wait_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passwords, "MAX_JOBS", 2)
    strangers_may_end = threading.Event()

    def is_right(kept: str | None, _: str) -> bool:
        assert kept == "known" or strangers_may_end.wait(60)
        return False

    monkeypatch.setattr(passwords, "_verify_passphrase", is_right)
    hashes = passwords.PassphraseHasher()
    waiting = [asyncio.ensure_future(hashes.is_right(None, "x", f"192.0.2.{n}")) for n in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await hashes.compute_hash("x", "192.0.2.9")
    assert (refused.value.code, refused.value.status) == ("server-full", 503)
    assert not await hashes.is_right("known", "x")
    strangers_may_end.set()
    assert await asyncio.gather(*waiting) == [False, False]
