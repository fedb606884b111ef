"""Whose browser it is: a random cookie, of which only a hash is kept."""

import hashlib
import re
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

COOKIE = "fifteentwo"
_YEAR = 365 * 24 * 3600
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def token_of(connection: HTTPConnection) -> str | None:
    """The session's token, where the cookie holds one of ours."""
    token = connection.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


def new_token() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


def owner(token: str) -> str:
    """What is kept of a session: reading the database lets nobody sit down in another's place."""
    return hashlib.sha256(token.encode()).hexdigest()


def owner_of(connection: HTTPConnection) -> str | None:
    """Which session a request comes from; None for a stranger."""
    token = token_of(connection)
    return None if token is None else owner(token)


def remember(response: Response, token: str, *, secure: bool) -> None:
    """Give the browser its token."""
    response.set_cookie(COOKIE, token, max_age=_YEAR, httponly=True, samesite="lax", secure=secure)


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from one of our own pages; programs that send no Origin are no browsers."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    return origin.partition("://")[2] == connection.headers.get("host", "")


class Allowance:
    """So many messages at once, and so many more a second."""

    def __init__(self, at_once: int, a_second: float) -> None:
        self._at_once = float(at_once)
        self._a_second = a_second
        self._left = self._at_once
        self._last = 0.0

    def spend(self, now: float) -> bool:
        """Whether one more may come at this time (seconds)."""
        self._left = min(self._at_once, self._left + (now - self._last) * self._a_second)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
