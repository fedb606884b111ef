"""Outages of the database: nothing is lost, and tables continue within 5 s of its return."""

import random
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from fifteentwo.server.background import log
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live import socket
from fifteentwo.server.live.table import LiveTable
from fifteentwo.server.pages import site
from fifteentwo.server.store.writer import NewRow, Writer
from tests.support import postgres as clusters
from tests.support.live_server import Page, serving
from tests.support.outages import BACK_WITHIN, away, goes_on, held
from tests.support.postgres import Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with clusters.running() as one:
        yield one


LENGTHS = [
    pytest.param(1, marks=pytest.mark.long),
    pytest.param(10, marks=pytest.mark.slow),
    pytest.param(60, marks=pytest.mark.slow),
]


@pytest.mark.postgres
@pytest.mark.parametrize("seconds", LENGTHS)
def test_tables_continue_after_an_outage_of_postgres(cluster: Cluster, seconds: float) -> None:
    with serving(cluster.address) as live:
        goes_on(live, seconds, lambda: away(cluster))


@pytest.mark.parametrize("seconds", LENGTHS)
def test_tables_continue_after_another_program_locked_the_file(tmp_path: Path, seconds: float) -> None:
    file = tmp_path / "games.sqlite3"
    with serving(file) as live:
        goes_on(live, seconds, lambda: held(file))


@pytest.mark.timed
def test_tables_continue_within_5_seconds_of_an_outage(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with serving(file) as live:
        assert goes_on(live, 1, lambda: held(file)) <= BACK_WITHIN


@pytest.mark.timed
@pytest.mark.postgres
def test_tables_continue_within_5_seconds_of_an_outage_of_postgres(cluster: Cluster) -> None:
    with serving(cluster.address) as live:
        assert goes_on(live, 1, lambda: away(cluster)) <= BACK_WITHIN


def test_r97_a_time_limit_that_ends_during_an_outage_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim is accepted when the database is back."""
    from tests.support.claims import asked, strict

    monkeypatch.setattr(site, "CHALLENGE_SECONDS_CHOICES", ("0.4", "60"))
    file, refused, act_for = tmp_path / "games.sqlite3", threading.Event(), LiveTable.act_for

    async def noted(*given: Any) -> None:
        try:
            await act_for(*given)
        except StoreError:
            refused.set()
            raise

    monkeypatch.setattr(LiveTable, "act_for", noted)
    with serving(file) as live, live.person() as aiko:
        game = aiko.new_game(**strict())
        with aiko.open(game) as page:
            asked(page)
            v = page.v
            with held(file):
                assert refused.wait(60)
                assert page.v == v
            while page.v == v:
                page.until("waiting")
            assert page.events[v + 1] == {"type": "Accepted", "seat": 0}


def settled_unless(page: Page, warned: list[str]) -> bool:
    """Return whether the page may act again; False if an action was refused before."""
    for _ in range(60):
        try:
            page.settle(timeout=1)
        except TimeoutError:
            if warned or any(one["code"] == "disk-full" for one in page.refused):
                return False
        else:
            return True
    raise AssertionError("nothing happens")


def test_a_full_disk_refuses_actions_and_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite limits the size of its file; when there is space, the same table continues.

    What does not fit is an action of the person, who is refused, or of the computer, which tries again.
    """
    from tests.support.stored import ledger_of

    file = tmp_path / "games.sqlite3"
    warned, most_pages, plain = list[str](), [1_000_000], Writer._insert

    def limited(own: Writer, connection: sa.Connection, rows: list[NewRow]) -> set[tuple[str, int]]:
        connection.exec_driver_sql(f"PRAGMA max_page_count={most_pages[0]}")
        return plain(own, connection, rows)

    monkeypatch.setattr(Writer, "_insert", limited)
    monkeypatch.setattr(socket, "PAGE_MESSAGES_PER_SECOND", 1e6)
    monkeypatch.setattr(log, "warning", lambda message, *why: warned.append(message % why))
    with serving(file) as live, live.person() as aiko:
        game = aiko.new_game("five-card", level_1="random")
        most_pages[0] = sqlite3.connect(file).execute("PRAGMA page_count").fetchone()[0]
        with aiko.open(game) as page:
            for _ in range(500):
                if not settled_unless(page, warned):
                    break
                page.send("act", page.choices[0])
                page.choices = []
                while (message := page.hear())["t"] not in ("waiting", "refused"):
                    pass
                if message["t"] == "refused":
                    if message["d"]["code"] == "disk-full":
                        break
                    page.send("lang", "en")
                    page.until("table")
            else:
                pytest.fail("the disk was never full")
            codes = [one["code"] for one in page.refused] + warned
            assert any("disk-full" in one for one in codes), codes
            assert ledger_of(file, game).v >= max(page.events)
            most_pages[0] = 1_000_000
            page.send("lang", "en")
            page.until("table")
            page.play_out(random.Random(1))
            assert page.view["won"]
