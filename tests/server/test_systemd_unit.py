"""Computers play at their own level under the system-call filter of deploy/fifteentwo@.service."""

import random
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from fifteentwo.server.live.thinking import MAX_WORKER_PROCESSES
from tests.support import confined
from tests.support.live_server import Live, Page, Person

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "fifteentwo@.service"

pytestmark = pytest.mark.skipif(not confined.is_possible(), reason="no seccomp here")


def run_confined(unit: Path, *command: str) -> subprocess.Popen[str]:
    """Start a command under the filter of a unit."""
    words = [sys.executable, "-m", "tests.support.confined", str(unit), *command]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def serving(unit: Path, database: Path, log: list[str]) -> Iterator[Live]:
    """Run a server under the filter of a unit; log: the lines that it has logged."""
    serve = ("-m", "fifteentwo", "serve", "--port", "0", "--database", str(database))
    process = run_confined(unit, sys.executable, *serve)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        port = re.search(r"127\.0\.0\.1:(\d+)/", line)
        assert port, line or process.communicate()[1]
        yield Live(int(port[1]))
        process.send_signal(signal.SIGTERM)
        *lines, stopped = process.communicate(timeout=60)[1].splitlines()
        assert stopped == "fifteentwo: Stopped."
        log.extend(lines)
    finally:
        process.kill()
        process.communicate()


def decisions(live: Live) -> tuple[int, int]:
    """Return how many decisions computers made by their own level, and how many a lower level made."""
    text = httpx.get(f"{live.http}/metrics", timeout=60).text
    own, instead = (
        re.search(rf"^fifteentwo_computer_decisions{end} (\S+)$", text, re.MULTILINE)
        for end in ("", "_below_level")
    )
    assert own
    assert instead
    return int(float(own[1])), int(float(instead[1]))


def play_until(page: Page, live: Live, wanted: int, rng: random.Random) -> None:
    """Act at random until computers have made this number of decisions, or the game is over."""
    while sum(decisions(live)) < wanted:
        page.settle()
        if page.view["won"]:
            return
        page.act(rng.choice(page.choices))


def played(live: Live, person: Person, wanted: int, **game: str) -> tuple[int, int]:
    """Play games until computers have made this number of decisions; return `decisions`."""
    rng = random.Random(wanted)
    while sum(decisions(live)) < wanted:
        with person.open(person.new_game(**game)) as page:
            play_until(page, live, wanted, rng)
            assert page.table["fallbacks"] == []
    return decisions(live)


@pytest.mark.long
@pytest.mark.parametrize("wanted", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_computers_keep_their_level_under_the_units_filter(tmp_path: Path, wanted: int) -> None:
    log: list[str] = []
    with serving(UNIT, tmp_path / "games.sqlite3", log) as live, live.person() as aiko:
        own, instead = played(live, aiko, wanted, level_1="master")
        print(f"{own} decisions of master under the filter, {instead} of a lower level")
        assert (own >= wanted, instead) == (True, 0)
        expert = {"level_1": "expert", "level_2": "expert"}
        own, instead = played(live, aiko, own + wanted // 2, variant="three-handed", **expert)
        assert instead == 0
    assert log == []


@pytest.mark.long
def test_a_filter_without_setpriority_costs_a_log_line_and_no_decision(tmp_path: Path) -> None:
    """An older unit had this filter: computers must play at full strength under it too."""
    old = tmp_path / "old.service"
    old.write_text(UNIT.read_text("utf-8").replace("SystemCallFilter=setpriority\n", ""), "utf-8")
    assert "setpriority" not in confined.allowed(old.read_text("utf-8"))
    log: list[str] = []
    with serving(old, tmp_path / "games.sqlite3", log) as live, live.person() as aiko:
        assert played(live, aiko, 5, level_1="master")[1] == 0
    assert 0 < len(log) <= MAX_WORKER_PROCESSES
    assert all("cannot be lowered" in line for line in log)


def test_the_filter_refuses_what_the_unit_does_not_allow() -> None:
    """Without this, the tests above would prove nothing."""
    tried = (
        "import os, socket\n"
        "for work in (lambda: os.nice(1), lambda: os.sched_setaffinity(0, {0}), lambda: os.chroot('/'),\n"
        "             lambda: socket.socket(socket.AF_NETLINK), lambda: os.unshare(os.CLONE_NEWUSER)\n"
        "             if hasattr(os, 'unshare') else os.setuid(0), os.fork):\n"
        "    try:\n"
        "        if work() == 0:\n"
        "            os._exit(0)\n"
        "        print('allowed', flush=True)\n"
        "    except OSError as error:\n"
        "        print(error.strerror, flush=True)\n"
    )
    process = run_confined(UNIT, sys.executable, "-c", tried)
    output, errors = process.communicate(timeout=60)
    refused = "Operation not permitted"
    assert output.splitlines() == [
        "allowed",
        refused,
        refused,
        "Address family not supported by protocol",
        refused,
        "allowed",
    ], errors


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_groups_of_system_calls_match_systemd() -> None:
    """A newer systemd adds calls to a group, but removes none."""
    for name, words in confined.direct().items():
        output = subprocess.run(
            ["systemd-analyze", "syscall-filter", name],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        theirs = {line.strip() for line in output.splitlines()[1:] if not line.strip().startswith(("#", "@"))}
        ours = {one for one in words if not one.startswith("@")}
        assert ours <= theirs, (name, ours - theirs)
