"""Seats that people take: from where, and free again where the table is never opened.

Of a browser and an address 16 bits of a digest are stored: enough to see that two are the same, too few to
know which they are.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import sqlalchemy as sa
from starlette.requests import HTTPConnection

from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.http.rate_limits import address_of
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store.store import Store, person, seated

log = logging.getLogger("fifteentwo.server")

UNOPENED = 120
"""Seconds after which a seat is free again that was taken and whose table was never opened."""
MOST_OF_A_BROWSER, MOST_OF_AN_ADDRESS = 2, 5
"""Seats of the lobby that may be taken and not yet opened at a time."""
_LOOKED_AT_EVERY = 10.0

now: Callable[[], float] = time.time


class Origin(NamedTuple):
    """Where a person sits down from: digests of the browser and of the address."""

    browser: str
    address: str


def origin_of(connection: HTTPConnection, token: str) -> Origin:
    """Where a request comes from. token: the browser's own."""
    return Origin(_bits(f"browser {token}"), _bits(f"address {address_of(connection)}"))


def _bits(text: str) -> str:
    return hashlib.sha256(f"fifteentwo {text}".encode()).hexdigest()[:4]


def noted(game: str, origin: Origin, number: int, called: str, *, opened: bool = False) -> dict[str, object]:
    """Return the row of a seat that is taken. called: what the seat was called before."""
    return {
        "game": game,
        "number": number,
        "browser": origin.browser,
        "address": origin.address,
        "sat_at": int(now()),
        "opened": opened,
        "called": called,
    }


async def note_host(store: Store, game: str, origin: Origin) -> None:
    """Note from where a table was made at which others are invited."""
    async with store.writing() as connection:
        await connection.execute(seated.insert(), noted(game, origin, 0, "", opened=True))


async def must_open_first(store: Store, origin: Origin) -> None:
    """Refused where a browser or an address has enough seats whose tables it has not opened."""
    waiting = sa.and_(seated.c.opened == sa.false(), seated.c.sat_at > now() - UNOPENED)
    for column, value, most in (
        (seated.c.browser, origin.browser, MOST_OF_A_BROWSER),
        (seated.c.address, origin.address, MOST_OF_AN_ADDRESS),
    ):
        async with store.reading() as connection:
            asked = sa.select(sa.func.count()).select_from(seated).where(waiting, column == value)
            if (await connection.execute(asked)).scalar_one() >= most:
                raise Refused("seats-unopened", status=429)


async def opened(store: Store, game: str, numbers: Iterable[int]) -> None:
    """These people have opened the table: their seats stay theirs. Where the database is away they sit on."""
    own = sa.and_(seated.c.game == game, seated.c.number.in_(numbers), seated.c.opened == sa.false())
    with contextlib.suppress(StoreError):
        async with store.reading() as connection:
            if (await connection.execute(sa.select(seated.c.game).where(own))).first() is None:
                return
        async with store.writing() as connection:
            await connection.execute(seated.update().where(own).values(opened=True))


async def free_unopened(tables: Tables) -> int:
    """Free the seats that were taken long enough ago and never opened; how many those were."""
    async with tables.store.reading() as connection:
        rows = (await connection.execute(sa.select(seated).where(seated.c.opened == sa.false()))).all()
    here, late = tables.opened(), []
    for row in rows:
        looking = here[row.game].audience if row.game in here else ()
        if any(row.number in page.persons for page in looking):
            # When they came it could not be noted.
            await opened(tables.store, row.game, [row.number])
        elif row.sat_at <= now() - UNOPENED:
            await free(tables.store, row.game, row.number, row.called, unopened=True)
            late.append(row)
    if late:
        await tables.seats_changed({row.game for row in late})
    return len(late)


async def free(store: Store, game: str, number: int, called: str, *, unopened: bool = False) -> None:
    """Free a seat; its invitation is valid again. unopened: unless it was opened meanwhile."""
    of_seat = sa.and_(seated.c.game == game, seated.c.number == number)
    own = sa.and_(person.c.game == game, person.c.number == number)
    if unopened:
        own = sa.and_(own, sa.exists().where(of_seat, seated.c.opened == sa.false()))
    async with store.writing() as connection:
        freed = await connection.execute(person.update().where(own).values(owner=None, name=called))
        if freed.rowcount:
            await connection.execute(seated.delete().where(of_seat))


async def keep_freeing(tables: Tables) -> None:
    """Free them every few seconds, until cancelled."""
    while True:
        await asyncio.sleep(_LOOKED_AT_EVERY)
        try:
            await free_unopened(tables)
        except StoreError as error:
            log.warning("seats that were never opened could not be freed: %s", error)
