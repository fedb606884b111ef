"""People whom a user has blocked: they are not paired with the user, and cannot sit at the user's tables.

The block concerns tables in the lobby. A blocked person can still use an invitation that the host sent.
"""

import hashlib
from typing import Any

import sqlalchemy as sa

from fifteentwo.server.errors import Refused
from fifteentwo.server.store.schema import account, blocked_person, player
from fifteentwo.server.store.store import Store

_ADD = sa.text("INSERT INTO blocked_person VALUES (:owner, :blocked) ON CONFLICT DO NOTHING")


def blocked_pair(one: Any, other: Any) -> sa.ColumnElement[bool]:
    """Return the SQL condition that one of two owners (columns or values) has blocked the other."""
    row = blocked_person.alias()
    forth = sa.and_(row.c.owner == one, row.c.blocked == other)
    return sa.exists().where(sa.or_(forth, sa.and_(row.c.owner == other, row.c.blocked == one)))


async def block(store: Store, owner: str, blocked: str | None) -> None:
    if blocked is None or blocked == owner:
        raise Refused("nobody-to-block", status=404)
    await store.execute(_ADD.bindparams(owner=owner, blocked=blocked))


async def unblock(store: Store, owner: str, handle: str) -> None:
    """Unblock a person. handle: as `blocked_by` returns it."""
    gone = [one for one in await blocked_by(store, owner) if one["handle"] == handle]
    own = blocked_person.c.owner == owner, blocked_person.c.blocked.in_([one["blocked"] for one in gone])
    await store.execute(blocked_person.delete().where(*own))


async def blocked_by(store: Store, owner: str) -> list[dict[str, str]]:
    """Return the people whom a user has blocked; a page may show "handle" and "name", but not "blocked"."""
    met, own = player.alias(), blocked_person.c.owner == owner
    is_met = sa.exists().where(met.c.match_id == player.c.match_id, met.c.owner == owner)
    guest = sa.select(sa.func.max(player.c.name)).where(player.c.owner == blocked_person.c.blocked, is_met)
    name = sa.func.coalesce(account.c.name, guest.scalar_subquery(), "")
    rows = sa.select(blocked_person.c.blocked, name.label("name")).where(own).order_by(name)
    found = await store.select(rows.outerjoin(account, account.c.owner == blocked_person.c.blocked))
    handles = [hashlib.sha256(f"{owner} {row.blocked}".encode()).hexdigest()[:16] for row in found]
    return [dict(row._mapping) | {"handle": handle} for row, handle in zip(found, handles, strict=True)]
