"""The load that one server carries: python -m lab load --tables 50 --tables 200 --database postgres.

At each table one person, simulated by this process, plays a move every two seconds against computers. The
server is another process; the tables are stored before it starts. Latency is the time from an action to its
first event. Moves are made by persons, rows by persons and computers. "Slowed" is the time of a
fixed piece of work during the measurement, divided by its shortest time: on a machine with other users it
shows how much the figures suffer. Linux only.
"""

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fifteentwo.rules.variants import rules_for
from fifteentwo.server.http import sessions
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.live.wire import PROTOCOL
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options as TableOptions
from fifteentwo.server.table_log.rows import Person
from tests.support.behind_nginx import served_site
from tests.support.postgres import cluster, family

WARMUP_TABLES = 10
"""Tables that start first, because the first tables load what all tables need."""
COLUMNS = (
    *("tables", "moves/s", "rows/s", "ms CPU a move", "ms CPU a row", "slowed", "p50 ms", "p99 ms"),
    "kB a table",
)
"""Headings of the printed figures."""


class Options(NamedTuple):
    """Options of a measurement; the fields are options of the command line."""

    tables: int
    """Tables with one person each."""
    seconds: float
    """Seconds that are measured."""
    level: str
    """Level of the computer players."""
    variant: str
    pace: float
    """Seconds between a person's moves."""
    processes: int
    """Server processes; several run behind nginx."""


class StoredTable(NamedTuple):
    """A table in the database and the session token of its person."""

    game: str
    """Identifier of the game, as in its address."""
    token: str


class Counts:
    """Moves, response times and lost connections of the simulated persons."""

    def __init__(self) -> None:
        self.lost = 0
        self.begin(0.0)
        self.measuring = False

    def begin(self, now: float) -> None:
        """Set the counts to 0 and start to count. now: the time of `time.perf_counter`."""
        self.measuring = True
        self.since = now
        self.moves = 0
        self.waits: list[float] = []

    def quantile(self, part: float) -> float:
        """Return the seconds within which this share (0–1) of all actions had a response."""
        waits = sorted(self.waits) or [float("nan")]
        return waits[int(len(waits) * part)]


async def store_tables(database: str, asked: Options) -> list[StoredTable]:
    """Store new tables in a database; return them."""
    store = await Store.open(database)
    tables, all_tables = Tables(store), []
    rules = rules_for(asked.variant)
    for _ in range(asked.tables):
        token = sessions.new_token()
        computers = (Person(name="", level=asked.level),) * (rules.seats - 1)
        people = (Person(name="A", owner=sessions.owner_of_token(token)), *computers)
        all_tables.append(StoredTable(await tables.create(rules, TableOptions(), people), token))
    await store.close()
    return all_tables


@contextmanager
def run_servers(database: str, processes: int = 1) -> Iterator[tuple[list[int], int]]:
    """Start servers, behind nginx if there are several; yield their process numbers and the port."""
    if processes > 1:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)  # nginx may run as another user
            with served_site(database, Path(folder), processes) as site:
                yield [one.pid for one in site.processes], site.live.port
        return
    command = [sys.executable, "-m", "fifteentwo", "serve", "--port", "0", "--database", database]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = re.search(r":(\d+)/", process.stdout.readline())
        assert port is not None, "the server did not start"
        yield [process.pid], int(port[1])
    finally:
        process.terminate()
        process.wait(30)


def processor_time(servers: list[int]) -> float:
    """Return the seconds of processor time of the servers and their workers."""
    ticks = 0
    for one in [pid for server in servers for pid in family(server)]:
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_bytes(servers: list[int]) -> int:
    """Return the memory of the servers and their workers, in bytes."""
    pages = 0
    for one in [pid for server in servers for pid in family(server)]:
        with suppress(OSError):
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def play(table: StoredTable, port: int, asked: Options, tally: Counts, rng: random.Random) -> None:
    """Play random moves at one table, one game after another, until cancelled."""
    await asyncio.sleep(rng.uniform(0, asked.pace))
    address = f"ws://127.0.0.1:{port}/game/{table.game}/socket?protocol={PROTOCOL}&lang=en"
    while True:
        try:
            headers = {"Cookie": f"{sessions.BROWSER_COOKIE.name}={table.token}"}
            async with connect(address, additional_headers=headers) as line:
                await _play_turns(line, asked, tally, rng)
        except (ConnectionClosed, OSError):
            tally.lost += tally.measuring
            await asyncio.sleep(1)


