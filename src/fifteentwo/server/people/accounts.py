"""Accounts: users sign in with a username and a passphrase.

An account has a random owner id. When a guest creates an account or adds games to it, the seats get this id,
and the guest's cookie no longer opens them. A sign-in creates a new token in a second cookie, so that a
browser that signs out is the guest again.
"""

import contextlib
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
from fifteentwo.server.http.sessions import SignedInUser
from fifteentwo.server.people import usernames
from fifteentwo.server.people.passwords import PassphraseHasher
from fifteentwo.server.people.sign_in_limits import Client, TryLimiter, find_mark
from fifteentwo.server.store.schema import (
    account,
    blocked_person,
    daily_discard,
    evening_player,
    game_rating,
    guest_seat,
    hidden_game,
    mistake,
    player,
    rating,
    reserved_username,
    searched_game,
    shared_review,
)
from fifteentwo.server.store.schema import signed_in_browser as browser
from fifteentwo.server.store.store import Store

_DAY_SECONDS = 24 * 3600
SESSION_SECONDS = 365 * _DAY_SECONDS
"""Seconds until a session expires after its last request."""
SIGNED_IN_COOKIE = sessions.Cookie("fifteentwo-name", SESSION_SECONDS)
RESERVED_SECONDS = 90 * _DAY_SECONDS
"""Seconds for which no other account may take the username of a deleted one."""
CACHE_SECONDS = 5.0
"""Seconds for which a token's user is cached; a session ended by another process stays valid for as long."""
MAX_CACHED_SESSIONS = 4096
MAX_SESSIONS_PER_ACCOUNT = 50
"""Limit on sessions of an account; a new one ends the session that was idle longest."""


class Session(msgspec.Struct, frozen=True):
    """A browser in which a user is signed in."""

    id: str
    """First 16 digits of the token's hash; they identify the session but give no access."""
    device: str
    """Names of the browser and the system, for example "Firefox · Windows"."""
    made_at: int
    """Time of the sign-in, in seconds since 1970."""
    seen_at: int
    """Start of the day of the last request, in seconds since 1970."""
    own: bool
    """Whether the session belongs to the browser that asks."""


