"""How many tables one server carries: python -m lab load --tables 50 --tables 200 --database postgres.

Each table is one person against computers, at a move every two seconds. The clients are this process, the
server another; tables are stored before it starts. Latency runs from an action to its first event.
A move is a person's; a row is anybody's, and every move of a computer is one. Slowed is how many times longer
the same piece of work took this process meanwhile than at its quickest, on a machine with other users: the
server's figures hold as much of it. Linux only.
"""

import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager, suppress
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
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person
from lab.bench.cpu_limits import limited
from tests.support.behind_nginx import served_site
from tests.support.postgres import cluster, family

WARMING = 10
"""Tables that sit down first."""
COLUMNS = (
    *("tables", "moves/s", "rows/s", "ms CPU a move", "ms CPU a row", "slowed", "p50 ms", "p99 ms"),
    "kB a table",
)


class Asked(NamedTuple):
    """What is measured."""

    tables: int
    seconds: float
    level: str
    variant: str
    pace: float
    processes: int
    lines: int
    cores: float | None


class Table(NamedTuple):
    """One table and who may sit down at it."""

    game: str
    token: str


class Tally:
    """What the clients saw."""

    def __init__(self) -> None:
        self.lost = 0
        self.begin(0.0)
        self.measuring = False

    def begin(self, now: float) -> None:
        """Count from now on."""
        self.measuring = True
        self.since = now
        self.moves = 0
        self.waits: list[float] = []

    def within(self, part: float) -> float:
        """Seconds within which so many of all actions had a response."""
        waits = sorted(self.waits) or [float("nan")]
        return waits[int(len(waits) * part)]


async def stored(database: str, asked: Asked) -> list[Table]:
    """So many tables, kept before the server starts."""
    store = await Store.open(database)
    tables, all_tables = Tables(store), []
    rules = rules_for(asked.variant)
    for _ in range(asked.tables):
        token = sessions.new_token()
        computers = (Person(name="", level=asked.level),) * (rules.seats - 1)
        people = (Person(name="A", owner=sessions.owner_of_token(token)), *computers)
        all_tables.append(Table(await tables.create(rules, Options(), people), token))
    await store.close()
    return all_tables


@contextmanager
def served(database: str, processes: int = 1) -> Iterator[tuple[list[int], int]]:
    """Servers in processes of their own, behind nginx if there are several; their pids, and the port."""
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
    """Seconds that the servers and their workers have used."""
    ticks = 0
    for one in [pid for server in servers for pid in family(server)]:
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(servers: list[int]) -> int:
    """Bytes that the servers and their workers hold."""
    pages = 0
    for one in [pid for server in servers for pid in family(server)]:
        with suppress(OSError):
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def play(table: Table, port: int, asked: Asked, tally: Tally, rng: random.Random) -> None:
    """Play at one table for ever, at random, a move every so many seconds."""
    await asyncio.sleep(rng.uniform(0, asked.pace))
    address = f"ws://127.0.0.1:{port}/game/{table.game}/socket?protocol={PROTOCOL}&lang=en"
    while True:
        try:
            headers = {"Cookie": f"{sessions.SESSION.name}={table.token}"}
            async with connect(address, additional_headers=headers) as line:
                await _turns(line, asked, tally, rng)
        except (ConnectionClosed, OSError):
            tally.lost += tally.measuring
            await asyncio.sleep(1)


async def _turns(line: ClientConnection, asked: Asked, tally: Tally, rng: random.Random) -> None:
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
                # What was asked before stood still while this process looked into the database.
                if sent > tally.since:
                    tally.waits.append(clock() - sent)
            sent = 0.0
        views = [message["d"] for message in messages if message["t"] in ("table", "view")]
        view = views[-1] if views else view
        due = max(due, clock())


def piece_of_work() -> float:
    """Seconds of processor time that the same few thousand steps take just now."""
    began, steps = time.thread_time(), 0
    for step in range(40_000):
        steps += step & 7
    return time.thread_time() - began


