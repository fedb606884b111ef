"""What finished games leave in memory: python -m lab.bench.finished_games --games 10000.

Every table is stored before its last deals, with one person against a computer; many are played to the end at
once, by chance and as fast as they go, each at a page of its own, which then closes. The server is a process
of its own; what it holds is read after the first games, which load what all need, and later. Linux only.
"""

import asyncio
import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import click
import msgspec
from websockets.asyncio.client import connect

from fifteentwo.rules.actions import Discard
from fifteentwo.rules.record import Record
from fifteentwo.rules.variants import SIX_CARD
from fifteentwo.server.http import sessions
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.live.wire import PROTOCOL
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person
from lab.bench.load import Table, memory, processor_time, served
from tests.rules.random_games import game

FIRST = 500
"""Games that load what all need."""
AT_ONCE = 50
POSITIONS = 20
"""Games of chance whose last deals are played."""


def near_the_end(number: int) -> Record:
    """A game of chance before the last discards."""
    actions = [moment.action for moment in game(number, SIX_CARD)]
    last = max(place for place, action in enumerate(actions) if isinstance(action, Discard))
    return Record(rules=SIX_CARD, names=("A", ""), actions=tuple(actions[: last - 1]))


async def stored(database: str, games: int) -> list[Table]:
    """So many tables."""
    store = await Store.open(database)
    tables, all_tables = Tables(store), []
    positions = [near_the_end(number) for number in range(POSITIONS)]
    for number in range(games):
        token = sessions.new_token()
        people = (Person(name="A", owner=sessions.owner_of_token(token)), Person(name="", level="greedy"))
        position = positions[number % POSITIONS]
        all_tables.append(Table(await tables.create(SIX_CARD, Options(), people, position), token))
    await store.close()
    return all_tables


async def played(table: Table, port: int, rng: random.Random) -> None:
    """One game to its end, and the page closes."""
    address = f"ws://127.0.0.1:{port}/game/{table.game}/socket?protocol={PROTOCOL}&lang=en"
    headers = {"Cookie": f"{sessions.SESSION.name}={table.token}"}
    async with connect(address, additional_headers=headers) as line:
        while True:
            messages: list[dict[str, Any]] = msgspec.json.Decoder().decode_lines(await line.recv())
            views = [message["d"] for message in messages if message["t"] in ("table", "view")]
            if views and views[-1]["view"]["won"]:
                return
            if views and (choices := views[-1]["choices"]):
                await line.send(msgspec.json.encode({"t": "act", "d": rng.choice(choices)}).decode())


async def all_played(tables: list[Table], port: int) -> None:
    """Every table, a few dozen at a time."""
    waiting, rng = list(tables), random.Random(1)

    async def one_after_another() -> None:
        while waiting:
            await played(waiting.pop(), port, rng)

    await asyncio.gather(*[one_after_another() for _ in range(AT_ONCE)])


async def measured(database: str, games: int) -> None:
    """Play them and print what is held."""
    tables = await stored(database, FIRST + games)
    with served(database) as (servers, port):
        await all_played(tables[:FIRST], port)
        before, used, began = memory(servers), processor_time(servers), time.perf_counter()
        click.echo(f"after {FIRST} games: {before / 1e6:.1f} MB")
        done = 0
        while done < games:
            some = tables[FIRST + done : FIRST + min(games, done + max(1, games // 10))]
            await all_played(some, port)
            done += len(some)
            click.echo(f"after {done} more: {(memory(servers) - before) / 1e6:+.1f} MB")
        took, used = time.perf_counter() - began, processor_time(servers) - used
    click.echo(f"{games / took:.0f} games a second; {1000 * used / games:.1f} ms of server CPU a game")


@click.command(help=__doc__)
@click.option("--games", default=10_000, show_default=True)
def main(games: int) -> None:
    click.echo(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start; sqlite")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(str(Path(folder) / "games.sqlite3"), games))


if __name__ == "__main__":
    main()
