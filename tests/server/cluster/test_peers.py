"""Several processes on one PostgreSQL: any serves any page, and a table's computers act in one of them."""

import asyncio
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fifteentwo.server.cluster import leases, peers
from fifteentwo.server.cluster.leases import Leases
from fifteentwo.server.cluster.pg_listen import keep_listening
from fifteentwo.server.errors import StoreError
from fifteentwo.server.live import computers, socket, thinking
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages import site
from fifteentwo.server.peers import Peers
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.proofs import verify
from fifteentwo.server.table_log.rows import Row
from tests.support.live_server import PATIENCE, Page, Person
from tests.support.stored import found, ledger_of, rows_of
from tests.support.stored_match import KEPT
from tests.support.two_servers import heard_until, invitation, two, two_people


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "A_SECOND", 1e6)
    monkeypatch.setattr(site, "NEW_TABLES", (1000, 1e6))


# ── Leases ───────────────────────────────────────────────────────────────────────────────────────────────


def at_leases(cluster: str, work: Any) -> None:
    async def run() -> None:
        stores = [await Store.open(cluster) for _ in range(2)]
        taken: list[list[str]] = [[], []]
        name = f"{random.getrandbits(48):016d}"
        await stores[0].create(msgspec.structs.replace(KEPT, id=name))
        pair: list[Leases] = []
        for other, (store, own) in enumerate(zip(stores, taken, strict=True), -1):
            pair.append(Leases(store, own.append, partial(lambda to, games: pair[to].free(games), other)))
        try:
            await work(name, stores, pair)
        finally:
            for one in pair:
                await one.close()
            for store in stores:
                await store.close()

    asyncio.run(run())


