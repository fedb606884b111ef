"""How long people wait, and how far apart paired ratings are: python -m tests.measured.play_now.

Two hundred people press "Play now" within two minutes of an injected clock. Two processes on one database
poll for half of them each, both at the same time.
"""

import asyncio
import math
import multiprocessing
import random
import tempfile
from collections import Counter
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people import play_now
from fifteentwo.server.store.schema import waiting_player
from fifteentwo.server.store.store import Store
from tests.support import postgres

PEOPLE, GUESTS, BEST_OF_THREE = 200, 60, 40
ARRIVALS_SECONDS, LAST_SECOND, TICK_SECONDS, POLL_SECONDS = 120, 420, 0.5, 2.0
START = 1_000_000
PROCESSES = 2
RATING_SPREAD = 150
"""Standard deviation of the ratings of accounts; guests have the rating of a new player."""


class Wait(NamedTuple):
    """A person: when they come, what they chose, their rating, when they were paired and with which match."""

    owner: str
    arrives: float
    length: str
    points: int
    paired_at: float = math.nan
    match_id: str = ""


class Figures(NamedTuple):
    """What the simulation found."""

    waits: list[float]
    gaps: list[int]
    left_over: int
    twice: int
    """People who have two opponents, or whose opponent has another."""


def people(seed: int) -> list[Wait]:
    rng = random.Random(seed)
    found = []
    for number in range(PEOPLE):
        points = 1500 if number < GUESTS else round(rng.gauss(1500, RATING_SPREAD))
        length = "to-2" if number % (PEOPLE // BEST_OF_THREE) == 0 else "open"
        found.append(Wait(f"person {number}", rng.uniform(0, ARRIVALS_SECONDS), length, points))
    return found


def simulate(database: str, seed: int = 1) -> Figures:
    """Let two processes serve all people, and read the result from the database."""
    asyncio.run(_migrated(database))
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(PROCESSES), context.SimpleQueue()
    everybody = people(seed)
    shares = [everybody[number::PROCESSES] for number in range(PROCESSES)]
    started = [context.Process(target=_serve, args=(database, share, barrier, results)) for share in shares]
    for one in started:
        one.start()
    served = [wait for _ in started for wait in results.get()]
    for one in started:
        one.join(60)
    return _figures(served, asyncio.run(_rows(database)))


async def _migrated(database: str) -> None:
    await (await Store.open(database)).close()


async def _rows(database: str) -> list[Any]:
    store = await Store.open(database)
    rows = list(await store.select(waiting_player.select()))
    for row in rows:
        if row.match_id is not None:
            seated = {one.owner for one in await store.people(row.match_id)}
            assert seated == {row.owner, row.opponent}, (row, seated)
    await store.close()
    return rows


def _figures(served: list[Wait], rows: list[Any]) -> Figures:
    points = {one.owner: one.points for one in served}
    opponents = {row.owner: row.opponent for row in rows if row.match_id is not None}
    sizes = Counter(row.match_id for row in rows if row.match_id is not None)
    seen = {one.owner: one.match_id for one in served}
    twice = sum(size != 2 for size in sizes.values())
    twice += sum(opponents.get(other) != owner for owner, other in opponents.items())
    twice += sum(row.match_id is not None and row.match_id != seen[row.owner] for row in rows)
    paired = [one for one in served if one.match_id]
    gaps = [abs(points[owner] - points[other]) for owner, other in opponents.items() if owner < other]
    return Figures(
        sorted(one.paired_at - one.arrives for one in paired), sorted(gaps), len(served) - len(paired), twice
    )


def _serve(database: str, share: list[Wait], barrier: Barrier, results: Any) -> None:
    """Serve a share of the people, in step with the other process."""
    results.put(asyncio.run(_serve_all(database, share, barrier)))


async def _serve_all(database: str, share: list[Wait], barrier: Barrier) -> list[Wait]:
    store = await Store.open(database)
    tables = Tables(store)
    now, waiting = 0.0, dict[str, Wait]()
    play_now.wall_clock = lambda: START + now
    arriving = sorted(share, key=lambda one: one.arrives, reverse=True)
    done, next_poll = list[Wait](), dict[str, float]()
    while now <= LAST_SECOND:
        await asyncio.to_thread(barrier.wait, 120)
        while arriving and arriving[-1].arrives <= now:
            one = arriving.pop()
            waiting[one.owner], next_poll[one.owner] = one, now
            wish = {"name": one.owner, "points": one.points, "length": one.length, "move_seconds": 20}
            await play_now.start_waiting(store, one.owner, {**wish, "browser": "", "address": ""}, None)
        due = [owner for owner in waiting if next_poll[owner] <= now]
        rows = await asyncio.gather(*[play_now.poll(store, owner) for owner in due])
        for owner, row in zip(due, rows, strict=True):
            next_poll[owner] = now + POLL_SECONDS
            if row.match_id is not None and await play_now.table_of_pair(tables, row) is not None:
                one = waiting.pop(owner)
                done.append(one._replace(paired_at=max(now, one.arrives), match_id=row.match_id))
        now += TICK_SECONDS
    await tables.close()
    await store.close()
    return done + list(waiting.values())


def show(kind: str, found: Figures) -> None:
    def of_100(sorted_values: list[Any], place: int) -> Any:
        return sorted_values[math.ceil(len(sorted_values) * place / 100) - 1]

    cells = [f"{median(found.waits):.1f}", f"{of_100(found.waits, 99):.1f}", f"{found.waits[-1]:.1f}"]
    cells += [
        f"{median(found.gaps):.0f}",
        str(of_100(found.gaps, 99)),
        str(found.left_over),
        str(found.twice),
    ]
    print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Print a table with a row for each database."""
    print("| | seconds: median | 99 of 100 | most | points apart: median | 99 of 100 | left over | twice |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for seed in (1, 2, 3):
        with postgres.cluster() as address:
            show(f"PostgreSQL, seed {seed}", simulate(address, seed))
    with tempfile.TemporaryDirectory() as folder:
        show("SQLite", simulate(str(Path(folder) / "games.sqlite3")))


if __name__ == "__main__":
    main()
