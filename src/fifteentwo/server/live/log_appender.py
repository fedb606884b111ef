"""How the log of one table grows: by what is decided in this process, and by what others have added to it."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from fifteentwo.contest.table import Taken
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Row

if TYPE_CHECKING:
    from fifteentwo.server.live.rooms import Room

AT_MOST_ANEW = 20
"""Times that one action is decided anew because others were faster, through other processes."""


class Keeping:
    """The log of one table. All but `hear` is for whoever has the table to itself at that moment."""

    def __init__(self, room: "Room", store: Store) -> None:
        self._room = room
        self._store = store
        self.doubt = False
        """The database may hold a row that the ledger does not."""

    def epoch(self) -> int | None:
        """The lease under which this table's computers and clocks act here; StoreError where they do not."""
        leases, name = self._room.neighbours.leases, self._room.id
        if not leases.holds(name):
            raise StoreError("moved-on")
        return leases.epoch(name)

    async def kept(self, made: Callable[[], tuple[Row, Taken | None]], epoch: int | None = None) -> Row:
        """Decide a row, put it on disk and add it; anew where somebody else's row took its place.

        epoch: it is a computer's or a clock's, and kept only under this lease; those look again themselves.
        """
        for _ in range(AT_MOST_ANEW):
            row, taken = made()
            try:
                row = await self._on_disk(row, epoch)
            except StoreError as error:
                if error.code != "moved-on" or epoch is not None:
                    raise
                await self.settle()
                if self._room.ledger.seq < row.seq:
                    raise
            else:
                self._room.ledger.add(row, taken)
                return row
        raise StoreError("moved-on")

    async def _on_disk(self, row: Row, epoch: int | None) -> Row:
        """Put it on disk with the time."""
        row = msgspec.structs.replace(row, at=int(time.time()))
        self.doubt = True
        try:
            await self._store.append(self._room.id, row, epoch)
        except StoreError as error:
            if epoch is not None and error.code == "moved-on":
                self._room.neighbours.leases.doubt(self._room.id)
            raise
        self.doubt = False
        return row

    async def settle(self) -> None:
        """After a write that failed, or may have, and after others have written, the log on disk decides."""
        if not self.doubt:
            return
        room, kinds = self._room, set[str]()
        more = True
        while more:
            rows = await self._store.rows(room.id, room.ledger.seq + 1, matches.AT_HAND)
            for row in rows:
                room.ledger.add(row)
                kinds.add(row.type)
            room.ledger.forget()
            more = len(rows) == matches.AT_HAND
        self.doubt = False
        if kinds:
            room.came_about(same_game=kinds == {"acted"})
        if kinds & {"began", "began-3"}:
            room.start(room.seeding.began())

    def hear(self, seq: int) -> None:
        """Another process has added rows, up to this one at least; where nobody looks they are read later."""
        if seq <= self._room.ledger.seq:
            return
        if self._room.idle:
            self.doubt = True
        else:
            self._room.start(self._room.read_on(seq))
