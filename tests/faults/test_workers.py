"""Two processes on one PostgreSQL: whichever is killed or frozen, every table goes on in the other."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.support import postgres as clusters
from tests.support.live_server import PATIENCE
from tests.support.postgres import Cluster
from tests.support.serve_program import program
from tests.support.two_killed_processes import (
    BACK_WITHIN,
    frozen_and_thawed,
    killed_while_computers_are_to_act,
    wait_for,
    whole_games_with_kills,
)
from tests.support.worker_processes import serving_in

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc, and freezes processes"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with clusters.running() as one:
        yield one


@pytest.mark.long
def test_a_table_goes_on_in_the_other_process_when_its_own_is_killed(cluster: Cluster) -> None:
    killed_while_computers_are_to_act(cluster.address, 2, seed=1)


@pytest.mark.timed
def test_after_a_kill_a_table_goes_on_within_5_seconds(cluster: Cluster) -> None:
    assert max(killed_while_computers_are_to_act(cluster.address, 2, seed=1)) <= BACK_WITHIN


@pytest.mark.long
def test_a_process_that_slept_past_its_lease_adds_nothing(cluster: Cluster) -> None:
    frozen_and_thawed(cluster.address, 1, seed=2)


@pytest.mark.long
def test_a_process_that_slept_past_its_lease_adds_nothing_many_times(cluster: Cluster) -> None:
    frozen_and_thawed(cluster.address, 5, seed=3)


@pytest.mark.long
def test_whole_games_in_two_processes_that_are_killed(cluster: Cluster) -> None:
    whole_games_with_kills(cluster.address, 1, 4, seed=4)


# ── serve --workers ──────────────────────────────────────────────────────────────────────────────────────


def is_alive(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def answers(address: str) -> bool:
    with suppress(httpx.HTTPError):
        return httpx.get(address, timeout=PATIENCE).status_code == 200
    return False


@pytest.mark.long
def test_workers_share_an_address_are_replaced_and_end_together(cluster: Cluster) -> None:
    words = ("serve", "--port", "0", "--workers", "2", "--database", cluster.address)
    with program(*words) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, process.communicate()
        address = line[line.index("http://") :].split()[0]
        first = serving_in(process.pid)
        assert len(first) == 2
        assert all(answers(address) for _ in range(10))
        os.kill(first[0], signal.SIGKILL)
        wait_for(lambda: len(set(serving_in(process.pid)) - set(first)) == 1)
        wait_for(lambda: all(answers(f"{address}readyz") for _ in range(5)))
        now = serving_in(process.pid)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 143
        assert "process 1 ended (-9)" in errors
        assert "Traceback" not in errors
        assert not any(is_alive(one) for one in now)


@pytest.mark.long
def test_workers_end_with_the_process_that_started_them(cluster: Cluster) -> None:
    words = ("serve", "--port", "0", "--workers", "2", "--database", cluster.address)
    with program(*words) as process:
        assert process.stdout is not None
        assert "http://" in process.stdout.readline()
        both = serving_in(process.pid)
        assert len(both) == 2
        process.kill()
        process.wait()
        wait_for(lambda: not any(is_alive(one) for one in both))


@pytest.mark.parametrize(
    ("lang", "word"),
    [("en", "SQLite"), pytest.param("ja", "PostgreSQLを指定", marks=pytest.mark.long)],
)
def test_workers_on_a_sqlite_file_are_refused_in_one_line(tmp_path: Path, lang: str, word: str) -> None:
    file = str(tmp_path / "games.sqlite3")
    with program("serve", "--port", "0", "--workers", "3", "--database", file, "--lang", lang) as process:
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert output == ""
    assert len(errors.splitlines()) == 1
    assert word in errors
    assert "3" in errors
    assert not Path(file).exists()
