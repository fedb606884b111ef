"""Four browsers play partners on two processes, while one of them and PostgreSQL are killed and come back."""

import os
import re
import signal
import socket as sockets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import httpx
import pytest
from playwright.sync_api import Browser, Error, expect

from fifteentwo.i18n import text
from fifteentwo.rules.record import last_state
from fifteentwo.server.table_log.proofs import verify
from tests.browser.conftest import WIDE
from tests.support import postgres as clusters
from tests.support.busy import busy
from tests.support.playing import PATIENCE_MS, Player
from tests.support.stored import ledger_of
from tests.support.two_browsers import INSTANT
from tests.support.worker_processes import serving_in

LONGEST_PAUSE = 10.0
"""Seconds beyond a usual turn in which no player could do anything, as if alone on the machine."""
DISTURBED = (10, 20, 30)
"""Acts after which a process is killed, the database, a process: games have about 80."""
NAMES = ("Mia", "健", "Rie", "Tom")

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc"),
]


def free_ports(number: int) -> int:
    """Return the first of so many free ports in a row."""
    for first in range(21000, 30000, number):
        with suppress(OSError), ExitStack() as taken:
            for port in range(first, first + number):
                taken.enter_context(sockets.socket()).bind(("127.0.0.1", port))
            return first
    raise AssertionError("no port is free")


class Served:
    """`serve --workers 2`, and a way to ask each of the two alone."""

    def __init__(self, database: str) -> None:
        self._first = free_ports(2)
        words = ["serve", "--port", "0", "--workers", "2", "--worker-ports", str(self._first)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fifteentwo", *words, "--database", database],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        match = re.search(r"http://[^ ]+/", self.process.stdout.readline())
        assert match is not None, "the server did not start"
        self.address = match[0].rstrip("/")

    def lines(self) -> list[int]:
        """How many pages each of the two has open."""
        pages = [
            httpx.get(f"http://127.0.0.1:{self._first + one}/metrics", timeout=30).text for one in (0, 1)
        ]
        found = [re.search(r"^fifteentwo_pages_open (\d+)", one, re.MULTILINE) for one in pages]
        return [int(one[1]) for one in found if one is not None]

    def lines_of_all(self) -> list[int]:
        """The same, once every page has its line: a table is drawn before it has one."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while sum(on_each := self.lines()) != len(NAMES):
            assert time.monotonic() < until, on_each
            time.sleep(0.05)
        return on_each

    def kill_one(self) -> None:
        """Kill the one that was started first of those that live."""
        os.kill(serving_in(self.process.pid)[0], signal.SIGKILL)


@contextmanager
def served(database: str) -> Iterator[Served]:
    one = Served(database)
    try:
        yield one
    finally:
        one.process.terminate()
        one.process.wait(30)
        assert one.process.stdout is not None
        one.process.stdout.close()


@contextmanager
def four(chromium: Browser, address: str) -> Iterator[list[Player]]:
    contexts = [chromium.new_context(viewport=WIDE, base_url=address, locale="en") for _ in NAMES]
    try:
        yield [Player(context.new_page(), "en", quiet=False) for context in contexts]
    finally:
        for context in contexts:
            context.close()


def sit_down(players: list[Player]) -> str:
    """All four at one table; its id."""
    host, *guests = players
    host.sit_down(variant="partners", target="61", level_1="person", level_2="person", level_3="person")
    expect(host.page.locator('.person[data-state="open"]')).to_have_count(3)
    links = [link.input_value() for link in host.page.locator("[data-link]").all()]
    for guest, link, name in zip(guests, links, NAMES[1:], strict=True):
        guest.page.goto(f"{link}?lang=en")
        guest.page.evaluate(INSTANT)
        guest.page.get_by_label(text("home.name", "en")).fill(name)
        guest.page.get_by_role("button", name=text("join.sit", "en")).click()
        guest.page.wait_for_selector("#table, #waiting-room")
    for player in players:
        player.page.wait_for_selector("#table")
    return host.page.url.split("/game/")[1].split("?")[0]


@pytest.mark.long
def test_four_browsers_on_two_processes_while_one_and_the_database_are_killed(chromium: Browser) -> None:
    longest_pause(chromium)


@pytest.mark.timed
def test_four_browsers_on_two_processes_never_stand_long(chromium: Browser) -> None:
    assert longest_pause(chromium) <= LONGEST_PAUSE * busy()


def longest_pause(chromium: Browser) -> float:
    """A whole game while a process and the database are killed; the seconds beyond a usual turn, at most."""
    with clusters.running() as cluster, served(cluster.address) as server:
        with four(chromium, server.address) as players:
            game = sit_down(players)
            on_each = server.lines_of_all()
            disturbances = [server.kill_one, cluster.kill, server.kill_one]
            pauses, last, acts = [0.0], time.monotonic(), 0
            while not all(one.page.locator('[data-action="next"]:visible').count() for one in players):
                acted = sum(has_acted(one) for one in players)
                now = time.monotonic()
                if acted:
                    pauses.append(now - last)
                    # One round of asking may find all four at their turns, one after another.
                    last, acts = time.monotonic(), acts + acted
                assert now - last < PATIENCE_MS / 1000, "the table stands"
                if disturbances and acts >= DISTURBED[-len(disturbances)]:
                    disturbances.pop(0)()
                    if cluster._server is None:
                        cluster.start()
                players[0].page.wait_for_timeout(20)
            assert not disturbances
            for one in players:
                expect(one.page.locator("#seal")).to_have_attribute("data-state", "whole")
            fronts = [one.view["front"] for one in players]
        record = ledger_of(cluster.address, game).record(1, NAMES)
    assert fronts == [list(last_state(record).front)] * len(players)
    assert all(seed not in ("", "-") for seed in record.seeds), "all four pages brought a seed"
    assert verify(record) > 0
    usual = sorted(pauses)[len(pauses) // 2]
    rounds = len(pauses) - 1
    print(f"pages on each: {on_each}; {acts} acts in {rounds} rounds")
    print(f"a round usually takes {usual:.1f} s, at most {max(pauses):.1f} s")
    return max(pauses) - usual


def has_acted(player: Player) -> bool:
    """Do what the table asks this player, if it asks anything; a page that is away just now does nothing."""
    try:
        if player.page.locator('#table[data-turn="own"][data-settled="true"]').count():
            player.page.set_default_timeout(3000)
            player.click(player.wait())
            return True
        if player.page.locator('[data-action="continue"]:visible').count():
            player.page.click('[data-action="continue"]', timeout=3000)
            return True
    except Error:
        # Meanwhile another page did, or its connection is gone.
        return False
    return False
