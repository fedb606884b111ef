"""Finished games between people, in a store, ready to be rated."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from pathlib import Path

from fifteentwo.rules.variants import rules_for
from fifteentwo.server.people.ratings import Ratings, Standing
from fifteentwo.server.store.history import History
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person
from tests.support.named_tables import finished_table, named

Numbers = dict[tuple[str, str], Standing]


def in_store(tmp_path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await Store.open(str(tmp_path / "games.sqlite3"))
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


async def now(store: Store) -> Numbers:
    """The kept ratings, brought up to the log."""
    found = await Ratings(store, History(store)).everybody()
    return {(one.variant, one.owner): one.standing for one in found}


def sat(owner: str | None, level: str | None = None) -> Person:
    return Person(name="", owner=owner, level=level)


async def some_games(store: Store) -> list[str]:
    """Ten games of three people in two variants, some ended at the same second."""
    people = [await named(store, name) for name in ("Aiko", "Ken", "Mia")]
    partners = rules_for("partners")
    tables = []
    for number, (one, other) in enumerate([*itertools.permutations(people, 2)]):
        for more in range(1 + number % 2):
            two = sat(one.owner), sat(other.owner)
            tables.append(await finished_table(store, two, number=number + 9 * more, at=1000 - 100 * number))
    four = (*(sat(one.owner) for one in people), sat(None, "club"))
    tables.append(await finished_table(store, four, rules=partners, number=3, at=50))
    return tables
