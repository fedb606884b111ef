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
from fifteentwo.server.http.rate_limits import refusal_with_wait

KNOWN_BROWSER_COOKIE = sessions.Cookie("fifteentwo-known")
MAX_MARKS_PER_BROWSER = 4
"""Limit on accounts whose marks one browser keeps."""
_MARK_PATTERN = re.compile(r"[A-Za-z0-9_-]{22}\.[0-9a-f]{64}")

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

    address_block: str
    marks: tuple[str, ...] = ()
    """Signed marks of the accounts to which the browser has signed in before."""
    count_try: Callable[[], object] = lambda: None
    """Function that counts a try against the address block; it raises Refused if there are too many."""


def new_mark(owner: str) -> str:
    """Return a new mark of an account, signed with its secret owner id."""
    nonce = secrets.token_urlsafe(16)
    return f"{nonce}.{_sign_mark(nonce, owner)}"


def find_mark(marks: tuple[str, ...], owner: str) -> str | None:
    for mark in marks:
        nonce, _, signature = mark.partition(".")
        if hmac.compare_digest(signature, _sign_mark(nonce, owner)):
            return mark
    return None


def _sign_mark(nonce: str, owner: str) -> str:
    return hmac.new(owner.encode(), f"known browser {nonce}".encode(), hashlib.sha256).hexdigest()


def read_marks(connection: HTTPConnection) -> tuple[str, ...]:
    written = KNOWN_BROWSER_COOKIE.read(connection).split(":")
    return tuple(mark for mark in written[:MAX_MARKS_PER_BROWSER] if _MARK_PATTERN.fullmatch(mark))


def add_mark(request: HTTPConnection, response: Response, owner: str) -> None:
    marks = read_marks(request)
    if find_mark(marks, owner) is None:
        marks = (new_mark(owner), *marks)[:MAX_MARKS_PER_BROWSER]
    KNOWN_BROWSER_COOKIE.write(request, response, ":".join(marks))


class _Tries(msgspec.Struct, frozen=True):
    """The tries from one place at one account, with times in seconds."""

    count: int
    last_at: float
    next_allowed_at: float


class TryLimiter:
    """Counts the tries to sign in since the server started, by account and place."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: dict[tuple[str, str], _Tries] = {}

    def admit(self, account: str, place: str) -> None:
        """Count a try; raise Refused while the place must wait."""
        now, key = self._clock(), (account, place)
        before = self._tries.get(key)
        if before is None or now - before.last_at >= FORGET_SECONDS:
            before = _Tries(0, now, now)
        if now < before.next_allowed_at:
            raise refusal_with_wait(before.next_allowed_at - now, "too-many-tries")
        number = before.count + 1
        doublings = number - FREE_TRIES
        wait = 0.0 if doublings < 0 else min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(doublings, 32))
        self._tries.pop(key, None)
        self._tries[key] = _Tries(number, now, now + wait)
        if len(self._tries) > MAX_PLACES:
            del self._tries[next(iter(self._tries))]

    def forget_tries(self, account: str, place: str) -> None:
        """Remove the tries of a place after the right passphrase."""
        self._tries.pop((account, place), None)
