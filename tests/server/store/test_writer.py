"""Rows that wait together are written together, and each is stored once or refused alone."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import connection as connecting
from fifteentwo.server.store.store import Store
from fifteentwo.server.store.writer import NewRow, Writer
from fifteentwo.server.table_log.rows import Row
from tests.support.appended_rows import kept
from tests.support.stored_match import KEPT

GAMES = [f"{number:016}" for number in range(40)]


def at_a_store(work: Callable[[Store], Awaitable[None]], folder: Path) -> None:
    async def run() -> None:
        store = await Store.open(str(folder / "games.sqlite3"))
        try:
            for game in GAMES:
                await store.create(msgspec.structs.replace(KEPT, id=game))
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_rows_that_wait_share_a_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together: list[int] = []
    plain = Writer._insert

    def counted(own: Writer, connection: sa.Connection, rows: list[NewRow]) -> set[tuple[str, int]]:
        together.append(len(rows))
        return plain(own, connection, rows)

    monkeypatch.setattr(Writer, "_insert", counted)

    async def work(store: Store) -> None:
        for seq in range(2, 7):
            assert set(await kept(store, [(game, Row(seq, "acted", "{}")) for game in GAMES])) == {""}
        for game in GAMES:
            found = await store.load(game)
            assert found is not None
            assert [row.seq for row in found.rows] == [1, 2, 3, 4, 5, 6]

    at_a_store(work, tmp_path)
    assert sum(together) == 5 * len(GAMES)
    assert len(together) <= 5 * 3, together


def test_row_that_cannot_be_stored_fails_alone(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        rows = [(game, Row(2, "acted", "{}")) for game in GAMES]
        rows.insert(7, ("no-such-game", Row(2, "acted", "{}")))
        rows.insert(20, (GAMES[0], Row(2, "acted", "other")))
        results = await kept(store, rows)
        assert results[7] == results[20] == "conflict"
        assert {one for place, one in enumerate(results) if place not in (7, 20)} == {""}
        first = await store.load(GAMES[0])
        assert first is not None
        assert first.rows[1:] == (Row(2, "acted", "{}"),)

    at_a_store(work, tmp_path)


def test_waiting_rows_share_one_lock_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt takes the lock timeout; rows that arrive during the first share the second."""
    attempts: list[int] = []
    plain = Writer._insert

    def counted(own: Writer, connection: sa.Connection, rows: list[NewRow]) -> set[tuple[str, int]]:
        attempts.append(len(rows))
        return plain(own, connection, rows)

    monkeypatch.setattr(Writer, "_insert", counted)
    monkeypatch.setattr(connecting, "LOCK_TIMEOUT_SECONDS", 0.5)

    async def work(store: Store) -> None:
        holder = sqlite3.connect(tmp_path / "games.sqlite3")
        holder.execute("BEGIN IMMEDIATE")
        first = asyncio.create_task(store.append(GAMES[0], Row(2, "acted", "{}")))
        while not attempts:
            await asyncio.sleep(0.01)
        results = await kept(store, [(game, Row(2, "acted", "{}")) for game in GAMES[1:]])
        assert set(results) == {"database-locked"}
        with pytest.raises(StoreError, match="database-locked"):
            await first
        assert len(attempts) <= 3, attempts
        holder.rollback()
        holder.close()
        assert set(await kept(store, [(game, Row(2, "acted", "{}")) for game in GAMES])) == {""}

    at_a_store(work, tmp_path)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_row_is_stored_once_if_the_connection_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
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

    async def work(store: Store) -> None:
        await store.append(GAMES[1], Row(2, "acted", "another row", at=1))
        monkeypatch.setattr(Writer, "_insert", breaking)
        rows = [(game, Row(2, "acted", "{}", at=1)) for game in GAMES[:2]]
        assert await kept(store, rows) == ["", "conflict"]
        assert not breaks
        for game, body in zip(GAMES[:2], ("{}", "another row"), strict=True):
            assert [row.body for row in await store.rows(game, 2, 9)] == [body]

    at_a_store(work, tmp_path)


def test_every_waiting_row_is_refused_if_the_database_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(*_: object) -> None:
        raise DBAPIError("append", None, ConnectionError("no answer"), connection_invalidated=True)

    async def work(store: Store) -> None:
        monkeypatch.setattr(Writer, "_insert", unavailable)
        rows = [(game, Row(2, "acted", "{}")) for game in GAMES]
        assert await kept(store, rows) == ["database-unreachable"] * len(GAMES)

    at_a_store(work, tmp_path)
