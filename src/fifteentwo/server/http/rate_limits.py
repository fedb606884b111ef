"""Rate limits by address and by browser: token buckets."""

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
from fifteentwo.server.http import sessions

Rate = tuple[float, float]
"""Requests at once, and a second."""
OF_AN_ADDRESS = 600, 60.0
"""Requests at once and a second: a club of thirty behind one router opens its tables within seconds."""
OF_A_SESSION = 240, 20.0
"""The same for one browser: its first page asks for some fifty files."""
A_FILE = 0.1
"""What a script, a style or a picture costs of a request."""
FILES = ("/static/", "/manual/")
"""Where files are."""
MOST_PAGES, MOST_PAGES_OF_AN_ADDRESS = 64, 512
"""Pages that one browser, and one address, may have open at tables."""
MOST_KNOWN = 20_000
"""Addresses and browsers remembered; the one longest quiet is forgotten first."""
UNLIMITED = ("/healthz", "/readyz", "/metrics")
TRY_AGAIN = 1013


class TokenBucket:
    """A bucket that holds so many tokens, and gains so many a second."""

    def __init__(self, capacity: float, a_second: float) -> None:
        self._capacity = float(capacity)
        self._a_second = a_second
        self._tokens = self._capacity
        self._filled_at = 0.0

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take tokens at this time (seconds); False, and take none, where there are too few."""
        self._tokens = min(self._capacity, self._tokens + (now - self._filled_at) * self._a_second)
        self._filled_at = now
        if self._tokens < cost:
            return False
        self._tokens -= cost
        return True

    def wait(self, cost: float = 1.0) -> float:
        """Return the seconds from the last `take` until there are so many tokens."""
        return max(0.0, cost - self._tokens) / self._a_second


class RateLimiter:
    """A token bucket for each key; the keys used longest ago are forgotten beyond `most`."""

    def __init__(self, at_once: float, a_second: float, most: int = MOST_KNOWN) -> None:
        self._rate = at_once, a_second
        self._most = most
        self._buckets: dict[str, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def wait(self, key: str, cost: float = 1.0, *, now: float | None = None) -> float:
        """Count one request and return 0.0, or return the seconds until it is allowed."""
        bucket = self._buckets.pop(key, None) or TokenBucket(*self._rate)
        self._buckets[key] = bucket
        if len(self._buckets) > self._most:
            del self._buckets[next(iter(self._buckets))]
        return 0.0 if bucket.take(time.monotonic() if now is None else now, cost) else bucket.wait(cost)

    def admit(self, key: str, code: str = "too-many-requests") -> None:
        """Count one request; Refused where there were too many."""
        if wait := self.wait(key):
            raise refusal(wait, code)

    def forget(self, key: str) -> None:
        """Forget what was counted for a key."""
        self._buckets.pop(key, None)


class RequestLimiter:
    """Limits requests by address, and by browser where that has a rate of its own; per process."""

    def __init__(self, of_address: Rate, of_session: Rate | None = None) -> None:
        self._addresses = RateLimiter(*of_address)
        self._sessions = None if of_session is None else RateLimiter(*of_session)

    def wait(self, connection: HTTPConnection, cost: float = 1.0) -> float:
        """Count one request and return 0.0, or return the seconds until it is allowed."""
        if wait := self._addresses.wait(address_of(connection), cost):
            return wait
        owner = sessions.owner_of(connection)
        return 0.0 if owner is None or self._sessions is None else self._sessions.wait(owner, cost)

    def admit(self, request: Request) -> None:
        """Count one request; Refused where there were too many."""
        if wait := self.wait(request):
            raise refusal(wait)


def address_of(connection: HTTPConnection) -> str:
    """Return the address of a client; of IPv6 the network of one household."""
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
    """Return whether a request comes from this very machine, and through no proxy."""
    host = connection.client.host if connection.client else ""
    try:
        return ipaddress.ip_address(host).is_loopback and "x-forwarded-for" not in connection.headers
    except ValueError:
        return False


def refusal(seconds: float, code: str = "too-many-requests") -> Refused:
    """Return the refusal of a request that is allowed in so many seconds."""
    return Refused(code, status=429, seconds=max(1, math.ceil(seconds)))


class OpenPages:
    """The open pages at tables, by browser and by address."""

    def __init__(self) -> None:
        self.open = 0
        self._of: Counter[str] = Counter()

    @contextmanager
    def opened(self, connection: HTTPConnection, owner: str) -> Iterator[None]:
        """A page while it is open; Refused where its browser or address has too many."""
        address = address_of(connection)
        own = is_own_machine(connection)
        if self._of[owner] >= MOST_PAGES or (not own and self._of[address] >= MOST_PAGES_OF_AN_ADDRESS):
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
    """Middleware that refuses too many requests with 429 and Retry-After; never those of this machine."""

    def __init__(self, app: ASGIApp, refused: Callable[[Request, Refused], Response]) -> None:
        self._app = app
        self._refused = refused
        self._limiter = RequestLimiter(OF_AN_ADDRESS, OF_A_SESSION)

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
        return self._limiter.wait(connection, A_FILE if scope["path"].startswith(FILES) else 1.0)
