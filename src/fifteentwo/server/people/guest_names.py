"""Names at tables that are another user's username: who is not signed in under it is marked."""

from collections.abc import Iterable

import sqlalchemy as sa
from starlette.requests import Request

from fifteentwo.server.http import sessions
from fifteentwo.server.live.table_state import GUEST_MARK
from fifteentwo.server.people.usernames import similar
from fifteentwo.server.store.schema import account
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person


async def marked(store: Store, request: Request, name: str) -> str:
    """A name as it stands at a table, marked where it is the username of another account."""
    if not name:
        return name
    named, key = sessions.named_of(request), similar(name)
    if named is not None and similar(named.name) == key:
        return name
    async with store.reading() as connection:
        taken = (
            await connection.execute(sa.select(account.c.owner).where(account.c.similarity_key == key))
        ).first()
    return name if taken is None else name + GUEST_MARK


def called(people: Iterable[Person], invitation: str) -> str:
    """Return the host's name for the guest of an invitation: of a guest who gives none."""
    return next((one.name for one in people if one.invitation == invitation), "")
