"""PostgreSQL servers on loopback for tests."""

import atexit
import os
import shutil
import signal
import socket as sockets
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest


def lacking(what: str) -> None:
    """Skip the test, or fail if PostgreSQL is required."""
    if "postgres" in os.environ.get("FIFTEENTWO_REQUIRE", ""):
        pytest.fail(f"PostgreSQL is required here: {what}")
    pytest.skip(what)


def binary(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        found = str(installed[-1]) if installed else None
    if found is None:
        lacking(f"{name} is not installed")
    assert found is not None
    return found


def unprivileged() -> dict[str, Any]:
    """Return the options of Popen for PostgreSQL, which refuses to run as root."""
    if os.getuid() != 0:
        return {}
    import pwd

    user = pwd.getpwnam("nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def family(process: int) -> list[int]:
    """Return a process and all its descendants; Linux only."""
    started = [process]
    for one in started:
        with suppress(OSError):
            for children in Path(f"/proc/{one}/task").glob("*/children"):
                started.extend(int(child) for child in children.read_text().split())
    return started


class Cluster:
    """A PostgreSQL that can be stopped at any moment and started again with its data."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self._port = port
        self._server: subprocess.Popen[bytes] | None = None
        self.address = f"postgresql://fifteentwo@127.0.0.1:{port}/postgres"

    def start(self) -> None:
        """Start the server, and return when it accepts connections."""
        words = [binary("postgres"), "-D", str(self._folder / "data"), "-h", "127.0.0.1"]
        words += ["-p", str(self._port), "-k", str(self._folder)]
        with (self._folder / "log").open("a") as log:
            self._server = subprocess.Popen(words, cwd=self._folder, stdout=log, stderr=log, **unprivileged())
        self._wait()

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT closes every connection, SIGQUIT stops it at once."""
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(60)
            self._server = None

    def kill(self) -> None:
        """Kill the server and every process it started."""
        assert self._server is not None
        for one in family(self._server.pid):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)
        self._server.wait(60)
        self._server = None

    def _wait(self) -> None:
        import psycopg

        for _ in range(600):
            if self._server is None or self._server.poll() is not None:
                lacking(f"postgres ended: {(self._folder / 'log').read_text()[-300:]}")
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        lacking("postgres does not answer")


_databases = count()


@cache
def _shared() -> Cluster:
    """Start the cluster of this process, which stops at its end."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(running())


@contextmanager
def cluster() -> Iterator[str]:
    """Yield the address of an empty database in the cluster of this process."""
    address, name = _shared().address, f"games{next(_databases)}"
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    yield address.replace("/postgres", f"/{name}")


@contextmanager
def running() -> Iterator[Cluster]:
    """Run a cluster with an empty database."""
    pytest.importorskip("psycopg")
    who = unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="fifteentwo-"))
    try:
        if who:
            os.chown(folder, who["user"], who["group"])
        words = [
            binary("initdb"),
            "-D",
            str(folder / "data"),
            "-U",
            "fifteentwo",
            "-A",
            "trust",
            "-E",
            "UTF8",
        ]
        made = subprocess.run(
            [*words, "--no-locale", "--no-sync"],
            capture_output=True,
            text=True,
            cwd=folder,
            check=False,
            **who,
        )
        if made.returncode:
            lacking(f"initdb: {made.stderr.strip()[-200:]}")
        with sockets.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        one = Cluster(folder, port)
        try:
            one.start()
            yield one
        finally:
            one.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
