"""What may go wrong with a server and its database, as often as asked: python -m tests.faults --kills 100."""

import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import pytest

from fifteentwo.server import pages
from tests.faults import test_outages as outages
from tests.faults import test_sigkill as sigkill
from tests.server import clusters
from tests.server.live import serving


@click.command(help=__doc__)
@click.option("--kills", default=20, show_default=True, help="SIGKILLs of a server on SQLite.")
@click.option("--postgres-kills", default=10, show_default=True, help="The same on PostgreSQL.")
@click.option("--kills-of-postgres", default=5, show_default=True, help="SIGKILLs of PostgreSQL itself.")
@click.option("--outage", "lengths", multiple=True, default=(1.0, 10.0), show_default=True, help="Seconds.")
@click.option("--seed", default=1, show_default=True)
def main(
    kills: int, postgres_kills: int, kills_of_postgres: int, lengths: tuple[float, ...], seed: int
) -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start", flush=True)
    failed: list[str] = []

    def attacked(name: str, work: Callable[[], None]) -> None:
        print(name, flush=True)
        try:
            work()
        except (AssertionError, pytest.fail.Exception) as error:
            failed.append(name)
            print(f"FAILED: {error}", flush=True)

    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(pages, "NEW_TABLES", (1000, 1e6))
        file = Path(folder) / "games.sqlite3"
        if kills:
            attacked(f"{kills} kills on SQLite", lambda: sigkill.killed_again_and_again(file, kills, seed))
        for seconds in lengths:
            other = Path(folder) / f"held-{seconds}.sqlite3"
            attacked(f"SQLite held for {seconds} s", partial(held, other, seconds))
        with clusters.running() as cluster:
            if postgres_kills:
                attacked(
                    f"{postgres_kills} kills on PostgreSQL",
                    lambda: sigkill.killed_again_and_again(cluster.address, postgres_kills, seed),
                )
            if kills_of_postgres:
                attacked(
                    f"{kills_of_postgres} kills of PostgreSQL",
                    lambda: sigkill.postgres_killed_again_and_again(cluster, kills_of_postgres, seed),
                )
            for seconds in lengths:
                attacked(f"PostgreSQL away for {seconds} s", partial(gone, cluster, seconds))
    print(f"failed: {failed}" if failed else "nothing lost")
    sys.exit(bool(failed))


def held(file: Path, seconds: float) -> None:
    with serving(file) as live:
        outages.goes_on(live, seconds, lambda: outages.held(file))


def gone(cluster: clusters.Cluster, seconds: float) -> None:
    with serving(cluster.address) as live:
        outages.goes_on(live, seconds, lambda: outages.away(cluster))


if __name__ == "__main__":
    main()
