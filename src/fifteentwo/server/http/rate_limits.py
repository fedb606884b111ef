"""The rate limiter: the requests that a person and an address block may send, weighted by their cost.

A request spends the tokens of its kind from the buckets of its address blocks and its person. If a bucket has
too few, the request is refused with 429 and Retry-After, and spends nothing. Requests of this machine itself
are not limited. The number of open pages is limited by person and address block too.
"""

import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from starlette.requests import HTTPConnection

from fifteentwo.server.errors import Refused
from fifteentwo.server.http import sessions


class Rate(NamedTuple):
    """The tokens that an address block may spend at once, and the tokens that it gets per second."""

    burst_tokens: float
    tokens_per_second: float


class RequestKind(NamedTuple):
    """A kind of request: its bucket, its cost in tokens, and the code of its refusal."""

    bucket: str
    tokens: float
    refusal_code: str = "too-many-requests"


RATE_BY_BUCKET = {
    # A club of thirty people behind one router opens its tables within seconds.
    "requests": Rate(600, 60.0),
    # A table takes about 4 kB of disk, and stays for a week even if nobody plays.
    "new-tables": Rate(300, 300 / 86400),
    "lobby": Rate(80, 0.2),
    "sign-in": Rate(30, 0.1),
    "export": Rate(8, 1 / 30),
    "shares": Rate(30, 30 / 3600),
}
MAX_PERSON_SHARE = 0.4
"""Share of an address block's rate that one person may spend."""
IPV6_SITE_FACTOR = 4.0
"""Multiple of an address block's rate that an IPv6 /48 may spend, which contains 256 blocks."""

# The cost of each request in tokens.
ANY_REQUEST = RequestKind("requests", tokens=1)
FILE_REQUEST = RequestKind("requests", tokens=0.1)
NEW_TABLE_REQUEST = RequestKind("requests", tokens=10)
NEW_TABLE_OF_DAY = RequestKind("new-tables", tokens=1, refusal_code="too-many-new-tables")
HINT_REQUEST = RequestKind("requests", tokens=10)
STUDY_REQUEST = RequestKind("requests", tokens=10)
"""Takes up to 0.1 s of a core: an answer in practice, a person's statistics, the log of a game in words."""
BOOK_REQUEST = RequestKind("requests", tokens=20)
"""Takes up to 0.5 s of a core."""
IMPORT_REQUEST = RequestKind("requests", tokens=60)
REVIEW_REQUEST = RequestKind("requests", tokens=60)
"""Takes up to 2 s of a core, like an import."""
JOIN_BY_CODE = RequestKind("lobby", tokens=4)
TAKE_SEAT = RequestKind("lobby", tokens=4)
LIST_TABLE = RequestKind("lobby", tokens=8)
CHECK_IN = RequestKind("lobby", tokens=0.5)
"""All of a club may check in from one address within minutes."""
OPEN_EVENING = RequestKind("new-tables", tokens=10, refusal_code="too-many-new-tables")
SIGN_IN_REQUEST = RequestKind("sign-in", tokens=1, refusal_code="too-many-tries")
SHARE_REQUEST = RequestKind("shares", tokens=1, refusal_code="too-many-tries")
EXPORT_REQUEST = RequestKind("export", tokens=1, refusal_code="too-many-tries")
FILE_PATH_PREFIXES = ("/static/", "/manual/")
UNLIMITED_PATHS = ("/healthz", "/readyz", "/metrics")
MAX_OPEN_PAGES_PER_PERSON = 64
MAX_OPEN_PAGES_PER_ADDRESS = 512
MAX_BUCKETS = 40_000
"""Buckets in memory. The least recently used is dropped first."""


class TokenBucket:
    """A bucket of tokens that is refilled at a constant rate."""

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._tokens = self._burst
        self._filled_at = 0.0

    def wait_seconds(self, now: float, cost: float = 1.0) -> float:
        """Return the seconds until the bucket has `cost` tokens, 0.0 if it has. now: in seconds."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._per_second)
        self._filled_at = now
        return max(0.0, cost - self._tokens) / self._per_second

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take tokens. Return False, and take none, if there are too few."""
        if self.wait_seconds(now, cost):
            return False
        self._tokens -= cost
        return True


