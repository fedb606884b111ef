"""The store of games: append-only, durable when `append` returns, and specific about a database's errors."""

import asyncio
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from fifteentwo.server.errors import StoreError
from fifteentwo.server.store.connection import database_url
from fifteentwo.server.store.schema import metadata
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Row
from tests.support.errors import raises_code
from tests.support.stored_match import KEPT, opened_store


def opened(database: Path | str) -> None:
    async def work() -> None:
        await (await Store.open(str(database))).close()

    asyncio.run(work())


def refusal(database: Path | str) -> str:
    with pytest.raises(StoreError) as error:
        opened(database)
    return error.value.code


async def test_stored_table_is_loaded_unchanged(address: str) -> None:
    threads = set(threading.enumerate())
    async with opened_store(address) as store, opened_store(address) as again:
        await store.create(KEPT)
        await store.append(KEPT.id, Row(2, "acted", "あ"))
        kept = await again.load(KEPT.id)
        assert kept is not None
        assert kept.rows == (*KEPT.rows, Row(2, "acted", "あ"))
        assert kept.people == KEPT.people
        assert await again.load("BBBBBBBBBBBBBBBB") is None
        assert await again.unfinished_of("o", 5) == [KEPT.id]
        assert await again.unfinished_of("x", 5) == []
        assert await store.take_seat(KEPT.id, 2, "guest", "Ken")
        assert not await again.take_seat(KEPT.id, 2, "thief", "Mallory")
        seated = await again.load(KEPT.id)
        assert seated is not None
        assert seated.people[2].name == "Ken"
        assert await again.unfinished_of("guest", 5) == [KEPT.id]
        assert not await again.take_seat(KEPT.id, 0, "thief", "Mallory")
        with raises_code(StoreError, "conflict"):
            await again.append(KEPT.id, Row(2, "acted", "other"))
        async with again.reading() as connection:
            names = await connection.run_sync(lambda sync: sa.inspect(sync).get_table_names())
        assert sorted(names) == sorted([*metadata.tables, "alembic_version"])
    # The threads of both stores end; those of this loop and of a server that other tests share may stay.
    for thread in set(threading.enumerate()) - threads:
        if not thread.name.startswith("asyncio_"):
            await asyncio.to_thread(thread.join, 30)
            assert not thread.is_alive(), thread.name


async def test_a_store_closes_connections_that_are_still_in_use(address: str) -> None:
    store = await Store.open(address)
    is_reading, may_end = asyncio.Event(), asyncio.Event()
    opened: list[sa.PoolProxiedConnection] = []

    async def read() -> None:
        async with store.reading() as connection:
            opened.append(await connection.get_raw_connection())
            is_reading.set()
            await may_end.wait()

    reading = asyncio.create_task(read())
    await is_reading.wait()
    driver_connection: Any = opened[0].driver_connection
    closing = asyncio.create_task(store.close())
    for _ in range(3):
        await asyncio.sleep(0)
    may_end.set()
    await asyncio.gather(reading, closing)
    if address.startswith("postgresql"):
        assert driver_connection.closed
    else:
        with pytest.raises(ValueError, match="no active connection"):
            await driver_connection.execute("SELECT 1")