class Accounts:
    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        """Create accounts for an open database. clock: returns seconds; it limits sign-in tries."""
        self._store = store
        self.passphrases = PassphraseHasher()
        self._tries = TryLimiter(clock)
        self._known: dict[str, tuple[float, SignedInUser | None]] = {}

    async def user_of(self, token: str) -> SignedInUser | None:
        """Return the user of a session's token, or None if the session has ended."""
        session, now = sessions.owner_of_token(token), time.monotonic()
        at, known = self._known.get(session, (-CACHE_SECONDS, None))
        if now - at < CACHE_SECONDS:
            return known
        today = int(time.time()) // _DAY_SECONDS * _DAY_SECONDS
        mine = browser.c.token_hash == session
        row = await self._store.first(
            sa.select(account.c.owner, account.c.name, browser.c.seen_at)
            .join(browser, browser.c.owner == account.c.owner)
            .where(mine, browser.c.seen_at >= today - SESSION_SECONDS)
        )
        if row is not None and row.seen_at < today:
            # A full disk must not keep anybody out.
            with contextlib.suppress(StoreError):
                await self._store.execute(browser.update().where(mine).values(seen_at=today))
        while len(self._known) >= MAX_CACHED_SESSIONS:
            del self._known[next(iter(self._known))]
        named = None if row is None else SignedInUser(row.owner, row.name, session)
        self._known[session] = (now, named)
        return named

    async def account(self, owner: str) -> Any:
        """Return the database row of an account; raise Refused if it was deleted."""
        row = await self._find_account(account.c.owner == owner)
        if row is None:
            raise Refused("not-signed-in", status=403)
        return row

    async def count_tables(self, owner: str | None) -> int:
        number = sa.func.count(sa.distinct(player.c.match_id))
        return int((await self._store.first(sa.select(number).where(player.c.owner == owner)))[0])

    async def sessions_of(self, user: SignedInUser) -> list[Session]:
        """Return the sessions of an account, the most recently seen first."""
        own = browser.c.owner == user.owner
        order = browser.c.seen_at.desc(), browser.c.created_at.desc(), browser.c.token_hash
        rows = await self._store.select(browser.select().where(own).order_by(*order))
        return [
            Session(token[:16], row.device, row.created_at, row.seen_at, token == user.session)
            for row in rows
            for token in (row.token_hash,)
        ]

    async def create(
        self, name: str, passphrase: str, guest: str | None, device: str, client: Client
    ) -> "SignedIn":
        """Create an account with the guest's games; raise Refused if the username is invalid or taken."""
        client.count_try()
        name = usernames.check_username(name)
        passphrase = usernames.check_passphrase(passphrase, name)
        owner, token, now = secrets.token_hex(32), sessions.new_token(), int(time.time())
        similar = usernames.similarity_key(name)
        held = sa.select(reserved_username.c.until).where(reserved_username.c.similarity_key == similar)
        row = {
            "owner": owner,
            "name": name,
            "name_key": usernames.look_key(name),
            "similarity_key": similar,
            "passphrase_hash": await self.passphrases.compute_hash(passphrase, client.address_block),
            "created_at": now,
        }
        try:
            async with self._store.writing() as connection:
                await connection.execute(reserved_username.delete().where(reserved_username.c.until <= now))
                if (await connection.execute(held)).first() is not None:
                    raise Refused("name-taken", status=409)
                await connection.execute(account.insert(), row)
                await connection.execute(browser.insert(), _session_row(token, owner, device, now))
                games = [] if guest is None else await _move_seats(connection, guest, owner)
        except StoreError as error:
            if error.code == "conflict":
                raise Refused("name-taken", status=409) from None
            raise
        return SignedIn(token, owner, games)

    async def sign_in(
        self, name: str, passphrase: str, guest: str | None, device: str, client: Client
    ) -> "SignedIn":
        """Sign in, and move a guest's games to the account; raise Refused if name or passphrase is wrong."""
        look = usernames.look_key(name)
        row = await self._find_account(account.c.name_key == look)
        mark = None if row is None else find_mark(client.marks, row.owner)
        if mark is None:
            client.count_try()
        place, block = mark or client.address_block, None if mark else client.address_block
        self._tries.admit(look, place)
        given = usernames.normalize_passphrase(passphrase)[: usernames.MAX_PASSPHRASE_LENGTH]
        kept = None if row is None else row.passphrase_hash
        if not await self.passphrases.is_right(kept, given, block) or row is None:
            raise Refused("sign-in-wrong", status=403)
        self._tries.forget_tries(look, place)
        fresh = None
        if self.passphrases.needs_rehash(row.passphrase_hash):
            fresh = await self.passphrases.compute_hash(given, block)
        token, now = sessions.new_token(), int(time.time())
        async with self._store.writing() as connection:
            # If the passphrase was changed during the check, it is wrong, and ended sessions stay ended.
            before = row.passphrase_hash
            if not await _replace_hash(connection, row.owner, before, fresh or before):
                raise Refused("sign-in-wrong", status=403)
            expired = browser.c.seen_at < now - SESSION_SECONDS - _DAY_SECONDS
            await connection.execute(browser.delete().where(expired))
            latest_first = browser.c.seen_at.desc(), browser.c.created_at.desc()
            own = sa.select(browser.c.token_hash).where(browser.c.owner == row.owner)
            oldest = own.order_by(*latest_first).offset(MAX_SESSIONS_PER_ACCOUNT - 1)
            await connection.execute(browser.delete().where(browser.c.token_hash.in_(oldest)))
            await connection.execute(browser.insert(), _session_row(token, row.owner, device, now))
            games = [] if guest is None else await _move_seats(connection, guest, row.owner)
        return SignedIn(token, row.owner, games)

    async def add_guest_games(self, user: SignedInUser, guest: str) -> list[str]:
        """Move a guest's games to an account, and return the ids of their tables."""
        still = sa.select(account.c.owner).where(account.c.owner == user.owner).with_for_update()
        async with self._store.writing() as connection:
            if (await connection.execute(still)).first() is None:
                raise Refused("not-signed-in", status=403)
            return await _move_seats(connection, guest, user.owner)

    async def verify_passphrase(self, user: SignedInUser, passphrase: str) -> str:
        """Return the stored hash of a user's passphrase; raise Refused if the given passphrase is wrong."""
        row = await self._find_account(account.c.owner == user.owner)
        self._tries.admit(user.owner, user.session)
        given = usernames.normalize_passphrase(passphrase)[: usernames.MAX_PASSPHRASE_LENGTH]
        if not await self.passphrases.is_right(None if row is None else row.passphrase_hash, given):
            raise Refused("passphrase-wrong", status=403)
        self._tries.forget_tries(user.owner, user.session)
        return str(row.passphrase_hash)

    async def change_passphrase(self, user: SignedInUser, old: str, new: str) -> None:
        """Change the passphrase, and end all other sessions."""
        before = await self.verify_passphrase(user, old)
        kept = await self.passphrases.compute_hash(usernames.check_passphrase(new, user.name))
        others = sa.and_(browser.c.owner == user.owner, browser.c.token_hash != user.session)
        async with self._store.writing() as connection:
            if not await _replace_hash(connection, user.owner, before, kept):
                raise Refused("passphrase-wrong", status=403)
            await connection.execute(browser.delete().where(others))
        self.forget_cached_sessions(user.owner)

    async def end_sessions(self, owner: str, *, hash_prefix: str = "") -> None:
        """End an account's sessions: all, or those whose token's hash begins with `hash_prefix`."""
        which = browser.c.owner == owner
        if hash_prefix:
            which = sa.and_(which, browser.c.token_hash.startswith(hash_prefix, autoescape=True))
        await self._store.execute(browser.delete().where(which))
        self.forget_cached_sessions(owner)

    def forget_cached_sessions(self, owner: str) -> None:
        for session, (_, named) in list(self._known.items()):
            if named is not None and named.owner == owner:
                del self._known[session]

    async def _find_account(self, condition: sa.ColumnElement[bool]) -> Any:
        return await self._store.first(account.select().where(condition))