class RateLimiter:
    """The token buckets of all address blocks and people in one server process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, max_buckets: int = MAX_BUCKETS) -> None:
        self._clock = clock
        self._max_buckets = max_buckets
        self._buckets: dict[tuple[str, str], TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def wait_seconds(self, connection: HTTPConnection, kind: RequestKind) -> float:
        """Count a request and return 0.0, or return the seconds until it is allowed."""
        if is_own_machine(connection):
            return 0.0
        now, person = self._clock(), sessions.owner_of(connection)
        buckets = [
            self._bucket(kind, block, IPV6_SITE_FACTOR if block.endswith("/48") else 1.0)
            for block in client_blocks(connection)
        ]
        # A client can forge persons, but not addresses: forged persons must not fill the memory.
        if person is not None and not any(bucket.wait_seconds(now, kind.tokens) for bucket in buckets):
            buckets.append(self._bucket(kind, person, MAX_PERSON_SHARE))
        if seconds := max(bucket.wait_seconds(now, kind.tokens) for bucket in buckets):
            return seconds
        for bucket in buckets:
            bucket.take(now, kind.tokens)
        return 0.0

    def _bucket(self, kind: RequestKind, key: str, factor: float) -> TokenBucket:
        burst, per_second = RATE_BY_BUCKET[kind.bucket]
        name = kind.bucket, key
        bucket = self._buckets.pop(name, None) or TokenBucket(burst * factor, per_second * factor)
        self._buckets[name] = bucket
        if len(self._buckets) > self._max_buckets:
            del self._buckets[next(iter(self._buckets))]
        return bucket


def admit(connection: HTTPConnection, kind: RequestKind) -> None:
    """Take the tokens of this kind of request. Raise Refused if there are too few."""
    limiter: RateLimiter = connection.app.state.rate_limiter
    if seconds := limiter.wait_seconds(connection, kind):
        raise refusal_with_wait(seconds, kind.refusal_code)


def admit_request(connection: HTTPConnection) -> None:
    """Take the tokens that every request costs. Raise Refused if there are too few."""
    path = connection.scope["path"]
    if path not in UNLIMITED_PATHS:
        admit(connection, FILE_REQUEST if path.startswith(FILE_PATH_PREFIXES) else ANY_REQUEST)


def client_blocks(connection: HTTPConnection) -> tuple[str, ...]:
    """Return the address blocks of a client, the widest last: an IPv4 address, or an IPv6 /56 and its /48."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return (host,)
    if isinstance(address, ipaddress.IPv4Address):
        return (str(address),)
    if address.ipv4_mapped:
        return (str(address.ipv4_mapped),)
    return tuple(str(ipaddress.ip_network((address, bits), strict=False)) for bits in (56, 48))


def widest_block(connection: HTTPConnection) -> str:
    """Return the widest address block of a client; empty for this machine itself, which has no limits."""
    return "" if is_own_machine(connection) else client_blocks(connection)[-1]


def is_own_machine(connection: HTTPConnection) -> bool:
    """Return whether a request comes from this machine itself, without a proxy."""
    host = connection.client.host if connection.client else ""
    try:
        return ipaddress.ip_address(host).is_loopback and "x-forwarded-for" not in connection.headers
    except ValueError:
        return False


def refusal_with_wait(seconds: float, code: str = "too-many-requests") -> Refused:
    return Refused(code, status=429, seconds=max(1, math.ceil(seconds)))


class OpenPages:
    """Counts the open pages of tables, by person and by address block."""

    def __init__(self) -> None:
        self._by_key: Counter[str] = Counter()

    @property
    def count(self) -> int:
        return self._by_key["all"]

    @contextmanager
    def count_while_open(self, connection: HTTPConnection, person: str) -> Iterator[None]:
        """Count a page while it is open. Raise Refused if its person or address block has too many."""
        block = widest_block(connection)
        crowded = block and self._by_key[f"at {block}"] >= MAX_OPEN_PAGES_PER_ADDRESS
        if crowded or self._by_key[f"of {person}"] >= MAX_OPEN_PAGES_PER_PERSON:
            raise Refused("too-many-pages", status=429)
        keys = "all", f"of {person}", f"at {block}"
        self._by_key.update(keys)
        try:
            yield
        finally:
            self._by_key.subtract(keys)
            for key in keys:
                if not self._by_key[key]:
                    del self._by_key[key]
