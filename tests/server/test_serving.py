"""The server program: its port, its output, its first page and its end."""

import os
import re
import signal
import socket as sockets
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from fifteentwo.server.errors import PortTaken, ServerError
from fifteentwo.server.serving import serve
from tests.support.busy import busy, mostly_within
from tests.support.commands import run
from tests.support.serve_program import program

USABLE_WITHIN = 1.5
"""Seconds, on a machine that does nothing else."""


def first_page(process: subprocess.Popen[str]) -> tuple[str, float]:
    """Return the printed address, and the seconds from now until its page was served."""
    began = time.monotonic()
    assert process.stdout is not None
    output = process.stdout.readline()
    found = re.search(r"http://[^ ]+/", output)
    assert found, output or process.communicate()[1]
    answer = httpx.get(found[0], timeout=60)
    assert answer.status_code == 200
    return found[0], time.monotonic() - began


@pytest.mark.timed
def test_serve_command_serves_a_usable_page(tmp_path: Path) -> None:
    """Two of three starts are usable within USABLE_WITHIN."""
    words = ("play", "--no-browser", "--port", "0", "--database", str(tmp_path / "games.sqlite3"))

    def once() -> float:
        with program(*words) as process:
            needed = first_page(process)[1]
        return needed / busy()

    taken = mostly_within(USABLE_WITHIN, once)
    seconds = ", ".join(f"{one:.2f}" for one in taken)
    print(f"from `fifteentwo play` to a page, as if alone on the machine: {seconds} s")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_stops_the_server_without_output(tmp_path: Path) -> None:
    from tests.support.live_server import Live, Person

    words = ("play", "--no-browser", "--port", "0", "--database", str(tmp_path / "games.sqlite3"))
    with program(*words) as process:
        address, _ = first_page(process)
        port = int(address.rsplit(":", 1)[1].strip("/"))
        with Person(Live(port)) as aiko, aiko.open(aiko.new_game()) as page:
            page.until("waiting")
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        assert process.returncode == 130
        assert output == ""
        assert errors == "fifteentwo: Stopped.\n"


def refused_line(*words: str) -> str:
    refused = run(*words)
    assert refused.exit_code == 1
    assert not refused.stdout
    [line] = refused.stderr.splitlines()
    assert line.startswith("fifteentwo: ")
    assert "refusal." not in line
    return line


def test_taken_port_prints_one_clear_line(tmp_path: Path) -> None:
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        database = str(tmp_path / "games.sqlite3")
        line = refused_line("play", "--no-browser", "--port", str(port), "--database", database)
        assert str(port) in line


@pytest.mark.long
def test_without_a_port_the_next_free_one_is_taken_and_printed(tmp_path: Path) -> None:
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code = (
            "from fifteentwo.server import serving\n"
            f"serving.DEFAULT_PORT = {port}\n"
            f"serving.serve(database={str(tmp_path / 'games.sqlite3')!r})\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                output = process.stdout.readline()
                assert str(port) in output
                address, _ = first_page(process)
                assert address.startswith("http://127.0.0.1:")
                assert str(port) not in address
                for host, status in (("localhost", 200), ("evil.example", 400)):
                    answer = httpx.get(address, headers={"Host": f"{host}:{port}"}, timeout=60)
                    assert answer.status_code == status
            finally:
                process.kill()


@pytest.mark.usefixtures("short_lock_timeout")
def test_invalid_database_prints_one_clear_line(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(b"junk" * 1000)
    start = ("play", "--no-browser", "--port", "0", "--database")
    assert "--database" in refused_line(*start, str(damaged))
    assert damaged.read_bytes() == b"junk" * 1000
    assert "missing" in refused_line(*start, str(tmp_path / "missing" / "games.sqlite3"))
    refused_line(*start, str(tmp_path))
    locked = tmp_path / "locked.sqlite3"
    holder = sqlite3.connect(locked)
    holder.execute("BEGIN EXCLUSIVE")
    assert "locked" in refused_line(*start, str(locked))
    holder.close()


def test_invalid_host_or_port_is_refused() -> None:
    # An invalid name, an unknown name, and an address of another machine (RFC 5737).
    for host in ("", "あ" * 100, "no.such.host.invalid", "192.0.2.1"):
        with pytest.raises(ServerError) as error:
            serve(host=host, port=0, database="sqlite://")
        assert error.value.code == "host-unknown"
    with sockets.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortTaken):
            serve(port=taken.getsockname()[1], database="sqlite://")
    if os.name == "posix" and os.getuid() != 0:
        with pytest.raises(ServerError) as error:
            serve(port=1, database="sqlite://")
        assert error.value.code == "port-not-allowed"