async def _play_turns(line: ClientConnection, asked: Options, tally: Counts, rng: random.Random) -> None:
    view: dict[str, Any] = {}
    sent = 0.0
    clock = time.perf_counter
    due = clock() + asked.pace
    while True:
        ready = view.get("choices") or view.get("view", {}).get("won")
        try:
            async with asyncio.timeout(max(0.0, due - clock()) if ready else None):
                frame = await line.recv()
        except TimeoutError:
            due += asked.pace
            if view["view"]["won"]:
                await line.send(b'{"t":"next-game"}'.decode())
                view = {}
                continue
            sent = clock()
            await line.send(msgspec.json.encode({"t": "act", "d": rng.choice(view["choices"])}).decode())
            view = {}
            continue
        messages = msgspec.json.Decoder().decode_lines(frame)
        if sent and any(message["t"] == "event" for message in messages):
            if tally.measuring:
                tally.moves += 1
                # Actions before `since` waited while this process read the database.
                if sent > tally.since:
                    tally.waits.append(clock() - sent)
            sent = 0.0
        views = [message["d"] for message in messages if message["t"] in ("table", "view")]
        view = views[-1] if views else view
        due = max(due, clock())


def fixed_work_seconds() -> float:
    """Return the seconds of processor time that a fixed amount of work takes."""
    began, steps = time.thread_time(), 0
    for step in range(40_000):
        steps += step & 7
    return time.thread_time() - began


async def measure_slowdown(pieces: list[float]) -> None:
    """Append the seconds of fixed work every quarter of a second, until cancelled."""
    while True:
        pieces.append(fixed_work_seconds())
        await asyncio.sleep(0.25)


async def log_rows(database: str) -> int:
    """Return the number of rows in the database's log."""
    import sqlalchemy as sa

    from fifteentwo.server.store.schema import log_row

    store = await Store.open(database)
    async with store.reading() as connection:
        found = (await connection.execute(sa.select(sa.func.count()).select_from(log_row))).scalar_one()
    await store.close()
    return int(found)


async def measure(database: str, asked: Options) -> None:
    """Print a line of figures for one number of tables."""
    tables = await store_tables(database, asked)
    tally, rng, playing = Counts(), random.Random(1), list[asyncio.Task[None]]()
    shortest = min(fixed_work_seconds() for _ in range(50))

    async def start(some: list[StoredTable]) -> None:
        for table in some:
            own = random.Random(rng.random())
            playing.append(asyncio.create_task(play(table, port, asked, tally, own)))
        await asyncio.sleep(3 * asked.pace)

    with run_servers(database, asked.processes) as (servers, port):
        await start(tables[:WARMUP_TABLES])
        before = memory_bytes(servers)
        await start(tables[WARMUP_TABLES:])
        pieces: list[float] = []
        rows, counted = await log_rows(database), time.perf_counter()
        # Moves that were due while this process counted all came at once.
        await asyncio.sleep(2 * asked.pace)
        used, began = processor_time(servers), time.perf_counter()
        tally.begin(began)
        gauging = asyncio.create_task(measure_slowdown(pieces))
        await asyncio.sleep(asked.seconds)
        gauging.cancel()
        tally.measuring = False
        used, took = processor_time(servers) - used, time.perf_counter() - began
        grown = memory_bytes(servers) - before
        rows_a_second = (await log_rows(database) - rows) / (time.perf_counter() - counted)
        figures = (
            asked.tables,
            tally.moves / took,
            rows_a_second,
            used / max(1, tally.moves) * 1000,
            used / took / max(1.0, rows_a_second) * 1000,
            sum(pieces) / len(pieces) / min(shortest, *pieces),
            tally.quantile(0.5) * 1000,
            tally.quantile(0.99) * 1000,
            grown / max(1, asked.tables - WARMUP_TABLES) / 1000,
        )
        print("  ".join(f"{one:13.2f}" for one in figures), flush=True)
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


@click.command(help=__doc__)
@click.option("--tables", multiple=True, default=(50, 200), show_default=True, type=int)
@click.option("--seconds", default=20.0, show_default=True)
@click.option("--level", default="club", show_default=True)
@click.option("--variant", default="six-card", show_default=True)
@click.option("--pace", default=2.0, show_default=True, help="Seconds between a person's moves.")
@click.option("--processes", default=1, show_default=True, help="Several: behind nginx, on PostgreSQL.")
@click.option("--database", type=click.Choice(["sqlite", "postgres"]), default="sqlite", show_default=True)
def main(tables: tuple[int, ...], database: str, **asked: Any) -> None:
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    print(f"{os.cpu_count()} cores, {load}; {database}, {asked['level']}, {asked['variant']}")
    print("  ".join(f"{name:>13}" for name in COLUMNS), flush=True)
    for number in tables:
        with tempfile.TemporaryDirectory() as folder:
            database_of = cluster() if database == "postgres" else nullcontext(f"{folder}/games.sqlite3")
            with database_of as address:
                asyncio.run(measure(address, Options(tables=number, **asked)))
