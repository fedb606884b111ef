"""Removal of matches that nobody needs; played or open matches stay."""

import asyncio
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from fifteentwo.server.errors import StoreError
from fifteentwo.server.live import tables
from fifteentwo.server.people import expiry
from fifteentwo.server.people.expiry import DAY_SECONDS, remove_expired
from fifteentwo.server.store.schema import match
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Row
from tests.support.accounts import keep
from tests.support.live_server import Page, serving
from tests.support.stored_match import KEPT, opened_store


def ids(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        return {row[0] for row in connection.execute("SELECT id FROM match")}


def older(database: Path, days: int) -> None:
    """Make every match older by this number of days."""
    with closing(sqlite3.connect(database)) as connection:
        for table, column in (("match", "created_at"), ("match", "page_seen_at"), ("log_row", "created_at")):
            connection.execute(f"UPDATE {table} SET {column} = {column} - ?", (days * DAY_SECONDS,))
        connection.commit()


def removed(database: Path, days: int = 7) -> int:
    async def run() -> int:
        async with opened_store(database) as store:
            return await remove_expired(store, days)

    return asyncio.run(run())


def play(page: Page, until: Callable[[Page], bool]) -> None:
    rng = random.Random(1)
    page.alone()
    while not until(page):
        page.act(rng.choice(page.choices))
        page.settle()


def test_guests_matches_without_a_whole_deal_expire_and_longer_ones_do_not(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with serving(database) as live, live.person() as aiko:
        unplayed, one_move, given_up, one_deal, open_seat = (
            aiko.new_game(level_1=level) for level in ("random", "random", "random", "random", "person")
        )
        for game, until in (
            (one_move, lambda _: True),
            (given_up, lambda _: True),
            (one_deal, lambda page: page.view["deal"] == 2),
        ):
            with aiko.open(game) as page:
                page.alone()
                page.act(page.choices[0])
                page.settle()
                play(page, until)
                if game == given_up:
                    page.send("resign", 1)
                    while not page.view["won"]:
                        page.hear()
    assert removed(database) == 0
    older(database, 6)
    assert removed(database) == 0
    older(database, 2)
    assert removed(database) == 4
    assert ids(database) == {one_deal}
    with serving(database) as live, live.person() as stranger:
        assert stranger.browser.get(f"/game/{unplayed}").status_code == 404
        assert stranger.browser.get(f"/game/{open_seat}/waiting").status_code == 404
        assert stranger.browser.get(f"/game/{one_deal}").status_code == 403


def test_a_match_of_an_account_expires_only_if_it_was_never_played(tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    with serving(database) as live, live.person() as aiko:
        keep(aiko, "Aiko")
        _unplayed, one_move = aiko.new_game(), aiko.new_game()
        with aiko.open(one_move) as page:
            page.alone()
            page.act(page.choices[0])
    older(database, 10_000)
    assert removed(database) == 1
    assert ids(database) == {one_move}


def test_more_matches_than_one_transaction_removes_all_expire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "MAX_REMOVED_MATCHES", 2)
    database = tmp_path / "games.sqlite3"
    with serving(database) as live, live.person() as aiko:
        for _ in range(5):
            aiko.new_game()
    older(database, 8)
    assert removed(database) == 5
    assert ids(database) == set()


@pytest.mark.parametrize("what", ["page", "row"])
async def test_a_match_that_is_opened_or_played_while_others_are_removed_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A player returns between the search and the removal."""
    database = tmp_path / "games.sqlite3"
    store = await Store.open(str(database))
    await store.create(KEPT)
    async with store.writing() as connection:
        await connection.execute(match.update().values(created_at=1, page_seen_at=1))
    before = store.writing

    def writing() -> object:
        with closing(sqlite3.connect(database)) as other:
            if what == "page":
                other.execute("UPDATE match SET page_seen_at = unixepoch()")
            else:
                other.execute(
                    "INSERT INTO log_row SELECT match_id, seq + 1, type, body, unixepoch() FROM log_row"
                    " ORDER BY seq DESC LIMIT 1"
                )
            other.commit()
        return before()

    monkeypatch.setattr(store, "writing", writing)
    assert await remove_expired(store, 7) == 0
    await store.close()
    assert ids(database) == {KEPT.id}


@pytest.mark.parametrize("shared", [False, pytest.param(True, marks=pytest.mark.postgres)])
async def test_nothing_is_appended_to_a_match_that_was_removed(
    tmp_path: Path, shared: bool, request: pytest.FixtureRequest
) -> None:
    file = str(tmp_path / "games.sqlite3")
    store = await Store.open(request.getfixturevalue("cluster") if shared else file)
    await store.create(KEPT)
    async with store.writing() as connection:
        await connection.execute(match.update().values(created_at=1, page_seen_at=1))
    assert await remove_expired(store, 7) == 1
    with pytest.raises(StoreError):
        await store.append(KEPT.id, Row(len(KEPT.rows) + 1, "acted", "{}", 1))
    async with store.reading() as connection:
        assert (await connection.execute(sa.select(match.c.id))).first() is None
    await store.close()


def test_a_table_in_memory_stores_that_its_page_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PAGE_SEEN_INTERVAL_SECONDS", 0.0)
    database = tmp_path / "games.sqlite3"
    with serving(database) as live, live.person() as aiko:
        game = aiko.new_game()
        with aiko.open(game) as page:
            page.until("waiting")
        older(database, 8)
        with aiko.open(game) as page:
            page.until("waiting")
    assert removed(database) == 0
    assert ids(database) == {game}
