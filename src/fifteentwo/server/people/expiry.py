"""When tables end: one at which nothing was ever done is removed; what anybody played is kept.

A finished game is history. A game left in the middle is its players' too: it waits for them, and only an
operator or they themselves remove it. So nothing that a player did is lost silently.
"""

import asyncio
import logging
import time

import sqlalchemy as sa

from fifteentwo.server.errors import StoreError
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people.ratings import rate_missed_games
from fifteentwo.server.store.schema import log_row, match, tables_of_a_match
from fifteentwo.server.store.store import Store

log = logging.getLogger("fifteentwo.server")
A_DAY = 24 * 3600
_PLAYED = ("acted", "forfeited")
AT_ONCE = 200
"""Tables removed in one transaction, so that no one waits for it."""


async def unplayed(store: Store, before: int, most: int = AT_ONCE) -> list[str]:
    """Tables made before that time (seconds since 1970) at which not even a computer has done anything."""
    done = sa.exists().where(log_row.c.match_id == match.c.id, log_row.c.type.in_(_PLAYED))
    wanted = sa.select(match.c.id).where(match.c.created_at < before, ~done).limit(most)
    async with store.reading() as connection:
        return [row.id for row in await connection.execute(wanted)]


async def remove(store: Store, tables: list[str]) -> None:
    """Remove tables, all of them or none: none where one was played at meanwhile."""
    async with store.writing() as connection:
        for table in tables_of_a_match():
            await connection.execute(table.delete().where(table.c.match_id.in_(tables)))
        await connection.execute(match.delete().where(match.c.id.in_(tables)))


async def tidy(tables: Tables, days: int) -> int:
    """Remove what was never played at for so many days; how many tables that were."""
    removed = 0
    while True:
        wanted = await unplayed(tables.store, int(time.time()) - days * A_DAY)
        names = [name for name in wanted if name not in tables.opened()]
        if not names:
            return removed
        await remove(tables.store, names)
        removed += len(names)
        await asyncio.sleep(0.1)


async def keep_tidying(tables: Tables, days: int, every: float = A_DAY, first: float = 60.0) -> None:
    """Tidy once a day, until cancelled; days: 0 removes nothing."""
    wait = first
    while days:
        await asyncio.sleep(wait)
        wait = every
        try:
            await rate_missed_games(tables.store)
            if removed := await tidy(tables, days):
                log.info("%d tables at which nothing was ever done were removed", removed)
        except StoreError:
            pass  # The store has logged it; it is done the next day.
