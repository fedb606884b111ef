"""Databases that earlier commits wrote open, are verified and play on; `earlier` holds their rows by table.

A file is named after its commit. Each has a finished five-card game and an open one counted by claims, of one
person against `random`.
"""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from fifteentwo.rules.record import read, write
from fifteentwo.rules.variants import Variant
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.ledger import Ledger
from fifteentwo.server.table_log.proofs import verify
from tests.dealing.games import at_random, moves
from tests.support.old_databases import address, of_version

__all__ = ["address"]

FILES = sorted((Path(__file__).parent / "earlier").glob("*.json"))
NAMES = ("Aiko", "random")


def filled(address: str, sample: dict[str, Any]) -> None:
    """Make a database of the sample's version with its rows."""
    engine = of_version(address, sample["version"])
    tables = sa.MetaData()
    tables.reflect(engine)
    with engine.begin() as connection:
        for name, rows in sample["tables"].items():
            columns = tables.tables[name].columns
            flags = {one.name for one in columns if isinstance(one.type, sa.Boolean)}
            connection.execute(
                tables.tables[name].insert(),
                [{key: bool(one) if key in flags else one for key, one in row.items()} for row in rows],
            )
    engine.dispose()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_games_of_an_earlier_commit_are_verified_and_go_on(file: Path, address: str) -> None:
    sample = json.loads(file.read_text("utf-8"))
    text = json.dumps(sample)
    assert "LayAway" in text
    assert '\\"laid_away\\":' in text
    filled(address, sample)
    finished, unfinished = (one["id"] for one in sample["tables"]["game"])
    owner = sample["tables"]["person"][0]["owner"]

    async def work() -> None:
        store = await Store.open(address)
        ledger = await ledger_of(store, finished)
        assert ledger.match.rules.variant is Variant.FIVE_CARD
        checked(ledger)
        tables = Tables(store)
        await tables.history.catch_up(owner)
        assert [one.kept.variant for one in await tables.history.of(owner)] == ["five-card"]
        await tables.close()
        ledger = await ledger_of(store, unfinished)
        assert ledger.table.state.deal == 3
        assert not ledger.table.over
        seq = ledger.seq
        for _ in moves(ledger, at_random(random.Random(3))):
            assert ledger.seq > seq
        checked(ledger)
        await store.close()

    asyncio.run(work())


async def ledger_of(store: Store, game: str) -> Ledger:
    """The ledger of a stored match."""
    opened = await matches.opened(store, game)
    assert opened is not None
    return opened[1]


def checked(ledger: Ledger) -> None:
    """The first game's cards follow from its seeds, and its record can be read."""
    record = ledger.record(1, NAMES)
    assert verify(record, ledger.dealing.commitment) > 10
    assert write(read(write(record))) == write(record)
