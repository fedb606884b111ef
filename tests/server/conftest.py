"""Fixtures: one server for all tests of this folder that only need a server, and others."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.server.live import move_clock, socket, thinking
from fifteentwo.server.store import connection
from fifteentwo.server.store.store import Store
from tests.support import postgres
from tests.support.clocked_tables import Time
from tests.support.empty_databases import copy_empty_files
from tests.support.live_server import Live, Person, serving
from tests.support.luck import same_luck
from tests.support.stored_match import Process, opened_processes, opened_store

__all__ = ["database", "live", "same_luck"]


@pytest.fixture(autouse=True, scope="package")
def _empty_files() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        copy_empty_files(patch)
        yield


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "games.sqlite3"


def _person(name: str) -> Any:
    @pytest.fixture(name=name)
    def person(live: Live, request: pytest.FixtureRequest) -> Iterator[Person]:
        """Return a person with a browser of their own, in the language of the test."""
        lang = request.getfixturevalue("lang") if "lang" in request.fixturenames else "en"
        with live.person(lang) as one:
            yield one

    return person


PEOPLE = ("aiko", "ben", "bran", "guest", "host", "ken", "stranger")
aiko, ben, bran, guest, host, ken, stranger = map(_person, PEOPLE)


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a PostgreSQL database for the tests of one module."""
    with postgres.cluster() as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.long])])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the address of an empty database of each kind in turn."""
    if request.param == "sqlite":
        yield str(tmp_path / "games.sqlite3")
    else:
        with postgres.cluster() as one:
            yield one


@pytest.fixture(scope="session")
def live(database: Path) -> Iterator[Live]:
    """Run a server without the limits on speed, because tests play faster than people."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "PAGE_MESSAGES_PER_SECOND", 1e6)
        with serving(database) as server:
            yield server


@pytest.fixture
def short_lock_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report a locked SQLite file after half a second instead of two."""
    monkeypatch.setattr(connection, "SQLITE_LOCK_TIMEOUT_SECONDS", 0.5)


@pytest.fixture
def store(tmp_path: Path) -> AbstractAsyncContextManager[Store]:
    """Return a store in the test's folder, which is open while an async test runs."""
    return opened_store(tmp_path / "games.sqlite3")


@pytest.fixture
def process() -> AbstractAsyncContextManager[Process]:
    return opened_processes()


@pytest.fixture
def club_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the level club choose in workers: workers of higher levels load their tables for seconds."""
    monkeypatch.setattr(thinking, "needs_worker", lambda level: level == "club")


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """Replace the time of the move clocks by one that the test sets."""
    one = Time()
    monkeypatch.setattr(move_clock, "steady_clock", lambda: one.now)
    monkeypatch.setattr(move_clock, "wall_clock", lambda: one.date)
    monkeypatch.setattr(move_clock, "_PROCESS_START", 0.0)
    monkeypatch.setattr(thinking, "QUICK_LEVEL_DELAY", thinking.Delay(0, 0))
    return one
