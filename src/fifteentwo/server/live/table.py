"""A table that this process holds for its players: the ledger, the open pages, and the parts that react.

An action is processed in one order: the rules check it, the store writes its row, the ledger adds the row,
and `on_row_added` of each part is called, in the order of `parts`. A part does not store the table: each call
passes it.
"""

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import msgspec

from fifteentwo.contest.table import Outcome
from fifteentwo.rules.actions import NameDealer, SeatAction
from fifteentwo.server.background import Tasks
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT, OpenPage
from fifteentwo.server.live.table_state import TableState, human_persons
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import CONFLICT, Store
from fifteentwo.server.table_log import dealing, proposals
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.rows import Person, Row, StoredTable

MAX_GAMES_PER_MATCH = 10_000
MAX_PAGES_PER_TABLE = 32
"""Open pages that one table may have, divided equally among its seats."""


class RowAdded(NamedTuple):
    """A row that was added to the log, as the parts of a table see it."""

    person: int | None = None
    """The person who sent the action; None if a computer, a clock or the server added the row."""
    action: SeatAction | NameDealer | None = None
    is_game_begun: bool = False


class Part:
    """A part of a live table, which reacts to changes of the table."""

    def on_change(self, table: "LiveTable") -> None:
        """React to a change. Most other methods call this one unless a part overrides them."""

    def on_row_added(self, table: "LiveTable", row: RowAdded) -> None:
        self.on_change(table)

    def on_page_joined(self, table: "LiveTable", page: OpenPage) -> None:
        self.on_change(table)

    def on_page_left(self, table: "LiveTable", page: OpenPage) -> None:
        self.on_change(table)

    def on_people_changed(self, table: "LiveTable", before: list[Person]) -> None:
        """React to a change of the people at the table. before: the people before the change."""
        self.on_change(table)

    def on_write_failed(self, table: "LiveTable", error: StoreError) -> None:
        """React to a person's action that the database could not store."""

    def stop(self, table: "LiveTable") -> None:
        """Stop timers and tasks, because the table is being dropped."""


PartType = TypeVar("PartType", bound=Part)


