"""The store on PostgreSQL, in a cluster that runs for these tests only."""

import asyncio
import random

import msgspec
import pytest
import sqlalchemy as sa

from fifteentwo.rules.record import last_state, read
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live import socket
from fifteentwo.server.store.store import Store, migrate
from fifteentwo.server.table_log.rows import Row
from tests.support import postgres as clusters
from tests.support.errors import raises_code
from tests.support.live_server import serving
from tests.support.stored_match import KEPT, append_rows

pytestmark = pytest.mark.postgres


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


async def test_batch_is_stored_exactly_and_only_an_impossible_row_is_refused(cluster: str) -> None:
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
    store = await Store.open(cluster)
    for number in range(len(odd)):
        await store.create(msgspec.structs.replace(KEPT, id=f"odd-{number:012}"))
    rows = [(f"odd-{number:012}", Row(2, "acted", body)) for number, body in enumerate(odd)]
    rows.insert(3, ("no-such-game", Row(2, "acted", "{}")))
    rows.insert(5, (rows[0][0], Row(3, "acted", "no text holds \x00")))
    rows.insert(7, (rows[0][0], Row(2, "acted", "another's")))
    errors = await append_rows(store, rows)
    assert errors[3] == errors[5] == errors[7] == "conflict"
    assert {one for place, one in enumerate(errors) if place not in (3, 5, 7)} == {""}
    for number, body in enumerate(odd):
        found = await store.load(f"odd-{number:012}")
        assert found is not None
        assert found.rows[1:] == (Row(2, "acted", body),)
    await store.close()


@pytest.mark.long
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


async def test_a_wrong_password_or_name_is_one_clear_code(cluster: str) -> None:
    for address in (f"{cluster}-nowhere", cluster.replace("fifteentwo@", "stranger@")):
        with raises_code(StoreError, "database-unreachable"):
            await Store.open(address)
