"""Blocked people: they cannot sit at listed tables, and the list follows its owner."""

import json
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fifteentwo.i18n import text
from fifteentwo.server.errors import Refused
from fifteentwo.server.people import blocking, lobby, own_data, play_now
from fifteentwo.server.people.accounts import Accounts
from fifteentwo.server.people.own_data import DataOwner
from fifteentwo.server.store.schema import blocked_person
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.rows import Person as Seated
from tests.support.accounts import HERE, SECRET, finished_game, listed, shown
from tests.support.errors import raises_code
from tests.support.live_server import Live, Person, serving
from tests.support.named_tables import finished_table, guest, named
from tests.support.stored_match import Process


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """Start a server with an empty lobby without a cache."""
    monkeypatch.setattr(lobby, "_CACHE_SECONDS", -1.0)
    with serving(tmp_path / "games.sqlite3") as server:
        yield server


def met(host: Person, other: Person, name: str = "") -> str:
    """Let two people sit down together; return the table."""
    game = host.new_game("five-card", level_1="person")
    with host.open(game) as page:
        page.until("people")
        other.sit(page.table["invitations"][0]["path"], name)
    return game


def test_a_blocked_person_cannot_sit_at_a_listed_table_until_unblocked(hall: Live, lang: str) -> None:
    with hall.person(lang) as host, hall.person(lang) as other, hall.person(lang) as third:
        game = met(host, other, "<Ken>")
        assert host.browser.post(f"/game/{game}/block", data={"person": "2"}).status_code == 303
        assert host.browser.post(f"/game/{game}/block", data={"person": "2"}).status_code == 303
        listed(host, name="Aiko")
        (handle,) = shown(other)
        answer = other.browser.post(f"/lobby/{handle}", data={"name": "Ken"})
        assert answer.status_code == 403
        assert text("refusal.seat-not-for-you", lang) in answer.text
        # The person who blocks cannot sit at the blocked person's tables either.
        theirs = next(one for one in shown(third) if one != handle) if listed(other) else ""
        assert host.browser.post(f"/lobby/{theirs}", data={"name": "Aiko"}).status_code == 403
        account = host.browser.get("/account").text
        assert account.count("&lt;Ken&gt;") == 2, "name and label of the button, once each"
        assert text("account.blocked", lang) not in other.browser.get("/account").text
        (blocked,) = re.findall(r'name="blocked" value="([^"]+)"', account)
        other.browser.post("/account/unblock", data={"blocked": blocked})
        assert other.browser.post(f"/lobby/{handle}", data={"name": "Ken"}).status_code == 403
        assert host.browser.post("/account/unblock", data={"blocked": blocked}).status_code == 303
        assert other.browser.post(f"/lobby/{handle}", data={"name": "Ken"}).status_code == 303


def test_only_people_of_ones_own_tables_can_be_blocked(hall: Live) -> None:
    with hall.person() as host, hall.person() as other, hall.person() as stranger:
        game = met(host, other)
        path = f"/game/{game}/block"
        assert stranger.browser.post(path, data={"person": "1"}).status_code == 403
        for person in ("1", "0", "", "3", "99", "-1", "x"):
            assert host.browser.post(path, data={"person": person}).status_code == 404, person
        evil = {"Origin": "https://evil.example"}
        for address, data in ((path, {"person": "2"}), ("/account/unblock", {"blocked": ""})):
            assert host.browser.post(address, data=data, headers=evil).status_code == 403
        assert text("account.blocked", "en") not in host.browser.get("/account").text


@pytest.mark.long
def test_a_finished_game_with_a_person_has_a_button_and_one_with_a_level_has_none(hall: Live) -> None:
    with hall.person() as host, hall.person() as other:
        game = met(host, other, "Ken")
        with host.open(game) as page, other.open(game) as theirs, ThreadPoolExecutor(1) as thread:
            playing = thread.submit(theirs.play_out, random.Random(4))
            page.play_out(random.Random(3))
            playing.result()
        alone = finished_game(host)
        for person, called in ((host, "Ken"), (other, "Guest")):
            answer = person.browser.get(f"/game/{game}/log").text
            assert answer.count(f"/game/{game}/block") == 1
            assert text("account.block", "en", name=called) in answer
        assert "/block" not in host.browser.get(f"/game/{alone}/log").text


async def rows(store: Store) -> set[tuple[str, str]]:
    return {(row.owner, row.blocked) for row in await store.select(blocked_person.select())}


async def test_blocks_follow_a_guest_to_the_account_and_are_exported_and_deleted(
    address: str, process: Process
) -> None:
    tables = await process(address)
    store, accounts, visitor = tables.store, Accounts(tables.store), guest()
    ken, ben = [(await named(store, name)).owner for name in ("Ken", "Ben")]
    table = await finished_table(store, (Seated(name="V", owner=visitor), Seated(name="Old", owner=ken)))
    for pair in ((visitor, ken), (ken, visitor), (ben, visitor), (ben, ken)):
        await blocking.block(store, *pair)
    account = await accounts.create("Visitor", SECRET, visitor, "", HERE)
    mine = account.owner
    assert await rows(store) == {(mine, ken), (ken, mine), (ben, mine), (ben, ken)}
    # Somebody who blocked both the guest and the account has blocked one person.
    again = guest()
    for pair in ((again, ken), (again, ben), (ben, again), (mine, again), (again, mine)):
        await blocking.block(store, *pair)
    user = await accounts.user_of(account.token)
    assert user is not None
    await accounts.add_guest_games(user, again)
    assert await rows(store) == {(mine, ken), (mine, ben), (ken, mine), (ben, mine), (ben, ken)}
    whose = DataOwner(tables, accounts, mine, user)
    export = json.loads(b"".join([part async for part in own_data.export_data(whose)]))
    assert export["blocked"] == [{"name": "Ben"}, {"name": "Ken"}]
    assert not any(owner in json.dumps(export) for owner in (ken, ben, mine))
    await own_data.delete_data(whose)
    assert await rows(store) == {(ben, ken)}
    assert table


async def test_play_now_pairs_no_blocked_people_and_others_do_not_wait_for_them(
    address: str, process: Process
) -> None:
    store = (await process(address)).store
    wish = {"name": "", "browser": "", "address": "", "length": "open", "move_seconds": 10, "points": 1500}
    await blocking.block(store, "a", "b")
    with raises_code(Refused, "nobody-to-block"):
        await blocking.block(store, "a", "a")
    for owner in ("a", "b"):
        await play_now.start_waiting(store, owner, wish, None)
    for owner in ("a", "b", "a"):
        assert (await play_now.poll(store, owner)).match_id is None
    await play_now.start_waiting(store, "c", wish, None)
    assert (await play_now.poll(store, "b")).opponent == "c"
    assert (await play_now.poll(store, "a")).match_id is None


async def test_people_meet_again_if_the_only_other_one_is_blocked_by_both(store: Store) -> None:
    wish = {"name": "", "browser": "", "address": "", "length": "open", "move_seconds": 10, "points": 1500}
    await blocking.block(store, "a", "z")
    await blocking.block(store, "z", "b")
    last = None
    for _ in range(2):
        for owner in ("z", "a", "b"):
            await play_now.start_waiting(store, owner, wish, last)
        assert (await play_now.poll(store, "z")).match_id is None
        last = (await play_now.poll(store, "b")).match_id
        assert (await play_now.poll(store, "a")).match_id == last is not None