class SignedIn(msgspec.Struct, frozen=True):
    """The result of a sign-in: the new token, its owner, and the tables that were moved."""

    token: str
    owner: str
    moved_tables: list[str]


def _session_row(token: str, owner: str, device: str, now: int) -> dict[str, object]:
    row = {"token_hash": sessions.owner_of_token(token), "owner": owner, "device": device}
    return row | {"created_at": now, "seen_at": now // _DAY_SECONDS * _DAY_SECONDS}


async def _replace_hash(connection: AsyncConnection, owner: str, before: str, after: str) -> bool:
    own = account.update().where(account.c.owner == owner, account.c.passphrase_hash == before)
    return bool((await connection.execute(own.values(passphrase_hash=after))).rowcount == 1)


async def _move_seats(connection: AsyncConnection, guest: str, owner: str) -> list[str]:
    """Move a guest's seats, and the data stored with them, to an account; return the ids of the tables."""
    # At a table where the account has a seat already, the guest keeps theirs.
    there = sa.select(player.c.match_id).where(player.c.owner == owner)
    moving = sa.and_(player.c.owner == guest, player.c.match_id.not_in(there))
    seats = sa.select(player.c.match_id, player.c.player_number).where(moving)
    shared = shared_review.update().where(shared_review.c.owner == guest)
    await connection.execute(shared.values(owner=owner))
    # Of two discards of one day, the account's counts.
    answered = sa.select(daily_discard.c.day).where(daily_discard.c.owner == owner)
    own_discards = daily_discard.c.owner == guest
    await connection.execute(daily_discard.delete().where(own_discards, daily_discard.c.day.in_(answered)))
    await connection.execute(daily_discard.update().where(own_discards).values(owner=owner))
    # At an evening where both are, the guest stays too.
    evenings = sa.select(evening_player.c.evening_id).where(evening_player.c.owner == owner)
    joined = evening_player.c.owner == guest, evening_player.c.evening_id.not_in(evenings)
    await connection.execute(evening_player.update().where(*joined).values(owner=owner))
    for both, column in ((":owner, blocked", "owner"), ("owner, :owner", "blocked")):
        blocks = f"SELECT {both} FROM blocked_person WHERE {column} = :guest"
        moved = sa.text(f"INSERT INTO blocked_person {blocks} ON CONFLICT DO NOTHING")
        await connection.execute(moved, {"guest": guest, "owner": owner})
    pair = blocked_person.c
    gone = sa.or_(pair.owner == guest, pair.blocked == guest, pair.owner == pair.blocked)
    await connection.execute(blocked_person.delete().where(gone))
    rows = (await connection.execute(seats)).mappings().all()
    if rows:
        await connection.execute(guest_seat.insert(), [dict(row) for row in rows])
        await connection.execute(player.update().where(moving).values(owner=owner))
    staying = sa.select(player.c.match_id).where(player.c.owner == guest)
    for table in (hidden_game, mistake, searched_game):
        await connection.execute(
            table.update().where(table.c.owner == guest, table.c.match_id.not_in(staying)).values(owner=owner)
        )
    return list(dict.fromkeys(row["match_id"] for row in rows))


async def delete_account(connection: AsyncConnection, owner: str) -> None:
    """Delete an account with its sessions and ratings, and reserve its username for RESERVED_SECONDS."""
    name = (await connection.execute(sa.select(account.c.name).where(account.c.owner == owner))).scalar()
    if name is not None:
        key = usernames.similarity_key(name)
        await connection.execute(reserved_username.delete().where(reserved_username.c.similarity_key == key))
        row = {"similarity_key": key, "until": int(time.time()) + RESERVED_SECONDS}
        await connection.execute(reserved_username.insert(), row)
    # Its games stay rated, under a name that means nothing.
    nameless = game_rating.update().where(game_rating.c.owner == owner)
    await connection.execute(nameless.values(owner=f"gone {secrets.token_hex(16)}"))
    for table in (rating, browser, account):
        await connection.execute(table.delete().where(table.c.owner == owner))


_BROWSERS = (
    *(("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox")),
    *(("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari")),
)
_SYSTEMS = (
    *(("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows")),
    *(("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux")),
)
"""Parts of a User-Agent header with the names to show, as in _BROWSERS; the first match counts."""


def device_name(connection: HTTPConnection) -> str:
    """Return the names of browser and system, by which users recognise a session; nothing else is stored.

    >>> from starlette.requests import Request
    >>> agent = b"Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0"
    >>> device_name(Request({"type": "http", "headers": [(b"user-agent", agent)]}))
    'Firefox · Windows'
    """
    agent = connection.headers.get("user-agent", "")
    words = (next((name for sign, name in kinds if sign in agent), "") for kinds in (_BROWSERS, _SYSTEMS))
    return " · ".join(word for word in words if word)
