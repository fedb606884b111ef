"""The ear of a process: one connection to PostgreSQL on which it hears what other processes have done.

What is heard is a hint of where to look; the database decides. So what is lost costs time and nothing else.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from fifteentwo.server.store.writer import PATIENCE

log = logging.getLogger("fifteentwo.server")

TABLES = "fifteentwo_tables"
"""The channel of all that is no row: who sits down, who looks, which leases are free. Of rows each process is
told on a channel of its own, so that nobody hears of their own."""
LISTENS_AGAIN = 0.1, 2.0
"""Seconds until a connection that broke is made anew: at first, and at most."""
_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
"""Seconds and tries after which a PostgreSQL that has vanished is noticed, though nothing is asked of it."""


async def keep_hearing(
    address: Mapping[str, Any], rows: str, began: Callable[[], None], heard: Callable[[str, str], None]
) -> None:
    """Hear until cancelled, however often the connection breaks.

    rows: the channel on which this process is told of rows.
    began: called whenever it hears from now on, and may have missed what was said before.
    heard: called with the channel and what was said.
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
                    heard(one.channel, one.payload)
        except (psycopg.Error, OSError) as error:
            if pause == LISTENS_AGAIN[0]:
                log.warning("other processes are not heard just now: %s", error)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LISTENS_AGAIN[1])
