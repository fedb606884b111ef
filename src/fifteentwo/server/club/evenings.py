"""Evenings in the database: each change is one row of an evening's log, written by one statement.

The row has the number after the last row from which the change was decided. If two processes change an
evening at once, the second statement does nothing, and its process decides again from the longer log.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from fifteentwo.rules.record import from_json, to_json
from fifteentwo.server.club import evening as values
from fifteentwo.server.club.decisions import Change
from fifteentwo.server.club.evening import Evening, EveningPerson, Settings, State, evolve
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.people.invitations import new_code, parse_code
from fifteentwo.server.store.schema import account, evening, evening_player, evening_row
from fifteentwo.server.store.store import CONFLICT, Store

MAX_ROUNDS = 20
_MAX_ATTEMPTS = 200
"""Attempts at a change. If n processes change one evening at once, each succeeds in one attempt of n."""
_MAX_CACHED_STATES = 64
MAX_LISTED_EVENINGS = 100
_APPEND = sa.text(
    "INSERT INTO evening_row (evening_id, seq, body, created_at) "
    "VALUES (:evening_id, :seq, :body, :created_at) ON CONFLICT DO NOTHING"
)
_read_event = msgspec.json.Decoder(values.Event).decode


class ListedEvening(NamedTuple):
    """An evening in the list of a person who directs it or has checked in."""

    id: str
    settings: Settings
    season_id: str | None
    opened_at: int
    is_director: bool


class Evenings:
    """The evenings of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one_change_at_a_time = asyncio.Lock()
        self._states: dict[str, State] = {}
        """States of the evenings read last, to which newer rows of their logs are added."""

    async def open(self, director: str, settings: Settings, season_id: str | None = None) -> str:
        """Store a new evening; return its id.

        director: the account that alone may change it; season_id: an id that all evenings of a season have.
        """
        if settings.rules.seats != 2:
            raise Refused("option-unknown", name="variant")
        if settings.rounds not in range(1, MAX_ROUNDS + 1):
            raise Refused("option-unknown", name="rounds")
        name, written, now = secrets.token_urlsafe(9), to_json(settings).decode(), int(time.time())
        row = {"id": name, "code": new_code(), "director": director, "season_id": season_id}
        await self._store.execute(evening.insert().values(**row, settings=written, created_at=now))
        return name

    async def find(self, code: str) -> str:
        """Return the evening of a typed code; every wrong code raises the same Refused."""
        row = await self._store.first(sa.select(evening.c.id).where(evening.c.code == parse_code(code)))
        if row is None:
            raise Refused("no-such-evening", status=404)
        return str(row.id)

    async def of_owner(self, owner: str) -> list[ListedEvening]:
        """Return the evenings that an account or session directs or has joined, the latest first."""
        joined = sa.select(evening_player.c.evening_id).where(evening_player.c.owner == owner)
        own = evening.select().where(sa.or_(evening.c.director == owner, evening.c.id.in_(joined)))
        newest_first = own.order_by(evening.c.created_at.desc(), evening.c.id).limit(MAX_LISTED_EVENINGS)
        return [
            ListedEvening(
                row.id,
                from_json(row.settings, Settings),
                row.season_id,
                row.created_at,
                row.director == owner,
            )
            for row in await self._store.select(newest_first)
        ]

    async def of_season(self, season_id: str) -> list[str]:
        """Return the evenings of a season in the order in which they were opened."""
        own = sa.select(evening.c.id).where(evening.c.season_id == season_id)
        return [row.id for row in await self._store.select(own.order_by(evening.c.created_at, evening.c.id))]

    async def read(self, evening_id: str) -> Evening:
        """Return an evening as it is now. Raise Refused if it does not exist."""
        known = self._states.pop(evening_id, State())
        new = evening_row.c.evening_id == evening_id, evening_row.c.seq > known.seq
        people = (
            sa.select(evening_player, account.c.owner.is_not(None).label("is_member"))
            .outerjoin(account, account.c.owner == evening_player.c.owner)
            .where(evening_player.c.evening_id == evening_id)
            .order_by(evening_player.c.number)
        )
        async with self._store.reading() as connection:
            own = (await connection.execute(evening.select().where(evening.c.id == evening_id))).first()
            if own is None:
                raise Refused("no-such-evening", status=404)
            # The log is read first: nobody in it is missing from the people, and who is newer is left out.
            rows = await connection.execute(evening_row.select().where(*new).order_by(evening_row.c.seq))
            state = reduce(evolve, [_read_event(row.body) for row in rows], known)
            found = tuple(
                EveningPerson(row.name, row.owner, row.level, row.is_member)
                for row in await connection.execute(people)
            )
        self._states[evening_id] = state
        while len(self._states) > _MAX_CACHED_STATES:
            del self._states[next(iter(self._states))]
        agreed = from_json(own.settings, Settings)
        head = {"id": own.id, "code": own.code, "director": own.director}
        head |= {"season_id": own.season_id, "opened_at": own.created_at}
        return Evening(**head, settings=agreed, state=state, people=found[: len(state.players)])

    async def change(self, evening_id: str, decide: Callable[[Evening], Change | None]) -> Evening | None:
        """Store what a function of `decisions` returns; return the evening before, or None without a change.

        The function is called again if another process was faster, so that it sees every earlier change.
        """
        async with self._one_change_at_a_time:
            for _ in range(_MAX_ATTEMPTS):
                before = await self.read(evening_id)
                # Pairing 60 people takes up to 0.1 s, for which other requests should not wait.
                change = await asyncio.to_thread(decide, before)
                if change is None:
                    return None
                if await self._append(before, change):
                    return before
        raise StoreError(CONFLICT)

    async def _append(self, before: Evening, change: Change) -> bool:
        """Write a change, unless another process has written this row of the log."""
        row = {"evening_id": before.id, "seq": before.state.seq + 1, "body": to_json(change.event).decode()}
        async with self._store.writing() as connection:
            if (await connection.execute(_APPEND, {**row, "created_at": int(time.time())})).rowcount != 1:
                return False
            if (one := change.person) is not None:
                place = {"evening_id": before.id, "number": len(before.state.players)}
                known = {"name": one.name, "owner": one.owner, "level": one.level}
                await connection.execute(evening_player.insert(), place | known)
        return True
