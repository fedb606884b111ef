"""Accounts, ratings and deletion on PostgreSQL, with several writing processes."""

import asyncio
import itertools
from typing import Any

import pytest
import sqlalchemy as sa

from fifteentwo.server.errors import Refused, ServerError, StoreError
from fifteentwo.server.people import own_data, ratings
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.own_data import DataOwner
from fifteentwo.server.people.ratings import rate_missed_games, read_ratings
from fifteentwo.server.store.history import History
from fifteentwo.server.store.schema import account, game_rating, guest_seat, log_row, match, player
from fifteentwo.server.study.mistakes import OwnMistakes
from fifteentwo.server.study.reviews import ReviewedGames
from fifteentwo.server.table_log.rows import Person, Row
from tests.support.accounts import HERE, SECRET
from tests.support.named_tables import finished_table, guest, named
from tests.support.rated_games import rated_history, unstored_game
from tests.support.stored_match import Process

pytestmark = pytest.mark.postgres


async def test_simultaneous_sign_ups_in_processes_create_one_account(cluster: str, process: Process) -> None:
    stores = [(await process(cluster)).store for _ in range(4)]
    programs = [Accounts(one) for one in stores]
    both = list(zip(programs, stores, strict=True))
    tries = [known.create("Four at once", SECRET, None, "", HERE) for known, store in both]
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(one) for one in results].count(Refused) == 3
    one = guest()
    tables = [
        await finished_table(stores[0], (Person(name="G", owner=one), Person(name="", level="club")))
        for _ in "abc"
    ]
    come = [await known.create(f"Merge {n}", SECRET, None, "", HERE) for n, (known, store) in enumerate(both)]
    named = [await known.user_of(one.token) for (known, store), one in zip(both, come, strict=True)]
    along = [
        known.add_guest_games(who, one)
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


@pytest.mark.long
async def test_several_programs_rate_each_game_once_and_lose_none(cluster: str, process: Process) -> None:
    """Processes store the same games, and games of the same people, at once; nothing is lost or blocked."""
    stores = [(await process(cluster)).store for _ in range(3)]
    owners = [(await named(stores[0], name)).owner for name in ("Aiko", "Ken", "Mia")]
    pairs = [*itertools.permutations(owners, 2)] * 2
    games = [await unstored_game(stores[0], *pair, number=n) for n, pair in enumerate(pairs, 1)]
    histories = [rated_history(store) for store in stores]
    orders = games, games[::-1], games[6:] + games[:6]
    for storing in zip(*orders, strict=True):
        await asyncio.gather(*(one.store_games(name) for one, name in zip(histories, storing, strict=True)))
    for history in histories:
        for name in games:
            await history.store_games(name)
    await asyncio.gather(*(rate_missed_games(store) for store in stores))
    found = [await read_ratings(stores[0], owner) for owner in owners]
    assert [(one.games, one.opponents) for [one] in found] == [(8, 2)] * 3
    async with stores[0].reading() as connection:
        rows = (await connection.execute(game_rating.select())).all()
    assert len(rows) == 2 * len(games)
    # Each rating started from a different strength, so no update was lost.
    assert len({(row.owner, row.mu) for row in rows}) == len(rows)
    for [one] in found:
        assert (one.owner, one.mu) in {(row.owner, row.mu) for row in rows}


async def test_an_account_deleted_while_its_game_is_rated_is_rated_first_and_leaves_no_rating(
    cluster: str, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    deleting: list[asyncio.Task[None]] = []
    store, tables = (await process(cluster)).store, await process(cluster)
    accounts = Accounts(tables.store)
    came = [await accounts.create(f"{n} deletes", SECRET, None, "", HERE) for n in ("One", "Two")]
    named = await accounts.user_of(came[0].token)
    whose = DataOwner(tables=tables, accounts=accounts, owner=came[0].owner, user=named)
    name = await unstored_game(store, *(each.owner for each in came))
    before = ratings._strengths

    async def waits() -> bool:
        asked = sa.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        async with store.reading() as connection:
            return bool((await connection.execute(asked)).scalar_one())

    async def slow(*given: Any) -> Any:
        found = await before(*given)
        deleting.append(asyncio.create_task(own_data.delete_data(whose)))
        while not await waits():
            await asyncio.sleep(0.01)
        return found

    monkeypatch.setattr(ratings, "_strengths", slow)
    await rated_history(store).store_games(name)
    await deleting[0]
    assert await read_ratings(store, came[0].owner) == []
    [kept] = await read_ratings(store, came[1].owner)
    assert (kept.games, kept.opponents) == (1, 1)
    async with store.reading() as connection:
        rows = await connection.execute(game_rating.select().where(game_rating.c.match_id == name))
        assert sorted(row.owner == came[1].owner for row in rows) == [False, True]


async def test_a_character_that_postgres_refuses_does_not_mark_it_unavailable(
    cluster: str, process: Process
) -> None:
    store = (await process(cluster)).store
    mistakes = OwnMistakes(store, History(store), ReviewedGames())
    with pytest.raises(Refused):
        await mistakes.judge_answer("unknown", "x\0.1.1", (), "en")
    with pytest.raises(StoreError):
        await store.people("x\0")
    assert store.read_health.failure_code is None


@pytest.mark.long
async def test_a_table_is_deleted_while_another_program_still_writes_to_it(
    cluster: str, process: Process
) -> None:
    tables, other = await process(cluster), (await process(cluster)).store
    store, accounts = tables.store, Accounts(tables.store)
    came = await accounts.create("Deleted here", SECRET, None, "", HERE)
    named = await accounts.user_of(came.token)
    people = Person(name="Deleted here", owner=came.owner), Person(name="", level="club")
    all_tables = [await finished_table(store, people) for _ in range(20)]
    whose = DataOwner(tables=tables, accounts=accounts, owner=came.owner, user=named)

    async def write() -> None:
        for seq in range(3, 40):
            for table in all_tables:
                try:
                    await other.append(table, Row(seq, "acted", "{}"))
                except ServerError:
                    return

    await asyncio.gather(write(), own_data.delete_data(whose))
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
