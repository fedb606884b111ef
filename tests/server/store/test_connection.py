"""SQLite files are read over several connections, so that a slow read delays no other."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from fifteentwo.i18n import text
from fifteentwo.server.app import make_app
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import connection
from fifteentwo.server.store.connection import MAX_READ_CONNECTIONS
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Row
from tests.support.errors import raises_code
from tests.support.stored_match import KEPT


class Held:
    """Queries that run until the test ends them."""

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._most = most
        self._begun = 0
        self._all_begun = threading.Event()
        self._let_go = threading.Event()

    def _hold(self) -> int:
        self._begun += 1
        if self._begun == self._most:
            self._all_begun.set()
        assert self._let_go.wait(60)
        return 1

    async def _query(self) -> None:
        async with self._store.reading() as connection:
            raw: Any = await connection.get_raw_connection()
            await raw.driver_connection.create_function("hold", 0, self._hold)
            await connection.execute(sa.text("SELECT hold()"))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the queries during a block."""
        tasks = [asyncio.create_task(self._query()) for _ in range(self._most)]
        try:
            assert await asyncio.to_thread(self._all_begun.wait, 60)
            yield
            assert not any(task.done() for task in tasks)
        finally:
            self._let_go.set()
            await asyncio.gather(*tasks)


async def test_slow_queries_delay_no_page_and_no_write(tmp_path: Path) -> None:
    store = await Store.open(str(tmp_path / "games.sqlite3"))
    app = make_app(store=store)
    async with app.router.lifespan_context(app), Held(store, MAX_READ_CONNECTIONS - 1).running():
        browser = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
        async with asyncio.timeout(60), browser:
            made = await browser.post("/games", data={"variant": "six-card", "level_1": "random"})
            assert made.status_code == 303
            home = await browser.get("/")
        assert made.headers["location"] in home.text


async def test_read_without_a_free_connection_is_refused_with_retry_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert connection.POOL_TIMEOUT_SECONDS <= 2.0
    monkeypatch.setattr(connection, "POOL_TIMEOUT_SECONDS", 0.05)
    store = await Store.open(str(tmp_path / "games.sqlite3"))
    app = make_app(store=store)
    browser = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
    async with app.router.lifespan_context(app), browser:
        made = await browser.post("/games", data={"variant": "six-card", "level_1": "random"})
        async with Held(store, MAX_READ_CONNECTIONS).running(), asyncio.timeout(20):
            busy = await browser.get("/")
        assert (busy.status_code, busy.headers["Retry-After"]) == (503, "5")
        assert text("refusal.database-busy", "en") in busy.text
        assert made.headers["location"] in (await browser.get("/")).text


async def test_a_read_sees_every_write_that_was_committed_before_it(store: Store) -> None:
    await store.create(KEPT)
    # There are more readers than connections: each connection is used.
    for seq in range(2, 40):
        await store.append(KEPT.id, Row(seq, "acted", "{}"))
        read = await asyncio.gather(*(store.rows(KEPT.id, seq, 5) for _ in range(MAX_READ_CONNECTIONS + 2)))
        assert {rows[-1].seq for rows in read} == {seq}
    assert await store.take_seat(KEPT.id, 2, "guest", "Ken")
    read_people = await asyncio.gather(*(store.people(KEPT.id) for _ in range(MAX_READ_CONNECTIONS + 2)))
    assert {people[2].owner for people in read_people} == {"guest"}


@pytest.mark.parametrize("file", ["games.sqlite3", ":memory:"])
async def test_read_connections_cannot_write(tmp_path: Path, file: str) -> None:
    store = await Store.open(file if file == ":memory:" else str(tmp_path / file))
    await store.create(KEPT)
    assert await store.load(KEPT.id) is not None
    if file != ":memory:":
        with raises_code(StoreError, "database-read-only"):
            async with store.reading() as connection:
                await connection.execute(sa.text("DELETE FROM log_row"))
    assert await store.rows(KEPT.id, 1, 5) == KEPT.rows
    await store.close()
