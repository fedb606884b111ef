"""Sessions: a cookie with a random token, of which the database has only a hash."""

import hashlib
import re
import secrets
from typing import NamedTuple

from starlette.requests import HTTPConnection
from starlette.responses import Response

_YEAR_SECONDS = 365 * 24 * 3600
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")


class Cookie(NamedTuple):
    """A cookie that scripts cannot read. Over https, browsers accept it from this host alone."""

    name: str
    max_age_seconds: int = _YEAR_SECONDS

    def _name(self, connection: HTTPConnection) -> str:
        return f"__Host-{self.name}" if is_secure(connection) else self.name

    def read(self, connection: HTTPConnection) -> str:
        """Return the value that a browser sent; empty if it sent none."""
        return connection.cookies.get(self._name(connection), "")

    def read_token(self, connection: HTTPConnection) -> str | None:
        """Return the token that a browser sent; None if it sent no valid token."""
        value = self.read(connection)
        return value if _TOKEN_PATTERN.fullmatch(value) else None

    def write(self, request: HTTPConnection, response: Response, value: str) -> None:
        name, secure = self._name(request), is_secure(request)
        response.set_cookie(name, value, self.max_age_seconds, httponly=True, samesite="lax", secure=secure)

    def delete(self, request: HTTPConnection, response: Response) -> None:
        response.delete_cookie(self._name(request), httponly=True, samesite="lax", secure=is_secure(request))


BROWSER_COOKIE = Cookie("fifteentwo")


def new_token() -> str:
    return secrets.token_urlsafe(32)


def owner_of_token(token: str) -> str:
    """Return the hash of a token. Only the hash is stored, so reading the database opens no seat."""
    return hashlib.sha256(token.encode()).hexdigest()


class SignedInUser(NamedTuple):
    """The signed-in user of an account. `server.people.accounts` sets it before a page is served."""

    owner: str
    name: str
    session: str
    """The hash of the token in the user's cookie."""


USER_SCOPE_KEY = "fifteentwo.named"
"""The key of a request's SignedInUser in its ASGI scope."""


def user_of(connection: HTTPConnection) -> SignedInUser | None:
    """Return the signed-in user of a request; None for a guest."""
    named = connection.scope.get(USER_SCOPE_KEY)
    return named if isinstance(named, SignedInUser) else None


def guest_owner_of(connection: HTTPConnection) -> str | None:
    """Return the owner of a browser's own cookie, whether a user is signed in or not."""
    token = BROWSER_COOKIE.read_token(connection)
    return None if token is None else owner_of_token(token)


def owner_of(connection: HTTPConnection) -> str | None:
    """Return the owner whose games a request may see: the account, or the browser; None for a stranger."""
    named = user_of(connection)
    return guest_owner_of(connection) if named is None else named.owner


def owner_and_token(connection: HTTPConnection) -> tuple[str, str]:
    """Return the owner who takes a seat with a request, and the browser's token, a new one for a stranger."""
    token = BROWSER_COOKIE.read_token(connection) or new_token()
    named = user_of(connection)
    return (owner_of_token(token) if named is None else named.owner), token


def is_same_origin(connection: HTTPConnection) -> bool:
    """Return whether a request comes from a page of this server, or from a program that is no browser."""
    if connection.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    own = f"{_scheme(connection)}://{connection.headers.get('host', '')}"
    return _normalize_origin(connection.headers.get("origin", own)) == _normalize_origin(own)


def is_secure(connection: HTTPConnection) -> bool:
    return _scheme(connection) == "https"


def _scheme(connection: HTTPConnection) -> str:
    scheme = str(connection.scope["scheme"])
    return {"ws": "http", "wss": "https"}.get(scheme, scheme)


def _normalize_origin(origin: str) -> str:
    """Return an origin as browsers write it: in lower case, without the default port."""
    scheme, _, host = origin.lower().partition("://")
    return f"{scheme}://{host.removesuffix(_DEFAULT_PORTS.get(scheme, ''))}"
