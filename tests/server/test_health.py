"""A failure logs one line and makes the server unready; a failed background task logs one line."""

import asyncio
import logging
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.engine import URL

from fifteentwo.server import background, health
from fifteentwo.server.errors import StoreError
from fifteentwo.server.health import Health
from fifteentwo.server.http import logs, metrics
from fifteentwo.server.live import computers
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.store import connection
from fifteentwo.server.store import store as kept
from fifteentwo.server.store.store import Store
from tests.support import postgres as clusters
from tests.support.clocked_tables import Now
from tests.support.live_server import Live, serving

_END_THE_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE pid <> pg_backend_pid() AND datname = 'postgres'"
)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records]


def test_outage_logs_one_line_at_its_start_and_one_at_its_end(caplog: pytest.LogCaptureFixture) -> None:
    now = Now()
    condition = Health("writing", now)
    for _ in range(100):
        condition.note_failure("disk-full", OSError("no room"))
        now.seconds += 1
        # A small row fits sometimes.
        condition.note_success()
        assert condition.failure_code == "disk-full"
    now.seconds += health.RECOVERY_SECONDS
    condition.note_success()
    assert condition.failure_code is None
    assert lines(caplog) == ["writing fails: disk-full (no room)", "writing works again"]


def test_outage_after_a_long_pause_logs_a_new_line(caplog: pytest.LogCaptureFixture) -> None:
    now = Now()
    condition = Health("writing", now)
    for _ in range(2):
        condition.note_failure("disk-full")
        now.seconds += 1
        condition.note_success()
        now.seconds += 3600
    assert lines(caplog) == ["writing fails: disk-full"] * 2


def test_each_reason_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    condition = Health("writing", Now())
    for code in ("disk-full", "database-locked") * 3:
        condition.note_failure(code)
    assert lines(caplog) == ["writing fails: disk-full", "writing fails: database-locked"]


def ready(live: Live) -> tuple[int, str]:
    answer = httpx.get(f"{live.http}/readyz", timeout=60)
    return answer.status_code, answer.text


@pytest.mark.parametrize(
    ("pragma", "code"),
    [("PRAGMA query_only=ON", "database-read-only"), ("PRAGMA nonsense(", "database-unreachable")],
)
def test_database_without_writes_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, pragma: str, code: str
) -> None:
    plain = connection.make_log_engine

    def spoiled(url: URL) -> sa.Engine:
        engine = plain(url)
        connection.run_on_connect(engine, (pragma,))
        return engine

    monkeypatch.setattr("fifteentwo.server.store.store.make_log_engine", spoiled)
    # Its tables were created a moment ago.
    monkeypatch.setattr(kept, "WRITE_CHECK_SECONDS", 0.0)
    with serving(tmp_path / "games.sqlite3") as live:
        for _ in range(3):
            assert ready(live) == (503, f"the database takes nothing: {code}\n")
        figures = httpx.get(f"{live.http}/metrics", timeout=60).text
    assert "\nfifteentwo_database_writable 0.0\n" in figures
    assert len([line for line in lines(caplog) if line.startswith("writing to the database fails")]) == 1


