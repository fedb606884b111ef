"""A database of the version before, with real games in it, is the same after it was brought up to date."""

import asyncio

import sqlalchemy as sa

from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people.ratings import Ratings
from fifteentwo.server.people.usernames import look
from fifteentwo.server.store import matches
from fifteentwo.server.store import store as stores
from fifteentwo.server.store.account_tables import account, rated, rating
from fifteentwo.server.store.history import History
from fifteentwo.server.store.store import HEAD, Store, event, game, person
from fifteentwo.server.table_log.options import Options
from tests.formats.written_games import written_game
from tests.support.ledgers import played
from tests.support.long_matches import NAMES, kept
from tests.support.old_databases import address, of_version
from tests.support.rated_games import everybody, from_log, numbers

__all__ = ["address"]

BEFORE = "0003"


def test_a_match_of_the_version_before_goes_on(address: str) -> None:
    whole, rows = played(rules_for("six-card", target=61), 4, seed=11, undo=0.05)
    laid_out = kept(whole.match.rules, rows)
    engine = of_version(address, BEFORE)
    with engine.begin() as connection:
        connection.execute(
            game.insert(),
            {"id": laid_out.id, "made_at": 86400, "rules": laid_out.rules, "options": laid_out.options},
        )
        connection.execute(
            person.insert(),
            [
                {"game": laid_out.id, "number": number, "name": one.name, "owner": one.owner}
                for number, one in enumerate(laid_out.people)
            ],
        )
        connection.execute(
            event.insert(),
            [
                {"game": laid_out.id, "seq": row.seq, "type": row.type, "body": row.body, "at": None}
                for row in rows
            ],
        )
    engine.dispose()

    async def work() -> None:
        store = await Store.open(address)
        async with store.reading() as connection:
            version = await connection.execute(sa.text("SELECT version_num FROM alembic_version"))
            assert version.scalar_one() == HEAD
        found = await store.load(laid_out.id)
        assert found is not None
        assert found.rows == tuple(rows)
        assert found.people == laid_out.people
        opened = await matches.opened(store, laid_out.id)
        assert opened is not None
        ledger = opened[1]
        assert ledger.table.state == whole.table.state
        assert (ledger.v, ledger.match) == (whole.v, whole.match)
        begun = await store.begun(laid_out.id, 99)
        assert begun is not None
        assert begun.number == 4
        tables = Tables(store)
        table = await tables.table(laid_out.id)
        await table.next_game()
        assert (await table.log.ledger_with(2)).record(2, NAMES) == whole.record(2, NAMES)
        await tables.history.catch_up("Aiko")
        assert len(await tables.history.of("Aiko")) == 4
        await tables.close()
        await store.close()

    asyncio.run(work())


def test_ratings_of_the_version_before_are_still_there(address: str) -> None:
    engine = of_version(address, "0014")
    shared = {"form": "five-card", "owner": "a" * 64, "mu": 31.5, "sigma": 2.5}
    rows = {
        "game": {"id": "g", "made_at": 1, "rules": "{}", "options": "{}"},
        "rated": shared | {"game": "g", "number": 1, "ended_at": 2, "side": 0, "others": 1, "place": 1},
        "rating": shared | {"games": 7, "met": 3},
    }
    with engine.begin() as connection:
        for table, row in rows.items():
            columns, values = ", ".join(row), ", ".join(f":{column}" for column in row)
            connection.execute(sa.text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), row)
    engine.dispose()

    async def work() -> None:
        store = await Store.open(address)
        async with store.reading() as connection:
            for table in (rated, rating):
                [row] = (await connection.execute(table.select())).mappings()
                assert row["variant"] == "five-card"
                assert {key: row[key] for key in ("owner", "mu", "sigma")} == {
                    key: shared[key] for key in ("owner", "mu", "sigma")
                }
        await store.close()

    asyncio.run(work())


def test_the_migrations_make_the_tables_that_the_program_knows(address: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from fifteentwo.server.store import account_tables

    async def work() -> None:
        store = await Store.open(address)
        async with store.reading() as connection:
            differing = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync), stores.metadata)
            )
        assert account_tables.account.metadata is stores.metadata
        assert differing == []
        await store.close()

    asyncio.run(work())


def test_accounts_and_ratings_of_the_version_before_are_there_and_rated_by_the_rules_of_this_one(
    address: str,
) -> None:
    engine = of_version(address, "0013")
    names = {"a" * 64: "Mia-Ben", "b" * 64: "MiaBen", "c" * 64: "Ken"}
    rows: dict[str, list[dict[str, object]]] = {
        "account": [
            {"owner": owner, "name": name, "look": look(name), "passphrase": "", "made_at": at}
            for at, (owner, name) in enumerate(names.items())
        ],
        "game": [],
        "person": [],
        "event": [],
    }
    rules, options = to_json(rules_for("five-card")).decode(), to_json(Options()).decode()
    acted = to_json({"actions": written_game(1, rules_for("five-card")).actions}).decode()
    for at, pair in enumerate([("a", "b"), ("b", "c"), ("a", "c")]):
        name = f"{at:016}"
        rows["game"].append({"id": name, "made_at": at, "rules": rules, "options": options})
        log = (("began", to_json({"secret": "", "actions": ()}).decode()), ("acted", acted))
        for seq, (kind, body) in enumerate(log, 1):
            rows["event"].append({"game": name, "seq": seq, "type": kind, "body": body, "at": 100 + at})
        for number, letter in enumerate(pair):
            one = {"game": name, "number": number, "name": "", "level": None, "invitation": None}
            rows["person"].append(one | {"owner": letter * 64})
    with engine.begin() as connection:
        for table, rows_of_it in rows.items():
            columns = ", ".join(rows_of_it[0])
            values = ", ".join(f":{column}" for column in rows_of_it[0])
            connection.execute(sa.text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), rows_of_it)
        old = {"game": f"{0:016}", "number": 1, "owner": "a" * 64, "form": "five-card"}
        old |= {"ended_at": 1, "mu": 41.6, "sigma": 1.0}
        columns, values = ", ".join(old), ", ".join(f":{column}" for column in old)
        connection.execute(sa.text(f"INSERT INTO rated ({columns}) VALUES ({values})"), old)
    engine.dispose()

    async def work() -> None:
        store = await Store.open(address)
        async with store.reading() as connection:
            kept = {row.name: row.similar for row in await connection.execute(account.select())}
        assert set(kept) == set(names.values())
        assert [name for name, key in kept.items() if key is None] == ["MiaBen"], "the younger of the two"
        found = await everybody(Ratings(store, History(store)), store)
        assert {(one.name, one.games, one.met) for one in found} == {(name, 2, 2) for name in names.values()}
        assert numbers(found) == await from_log(store)
        await store.close()

    asyncio.run(work())
