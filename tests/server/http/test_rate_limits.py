"""Haste and silence: one client takes nothing from the others, and reads when to come back."""

import contextlib
import inspect
import itertools
import signal
import socket as sockets
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import metadata
from pathlib import Path

import h11
import httpx
import pytest
import uvicorn
from packaging.requirements import Requirement
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from fifteentwo.i18n import languages, text
from fifteentwo.server.app import make_app
from fifteentwo.server.errors import Refused
from fifteentwo.server.http import connections, rate_limits
from fifteentwo.server.http.connections import Connections
from fifteentwo.server.http.rate_limits import RateLimiter, TokenBucket
from fifteentwo.server.live import socket
from fifteentwo.server.settings import Patience, Settings
from tests.support.limited_program import port_of, program
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


# ── Connections ──────────────────────────────────────────────────────────────────────────────────────────


class Wire:
    """As much of a transport as the register asks for."""

    def __init__(self, untaken: int = 0) -> None:
        self.untaken, self.aborted, self.written = untaken, False, b""

    def abort(self) -> None:
        self.aborted = True

    def write(self, data: bytes) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return self.untaken


@contextmanager
def register(patience: Patience) -> Iterator[tuple[Connections, list[float]]]:
    now = [0.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "_now", lambda: now[0])
        yield Connections(patience), now


def test_who_never_finishes_asking_is_cut_off_and_who_waits_for_an_answer_is_not() -> None:
    with register(Patience()) as (kept, now):
        wires = [Wire() for _ in range(3)]
        _, asked, sending = wires
        for wire in wires:
            assert kept.came(wire, "a")  # type: ignore[arg-type]
        kept.is_at(asked, "served")  # type: ignore[arg-type]
        kept.is_at(sending, "body")  # type: ignore[arg-type]
        now[0] = 9.0
        kept.sweep()
        assert not any(wire.aborted for wire in wires)
        now[0] = 11.0
        kept.sweep()
        assert [wire.aborted for wire in wires] == [True, False, False]
        now[0] = 31.0
        kept.sweep()
        assert [wire.aborted for wire in wires] == [True, False, True]


def test_who_takes_nothing_is_cut_off_and_who_takes_slowly_is_not() -> None:
    with register(Patience()) as (kept, now):
        stuck, slow = Wire(5000), Wire(5000)
        for wire in (stuck, slow):
            kept.came(wire, "a")  # type: ignore[arg-type]
            kept.is_at(wire, "line")  # type: ignore[arg-type]
        for second in range(60):
            now[0], slow.untaken = float(second), 5000 - second
            kept.sweep()
        assert (stuck.aborted, slow.aborted) == (True, False)


def test_when_full_the_one_longest_silent_makes_way() -> None:
    with register(Patience(most=3)) as (kept, now):
        wires = [Wire() for _ in range(3)]
        for second, wire in enumerate(wires):
            now[0] = float(second)
            kept.came(wire, "a")  # type: ignore[arg-type]
        kept.is_at(wires[0], "line")  # type: ignore[arg-type]
        assert kept.came(Wire(), "b")  # type: ignore[arg-type]
        assert [wire.aborted for wire in wires] == [False, True, False]


def test_a_connection_beyond_the_limits_is_refused_in_both_languages() -> None:
    with register(Patience(most=5, of_an_address=2)) as (kept, _):
        for address in ("a", "a", "b", "b"):
            wire = Wire()
            assert kept.came(wire, address)  # type: ignore[arg-type]
            kept.is_at(wire, "line")  # type: ignore[arg-type]
        crowded = Wire()
        assert not kept.came(crowded, "a")  # type: ignore[arg-type]
        assert kept.turned_away == 1
        assert b"503" in crowded.written
        assert b"Retry-After: 10" in crowded.written
        assert all(text("refusal.server-full", lang) in crowded.written.decode() for lang in languages())
        full = Wire()
        assert not kept.came(full, "c")  # type: ignore[arg-type]
        kept.left(full)  # type: ignore[arg-type]
        kept.left(crowded)  # type: ignore[arg-type]
        assert kept.came(Wire(), "c")  # type: ignore[arg-type]


def silent(port: int, sent: bytes = b"") -> sockets.socket:
    line = sockets.create_connection(("127.0.0.1", port), timeout=30)
    if sent:
        line.sendall(sent)
    return line


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors")
def test_a_flood_of_silent_connections_leaves_the_tables_served_and_the_log_short(tmp_path: Path) -> None:
    """With 128 descriptors and four times as many connections that say nothing, or only half of something."""
    with program(tmp_path / "games.sqlite3", descriptors=128) as process, ExitStack() as flood:
        port = port_of(process)
        with Live(port).person() as aiko, aiko.open(aiko.new_game()) as page:
            page.until("waiting")
            halves = itertools.cycle([b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"])
            for _, sent in zip(range(500), halves, strict=False):
                try:
                    flood.enter_context(silent(port, sent))
                except OSError:
                    break
            for _ in range(5):
                assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=30).status_code == 200
            page.act(page.choices[0])
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        assert len(errors) < 20_000, errors[:2000]
        assert process.returncode == 143


@pytest.mark.timed
def test_a_connection_that_never_asks_is_closed_within_twenty_seconds(tmp_path: Path) -> None:
    with program(tmp_path / "games.sqlite3") as process:
        port = port_of(process)
        begun = (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST /games HTTP/1.1\r\nContent-")
        with ExitStack() as lines:
            for line in [lines.enter_context(silent(port, sent)) for sent in begun]:
                line.settimeout(20)
                with contextlib.suppress(ConnectionResetError):
                    assert line.recv(100) == b""


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


def test_the_parts_of_uvicorn_that_are_overridden_are_where_they_were() -> None:
    """Where it fails: read connections.py and outbox.py next to the new uvicorn, then raise the bound."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"]
    (allowed,) = (
        one for one in map(Requirement, project["optional-dependencies"]["table"]) if one.name == "uvicorn"
    )
    assert allowed.specifier.contains(metadata.version("uvicorn"))
    assert any(one.operator == "<" for one in allowed.specifier), "an upper bound"
    overridden = {
        H11Protocol: {
            "connection_made": ["transport"],
            "connection_lost": ["exc"],
            "data_received": ["data"],
            "on_response_complete": [],
            "handle_websocket_upgrade": ["event"],
        },
        WebSocketsSansIOProtocol: {
            "connection_made": ["transport"],
            "connection_lost": ["exc"],
            "data_received": ["data"],
        },
    }
    for base, methods in overridden.items():
        found = {name: [*inspect.signature(getattr(base, name)).parameters][1:] for name in methods}
        assert found == methods, base

    async def work() -> None:
        config = uvicorn.Config(make_app(), ws=WebSocketsSansIOProtocol)
        http = H11Protocol(config, ServerState(), {})
        assert http.conn.their_state is h11.IDLE
        assert http.conn.trailing_data == (b"", False)
        page = WebSocketsSansIOProtocol(config, ServerState(), {})
        assert {"client", "transport", "loop"} <= vars(http).keys() & vars(page).keys()

    run_apart(work())
