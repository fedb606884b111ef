"""Several processes on one PostgreSQL: one holds a table, and no other can add a row to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest
import sqlalchemy as sa

from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live import seats
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT, OpenPage
from fifteentwo.server.live.tables import COMPARE_INTERVAL_SECONDS, Tables
from fifteentwo.server.store.holding import become_holder
from fifteentwo.server.store.schema import match, player, tables_of_a_match
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row
from tests.support.clocked_tables import LOSES, NAMES, Table, Time, log_agrees
from tests.support.errors import raises_code
from tests.support.stored_match import KEPT, Process, Unreliable

pytestmark = pytest.mark.postgres

PEOPLE = tuple(Person(name=NAMES[number], owner=f"o{number}") for number in range(2))
AGAINST_COMPUTER = (PEOPLE[0], Person(name="", level="random"))


@asynccontextmanager
async def processes(
    cluster: str, time: Time, people: tuple[Person, ...] = PEOPLE
) -> AsyncIterator[tuple[Table, Table]]:
    """Return a table in two processes: each has its own store and its own tables in memory."""
    stores = [await Unreliable.open(cluster) for _ in range(2)]
    halls = [Tables(store) for store in stores]
    name = await halls[0].create(rules_for("six-card", target=61), Options(clock=LOSES), people)
    both = []
    for hall, store in zip(halls, stores, strict=True):
        assert isinstance(store, Unreliable)
        both.append(Table(hall, store, name, time))
    try:
        yield both[0], both[1]
    finally:
        for hall, store in zip(halls, stores, strict=True):
            await hall.close()
            await store.close()


async def reconnect(table: Table, person: int) -> None:
    """Open a person's page again, as browsers do, if a process has closed it."""
    page = table.pages.get(person)
    if page is not None and page.is_closed:
        table.go(person)
    if person not in table.pages:
        await table.open(grace=False)
        await table.come(person)


def closed_with(page: OpenPage) -> object:
    left = [page.unsent.get_nowait() for _ in range(page.unsent.qsize())]
    return left[-1] if left else None


@pytest.mark.long
async def test_nobody_forfeits_while_the_players_pages_are_at_different_processes(
    cluster: str, time: Time
) -> None:
    """The worst case: a proxy sends Aiko's page to one process and Ben's to the other, for 130 seconds.

    To each process the other player seems absent, and two minutes of absence forfeit the game.
    """
    async with processes(cluster, time) as (here, there):
        for _ in range(int(130 / COMPARE_INTERVAL_SECONDS)):
            await reconnect(here, 0)
            await reconnect(there, 1)
            time.go(COMPARE_INTERVAL_SECONDS)
            for table in (here, there):
                await table.tables.compare_with_database()
                await table.settled()
        kinds = {row.type for row in await here.store.rows(here.name, 1, 10_000)}
        assert kinds == {"began", "committed"}
        # The proxy sends both to one process again, and the game continues.
        there.go(1)
        await reconnect(here, 1)
        for _ in range(20):
            await here.act(here.asked()[0])
        await log_agrees(here)


@pytest.mark.parametrize("people", [AGAINST_COMPUTER, pytest.param(PEOPLE, marks=pytest.mark.long)])
async def test_a_process_that_was_suspended_adds_nothing_when_it_continues(
    cluster: str, time: Time, people: tuple[Person, ...]
) -> None:
    """Its clocks have run out and its computers have decided, but another process holds the table."""
    async with processes(cluster, time, people) as (here, there):
        persons = [number for number, one in enumerate(people) if one.level is None]
        await here.open()
        await here.come(*persons)
        await here.until(persons[-1])
        # The process is suspended; its players connect to another process, which continues.
        await there.open()
        await there.come(*persons)
        for _ in range(4):
            await there.until(persons[0])
            await there.act(persons[0])
        await there.settled()
        seq = there.ledger.seq
        # The process continues, and has not compared its tables with the database yet.
        await here.later(10_000, step=500.0)
        with raises_code(StoreError, "conflict"):
            await here.act(here.asked()[0])
        assert here.live.is_dropped
        assert {closed_with(page) for page in here.pages.values()} == {CLOSE_AND_RECONNECT}
        rows = await there.store.rows(there.name, 1, 10_000)
        assert [row.seq for row in rows] == list(range(1, seq + 1))
        assert "forfeited" not in {row.type for row in rows}
        await there.until(persons[0])
        await there.act(persons[0])
        await log_agrees(there)


