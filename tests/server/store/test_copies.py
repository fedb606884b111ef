"""Backups while people play, restoring, and copies to and from PostgreSQL: complete or not at all."""

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from fifteentwo.cli import main
from fifteentwo.server.errors import StoreError
from fifteentwo.server.store import copies, schema
from fifteentwo.server.store.copies import Contents, back_up, check_backup, restore
from tests.edges import damage
from tests.support import postgres as clusters
from tests.support.accounts import finished_game, keep
from tests.support.live_server import Live, serving
from tests.support.stored import rows_of


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(words))
    return result.exit_code, result.output


def test_backup_during_play_has_every_stored_row(tmp_path: Path) -> None:
    database, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    with serving(database) as live, live.person() as aiko, aiko.at_table() as page:
        page.alone()
        stop = threading.Event()

        def play() -> None:
            while not stop.is_set() and not page.view["won"]:
                page.settle()
                if page.choices:
                    page.act(page.choices[0])

        before = rows_of(database, page.game)
        playing = threading.Thread(target=play)
        playing.start()
        try:
            held = back_up(str(database), copy)
        finally:
            stop.set()
            playing.join(120)
        after = rows_of(database, page.game)
    rows = rows_of(copy, page.game)
    assert len(before) <= len(rows) == held.rows
    assert rows == after[: len(rows)], "a beginning of the log, without a gap"
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.long
def test_backup_ends_under_constant_writes_and_is_of_one_moment(tmp_path: Path) -> None:
    database, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    with serving(database) as live, live.person() as aiko:
        game = aiko.new_game()
    with sqlite3.connect(database) as connection:
        # The database is large enough for rows to be written during the copy.
        connection.execute("CREATE TABLE ballast (much BLOB)")
        connection.execute("INSERT INTO ballast VALUES (zeroblob(60000000))")
    connection.close()
    stop, wrote = threading.Event(), threading.Event()

    def write() -> None:
        connection = sqlite3.connect(database, isolation_level=None, timeout=10)
        row = (
            "INSERT INTO log_row SELECT match_id, ?, type, body, created_at FROM log_row "
            "WHERE match_id = ? AND seq = 1"
        )
        for seq in range(len(rows_of(database, game)) + 1, 3000):
            if stop.is_set():
                break
            connection.execute(row, (seq, game))
            wrote.set()
        connection.close()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        assert wrote.wait(60)
        held = back_up(str(database), copy)
        assert not stop.is_set()
        assert writing.is_alive(), "it ended before the last row was written"
    finally:
        stop.set()
        writing.join(60)
    rows, after = rows_of(copy, game), rows_of(database, game)
    assert len(rows) == held.rows < len(after)
    assert rows == after[: len(rows)], "a beginning of the log, without a gap"


def test_restore_returns_the_backup_and_keeps_the_replaced_database(tmp_path: Path) -> None:
    database, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    with serving(database) as live, live.person() as aiko:
        game = aiko.new_game(name="Aiko")
        assert run("backup", str(copy), "--database", str(database), "--json")[0] == 0
        kept = rows_of(copy, game)
        later = aiko.new_game()
        cookies = dict(aiko.browser.cookies)
        status, output = run("restore", str(copy), "--database", str(database))
        assert status == 1
        assert "database" in output
        assert len(rows_of(database, later)) == 1, "a server has it open: nothing has changed"
    status, output = run("restore", str(copy), "--database", str(database))
    assert status == 0, output
    assert rows_of(database, game) == kept
    assert rows_of(database, later) == []
    [before] = tmp_path.glob("games.sqlite3.before-*")
    assert len(rows_of(before, later)) == 1
    with serving(database) as live, Live(live.port).person() as again:
        again.browser.cookies.update(cookies)
        with again.open(game) as page:
            page.until("waiting")
            assert page.table["names"][0] == "Aiko"


def made(tmp_path: Path) -> Path:
    database, copy = tmp_path / "games.sqlite3", tmp_path / "copy.sqlite3"
    with serving(database) as live, live.person() as aiko:
        game = aiko.new_game()
        with aiko.open(game) as page:
            page.alone()
            page.act(page.choices[0])
        back_up(str(database), copy)
    return copy


