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


@pytest.mark.long
@pytest.mark.parametrize("kills", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_a_server_is_killed(tmp_path: Path, kills: int) -> None:
    killed_again_and_again(tmp_path / "games.sqlite3", kills, seed=1)


@pytest.mark.long
@pytest.mark.postgres
def test_three_kills_on_postgres(cluster: Cluster) -> None:
    killed_again_and_again(cluster.address, 3, seed=3)


@pytest.mark.long
@pytest.mark.postgres
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for what PostgreSQL started")
def test_postgres_is_killed(cluster: Cluster) -> None:
    postgres_killed_again_and_again(cluster, 1, seed=4)
