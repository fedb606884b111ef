"""A store that fails when asked to."""

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Row


class Unreliable(Store):
    """A store that fails on request, before or after a row is stored."""

    fails: str | None = None

    async def append(self, game_id: str, row: Row) -> None:
        if self.fails == "before":
            raise StoreError("database-locked")
        await super().append(game_id, row)
        if self.fails == "after":
            raise StoreError("database-unreachable")
