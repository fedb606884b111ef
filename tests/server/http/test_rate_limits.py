"""Haste and silence: one client takes nothing from the others, and reads when to come back."""

import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from fifteentwo.i18n import languages
from fifteentwo.server.app import make_app
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import rate_limits
from fifteentwo.server.http.rate_limits import RateLimiter, TokenBucket
from fifteentwo.server.live import socket
from fifteentwo.server.settings import Settings
from tests.support.live_server import Live, run_apart

ANOTHER = {"X-Forwarded-For": "203.0.113.7"}
BEHIND = Settings(trusted_proxies=("127.0.0.1",))


def test_a_rate_limiter_returns_the_seconds_to_wait_for_each_key() -> None:
    limiter = RateLimiter(3, 2.0)
    assert [limiter.wait("a", now=10.0) for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert limiter.wait("b", now=10.0) == 0.0, "keys do not share a bucket"
    assert limiter.wait("a", now=10.5) == 0.0


def test_a_million_addresses_fill_no_memory() -> None:
    limiter = RateLimiter(3, 2.0, most=1000)
    for number in range(20_000):
        limiter.wait(f"{number}", now=number / 1000)
    assert len(limiter) == 1000


async def _get(path: str, number: int, lang: str, **headers: str) -> list[httpx.Response]:
    transport = httpx.ASGITransport(app=make_app(settings=BEHIND))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        given = {"Accept-Language": lang, **headers}
        return [await client.get(path, headers=given) for _ in range(number)]


@pytest.mark.parametrize("lang", languages())
def test_too_many_requests_are_turned_away_in_words_with_when_to_come_back(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "OF_AN_ADDRESS", (5, 0.01))
    answers = run_apart(_get("/rules", 7, lang, **ANOTHER))
    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    seconds = answers[-1].headers["retry-after"]
    assert 40 < int(seconds) <= 100
    assert seconds in answers[-1].text
    assert answers[-1].headers["content-language"] == lang
    assert "refusal." not in answers[-1].text
    assert "default-src 'none'" in answers[-1].headers["content-security-policy"]


def test_this_machine_itself_and_probes_are_never_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "OF_AN_ADDRESS", (1, 0.001))
    assert {answer.status_code for answer in run_apart(_get("/rules", 5, "en"))} == {200}
    assert {answer.status_code for answer in run_apart(_get("/healthz", 5, "en", **ANOTHER))} == {200}


def test_a_browser_has_a_rate_limit_of_its_own_behind_any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "OF_A_SESSION", (2, 0.001))
    cookie = {"Cookie": f"fifteentwo={'a' * 43}"}
    statuses = [answer.status_code for answer in run_apart(_get("/rules", 3, "en", **ANOTHER, **cookie))]
    assert statuses == [200, 200, 429]


def test_addresses_of_one_household_count_as_one() -> None:
    def whose(address: str) -> str:
        from starlette.requests import HTTPConnection

        return rate_limits.address_of(HTTPConnection({"type": "http", "client": (address, 1), "headers": []}))

    assert whose("2001:db8:1:2::1") == whose("2001:db8:1:2:ffff::9") != whose("2001:db8:1:3::1")
    assert whose("::ffff:192.0.2.1") == "192.0.2.1"


def test_one_clients_tables_leave_room_for_everybody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    from fifteentwo.server.pages import site

    monkeypatch.setattr(site, "NEW_TABLES", (3, 0.001))

    async def ask() -> tuple[list[int], int]:
        app = make_app("sqlite://", settings=BEHIND)
        transport = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            greedy = [(await client.post("/games", headers=ANOTHER)).status_code for _ in range(5)]
            client.cookies.clear()
            other = await client.post("/games", headers={"X-Forwarded-For": "203.0.113.8"})
            return greedy, other.status_code

    greedy, other = run_apart(ask())
    assert 429 in greedy
    assert greedy.count(303) <= 3
    assert other == 303


def test_lang_in_a_loop_resends_few_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "MESSAGES_PER_SECOND", 30.0)  # other tests may play without it
    from tests.support.live_server import serving

    with (
        serving(tmp_path / "games.sqlite3") as live,
        live.person() as aiko,
        aiko.open(aiko.new_game()) as page,
    ):
        page.until("waiting")
        began = time.monotonic()
        for _ in range(60):
            page.send("lang", "ja")
        kinds = [page.hear()["t"] for _ in range(60 + 6)]
        allowed = 6 + 3 * (time.monotonic() - began)
        assert kinds.count("table") <= allowed + 1
        assert kinds.count("refused") >= 60 - allowed - 1


def test_a_browser_has_only_so_many_pages_open(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_PAGES", 3)
    with live.person() as aiko, live.person() as ben, ExitStack() as open_pages:
        game, other = aiko.new_game(), ben.new_game()
        for _ in range(3):
            open_pages.enter_context(aiko.open(game)).until("waiting")
        with aiko.open(game) as fourth:
            assert fourth.hear()["d"]["code"] == "too-many-pages"
        with ben.open(other) as page:
            page.until("waiting")


def test_the_limit_of_open_connections_is_given_back() -> None:
    from starlette.requests import HTTPConnection

    open_pages = rate_limits.OpenPages()
    one = HTTPConnection({"type": "websocket", "client": ("192.0.2.1", 1), "headers": [], "path": "/"})
    with ExitStack() as stack:
        for _ in range(rate_limits.MOST_PAGES):
            stack.enter_context(open_pages.opened(one, "owner"))
        with pytest.raises(Refused):
            stack.enter_context(open_pages.opened(one, "owner"))
    assert open_pages.open == 0
    with open_pages.opened(one, "owner"):
        assert open_pages.open == 1


def test_a_token_bucket_fills_up_with_time() -> None:
    bucket = TokenBucket(2, 1.0)
    assert [bucket.take(0.0), bucket.take(0.0), bucket.take(0.0)] == [True, True, False]
    assert bucket.take(2.0, 2.0)
