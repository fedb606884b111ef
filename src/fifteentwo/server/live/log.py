"""The log of one table in memory: what is decided here is appended, what other processes appended is read.

An action goes one way: decided by the ledger, put on disk by the store, added to the ledger, and only then
published by `changed`.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from fifteentwo.contest.table import Taken
from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.server.background import Tasks
from fifteentwo.server.errors import StoreError
from fifteentwo.server.peers import Leases
from fifteentwo.server.signals import Signal
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log import proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Row, StoredTable

MOST_ATTEMPTS = 20
"""Times that one row is decided again because another process took its place in the log."""
CONFLICT = "conflict"
"""The code of a StoreError where another process has written that place of the log."""


class Change(NamedTuple):
    """What has been added to a log."""

    person: int | None = None
    """Who acted themselves, through this process; None for every other change."""
    action: SeatAction | NameDealer | None = None
    began: bool = False
    """Another process has begun a game."""


class TableLog:
    """The log of one table. Rows are added one at a time, and never half-way."""

    def __init__(self, store: Store, stored: StoredTable, ledger: Ledger, leases: Leases) -> None:
        self.id = stored.id
        self.ledger = ledger
        self.tasks = Tasks()
        """What runs in the background for this table."""
        self.changed = Signal[[Change]]()
        """Rows were added."""
        self.failed = Signal[[StoreError]]()
        """The database did not take what a person did."""
        self.restarts = 0
        """Changes other than a seat's action: what was worked out before one of them is dropped."""
        self._store = store
        self._stored = msgspec.structs.replace(stored, rows=())
        self._leases = leases
        self._lock = asyncio.Lock()
        self._may_be_behind = False

    def epoch(self) -> int | None:
        """Return the lease for computers and clocks here; StoreError where they act elsewhere."""
        if not self._leases.owns(self.id):
            raise StoreError(CONFLICT)
        return self._leases.epoch(self.id)

    async def ledger_with(self, number: int) -> Ledger:
        """Return a ledger that has a game of the match, from 1: its record and its result."""
        if number < 1 or self.ledger.has_game(number):
            return self.ledger
        return await matches.holding(self._store, self._stored, number)

    # ── Appending ────────────────────────────────────────────────────────────────────────────────────────

    async def act(self, person: int, action: SeatAction | NameDealer, seen: int | None = None) -> None:
        """Append what a person does; IllegalAction, Refused or StoreError, and nothing has changed.

        seen: the last event they had then: refused if they have acted since.
        """
        try:
            await self.tasks.whole(self._act(person, action, seen))
        except StoreError as error:
            self.failed.send(error)
            raise

    async def act_for(self, person: int, action: SeatAction, restarts: int, epoch: int | None = None) -> None:
        """Append what a computer or a clock does for a person, unless the table has changed since.

        restarts: those when it was worked out; epoch: the lease then, the present one where it is None.
        """
        async with self._lock:
            seq = self.ledger.seq
            await self._catch_up()
            if restarts == self.restarts and seq == self.ledger.seq:
                made = lambda: proposals.act(self.ledger, self.ledger.seat_of(person), action)  # noqa: E731
                await self._append(made, epoch or self.epoch())
                self.changed.send(Change())

    async def add(self, made: Callable[[], Row], epoch: int | None = None) -> None:
        """Append a row that is no seat's action; Refused or StoreError, and nothing has changed.

        epoch: of the lease under which a clock ran out.
        """
        await self.tasks.whole(self._add(made, epoch))

    async def _act(self, person: int, action: SeatAction | NameDealer, seen: int | None) -> None:
        async with self._lock:
            await self._catch_up()
            await self._append(lambda: proposals.act_themselves(self.ledger, person, action, seen))
            self.changed.send(Change(person, action))

    async def _add(self, made: Callable[[], Row], epoch: int | None) -> None:
        async with self._lock:
            await self._catch_up()
            row = await self._append(lambda: (made(), None), epoch)
            self.restarts += 1
            if self.ledger.beginning.seq == row.seq:
                self.ledger.forget()
                self.tasks.begin(matches.note(self._store, self.id, [self.ledger.beginning]))
            self.changed.send(Change())

    async def _append(self, made: Callable[[], tuple[Row, Taken | None]], epoch: int | None = None) -> Row:
        """Decide a row, put it on disk and add it; again where another process's row took its place.

        epoch: it is a computer's or a clock's, and stored only under this lease; those try again themselves.
        """
        for _ in range(MOST_ATTEMPTS):
            row, taken = made()
            try:
                row = await self._write(row, epoch)
            except StoreError as error:
                if error.code != CONFLICT or epoch is not None:
                    raise
                await self._catch_up()
                if self.ledger.seq < row.seq:
                    raise
            else:
                self.ledger.add(row, taken)
                return row
        raise StoreError(CONFLICT)

    async def _write(self, row: Row, epoch: int | None) -> Row:
        """Put a row on disk with the time."""
        row = msgspec.structs.replace(row, at=int(time.time()))
        self._may_be_behind = True
        try:
            await self._store.append(self.id, row, epoch)
        except StoreError as error:
            if epoch is not None and error.code == CONFLICT:
                self._leases.doubt(self.id)
            raise
        self._may_be_behind = False
        return row

    # ── Reading what others appended ─────────────────────────────────────────────────────────────────────

    async def read(self) -> None:
        """Read what other processes may have appended; StoreError where the database is away."""
        self._may_be_behind = True
        await self.tasks.whole(self._read())

    async def read_if_behind(self) -> None:
        """Read what is known to be missing, unless the database is away."""
        if self._may_be_behind and not self._lock.locked():
            with contextlib.suppress(StoreError):
                await self.tasks.whole(self._read())

    def appended_elsewhere(self, seq: int, *, read_now: bool) -> None:
        """Another process has appended rows, up to this one at least; without `read_now` they can wait."""
        if seq > self.ledger.seq and read_now:
            self.tasks.begin(self._read(seq))
        elif seq > self.ledger.seq:
            self._may_be_behind = True

    async def _read(self, seq: int = 0) -> None:
        async with self._lock:
            self._may_be_behind = self._may_be_behind or seq > self.ledger.seq
            await self._catch_up()

    async def _catch_up(self) -> None:
        """After a write that failed or may have, and after others have written, the log on disk decides."""
        if not self._may_be_behind:
            return
        kinds: set[str] = set()
        more = True
        while more:
            rows = await self._store.rows(self.id, self.ledger.seq + 1, matches.IN_LOOP)
            for row in rows:
                self.ledger.add(row)
                kinds.add(row.type)
            self.ledger.forget()
            more = len(rows) == matches.IN_LOOP
        self._may_be_behind = False
        if kinds:
            self.restarts += kinds != {"acted"}
            self.changed.send(Change(began=not {"began", "began-3"}.isdisjoint(kinds)))
