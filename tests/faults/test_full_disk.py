"""A full disk: the server is not ready, logs one line, and continues when there is space."""

import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.live_server import Live, Page
from tests.support.stored import ledger_of

SERVE = (sys.executable, "-m", "fifteentwo", "serve", "--port", "0", "--database")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a file system of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=2m", "fifteentwo-test", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False) if os.name == "posix" else None
    if done is None or done.returncode:
        pytest.skip("a file system can be mounted by root alone")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Fill the disk."""
    file = folder / "filler"
    with file.open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(bytes(1024))
    assert shutil.disk_usage(folder).free == 0
    return file


def ready(live: Live) -> tuple[int, str]:
    answer = httpx.get(f"{live.http}/readyz", timeout=60)
    return answer.status_code, answer.text


def refused(page: Page) -> str:
    """Act until an action is refused, and return the sentence."""
    rng = random.Random(1)
    for _ in range(500):
        page.settle()
        page.send("act", rng.choice(page.choices))
        page.choices = []
        while (message := page.hear())["t"] not in ("waiting", "refused"):
            pass
        if message["t"] == "refused":
            assert message["d"]["code"] == "disk-full"
            return str(message["d"]["message"])
    raise AssertionError("the disk was never full")


@pytest.mark.long
def test_a_full_disk_is_one_log_line_and_not_ready_until_there_is_space(
    small_disk: Path, tmp_path: Path
) -> None:
    database, log = small_disk / "games.sqlite3", tmp_path / "log"
    with log.open("w") as errors:
        process = subprocess.Popen([*SERVE, str(database)], stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        port = re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert port, log.read_text()
        live = Live(int(port[1]))
        with live.person() as aiko, aiko.open(game := aiko.new_game("five-card", level_1="random")) as page:
            page.settle()
            assert ready(live) == (200, "ok\n")

            filler = fill(small_disk)
            sentence = refused(page)
            assert ready(live) == (503, "the database takes nothing: disk-full\n")
            assert "disk is full" in sentence
            for _ in range(20):
                answer = aiko.browser.post("/games", data={"variant": "six-card", "level_1": "random"})
                assert answer.status_code == 503
                assert "The disk is full" in answer.text
                assert ready(live)[0] == 503
            assert aiko.browser.get("/").status_code == 200
            assert len(log.read_text().splitlines()) == 1, log.read_text()

            filler.unlink()
            while ready(live)[0] != 200:
                time.sleep(0.2)
            page.send("lang", "en")
            page.until("table")
            page.play_out(random.Random(2))
            assert ledger_of(database, game).v == page.v
        [full, again] = log.read_text().splitlines()
        assert "writing to the database fails: disk-full" in full
        assert "writing to the database works again" in again
    finally:
        process.kill()
        process.communicate()


@pytest.mark.long
def test_a_full_disk_is_noticed_by_probing_though_no_player_acts(small_disk: Path) -> None:
    process = subprocess.Popen([*SERVE, str(small_disk / "games.sqlite3")], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline())
        assert port
        live = Live(int(port[1]))
        assert ready(live)[0] == 200
        fill(small_disk)
        while ready(live)[0] != 503:
            time.sleep(0.2)
    finally:
        process.kill()
        process.communicate()
