"""The host names that the server responds to, and the proxies in front of it that it trusts."""

import ipaddress
import re
import socket as sockets
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from fifteentwo.server.errors import Refused, ServerError

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
ANY_HOST = "*"
_ALLOWED_HOST_PATTERN = re.compile(r"\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[?[0-9a-f]*:[0-9a-f:.]*\]?")
"""Matches an --allowed-host: "*", a name, "*.name" for all subdomains, or an address."""
_HTTP_AND_SOCKET_SCHEMES = {"http": ("http", "ws"), "https": ("https", "wss")}

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def parse_networks(written: Iterable[str]) -> tuple[Network, ...]:
    """Return addresses and networks (10.0.0.0/8) as networks. Raise ServerError if one is invalid."""
    read = []
    for one in written:
        try:
            read.append(ipaddress.ip_network(one.strip(), strict=False))
        except ValueError:
            raise ServerError("proxy-unknown", proxy=one[:80]) from None
    return tuple(read)


def is_in_any(address: str, networks: tuple[Network, ...]) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(known in network for network in networks)


def allowed_hosts(host: str, bound_address: str, configured: Iterable[str]) -> tuple[str, ...]:
    """Return the host names to respond to: configured names, this machine's own, the bound address.

    Raise ServerError if a configured name is invalid.

    >>> allowed_hosts("127.0.0.1", "127.0.0.1", ["cards.example"])
    ('127.0.0.1', 'localhost', '::1', '[::1]', 'cards.example')
    """
    configured = [one.strip().lower() for one in configured if one.strip()]
    for one in configured:
        if not _ALLOWED_HOST_PATTERN.fullmatch(one):
            raise ServerError("allowed-host-unreadable", host=one[:80])
    names = [*LOOPBACK_HOSTS, "[::1]", *configured]
    if bound_address not in LOOPBACK_HOSTS:
        machine = sockets.gethostname().lower()
        names += [host.lower(), machine, f"{machine}.local"]
    return tuple(dict.fromkeys(names))


def check_host(scope: Scope, hosts: tuple[str, ...]) -> None:
    """Raise Refused if a request is for none of these host names, or if its body has two lengths."""
    # No other site can then point its own name at this server. If a proxy and this server read two lengths
    # differently, they disagree on where the next request begins (RFC 9112, 6.3).
    headers = Headers(scope=scope)
    if "transfer-encoding" in headers and ("content-length" in headers or scope["http_version"] == "1.0"):
        raise Refused("request-unreadable")
    name = re.sub(r":\d*$", "", headers.get("host", "")).lower()
    suffixes = tuple(one[1:] for one in hosts if one.startswith("*."))
    # The address of this connection itself is no other site's name.
    is_own_address = bool(scope.get("server")) and name.strip("[]") == scope["server"][0]
    if not (ANY_HOST in hosts or name in hosts or name.endswith(suffixes) or is_own_address):
        raise Refused("other-host")


class TrustedProxies:
    """Middleware that takes the client's address, scheme and host from trusted proxies only."""

    def __init__(self, app: ASGIApp, trusted: tuple[Network, ...]) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] != "lifespan" and client and is_in_any(client[0], self._trusted):
            scope = self._apply_forwarded_headers(scope)
        await self._app(scope, receive, send)

    def _apply_forwarded_headers(self, scope: Scope) -> Scope:
        headers = Headers(scope=scope)
        scope = dict(scope)
        scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip().lower()
        if scheme in _HTTP_AND_SOCKET_SCHEMES:
            scope["scheme"] = _HTTP_AND_SOCKET_SCHEMES[scheme][scope["type"] == "websocket"]
        # The client is the last address that is no proxy; it may have forged those before.
        addresses = [one.strip() for one in ",".join(headers.getlist("x-forwarded-for")).split(",")]
        for address in reversed(addresses):
            try:
                known = str(ipaddress.ip_address(address.strip("[]")))
            except ValueError:
                break
            scope["client"] = (known, 0)
            if not is_in_any(known, self._trusted):
                break
        host = headers.get("x-forwarded-host", "").rpartition(",")[2].strip()
        if host:
            kept = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*kept, (b"host", host.encode("latin-1"))]
        return scope
