"""PostgreSQL LISTEN between server processes, on one connection that is opened again when it breaks.

A notification is a hint of where to look; the database decides. So a lost one costs time and nothing else.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from fifteentwo.server.store.writer import PATIENCE

log = logging.getLogger("fifteentwo.server")

TABLES = "fifteentwo_tables"
"""The channel of all but rows: who sits down, who has a table open, which leases are free. Rows go to each
process on a channel of its own, so that none is notified of its own rows."""
LISTENS_AGAIN = 0.1, 2.0
"""Seconds until a connection that broke is opened again: at first, and at most."""
_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
"""Seconds and tries after which a PostgreSQL that has vanished is noticed, though nothing is asked of it."""


async def keep_listening(
    address: Mapping[str, Any], rows: str, began: Callable[[], None], received: Callable[[str, str], None]
) -> None:
    """Receive notifications until cancelled, however often the connection breaks.

    rows: the channel on which this process is notified of rows.
    began: called whenever listening begins; earlier notifications may be lost.
    received: called with the channel and the payload of each.
    """
    import psycopg

    pause = LISTENS_AGAIN[0]
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                **{**PATIENCE, **_ALIVE, **address}, autocommit=True
            ) as connection:
                for channel in (rows, TABLES):
                    await connection.execute(f"LISTEN {channel}".encode())
                pause = LISTENS_AGAIN[0]
                began()
                async for one in connection.notifies():
                    received(one.channel, one.payload)
        except (psycopg.Error, OSError) as error:
            if pause == LISTENS_AGAIN[0]:
                log.warning("notifications of other processes do not arrive: %s", error)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LISTENS_AGAIN[1])
