"""All data of a user: exported in one file, and deleted from every table."""

import json
import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from fifteentwo.rules import record
from fifteentwo.rules.record import to_json
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import view
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live.open_page import CLOSE_AND_RECONNECT
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.people import own_data, ratings
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.own_data import DataOwner
from fifteentwo.server.store import matches
from fifteentwo.server.store.history import History
from fifteentwo.server.store.schema import mistake, searched_game
from fifteentwo.server.store.store import Store
from fifteentwo.server.study.mistakes import StoredMistake
from fifteentwo.server.table_log.rows import Person as Seated
from fifteentwo.server.table_log.rows import Row
from tests.support.accounts import SECRET, finished_game, keep, sign_in
from tests.support.ledgers import played, stored_table
from tests.support.live_server import Live, Person
from tests.support.named_tables import finished_table, guest


def everything(tables: Tables, owner: str) -> DataOwner:
    """Create the data owner of a guest."""
    return DataOwner(tables=tables, accounts=Accounts(tables.store), owner=owner, user=None)


def rows_with(database: Path, words: list[str]) -> Iterator[str]:
    """Yield every table and row that contains one of these words."""
    connection = sqlite3.connect(database)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert {"account", "signed_in_browser", "player", "mistake", "game_rating"} <= set(tables)
    for table in tables:
        for row in connection.execute(f"SELECT * FROM {table}").fetchall():
            if any(word in json.dumps(row, ensure_ascii=False, default=repr) for word in words):
                yield f"{table}: {row}"
    connection.close()


def owner_of(database: Path, name: str) -> str:
    connection = sqlite3.connect(database)
    (owner,) = connection.execute("SELECT owner FROM account WHERE name = ?", (name,)).fetchone()
    connection.close()
    return str(owner)


def rating_of(database: Path, owner: str) -> tuple[object, ...]:
    connection = sqlite3.connect(database)
    (row,) = connection.execute("SELECT * FROM rating WHERE owner = ?", (owner,)).fetchall()
    connection.close()
    return tuple(row)


def played_together(one: Person, other: Person) -> str:
    game = one.new_game("five-card", level_1="person", clock_move="300")
    with one.open(game) as page:
        page.until("waiting")
        other.sit(page.table["invitations"][0]["path"])
        with other.open(game) as page_of_other, ThreadPoolExecutor(1) as thread:
            playing = thread.submit(page_of_other.play_out, random.Random(4))
            page.play_out(random.Random(3))
            playing.result()
    return game


def test_everything_is_exported(live: Live) -> None:
    with live.person() as aiko, live.person(address="127.0.0.2") as ken:
        keep(aiko, "Exported")
        keep(ken, "Exporter")
        games = {finished_game(aiko), played_together(aiko, ken)}
        going = aiko.new_game("five-card")
        shared = aiko.browser.post(f"/game/{min(games)}/hide", data={"game": "1"})
        assert shared.status_code == 303
        response = aiko.browser.post("/account/export")
        assert response.headers["content-disposition"] == 'attachment; filename="fifteentwo.json"'
        file = response.json()
        assert file["name"]["name"] == "Exported"
        assert len(file["sessions"]) == 1
        assert [one["games"] for one in file["ratings"]] == [1]
        assert {one["table"] for one in file["tables"]} == {*games, going}
        for table in file["tables"]:
            assert table["going_on"] == (table["table"] == going)
            for game in table["games"]:
                own = record.read(aiko.browser.get(f"/game/{table['table']}/record").text)
                assert record.read(game["record"]).actions == own.actions
        assert file["hidden_games"] == [{"table": min(games), "number": 1}]
        assert "argon2" not in response.text
        assert "invitation" not in response.text
        hidden = next(one for one in file["tables"] if one["table"] == going)
        assert hidden["games"] == [], "no card of a game that is going on"
        assert "secret" not in json.dumps(hidden)


