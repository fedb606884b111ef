"""Rate limits: no client uses up the rates of others, and each is told when to try again."""

import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection

from fifteentwo.server.app import make_app
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import rate_limits
from fifteentwo.server.http.rate_limits import (
    ANY_REQUEST,
    LIST_TABLE,
    RATE_BY_BUCKET,
    OpenPages,
    Rate,
    RateLimiter,
    RequestKind,
    TokenBucket,
    client_blocks,
)
from fifteentwo.server.live import socket
from fifteentwo.server.settings import Settings
from tests.support.live_server import Person, run_apart

ANOTHER = {"X-Forwarded-For": "203.0.113.7"}
BEHIND = Settings(trusted_proxies=("127.0.0.1",))
TEST = RequestKind("test", 1)


def client(address: str, cookie: str = "") -> HTTPConnection:
    headers = [(b"cookie", f"fifteentwo={cookie}".encode())] if cookie else []
    return HTTPConnection({"type": "http", "scheme": "http", "client": (address, 1), "headers": headers})


class Clock:
    """A clock in seconds that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setitem(RATE_BY_BUCKET, "test", Rate(10, 2.0))
    return Clock()


def admitted(
    limiter: RateLimiter, connection: HTTPConnection, kind: RequestKind = TEST, of: int = 400
) -> int:
    """Return how many of these requests are allowed at once."""
    return sum(not limiter.wait_seconds(connection, kind) for _ in range(of))


def test_an_address_spends_its_tokens_and_gets_new_ones_with_time(clock: Clock) -> None:
    limiter = RateLimiter(clock)
    assert admitted(limiter, client("192.0.2.1")) == 10
    assert limiter.wait_seconds(client("192.0.2.1"), TEST) == 0.5
    assert admitted(limiter, client("192.0.2.2")) == 10, "addresses do not share a bucket"
    clock.now += 0.5
    assert admitted(limiter, client("192.0.2.1")) == 1


def test_a_request_costs_what_its_kind_costs(clock: Clock) -> None:
    limiter = RateLimiter(clock)
    assert admitted(limiter, client("192.0.2.1"), RequestKind("test", 3)) == 3
    assert limiter.wait_seconds(client("192.0.2.1"), RequestKind("test", 3)) == 1.0
    assert admitted(limiter, client("192.0.2.1")) == 1, "a refused request spends nothing"


def test_person_may_spend_a_share_of_the_address(clock: Clock) -> None:
    limiter = RateLimiter(clock)
    assert admitted(limiter, client("192.0.2.1", "a" * 43)) == 4
    assert admitted(limiter, client("192.0.2.2", "a" * 43)) == 0, "wherever they are"
    assert admitted(limiter, client("192.0.2.1", "b" * 43)) == 4
    assert admitted(limiter, client("192.0.2.1", "c" * 43)) == 2, "more persons have no more tokens"


@pytest.mark.long
def test_an_address_block_makes_three_hundred_tables_a_day(clock: Clock) -> None:
    """Without a limit one client could fill the disk: a table takes about 4 kB for a week."""
    limiter, kind = RateLimiter(clock), rate_limits.NEW_TABLE_OF_DAY
    made = 0
    for _ in range(24):
        made += admitted(limiter, client("192.0.2.1"), kind, of=400)
        clock.now += 3600
    assert made == 300 + 300 * 23 // 24, "the first burst, and as many again over the day"
    assert admitted(limiter, client("2001:db8:1:200::1"), kind) == 300
    assert sum(admitted(limiter, client(f"2001:db8:1:{n:x}00::1"), kind) for n in range(16)) == 4 * 300 - 300


@pytest.mark.long
def test_the_networks_of_a_site_share_tokens(clock: Clock) -> None:
    """An IPv6 /56 is one household; a /48 has 256 of them, and the tokens of four."""
    limiter = RateLimiter(clock)
    assert admitted(limiter, client("2001:db8:1:200::1")) == 10
    assert admitted(limiter, client("2001:db8:1:2ff:9::9")) == 0, "the same /56"
    others = [admitted(limiter, client(f"2001:db8:1:{number:x}00::1")) for number in range(3, 63)]
    assert sum(others) == 30
    assert admitted(limiter, client("2001:db8:2::1")) == 10


def test_sixty_networks_of_a_site_list_few_tables_in_a_minute() -> None:
    clock = Clock()
    limiter, listed = RateLimiter(clock), 0
    for second in range(64):
        clock.now = float(second)
        for network in range(60):
            listed += admitted(limiter, client(f"2001:db8:1:{network:x}00::1"), LIST_TABLE, of=1)
    assert listed == 46


def test_addresses_are_distinguished_by_block() -> None:
    assert client_blocks(client("192.0.2.1")) == client_blocks(client("::ffff:192.0.2.1")) == ("192.0.2.1",)
    assert client_blocks(client("2001:db8:1:2ff::1")) == ("2001:db8:1:200::/56", "2001:db8:1::/48")
    assert client_blocks(client("testclient")) == ("testclient",)


def test_every_kind_of_request_fits_its_bucket() -> None:
    kinds = [kind for kind in vars(rate_limits).values() if isinstance(kind, RequestKind)]
    assert len(kinds) > 10
    for kind in kinds:
        assert kind.tokens <= rate_limits.MAX_PERSON_SHARE * RATE_BY_BUCKET[kind.bucket].burst_tokens, kind


def test_a_million_addresses_fill_no_memory(clock: Clock) -> None:
    limiter = RateLimiter(clock, max_buckets=1000)
    for number in range(20_000):
        limiter.wait_seconds(client(f"10.0.{number // 256}.{number % 256}"), ANY_REQUEST)
    assert len(limiter) == 1000


def test_invented_persons_of_one_address_fill_no_memory(clock: Clock) -> None:
    limiter = RateLimiter(clock)
    for number in range(1000):
        limiter.wait_seconds(client("192.0.2.1", f"{number:043}"), TEST)
    assert len(limiter) == 11


def test_a_token_bucket_fills_up_with_time() -> None:
    bucket = TokenBucket(2, 1.0)
    assert [bucket.take(0.0) for _ in range(3)] == [True, True, False]
    assert not bucket.take(0.9)
    assert bucket.take(1.1)
    assert [bucket.take(100.0) for _ in range(3)] == [True, True, False], "no more than its capacity"
    assert bucket.take(102.0, 2.0)


async def _get(path: str, number: int, lang: str, **headers: str) -> list[httpx.Response]:
    transport = httpx.ASGITransport(app=make_app(settings=BEHIND))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        given = {"Accept-Language": lang, **headers}
        return [await client.get(path, headers=given) for _ in range(number)]


def test_too_many_requests_are_refused_with_a_sentence_and_retry_after(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RATE_BY_BUCKET, "requests", Rate(5, 0.01))
    answers = run_apart(_get("/rules", 7, lang, **ANOTHER))
    assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
    seconds = answers[-1].headers["retry-after"]
    assert 40 < int(seconds) <= 100
    assert seconds in answers[-1].text
    assert answers[-1].headers["content-language"] == lang
    assert "refusal." not in answers[-1].text
    assert "default-src 'none'" in answers[-1].headers["content-security-policy"]


def test_own_machine_and_probes_are_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATE_BY_BUCKET, "requests", Rate(1, 0.001))
    assert {answer.status_code for answer in run_apart(_get("/rules", 5, "en"))} == {200}
    assert {answer.status_code for answer in run_apart(_get("/healthz", 5, "en", **ANOTHER))} == {200}


def test_browser_has_its_own_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATE_BY_BUCKET, "requests", Rate(5, 0.001))
    cookie = {"Cookie": f"fifteentwo={'a' * 43}"}
    statuses = [answer.status_code for answer in run_apart(_get("/rules", 3, "en", **ANOTHER, **cookie))]
    assert statuses == [200, 200, 429]


def test_new_tables_of_one_client_do_not_limit_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RATE_BY_BUCKET, "requests", Rate(35, 0.001))

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
    monkeypatch.setattr(socket, "PAGE_MESSAGES_PER_SECOND", 30.0)  # other tests may remove the limit
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


def test_open_pages_of_a_browser_are_limited(
    aiko: Person, ben: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_OPEN_PAGES_PER_PERSON", 3)
    with ExitStack() as pages:
        game, other = aiko.new_game(), ben.new_game()
        for _ in range(3):
            pages.enter_context(aiko.open(game)).until("waiting")
        with aiko.open(game) as fourth:
            assert fourth.hear()["d"]["code"] == "too-many-pages"
        with ben.open(other) as page:
            page.until("waiting")


def test_closed_page_no_longer_counts() -> None:
    from starlette.requests import HTTPConnection

    counted = OpenPages()
    one = HTTPConnection({"type": "websocket", "client": ("192.0.2.1", 1), "headers": [], "path": "/"})
    with ExitStack() as stack:
        for _ in range(rate_limits.MAX_OPEN_PAGES_PER_PERSON):
            stack.enter_context(counted.count_while_open(one, "owner"))
        with pytest.raises(Refused):
            stack.enter_context(counted.count_while_open(one, "owner"))
    assert counted.count == 0
    with counted.count_while_open(one, "owner"):
        assert counted.count == 1
