"""Seats that people take, and that become free again if their table is never opened.

The database has only 16 bits of a digest of each browser and address: enough to see that two are equal, too
few to identify them.
"""

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import sqlalchemy as sa
from starlette.requests import HTTPConnection

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http.rate_limits import client_blocks
from fifteentwo.server.live.table_state import TableState, persons_of_owner
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store.schema import player, taken_seat
from fifteentwo.server.store.store import Store

UNOPENED_SECONDS = 120
"""Seconds after which a taken seat is freed if its person has not opened the table."""
MAX_UNOPENED_PER_BROWSER = 2
MAX_UNOPENED_PER_ADDRESS = 5
"""Seats that an address block may have at tables that it has not opened; see MAX_UNOPENED_PER_BROWSER."""
FREE_UNOPENED_INTERVAL_SECONDS = 10.0
"""Seconds between two searches for seats to free."""

wall_clock: Callable[[], float] = time.time


class Origin(NamedTuple):
    """The digests of the browser and the address from which a person takes a seat."""

    browser: str
    address: str


def origin_of(connection: HTTPConnection, token: str) -> Origin:
    """Return the origin of a request. token: the browser's session token."""
    return Origin(_short_digest(f"browser {token}"), _short_digest(f"address {client_blocks(connection)[0]}"))


def _short_digest(text: str) -> str:
    return hashlib.sha256(f"fifteentwo {text}".encode()).hexdigest()[:4]


def taken_seat_values(
    match_id: str, origin: Origin, person: int, previous_name: str, *, has_opened_page: bool = False
) -> dict[str, object]:
    row = {"match_id": match_id, "player_number": person, **origin._asdict(), "taken_at": int(wall_clock())}
    return {**row, "has_opened_page": has_opened_page, "previous_name": previous_name}


async def store_host_seat(store: Store, match_id: str, origin: Origin) -> None:
    """Store that the host has taken the first seat and opened the table."""
    row = taken_seat_values(match_id, origin, 0, "", has_opened_page=True)
    await store.execute(taken_seat.insert().values(row))


async def limit_unopened_seats(store: Store, origin: Origin) -> None:
    """Raise Refused if a browser or an address has enough seats at tables that it has not opened."""
    waiting = sa.and_(
        taken_seat.c.has_opened_page == sa.false(), taken_seat.c.taken_at > wall_clock() - UNOPENED_SECONDS
    )
    for column, value, most in (
        (taken_seat.c.browser, origin.browser, MAX_UNOPENED_PER_BROWSER),
        (taken_seat.c.address, origin.address, MAX_UNOPENED_PER_ADDRESS),
    ):
        count = sa.select(sa.func.count()).select_from(taken_seat).where(waiting, column == value)
        if (await store.first(count))[0] >= most:
            raise Refused("too-many-unopened-seats", status=429)


async def take_seat(
    tables: Tables, table: TableState, invitation: str, owner: str, name: str, origin: Origin
) -> int:
    """Give the seat of an invitation to an owner, with a name if one is given; return the person."""
    # A person who sits here already keeps their seat.
    if (person := table.person_of(owner)) is not None:
        return person
    number = table.invited_person(invitation)
    before = table.people[number].name
    row = taken_seat_values(table.id, origin, number, before)
    if not await tables.store.take_seat(table.id, number, owner, name or before, row):
        now = await tables.store.people(table.id)
        if others := persons_of_owner(now, owner):
            return others[0]
        raise Refused("place-taken", status=409)
    await tables.read_people([table.id])
    return number


async def record_opened(
    store: Store, match_id: str, persons: Iterable[int], origin: Origin | None = None
) -> None:
    """Store that people have opened the table, so that their seats stay taken; skip this if it fails.

    origin: the browser and address of a person who got the seat from an evening; stored too.
    """
    own = sa.and_(
        taken_seat.c.match_id == match_id,
        taken_seat.c.player_number.in_(persons),
        taken_seat.c.has_opened_page == sa.false(),
    )
    with contextlib.suppress(StoreError):
        if await store.first(sa.select(taken_seat.c.match_id).where(own)) is not None:
            await store.execute(taken_seat.update().where(own).values(has_opened_page=True))
        if origin is not None:
            # This fails if it is stored already.
            rows = [taken_seat_values(match_id, origin, one, "", has_opened_page=True) for one in persons]
            await store.execute(taken_seat.insert().values(rows))


async def free_unopened(tables: Tables) -> int:
    """Free the seats whose tables were not opened in time; return their number."""
    rows = await tables.store.select(sa.select(taken_seat).where(taken_seat.c.has_opened_page == sa.false()))
    here, late = tables.held_tables(), []
    for row in rows:
        looking = here[row.match_id].pages if row.match_id in here else ()
        if any(row.player_number in page.persons for page in looking):
            # This could not be stored when the page was opened.
            await record_opened(tables.store, row.match_id, [row.player_number])
        elif row.taken_at <= wall_clock() - UNOPENED_SECONDS:
            seat = row.match_id, row.player_number
            await free_seat(tables.store, *seat, row.previous_name, only_unopened=True)
            late.append(row)
    if late:
        await tables.read_people({row.match_id for row in late})
    return len(late)


async def free_seat(
    store: Store, match_id: str, person: int, previous_name: str, *, only_unopened: bool = False
) -> None:
    """Free a seat; its invitation is valid again. only_unopened: not if its person has opened the table."""
    of_seat = sa.and_(taken_seat.c.match_id == match_id, taken_seat.c.player_number == person)
    own = sa.and_(player.c.match_id == match_id, player.c.player_number == person)
    if only_unopened:
        own = sa.and_(own, sa.exists().where(of_seat, taken_seat.c.has_opened_page == sa.false()))
    async with store.writing() as connection:
        freed = await connection.execute(player.update().where(own).values(owner=None, name=previous_name))
        if freed.rowcount:
            await connection.execute(taken_seat.delete().where(of_seat))
