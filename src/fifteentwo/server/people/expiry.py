"""Removal of matches that nobody needs: unplayed ones, and those that guests left within the first deal.

All other matches stay until their players or an operator remove them.
"""

import asyncio
import time
from datetime import UTC, datetime

import sqlalchemy as sa

from fifteentwo.server.background import log
from fifteentwo.server.people.ratings import rate_missed_games
from fifteentwo.server.store.schema import (
    account,
    daily_discard,
    log_row,
    match,
    player,
    shared_review,
    tables_of_a_match,
    waiting_player,
)
from fifteentwo.server.store.store import Store

DAY_SECONDS = 24 * 3600
DAILY_DISCARD_DAYS = LAST_WAIT_DAYS = 30
FIRST_REMOVAL_SECONDS = 60.0
"""Seconds from the start of the server to the first removal."""
MAX_REMOVED_MATCHES = 200
"""Matches removed in one transaction; more would delay moves at other tables."""
MAX_SEARCHED_ROWS = 100
"""A log with this many rows has a second deal for certain, so it is not searched for one."""
_DEAL_ACTION_JSON = '"type":"Deal"'
"""JSON of an action that deals cards. If a log has it twice, a whole deal was played."""


def expired_condition(before: int) -> sa.ColumnElement[bool]:
    """Return the SQL condition that a match is expired and was neither seen nor played since a time."""
    rows = log_row.c.match_id == match.c.id
    last_row_at = sa.select(log_row.c.created_at).where(rows).order_by(log_row.c.seq.desc()).limit(1)
    is_idle = sa.and_(
        match.c.created_at < before,
        sa.func.coalesce(match.c.page_seen_at, 0) < before,
        sa.func.coalesce(last_row_at.scalar_subquery(), 0) < before,
    )
    is_played = sa.exists().where(rows, log_row.c.type.in_(("acted", "forfeited")))
    is_long = sa.exists().where(rows, log_row.c.seq == MAX_SEARCHED_ROWS)
    is_of_accounts = sa.exists().where(player.c.match_id == match.c.id, player.c.owner == account.c.owner)
    length, deals = sa.func.length, sa.func.replace(log_row.c.body, _DEAL_ACTION_JSON, "")
    dealt = sa.select(sa.func.sum(length(log_row.c.body) - length(deals))).where(rows).scalar_subquery()
    is_short = sa.and_(~is_of_accounts, ~is_long, dealt < 2 * len(_DEAL_ACTION_JSON))
    return sa.and_(is_idle, sa.or_(~is_played, is_short))


async def remove_expired(store: Store, days: int) -> int:
    """Remove the matches that expired `days` ago or earlier; return their number."""
    expired = expired_condition(int(time.time()) - days * DAY_SECONDS)
    removed, last = 0, ""
    while True:
        asked = sa.select(match.c.id).where(expired, match.c.id > last).order_by(match.c.id)
        names = [row.id for row in await store.select(asked.limit(MAX_REMOVED_MATCHES))]
        if not names:
            return removed
        last = names[-1]
        # Without a holder no process can append rows. A match whose page was opened since then stays.
        released = match.update().where(match.c.id.in_(names), expired).values(held_by=None)
        async with store.writing() as connection:
            gone = (await connection.execute(released.returning(match.c.id))).scalars().all()
            for table in tables_of_a_match():
                await connection.execute(table.delete().where(table.c.match_id.in_(gone)))
            await connection.execute(match.delete().where(match.c.id.in_(gone)))
        removed += len(gone)
        await asyncio.sleep(0.1)


async def clean_up(store: Store, days: int) -> None:
    """Rate missed games, and remove what has expired; days: 0 removes no match."""
    await rate_missed_games(store)
    await store.execute(shared_review.delete().where(shared_review.c.expires_at <= int(time.time())))
    oldest = datetime.fromtimestamp(time.time() - DAILY_DISCARD_DAYS * DAY_SECONDS, UTC).date().isoformat()
    await store.execute(daily_discard.delete().where(daily_discard.c.day < oldest))
    before = int(time.time()) - LAST_WAIT_DAYS * DAY_SECONDS
    await store.execute(waiting_player.delete().where(waiting_player.c.since < before))
    if days and (removed := await remove_expired(store, days)):
        log.info("%d expired tables were removed", removed)
