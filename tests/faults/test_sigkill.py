"""SIGKILL at any moment: pages have shown only stored events, and every game continues from them."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import postgres as clusters
from tests.support.killed_games import killed_again_and_again, postgres_killed_again_and_again
from tests.support.postgres import Cluster

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with clusters.running() as one:
        yield one


def test_two_kills(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path / "games.sqlite3", 2, seed=1)


@pytest.mark.long
def test_five_kills(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path / "games.sqlite3", 5, seed=1)


@pytest.mark.slow
def test_fifty_kills(tmp_path: Path) -> None:
    killed_again_and_again(tmp_path / "games.sqlite3", 50, seed=2)


@pytest.mark.long
@pytest.mark.postgres
def test_three_kills_on_postgres(cluster: Cluster) -> None:
    killed_again_and_again(cluster.address, 3, seed=3)


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for what PostgreSQL started")
def test_postgres_is_killed(cluster: Cluster) -> None:
    postgres_killed_again_and_again(cluster, 1, seed=4)
