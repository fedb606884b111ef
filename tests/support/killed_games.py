"""Servers and databases killed at any moment, and what must hold after each kill."""

import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidMessage

from fifteentwo.rules.record import last_state, read
from fifteentwo.rules.view import see, view
from fifteentwo.server.table_log.proofs import verify_dealing
from tests.support.live_server import Live, Page, Person, plain
from tests.support.postgres import Cluster
from tests.support.stored import ledger_of

TABLES: tuple[dict[str, str], ...] = (
    {"variant": "six-card", "level_1": "greedy", "target": "61"},
    {"variant": "three-handed", "level_1": "random", "counting": "claimed", "muggins": "missed"},
    {"variant": "five-card", "level_1": "greedy", "counting": "claimed"},
)


class Playing:
    """A person who plays at one table also after failures of the server."""

    def __init__(self, live: Live, table: dict[str, str], seed: int) -> None:
        self.person = Person(live)
        self.game = self.person.new_game(**table)
        self.rng = random.Random(seed)
        self.seen: dict[int, object] = {}
        self.v: int | None = 0
        self.acted = 0

    def play(self, live: Live) -> None:
        """Play at random until the server stops."""
        self.person.live = live
        try:
            with self.person.open(self.game, v=self.v) as page:
                try:
                    self._turns(page)
                finally:
                    self.seen |= page.events
                    self.v = max(self.seen, default=0)
        except (ConnectionClosed, InvalidMessage, OSError, EOFError):
            pass

    def _turns(self, page: Page) -> None:
        while True:
            page.settle(timeout=30)
            if page.view["won"]:
                page.send("next-game")
                page.until("table")
                continue
            page.send("act", self.rng.choice(page.choices))
            self.acted += 1
            page.choices = []
            while (message := page.hear())["t"] not in ("waiting", "refused"):
                pass
            if message["t"] == "refused":
                # The database is away, or another was faster: look again where the table stands.
                time.sleep(0.1)
                page.send("lang", "en")
                page.until("table")
            time.sleep(0.02)


def killed_again_and_again(database: Path | str, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    process, live = started(database)
    everybody = [Playing(live, table, seed + place) for place, table in enumerate(TABLES)]
    for kill in range(kills):
        threads = [threading.Thread(target=one.play, args=(live,)) for one in everybody]
        # The kill comes while they sit down, or at any moment after some actions.
        enough = sum(one.acted for one in everybody) + (0, 12, 30, 8, 20)[kill % 5]
        for thread in threads:
            thread.start()
        for _ in range(6000):
            if sum(one.acted for one in everybody) >= enough:
                break
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.1))
        ended(process)
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive(), "a thread plays on without a server"
        whole_on_disk(database)
        for one in everybody:
            pages_showed_only_what_is_on_disk(one, database)
        process, live = started(database)
        for one in everybody:
            it_goes_on_exactly_there(one, database, live)
    finished = 0
    for one in everybody:
        finished += every_record_is_the_game(one, database)
        one.person.browser.close()
    ended(process)
    acted = sum(one.acted for one in everybody)
    print(f"{kills} kills at {len(everybody)} tables: {acted} actions sent, {finished} games finished")
    assert acted > 5 * kills


def whole_on_disk(database: Path | str) -> None:
    if str(database).startswith("postgresql://"):
        return
    connection = sqlite3.connect(database)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        connection.close()


def pages_showed_only_what_is_on_disk(one: Playing, database: Path | str) -> None:
    lines = ledger_of(database, one.game).entries
    for v, event in one.seen.items():
        assert v <= len(lines), "seen, but not on disk"
        line = lines[v - 1]
        expected = None if line.event is None else plain(see(line.event, line.person_by_seat.index(0)))
        assert event == expected


def it_goes_on_exactly_there(one: Playing, database: Path | str, live: Live) -> None:
    """Check that the game goes on from what is on disk; computers may have played on since then."""
    before = ledger_of(database, one.game)
    one.person.live = live
    with one.person.open(one.game, v=one.v) as page:
        page.until("waiting")
        lines = ledger_of(database, one.game).entries
        assert lines[: before.v] == before.entries
        if page.v == before.v:
            assert page.view == plain(view(before.table.state, before.seat_of(0)))
        if not page.table:
            assert one.v is not None
            assert sorted(page.events) == list(range(one.v + 1, page.v + 1)), "no gap and nothing twice"
        one.seen |= page.events
        one.v = page.v
    pages_showed_only_what_is_on_disk(one, database)


def every_record_is_the_game(one: Playing, database: Path | str) -> int:
    """Compare the server's records with the log, and return the number of finished games."""
    ledger = ledger_of(database, one.game)
    finished = len(ledger.finished) + ledger.table.over
    for number in range(1, finished + 1):
        record = read(
            one.person.browser.get(f"{one.person.live.http}/game/{one.game}/record?game={number}").text
        )
        assert record.actions == ledger.record(number, record.names).actions
        assert last_state(record).won
        assert verify_dealing(record) > 0
    return finished


def postgres_killed_again_and_again(cluster: Cluster, kills: int, seed: int) -> None:
    """Kill and restart the database while everybody plays; every event that was shown must be in the log."""
    rng = random.Random(seed)
    process, live = started(cluster.address)
    everybody = [Playing(live, table, seed + place) for place, table in enumerate(TABLES)]
    over = threading.Event()

    def play_on(one: Playing) -> None:
        # A page that cannot be opened during an outage is opened again, as browsers do.
        while not over.is_set():
            one.play(live)
            over.wait(0.2)

    threads = [threading.Thread(target=play_on, args=(one,)) for one in everybody]
    for thread in threads:
        thread.start()
    for _ in range(kills):
        acted = [one.acted for one in everybody]
        time.sleep(rng.uniform(0.2, 1.0))
        cluster.kill()
        time.sleep(rng.uniform(0, 1.0))
        cluster.start()
        # Everybody gets on again, each at a table of their own, before the next time.
        for _attempt in range(6000):
            if all(one.acted > before + 2 for one, before in zip(everybody, acted, strict=True)):
                break
            time.sleep(0.01)
        assert all(one.acted > before for one, before in zip(everybody, acted, strict=True)), "a table stands"
    over.set()
    ended(process)
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a thread plays on without a server"
    for one in everybody:
        pages_showed_only_what_is_on_disk(one, cluster.address)
        one.person.browser.close()
    print(f"PostgreSQL killed {kills} times: {sum(one.acted for one in everybody)} actions sent")


def started(database: Path | str) -> tuple[subprocess.Popen[str], Live]:
    command = [sys.executable, "-m", "fifteentwo", "serve", "--port", "0", "--database", str(database)]
    # Into a file: a pipe without a reader is full after fifty kills of the database, and then all stands.
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None
        found = re.search(r":(\d+)/", process.stdout.readline())
        log.seek(0)
        assert found, log.read()
    return process, Live(int(found[1]))


def ended(process: subprocess.Popen[str]) -> None:
    """Kill a server."""
    process.send_signal(signal.SIGKILL)
    process.communicate()
