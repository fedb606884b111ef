"""What the lobby costs: python -m lab.bench.lobby --tables 1000 [--database postgres].

Processor time of this process, which asks itself without a network; median of 50 and 300.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path

import click
import httpx
import msgspec

from fifteentwo.rules.variants import Variant
from fifteentwo.server.app import make_app
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages import site
from fifteentwo.server.people import lobby
from fifteentwo.server.store.schema import lobby_listing
from fifteentwo.server.store.store import Store
from tests.support.postgres import cluster


async def stored(store: Store, count: int) -> None:
    """So many tables in the lobby, of every variant in turn."""
    tables, now, variants = Tables(store), int(time.time()), list(Variant)
    rows = []
    for number in range(count):
        chosen = {
            "variant": variants[number % len(variants)].value,
            "level_1": "person",
            "name": f"Host {number}",
        }
        rules, options, people = site.read_table_form(chosen)
        host = msgspec.structs.replace(people[0], owner=f"owner {number}")
        name = await tables.create(rules, options, (host, *people[1:]))
        since = now - count + number
        rows.append({"match_id": name, "handle": f"h{number:08}", "listed_at": since, "seen_at": now})
    async with store.writing() as connection:
        await connection.execute(lobby_listing.insert(), rows)
    await tables.close()


async def _cost(work: Callable[[], Awaitable[object]], times: int) -> float:
    """Milliseconds of processor time."""
    taken = []
    for _ in range(times):
        began = time.process_time()
        await work()
        taken.append(time.process_time() - began)
    return 1000 * statistics.median(taken)


async def _measure(address: str, tables: int) -> None:
    store = await Store.open(address)
    await stored(store, tables)
    last = min(lobby.MAX_PAGES, -(-tables // lobby.TABLES_ON_A_PAGE))
    for number in (1, last):
        cost = await _cost(lambda number=number: lobby.read_page(store, number), 50)  # type: ignore[misc]
        click.echo(f"page {number} read from the database: {cost:.2f} ms")
    app = make_app(store=store)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
    ):
        etag = (await client.get("/lobby/tables")).headers["etag"]
        for what, path, headers in (
            ("the tables, where they have changed", "/lobby/tables", {}),
            ("the tables, where they have not", "/lobby/tables", {"If-None-Match": etag}),
            ("/healthz, to compare", "/healthz", {}),
        ):
            cost = await _cost(lambda p=path, h=headers: client.get(p, headers=h), 300)  # type: ignore[misc]
            click.echo(f"{what}: {cost:.2f} ms")


@click.command()
@click.option("--tables", default=1000, show_default=True)
@click.option("--database", type=click.Choice(["sqlite", "postgres"]), default="sqlite", show_default=True)
def main(tables: int, database: str) -> None:
    """Measure, and print it."""
    with ExitStack() as stack:
        if database == "postgres":
            address = stack.enter_context(cluster())
        else:
            address = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "games.sqlite3")
        asyncio.run(_measure(address, tables))


if __name__ == "__main__":
    main()
