"""Rows that wait together go to disk together, and each is kept once or refused by itself."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import writer as writing
from fifteentwo.server.store.store import Store
from fifteentwo.server.store.writer import Driver, Log, NewRow, SqliteLog, Writer
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
    plain = SqliteLog.insert

    def counted(log: SqliteLog, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        together.append(len(rows))
        return plain(log, rows)

    monkeypatch.setattr(SqliteLog, "insert", counted)

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


def test_a_row_that_cannot_be_kept_hurts_no_other(tmp_path: Path) -> None:
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


def test_a_locked_file_is_waited_for_once_however_many_rows_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each attempt waits as long as the file may be locked; the rows that come meanwhile share the second."""
    attempts: list[int] = []
    plain = SqliteLog.insert

    def counted(log: SqliteLog, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        attempts.append(len(rows))
        return plain(log, rows)

    monkeypatch.setattr(SqliteLog, "insert", counted)
    monkeypatch.setattr(writing, "LOCKED_FOR", 0.5)

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


class Breaking(Log):
    """A log whose connection breaks once, before the rows are stored or after."""

    def __init__(self, held: dict[tuple[str, int], NewRow], when: str | None) -> None:
        self._held = held
        self._when = when
        self._is_broken = False

    @property
    def broken(self) -> bool:
        return self._is_broken

    def insert(self, rows: Sequence[NewRow]) -> set[tuple[str, int]]:
        if self._when == "before":
            self._is_broken = True
            raise ConnectionError
        taken = {(row.game, row.seq) for row in rows} & self._held.keys()
        self._held |= {(row.game, row.seq): row for row in rows if (row.game, row.seq) not in taken}
        if self._when == "after":
            self._is_broken = True
            raise ConnectionError
        return taken

    def has(self, row: NewRow) -> bool:
        return self._held.get((row.game, row.seq)) == row

    def touch(self) -> None:
        self.insert([])

    def close(self) -> None:
        return None


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_connection_that_breaks_keeps_a_row_once_and_says_so(when: str) -> None:
    other = NewRow("b", 2, "acted", "another program's", 1)
    held = {("b", 2): other}
    logs = [Breaking(held, when), Breaking(held, None)]

    async def work() -> None:
        writer = Writer(Driver(lambda: logs.pop(0), ConnectionError, ()))
        mine = NewRow("a", 2, "acted", "{}", 1)
        rows = [mine, NewRow("b", 2, "acted", "{}", 1)]
        results = await asyncio.gather(*[writer.keep(row) for row in rows])
        assert results == [True, False]
        assert held == {("a", 2): mine, ("b", 2): other}
        await writer.close()

    asyncio.run(work())


def test_a_database_that_stays_away_refuses_everyone_who_waits() -> None:
    async def work() -> None:
        def away() -> Breaking:
            raise ConnectionError("no answer")

        writer = Writer(Driver(away, ConnectionError, ()))
        rows = [NewRow(game, 2, "acted", "{}", 1) for game in GAMES]
        results = await asyncio.gather(*[writer.keep(row) for row in rows], return_exceptions=True)
        assert {one.code for one in results if isinstance(one, StoreError)} == {"database-out-of-reach"}
        assert len([one for one in results if isinstance(one, StoreError)]) == len(GAMES)
        await writer.close()

    asyncio.run(work())
