"""The tables in memory; the others are on disk."""

import asyncio
import contextlib
import functools
import logging
import re
import secrets
from collections.abc import Callable, Iterable

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.record import Record, to_json
from fifteentwo.rules.variants import Rules
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live.audience import TRY_AGAIN
from fifteentwo.server.live.peer_link import PeerLink
from fifteentwo.server.live.seating import asked_for_seeds
from fifteentwo.server.live.spectators import Spectators
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.thinking import Thinking
from fifteentwo.server.peers import Peers
from fifteentwo.server.store import matches
from fifteentwo.server.store.history import History
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.kept_reviews import KeptReviews
from fifteentwo.server.study.reviewed_games import ReviewedGames
from fifteentwo.server.table_log import dealing, proposals
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, StoredTable

log = logging.getLogger("fifteentwo.server")

AT_HOME = 8
"""Tables that a person is shown to go on with."""
MOST_IDLE = 64
"""Tables in memory where no page is open and nothing goes on; those used longest ago leave first."""
_NAME = re.compile(r"[A-Za-z0-9_-]{16}")


class Tables:
    """The tables in memory."""

    def __init__(self, store: Store, thinking: Thinking | None = None) -> None:
        self.store = store
        self.history = History(store)
        self.reviews = ReviewedGames()
        self.kept_reviews = KeptReviews(self.history, self.reviews)
        self.thinking = thinking or Thinking()
        self.peers = self._peers()
        self.spectators = Spectators(store)
        self.spectators.changed.subscribe(self._spectators_changed)
        self.forget_owner: Callable[[str], None] = lambda _: None
        """Called where what this process remembers of an owner's sessions may be over."""
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}

    def _peers(self) -> Peers:
        """Return the other processes, where there may be some."""
        if not self.store.is_shared:
            return Peers()
        from fifteentwo.server.cluster.peers import PostgresPeers

        return PostgresPeers(self.store, self)

    def __len__(self) -> int:
        return len(self._opening)

    async def create(
        self,
        rules: Rules,
        options: Options,
        people: tuple[Person, ...],
        position: Record | None = None,
        *,
        name: str | None = None,
        secret: bytes | None = None,
    ) -> str:
        """Store a new table and its first game, which may go on from the position of a record; its id."""
        name, secret = name or secrets.token_urlsafe(12), secret or dealing.new_secret()
        ledger = matches.ledger_of(rules, options)
        if position is None:
            first = proposals.new_game(ledger, secret, asked_for_seeds(people))
        else:
            first = proposals.go_on(ledger, secret, position)
        await self.store.create(
            StoredTable(
                id=name,
                rules=to_json(rules).decode(),
                options=to_json(options).decode(),
                people=people,
                rows=(first,),
            )
        )
        return name

    async def import_game(self, game: Record, owner: str, seat: int | None, kind: str) -> str:
        """Store a finished game that was played elsewhere; its id. seat: where the owner sat, or None."""
        stored = matches.imported(secrets.token_urlsafe(12), game, owner, seat, kind)
        await self.store.create(stored)
        return stored.id

    # ── In memory ────────────────────────────────────────────────────────────────────────────────────────

    async def table(self, name: str) -> LiveTable:
        """Return a table by its id; Refused where there is none."""
        if not _NAME.fullmatch(name):
            raise Refused("no-such-game", status=404)
        if name in self._opening:
            # Those used longest ago stand first.
            self._opening[name] = self._opening.pop(name)
        else:
            self._make_way()
            self._opening[name] = asyncio.get_running_loop().create_task(self._open(name))
        try:
            table = await asyncio.shield(self._opening[name])
            await table.log.read_if_behind()
            return table
        except BaseException:
            task = self._opening.get(name)
            if task is not None and task.done() and (task.cancelled() or task.exception() is not None):
                self._opening.pop(name, None)
            raise

    async def _open(self, name: str) -> LiveTable:
        try:
            found = await matches.opened(self.store, name)
            if found is None:
                raise Refused("no-such-game", status=404)
            self.peers.start()
            spectators = functools.partial(self.spectators.number, name)
            table = LiveTable(self.store, found[0], self.thinking, found[1], self.peers, spectators)
            table.link.rows_added(self.peers.missed(name))
            return table
        except (Refused, StoreError):
            raise
        except (FifteenTwoError, ValueError, LookupError) as error:
            log.exception("table %s cannot be rebuilt", name)
            raise StoreError("game-damaged") from error

    def _make_way(self) -> None:
        idle = [name for name, table in self.opened().items() if table.idle]
        for name in idle[: max(0, len(idle) - MOST_IDLE + 1)]:
            del self._opening[name]

    def opened(self) -> dict[str, LiveTable]:
        """Return the tables in memory, those used longest ago first."""
        done = [(name, _result(task)) for name, task in self._opening.items()]
        return {name: table for name, table in done if table is not None}

    def link(self, name: str) -> PeerLink | None:
        """Return a table's link to other processes; None where it is not in memory."""
        table = _result(self._opening.get(name))
        return None if table is None else table.link

    def links(self) -> dict[str, PeerLink]:
        """Return the links of the tables in memory to other processes."""
        return {name: table.link for name, table in self.opened().items()}

    def is_open(self, name: str) -> bool:
        """Return whether a table is in memory here, so that it may be changed any moment."""
        return name in self._opening

    def is_in_use(self, name: str) -> bool:
        """Return whether a table is in memory here, or a page of another process is open at it."""
        return name in self._opening or bool(self.peers.presence(name))

    async def of_owner(
        self, owner: str, most: int = AT_HOME, *, taken_out_instead: bool = False
    ) -> list[LiveTable]:
        """Return the tables where a session may have a game going on; what cannot be read is left out."""
        tables = []
        for name in await self.store.of_owner(owner, most, taken_out_instead=taken_out_instead):
            with contextlib.suppress(StoreError):
                tables.append(await self.table(name))
        return tables

    async def close_tables(self, names: Iterable[str]) -> None:
        """Close these tables, where they are in memory, and drop them: their game is gone."""
        for name in names:
            task = self._opening.pop(name, None)
            if task is not None:
                with contextlib.suppress(FifteenTwoError):
                    await (await task).close()

    async def close(self) -> None:
        """Close every table."""
        await self.spectators.close()
        for task in self._opening.values():
            task.cancel()
        await asyncio.gather(*[table.close() for table in self.opened().values()])
        await self.peers.close()
        await self.thinking.close()

    # ── People ───────────────────────────────────────────────────────────────────────────────────────────

    async def person_of(self, table: LiveTable, owner: str | None) -> int | None:
        """Return which person a session is, by the database where it is unknown here; None for a stranger."""
        person = table.seating.person_of(owner)
        if person is None and owner is not None and self.store.is_shared:
            # They may have sat down through another process just now.
            await self.read_people([table.id])
            person = table.seating.person_of(owner)
        return person

    async def seats_changed(self, names: Iterable[str]) -> None:
        """Read again who sits at these tables, in every process; a table without people is gone."""
        self.peers.publish("people", names := list(names))
        await self.read_people(names)

    async def read_people(self, names: Iterable[str]) -> None:
        """Read who sits at those of these tables that are in memory; one without people is gone."""
        for name, people in (
            await self.store.people_of([one for one in names if one in self._opening])
        ).items():
            if not people:
                await self.close_tables([name])
            elif name in self._opening:
                with contextlib.suppress(FifteenTwoError):
                    (await self.table(name)).seating.replace(people)

    async def sign_out(self, owner: str) -> None:
        """Close every page of an owner, in every process, so that it connects again."""
        self.peers.publish("out", [owner])
        self.close_pages(owner)

    def close_pages(self, owner: str) -> None:
        """Close every page of an owner in this process."""
        self.forget_owner(owner)
        for table in self.opened().values():
            for page in list(table.audience):
                if table.people[page.person].owner == owner:
                    page.close(TRY_AGAIN)

    def _spectators_changed(self, name: str) -> None:
        if (table := _result(self._opening.get(name))) is not None:
            table.updates.send_people()


def _result(task: asyncio.Task[LiveTable] | None) -> LiveTable | None:
    """Return the table that a task has opened; None where it has not, or could not."""
    if task is None or not task.done() or task.cancelled() or task.exception() is not None:
        return None
    return task.result()
