"""Accounts: a user signs in with a username and a passphrase, instead of by one browser's cookie.

An account has a random owner id of its own, to which no guest's cookie leads. Creating one, or adding a
guest's games to it, hands the guest's seats over to that id; the guest's cookie opens nothing any more.
Signing in makes a new token each time, in a cookie next to the guest's: signed out, the browser is the guest
again.
"""

import contextlib
import re
import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import HTTPConnection

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http import sessions
from fifteentwo.server.http.sessions import Named
from fifteentwo.server.people import ratings, usernames
from fifteentwo.server.people.passwords import Passphrases
from fifteentwo.server.people.sign_in_limits import Client, TryLimiter, mark_of
from fifteentwo.server.store.schema import (
    account,
    guest_seat,
    hidden_game,
    mistake,
    player,
    reserved_username,
    searched_game,
)
from fifteentwo.server.store.schema import signed_in_browser as browser
from fifteentwo.server.store.store import Store

_DAY = 24 * 3600
LASTS = 365 * _DAY
"""Seconds for which a session lasts after it was last seen."""
COOKIE = sessions.Cookie("fifteentwo-name", LASTS)
HELD = 90 * _DAY
"""Seconds for which no other account may have the username of a deleted one."""
STALE = 5.0
"""Seconds after which it is looked up again who a session is: one ended by another process lives so long."""
MOST_REMEMBERED = 4096
MOST_SESSIONS = 50
"""Browsers in which one account may be signed in; the one not seen for longest is signed out."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class Account(msgspec.Struct, frozen=True, kw_only=True):
    owner: str
    name: str
    made_at: int


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """A browser in which a user is signed in."""

    id: str
    """The first signs of the token's hash: enough to name it, and of no other use."""
    device: str
    made_at: int
    seen_at: int
    own: bool


