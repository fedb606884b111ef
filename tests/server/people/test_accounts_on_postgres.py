"""Names, ratings and deletion on PostgreSQL, where several programs write at once."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from fifteentwo.server.errors import Refused, ServerError, StoreError
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people import own_data, ratings
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.own_data import Everything
from fifteentwo.server.people.ratings import Ratings
from fifteentwo.server.store.history import History
from fifteentwo.server.store.schema import account, game_rating, guest_seat, log_row, match, player
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.mistakes import OwnMistakes
from fifteentwo.server.study.reviewed_games import ReviewedGames
from fifteentwo.server.table_log.rows import Person, Row
from tests.support import postgres as clusters
from tests.support.named_tables import finished_table, guest
from tests.support.rated_games import from_log, now, sat, some_games

pytestmark = pytest.mark.postgres
SECRET = "correct horse battery"


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of an empty database."""
    with clusters.cluster() as address:
        yield address


def test_a_name_kept_and_a_guest_taken_along_at_once_by_many_programs_happen_once(cluster: str) -> None:
    async def work() -> None:
        stores = [await Store.open(cluster) for _ in range(4)]
        programs = [Accounts(one) for one in stores]
        both = list(zip(programs, stores, strict=True))
        tries = [known.create("Four at once", SECRET, None, "") for known, store in both]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert [type(one) for one in results].count(Refused) == 3
        one = guest()
        tables = [
            await finished_table(stores[0], (Person(name="G", owner=one), Person(name="", level="club")))
            for _ in "abc"
        ]
        come = [await known.create(f"Merge {n}", SECRET, None, "") for n, (known, store) in enumerate(both)]
        named = [await known.user_of(one.token) for (known, store), one in zip(both, come, strict=True)]
        along = [
            known.add_guest(who, one)
            for (known, store), who in zip(both, named, strict=True)
            if who is not None
        ]
        merged = await asyncio.gather(*along, return_exceptions=True)
        assert [len(games) for games in merged if isinstance(games, list) and games] == [3]
        async with stores[0].reading() as connection:
            owners = await connection.execute(
                sa.select(player.c.owner)
                .distinct()
                .where(player.c.match_id.in_(tables), player.c.level.is_(None))
            )
            assert len(owners.all()) == 1
            rows = await connection.execute(guest_seat.select().where(guest_seat.c.match_id.in_(tables)))
            assert len(rows.all()) == 3
        for store in stores:
            await store.close()

    asyncio.run(work())


def test_two_programs_rate_a_game_once_and_alike(cluster: str) -> None:
    async def work() -> None:
        stores = [await Store.open(cluster) for _ in range(3)]
        await some_games(stores[0])
        await asyncio.gather(*(Ratings(store, History(store)).catch_up() for store in stores))
        assert await now(stores[0]) == await from_log(stores[0])
        async with stores[0].reading() as connection:
            count = sa.select(sa.func.count()).select_from(game_rating)
            assert (await connection.execute(count)).scalar_one() == 2 * 9 + 3
        for store in stores:
            await store.close()

    asyncio.run(work())


@pytest.mark.parametrize("deletes", [False, True])
def test_a_program_that_rates_slowly_writes_over_nothing(
    cluster: str, monkeypatch: pytest.MonkeyPatch, deletes: bool
) -> None:
    """Between what it reads and what it writes another one rates an earlier game, or deletes an account."""
    begun: list[asyncio.Task[None]] = []

    async def work() -> None:
        store, other = await Store.open(cluster), await Store.open(cluster)
        accounts, tables = Accounts(other), Tables(other)
        came = [await accounts.create(f"{n} slow {deletes}", SECRET, None, "") for n in ("One", "Two", "Six")]
        one, two, six = (sat(each.owner) for each in came)
        await finished_table(store, (one, two), at=900)
        await Ratings(store, History(store)).catch_up()
        await finished_table(store, (two, six), at=800)
        before = ratings._before

        async def elsewhere() -> None:
            if deletes:
                named = await accounts.user_of(came[0].token)
                rated = Ratings(other, History(other))
                whose = Everything(
                    tables=tables, accounts=accounts, ratings=rated, owner=came[0].owner, named=named
                )
                await own_data.delete(whose)
            else:
                await finished_table(other, (one, six), at=700)
                await Ratings(other, History(other)).catch_up()

        async def waits() -> bool:
            asked = sa.text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
            async with other.reading() as connection:
                return bool((await connection.execute(asked)).scalar_one())

        async def slow(*given: Any) -> Any:
            standing = await before(*given)
            if not begun:
                begun.append(asyncio.create_task(elsewhere()))
                while not begun[0].done() and not await waits():
                    await asyncio.sleep(0.01)
            return standing

        monkeypatch.setattr(ratings, "_before", slow)
        await Ratings(store, History(store)).catch_up()
        await begun[0]
        own = [each.owner for each in came]
        async with store.reading() as connection:
            rows = await connection.execute(
                sa.select(game_rating.c.owner).where(game_rating.c.owner.in_(own))
            )
            assert sorted(rows.scalars()) == sorted([own[1], own[1], own[2]] if deletes else own * 2)
        if not deletes:
            assert await now(store) == await from_log(store)
        await tables.close()
        await store.close()
        await other.close()

    asyncio.run(work())


def test_no_request_makes_the_database_seem_away_by_a_sign_that_it_does_not_take(cluster: str) -> None:
    async def work() -> None:
        store = await Store.open(cluster)
        with pytest.raises(Refused):
            await OwnMistakes(store, History(store), ReviewedGames()).answered("unknown", "x\0.1.1", (), "en")
        with pytest.raises(StoreError):
            await store.people("x\0")
        assert store.reads.why is None
        await store.close()

    asyncio.run(work())


def test_a_table_is_deleted_while_another_program_still_writes_to_it(cluster: str) -> None:
    async def work() -> None:
        store, other = await Store.open(cluster), await Store.open(cluster)
        tables, accounts = Tables(store), Accounts(store)
        came = await accounts.create("Deleted here", SECRET, None, "")
        named = await accounts.user_of(came.token)
        people = Person(name="Deleted here", owner=came.owner), Person(name="", level="club")
        all_tables = [await finished_table(store, people) for _ in range(20)]
        rated = Ratings(store, tables.history)
        whose = Everything(tables=tables, accounts=accounts, ratings=rated, owner=came.owner, named=named)

        async def write() -> None:
            for seq in range(3, 40):
                for table in all_tables:
                    try:
                        await other.append(table, Row(seq, "acted", "{}"))
                    except ServerError:
                        return

        await asyncio.gather(write(), own_data.delete(whose))
        async with store.reading() as connection:
            for table, column in (
                (match, match.c.id),
                (log_row, log_row.c.match_id),
                (player, player.c.match_id),
            ):
                left = sa.select(sa.func.count()).select_from(table).where(column.in_(all_tables))
                assert (await connection.execute(left)).scalar_one() == 0
            assert (
                await connection.execute(account.select().where(account.c.owner == came.owner))
            ).first() is None
        await tables.close()
        await store.close()
        await other.close()

    asyncio.run(work())
