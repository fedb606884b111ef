"""The store on PostgreSQL, in a cluster that runs for these tests only."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from fifteentwo.rules.record import last_state, read
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live import socket
from fifteentwo.server.store.schema import metadata
from fifteentwo.server.store.store import Store, migrate
from fifteentwo.server.table_log.rows import Row
from tests.support import postgres as clusters
from tests.support.appended_rows import kept as kept_of
from tests.support.live_server import serving
from tests.support.stored_match import KEPT

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of an empty database."""
    with clusters.cluster() as address:
        yield address


def test_a_slow_start_is_not_ended_as_an_idle_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other transactions may be idle for two seconds."""
    timeouts = list[str]()

    def noted(connection: sa.Connection) -> None:
        timeouts.append(str(connection.execute(sa.text("SHOW idle_in_transaction_session_timeout")).scalar()))
        migrate(connection)

    async def work(address: str) -> None:
        store = await Store.open(address)
        async with store.writing() as connection:
            await connection.run_sync(noted)
        await store.close()

    monkeypatch.setattr("fifteentwo.server.store.store.migrate", noted)
    with clusters.cluster() as address:
        asyncio.run(work(address))
    assert timeouts == ["1min", "2s"]


def test_rows_are_stored_once_and_loaded(cluster: str) -> None:
    async def work() -> None:
        store = await Store.open(cluster)
        await store.create(KEPT)
        await store.append(KEPT.id, Row(2, "acted", "あ"))
        await store.close()
        again = await Store.open(cluster)
        kept = await again.load(KEPT.id)
        assert kept is not None
        assert kept.rows == (*KEPT.rows, Row(2, "acted", "あ"))
        assert kept.people == KEPT.people
        with pytest.raises(StoreError, match="conflict"):
            await again.append(KEPT.id, Row(2, "acted", "other"))
        assert await again.take_seat(KEPT.id, 2, "guest", "Ken")
        assert not await again.take_seat(KEPT.id, 2, "thief", "Mallory")
        seated = await again.load(KEPT.id)
        assert seated is not None
        assert seated.people[2].name == "Ken"
        assert await again.unfinished_of("guest", 5) == [KEPT.id]
        async with again._engine.connect() as connection:
            names = await connection.run_sync(lambda sync: sorted(metadata_names(sync)))
        assert names == sorted([*metadata.tables, "alembic_version"])
        await again.close()

    asyncio.run(work())


def test_batch_is_stored_exactly_and_only_an_impossible_row_is_refused(cluster: str) -> None:
    odd = [
        '"',
        "\\",
        "{},\\u0041",
        "NULL",
        "a b",
        "\n\t\x01",
        "クリベッジ",
        "🂡",
        "%s :game",
        "x" * 70_000,
        "",
    ]

    async def work() -> None:
        store = await Store.open(cluster)
        for number in range(len(odd)):
            await store.create(msgspec.structs.replace(KEPT, id=f"odd-{number:012}"))
        rows = [(f"odd-{number:012}", Row(2, "acted", body)) for number, body in enumerate(odd)]
        rows.insert(3, ("no-such-game", Row(2, "acted", "{}")))
        rows.insert(5, (rows[0][0], Row(3, "acted", "no text holds \x00")))
        rows.insert(7, (rows[0][0], Row(2, "acted", "another's")))
        errors = await kept_of(store, rows)
        assert errors[3] == errors[5] == errors[7] == "conflict"
        assert {one for place, one in enumerate(errors) if place not in (3, 5, 7)} == {""}
        for number, body in enumerate(odd):
            found = await store.load(f"odd-{number:012}")
            assert found is not None
            assert found.rows[1:] == (Row(2, "acted", body),)
        await store.close()

    asyncio.run(work())


def metadata_names(connection: Any) -> list[str]:
    import sqlalchemy as sa

    return list(sa.inspect(connection).get_table_names())


def test_second_process_takes_over_a_whole_game(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "PAGE_MESSAGES_PER_SECOND", 1e6)
    rng = random.Random(7)
    with serving(cluster) as live, live.person() as aiko:
        game = aiko.new_game(target="61", counting="claimed", muggins="missed")
        with aiko.open(game) as page:
            page.alone()
            page.act(page.choices[0])
            page.alone()
            v, seen = page.v, page.view
        with serving(cluster) as other:
            aiko.live = other
            with aiko.open(game, v=v) as page:
                page.until("waiting")
                assert page.view == seen
                page.play_out(rng)
                front = page.view["front"]
            record = read(aiko.browser.get(f"{other.http}/game/{game}/record").text)
    assert list(last_state(record).front) == front


def test_a_wrong_password_or_name_is_one_clear_code(cluster: str) -> None:
    async def work() -> None:
        for address in (f"{cluster}-nowhere", cluster.replace("fifteentwo@", "stranger@")):
            with pytest.raises(StoreError, match="database-unreachable"):
                await Store.open(address)

    asyncio.run(work())
