"""Which process holds a match, and what other processes have changed in the open matches of this process.

Several processes may share one PostgreSQL. The process that opened a match's page last holds the match, and
alone appends to its log. `find_changes` returns everything else that one process must know of another.
"""

import contextlib
import time
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.schema import match
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person

_HOLD = sa.text(
    """
    UPDATE "match" SET held_by = :holder, page_seen_at = :now
    FROM (SELECT id, held_by FROM "match" WHERE id = :match_id FOR UPDATE) AS before
    WHERE "match".id = before.id RETURNING before.held_by
    """
)
_COMPARE = sa.text(
    """
    SELECT known.key AS match_id, NULL AS session, held_by = :holder AS is_held
    FROM json_each(CAST(:people AS json)) AS known LEFT JOIN "match" ON "match".id = known.key,
    LATERAL (
        SELECT json_agg(json_build_array(name, level, invitation, owner) ORDER BY player_number) AS people
        FROM player WHERE match_id = known.key
    ) AS stored
    WHERE held_by IS DISTINCT FROM :holder OR stored.people::jsonb IS DISTINCT FROM known.value::jsonb
    UNION ALL
    SELECT NULL, open.token_hash, NULL FROM unnest(CAST(:sessions AS varchar[])) AS open (token_hash)
    WHERE NOT EXISTS (SELECT FROM signed_in_browser AS known WHERE known.token_hash = open.token_hash)
    """
)


class Changes(NamedTuple):
    """Changes that other processes have made to the matches that are open here."""

    lost_matches: list[str]
    """Matches that this process does not hold any more, or that were deleted."""
    reseated_matches: list[str]
    """Matches whose people have changed."""
    ended_sessions: set[str]
    """Ended sessions, by the hash of their token."""


async def become_holder(store: Store, match_id: str) -> bool:
    """Make this process the holder of a match; return whether it was the holder before."""
    now = int(time.time())
    async with store.writing_statement() as connection:
        if store.is_shared:
            values = {"match_id": match_id, "holder": store.holder, "now": now}
            return (await connection.execute(_HOLD, values)).scalar() == store.holder
        await connection.execute(
            match.update().where(match.c.id == match_id).values(held_by=store.holder, page_seen_at=now)
        )
    return True


async def record_page_seen(store: Store, match_id: str) -> None:
    """Store that a page of a match is open now, unless the database is unavailable."""
    with contextlib.suppress(StoreError):
        await store.execute(
            match.update().where(match.c.id == match_id).values(page_seen_at=int(time.time()))
        )


async def find_changes(
    store: Store, people: Mapping[str, Sequence[Person]], sessions: Collection[str]
) -> Changes:
    """Compare the open matches, their people as this process knows them, and sessions with PostgreSQL."""
    known = {name: [msgspec.structs.astuple(one) for one in here] for name, here in people.items()}
    values = {
        "people": msgspec.json.encode(known).decode(),
        "sessions": list(sessions),
        "holder": store.holder,
    }
    async with store.reading() as connection:
        rows = (await connection.execute(_COMPARE, values)).all()
    return Changes(
        lost_matches=[row.match_id for row in rows if row.match_id is not None and not row.is_held],
        reseated_matches=[row.match_id for row in rows if row.is_held],
        ended_sessions={row.session for row in rows if row.session is not None},
    )
