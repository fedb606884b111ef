"""Tables in memory equal their log, also after errors of the database."""

import asyncio
import contextlib
import gc
import random
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fifteentwo.rules.actions import Draw, NameDealer, Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.errors import IllegalAction
from fifteentwo.rules.variants import Rules, rules_for
from fifteentwo.rules.view import View, view
from fifteentwo.rules.view import choices as choices_of
from fifteentwo.server.errors import Refused, StoreError
from fifteentwo.server.live import open_page, thinking
from fifteentwo.server.live import tables as tables_module
from fifteentwo.server.live.computers import Computers
from fifteentwo.server.live.open_page import OpenPage
from fifteentwo.server.live.page_updates import PageUpdates
from fifteentwo.server.live.seeding import Seeding
from fifteentwo.server.live.table import MAX_PAGES_PER_TABLE, LiveTable
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person, Row
from tests.support.errors import raises_code
from tests.support.stored_match import Unreliable

PERSONS = (Person(name="Aiko", owner="a"), Person(name="Ken", owner="k"))
UNCUT = rules_for("six-card", first_dealer="named", cut_before_deal=False)
AGAINST_COMPUTER = (Person(name="Aiko", owner="a"), Person(name="", level="random"))


async def without_seeds(table: LiveTable) -> None:
    """Commit no seed for every page, so that the game opens at once."""
    for person in table.ledger.awaited_for_seeds:
        await table.part(Seeding).commit(table, person, "")


@asynccontextmanager
async def at_a_table(
    folder: Path, rules: Rules | None = None, people: tuple[Person, ...] = PERSONS
) -> AsyncIterator[tuple[LiveTable, Unreliable, Tables]]:
    store = await Unreliable.open(str(folder / "games.sqlite3"))
    assert isinstance(store, Unreliable)
    tables = Tables(store)
    try:
        chosen = rules or rules_for("six-card", first_dealer="named")
        table = await tables.open(await tables.create(chosen, Options(), people))
        await without_seeds(table)
        yield table, store, tables
    finally:
        await tables.close()
        await store.close()


@pytest.mark.parametrize("when", ["before", "after"])
async def test_failed_write_leaves_table_and_database_equal(tmp_path: Path, when: str) -> None:
    async with at_a_table(tmp_path) as (table, store, _):
        listener = OpenPage(0, "en", None)
        table.join(listener)
        store.fails = when
        with pytest.raises(StoreError):
            await table.act(0, NameDealer(1))
        assert table.ledger.v == 0, "nothing was sent"
        store.fails = None
        if when == "before":
            await table.act(0, NameDealer(0))
            assert table.ledger.table.state.dealer == 0
        else:
            with pytest.raises(IllegalAction):
                await table.act(0, NameDealer(0))
            assert table.ledger.table.state.dealer == 1, "what is on disk holds"
        kept = await store.load(table.id)
        assert kept is not None
        again = LiveTable(store, kept)
        assert again.ledger.table.state == table.ledger.table.state
        assert again.ledger.entries == table.ledger.entries


async def test_nothing_is_sent_before_it_is_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    appended: list[int] = []
    sent: list[bytes] = []
    listener = OpenPage(0, "en", None)
    monkeypatch.setattr(listener, "send", sent.append)
    async with at_a_table(tmp_path, rules_for("six-card", target=61), AGAINST_COMPUTER) as (table, store, _):
        plain_append = store.append

        async def checked_append(game_id: str, row: Row) -> None:
            before = (table.ledger.seq, table.ledger.v, len(sent))
            await asyncio.sleep(0.005)
            await plain_append(game_id, row)
            kept = await store.load(game_id)
            assert kept is not None
            assert kept.rows[-1] == row
            assert before == (row.seq - 1, table.ledger.v, len(sent)), "sent too early"
            appended.append(row.seq)

        monkeypatch.setattr(store, "append", checked_append)
        table.join(listener)
        rng = random.Random(2)
        for _turn in range(30_000):
            if table.ledger.table.over or len(appended) > 60:
                break
            choices = choices_of(view(table.ledger.table.state, 0))
            if choices:
                action = rng.choice(choices)
                with contextlib.suppress(IllegalAction):
                    await table.act(0, action)
            await asyncio.sleep(0.002)
    assert len(appended) > 30


async def test_disconnecting_during_a_write_leaves_table_and_database_equal(tmp_path: Path) -> None:
    async with at_a_table(tmp_path) as (table, store, _):
        before = table.ledger.seq
        acting = asyncio.create_task(table.act(0, NameDealer(1)))
        await asyncio.sleep(0)
        acting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await acting
        for _attempt in range(3000):
            await asyncio.sleep(0.01)
            if table.ledger.seq > before:
                break
        kept = await store.load(table.id)
        assert kept is not None
        assert len(kept.rows) == table.ledger.seq == before + 1


