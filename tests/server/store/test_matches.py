"""Matches of many games: a game loaded from its start equals the whole log, and delays no other request."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.contest.match import Match
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.errors import Refused
from fifteentwo.server.live import table as table_module
from fifteentwo.server.live.table import MAX_GAMES_PER_MATCH
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store import matches
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Row, StoredTable
from tests.support.busy import busy, mostly_within
from tests.support.errors import raises_code
from tests.support.ledgers import NAMES, played, stored_table
from tests.support.stored_match import opened_store


@pytest.mark.parametrize(
    ("variant", "options"),
    [("six-card", {}), ("partners", {"partners_by_draw": True}), ("three-handed", {"counting": "claimed"})],
)
async def test_loaded_games_equal_those_of_the_whole_log(
    variant: str, options: dict[str, Any], store: Store
) -> None:
    rules = rules_for(variant, target=61, **options)
    whole, rows = played(rules, 4, seed=5, undo=0.05)
    table = stored_table(rules, rows)
    await store.create(table)
    for _ in ("read from the log", "read from where the last game begins"):
        found = await matches.load_match(store, table.id)
        assert found is not None
        ledger = found[1]
        assert ledger.table.state == whole.table.state
        assert ledger.match == whole.match
        assert (ledger.v, ledger.restart_version, ledger.seq) == (whole.v, whole.restart_version, whole.seq)
        assert ledger.entries == whole.entries[ledger.dropped_events :]
        assert ledger.dropped_events == whole.game_start.version > 0
        for number in range(1, 5):
            holding = await matches.load_game(store, table, number)
            assert holding.record(number, NAMES) == whole.record(number, NAMES)
            assert holding.result(number) == whole.result(number)
        with raises_code(Refused, "record-not-open"):
            (await matches.load_game(store, table, 5)).record(5, NAMES)
    begun = await store.last_game_start(table.id, 99)
    assert begun is not None
    assert (begun.game_number, begun.seq) == (4, whole.game_start.seq)


def test_game_start_stores_every_field_of_the_match() -> None:
    agreed = {"rules", "next_dealer", "length"}
    assert set(matches._MatchScore.__struct_fields__) == set(Match.__struct_fields__) - agreed


async def test_reloaded_table_continues_unchanged(store: Store) -> None:
    rules = rules_for("six-card", target=61)
    whole, rows = played(rules, 3, seed=6)
    laid_out = stored_table(rules, rows)
    await store.create(laid_out)
    tables = Tables(store)
    table = await tables.open(laid_out.id)
    assert table.games_played == 3
    await table.next_game()
    assert table.ledger.match.tally == whole.match_so_far.tally
    assert table.ledger.v == whole.v + len(table.ledger.entries)
    assert (await table.ledger_with_game(3)).result(3) == whole.result(3)
    assert (await table.ledger_with_game(1)).record(1, NAMES) == whole.record(1, NAMES)
    await tables.close()
    again = Tables(store)
    reopened = await again.open(laid_out.id)
    assert reopened.ledger.table.state == table.ledger.table.state
    assert reopened.ledger.entries == table.ledger.entries
    assert reopened.ledger.v == table.ledger.v
    await again.close()


async def test_only_the_present_game_is_read_and_in_memory(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    rules = rules_for("six-card", target=61)
    whole, rows = played(rules, 6, seed=7)
    table = stored_table(rules, rows)
    await store.create(table)
    await matches.load_match(store, table.id)

    async def never(*_: object) -> tuple[Row, ...]:
        raise AssertionError("more was read")

    monkeypatch.setattr(store, "rows", never)
    found = await matches.load_match(store, table.id)
    assert found is not None
    read, ledger = found
    assert list(read.rows) == rows[whole.game_start.seq - 1 :]
    assert len(ledger.entries) < len(whole.entries) / 3
    assert ledger.finished == []


async def test_match_has_a_maximum_of_games(monkeypatch: pytest.MonkeyPatch, store: Store) -> None:
    monkeypatch.setattr(table_module, "MAX_GAMES_PER_MATCH", 2)
    rules = rules_for("six-card", target=61)
    _, rows = played(rules, 2, seed=8)
    laid_out = stored_table(rules, rows)
    await store.create(laid_out)
    tables = Tables(store)
    table = await tables.open(laid_out.id)
    with raises_code(Refused, "match-too-long"):
        await table.next_game()
    assert table.ledger.seq == len(rows)
    await tables.close()


async def test_history_continues_reading_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    rules = rules_for("six-card", target=61)
    _, rows = played(rules, 5, seed=9)
    ends = [place for place, row in enumerate(rows) if row.type == "began"]
    await store.create(stored_table(rules, rows[: ends[3]]))
    tables = Tables(store)
    monkeypatch.setattr(matches, "ROWS_PER_READ", 40)
    await tables.history.store_games_of("Aiko")
    before = await tables.history.games_of("Aiko")
    assert sorted(one.game_number for one in before) == [1, 2, 3]
    for row in rows[ends[3] :]:
        await store.append("AAAAAAAAAAAAAAAA", row)
    await tables.history.store_games_of("Aiko")
    after = await tables.history.games_of("Aiko")
    assert sorted(one.game_number for one in after) == [1, 2, 3, 4, 5]
    assert [one for one in after if one.game_number <= 3] == before
    await tables.close()
    # A single read finds the same number of games.
    async with opened_store(tmp_path / "other.sqlite3") as other:
        await other.create(stored_table(rules, rows))
        tables = Tables(other)
        await tables.history.store_games_of("Aiko")
        assert len(await tables.history.games_of("Aiko")) == 5
        await tables.close()


async def longest_wait(database: Path, table: StoredTable, games: int) -> float:
    """Return the longest wait of others, in seconds of an idle machine, while a match is first opened."""
    waits: list[float] = []
    async with opened_store(database) as store:
        await store.create(table)
        opened = asyncio.create_task(matches.load_match(store, table.id))
        while not opened.done():
            began = time.perf_counter()
            await asyncio.sleep(0.005)
            waits.append(time.perf_counter() - began - 0.005)
        found = await opened
        assert found is not None
        assert found[1].match.game == games
    return max(waits) / busy()


@pytest.mark.timed
@pytest.mark.parametrize(
    "games", [60, *(pytest.param(one, marks=pytest.mark.slow) for one in (300, MAX_GAMES_PER_MATCH))]
)
def test_opening_a_long_match_delays_no_other_request(tmp_path: Path, games: int) -> None:
    rules = rules_for("six-card", target=61)
    _, rows = played(rules, games, seed=10)
    table, runs = stored_table(rules, rows), iter(range(9))

    def measure() -> float:
        return asyncio.run(longest_wait(tmp_path / f"{next(runs)}.sqlite3", table, games))

    waited = mostly_within(0.1, measure)
    print(f"{games} games, {len(rows)} rows: others waited {max(waited) * 1000:.0f} ms at most")
