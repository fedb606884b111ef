"""The lobby: tables with open places that their hosts show to all.

The database alone decides what is shown, so that any number of processes show the same: a table stays while a
seat is open, its game was not given up, and its host has its page open.
"""

import asyncio
import contextlib
import hashlib
import re
import secrets
import time
from typing import NamedTuple

import sqlalchemy as sa

from fifteentwo.rules.record import from_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import seats
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store.schema import lobby_listing, log_row, match, player
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person

ON_A_PAGE, MOST_PAGES = 20, 50
UNSEEN = 20
"""Seconds after which a table whose host has closed its page leaves the lobby; it returns with the page."""
FORGOTTEN = 3600
"""Seconds after which it does not come back by itself."""
MOST_OF_ONE = 3
"""Tables that one person may show at a time."""
_HANDLE = re.compile(r"[A-Za-z0-9_-]{1,16}")
_SEEN_EVERY = 5.0
_AT_A_TIME = 200
_FRESH = 2.0
"""Seconds for which a page that was read is shown again, however many look."""


class Shown(NamedTuple):
    """A table in the lobby. `game`, owners and invitations are for this server alone."""

    handle: str
    game: str
    since: int
    """Seconds since 1970."""
    rules: Rules
    options: Options
    people: tuple[Person, ...]

    @property
    def places(self) -> int:
        """How many are open."""
        return sum(one.invitation is not None and one.owner is None for one in self.people)


class LobbyPage(NamedTuple):
    """Some of the tables, those that have waited longest first."""

    number: int
    tables: tuple[Shown, ...]
    more: bool


async def show(store: Store, table: TableState, owner: str) -> None:
    """Show a table to everybody; Refused where no place is open, or its host shows enough."""
    now = int(time.time())
    if not table.invitations() or table.ledger.closed:
        raise Refused("lobby-no-open-place", status=409)
    own = sa.select(player.c.match_id).where(player.c.owner == owner, player.c.player_number == 0)
    others = sa.and_(lobby_listing.c.match_id.in_(own), lobby_listing.c.match_id != table.id)
    async with store.writing() as connection:
        if store.is_shared:
            # One after another, so that those who show several at once are counted as well.
            await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_lock_of(owner))))
        # What its host shows no longer does not come back with this one.
        await connection.execute(
            lobby_listing.delete().where(others, lobby_listing.c.seen_at <= now - UNSEEN)
        )
        shown = sa.select(sa.func.count()).select_from(lobby_listing).where(others, *_stays())
        if (await connection.execute(shown)).scalar_one() >= MOST_OF_ONE:
            raise Refused("too-many-listed-tables", status=429, most=MOST_OF_ONE)
        await connection.execute(lobby_listing.delete().where(lobby_listing.c.match_id == table.id))
        row = {"match_id": table.id, "handle": secrets.token_urlsafe(9), "listed_at": now, "seen_at": now}
        await connection.execute(lobby_listing.insert(), row)


def _lock_of(owner: str) -> int:
    return int.from_bytes(hashlib.sha256(f"lobby {owner}".encode()).digest()[:8], signed=True)


async def take_out(store: Store, name: str) -> None:
    await store.execute(lobby_listing.delete().where(lobby_listing.c.match_id == name))


async def is_shown(store: Store, name: str) -> bool:
    """Whether a table's host shows it, though none of its players may have had it open for a while."""
    return await store.first(lobby_listing.select().where(lobby_listing.c.match_id == name)) is not None


async def seen(store: Store, names: list[str]) -> None:
    """Note that these tables are open to a player now; those not in the lobby are left out."""
    async with store.writing() as connection:
        for first in range(0, len(names), _AT_A_TIME):
            few = names[first : first + _AT_A_TIME]
            await connection.execute(
                lobby_listing.update()
                .where(lobby_listing.c.match_id.in_(few))
                .values(seen_at=int(time.time()))
            )


async def table_of(store: Store, handle: str) -> str:
    """The table that is shown under this name; Refused where none is any more."""
    if _HANDLE.fullmatch(handle):
        row = await store.first(lobby_listing.select().where(lobby_listing.c.handle == handle, *_stays()))
        if row is not None:
            return str(row.match_id)
    raise Refused("not-in-lobby", status=404)


async def sit(tables: Tables, table: TableState, owner: str, name: str, origin: seats.Origin) -> int:
    """Sit down at the first open seat; Refused if all are taken."""
    for place in table.invitations():
        try:
            return await seats.sit(tables, table, place.path.rpartition("/")[2], owner, name, origin)
        except Refused as refused:
            if refused.code not in ("place-taken", "no-such-invitation"):
                raise
    raise Refused("not-in-lobby", status=404)


def _stays() -> tuple[sa.ColumnElement[bool], ...]:
    """A player has it open, a place is open, and the game was not given up."""
    open_place = sa.exists().where(
        player.c.match_id == lobby_listing.c.match_id,
        player.c.invitation.is_not(None),
        player.c.owner.is_(None),
    )
    given_up = sa.exists().where(log_row.c.match_id == lobby_listing.c.match_id, log_row.c.type == "closed")
    return lobby_listing.c.seen_at > int(time.time()) - UNSEEN, open_place, ~given_up


async def read_page(store: Store, number: int) -> LobbyPage:
    """A page of tables as the database has it now."""
    asked = (
        sa.select(lobby_listing, match.c.rules, match.c.options)
        .join(match, match.c.id == lobby_listing.c.match_id)
        .where(*_stays())
        .order_by(lobby_listing.c.listed_at, lobby_listing.c.handle)
        .offset((number - 1) * ON_A_PAGE)
        .limit(ON_A_PAGE + 1)
    )
    rows = await store.select(asked)
    people = await store.people_of([row.match_id for row in rows[:ON_A_PAGE]])
    tables = tuple(
        Shown(
            row.handle,
            row.match_id,
            row.listed_at,
            from_json(row.rules, Rules),
            from_json(row.options, Options),
            people[row.match_id],
        )
        for row in rows[:ON_A_PAGE]
    )
    return LobbyPage(number, tables, len(rows) > ON_A_PAGE and number < MOST_PAGES)


class Lobby:
    """What the lobby shows; each page is read from the database at most every two seconds, for all."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[int, tuple[float, LobbyPage]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def page(self, number: int) -> LobbyPage:
        """A page of tables, from 1; beyond the last there are none."""
        number = min(max(number, 1), MOST_PAGES)
        async with self._one_at_a_time:
            read_at, page = self._read.get(number, (0.0, None))
            if page is None or time.monotonic() - read_at > _FRESH:
                page = await read_page(self._store, number)
                self._read[number] = (time.monotonic(), page)
            return page

    def look_again(self) -> None:
        """Read again at once: a user here has changed something."""
        self._read.clear()


async def note_seen(tables: Tables) -> None:
    """Note which tables in the lobby have their host's page open here, and forget those long gone."""
    store, now = tables.store, int(time.time())
    listed = {row.match_id for row in await store.select(sa.select(lobby_listing.c.match_id))}
    open_here = [name for name, table in tables.opened().items() if name in listed and 0 in table.present()]
    if open_here:
        await seen(store, open_here)
    if listed:
        await store.execute(lobby_listing.delete().where(lobby_listing.c.seen_at < now - FORGOTTEN))


async def keep_noting(tables: Tables) -> None:
    """Note it every few seconds, until cancelled."""
    while True:
        await asyncio.sleep(_SEEN_EVERY)
        with contextlib.suppress(StoreError):  # the store has logged it
            await note_seen(tables)
