"""Removal of matches that nobody needs: unplayed ones, and those that guests left before a whole deal.

All other matches stay until their players or an operator remove them.
"""

import asyncio
import logging
import time

import sqlalchemy as sa

from fifteentwo.server.errors import StoreError
from fifteentwo.server.people.ratings import rate_missed_games
from fifteentwo.server.store.schema import account, log_row, match, player, tables_of_a_match
from fifteentwo.server.store.store import Store

log = logging.getLogger("fifteentwo.server")
DAY_SECONDS = 24 * 3600
FIRST_LOOK_SECONDS = 60.0
"""Seconds from the start of the server to the first look for expired matches."""
MAX_AT_ONCE = 200
"""Matches removed in one transaction, so that nobody's move waits for long."""
MAX_ROWS = 100
"""Rows of a log from which on it is not searched: it has more than one deal."""
_DEAL = '"type":"Deal"'
"""How the JSON of a log's rows names the deal of the cards; the second one begins when a deal is over."""


def is_expired(before: int) -> sa.ColumnElement[bool]:
    """Return the SQL condition that nobody needs a match, and none has seen or played it since a time."""
    rows = log_row.c.match_id == match.c.id
    last_row_at = sa.select(log_row.c.created_at).where(rows).order_by(log_row.c.seq.desc()).limit(1)
    is_idle = sa.and_(
        match.c.created_at < before,
        sa.func.coalesce(match.c.page_seen_at, 0) < before,
        sa.func.coalesce(last_row_at.scalar_subquery(), 0) < before,
    )
    is_played = sa.exists().where(rows, log_row.c.type.in_(("acted", "forfeited")))
    is_long = sa.exists().where(rows, log_row.c.seq == MAX_ROWS)
    is_of_accounts = sa.exists().where(player.c.match_id == match.c.id, player.c.owner == account.c.owner)
    without_deals = sa.func.length(sa.func.replace(log_row.c.body, _DEAL, ""))
    dealt = (
        sa.select(sa.func.sum(sa.func.length(log_row.c.body) - without_deals)).where(rows).scalar_subquery()
    )
    is_short = sa.and_(~is_of_accounts, ~is_long, dealt < 2 * len(_DEAL))
    return sa.and_(is_idle, sa.or_(~is_played, is_short))


async def remove_expired(store: Store, days: int) -> int:
    """Remove the matches that have been expired for so many days; return how many."""
    expired = is_expired(int(time.time()) - days * DAY_SECONDS)
    removed, last = 0, ""
    while True:
        asked = (
            sa.select(match.c.id).where(expired, match.c.id > last).order_by(match.c.id).limit(MAX_AT_ONCE)
        )
        names = [row.id for row in await store.select(asked)]
        if not names:
            return removed
        last = names[-1]
        # Without a holder no process can append to them. One whose page was opened meanwhile stays.
        released = match.update().where(match.c.id.in_(names), expired).values(held_by=None)
        async with store.writing() as connection:
            gone = (await connection.execute(released.returning(match.c.id))).scalars().all()
            for table in tables_of_a_match():
                await connection.execute(table.delete().where(table.c.match_id.in_(gone)))
            await connection.execute(match.delete().where(match.c.id.in_(gone)))
        removed += len(gone)
        await asyncio.sleep(0.1)


async def keep_tidying(store: Store, days: int) -> None:
    """Remove expired matches and rate missed games once a day, until cancelled; days: 0 removes none."""
    wait = FIRST_LOOK_SECONDS
    while True:
        await asyncio.sleep(wait)
        wait = DAY_SECONDS
        try:
            await rate_missed_games(store)
            if days and (removed := await remove_expired(store, days)):
                log.info("%d expired tables were removed", removed)
        except StoreError:
            pass  # The store has logged it; the next day tries again.