class LiveTable(TableState):
    """A table that this process holds for its players. Rows are added one at a time."""

    def __init__(
        self,
        store: Store,
        stored: StoredTable,
        parts: tuple[Part, ...] = (),
        ledger: Ledger | None = None,
        count_spectators: Callable[[], int] = int,
    ) -> None:
        super().__init__(store, stored, ledger)
        self.parts = parts
        self.count_spectators = count_spectators
        self.pages: list[OpenPage] = []
        self.tasks = Tasks()
        self.revision = 0
        """Number of changes other than a seat's action. A result computed before such a change is dropped."""
        self.are_computers_paused = False
        """Whether the computers wait because a verdict is being computed or read."""
        self.is_dropped = False
        """Whether another process holds the table, or it was closed: this object writes nothing more."""
        self._lock = asyncio.Lock()
        self._is_last_write_uncertain = False
        """Whether a write failed, so that the log may have a row that the ledger lacks."""
        self._by_type = {type(part): part for part in parts}

    def part(self, kind: type[PartType]) -> PartType:
        found = self._by_type[kind]
        assert isinstance(found, kind)
        return found

    @property
    def is_idle(self) -> bool:
        return not self.pages and not self.tasks

    def present_people(self) -> set[int]:
        """Return the people who have a page open in this process."""
        return {person for page in self.pages for person in page.persons}

    async def act(self, person: int, action: SeatAction | NameDealer, last_seen: int | None = None) -> None:
        """Append a person's action, or raise and change nothing. last_seen: version that their page has."""
        try:
            await self.tasks.finish(self._add_action(person, action, last_seen))
        except StoreError as error:
            for part in self.parts:
                part.on_write_failed(self, error)
            raise

    async def act_for(self, person: int, action: SeatAction, revision: int) -> None:
        """Append an action of a computer or clock, unless the table has changed since this revision."""
        async with self._lock:
            seq = self.ledger.seq
            await self._catch_up()
            if revision == self.revision and seq == self.ledger.seq:
                await self._append(lambda: proposals.act(self.ledger, self.ledger.seat_of(person), action))
                self._notify_row_added(RowAdded())

    async def add_row(self, decide: Callable[[], Row]) -> None:
        """Append a row that is no seat's action. If Refused or StoreError is raised, nothing has changed."""
        await self.tasks.finish(self._append_other_row(decide))

    async def _add_action(self, person: int, action: SeatAction | NameDealer, last_seen: int | None) -> None:
        async with self._lock:
            await self._catch_up()
            await self._append(lambda: proposals.act_in_person(self.ledger, person, action, last_seen))
            self._notify_row_added(RowAdded(person, action))

    async def _append_other_row(self, decide: Callable[[], Row]) -> None:
        async with self._lock:
            await self._catch_up()
            row = await self._append(lambda: (decide(), None))
            self.revision += 1
            if self.ledger.game_start.seq == row.seq:
                self.ledger.drop_finished_games()
                self.tasks.start(matches.save_game_starts(self.store, self.id, [self.ledger.game_start]))
            self._notify_row_added(RowAdded(is_game_begun=self.ledger.game_start.seq == row.seq))

    async def _append(self, decide: Callable[[], tuple[Row, Outcome | None]]) -> Row:
        """Decide, write and add a row. Drop the table if the database reports a conflict."""
        row, taken = decide()
        if self.is_dropped:
            raise StoreError(CONFLICT)
        row = msgspec.structs.replace(row, at=int(time.time()))
        self._is_last_write_uncertain = True
        try:
            await self.store.append(self.id, row)
        except StoreError as error:
            if error.code == CONFLICT:
                self.drop()
            raise
        self._is_last_write_uncertain = False
        self.ledger.add(row, taken)
        return row

    async def _catch_up(self) -> None:
        """Read the rows that a failed write may have stored."""
        if not self._is_last_write_uncertain:
            return
        kinds: set[str] = set()
        while rows := await self.store.rows(self.id, self.ledger.seq + 1, matches.MAX_ROWS_IN_LOOP):
            for row in rows:
                self.ledger.add(row)
                kinds.add(row.type)
            self.ledger.drop_finished_games()
        self._is_last_write_uncertain = False
        if kinds:
            self.revision += kinds != {"acted"}
            self._notify_row_added(RowAdded(is_game_begun="began" in kinds))

    def _notify_row_added(self, row: RowAdded) -> None:
        for part in self.parts:
            part.on_row_added(self, row)

    async def undo(self, person: int) -> None:
        """Take back a person's last action against computers, if the person has seen no hidden card since."""
        if not self.is_solo:
            raise Refused("undo-against-computers-only")
        if self.options.daily is not None:
            raise Refused("not-in-the-daily-deal")
        past_turn = self.options.first_game and self.are_computers_paused
        await self.add_row(
            lambda: proposals.undo(self.ledger, self.ledger.seat_of(person), past_turn=past_turn)
        )

    async def next_game(self) -> None:
        """Start the next game of the match. Raise Refused while a game is in progress."""
        if self.options.imported:
            raise Refused("imported-no-next")
        if self.options.evening:
            raise Refused("evening-one-game", status=409)
        if self.games_played >= MAX_GAMES_PER_MATCH:
            raise Refused("match-too-long", games=MAX_GAMES_PER_MATCH)
        people = human_persons(self.people)
        await self.add_row(lambda: proposals.new_game(self.ledger, dealing.new_secret(), people))

    def join(self, page: OpenPage) -> None:
        """Add a page that was opened or has reconnected. Raise Refused if its person has too many."""
        own = sum(one.persons[0] == page.persons[0] for one in self.pages)
        if own >= MAX_PAGES_PER_TABLE // self.rules.seats:
            raise Refused("too-many-pages", status=429)
        if self.is_dropped:
            raise StoreError(CONFLICT)
        self.pages.append(page)
        for part in self.parts:
            part.on_page_joined(self, page)

    def leave(self, page: OpenPage) -> None:
        if page in self.pages:
            self.pages.remove(page)
        for part in self.parts:
            part.on_page_left(self, page)

    def replace_people(self, people: tuple[Person, ...]) -> None:
        """Take over the people that the database has, and notify the parts if they have changed."""
        if people and list(people) != self.people:
            before, self.people[:] = list(self.people), people
            self.announce_people(before)

    async def change_people(self, before: tuple[Person, ...], people: tuple[Person, ...]) -> None:
        """Store that other people play. Before the first card the game begins again; its pages reconnect."""
        async with self._lock:
            await self._catch_up()
            first = None
            if self.ledger.awaited_for_seeds:
                # Only a page that has committed to a seed can reveal it.
                new = matches.ledger_of(self.rules, self.options)
                first = proposals.new_game(new, dealing.new_secret(), human_persons(people) or None, 0)
            await self.store.replace_people(self.id, before, people, first)
            self.revision += 1
            if first is not None:
                self.drop()
            self.replace_people(await self.store.people(self.id))

    def announce_people(self, before: list[Person]) -> None:
        """Notify every part that the people have changed. before: the people before the change."""
        for part in self.parts:
            part.on_people_changed(self, before)

    def drop(self) -> None:
        """Stop every part and close every page. The pages reconnect to the process that holds the table."""
        self.is_dropped = True
        for part in self.parts:
            part.stop(self)
        for page in self.pages:
            page.close(CLOSE_AND_RECONNECT)

    async def close(self) -> None:
        """Drop the table, and wait up to two seconds for its tasks."""
        self.drop()
        await self.tasks.wait(2.0)
