"""Limits on tries to sign in, which never lock the owner of an account out for long.

Wrong passphrases are counted by account and by place: an address block, or a browser that has signed in to
the account before. A known browser has a mark in a cookie, also after signing out, so that tries from other
places never block it. Tries block unknown browsers only in the same address block, and for minutes.
"""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import Response

from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import refusal

COOKIE = sessions.Cookie("fifteentwo-known")
MAX_MARKS = 4
"""Limit on accounts whose marks one browser keeps."""
_MARK = re.compile(r"[A-Za-z0-9_-]{22}\.[0-9a-f]{64}")

FREE_TRIES = 10
"""Tries from one place without a wait."""
FIRST_WAIT_SECONDS = 2.0
"""Seconds that a place must wait after FREE_TRIES tries; each further try doubles them."""
MAX_WAIT_SECONDS = 300.0
"""Longest wait between two tries from one place."""
FORGET_SECONDS = 3600.0
"""Seconds after the last try until the tries of a place are forgotten."""
MAX_PLACES = 20_000
"""Limit on places in memory; the place with the oldest try is removed first."""


class Client(msgspec.Struct, frozen=True):
    """The client of a sign-in request."""

    block: str
    marks: tuple[str, ...] = ()
    charge: Callable[[], object] = lambda: None
    """Counts a try against the address block; raises Refused if there are too many."""


def new_mark(owner: str) -> str:
    """Return a new mark of an account, signed with its secret owner id."""
    nonce = secrets.token_urlsafe(16)
    return f"{nonce}.{_signature(nonce, owner)}"


def find_mark(marks: tuple[str, ...], owner: str) -> str | None:
    for mark in marks:
        nonce, _, signature = mark.partition(".")
        if hmac.compare_digest(signature, _signature(nonce, owner)):
            return mark
    return None


def _signature(nonce: str, owner: str) -> str:
    return hmac.new(owner.encode(), f"known browser {nonce}".encode(), hashlib.sha256).hexdigest()


def marks_of(connection: HTTPConnection) -> tuple[str, ...]:
    written = COOKIE.read(connection).split(":")
    return tuple(mark for mark in written[:MAX_MARKS] if _MARK.fullmatch(mark))


def add_mark(request: HTTPConnection, response: Response, owner: str) -> None:
    marks = marks_of(request)
    if find_mark(marks, owner) is None:
        marks = (new_mark(owner), *marks)[:MAX_MARKS]
    COOKIE.write(request, response, ":".join(marks))


class _Tries(msgspec.Struct, frozen=True):
    """The tries from one place at one account, with times in seconds."""

    number: int
    last: float
    allowed_at: float


class TryLimiter:
    """The tries at all accounts since the server started."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: dict[tuple[str, str], _Tries] = {}

    def admit(self, account: str, place: str) -> None:
        """Count a try; raise Refused while the place must wait."""
        now, key = self._clock(), (account, place)
        before = self._tries.get(key)
        if before is None or now - before.last >= FORGET_SECONDS:
            before = _Tries(0, now, now)
        if now < before.allowed_at:
            raise refusal(before.allowed_at - now, "too-many-tries")
        number = before.number + 1
        doublings = number - FREE_TRIES
        wait = 0.0 if doublings < 0 else min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(doublings, 32))
        self._tries.pop(key, None)
        self._tries[key] = _Tries(number, now, now + wait)
        if len(self._tries) > MAX_PLACES:
            del self._tries[next(iter(self._tries))]

    def forget(self, account: str, place: str) -> None:
        """Remove the tries of a place after the right passphrase."""
        self._tries.pop((account, place), None)