def test_a_database_file_that_was_removed_or_replaced_is_not_ready(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with serving(file) as live:
        assert ready(live) == (200, "ok\n")
        file.rename(tmp_path / "moved.sqlite3")
        assert ready(live) == (503, "the database takes nothing: database-file-gone\n")
        file.write_bytes(b"")
        assert ready(live)[0] == 503, "another file of the same name"


async def test_a_database_that_cannot_be_read_is_not_ready(store: Store) -> None:
    assert await metrics.write_problem(store) is None
    store.read_health.note_failure("database-damaged")
    assert await metrics.write_problem(store) == "the database cannot be read: database-damaged"


def test_a_file_that_another_program_holds_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SQLITE_LOCK_TIMEOUT_SECONDS", 0.1)
    monkeypatch.setattr(health, "RECOVERY_SECONDS", 0.0)
    with serving(tmp_path / "games.sqlite3") as live:
        assert ready(live) == (200, "ok\n")
        holder = sqlite3.connect(tmp_path / "games.sqlite3", isolation_level=None)
        monkeypatch.setattr(kept, "WRITE_CHECK_SECONDS", 0.0)
        holder.execute("BEGIN IMMEDIATE")
        assert ready(live) == (503, "the database takes nothing: database-locked\n")
        holder.execute("ROLLBACK")
        holder.close()
        assert ready(live) == (200, "ok\n")


async def test_recent_write_saves_a_write_check(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    """Probes cause no writes."""
    assert store._writer is not None
    now = Now()
    store.write_health = store._writer._condition = Health("writing", now)
    tried = list[float]()
    monkeypatch.setattr(store._writer, "_probe", lambda _: tried.append(now.seconds))
    for _ in range(100):
        await store.check_writable()
        now.seconds += 0.1
    assert 4 <= len(tried) <= 6


def dying(error: Exception) -> list[logging.LogRecord]:
    records: list[logging.LogRecord] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    async def dies() -> None:
        raise error

    async def work() -> None:
        tasks = background.Tasks()
        await asyncio.wait([background.start_task(dies()), tasks.start(dies())])
        await asyncio.sleep(0)

    handler = Kept()
    logging.getLogger().addHandler(handler)
    try:
        asyncio.run(work())
    finally:
        logging.getLogger().removeHandler(handler)
    return records


def test_failed_background_task_logs_one_error_with_traceback() -> None:
    records = dying(ZeroDivisionError("a fault"))
    assert [one.levelname for one in records] == ["ERROR", "ERROR"], "one each"
    assert all("dies" in one.getMessage() and one.exc_info for one in records)


def test_only_the_store_logs_an_unavailable_database() -> None:
    assert dying(StoreError("disk-full")) == []


async def test_error_of_an_abandoned_task_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    go = asyncio.Event()

    async def dies() -> None:
        await go.wait()
        raise ZeroDivisionError

    tasks = background.Tasks()
    waits = asyncio.create_task(tasks.finish(dies()))
    await asyncio.sleep(0)
    waits.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waits
    go.set()
    await tasks.wait(60)
    # A waiting caller receives the error, so it is not logged.
    with pytest.raises(ZeroDivisionError):
        await tasks.finish(dies())
    assert len(caplog.records) == 1


def test_failed_thread_logs_one_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    background.log_thread_exceptions()

    def dies() -> None:
        raise ZeroDivisionError("a fault")

    thread = threading.Thread(target=dies, name="loading")
    thread.start()
    thread.join()
    [record] = caplog.records
    assert (record.levelname, record.getMessage()) == ("ERROR", "a background thread failed: loading")
    assert "ZeroDivisionError" in logs.PlainFormatter().format(record)


def test_pages_are_told_once_why_a_computer_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries, is_full = list[int](), [True]
    act_for = LiveTable.act_for

    async def full(self: LiveTable, person: int, action: Any, revision: int) -> None:
        if is_full[0]:
            tries.append(person)
            raise StoreError("disk-full")
        await act_for(self, person, action, revision)

    monkeypatch.setattr(LiveTable, "act_for", full)
    monkeypatch.setattr(computers, "WRITE_RETRY_SECONDS", 0.01)
    with (
        serving(tmp_path / "games.sqlite3") as live,
        live.person("ja") as aiko,
        aiko.open(aiko.new_game(first_dealer="named", cut_before_deal="no", counting="automatic")) as page,
    ):
        page.until("waiting")
        page.act({"type": "NameDealer", "dealer": 0})
        page.until("refused")
        while len(tries) < 5:
            time.sleep(0.01)
        is_full[0] = False
        page.settle()
        assert [one["code"] for one in page.refused] == ["disk-full"]
        assert "ディスクに空きがない" in page.refused[0]["message"]


@pytest.mark.long
@pytest.mark.postgres
def test_unavailable_or_read_only_postgres_is_not_ready_and_logs_one_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    psycopg = pytest.importorskip("psycopg")
    monkeypatch.setattr(kept, "WRITE_CHECK_SECONDS", 0.0)
    monkeypatch.setattr(health, "RECOVERY_SECONDS", 0.0)
    with (
        clusters.running() as cluster,
        serving(cluster.address) as live,
        live.person() as aiko,
        aiko.open(aiko.new_game(level_1="random")) as page,
    ):
        page.settle()
        assert ready(live) == (200, "ok\n")
        cluster.end()
        for _ in range(5):
            assert ready(live)[0] == 503
        kinds = [line.split(":")[0] for line in lines(caplog)]
        assert sorted(kinds) == sorted(set(kinds)), "one of each kind"
        assert "reading the database fails" in kinds
        cluster.start()
        while ready(live)[0] != 200:
            time.sleep(0.05)

        def read_only(how: bytes) -> None:
            with psycopg.connect(cluster.address, autocommit=True) as connection:
                connection.execute(b"SET default_transaction_read_only = off")
                connection.execute(b"ALTER DATABASE postgres SET default_transaction_read_only = " + how)
                connection.execute(_END_THE_OTHERS)

        read_only(b"on")
        assert ready(live) == (503, "the database takes nothing: database-read-only\n")
        read_only(b"off")
        while ready(live)[0] != 200:
            time.sleep(0.05)
