"""Play now: people who wait for an opponent are paired by rating and waiting time.

The page of a waiting person calls `poll` every two seconds. One statement pairs two people; then the first of
their polls creates the table, so that no process is needed that has seen the pairing.
"""

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert  # SQLite has the same clause for conflicts

from fifteentwo.contest.match import Length
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live.seats import Origin, taken_seat_values
from fifteentwo.server.live.table_state import TableState
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people.blocking import blocked_pair
from fifteentwo.server.store.schema import match, taken_seat, waiting_player
from fifteentwo.server.store.store import CONFLICT, Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person
from fifteentwo.server.table_log.time_controls import TimeControl

LENGTHS = (Length.OPEN, Length.TO_2)
MOVE_SECONDS = (10, 20, 40)
AWAY_SECONDS = 120.0
MIN_DISCARD_SECONDS = 30.0
"""Seconds for a discard at least, because pages still show the last hands when its time begins."""
MAX_SILENCE_SECONDS = 10
"""Seconds after the last poll until a person waits no longer."""
WIDENING_SECONDS, WIDENING_POINTS = 5, 50
"""Seconds after which the allowed difference of two ratings becomes larger, and by how many points."""
MISSING_SECONDS = 30
"""Seconds from the pairing until an opponent who has not opened the table may be given up."""
LEVEL_POINTS = {"beginner": 1080, "casual": 1330, "club": 1500, "expert": 1570, "master": 1650}
"""Rating of each level: `club` has that of a new player, and the differences are from docs/rating.md."""

wall_clock: Callable[[], float] = time.time


async def start_waiting(store: Store, owner: str, wish: Mapping[str, object], last_match: str | None) -> None:
    """Let a person wait, unless they were paired after `last_match`. wish: columns of `waiting_player`."""
    now, old = int(wall_clock()), waiting_player.c
    first = {"owner": owner, "opponent": "", "since": now, "seen_at": now, **wish}
    new = insert(waiting_player).values(first)
    since = sa.case((_is_waiting(waiting_player, now), old.since), else_=now)
    changed = {**wish, "seen_at": now, "match_id": None, "since": since}
    same = sa.func.coalesce(old.match_id, "") == (last_match or "")
    await store.execute(new.on_conflict_do_update(index_elements=["owner"], set_=changed, where=same))


async def stop_waiting(store: Store, owner: str) -> None:
    own = waiting_player.c.owner == owner, waiting_player.c.match_id.is_(None)
    await store.execute(waiting_player.update().where(*own).values(seen_at=0))


async def last_wait(store: Store, owner: str | None) -> Any:
    """Return a person's row of `waiting_player`, or None."""
    return await store.first(waiting_player.select().where(waiting_player.c.owner == owner))


async def count_waiting(store: Store) -> int:
    waiting = _is_waiting(waiting_player, int(wall_clock()))
    return int((await store.first(sa.select(sa.func.count()).where(waiting)))[0])


async def poll(store: Store, owner: str, max_silence: int = MAX_SILENCE_SECONDS) -> Any:
    """Store that a person's page is open, and pair them if possible; return their row, or None."""
    now, own = int(wall_clock()), waiting_player.c.owner == owner
    seen = waiting_player.update().where(own, waiting_player.c.seen_at > now - max_silence)
    async with store.writing_statement() as connection:
        row = (await connection.execute(seen.values(seen_at=now).returning(waiting_player))).first()
        if row is None or row.match_id is not None:
            return row
        paired = (await connection.execute(_pairing(owner, now))).all()
    return next((one for one in paired if one.owner == owner), row)


