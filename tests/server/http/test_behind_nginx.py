"""deploy/nginx.conf in nginx itself: pages and sockets over https, the process that responds, limits."""

import gzip
import json
import re
import socket as sockets
import ssl
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from fifteentwo.server.live.wire import PROTOCOL
from tests.support import postgres
from tests.support.behind_nginx import SITE, needs_nginx, nginx, served_site
from tests.support.limited_program import port_of, program
from tests.support.stand_ins import StandIn, addresses_of

pytestmark = needs_nginx

# ── A real process ───────────────────────────────────────────────────────────────────────────────────────


def test_a_table_is_made_and_played_at_over_https_through_nginx(tmp_path: Path) -> None:
    stated = ("--allowed-host", SITE, "--trusted-proxy", "127.0.0.1")
    with (
        program(tmp_path / "games.sqlite3", *stated) as process,
        nginx(tmp_path, [port_of(process)], tls=True) as (plain, port),
    ):
        origin = {"Host": SITE, "Origin": f"https://{SITE}"}
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=False, headers=origin, timeout=60
        ) as browser:
            assert browser.get("/").status_code == 200
            for hidden in ("/metrics", "/readyz"):
                assert browser.get(hidden).status_code == 404
            made = browser.post("/games", data={"level_1": "random", "first_dealer": "named"})
            assert made.status_code == 303, made.text
            cookie = re.match(r"__Host-fifteentwo=([^;]+);.*Secure", made.headers["set-cookie"])
            assert cookie
            elsewhere = browser.post("/games", headers={"Origin": "https://evil.example"})
            assert elsewhere.status_code == 403
            big = browser.post("/import", data={"text": "x" * 200_000})
            assert big.headers["strict-transport-security"] == "max-age=31536000"
            assert big.status_code == 400, "nginx lets by what the program takes, which reads no game there"
            assert browser.post("/import", data={"text": "x" * 400_000}).status_code == 413
            for way in ("join", "spectate"):
                secret = f"{way}-secret-of-22-signs"
                browser.get(f"/game/AAAAAAAAAAAAAAAA/{way}/{secret}?lang=ja")
                browser.get("/", headers={"Referer": f"https://{SITE}/game/AAAAAAAAAAAAAAAA/{way}/{secret}"})
                redirect = httpx.get(f"http://127.0.0.1:{plain}/game/AAAAAAAAAAAAAAAA/{way}/{secret}")
                assert redirect.status_code == 301
        game = made.headers["location"]
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        address = f"wss://{SITE}{game}/socket?protocol={PROTOCOL}"
        given = {"Cookie": f"__Host-fifteentwo={cookie[1]}"}

        def line(origin: str) -> ClientConnection:
            through = sockets.create_connection(("127.0.0.1", port), timeout=60)
            return connect(
                address, sock=through, ssl=trusting, origin=Origin(origin), additional_headers=given
            )

        with line(f"https://{SITE}") as page:
            assert '"t":"table"' in str(page.recv(60))
            page.send('{"t":"act","d":{"type":"NameDealer","dealer":0}}')
            assert any('"t":"event"' in str(page.recv(60)) for _ in range(3))
        for other in (f"http://{SITE}", "https://evil.example"):
            with pytest.raises(InvalidStatus), line(other):
                pass
    logged = (tmp_path / "access.log").read_text()
    assert "secret-of-22-signs" not in logged
    assert logged.count("GET /game/AAAAAAAAAAAAAAAA/join/... ") == 2
    assert logged.count("GET /game/AAAAAAAAAAAAAAAA/spectate/... ") == 2
    assert "secret-of-22-signs" not in (tmp_path / "error.log").read_text()


@pytest.mark.postgres
@pytest.mark.long
def test_a_table_moves_to_another_process_when_its_own_is_killed_and_back_again(tmp_path: Path) -> None:
    with (
        postgres.cluster() as database,
        served_site(database, tmp_path, 3) as site,
        site.live.person() as aiko,
    ):
        game = aiko.new_game(level_1="random", target="61")
        for expected_moves in (1, 2):
            assert aiko.browser.get(f"/game/{game}").status_code == 200
            serving = site.process_of(game)
            with aiko.open(game) as page:
                for _ in range(expected_moves):
                    page.settle()
                    page.act(page.choices[0])
                moves = page.v
            site.kill(serving)
            assert aiko.browser.get(f"/game/{game}").status_code == 200
            assert site.process_of(game) != serving
            with aiko.open(game) as page:
                page.settle()
                assert page.v >= moves
            site.start(serving)
            assert site.process_of(game) == serving


# ── Stand-ins for processes: nginx alone ─────────────────────────────────────────────────────────────────


@contextmanager
def stand_ins(
    folder: Path, *each: StandIn, address: str = "127.0.0.1", changes: Mapping[str, str] | None = None
) -> Iterator[tuple[httpx.Client, list[StandIn]]]:
    """Run nginx in front of substitute servers; yield a browser at an address of this machine."""
    with ExitStack() as stack:
        running = [stack.enter_context(one.running()) for one in each]
        port, _ = stack.enter_context(nginx(folder, [one.port for one in running], changes=changes))
        browser = httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            timeout=60,
            transport=httpx.HTTPTransport(local_address=address),
        )
        yield stack.enter_context(browser), running


