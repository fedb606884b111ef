"""Kills and outages of a server and its database: python -m tests.faults --kills 100."""

import os
import random
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import pytest

from tests.support import disturbed_site as site_of_two
from tests.support import outages
from tests.support import postgres as clusters
from tests.support.killed_games import killed_again_and_again, postgres_killed_again_and_again
from tests.support.live_server import serving

AT_A_TIME = 50
"""Kills at the same tables."""


@click.command(help=__doc__)
@click.option("--kills", default=20, show_default=True, help="SIGKILLs of a server on SQLite.")
@click.option("--postgres-kills", default=10, show_default=True, help="The same on PostgreSQL.")
@click.option("--kills-of-postgres", default=5, show_default=True, help="SIGKILLs of PostgreSQL itself.")
@click.option("--outage", "lengths", multiple=True, default=(1.0, 10.0), show_default=True, help="Seconds.")
@click.option("--site-kills", default=5, show_default=True, help="SIGKILLs of one of two behind nginx.")
@click.option("--misdirections", default=5, show_default=True, help="Pages sent to the wrong one of two.")
@click.option("--suspensions", default=1, show_default=True, help="SIGSTOPs of one of two, for 20 s.")
@click.option("--seed", default=1, show_default=True)
def main(
    kills: int,
    postgres_kills: int,
    kills_of_postgres: int,
    lengths: tuple[float, ...],
    site_kills: int,
    misdirections: int,
    suspensions: int,
    seed: int,
) -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start", flush=True)
    failed: list[str] = []

    def attacked(name: str, work: Callable[[], object]) -> None:
        print(name, flush=True)
        try:
            work()
        except (AssertionError, pytest.fail.Exception) as error:
            failed.append(name)
            print(f"FAILED: {error}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        for turn, some in enumerate(in_turns(kills)):
            file = Path(folder) / f"games-{turn}.sqlite3"
            work = partial(killed_again_and_again, file, some, seed + 1000 * turn)
            attacked(f"{some} kills on SQLite", work)
        for seconds in lengths:
            other = Path(folder) / f"held-{seconds}.sqlite3"
            attacked(f"SQLite held for {seconds} s", partial(held, other, seconds))
        with clusters.running() as cluster:
            for turn, some in enumerate(in_turns(postgres_kills)):
                work = partial(killed_again_and_again, cluster.address, some, seed + 1000 * turn)
                attacked(f"{some} kills on PostgreSQL", work)
            for turn, some in enumerate(in_turns(kills_of_postgres)):
                work = partial(postgres_killed_again_and_again, cluster, some, seed + 1000 * turn)
                attacked(f"{some} kills of PostgreSQL", work)
            events = [(site_of_two.kill, 5.0)] * site_kills
            events += [(site_of_two.misdirect, 5.0)] * misdirections
            events += [(site_of_two.suspend, 30.0)] * suspensions
            events += [(site_of_two.restart_database, 5.0)] * (kills_of_postgres if events else 0)
            random.Random(seed).shuffle(events)
            for turn in range(0, len(events), AT_A_TIME):
                apart = Path(folder) / f"site-{turn}"
                apart.mkdir()
                part = events[turn : turn + AT_A_TIME]
                attacked(
                    f"{len(part)} disturbances of two processes behind nginx",
                    partial(site_of_two.disturbed, cluster, apart, part, seed + turn),
                )
            for seconds in lengths:
                attacked(f"PostgreSQL away for {seconds} s", partial(gone, cluster, seconds))
    print(f"failed: {failed}" if failed else "nothing lost")
    sys.exit(bool(failed))


def in_turns(kills: int) -> list[int]:
    """Kill the server `kills` times, each time with new tables, and compare the whole log after each kill."""
    return [min(AT_A_TIME, kills - before) for before in range(0, kills, AT_A_TIME)]


def held(file: Path, seconds: float) -> None:
    with serving(file) as live:
        assert outages.goes_on(live, seconds, lambda: outages.held(file)) <= outages.BACK_WITHIN


def gone(cluster: clusters.Cluster, seconds: float) -> None:
    with serving(cluster.address) as live:
        assert outages.goes_on(live, seconds, lambda: outages.away(cluster)) <= outages.BACK_WITHIN


if __name__ == "__main__":
    main()
