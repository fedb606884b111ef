"""Rows that wait together are written together, and each is stored once or refused alone."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.store import Store
from fifteentwo.server.store.writer import NewRow, Writer
from fifteentwo.server.table_log.rows import Row
from tests.support.errors import raises_code
from tests.support.stored_match import KEPT, append_rows, opened_store

GAMES = [f"{number:016}" for number in range(40)]


@pytest.fixture
def store(tmp_path: Path) -> AbstractAsyncContextManager[Store]:
    """Return a store with forty matches."""

    @asynccontextmanager
    async def full() -> AsyncIterator[Store]:
        async with opened_store(tmp_path / "games.sqlite3") as store:
            for game in GAMES:
                await store.create(msgspec.structs.replace(KEPT, id=game))
            yield store

    return full()


async def test_rows_that_wait_share_a_transaction(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    together: list[int] = []
    plain = Writer._insert

    def counted(own: Writer, connection: sa.Connection, rows: list[NewRow]) -> set[tuple[str, int]]:
        together.append(len(rows))
        return plain(own, connection, rows)

    monkeypatch.setattr(Writer, "_insert", counted)
    for seq in range(2, 7):
        assert set(await append_rows(store, [(game, Row(seq, "acted", "{}")) for game in GAMES])) == {""}
    for game in GAMES:
        found = await store.load(game)
        assert found is not None
        assert [row.seq for row in found.rows] == [1, 2, 3, 4, 5, 6]
    assert sum(together) == 5 * len(GAMES)
    assert len(together) <= 5 * 3, together


async def test_row_that_cannot_be_stored_fails_alone(store: Store) -> None:
    rows = [(game, Row(2, "acted", "{}")) for game in GAMES]
    rows.insert(7, ("no-such-game", Row(2, "acted", "{}")))
    rows.insert(20, (GAMES[0], Row(2, "acted", "other")))
    results = await append_rows(store, rows)
    assert results[7] == results[20] == "conflict"
    assert {one for place, one in enumerate(results) if place not in (7, 20)} == {""}
    first = await store.load(GAMES[0])
    assert first is not None
    assert first.rows[1:] == (Row(2, "acted", "{}"),)


@pytest.mark.usefixtures("short_lock_timeout")
async def test_waiting_rows_share_one_lock_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    """An attempt takes the lock timeout; rows that arrive during the first share the second."""
    attempts: list[int] = []
    plain = Writer._insert

    def counted(own: Writer, connection: sa.Connection, rows: list[NewRow]) -> set[tuple[str, int]]:
        attempts.append(len(rows))
        return plain(own, connection, rows)

    monkeypatch.setattr(Writer, "_insert", counted)
    holder = sqlite3.connect(tmp_path / "games.sqlite3")
    holder.execute("BEGIN IMMEDIATE")
    first = asyncio.create_task(store.append(GAMES[0], Row(2, "acted", "{}")))
    while not attempts:
        await asyncio.sleep(0.01)
    results = await append_rows(store, [(game, Row(2, "acted", "{}")) for game in GAMES[1:]])
    assert set(results) == {"database-locked"}
    with raises_code(StoreError, "database-locked"):
        await first
    assert len(attempts) <= 3, attempts
    holder.rollback()
    holder.close()
    assert set(await append_rows(store, [(game, Row(2, "acted", "{}")) for game in GAMES])) == {""}


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_row_is_stored_once_if_the_connection_breaks(
    monkeypatch: pytest.MonkeyPatch, when: str, store: Store
) -> None:
    """The connection breaks before the row is stored, or after it, before the answer."""
    breaks = [True]
    plain = Writer._insert

    def breaking(own: Writer, connection: sa.Connection, rows: list[NewRow]) -> set[tuple[str, int]]:
        if breaks and when == "after":
            plain(own, connection, rows)
        if breaks:
            breaks.clear()
            raise DBAPIError("append", None, ConnectionError(), connection_invalidated=True)
        return plain(own, connection, rows)

    await store.append(GAMES[1], Row(2, "acted", "another row", at=1))
    monkeypatch.setattr(Writer, "_insert", breaking)
    rows = [(game, Row(2, "acted", "{}", at=1)) for game in GAMES[:2]]
    assert await append_rows(store, rows) == ["", "conflict"]
    assert not breaks
    for game, body in zip(GAMES[:2], ("{}", "another row"), strict=True):
        assert [row.body for row in await store.rows(game, 2, 9)] == [body]


async def test_every_waiting_row_is_refused_if_the_database_is_unavailable(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    def unavailable(*_: object) -> None:
        raise DBAPIError("append", None, ConnectionError("no answer"), connection_invalidated=True)

    monkeypatch.setattr(Writer, "_insert", unavailable)
    rows = [(game, Row(2, "acted", "{}")) for game in GAMES]
    assert await append_rows(store, rows) == ["database-unreachable"] * len(GAMES)
