"""Evenings whose games are played in this process: people at tables, who choose at random."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fifteentwo.players import player
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from fifteentwo.server.club import decisions
from fifteentwo.server.club.evening import Evening, EveningPerson, Settings
from fifteentwo.server.club.evenings import Evenings
from fifteentwo.server.club.playing import EveningPlay
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.live.tables import Tables
from tests.support.stored_match import opened_processes

DIRECTOR = "the director"


def person(number: int) -> EveningPerson:
    return EveningPerson(f"Player {number}", f"owner {number}")


OpenClub = Callable[..., Awaitable["Club"]]


class Club:
    """One process that serves an evening, and reviews no games."""

    def __init__(self, tables: Tables, name: str = "") -> None:
        self.tables, self.store = tables, tables.store
        self.evenings = Evenings(tables.store)
        self.play = EveningPlay(tables, self.evenings)
        self.name = name
        self.play._reviewing = asyncio.get_running_loop().create_task(asyncio.sleep(3600))

    async def open(self, people: int, **options: Any) -> None:
        """Open an evening with people who have checked in."""
        settings = Settings(name="Wednesday", rules=rules_for("five-card"), **options)
        self.name = await self.evenings.open(DIRECTOR, settings)
        for number in range(people):
            await self.change(decisions.join, person=person(number))

    async def change(self, decide: Any, **given: Any) -> None:
        await self.play.change(self.name, partial(decide, **given))

    async def now(self) -> Evening:
        return await self.evenings.read(self.name)

    async def matches(self) -> list[str]:
        """Return the matches of open tables."""
        tables = (await self.now()).state.tables.values()
        return [one.match_id for one in tables if one.outcome is None]

    async def settled(self) -> None:
        """Wait until nothing follows any more from what has happened."""
        while self.play._tasks:
            await self.play._tasks.wait(60)


@asynccontextmanager
async def opened_clubs() -> AsyncIterator[OpenClub]:
    """Return a function that opens a Club as a new process does; close all at the end."""
    async with AsyncExitStack() as stack:
        process = await stack.enter_async_context(opened_processes())

        async def club(database: Path | str, name: str = "") -> Club:
            one = Club(await process(database), name)
            stack.push_async_callback(one.play.close)
            return one

        yield club


async def joined(table: LiveTable, *people: int) -> list[OpenPage]:
    """Open pages of people at a table, as browsers do that take no part in the dealing."""
    pages = [OpenPage(one, "en", None) for one in people]
    for page in pages:
        await table.part(Seeding).commit_before_joining(table, page)
        table.join(page)
    return pages


async def play_on(table: LiveTable, actions: int = 10_000, absent: Collection[int] = ()) -> None:
    """Let the people of a table act at random until the game is over, or for a number of actions."""
    choosing = player("random", random.randrange(10_000))
    while actions and not table.ledger.table.over:
        people = [table.ledger.seated[seat] for seat in table.ledger.waiting]
        acting = [one for one in people if table.people[one].level is None and one not in absent]
        if not acting:
            await asyncio.sleep(0.001)
            continue
        seen = view(table.ledger.table.state, table.ledger.seat_of(acting[0]))
        await table.act(acting[0], choosing.act(seen))
        actions -= 1


async def finished(tables: Tables, match_id: str) -> LiveTable:
    """Play a match to its end."""
    table = await tables.open(match_id)
    pages = await joined(table, 0, 1)
    await play_on(table)
    for page in pages:
        table.leave(page)
    return table
