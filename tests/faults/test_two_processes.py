"""Two processes behind nginx on PostgreSQL: everybody can play after one of them fails."""

from pathlib import Path

import pytest

from tests.support.behind_nginx import needs_nginx
from tests.support.disturbed_site import disturbed, kill, misdirect, restart_database, suspend
from tests.support.postgres import running

PATIENCE = 60.0
"""Seconds; far more than a busy machine needs. `python -m tests.faults` measures how many they are."""

pytestmark = [pytest.mark.long, pytest.mark.postgres, needs_nginx]


def test_everybody_plays_after_kills_misdirections_and_outages(tmp_path: Path) -> None:
    each = [(kill, PATIENCE), (misdirect, PATIENCE), (restart_database, PATIENCE), (kill, PATIENCE)]
    with running() as cluster:
        disturbed(cluster, tmp_path, [*each, *each, (restart_database, PATIENCE)], seed=1)


def test_a_process_that_is_suspended_for_twenty_seconds_breaks_nothing(tmp_path: Path) -> None:
    with running() as cluster:
        disturbed(cluster, tmp_path, [(suspend, PATIENCE)], seed=2)
