"""Rows appended at once, and what became of each."""

import asyncio
from collections.abc import Sequence

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Row


async def kept(store: Store, rows: Sequence[tuple[str, Row]]) -> list[str]:
    """Append rows at the same time; return "" for each stored row and the code of each refusal."""
    results = await asyncio.gather(*[store.append(game, row) for game, row in rows], return_exceptions=True)
    return [one.code if isinstance(one, StoreError) else "" if one is None else repr(one) for one in results]