async def gauge(pieces: list[float]) -> None:
    """Time a piece of work again and again, until cancelled."""
    while True:
        pieces.append(piece_of_work())
        await asyncio.sleep(0.25)


async def rows_kept(database: str) -> int:
    """Rows of the log."""
    import sqlalchemy as sa

    from fifteentwo.server.store.schema import log_row

    store = await Store.open(database)
    async with store.reading() as connection:
        found = (await connection.execute(sa.select(sa.func.count()).select_from(log_row))).scalar_one()
    await store.close()
    return int(found)


async def measured(database: str, asked: Asked) -> AsyncIterator[tuple[float, ...]]:
    """The curve at so many tables: one line, or several after each other, where something may drift."""
    tables = await stored(database, asked)
    tally, rng, playing = Tally(), random.Random(1), list[asyncio.Task[None]]()
    quickest = min(piece_of_work() for _ in range(50))

    async def sit_down(some: list[Table]) -> None:
        for table in some:
            own = random.Random(rng.random())
            playing.append(asyncio.create_task(play(table, port, asked, tally, own)))
        await asyncio.sleep(3 * asked.pace)

    with served(database, asked.processes) as (servers, port), ExitStack() as limits:
        if asked.cores is not None:
            for server in servers:
                limits.enter_context(limited(server, asked.cores))
        # The first tables load what all need.
        await sit_down(tables[:WARMING])
        before = memory(servers)
        await sit_down(tables[WARMING:])
        for _ in range(asked.lines):
            pieces: list[float] = []
            rows, counted = await rows_kept(database), time.perf_counter()
            # This process stood still while it counted, and what was due meanwhile came all at once.
            await asyncio.sleep(2 * asked.pace)
            used, began = processor_time(servers), time.perf_counter()
            tally.begin(began)
            gauging = asyncio.create_task(gauge(pieces))
            await asyncio.sleep(asked.seconds)
            gauging.cancel()
            tally.measuring = False
            used, took = processor_time(servers) - used, time.perf_counter() - began
            grown = memory(servers) - before
            rows_a_second = (await rows_kept(database) - rows) / (time.perf_counter() - counted)
            yield (
                asked.tables,
                tally.moves / took,
                rows_a_second,
                used / max(1, tally.moves) * 1000,
                used / took / max(1.0, rows_a_second) * 1000,
                sum(pieces) / len(pieces) / min(quickest, *pieces),
                tally.within(0.5) * 1000,
                tally.within(0.99) * 1000,
                grown / max(1, asked.tables - WARMING) / 1000,
            )
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def measure(database: str, asked: Asked) -> None:
    """Print the lines as they are measured."""
    async for line in measured(database, asked):
        print("  ".join(f"{one:13.2f}" for one in line), flush=True)


@click.command(help=__doc__)
@click.option("--tables", multiple=True, default=(50, 200), show_default=True, type=int)
@click.option("--seconds", default=20.0, show_default=True)
@click.option("--level", default="club", show_default=True)
@click.option("--variant", default="six-card", show_default=True)
@click.option("--pace", default=2.0, show_default=True, help="Seconds between a person's moves.")
@click.option("--processes", default=1, show_default=True, help="Several: behind nginx, on PostgreSQL.")
@click.option("--lines", default=1, show_default=True, help="Measured one after another: what drifts?")
@click.option("--cores", type=float, help="Cores of each process that serves; root alone can limit them.")
@click.option("--database", type=click.Choice(["sqlite", "postgres"]), default="sqlite", show_default=True)
def main(tables: tuple[int, ...], database: str, **asked: Any) -> None:
    # Clients that ask for tables that are gone would make all others wait.
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    print(f"{os.cpu_count()} cores, {load}; {database}, {asked['level']}, {asked['variant']}")
    print("  ".join(f"{name:>13}" for name in COLUMNS), flush=True)
    for number in tables:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            address = (
                stack.enter_context(cluster()) if database == "postgres" else str(folder / "games.sqlite3")
            )
            asyncio.run(measure(address, Asked(tables=number, **asked)))


if __name__ == "__main__":
    main()