@pytest.mark.long
def test_all_addresses_of_a_table_go_to_one_process_and_tables_to_all(tmp_path: Path) -> None:
    games = [f"{number:02}AbCdEfGhIjKlMn" for number in range(40)]
    with stand_ins(tmp_path, StandIn(0), StandIn(1), StandIn(2)) as (browser, _):
        used = set()
        for game in games:
            paths = [*addresses_of(game), f"/game/{game}?lang=ja", f"/game/%{ord(game[0]):x}{game[1:]}"]
            processes = {browser.get(path).json()["process"] for path in paths}
            assert len(processes) == 1, game
            used |= processes
        assert used == {0, 1, 2}
        others = {browser.get(path).json()["process"] for path in ("/", "/lobby", "/review", "/book", "/a")}
        assert len(others) == 1, "addresses without a table go by client"


def test_only_the_tables_of_a_process_that_stops_move(tmp_path: Path) -> None:
    games = [f"{number:02}AbCdEfGhIjKlMn" for number in range(20)]
    with stand_ins(tmp_path, StandIn(0), StandIn(1), StandIn(2)) as (browser, running):
        before = {game: browser.get(f"/game/{game}").json()["process"] for game in games}
        running[0].stop()
        after = {game: browser.get(f"/game/{game}").json()["process"] for game in games}
        assert all(after[game] != 0 for game in games)
        assert all(after[game] == before[game] for game in games if before[game] != 0)


def test_without_any_process_a_page_says_when_to_try_again(tmp_path: Path) -> None:
    with stand_ins(tmp_path, StandIn(0)) as (browser, running):
        running[0].stop()
        response = browser.get("/")
        assert (response.status_code, response.headers["retry-after"]) == (503, "5")
        assert "Try again in a few seconds" in response.text
        assert "もう一度お試しください" in response.text


def test_a_client_with_too_many_requests_is_refused_and_no_other_client(tmp_path: Path) -> None:
    few = {"rate=120r/s": "rate=1r/m", "burst=1200": "burst=20"}
    with stand_ins(tmp_path, StandIn(0), address="127.0.0.9", changes=few) as (browser, running):
        responses = [browser.get("/") for _ in range(23)]
        assert [one.status_code for one in responses] == [200] * 21 + [429] * 2
        assert len(running[0].requests) == 21
        assert responses[-1].headers["retry-after"] == "10"
        assert "Too many requests" in responses[-1].text
        assert "アクセスが多すぎます" in responses[-1].text
        assert browser.get("/static/a.css").status_code == 200, "files have no such limit"
        assert httpx.get(f"{browser.base_url}").status_code == 200


def test_a_client_that_is_slow_to_send_is_closed(tmp_path: Path) -> None:
    quick = {
        "client_header_timeout 10s": "client_header_timeout 100ms",
        "client_body_timeout 30s": "client_body_timeout 100ms",
    }
    with stand_ins(tmp_path, StandIn(0), changes=quick) as (browser, running):
        head = b"POST / HTTP/1.1\r\nHost: x\r\n"
        for sent in (b"", head, head + b"Content-Length: 9\r\n\r\nbody"):
            with sockets.create_connection(("127.0.0.1", browser.base_url.port or 0), timeout=60) as one:
                one.sendall(sent)
                # The connection is closed or reset; otherwise the test fails after a minute.
                with suppress(ConnectionResetError):
                    while one.recv(1000):
                        pass
    assert running[0].requests == []


def test_ipv6_network_of_a_household_counts_as_one_client(tmp_path: Path) -> None:
    known = {
        "203.0.113.9": "203.0.113.9",
        "2001:db8:12:3456:1:2:3:4": "2001:db8:12:34",
        "2001:db8:12:34ff::1": "2001:db8:12:34",
        "2001:db8:12:ff::1": "2001:db8:12:",
        "2001:db8:12:5:a:b:c:d": "2001:db8:12:",
        "2001:db8:12::1": "2001:db8:12",
        "2001:db8::7": "2001:db8",
        "2001:db8::8": "2001:db8",
    }
    shown = {
        "limit_conn connections 512;": "set_real_ip_from 127.0.0.1; real_ip_header X-Address;",
        "location = /metrics { return 404; }": 'location = /client { return 200 "$client"; }',
    }
    with stand_ins(tmp_path, StandIn(0), changes=shown) as (browser, _):
        for address, client in known.items():
            assert browser.get("/client", headers={"X-Address": address}).text == client


def test_files_are_cached_and_served_by_every_process(tmp_path: Path) -> None:
    new, old = "/static/0f00000000000000/a.css", "/static/0f11111111111111/a.css"
    with stand_ins(tmp_path, StandIn(0, [new]), StandIn(1, [old])) as (browser, running):
        assert browser.get(new).json()["process"] == 1
        assert browser.get(old).json()["process"] == 0
        for one in running:
            one.requests.clear()
        assert [browser.get(path).status_code for path in (new, old)] == [200, 200]
        assert [one.requests for one in running] == [[], []]
        assert browser.get("/static/a.css").status_code == browser.get("/static/a.css").status_code == 200
        assert sum(len(one.requests) for one in running) == 2, (
            "a file without a digest is asked for each time"
        )


def test_responses_are_compressed_and_name_the_clients_own_address(tmp_path: Path) -> None:
    with stand_ins(tmp_path, StandIn(0), address="127.0.0.7") as (browser, _):
        with browser.stream("GET", "/", headers={"X-Forwarded-For": "10.9.8.7"}) as response:
            assert response.headers["content-encoding"] == "gzip"
            raw = b"".join(response.iter_raw())
        assert len(raw) < 300
        assert json.loads(gzip.decompress(raw))["from"] == "127.0.0.7"
