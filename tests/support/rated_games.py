"""Finished games between people, in a store, ready to be rated."""

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import sqlalchemy as sa

from fifteentwo.rules.errors import FifteenTwoError
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.people.ratings import (
    Counting,
    Rated,
    Ratings,
    Standing,
    by_variant,
    counting,
    course,
    read_ratings,
    seated_people,
    tables_of_rated,
)
from fifteentwo.server.store.history import History, finished_games
from fifteentwo.server.store.schema import player
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


async def everybody(ratings: Ratings, store: Store) -> list[Rated]:
    """Return all ratings, brought up to the log."""
    await ratings.catch_up()
    return await read_ratings(store, sa.true())


def numbers(found: Iterable[Rated]) -> Numbers:
    return {(one.variant, one.owner): one.standing for one in found}


async def now(store: Store) -> Numbers:
    """Return the stored ratings, brought up to the log."""
    return numbers(await everybody(Ratings(store, History(store)), store))


async def from_log(store: Store) -> Numbers:
    """Return all ratings by variant and owner, computed from the log alone."""
    async with store.reading() as connection:
        tables = {row.match_id for row in await connection.execute(tables_of_rated())}
        people = await seated_people(connection, player.c.match_id.in_(tables_of_rated()))
    games: list[Counting | None] = []
    for name in sorted(tables):
        table = await store.load(name)
        # A table that cannot be rebuilt counts nowhere.
        with contextlib.suppress(FifteenTwoError, ValueError, LookupError):
            played = [] if table is None else finished_games(table)
            games += [counting(name, number, one, people[name]) for number, one in enumerate(played, 1)]
    standings: Numbers = {}
    for variant, counted in by_variant(one for one in games if one is not None).items():
        for _, standing in course(counted):
            standings |= {(variant, owner): after for owner, after in standing.items()}
    return standings


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