class Accounts:
    """All accounts. It reads and writes through the store alone."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """Make them over an open database. clock: returns seconds; tries to sign in are limited by it."""
        self._store = store
        self.passphrases = Passphrases()
        self._tries = TryLimiter(clock)
        self._known: dict[str, tuple[float, Named | None]] = {}

    # ── Who it is ────────────────────────────────────────────────────────────────────────────────────────

    async def user_of(self, token: str) -> Named | None:
        """Return the user of a session's token; None where it has ended."""
        session, now = sessions.owner(token), time.monotonic()
        at, known = self._known.get(session, (-STALE, None))
        if now - at < STALE:
            return known
        today = int(time.time()) // _DAY * _DAY
        mine = browser.c.token_hash == session
        row = await self._store.first(
            sa.select(account.c.owner, account.c.name, browser.c.seen_at)
            .join(browser, browser.c.owner == account.c.owner)
            .where(mine, browser.c.seen_at >= today - LASTS)
        )
        if row is not None and row.seen_at < today:
            # A full disk keeps nobody out.
            with contextlib.suppress(StoreError):
                await self._store.execute(browser.update().where(mine).values(seen_at=today))
        while len(self._known) >= MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        named = None if row is None else Named(row.owner, row.name, session)
        self._known[session] = (now, named)
        return named

    async def account(self, owner: str) -> Account:
        """Return an account; Refused where it is gone."""
        row = await self._row(account.c.owner == owner)
        if row is None:
            raise Refused("not-signed-in", status=403)
        return Account(owner=row.owner, name=row.name, made_at=row.created_at)

    async def tables_of(self, owner: str | None) -> int:
        number = sa.func.count(sa.distinct(player.c.match_id))
        return int((await self._store.first(sa.select(number).where(player.c.owner == owner)))[0])

    async def sessions_of(self, named: Named) -> list[Session]:
        """Return the sessions of an account, the last one seen first."""
        own = browser.c.owner == named.owner
        order = browser.c.seen_at.desc(), browser.c.created_at.desc(), browser.c.token_hash
        return [
            Session(
                id=row.token_hash[:16],
                device=row.device,
                made_at=row.created_at,
                seen_at=row.seen_at,
                own=row.token_hash == named.session,
            )
            for row in await self._store.select(browser.select().where(own).order_by(*order))
        ]

    # ── Creating an account, and signing in ────────────────────────────────────────────────────────────

    async def create(
        self, name: str, passphrase: str, guest: str | None, device: str, client: Client
    ) -> "SignedIn":
        """Create an account with the guest's games. Refused if the username is not allowed or is taken."""
        client.charge()
        name = usernames.checked_username(name)
        passphrase = usernames.checked_passphrase(passphrase, name)
        owner, token, now = secrets.token_hex(32), sessions.new_token(), int(time.time())
        similar = usernames.similar(name)
        row = {
            "owner": owner,
            "name": name,
            "name_key": usernames.look(name),
            "similarity_key": similar,
            "passphrase_hash": await self.passphrases.hashed(passphrase, client.block),
            "created_at": now,
        }
        try:
            async with self._store.writing() as connection:
                await _must_be_free(connection, similar, now)
                await connection.execute(account.insert(), row)
                await connection.execute(browser.insert(), _session(token, owner, device, now))
                games = [] if guest is None else await _hand_over(connection, guest, owner)
        except StoreError as error:
            if error.code == "conflict":
                raise Refused("name-taken", status=409) from None
            raise
        return SignedIn(token, owner, games)

    async def sign_in(
        self, name: str, passphrase: str, guest: str | None, device: str, client: Client
    ) -> "SignedIn":
        """Sign in with a username and passphrase; Refused alike if either is wrong.

        guest: whose games are added, if any.
        """
        look = usernames.look(name)
        row = await self._row(account.c.name_key == look)
        mark = None if row is None else mark_of(client.marks, row.owner)
        if mark is None:
            client.charge()
        place, block = mark or client.block, None if mark else client.block
        self._tries.admit(look, place)
        given = usernames.as_hashed(passphrase)[: usernames.LONGEST_PASSPHRASE]
        if (
            not await self.passphrases.is_right(None if row is None else row.passphrase_hash, given, block)
            or row is None
        ):
            raise Refused("sign-in-wrong", status=403)
        self._tries.forget(look, place)
        fresh = None
        if self.passphrases.is_of_old(row.passphrase_hash):
            fresh = await self.passphrases.hashed(given, block)
        token, now = sessions.new_token(), int(time.time())
        async with self._store.writing() as connection:
            # What was checked may have been changed meanwhile: then it is wrong, and ended sessions stay so.
            if not await _replace(connection, row.owner, row.passphrase_hash, fresh or row.passphrase_hash):
                raise Refused("sign-in-wrong", status=403)
            await _end_oldest(connection, row.owner, now)
            await connection.execute(browser.insert(), _session(token, row.owner, device, now))
            games = [] if guest is None else await _hand_over(connection, guest, row.owner)
        return SignedIn(token, row.owner, games)

    async def add_guest(self, named: Named, guest: str) -> list[str]:
        """Hand a guest's games over to an account; return the tables. Refused where the account is gone."""
        still = sa.select(account.c.owner).where(account.c.owner == named.owner).with_for_update()
        async with self._store.writing() as connection:
            if (await connection.execute(still)).first() is None:
                raise Refused("not-signed-in", status=403)
            return await _hand_over(connection, guest, named.owner)

    async def verify(self, named: Named, passphrase: str) -> str:
        """Return the stored hash; Refused if the passphrase is not the account's."""
        row = await self._row(account.c.owner == named.owner)
        self._tries.admit(named.owner, named.session)
        given = usernames.as_hashed(passphrase)[: usernames.LONGEST_PASSPHRASE]
        if not await self.passphrases.is_right(None if row is None else row.passphrase_hash, given):
            raise Refused("passphrase-wrong", status=403)
        self._tries.forget(named.owner, named.session)
        return str(row.passphrase_hash)

    async def change_passphrase(self, named: Named, old: str, new: str) -> None:
        """Change the passphrase; every other session ends."""
        before = await self.verify(named, old)
        kept = await self.passphrases.hashed(usernames.checked_passphrase(new, named.name))
        others = sa.and_(browser.c.owner == named.owner, browser.c.token_hash != named.session)
        async with self._store.writing() as connection:
            if not await _replace(connection, named.owner, before, kept):
                raise Refused("passphrase-wrong", status=403)
            await connection.execute(browser.delete().where(others))
        self.forget(named.owner)

    async def end_sessions(self, owner: str, *, only: str = "") -> None:
        """End the sessions of an account: all, or those that begin like this."""
        which = browser.c.owner == owner
        if only:
            which = sa.and_(which, browser.c.token_hash.startswith(only, autoescape=True))
        await self._store.execute(browser.delete().where(which))
        self.forget(owner)

    def forget(self, owner: str) -> None:
        """Look up the sessions of this account again when they come."""
        for session, (_, named) in list(self._known.items()):
            if named is not None and named.owner == owner:
                del self._known[session]

    async def _row(self, which: sa.ColumnElement[bool]) -> Any:
        return await self._store.first(account.select().where(which))


