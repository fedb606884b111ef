"""Finished games between people, in a store, and their ratings."""

from typing import Any

import sqlalchemy as sa

from fifteentwo.rules.variants import Rules
from fifteentwo.server.people.ratings import Strength, rate_game
from fifteentwo.server.store.history import History
from fifteentwo.server.store.schema import rating
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person
from fifteentwo.server.table_log.time_controls import TimeControl
from tests.support.named_tables import FIVE, finished_table

CLOCK = Options(clock=TimeControl(move_seconds=300.0, away_seconds=300.0))


def rated_history(store: Store) -> History:
    """Return a history that rates the games it stores."""
    history = History(store)
    history.rate_game = rate_game
    return history


def sat(owner: str | None, level: str | None = None) -> Person:
    return Person(name="", owner=owner, level=level)


async def unstored_game(store: Store, *owners: str, **more: Any) -> str:
    """Return a table with a clock whose finished game the history has not stored yet; its id."""
    return await finished_table(store, tuple(map(sat, owners)), options=CLOCK, **more)


async def rated_game(store: Store, *owners: str, number: int = 1, at: int = 100, rules: Rules = FIVE) -> str:
    """Return the id of a table with a clock whose finished game, of this number, is stored and rated."""
    name = await unstored_game(store, *owners, number=number, at=at, rules=rules)
    await rated_history(store).store_games(name)
    return name


async def strengths(store: Store) -> dict[tuple[str, str], Strength]:
    """Return all ratings, by variant and owner."""
    async with store.reading() as connection:
        rows = (await connection.execute(sa.select(rating))).all()
    return {(row.variant, row.owner): (row.mu, row.sigma) for row in rows}
