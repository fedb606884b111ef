"""How much one address and one browser may ask for, so that nobody's haste is everybody's wait."""

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from fifteentwo.server.errors import Refused
from fifteentwo.server.web_edge import sessions
from fifteentwo.server.web_edge.sessions import Allowance

OF_AN_ADDRESS = 600, 60.0
"""Requests at once and a second: a club of thirty behind one router opens its tables within seconds."""
OF_A_SESSION = 240, 20.0
"""The same for one browser: its first page asks for some fifty files."""
A_FILE = 0.1
"""What a script, a style or a picture costs of a request."""
MOST_LINES, MOST_LINES_OF_AN_ADDRESS = 64, 512
"""Pages that one browser, and one address, may have open at tables."""
MOST_KNOWN = 20_000
"""Addresses and browsers remembered; the one longest quiet is forgotten first."""
UNLIMITED = ("/healthz", "/readyz", "/metrics")
TRY_AGAIN = 1013


class Allowances:
    """An allowance for each of many; never more than so many are remembered."""

    def __init__(self, at_once: float, a_second: float, most: int = MOST_KNOWN) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._most = most
        self._known: dict[str, Allowance] = {}

    def __len__(self) -> int:
        return len(self._known)

    def wait(self, who: str, now: float, cost: float = 1.0) -> float:
        """Count it, and 0; or seconds until it may be."""
        allowance = self._known.pop(who, None) or Allowance(self._at_once, self._a_second)
        self._known[who] = allowance
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return 0.0 if allowance.spend(now, cost) else allowance.short_of(cost) / self._a_second


def address_of(connection: HTTPConnection) -> str:
    """Whose address a request comes from; of IPv6 the network, which is one household's."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 6:
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return host


def is_own_machine(connection: HTTPConnection) -> bool:
    """Whether it was asked on this very machine, by nobody else's proxy."""
    host = connection.client.host if connection.client else ""
    try:
        return ipaddress.ip_address(host).is_loopback and "x-forwarded-for" not in connection.headers
    except ValueError:
        return False


def refusal(seconds: float) -> Refused:
    """Too much at once: come back in so many seconds."""
    return Refused("too-many-requests", status=429, seconds=max(1, math.ceil(seconds)))


class NewTables:
    """New tables by who asks: nobody can use up what is there for others."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._by_address = Allowances(at_once, a_second)
        self._by_session = Allowances(at_once / 2, a_second / 2)

    def admit(self, request: Request) -> None:
        """Count one more table; Refused where too many are asked for."""
        now, owner = time.monotonic(), sessions.owner_of(request)
        wait = self._by_address.wait(address_of(request), now)
        if not wait and owner is not None:
            wait = self._by_session.wait(owner, now)
        if wait:
            raise refusal(wait)


class OfAnAddress:
    """So much of one thing for one address; each process counts for itself."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._allowances = Allowances(at_once, a_second)

    def admit(self, request: Request) -> None:
        """Count one more; Refused where there were too many."""
        if wait := self._allowances.wait(address_of(request), time.monotonic()):
            raise refusal(wait)


class Lines:
    """The open pages at tables, by browser and by address."""

    def __init__(self) -> None:
        self.open = 0
        self._of: Counter[str] = Counter()

    @contextmanager
    def one_more(self, connection: HTTPConnection, owner: str) -> Iterator[None]:
        """A page while it is open; Refused where its browser or address has too many."""
        address = address_of(connection)
        own = is_own_machine(connection)
        if self._of[owner] >= MOST_LINES or (not own and self._of[address] >= MOST_LINES_OF_AN_ADDRESS):
            raise Refused("too-many-pages", status=429)
        self._of.update((owner, address))
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1
            for one in (owner, address):
                self._of[one] -= 1
                if not self._of[one]:
                    del self._of[one]


class Limited:
    """Turns away whoever asks too much at once, and says when to come back; this machine itself never."""

    def __init__(self, app: ASGIApp, refused: Callable[[Request, Refused], Response]) -> None:
        self._app = app
        self._refused = refused
        self._addresses = Allowances(*OF_AN_ADDRESS)
        self._sessions = Allowances(*OF_A_SESSION)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = self._wait(scope)
        if not wait:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._refused(Request(scope), refusal(wait))(scope, receive, send)
        else:
            await WebSocketClose(TRY_AGAIN)(scope, receive, send)

    def _wait(self, scope: Scope) -> float:
        if scope["type"] == "lifespan" or scope["path"] in UNLIMITED:
            return 0.0
        connection = HTTPConnection(scope)
        if is_own_machine(connection):
            return 0.0
        cost, now = A_FILE if scope["path"].startswith("/static/") else 1.0, time.monotonic()
        wait = self._addresses.wait(address_of(connection), now, cost)
        owner = sessions.owner_of(connection)
        return wait if wait or owner is None else self._sessions.wait(owner, now, cost)