class SignedIn(msgspec.Struct, frozen=True):
    """A user has signed in: the new token, its owner, and the tables that were handed over."""

    token: str
    owner: str
    games: list[str]


def _session(token: str, owner: str, device: str, now: int) -> dict[str, object]:
    day = now // _DAY * _DAY
    return {
        "token_hash": sessions.owner(token),
        "owner": owner,
        "device": device,
        "created_at": now,
        "seen_at": day,
    }


async def _replace(connection: AsyncConnection, owner: str, before: str, kept: str) -> bool:
    own = account.update().where(account.c.owner == owner, account.c.passphrase_hash == before)
    return bool((await connection.execute(own.values(passphrase_hash=kept))).rowcount == 1)


async def _must_be_free(connection: AsyncConnection, similar: str, now: int) -> None:
    """Refused where a username is still held for an account that was deleted."""
    await connection.execute(reserved_username.delete().where(reserved_username.c.until <= now))
    held = sa.select(reserved_username.c.similarity_key).where(reserved_username.c.similarity_key == similar)
    if (await connection.execute(held)).first() is not None:
        raise Refused("name-taken", status=409)


async def _end_oldest(connection: AsyncConnection, owner: str, now: int) -> None:
    """End sessions that have expired, and the oldest of an account with very many."""
    await connection.execute(browser.delete().where(browser.c.seen_at < now - LASTS - _DAY))
    latest_first = browser.c.seen_at.desc(), browser.c.created_at.desc()
    own = sa.select(browser.c.token_hash).where(browser.c.owner == owner)
    oldest = own.order_by(*latest_first).offset(MOST_SESSIONS - 1)
    await connection.execute(browser.delete().where(browser.c.token_hash.in_(oldest)))


async def _hand_over(connection: AsyncConnection, guest: str, owner: str) -> list[str]:
    """Give a guest's seats, and all that is stored with them, to an account; return the tables.

    A table where the account sits already stays the guest's.
    """
    there = sa.select(player.c.match_id).where(player.c.owner == owner)
    moving = sa.and_(player.c.owner == guest, player.c.match_id.not_in(there))
    rows = (
        await connection.execute(sa.select(player.c.match_id, player.c.player_number).where(moving))
    ).all()
    if not rows:
        return []
    await connection.execute(
        guest_seat.insert(), [{"match_id": row.match_id, "player_number": row.player_number} for row in rows]
    )
    await connection.execute(player.update().where(moving).values(owner=owner))
    staying = sa.select(player.c.match_id).where(player.c.owner == guest)
    for table in (hidden_game, mistake, searched_game):
        await connection.execute(
            table.update().where(table.c.owner == guest, table.c.match_id.not_in(staying)).values(owner=owner)
        )
    return list(dict.fromkeys(row.match_id for row in rows))


async def forget_account(connection: AsyncConnection, owner: str) -> None:
    """Delete an account, its sessions and ratings. For HELD no other account may have its username."""
    name = (await connection.execute(sa.select(account.c.name).where(account.c.owner == owner))).scalar()
    if name is not None:
        key = usernames.similar(name)
        await connection.execute(reserved_username.delete().where(reserved_username.c.similarity_key == key))
        row = {"similarity_key": key, "until": int(time.time()) + HELD}
        await connection.execute(reserved_username.insert(), row)
    await ratings.forget_ratings(connection, owner)
    for table in (browser, account):
        await connection.execute(table.delete().where(table.c.owner == owner))


# ── The cookie ───────────────────────────────────────────────────────────────────────────────────────────


def token_of(connection: HTTPConnection) -> str | None:
    """Return the token of a signed-in browser, if its cookie has one."""
    token = COOKIE.read(connection)
    return token if _TOKEN.fullmatch(token) else None


_BROWSERS = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox")),
    *(("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari")),
)
_SYSTEMS = (
    *(("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows")),
    *(("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux")),
)
"""Parts of a User-Agent header, and what they stand for; the first that is found counts."""


def device_of(connection: HTTPConnection) -> str:
    """Return a browser in two words, by which its owner recognises it; nothing more of it is stored.

    >>> from starlette.requests import Request
    >>> agent = b"Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0"
    >>> device_of(Request({"type": "http", "headers": [(b"user-agent", agent)]}))
    'Firefox · Windows'
    """
    agent = connection.headers.get("user-agent", "")
    words = (next((name for sign, name in kinds if sign in agent), "") for kinds in (_BROWSERS, _SYSTEMS))
    return " · ".join(word for word in words if word)