async def test_a_row_is_on_disk_when_append_returns(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    store = await Store.open(str(file))
    await store.create(KEPT)
    async with store._engine.connect() as connection:
        modes = [
            (await connection.execute(sa.text(f"PRAGMA {name}"))).scalar_one()
            for name in ("journal_mode", "synchronous")
        ]
    assert modes == ["wal", 2]
    for seq in range(2, 20):
        await store.append(KEPT.id, Row(seq, "acted", "{}"))
        # A program that was started after a crash would read this.
        copy = tmp_path / "copy.sqlite3"
        copy.write_bytes(file.read_bytes())
        copy.with_name("copy.sqlite3-wal").write_bytes(file.with_name(f"{file.name}-wal").read_bytes())
        found = sqlite3.connect(copy)
        assert found.execute("SELECT max(seq) FROM log_row").fetchone() == (seq,)
        found.close()
    await store.close()


def test_log_is_append_only(tmp_path: Path) -> None:
    """The database may refuse to change or delete rows of the log."""
    from tests.support.live_server import serving

    file = tmp_path / "games.sqlite3"
    opened(file)
    connection = sqlite3.connect(file)
    for what in ("UPDATE", "DELETE"):
        connection.execute(
            f"CREATE TRIGGER no_{what} BEFORE {what} ON log_row BEGIN SELECT RAISE(ABORT, 'append only'); END"
        )
    connection.commit()
    connection.close()
    with (
        serving(file) as live,
        live.person() as aiko,
        aiko.at_table(first_dealer="named", cut_before_deal="no") as page,
    ):
        page.until("waiting")
        page.act({"type": "NameDealer", "dealer": 1})
        page.alone()
        page.act(page.choices[0])
        page.settle()
        page.send("undo")
        assert page.until("table")["d"]["view"]["phase"] == "discard"


def test_damaged_database_is_reported_and_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    for junk in (
        b"not a database, but long enough to look like one" * 100,
        b"SQLite format 3\x00" + b"\xff" * 4096,
    ):
        file.write_bytes(junk)
        assert refusal(file) == "database-damaged"
        assert file.read_bytes() == junk
        file.unlink()

    opened(file)
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.executemany(
        "INSERT INTO match VALUES (?, 1, 'rules', 'options', NULL, NULL)",
        [(f"{n:016}",) for n in range(2000)],
    )
    connection.commit()
    connection.close()
    whole = file.read_bytes()
    damaged = whole[: len(whole) // 2] + b"\xa5" * 8192 + whole[len(whole) // 2 + 8192 :]
    file.write_bytes(damaged)
    assert refusal(file) == "database-damaged"
    file.write_bytes(whole)
    opened(file)


@pytest.mark.usefixtures("short_lock_timeout")
def test_locked_database_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    opened(file)
    holder = sqlite3.connect(file)
    holder.execute("PRAGMA journal_mode=DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    assert refusal(file) == "database-locked"
    holder.rollback()
    holder.close()
    opened(file)


@pytest.mark.usefixtures("short_lock_timeout")
def test_a_lock_during_play_loses_nothing(tmp_path: Path) -> None:
    """An action is refused while another program locks the database, and accepted afterwards."""
    from tests.support.live_server import serving

    file = tmp_path / "games.sqlite3"
    with serving(file) as live, live.person() as aiko, aiko.at_table(first_dealer="named") as page:
        page.until("waiting")
        holder = sqlite3.connect(file)
        holder.execute("BEGIN IMMEDIATE")
        page.send("act", {"type": "NameDealer", "dealer": 1})
        refused = page.until("refused")["d"]
        assert refused["code"] == "database-locked"
        assert "locked" in refused["message"]
        assert page.view["phase"] == "name-dealer"
        holder.rollback()
        holder.close()
        page.act({"type": "NameDealer", "dealer": 1})
        assert page.view["phase"] == "cut"


def test_foreign_and_newer_databases_are_refused_and_unchanged(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.sqlite3"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE log_row (mine TEXT)")
    connection.commit()
    connection.close()
    assert refusal(foreign) == "database-of-another-program"

    newer = tmp_path / "newer.sqlite3"
    opened(newer)
    connection = sqlite3.connect(newer)
    connection.execute("UPDATE alembic_version SET version_num='9999'")
    connection.commit()
    connection.close()
    assert refusal(newer) == "database-of-another-version"


def test_invalid_database_addresses_are_refused(tmp_path: Path) -> None:
    assert refusal("mysql://localhost/games") == "database-not-supported"
    assert refusal("://") == "database-address-unreadable"
    assert refusal(tmp_path / "missing" / "games.sqlite3") == "no-such-folder"
    assert refusal(tmp_path) == "database-unreachable"
    assert refusal("postgresql://127.0.0.1:1/games?connect_timeout=2") == "database-unreachable"


def test_default_database_is_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database_url(None).database == str(tmp_path / "fifteentwo" / "games.sqlite3")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert database_url(None).database == str(tmp_path / ".local" / "share" / "fifteentwo" / "games.sqlite3")
