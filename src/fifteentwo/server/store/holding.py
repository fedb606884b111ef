"""Which process holds a match, and what other processes have changed in the open matches of this process.

One process alone serves a SQLite file. Several may share one PostgreSQL: the process that opened a match's
page last holds it, and it alone can append to the log.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from fifteentwo.server.background import start_task
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.schema import match
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person

PAGE_GATHERING_SECONDS = 1.0
"""Seconds for which opened pages are gathered before one statement records them."""
_BECOME_HOLDER_STATEMENT = sa.text(
    """
    UPDATE "match" SET held_by = :holder, page_seen_at = :now
    FROM (SELECT id, held_by FROM "match" WHERE id = :match_id FOR UPDATE) AS before
    WHERE "match".id = before.id RETURNING before.held_by
    """
)
_FIND_CHANGES_STATEMENT = sa.text(
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
    ended_sessions: set[str]
    """Ended sessions, by the hash of their token."""


async def become_holder(store: Store, match_id: str) -> bool:
    """Make this process the holder of a match in PostgreSQL; return whether it was before."""
    values = {"match_id": match_id, "holder": store.holder, "now": int(time.time())}
    async with store.writing_statement() as connection:
        return (await connection.execute(_BECOME_HOLDER_STATEMENT, values)).scalar() == store.holder


class SeenPages:
    """Records when a page of each match was last open, for many matches with one statement."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._match_ids: set[str] = set()
        self._recording: asyncio.Task[None] | None = None

    def add(self, match_id: str) -> None:
        """Record soon that a page of a match is open now, unless the database is unavailable."""
        self._match_ids.add(match_id)
        if self._recording is None:
            self._recording = start_task(self._write_page_times_later())

    async def _write_page_times_later(self) -> None:
        await asyncio.sleep(PAGE_GATHERING_SECONDS)
        await self._write_page_times()

    async def _write_page_times(self) -> None:
        """Set `page_seen_at` of the collected matches to the current time."""
        match_ids, self._match_ids, self._recording = self._match_ids, set(), None
        with contextlib.suppress(StoreError):
            seen = match.update().where(match.c.id.in_(match_ids))
            await self._store.execute(seen.values(page_seen_at=int(time.time())))

    async def close(self) -> None:
        """Record at once what is due."""
        if self._recording is not None:
            self._recording.cancel()
            await self._write_page_times()


async def find_changes(store: Store, people: Mapping[str, Sequence[Person]], sessions: set[str]) -> Changes:
    """Compare the open matches, their people as this process knows them, and sessions with PostgreSQL."""
    known = {name: [msgspec.structs.astuple(one) for one in here] for name, here in people.items()}
    text = msgspec.json.encode(known).decode()
    values = {"people": text, "sessions": list(sessions), "holder": store.holder}
    async with store.reading() as connection:
        rows = (await connection.execute(_FIND_CHANGES_STATEMENT, values)).all()
    return Changes(
        lost_matches=[row.match_id for row in rows if row.match_id is not None and not row.is_held],
        reseated_matches=[row.match_id for row in rows if row.is_held],
        ended_sessions={row.session for row in rows if row.session is not None},
    )
