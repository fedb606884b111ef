"""Tables with move clocks, and a clock that tests move."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fifteentwo.players import player
from fifteentwo.rules.record import read, write
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import view
from fifteentwo.server.live import move_clock
from fifteentwo.server.live.move_clock import MoveClock
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.proofs import verify_dealing
from fifteentwo.server.table_log.rows import Person
from fifteentwo.server.table_log.time_controls import FORFEIT_ON_TIMEOUT, TimeControl
from tests.support.stored_match import Unreliable

NAMES = ("Aiko", "Ben", "Cyd", "Dan")


class Time:
    """A clock that only `go` moves."""

    def __init__(self) -> None:
        self.now, self.date = 1000.0, 2_000_000_000.0

    def go(self, seconds: float) -> None:
        self.now += seconds
        self.date += seconds


class Now:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Table:
    """A table and the actions of its players."""

    def __init__(self, tables: Tables, store: Unreliable, name: str, time: Time) -> None:
        self.tables, self.store, self.name, self.time = tables, store, name, time
        self.pages: dict[int, OpenPage] = {}
        self.players = [player("random", person) for person in range(4)]
        self.live: LiveTable

    @property
    def ledger(self) -> Ledger:
        return self.live.ledger

    async def open(self, *, grace: bool = True) -> None:
        self.live = await self.tables.open(self.name)
        if grace:
            self.time.go(move_clock.GRACE_SECONDS)

    async def come(self, *people: int) -> None:
        for person in people:
            page = OpenPage(person, "en", None)
            await self.live.part(Seeding).commit_before_joining(self.live, page)
            self.live.join(page)
            self.pages[person] = page

    def go(self, *people: int) -> None:
        for person in people:
            self.live.leave(self.pages.pop(person))

    async def later(self, seconds: float, step: float | None = None) -> None:
        """Move the clock, and check it as often as its timer would."""
        while seconds > 1e-9:
            part = min(seconds, step or move_clock.MAX_TIMER_SECONDS)
            self.time.go(part)
            seconds -= part
            self.live.part(MoveClock).check(self.live)
            await self.settled()

    async def settled(self) -> None:
        """Wait until no task runs."""
        for _ in range(2000):
            await asyncio.sleep(0)
            if not self.live.tasks:
                return
            await asyncio.sleep(0.001)
        raise AssertionError("the table does not settle")

    async def act(self, person: int) -> None:
        """Do a random legal action."""
        ledger = self.ledger
        seen = view(ledger.table.state, ledger.seat_of(person))
        await self.live.act(person, self.players[person].act(seen))
        await self.settled()

    def asked(self) -> list[int]:
        return [person for person in self.ledger.waiting_since if self.live.people[person].level is None]

    async def until(self, *people: int, phase: Phase | None = None) -> None:
        """Play until the table waits for exactly these people."""
        for _ in range(400):
            await self.settled()
            now = self.ledger.table.state.phase
            if sorted(self.asked()) == sorted(people) and phase in (None, now):
                return
            waiting = [
                person for person in self.asked() if person not in self.ledger.disconnects.levels_by_person
            ]
            assert waiting, self.ledger.table.state.phase
            await self.act(waiting[0])
        raise AssertionError("the table never waited for them")

    def clock_of(self, person: int) -> dict[str, Any]:
        """Return the last clock that was sent to a page."""
        clocks = [message["d"] for message in self.messages(person) if message["t"] == "clock"]
        return clocks[-1]  # type: ignore[no-any-return]

    def messages(self, person: int) -> list[dict[str, Any]]:
        queue = self.pages[person].unsent
        kept = [queue.get_nowait() for _ in range(queue.qsize())]
        for message in kept:
            queue.put_nowait(message)
        return [json.loads(message) for message in kept if isinstance(message, bytes)]


@asynccontextmanager
async def at_a_table(
    folder: Path, time: Time, terms: TimeControl | None, rules: Rules | None = None, people: int = 2
) -> AsyncIterator[Table]:
    """Open a table with the pages of its people; check at the end that its log agrees."""
    rules = rules or rules_for("six-card", target=61)
    seated = tuple(
        Person(name=NAMES[seat], owner=f"o{seat}") if seat < people else Person(name="C", level="random")
        for seat in range(rules.seats)
    )
    store = await Unreliable.open(str(folder / "games.sqlite3"))
    assert isinstance(store, Unreliable)
    tables = Tables(store)
    try:
        name = await tables.create(rules, Options(clock=terms), seated)
        table = Table(tables, store, name, time)
        await table.open()
        await table.come(*range(people))
        await table.settled()
        yield table
        await table.settled()
        await log_agrees(table)
    finally:
        await tables.close()
        await store.close()


async def log_agrees(table: Table) -> None:
    """Check that the log leads to the present table and that the record of a finished game verifies."""
    rows = await table.store.rows(table.name, 1, 10_000)
    rebuilt = Ledger(table.live.rules, rows=rows)
    live = table.ledger
    assert rebuilt.table.state == live.table.state
    assert (rebuilt.disconnects, rebuilt.waiting_since) == (live.disconnects, live.waiting_since)
    if live.table.over:
        record = live.record(live.match.game, NAMES[: live.match.rules.seats])
        assert write(read(write(record))) == write(record)
        verify_dealing(record)


async def again(table: Table) -> None:
    """Load the table from its log again, as after a kill of the server."""
    for person in list(table.pages):
        table.go(person)
    await table.settled()
    table.live.part(MoveClock).stop(table.live)
    table.tables._loads.clear()
    await table.open(grace=False)


MINUTE = TimeControl(move_seconds=60.0, on_timeout="club")
BOTH = TimeControl(move_seconds=60.0, away_seconds=120.0, on_timeout="club")
LOSES = TimeControl(move_seconds=60.0, away_seconds=120.0, on_timeout=FORFEIT_ON_TIMEOUT)
DAY = 86400.0