def refused(work: object, *given: object) -> str:
    with pytest.raises(StoreError) as error:
        work(*given)  # type: ignore[operator]
    return error.value.code


def test_damaged_backup_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    copy = made(tmp_path)
    database = tmp_path / "games.sqlite3"
    whole, now = copy.read_bytes(), database.read_bytes()
    check_backup(copy)
    junk = tmp_path / "junk"
    for damaged, code in (
        (b"", "backup-of-another-program"),
        (b"junk" * 5000, "backup-of-another-program"),
        (whole[:50], "backup-torn"),
        (whole[: len(whole) // 2], "backup-torn"),
        (whole[:-1], "backup-torn"),
        (whole[: -copies._SEAL_BYTES], "backup-torn"),
        (whole[:4096] + b"\xa5" * (len(whole) - 4096), "backup-torn"),
        (whole[:4096] + b"\xa5" + whole[4097:], "backup-changed"),
        (whole + b"\n", "backup-torn"),
    ):
        junk.write_bytes(damaged)
        assert refused(restore, str(database), junk) == code
        assert database.read_bytes() == now
    for statement, code in (
        ("DELETE FROM log_row WHERE seq = 1", "database-damaged"),
        ("DELETE FROM match", "database-damaged"),
        ("UPDATE alembic_version SET version_num = '9999'", "database-of-another-version"),
        ("DROP TABLE log_row", "database-of-another-program"),
    ):
        junk.write_bytes(whole)
        change(junk, statement)
        assert refused(restore, str(database), junk) == "backup-changed"
        junk.write_bytes(sealed(junk.read_bytes()[: -copies._SEAL_BYTES]))
        assert refused(restore, str(database), junk) == code
        assert database.read_bytes() == now
    left = {one.name for one in tmp_path.iterdir()}
    assert left - {"games.sqlite3-serving"} == {"copy.sqlite3", "games.sqlite3", "junk"}


def change(database: Path, statement: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(statement)
    connection.commit()
    connection.close()


def sealed(content: bytes) -> bytes:
    """Return bytes with the checksum line of a backup."""
    return content + copies._SEAL_PREFIX + hashlib.sha256(content).hexdigest().encode() + b"\n"


def test_a_restored_database_has_the_owner_and_mode_of_the_one_it_replaces(tmp_path: Path) -> None:
    """If root restores, the service's user must be able to open every file."""
    copy, database = made(tmp_path), tmp_path / "games.sqlite3"
    database.chmod(0o640)
    service = 12345 if os.geteuid() == 0 else os.geteuid()
    for file in (database, tmp_path):
        os.chown(file, service, -1)
    for lock in tmp_path.glob("*-serving"):
        lock.unlink()
    restore(str(database), copy)
    assert (database.stat().st_uid, database.stat().st_mode & 0o777) == (service, 0o640)
    for file in tmp_path.glob("games.sqlite3*"):
        assert file.stat().st_uid == service, file.name
    other = tmp_path / "other.sqlite3"
    restore(str(other), copy)
    assert (other.stat().st_uid, other.stat().st_mode & 0o777) == (service, 0o600), "as its folder"


def test_damaged_database_is_not_backed_up(tmp_path: Path) -> None:
    made(tmp_path)
    database = tmp_path / "games.sqlite3"
    change(database, "DELETE FROM log_row WHERE seq = 1")
    assert refused(back_up, str(database), tmp_path / "new") == "database-damaged"
    assert not (tmp_path / "new").exists()


def test_changed_backup_is_refused(tmp_path: Path) -> None:
    assert damage.attack(made(tmp_path), 150, 1, tmp_path) == []


def test_backup_overwrites_no_file(tmp_path: Path) -> None:
    copy = made(tmp_path)
    database = str(tmp_path / "games.sqlite3")
    assert refused(back_up, database, copy) == "backup-exists"
    assert refused(back_up, database, tmp_path / "games.sqlite3") == "backup-exists"
    assert refused(back_up, str(tmp_path / "none.sqlite3"), tmp_path / "x") == "no-such-database"
    assert refused(back_up, database, tmp_path / "nowhere" / "x") == "no-such-folder"
    assert refused(restore, database, tmp_path / "nothing") == "no-such-backup"
    assert refused(restore, database, tmp_path / "games.sqlite3") == "backup-torn", "a database is no backup"


@pytest.fixture
def cluster() -> Iterator[str]:
    """Return the address of an empty PostgreSQL database."""
    with clusters.cluster() as address:
        yield address


def every_row(address: str) -> dict[str, list[tuple[object, ...]]]:
    engine = sa.create_engine(address.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        found = {
            table.name: sorted(map(tuple, connection.execute(table.select())), key=repr)
            for table in schema.metadata.sorted_tables
        }
    engine.dispose()
    return found


@pytest.mark.long
@pytest.mark.postgres
def test_database_can_move_from_sqlite_to_postgresql_and_back(
    tmp_path: Path, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "ROWS_PER_COPY", 7)
    database, copy, back = (tmp_path / f"{name}.sqlite3" for name in ("games", "copy", "back"))
    with serving(database) as live, live.person() as aiko:
        keep(aiko, "Aiko")
        game = finished_game(aiko)
        cookies = dict(aiko.browser.cookies)
        aiko.browser.get("/history")
        status, output = run("backup", str(copy), "--database", str(database), "--json")
        assert status == 0, output
    status, output = run("restore", str(copy), "--database", cluster, "--json")
    assert status == 0, output
    assert json.loads(output)["finished"] == 1
    rows = every_row(f"sqlite:///{copy}")
    assert rows["log_row"]
    assert rows["signed_in_browser"]
    assert every_row(cluster) == rows
    status, output = run("restore", str(copy), "--database", cluster)
    assert (status, "empty" in output) == (1, True)
    assert every_row(cluster) == rows
    with serving(cluster) as live, Live(live.port).person() as again:
        again.browser.cookies.update(cookies)
        assert game in again.browser.get("/history").text
        held = back_up(cluster, back)
    assert held == Contents(1, len(rows["log_row"]), 1)
    restored = tmp_path / "restored.sqlite3"
    restore(str(restored), back)
    now = every_row(f"sqlite:///{restored}")
    assert {name: now[name] for name in ("player", "log_row", "finished_game", "account", "rating")} == {
        name: rows[name] for name in ("player", "log_row", "finished_game", "account", "rating")
    }


@pytest.mark.postgres
def test_a_copy_that_fails_leaves_postgresql_empty(
    tmp_path: Path, cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = made(tmp_path)

    def lose_a_row(there: sa.Connection, into: sa.Connection) -> None:
        rows(there, into)
        into.execute(schema.log_row.delete().where(schema.log_row.c.seq == 2))

    rows = copies._copy_rows
    with monkeypatch.context() as patch:
        patch.setattr(copies, "_copy_rows", lose_a_row)
        assert refused(restore, cluster, copy) == "database-damaged"
    held, before = restore(cluster, copy)
    assert (held.tables, before) == (1, None)


def test_write_ahead_log_of_another_database_is_ignored(tmp_path: Path) -> None:
    """SQLite reads FILE-wal as the log of FILE, even if another database wrote it."""
    copy = made(tmp_path)
    other = tmp_path / "other"
    other.write_bytes(copy.read_bytes())
    connection = sqlite3.connect(other, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE of_another (row)")
    log = (tmp_path / "other-wal").read_bytes()
    connection.close()

    def restored(name: str) -> bool:
        back = sqlite3.connect(tmp_path / name)
        found = back.execute("SELECT 1 FROM sqlite_master WHERE name = 'of_another'").fetchone()
        back.close()
        return found is None

    (tmp_path / "copy.sqlite3-wal").write_bytes(log)
    restore(str(tmp_path / "first"), copy)
    assert restored("first")
    (tmp_path / "second-wal").write_bytes(log)
    restore(str(tmp_path / "second"), copy)
    assert restored("second")
    [kept] = tmp_path.glob("second.before-*-wal")
    assert kept.read_bytes() == log, "it may be all that is left of a database that was moved away"
    (tmp_path / "third-wal").write_bytes(log)
    assert refused(back_up, str(tmp_path / "games.sqlite3"), tmp_path / "third") == "backup-exists"