def test_an_export_that_cannot_begin_is_refused_as_a_whole(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise StoreError("database-locked")

    monkeypatch.setattr(own_data, "_all_finished_games", away)
    with live.person() as aiko:
        aiko.new_game()
        answer = aiko.browser.post("/account/export")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_a_stranger_has_nothing_to_export_or_delete(stranger: Person) -> None:
    for action in ("export", "delete"):
        assert stranger.browser.post(f"/account/{action}", data={"sure": "yes"}).status_code == 404


def test_a_name_is_deleted_from_every_table_and_others_keep_their_records(
    live: Live, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "MIN_PUBLIC_GAMES", 1)
    monkeypatch.setattr(ratings, "MIN_PUBLIC_OPPONENTS", 1)
    here, there = live.person(), live.person(address="127.0.0.2")
    with here as aiko, there as ken, live.person() as second:
        keep(aiko, "Vanishing")
        keep(ken, "Remaining")
        sign_in(second, "Vanishing")
        owner, rest = owner_of(database, "Vanishing"), owner_of(database, "Remaining")
        alone, together = finished_game(aiko), played_together(aiko, ken)
        before = record.read(ken.browser.get(f"/game/{together}/record").text)
        assert "Vanishing" in before.names
        for person in (aiko, ken):
            # The account page waits until the games of its user are rated.
            assert person.browser.get("/account").status_code == 200
            assert '<th scope="row">Vanishing' in person.browser.get("/people").text
            assert together in person.browser.get("/history").text
        assert list(rows_with(database, [rest]))
        rated_before = rating_of(database, rest)
        assert rated_before[-2:] == (1, 1)
        wrong = aiko.browser.post("/account/delete", data={"passphrase": "wrong wrong"})
        assert wrong.status_code == 403
        assert list(rows_with(database, ["Vanishing"])), "nothing is gone yet"
        assert aiko.browser.post("/account/delete", data={"passphrase": SECRET}).status_code == 303
        assert list(rows_with(database, ["Vanishing", owner, alone])) == []
        for person in (aiko, second):
            assert "Sign out" not in person.browser.get("/account").text
            assert person.browser.get(f"/game/{together}").status_code == 403
        assert sign_in(second, "Vanishing").status_code == 403
        after = record.read(ken.browser.get(f"/game/{together}/record").text)
        assert after.actions == before.actions
        assert sorted(after.names) == ["Guest", "Remaining"]
        listed = ken.browser.get("/history").text
        assert together in listed
        assert "Vanishing" not in listed
        assert ken.browser.get(f"/game/{together}/log").status_code == 200
        assert rating_of(database, rest) == rated_before, "no other rating changes"
        assert list(rows_with(database, ["Vanishing", owner])) == [], "and lists made again say nothing"
        assert keep(second, "Vanishing").status_code == 409, "no other user takes the name so soon"
        assert keep(second, "Vanish-ing").status_code == 409
        assert together not in second.browser.get("/history").text


def test_deletion_during_a_game_closes_only_the_own_page(live: Live, aiko: Person, ken: Person) -> None:
    keep(aiko, "Leaving")
    with aiko.at_table("five-card", level_1="person") as page:
        page.until("waiting")
        invitation = page.table["invitations"][0]["path"]
        ken.sit(invitation, "Ken")
        with ken.open(page.game) as other:
            other.until("waiting")
            assert "Leaving" in str(other.table)
            assert aiko.browser.post("/account/delete", data={"passphrase": SECRET}).status_code == 303
            with pytest.raises(ConnectionClosed) as closed:
                page.until("nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == CLOSE_AND_RECONNECT
            while "Leaving" in str(other.table):
                other.until("table")
            assert "Guest" in str(other.table)
            assert not other.table["invitations"], "the seat cannot be taken"
    assert ken.browser.get(f"/game/{page.game}").status_code == 200
    with live.person() as mallory:
        assert mallory.browser.post(invitation, data={"name": "M"}).status_code in (404, 409)


def test_a_guest_deletes_own_games_after_confirmation(live: Live, database: Path) -> None:
    with live.person() as guest_here:
        game = finished_game(guest_here)
        assert guest_here.browser.post("/account/delete").status_code == 400
        assert guest_here.browser.get(f"/game/{game}").status_code == 200
        assert guest_here.browser.post("/account/delete", data={"sure": "yes"}).status_code == 303
        assert guest_here.browser.get(f"/game/{game}").status_code == 404
        assert list(rows_with(database, [game])) == []


@pytest.mark.long
def test_a_match_of_several_games_is_deleted_whole(aiko: Person, database: Path) -> None:
    keep(aiko, "Match alone")
    game = finished_game(aiko)
    with aiko.open(game) as page:
        page.until("waiting")
        page.send("next-game")
        page.until("table")
        page.play_out(random.Random(2))
    assert any(row.startswith("game_start") for row in rows_with(database, [game]))
    assert aiko.browser.post("/account/delete", data={"passphrase": SECRET}).status_code == 303
    assert list(rows_with(database, ["Match alone", game])) == []


@pytest.mark.long
def test_replays_export_no_prepared_decks_and_lose_deleted_names(
    aiko: Person, ken: Person, database: Path
) -> None:
    keep(aiko, "Played before")
    keep(ken, "Plays again")
    game = played_together(aiko, ken)
    chosen = {"game": f"{game}/1", "level": "random"}
    again = ken.browser.post("/practice/duplicate", data=chosen).headers["location"].split("/")[2]
    tables = {one["table"]: one for one in ken.browser.post("/account/export").json()["tables"]}
    assert tables[again]["going_on"]
    assert tables[again]["options"]["deck_tops"] == [], "the cards to come"
    assert list(rows_with(database, ["Played before"]))
    assert aiko.browser.post("/account/delete", data={"passphrase": SECRET}).status_code == 303
    assert list(rows_with(database, ["Played before"])) == []
    with ken.open(again) as page:
        page.until("waiting")
        page.play_out(random.Random(1))
    compared = ken.browser.get("/practice/duplicate").text
    assert "Played before" not in compared
    assert "replayed-title" in compared


async def test_results_stored_during_deletion_do_not_name_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    tables, history = Tables(store), History(store)
    one, other = guest(), guest()
    await finished_table(store, (Seated(name="Vanishing", owner=one), Seated(name="Other", owner=other)))
    whose = everything(tables, one)
    in_thread = matches.run_in_thread_if_many

    async def meanwhile(*given: Any) -> Any:
        monkeypatch.setattr(matches, "run_in_thread_if_many", in_thread)
        lists = await in_thread(*given)
        await own_data.delete_data(whose)
        return lists

    monkeypatch.setattr(matches, "run_in_thread_if_many", meanwhile)
    await history.store_games_of(other)
    assert list(rows_with(tmp_path / "games.sqlite3", [one, "Vanishing"])) == []
    await history.store_games_of(other)
    assert len(await history.games_of(other)) == 1
    await tables.close()


async def test_a_long_match_is_exported_a_part_at_a_time(
    monkeypatch: pytest.MonkeyPatch, store: Store
) -> None:
    monkeypatch.setattr(matches, "ROWS_PER_READ", 40)
    monkeypatch.setattr(matches, "MAX_ROWS_IN_LOOP", 30)
    read: list[int] = []
    rows = Store.rows

    async def counted(self: Store, game: str, first: int, most: int) -> tuple[Row, ...]:
        found = await rows(self, game, first, most)
        read.append(len(found))
        return found

    monkeypatch.setattr(Store, "rows", counted)
    tables = Tables(store)
    whole, log = played(rules_for("six-card", target=61), 4, seed=11, undo=0.05)
    table = stored_table(whole.match.rules, log)
    await store.create(table)
    whose = everything(tables, "Aiko")
    await tables.history.store_games_of("Aiko")
    read.clear()
    parts = [part async for part in own_data.export_data(whose)]
    assert max(read) <= 40
    assert sum(read) == len(log), "each row once"
    file = json.loads(b"".join(parts))
    (exported,) = file["tables"]
    assert [game["number"] for game in exported["games"]] == [*range(1, len(exported["games"]) + 1)]
    names = tuple(one.name for one in table.people)
    for game in exported["games"]:
        assert record.read(game["record"]) == whole.record(game["number"], names)
    assert len(exported["games"]) == len(whole.results)
    assert exported["going_on"] == (not whole.table.over)
    await tables.close()


async def test_practice_is_deleted_only_for_its_owner(tmp_path: Path, store: Store) -> None:
    tables = Tables(store)
    one, other = guest(), guest()
    game = await finished_table(store, (Seated(name="One", owner=one), Seated(name="Other", owner=other)))
    ledger = (await tables.open(game)).ledger
    moments = list(record.replay(ledger.record(1, ("", ""))))
    state = next(state for _, state, _ in moments if state.phase.value == "discard")
    body = to_json(StoredMistake(view=view(state, 0), loss=0.1, chosen=())).decode()
    async with store.writing() as connection:
        for owner in (one, other):
            key = {"owner": owner, "match_id": game, "game_number": 1}
            await connection.execute(searched_game.insert(), key)
            await connection.execute(mistake.insert(), {**key, "step": 3, "due_at": 5, "body": body})
    await History(store).store_games_of(one)
    whose = everything(tables, one)
    file = json.loads(b"".join([part async for part in own_data.export_data(whose)]))
    assert [entry["mistake"]["loss"] for entry in file["practice"]] == [0.1]
    assert len(file["searched_games"]) == 1
    assert len(file["tables"][0]["games"]) == 1
    await own_data.delete_data(whose)
    assert list(rows_with(tmp_path / "games.sqlite3", [one, "One"])) == []
    assert len(list(rows_with(tmp_path / "games.sqlite3", [other]))) == 3
    await tables.close()
