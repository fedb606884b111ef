"""How many tables one server carries: python -m bench.load --tables 50 --tables 200 --database postgres.

Each table is one person against computers, at a move every two seconds. The clients are this process, the
server another; tables are laid before it starts. Latency runs from an action to the first event it leads to.
A move is a person's; a row is anybody's, and every move of a computer is one. Linux only.
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
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from tests.server.clusters import cluster, family
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fifteentwo.rules.variants import variant
from fifteentwo.server import sessions
from fifteentwo.server.options import Options
from fifteentwo.server.rooms import Rooms
from fifteentwo.server.store import Person, Store

WARMING = 10
"""Tables that sit down first."""
COLUMNS = ("tables", "moves/s", "rows/s", "ms CPU a move", "ms CPU a row", "p50 ms", "p99 ms", "kB a table")


class Asked(NamedTuple):
    """What is measured."""

    tables: int
    seconds: float
    level: str
    form: str
    pace: float


class Table(NamedTuple):
    """One table and who may sit down at it."""

    game: str
    token: str


class Tally:
    """What the clients saw."""

    def __init__(self) -> None:
        self.measuring = False
        self.moves = 0
        self.waits: list[float] = []
        self.lost = 0


async def laid(database: str, asked: Asked) -> list[Table]:
    """So many tables, kept before the server starts."""
    store = await Store.open(database)
    rooms, tables = Rooms(store), []
    rules = variant(asked.form)
    for _ in range(asked.tables):
        token = sessions.new_token()
        computers = (Person(name="", level=asked.level),) * (rules.seats - 1)
        people = (Person(name="A", owner=sessions.owner(token)), *computers)
        tables.append(Table(await rooms.create(rules, Options(), people), token))
    await store.close()
    return tables


@contextmanager
def served(database: str) -> Iterator[tuple[int, int]]:
    """A server of its own process, and its port."""
    command = [sys.executable, "-m", "fifteentwo", "serve", "--port", "0", "--database", database]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = re.search(r":(\d+)/", process.stdout.readline())
        assert port is not None, "the server did not start"
        yield process.pid, int(port[1])
    finally:
        process.terminate()
        process.wait(30)


def processor_time(server: int) -> float:
    """Seconds that the server and its workers have used."""
    ticks = 0
    for one in family(server):
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> int:
    """Bytes that a process holds."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def play(table: Table, port: int, asked: Asked, tally: Tally, rng: random.Random) -> None:
    """Play at one table for ever, at random, a move every so many seconds."""
    await asyncio.sleep(rng.uniform(0, asked.pace))
    address = f"ws://127.0.0.1:{port}/game/{table.game}/socket?lang=en"
    while True:
        try:
            headers = {"Cookie": f"{sessions.COOKIE}={table.token}"}
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
            wait = max(0.0, due - clock()) if ready else None
            message = msgspec.json.decode(await asyncio.wait_for(line.recv(), wait))
        except TimeoutError:
            due += asked.pace
            if view["view"]["won"]:
                await line.send(b'{"t":"next"}'.decode())
                view = {}
                continue
            sent = clock()
            await line.send(msgspec.json.encode({"t": "act", "d": rng.choice(view["choices"])}).decode())
            view = {}
            continue
        if message["t"] == "event" and sent:
            if tally.measuring:
                tally.moves += 1
                tally.waits.append(clock() - sent)
            sent = 0.0
        elif message["t"] in ("table", "view"):
            view = message["d"]
        due = max(due, clock())


async def rows_kept(database: str) -> int:
    """Rows of the log."""
    import sqlalchemy as sa

    from fifteentwo.server.store import event

    store = await Store.open(database)
    async with store.reading() as connection:
        found = (await connection.execute(sa.select(sa.func.count()).select_from(event))).scalar_one()
    await store.close()
    return int(found)


async def measured(database: str, asked: Asked) -> tuple[float, ...]:
    """One line of the curve."""
    tables = await laid(database, asked)
    tally, rng, playing = Tally(), random.Random(1), list[asyncio.Task[None]]()

    async def sit_down(some: list[Table]) -> None:
        for table in some:
            own = random.Random(rng.random())
            playing.append(asyncio.create_task(play(table, port, asked, tally, own)))
        await asyncio.sleep(3 * asked.pace)

    with served(database) as (server, port):
        # The first tables load what all share.
        await sit_down(tables[:WARMING])
        before = memory(server)
        await sit_down(tables[WARMING:])
        rows, used, began = await rows_kept(database), processor_time(server), time.perf_counter()
        tally.measuring = True
        await asyncio.sleep(asked.seconds)
        tally.measuring = False
        used, took = processor_time(server) - used, time.perf_counter() - began
        grown = memory(server) - before
        rows = await rows_kept(database) - rows
        for one in playing:
            one.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    waits = sorted(tally.waits) or [float("nan")]
    return (
        asked.tables,
        tally.moves / took,
        rows / took,
        used / max(1, tally.moves) * 1000,
        used / max(1, rows) * 1000,
        waits[len(waits) // 2] * 1000,
        waits[len(waits) * 99 // 100] * 1000,
        grown / max(1, asked.tables - WARMING) / 1000,
    )


@click.command(help=__doc__)
@click.option("--tables", multiple=True, default=(50, 200), show_default=True, type=int)
@click.option("--seconds", default=20.0, show_default=True)
@click.option("--level", default="club", show_default=True)
@click.option("--form", default="six-card", show_default=True)
@click.option("--pace", default=2.0, show_default=True, help="Seconds between a person's moves.")
@click.option("--database", type=click.Choice(["sqlite", "postgres"]), default="sqlite", show_default=True)
def main(tables: tuple[int, ...], seconds: float, level: str, form: str, pace: float, database: str) -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start; {database}, {level}, {form}")
    print("  ".join(f"{name:>13}" for name in COLUMNS), flush=True)
    for number in tables:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            address = (
                stack.enter_context(cluster()) if database == "postgres" else str(folder / "games.sqlite3")
            )
            line = asyncio.run(measured(address, Asked(number, seconds, level, form, pace)))
        print("  ".join(f"{one:13.2f}" for one in line), flush=True)


if __name__ == "__main__":
    main()