async def table_of_pair(tables: Tables, row: Any) -> TableState | None:
    """Return the table of a paired person, which is created if needed; None if its match is over.

    If the opponent has left before the table was created, return None, and let the person wait again.
    """
    pairs, owner = waiting_player.c.match_id == row.match_id, waiting_player.c.owner
    if await tables.store.first(sa.select(match.c.id).where(match.c.id == row.match_id)) is None:
        pair = await tables.store.select(waiting_player.select().where(pairs).order_by(owner))
        if len(pair) < 2:
            await tables.store.execute(waiting_player.update().where(pairs).values(match_id=None))
            return None
        await _create_table(tables, pair)
    table = await tables.read(row.match_id)
    ledger, is_open = table.ledger, table.options.length is Length.OPEN
    is_over = ledger.is_abandoned or (ledger.table.over and (is_open or ledger.match_so_far.winners))
    return None if is_over else table


async def _create_table(tables: Tables, pair: Any) -> None:
    seconds = float(max(one.move_seconds for one in pair))
    clock = TimeControl(seconds, AWAY_SECONDS, discard_seconds=max(seconds, MIN_DISCARD_SECONDS))
    options, name = Options(length=Length(pair[0].length), clock=clock), pair[0].match_id
    people = tuple([Person(name=one.name, owner=one.owner) for one in pair])
    origins = [Origin(one.browser, one.address) for one in pair]
    seats = [taken_seat_values(name, one, at, "", has_opened_page=True) for at, one in enumerate(origins)]
    try:
        await tables.create(rules_for("six-card"), options, people, table_id=name)
        await tables.store.execute(taken_seat.insert().values(seats))
    except StoreError as error:
        # A conflict: the opponent's poll has created it.
        if error.code != CONFLICT:
            raise


def is_missing(table: TableState, row: Any) -> bool:
    """Return whether a person may give up an opponent who has not opened the table."""
    return bool(table.ledger.awaited_for_seeds) and wall_clock() >= row.since + MISSING_SECONDS


def level_near(points: int) -> str:
    return min(LEVEL_POINTS, key=lambda level: abs(LEVEL_POINTS[level] - points))


def _is_waiting(people: Any, now: int) -> sa.ColumnElement[bool]:
    return sa.and_(people.c.match_id.is_(None), people.c.seen_at > now - MAX_SILENCE_SECONDS)


def _pairing(owner: str, now: int) -> sa.Update:
    """Return the statement that pairs a person with another, if anybody is suitable, and returns both rows.

    The statement locks both rows, and skips rows locked by another process, so that nobody is paired twice.
    """
    me, other, third = (waiting_player.alias(name) for name in ("me", "other", "third"))
    mine = sa.select(me).where(me.c.owner == owner, _is_waiting(me, now))
    own = mine.with_for_update(skip_locked=True).cte()
    others = other.c.owner != own.c.owner, other.c.length == own.c.length, _is_waiting(other, now)
    is_blocked = blocked_pair(own.c.owner, other.c.owner)
    gap = sa.func.abs(other.c.points - own.c.points)
    first = sa.case((other.c.since < own.c.since, other.c.since), else_=own.c.since)
    is_near = gap <= WIDENING_POINTS * (1 + (now - first) // WIDENING_SECONDS)
    was_last = sa.or_(own.c.opponent == other.c.owner, other.c.opponent == own.c.owner)
    is_third = third.c.owner.not_in([own.c.owner, other.c.owner]), third.c.length == own.c.length
    third_blocked = sa.and_(*[blocked_pair(third.c.owner, one.c.owner) for one in (own, other)])
    someone_else_waits = sa.exists().where(*is_third, _is_waiting(third, now), ~third_blocked)
    pair = (
        sa.select(own.c.owner.label("first"), other.c.owner.label("second"))
        .where(*others, is_near, ~is_blocked, sa.not_(sa.and_(was_last, someone_else_waits)))
        .order_by(gap, other.c.since)
        .limit(1)
        .with_for_update(of=other, skip_locked=True)
        .cte()
    )
    own_row = waiting_player.c.owner
    opponent = sa.case((own_row == pair.c.first, pair.c.second), else_=pair.c.first)
    return (
        sa.update(waiting_player)
        .where(own_row.in_([pair.c.first, pair.c.second]))
        .values(match_id=secrets.token_urlsafe(12), opponent=opponent, since=now)
        .returning(waiting_player)
    )
