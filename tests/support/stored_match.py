"""A store that a block opens and closes, and a match as the store keeps it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from fifteentwo.server.errors import StoreError
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person, Row, StoredTable

KEPT = StoredTable(
    id="AAAAAAAAAAAAAAAA",
    rules_json="{}",
    options_json="{}",
    people=(Person(name="Aiko", owner="o"), Person(name="", level="club"), Person(name="", invitation="i")),
    rows=(Row(1, "began", "{}"),),
)


@asynccontextmanager
async def opened_store(database: Path | str) -> AsyncIterator[Store]:
    store = await Store.open(str(database))
    try:
        yield store
    finally:
        await store.close()


Process = Callable[[Path | str], Awaitable[Tables]]
"""Opens a database and its tables as a new process does."""


@asynccontextmanager
async def opened_processes() -> AsyncIterator[Process]:
    """Return a Process; close all that it opened at the end."""
    async with AsyncExitStack() as stack:

        async def process(database: Path | str) -> Tables:
            tables = Tables(await stack.enter_async_context(opened_store(database)))
            stack.push_async_callback(tables.close)
            return tables

        yield process


async def append_rows(store: Store, rows: Sequence[tuple[str, Row]]) -> list[str]:
    """Append rows at the same time; return "" for each stored row and the code of each refusal."""
    results = await asyncio.gather(*[store.append(game, row) for game, row in rows], return_exceptions=True)
    return [one.code if isinstance(one, StoreError) else "" if one is None else repr(one) for one in results]


class Unreliable(Store):
    """A store that fails on request, before or after a row is stored."""

    fails: str | None = None

    async def append(self, game_id: str, row: Row) -> None:
        if self.fails == "before":
            raise StoreError("database-locked")
        await super().append(game_id, row)
        if self.fails == "after":
            raise StoreError("database-unreachable")