async def test_failing_level_is_replaced_by_a_random_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def act(self, view: View) -> Draw:
            raise ZeroDivisionError(view.seat)

    monkeypatch.setattr(thinking, "player", lambda *_: Broken())
    async with at_a_table(tmp_path, UNCUT, AGAINST_COMPUTER) as (table, _, __):
        table.join(OpenPage(0, "en", None))
        await table.act(0, NameDealer(0))
        for _attempt in range(3000):
            await asyncio.sleep(0.01)
            if table.ledger.table.state.discarded[1]:
                break
        assert table.ledger.table.state.discarded[1], "the table waits for ever"
    assert "thinking as random fails: ZeroDivisionError" in caplog.text


async def test_illegal_choice_is_replaced_by_a_legal_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Cheat:
        def act(self, view: View) -> Play:
            return Play(view.seat, Card("5H"))

    monkeypatch.setattr(thinking, "player", lambda *_: Cheat())
    async with at_a_table(tmp_path, UNCUT, AGAINST_COMPUTER) as (table, _, __):
        table.join(OpenPage(0, "en", None))
        await table.act(0, NameDealer(0))
        for _attempt in range(3000):
            await asyncio.sleep(0.01)
            if table.part(Computers)._turn is None:
                break
        assert table.ledger.table.state.discarded[1], "it discarded"
        assert all(not isinstance(action, Play) for action in table.ledger.table.actions)
    assert "thinking as random fails: IllegalChoice" in caplog.text


async def test_page_that_reads_nothing_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_page, "MAX_UNSENT_MESSAGES", 4)
    async with at_a_table(tmp_path) as (table, _, __):
        listener = OpenPage(0, "en", None)
        table.join(listener)
        for _turn in range(5):
            table.part(PageUpdates).send_table(table, listener)
        left = [listener.unsent.get_nowait() for _ in range(listener.unsent.qsize())]
        assert len(left) <= 4
        assert open_page.CLOSE_AND_RECONNECT in left


async def test_pages_beyond_the_maximum_are_refused_for_one_person_only(tmp_path: Path) -> None:
    async with at_a_table(tmp_path) as (table, _, __):
        for _page in range(MAX_PAGES_PER_TABLE // table.rules.seats):
            table.join(OpenPage(0, "en", None))
        with raises_code(Refused, "too-many-pages"):
            table.join(OpenPage(0, "en", None))
        # A person who cannot connect counts as absent, and could lose by the clock.
        table.join(OpenPage(1, "en", None))
        table.leave(table.pages[0])
        table.join(OpenPage(0, "en", None))


async def test_idle_tables_are_dropped_and_loaded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "MAX_IDLE_TABLES", 2)
    async with at_a_table(tmp_path) as (table, _, tables):
        table.join(OpenPage(0, "en", None))
        await table.act(0, NameDealer(1))
        names = [await tables.create(rules_for("six-card"), Options(), PERSONS) for _ in range(6)]
        for name in names:
            await tables.open(name)
        assert len(tables._loads) <= 3
        assert await tables.open(table.id) is table, "a page is open"
        table.leave(table.pages[0])
        for name in names:
            await tables.open(name)
        again = await tables.open(table.id)
        assert again is not table
        assert again.ledger.table.state == table.ledger.table.state


async def test_dropped_table_is_freed_without_garbage_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Garbage collection is rare on the server, because it blocks every request."""
    monkeypatch.setattr(tables_module, "MAX_IDLE_TABLES", 0)
    async with at_a_table(tmp_path) as (_, __, tables):
        name = await tables.create(UNCUT, Options(), AGAINST_COMPUTER)
        table = await tables.open(name)
        gone: list[Callable[[], object]] = [
            weakref.ref(table),
            weakref.ref(table.ledger),
            weakref.ref(table.ledger.table),
        ]
        gc.collect()
        gc.disable()
        try:
            del table
            other = await tables.create(UNCUT, Options(), AGAINST_COMPUTER)
            await tables.open(other)
            assert [one() for one in gone] == [None, None, None]
        finally:
            gc.enable()


async def test_damaged_table_is_reported_and_others_work(tmp_path: Path) -> None:
    async with at_a_table(tmp_path) as (table, store, tables):
        for body in ("{}", "not json", '{"actions":[{"type":"Play","seat":0,"card":"5H"}]}'):
            name = await tables.create(table.rules, Options(), PERSONS)
            await store.append(name, Row(2, "acted", body))
            with raises_code(StoreError, "game-damaged"):
                await tables.open(name)
        gap = await tables.create(table.rules, Options(), PERSONS)
        await store.append(gap, Row(3, "undone", '{"back_to":2}'))
        with raises_code(StoreError, "game-damaged"):
            await tables.open(gap)
        assert await tables.unfinished_of("a") == [table]
