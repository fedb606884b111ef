"""Leases: which of several processes runs a table's computers and clocks.

A process that has a table open takes its lease for a few seconds and renews it; once it is not renewed
another process takes it, and raises the epoch. A row of a computer or clock is stored only under the epoch at
which it was decided: a process that was frozen meanwhile, and does not know, adds nothing.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Iterable

import msgspec
import sqlalchemy as sa

from fifteentwo.server import peers
from fifteentwo.server.background import begin
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.schema import lease
from fifteentwo.server.store.store import Store

log = logging.getLogger("fifteentwo.server")

LASTS = 3.0
"""Seconds after which a lease that is not renewed is lost."""
RENEWED = 1.0
"""Seconds after which leases are renewed, and those of other processes asked for."""
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
_TAKE = f"""
WITH asked AS (
    SELECT key AS game, value::int AS epoch FROM json_each_text(cast(:epochs AS json))
), taken AS (
    INSERT INTO lease (match_id, worker, epoch, until)
    SELECT id, :worker, 1, {_NOW} + :lasts FROM match WHERE id IN (SELECT game FROM asked) ORDER BY id
    ON CONFLICT (match_id) DO UPDATE SET worker = :worker, until = excluded.until,
        epoch = lease.epoch + (lease.worker <> :worker)::int
    WHERE lease.worker = :worker OR lease.until < {_NOW} OR :anyway
    RETURNING match_id AS game, epoch
)
SELECT game, taken.epoch FROM asked LEFT JOIN taken USING (game)
WHERE taken.epoch IS DISTINCT FROM asked.epoch
"""
"""By the database's clock alone, and in the order of the tables, so that two never wait for each other. It
returns only what has changed: of a thousand tables renewed each second next to nothing."""


class Leases(peers.Leases):
    """The leases of this process, one of several."""

    def __init__(
        self, store: Store, taken: Callable[[str], None], freed: Callable[[list[str]], None]
    ) -> None:
        """taken, freed: called with a table that has become this process's, with those it has given up."""
        self.worker = secrets.token_hex(8)
        """The name of this process in the database."""
        self._store = store
        self._taken = taken
        self._freed = freed
        self._wanted: set[str] = set()
        self._epochs: dict[str, int] = {}
        self._given_up: set[str] = set()
        self._soon = asyncio.Event()
        self._renewing: asyncio.Task[None] | None = None

    def owns(self, game: str) -> bool:
        """Return whether this process has a table's lease."""
        return game in self._epochs

    def epoch(self, game: str) -> int | None:
        """Return the epoch of a table's lease; None where another process has it."""
        return self._epochs.get(game)

    def __len__(self) -> int:
        return len(self._epochs)

    def want(self, game: str) -> None:
        """Take a lease as soon as no other process has it, and renew it."""
        if game in self._wanted:
            return
        self._wanted.add(game)
        self._given_up.discard(game)
        self._look()

    def give_up(self, game: str) -> None:
        """Give up a lease, so that others may take it."""
        if game in self._wanted:
            self._wanted.discard(game)
            if self._epochs.pop(game, None) is not None:
                self._given_up.add(game)
                self._look()

    def doubt(self, game: str) -> None:
        """A row under this lease was refused: ask whether this process still has it."""
        if self._epochs.pop(game, None) is not None:
            self._look()

    def free(self, games: Iterable[str]) -> None:
        """Another process has given these up."""
        if any(game in self._wanted and game not in self._epochs for game in games):
            self._look()

    async def claim(self, game: str) -> None:
        """Take the lease now from any other process, whose computers add nothing from here on. StoreError."""
        if not self.owns(game):
            self._wanted.add(game)
            await self._take([game], anyway=True)

    async def close(self) -> None:
        """Give up all of them."""
        if self._renewing is not None:
            self._renewing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._renewing
        self._given_up |= set(self._epochs)
        self._wanted.clear()
        self._epochs.clear()
        with contextlib.suppress(StoreError):
            await self._give_back()

    def _look(self) -> None:
        self._soon.set()
        if self._renewing is None:
            self._renewing = begin(self._renew())

    async def _renew(self) -> None:
        clock = asyncio.get_running_loop().time
        due = clock() + RENEWED
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self._soon.wait()
            self._soon.clear()
            games = self._wanted - self._epochs.keys()
            if clock() >= due:
                games, due = set(self._wanted), clock() + RENEWED
            try:
                await self._give_back()
                if games:
                    await self._take(games)
            except StoreError:
                pass  # The store has logged it; they are renewed once the database is back.
            except Exception:
                log.exception("leases could not be looked after")
                await asyncio.sleep(RENEWED)

    async def _take(self, games: Iterable[str], *, anyway: bool = False) -> None:
        before = {game: self._epochs.get(game) for game in games}
        epochs = msgspec.json.encode(before).decode()
        given = {"worker": self.worker, "lasts": int(LASTS * 1000), "epochs": epochs, "anyway": anyway}
        async with self._store.writing() as connection:
            changed = {row.game: row.epoch for row in await connection.execute(sa.text(_TAKE), given)}
        for game, epoch in changed.items():
            if epoch is None:
                self._epochs.pop(game, None)
            elif game in self._wanted:
                self._epochs[game] = epoch
                self._taken(game)
        given_up_meanwhile = before.keys() - self._wanted
        if held := {game for game in given_up_meanwhile if changed.get(game, before[game]) is not None}:
            self._given_up |= held
            self._soon.set()

    async def _give_back(self) -> None:
        games, self._given_up = sorted(self._given_up), set()
        if not games:
            return
        own = lease.c.worker == self.worker
        async with self._store.writing() as connection:
            await connection.execute(lease.update().where(own, lease.c.match_id.in_(games)).values(until=0))
        self._freed(games)
