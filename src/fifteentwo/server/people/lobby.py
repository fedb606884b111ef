"""The lobby: tables with open places that their hosts have listed for everybody.

All processes show the same tables, because only the database decides: a table is visible while a seat is
open, the game was not abandoned, and the host has the table's page open.
"""

import asyncio
import hashlib
import re
import secrets
import time
from typing import NamedTuple

import sqlalchemy as sa

from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import seats
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people.blocking import blocked_pair
from fifteentwo.server.people.play_now import count_waiting
from fifteentwo.server.store.schema import lobby_listing, log_row, match, player
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person

TABLES_PER_PAGE = 20
MAX_LOBBY_PAGES = 50
HOST_ABSENCE_SECONDS = 20
"""Seconds after which a table is hidden when its host closes the page; it returns with the page."""
REMOVAL_SECONDS = 3600
"""Seconds of absence after which the listing is removed."""
MAX_TABLES_PER_HOST = 3
_HANDLE_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,16}")
MARK_SEEN_INTERVAL_SECONDS = 5.0
_TABLES_PER_STATEMENT = 200
_CACHE_SECONDS = 2.0
"""Seconds for which a page of the lobby is cached."""


class ListedTable(NamedTuple):
    """A table in the lobby. `table_id`, owners and invitations must not be sent to pages."""

    handle: str
    """The public name of the listing, from which nobody can derive the table's id."""
    table_id: str
    listed_at: int
    """Time when the table was listed, in seconds since 1970."""
    rules: Rules
    options: Options
    people: tuple[Person, ...]

    @property
    def open_seats(self) -> int:
        return sum(one.is_seat_open for one in self.people)


class LobbyPage(NamedTuple):
    """A page of tables, those listed longest ago first."""

    number: int
    tables: tuple[ListedTable, ...]
    has_more: bool
    waiting: int
    """The number of people who pressed "Play now" and wait."""


async def list_table(store: Store, table: TableState, owner: str) -> None:
    """List a table in the lobby; raise Refused if no place is open, or the host has listed enough tables."""
    now = int(time.time())
    if not table.open_invitations() or table.ledger.is_abandoned:
        raise Refused("lobby-no-open-place", status=409)
    own = sa.select(player.c.match_id).where(player.c.owner == owner, player.c.player_number == 0)
    others = sa.and_(lobby_listing.c.match_id.in_(own), lobby_listing.c.match_id != table.id)
    async with store.writing() as connection:
        if store.is_shared:
            # A lock for each host, so that simultaneous requests cannot exceed the limit.
            digest = hashlib.sha256(f"lobby {owner}".encode()).digest()
            number = int.from_bytes(digest[:8], signed=True)
            await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(number)))
        # The host's hidden tables must not reappear when the host opens this one.
        await connection.execute(
            lobby_listing.delete().where(others, lobby_listing.c.seen_at <= now - HOST_ABSENCE_SECONDS)
        )
        shown = sa.select(sa.func.count()).select_from(lobby_listing).where(others, *_is_visible())
        if (await connection.execute(shown)).scalar_one() >= MAX_TABLES_PER_HOST:
            raise Refused("too-many-listed-tables", status=429, most=MAX_TABLES_PER_HOST)
        await connection.execute(lobby_listing.delete().where(lobby_listing.c.match_id == table.id))
        row = {"match_id": table.id, "handle": secrets.token_urlsafe(9), "listed_at": now, "seen_at": now}
        await connection.execute(lobby_listing.insert(), row)


async def remove_listing(store: Store, table_id: str) -> None:
    await store.execute(lobby_listing.delete().where(lobby_listing.c.match_id == table_id))


async def is_listed(store: Store, table_id: str) -> bool:
    """Return whether a table is listed, even if it is hidden now."""
    return await store.first(lobby_listing.select().where(lobby_listing.c.match_id == table_id)) is not None


async def mark_seen(store: Store, table_ids: list[str]) -> None:
    """Store that the hosts of these tables have their page open now; skip tables that are not listed."""
    seen = lobby_listing.update().values(seen_at=int(time.time()))
    async with store.writing() as connection:
        for first in range(0, len(table_ids), _TABLES_PER_STATEMENT):
            few = table_ids[first : first + _TABLES_PER_STATEMENT]
            await connection.execute(seen.where(lobby_listing.c.match_id.in_(few)))


