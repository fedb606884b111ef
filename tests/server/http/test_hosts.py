"""Host names, proxies, origins and cookies: forwarded headers count only from trusted proxies."""

from typing import Any

import httpx
import pytest
from starlette.requests import Request

from fifteentwo.server.app import make_app
from fifteentwo.server.errors import ServerError
from fifteentwo.server.http import sessions
from fifteentwo.server.http.hosts import allowed_hosts, parse_networks
from fifteentwo.server.settings import Settings
from tests.support.live_server import run_apart

TOKEN = "k" * 43


def ask(
    path: str = "/rules", *, method: str = "GET", hosts: tuple[str, ...] = ("*",), **headers: str
) -> httpx.Response:
    """Send one request over 127.0.0.1 as a trusted proxy."""
    return _ask(path, method, hosts, ("127.0.0.1",), headers)


def _ask(
    path: str, method: str, hosts: tuple[str, ...], proxies: tuple[str, ...], headers: dict[str, str]
) -> httpx.Response:
    async def work() -> httpx.Response:
        app = make_app("sqlite://", hosts=hosts, settings=Settings(trusted_proxies=proxies))
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        transport = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            return await client.request(method, path, headers=given)

    return run_apart(work())


def test_only_configured_and_own_host_names_are_served() -> None:
    import socket

    hosts = allowed_hosts("0.0.0.0", "0.0.0.0", ["Cards.example", "*.club.example"])
    good = ("cards.example:443", "a.club.example", "localhost:8152", socket.gethostname(), "127.0.0.1")
    for host in good:
        assert ask(hosts=hosts, Host=host).status_code == 200, host
    for host in (
        "evil.example",
        "club.example.evil.example",
        "cards.example.evil.example",
        "evilclub.example",
        "",
    ):
        assert ask(hosts=hosts, Host=host).status_code == 400, host


def test_loopback_server_responds_to_a_configured_name_behind_a_proxy() -> None:
    hosts = allowed_hosts("127.0.0.1", "127.0.0.1", ["cards.example"])
    assert ask(hosts=hosts, Host="cards.example").status_code == 200
    assert ask(hosts=hosts, Host="127.0.0.1:8152", X_Forwarded_Host="cards.example").status_code == 200
    assert ask(hosts=hosts, Host="127.0.0.1:8152", X_Forwarded_Host="evil.example").status_code == 400


def test_invalid_allowed_host_is_refused(subtests: pytest.Subtests) -> None:
    for stated in ["a/b", "https://cards.example", "cards.example:8152", "a b", "*.", "カード"]:
        with subtests.test(stated=stated):
            with pytest.raises(ServerError) as error:
                allowed_hosts("127.0.0.1", "127.0.0.1", ["cards.example", stated])
            assert (error.value.code, error.value.values) == ("allowed-host-unreadable", {"host": stated})


def test_names_addresses_and_everything_are_allowed_hosts() -> None:
    stated = ("*", "*.club.example", "cards.example.", "my_host", "192.0.2.7", "[2001:db8::1]", "2001:db8::1")
    assert set(stated) <= set(allowed_hosts("127.0.0.1", "127.0.0.1", stated))


FROM_OUTSIDE = {
    "Host": "cards.example",
    "Origin": "https://cards.example",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.9",
}


def post(proxies: tuple[str, ...], **changed: str) -> httpx.Response:
    headers = FROM_OUTSIDE | {name.replace("_", "-"): value for name, value in changed.items()}
    return _ask("/games", "POST", ("cards.example", "127.0.0.1"), proxies, headers)


def test_behind_a_proxy_that_ends_https_tables_are_made_with_a_safe_cookie() -> None:
    answer = post(("127.0.0.0/8",))
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-fifteentwo=")
    for part in ("; Secure", "; HttpOnly", "; Path=/"):
        assert part in cookie
    assert "omain" not in cookie


def test_forwarded_headers_count_only_from_configured_proxies() -> None:
    assert post(("192.0.2.1",)).status_code == 403, "https is not believed, so the origin is another"
    assert post((), Origin="http://cards.example").status_code == 303
    assert "__Host-" not in post((), Origin="http://cards.example").headers["set-cookie"]


def test_request_from_another_site_changes_nothing(subtests: pytest.Subtests) -> None:
    for changed in [
        {"Origin": "http://cards.example"},
        {"Origin": "https://cards.example:8443"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ]:
        with subtests.test(changed=changed):
            assert post(("127.0.0.1",), **changed).status_code == 403


def test_default_ports_are_the_same_origin() -> None:
    assert post(("127.0.0.1",), Host="cards.example:443").status_code == 303
    assert post(("127.0.0.1",), Sec_Fetch_Site="same-origin").status_code == 303


def test_client_is_the_last_address_that_is_no_proxy() -> None:
    from starlette.types import Message, Receive, Scope, Send

    from fifteentwo.server.http.hosts import TrustedProxies

    async def client(given: str) -> str:
        seen: list[str] = []

        async def app(scope: Scope, _: Receive, __: Send) -> None:
            seen.append(scope["client"][0])

        async def nothing() -> Message:
            return {}

        async def nowhere(_: Message) -> None:
            return None

        scope = {
            "type": "http",
            "client": ("10.0.0.2", 1),
            "scheme": "http",
            "headers": [(b"x-forwarded-for", given.encode())],
        }
        await TrustedProxies(app, parse_networks(["10.0.0.0/8"]))(scope, nothing, nowhere)
        return seen[0]

    for given, known in {
        "198.51.100.1, 203.0.113.9": "203.0.113.9",
        "203.0.113.9, 10.0.0.7": "203.0.113.9",
        "junk, 10.0.0.7": "10.0.0.7",
        "2001:db8::5": "2001:db8::5",
        "": "10.0.0.2",
    }.items():
        assert run_apart(client(given)) == known, given


def test_invalid_proxy_address_is_refused_at_the_start() -> None:
    with pytest.raises(ServerError) as error:
        parse_networks(["nginx"])
    assert error.value.code == "proxy-unknown"


def request(scheme: str, cookie: str) -> Request:
    scope: dict[str, Any] = {"type": "http", "scheme": scheme, "headers": [(b"cookie", cookie.encode())]}
    return Request(scope)


def test_only_the_host_cookie_counts_over_https() -> None:
    plain, safe = f"fifteentwo={TOKEN}", f"__Host-fifteentwo={'s' * 43}"
    assert sessions.BROWSER_COOKIE.read_token(request("https", plain)) is None
    assert sessions.BROWSER_COOKIE.read_token(request("https", f"{plain}; {safe}")) == "s" * 43
    assert sessions.BROWSER_COOKIE.read_token(request("http", f"{plain}; {safe}")) == TOKEN