async def test_rows_stored_before_another_process_holds_a_match_are_read_by_it(
    cluster: str, process: Process
) -> None:
    """A running statement finishes before the holder changes, or appends nothing."""
    stores = [(await process(cluster)).store for _ in range(2)]
    ids = [f"order{number:011}" for number in range(60)]
    for number, match_id in enumerate(ids):
        await stores[0].create(msgspec.structs.replace(KEPT, id=match_id))

        async def take_over(match_id: str = match_id, number: int = number) -> tuple[Row, ...]:
            await asyncio.sleep(number % 12 / 1000)
            await become_holder(stores[1], match_id)
            return await stores[1].rows(match_id, 2, 9)

        row = Row(2, "acted", "{}")
        stored, seen = await asyncio.gather(
            stores[0].append(match_id, row), take_over(), return_exceptions=True
        )
        assert seen == ((row,) if stored is None else ()), match_id


async def test_changes_of_other_processes_are_read(cluster: str, time: Time) -> None:
    invited = (PEOPLE[0], Person(name="", invitation="way"))
    async with processes(cluster, time, invited) as (here, there):
        await here.open()
        await here.come(0)
        state = await there.tables.read(there.name)
        assert not isinstance(state, type(here.live)), "reading holds nothing"
        await seats.take_seat(there.tables, state, "way", "ben", "Ben", seats.Origin("0", "1"))
        await here.tables.compare_with_database()
        assert here.live.people[1].owner == "ben"
        assert closed_with(here.pages[0]) != CLOSE_AND_RECONNECT
        # The session of the page ends in another process.
        here.pages[0].session = "ended"
        await here.tables.compare_with_database()
        assert closed_with(here.pages[0]) == CLOSE_AND_RECONNECT
        # The match is deleted in another process.
        async with there.store.writing() as connection:
            for table in tables_of_a_match():
                await connection.execute(table.delete().where(table.c.match_id == here.name))
            await connection.execute(match.delete().where(match.c.id == here.name))
        await here.tables.compare_with_database()
        assert await there.store.load(here.name) is None
        assert here.tables.held_tables() == {}


async def test_the_database_ends_a_transaction_of_a_suspended_process(cluster: str, process: Process) -> None:
    """Otherwise every other process would wait for the rows that it has locked."""
    store = (await process(cluster)).store
    async with store.reading() as connection:
        limit = (await connection.execute(sa.text("SHOW idle_in_transaction_session_timeout"))).scalar()
    assert limit == "2s"
    assert store._writer is not None
    with store._writer._engine.connect() as own:
        assert own.execute(sa.text("SHOW idle_in_transaction_session_timeout")).scalar() == "2s"
        assert own.execute(sa.select(sa.func.count()).select_from(player)).scalar() is not None


@pytest.mark.parametrize("row", [Row(2, "forfeited", "{}"), Row(3, "acted", "{}")])
async def test_only_the_holder_of_a_match_appends_rows(cluster: str, process: Process, row: Row) -> None:
    """A forfeit of a process that does not see everyone could take a free number."""
    stores = [(await process(cluster)).store for _ in range(2)]
    first, second = stores
    name = f"holder-of-row-{row.seq:02}"
    await first.create(msgspec.structs.replace(KEPT, id=name))
    with raises_code(StoreError, "conflict"):
        await second.append(name, row)
    await become_holder(second, name)
    await second.append(name, row)
    with raises_code(StoreError, "conflict"):
        await first.append(name, msgspec.structs.replace(row, seq=row.seq + 1))
    assert await first.rows(name, 2, 9) == (row,)