async def find_table(store: Store, handle: str) -> str:
    """Return the id of a table that is visible in the lobby; raise Refused if none has this handle."""
    own = lobby_listing.select().where(lobby_listing.c.handle == handle, *_is_visible())
    if _HANDLE_PATTERN.fullmatch(handle) and (row := await store.first(own)) is not None:
        return str(row.match_id)
    raise Refused("not-in-lobby", status=404)


async def take_first_seat(
    tables: Tables, table: TableState, owner: str, name: str, origin: seats.Origin
) -> int:
    """Take the first open seat, and return its player number; or raise Refused."""
    with_blocked = player.c.match_id == table.id, blocked_pair(owner, player.c.owner)
    if await tables.store.first(player.select().where(*with_blocked)) is not None:
        raise Refused("seat-not-for-you", status=403)
    for place in table.open_invitations():
        try:
            return await seats.take_seat(tables, table, place.path.rpartition("/")[2], owner, name, origin)
        except Refused as refused:
            if refused.code not in ("place-taken", "no-such-invitation"):
                raise
    raise Refused("not-in-lobby", status=404)


def _is_visible() -> tuple[sa.ColumnElement[bool], ...]:
    """Return SQL conditions: the host is present, a place is open, and the game was not abandoned."""
    open_place = sa.exists().where(
        player.c.match_id == lobby_listing.c.match_id,
        player.c.invitation.is_not(None),
        player.c.owner.is_(None),
    )
    given_up = sa.exists().where(log_row.c.match_id == lobby_listing.c.match_id, log_row.c.type == "closed")
    return lobby_listing.c.seen_at > int(time.time()) - HOST_ABSENCE_SECONDS, open_place, ~given_up


async def read_lobby_page(store: Store, number: int) -> LobbyPage:
    asked = (
        sa.select(lobby_listing, match.c.rules, match.c.options)
        .join(match, match.c.id == lobby_listing.c.match_id)
        .where(*_is_visible())
        .order_by(lobby_listing.c.listed_at, lobby_listing.c.handle)
        .offset((number - 1) * TABLES_PER_PAGE)
        .limit(TABLES_PER_PAGE + 1)
    )
    rows = await store.select(asked)
    people = await store.people_of([row.match_id for row in rows[:TABLES_PER_PAGE]])
    tables = []
    for row in rows[:TABLES_PER_PAGE]:
        rules, options, name = from_json(row.rules, Rules), from_json(row.options, Options), row.match_id
        tables.append(ListedTable(row.handle, name, row.listed_at, rules, options, people[name]))
    has_more = len(rows) > TABLES_PER_PAGE and number < MAX_LOBBY_PAGES
    return LobbyPage(number, tuple(tables), has_more, await count_waiting(store))


class Lobby:
    """The pages of the lobby, each cached for two seconds."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[int, tuple[float, LobbyPage]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def page(self, number: int) -> LobbyPage:
        """Return a page of tables, from 1; a page after the last one is empty."""
        number = min(max(number, 1), MAX_LOBBY_PAGES)
        async with self._one_at_a_time:
            read_at, page = self._read.get(number, (0.0, None))
            if page is None or time.monotonic() - read_at > _CACHE_SECONDS:
                page = await read_lobby_page(self._store, number)
                self._read[number] = (time.monotonic(), page)
            return page

    def clear_cache(self) -> None:
        self._read.clear()


async def mark_open_tables(tables: Tables) -> None:
    """Store which listed tables have their host's page open here, and remove listings of absent hosts."""
    store, now = tables.store, int(time.time())
    listed = {row.match_id for row in await store.select(sa.select(lobby_listing.c.match_id))}
    held = tables.held_tables().items()
    open_here = [name for name, table in held if name in listed and 0 in table.present_people()]
    if open_here:
        await mark_seen(store, open_here)
    if listed:
        await store.execute(lobby_listing.delete().where(lobby_listing.c.seen_at < now - REMOVAL_SECONDS))