async def until_owned_by(one: Leases, name: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while not one.owns(name):
            await asyncio.sleep(0.01)


def end_of(cluster: str, name: str) -> int:
    """Until when a lease holds."""
    return int(found(cluster, "SELECT until FROM lease WHERE match_id=?", name)[0][0])


@pytest.mark.postgres
def test_a_lease_goes_to_one_and_to_the_next_when_given_up(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lease that lasts far longer than a slow machine may stand still between two renewals."""
    monkeypatch.setattr(leases, "LASTS", 30.0)
    monkeypatch.setattr(leases, "RENEWED", 0.2)

    async def work(name: str, _: list[Store], pair: list[Leases]) -> None:
        first, second = pair
        first.want(name)
        await until_owned_by(first, name)
        second.want(name)
        ends = {end_of(cluster, name)}
        while len(ends) < 3:
            await asyncio.sleep(0.05)
            ends.add(end_of(cluster, name))
        assert first.owns(name)
        assert not second.owns(name), "it is renewed"
        assert first.epoch(name) == 1
        first.give_up(name)
        await until_owned_by(second, name)
        assert second.epoch(name) == 2
        assert not first.owns(name)

    at_leases(cluster, work)


@pytest.mark.postgres
def test_rows_under_a_lease_that_is_over_are_not_kept(cluster: str) -> None:
    async def work(name: str, stores: list[Store], pair: list[Leases]) -> None:
        first, second = pair
        first.want(name)
        await until_owned_by(first, name)
        old = first.epoch(name)
        await stores[0].append(name, Row(2, "acted", "{}"), old)
        await second.claim(name)
        assert second.owns(name)
        with pytest.raises(StoreError, match="conflict"):
            await stores[0].append(name, Row(3, "acted", "zombie"), old)
        results = await asyncio.gather(
            stores[0].append(name, Row(3, "acted", "zombie"), old),
            stores[0].append(name, Row(3, "acted", "person")),
            return_exceptions=True,
        )
        assert isinstance(results[0], StoreError), "refused next to a row that is stored"
        assert results[1] is None
        await stores[1].append(name, Row(4, "acted", "{}"), second.epoch(name))
        kept = await stores[0].load(name)
        assert kept is not None
        assert [row.body for row in kept.rows[1:]] == ["{}", "person", "{}"]
        # Who held it learns that it is lost.
        first.doubt(name)
        async with asyncio.timeout(PATIENCE):
            while first.owns(name):
                await asyncio.sleep(0.01)

    at_leases(cluster, work)


@pytest.mark.postgres
def test_a_holder_that_falls_silent_loses_its_tables(cluster: str) -> None:
    async def work(name: str, _: list[Store], pair: list[Leases]) -> None:
        first, second = pair
        first.want(name)
        await until_owned_by(first, name)
        assert first._renewing is not None
        first._renewing.cancel()
        await asyncio.wait([first._renewing])
        over = end_of(cluster, name)
        second.want(name)
        await until_owned_by(second, name)
        # Taken, by the database's clock, once the last lease was over.
        assert end_of(cluster, name) - 1000 * leases.LASTS > over
        assert second.epoch(name) == 2

    at_leases(cluster, work)


def test_where_one_process_serves_alone_it_needs_no_lease(tmp_path: Path) -> None:
    async def run() -> None:
        store = await Store.open(str(tmp_path / "games.sqlite3"))
        around = Tables(store).peers
        assert type(around) is Peers
        around.leases.want("any")
        assert around.leases.owns("any")
        assert around.leases.epoch("any") is None
        around.publish("people", ["any"])
        await around.close()
        await store.close()

    asyncio.run(run())
    assert found(tmp_path / "games.sqlite3", "SELECT * FROM lease WHERE match_id<>?", "") == []


PLAYS_ALONE = """
import asyncio, sys
from fifteentwo.rules.variants import rules_for
from fifteentwo.server.app import make_app
from fifteentwo.server.live.audience import OpenPage
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.store.store import Store
from fifteentwo.server.table_log.options import Options
from fifteentwo.server.table_log.rows import Person

async def run():
    store = await Store.open(sys.argv[1])
    make_app(store=store)
    tables = Tables(store)
    people = Person(name="A", owner="a"), Person(name="B", owner="b")
    table = await tables.table(await tables.create(rules_for("six-card"), Options(), people))
    for person in range(2):
        table.audience.join(OpenPage(person, "en", None))
        await table.seeding.commit(person, "")
    await tables.close()
    await store.close()

asyncio.run(run())
print([name for name in sys.modules if name.startswith("fifteentwo.server.cluster")])
"""


def test_one_process_loads_no_module_of_cluster(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PLAYS_ALONE, str(tmp_path / "games.sqlite3")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout.strip()) == (0, "[]"), ended.stderr


# ── One table in two processes ───────────────────────────────────────────────────────────────────────────


@pytest.mark.postgres
def test_people_in_different_processes_play_a_whole_game(cluster: str) -> None:
    """Each sees the other's moves, and the log is one game that the referee and the proof accept."""
    with two(cluster) as (here, there), two_people(here, there) as (game, page, other):
        threads = [
            threading.Thread(target=one.play_out, args=(random.Random(seed),))
            for seed, one in enumerate((page, other))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert page.view["won"]
        assert page.view["won"] == other.view["won"]
        assert page.v == other.v == ledger_of(cluster, game).v
        assert verify(ledger_of(cluster, game).record(1, ("Aiko", "Ken"))) > 0


@pytest.mark.postgres
def test_moves_sitting_down_and_presence_are_seen_at_once_in_the_other_process(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By notifications alone: nothing is found by looking."""
    monkeypatch.setattr(peers, "POLLED", 1000.0)
    with two(cluster) as (here, there), here.person() as aiko, there.person() as ken:
        game = aiko.new_game(level_1="person", first_dealer="named", cut_before_deal="no", target="61")
        with aiko.open(game) as page:
            page.until("table")
            assert page.table["invitations"]
            ken.sit(invitation(page), "Ken")
            heard_until(page, lambda: page.table["invitations"] == [])
            assert "Ken" in page.table["names"]
            with ken.open(game) as other:
                other.until("waiting")
                heard_until(page, lambda: seen_people(page)["present"] == [True, True])
                heard_until(other, lambda: seen_people(other)["present"] == [True, True])
                other.send("chat", "good-game")
                assert page.until("chat")["d"]["message"] == "good-game"
                other.act({"type": "NameDealer", "dealer": 0})
                heard_until(page, lambda: page.v == other.v)
                assert page.view["dealer"] == other.view["dealer"] == 0
            heard_until(page, lambda: seen_people(page)["present"] != [True, True])


def seen_people(page: Page) -> dict[str, Any]:
    """Return who is at the table by the last message to a page."""
    sent = [json.loads(text) for text in page.heard if text.startswith('{"t":"people"')]
    return sent[-1]["d"] if sent else {"present": []}


@pytest.mark.postgres
def test_an_open_place_is_given_once_though_both_processes_offer_it(cluster: str) -> None:
    with two(cluster) as (here, there), here.person() as aiko:
        for _ in range(3):
            game = aiko.new_game(level_1="person")
            with aiko.open(game) as page, here.person() as ken, there.person() as rie:
                page.until("table")
                path = invitation(page)
                assert rie.browser.get(path).status_code == 200, "the other process has the table open"
                answers: list[int] = []

                def follow(who: Person, path: str, answers: list[int]) -> None:
                    answers.append(who.browser.post(path, data={"name": "x"}).status_code)

                both = [threading.Thread(target=follow, args=(who, path, answers)) for who in (ken, rie)]
                for thread in both:
                    thread.start()
                for thread in both:
                    thread.join(60)
                assert sorted(answers) == [303, 409]


@pytest.mark.postgres
def test_both_processes_have_it_open_and_each_computer_acts_once(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[tuple[int, int, int]] = Counter()
    """How often each process asked each seat, by the row it was to make."""
    plain = computers.Computers._answer

    async def counted(self: computers.Computers, person: int, seen: Any) -> Any:
        asked[id(self._leases), seen.seat, self._log.ledger.seq + 1] += 1
        return await plain(self, person, seen)

    monkeypatch.setattr(computers.Computers, "_answer", counted)
    with two(cluster) as (here, there), here.person() as aiko:
        game = aiko.new_game("four-handed", target="61")
        with aiko.open(game) as page:
            aiko.live = there
            with aiko.open(game) as other:
                other.until("waiting")
                page.play_out(random.Random(5))
                heard_until(other, lambda: other.v == page.v)
                assert {v: other.events[v] for v in other.events} == {
                    v: page.events[v] for v in other.events if v in page.events
                }
    by = {row.seq: actor(row) for row in rows_of(cluster, game) if row.type == "acted"}
    assert {seat for _, seat, _ in asked} == set(by.values()) - {0} == {1, 2, 3}
    # A thought is in vain, or asked for again, only where the person discards faster.
    assert all(by[row] in {0, seat} for _, seat, row in asked)
    assert {times for (_, _, row), times in asked.items() if by[row] != 0} == {1}
    by_whom = {(row, process) for process, _, row in asked}
    [(epoch,)] = found(cluster, "SELECT epoch FROM lease WHERE match_id=?", game)
    assert epoch >= 1
    assert len(by_whom) - len({row for row, _ in by_whom}) <= epoch - 1, "both processes asked"


def actor(row: Row) -> int:
    """The seat whose action made this row."""
    return int(msgspec.json.decode(row.body)["actions"][0]["seat"])


@pytest.mark.postgres
def test_a_computer_answers_a_person_of_another_process(cluster: str) -> None:
    """The first page's process holds the table; who plays through the other is answered all the same."""
    with two(cluster) as (here, there), here.person() as aiko:
        game = aiko.new_game("five-card")
        with aiko.open(game) as page:
            page.until("waiting")
            aiko.live = there
            with aiko.open(game) as other:
                other.play_out(random.Random(3))
                assert other.view["won"]
            heard_until(page, lambda: page.v == other.v)


@pytest.mark.postgres
def test_a_new_game_and_an_undo_in_one_process_are_sent_in_the_other(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two(cluster) as (here, there), here.person() as aiko:
        game = aiko.new_game(first_dealer="named", cut_before_deal="no", target="61")
        with aiko.open(game) as page:
            page.until("waiting")
            page.act({"type": "NameDealer", "dealer": 0})
            aiko.live = there
            with aiko.open(game) as other:
                # The computer has discarded, and no move of its own comes between those that follow.
                other.alone()
                hand = other.view["hand"]
                # The computer thinks long enough.
                monkeypatch.setattr(thinking, "QUICK", thinking.Delay(20, 20))
                other.act(other.choices[0])
                assert other.may_undo()
                other.send("undo")
                other.until("table")
                monkeypatch.setattr(thinking, "QUICK", thinking.Delay(0, 0))
                heard_until(page, lambda: page.v == other.v)
                assert page.view["hand"] == other.view["hand"] == hand
                page.send("lang", "en")
                page.until("table")
                page.play_out(random.Random(2))
                heard_until(other, lambda: bool(other.view["won"]))
                other.send("next")
                heard_until(page, lambda: page.match["game"] == 2)
                other.until("table")
                assert ledger_of(cluster, game).match.game == 2


@pytest.mark.postgres
def test_a_move_made_before_two_processes_know_of_each_other_is_sent_once_they_do(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first row of a process that has just begun was sent to no other; none polls for it either."""
    monkeypatch.setattr(peers, "POLLED", 1000.0)
    begin = threading.Event()

    async def late(*given: Any) -> None:
        while not begin.is_set():
            await asyncio.sleep(0.01)
        await keep_listening(*given)

    with two(cluster) as (here, there), here.person() as aiko:
        game = aiko.new_game(first_dealer="named", cut_before_deal="no")
        with aiko.open(game) as page:
            page.until("waiting")
            monkeypatch.setattr(peers, "keep_listening", late)
            aiko.live = there
            with aiko.open(game) as other:
                other.until("waiting")
                other.act({"type": "NameDealer", "dealer": 0})
                assert page.v < other.v
                begin.set()
                heard_until(page, lambda: page.v >= other.v)


@pytest.mark.postgres
def test_what_the_coach_says_is_heard_before_a_computer_of_the_other_process_answers(cluster: str) -> None:
    """Who listens to the coach takes the table over: its computers wait here, and act nowhere else."""
    with two(cluster) as (here, there), here.person() as aiko:
        game = aiko.new_game(first_dealer="named", cut_before_deal="no", level_1="random")
        with aiko.open(game) as page:
            page.until("waiting")
            page.act({"type": "NameDealer", "dealer": 0})
            # Its computer has discarded, so the lease is that of this page's process.
            page.alone()
            before = found(cluster, "SELECT worker, epoch FROM lease WHERE match_id=?", game)
            aiko.live = there
            with aiko.open(game) as other:
                other.send("coach", True)
                other.settle()
                other.send("act", other.choices[0])
                other.until("coach")
                after = found(cluster, "SELECT worker, epoch FROM lease WHERE match_id=?", game)
                assert after[0][0] != before[0][0]
                assert after[0][1] == before[0][1] + 1
                other.send("go-on")
                other.settle()


# ── What is lost ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.postgres
@pytest.mark.parametrize("how", ["dropped", "deaf"])
def test_a_notification_that_is_lost_merely_delays(
    cluster: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No notification arrives, or no process listens at all: moves and who sits down are seen by polling."""
    monkeypatch.setattr(peers, "POLLED", 1.0)
    if how == "dropped":
        monkeypatch.setattr(peers.PostgresPeers, "_received", lambda *_: None)
    else:

        async def deaf(*_: object) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(peers, "keep_listening", deaf)
    with two(cluster) as (here, there), here.person() as aiko, there.person() as ken:
        game = aiko.new_game(level_1="person", first_dealer="named", cut_before_deal="no", target="61")
        with aiko.open(game) as page:
            page.until("table")
            ken.sit(invitation(page), "Ken")
            heard_until(page, lambda: page.table["invitations"] == [])
            with ken.open(game) as other:
                other.until("waiting")
                other.act({"type": "NameDealer", "dealer": 0})
                heard_until(page, lambda: page.v == other.v)
                page.settle()
                page.act(page.choices[0])
                heard_until(other, lambda: other.v == page.v)


@pytest.mark.long
@pytest.mark.postgres
def test_connections_that_listen_are_cut_off_again_and_again(cluster: str) -> None:
    import psycopg

    over = threading.Event()

    def cut() -> None:
        with psycopg.connect(cluster, autocommit=True) as line:
            while not over.wait(0.05):
                line.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
                )

    with two(cluster) as (here, there), two_people(here, there) as (_, page, other):
        cutting = threading.Thread(target=cut)
        cutting.start()
        try:
            threads = [
                threading.Thread(target=one.play_out, args=(random.Random(seed),))
                for seed, one in enumerate((page, other))
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(240)
        finally:
            over.set()
            cutting.join()
        assert page.view["won"]
        assert page.v == other.v


@pytest.mark.postgres
def test_a_session_ended_in_one_process_loses_its_pages_in_the_other(
    cluster: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if no process is notified."""
    from websockets.exceptions import ConnectionClosed

    monkeypatch.setattr(peers.PostgresPeers, "_received", lambda *_: None)
    monkeypatch.setattr(peers, "POLLED", 1.0)
    with two(cluster) as (here, there), here.person() as aiko:
        keep = {"name": f"Aiko{random.getrandbits(30)}", "passphrase": "a long enough passphrase"}
        answer = aiko.browser.post("/account/keep", data=keep)
        assert answer.status_code == 303, answer.text
        game = aiko.new_game()
        aiko.live = there
        with aiko.open(game) as page:
            page.until("waiting")
            assert aiko.browser.post("/account/sign-out").status_code == 303
            with pytest.raises(ConnectionClosed):
                page.until("nothing")


@pytest.mark.postgres
def test_data_deleted_in_one_process_is_gone_in_the_other(cluster: str) -> None:
    from websockets.exceptions import ConnectionClosed

    with two(cluster) as (here, there), here.person() as aiko:
        game = aiko.new_game()
        aiko.live = there
        with aiko.open(game) as page:
            page.until("waiting")
            assert aiko.browser.get(f"{there.http}/game/{game}").status_code == 200
            deleted(aiko)
            with pytest.raises(ConnectionClosed):
                page.until("nothing")
        # Its pages are closed by one notification, the table by the next.
        until = time.monotonic() + PATIENCE
        while (status := aiko.browser.get(f"{there.http}/game/{game}").status_code) != 404:
            assert status == 403
            assert time.monotonic() < until, "the other process was not notified"
            time.sleep(0.01)


def deleted(person: Person) -> None:
    """Have everything about a player deleted, as its page does."""
    answer = person.browser.post("/account/delete", data={"sure": "yes"})
    assert answer.status_code in (200, 303), answer.text
