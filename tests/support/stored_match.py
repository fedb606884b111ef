"""A store that a block opens and closes, and a match as the store keeps it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from fifteentwo.server.errors import StoreError
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
