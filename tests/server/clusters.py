"""A PostgreSQL of its own on loopback, which ends with whoever asked for it."""

import os
import shutil
import signal
import socket as sockets
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def lacking(what: str) -> None:
    """Skip, or fail where PostgreSQL is required."""
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
    """PostgreSQL refuses to run as root: then it runs as nobody."""
    if os.getuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def cluster() -> Iterator[str]:
    """The address of an empty database."""
    pytest.importorskip("psycopg")
    initdb, postgres = binary("initdb"), binary("postgres")
    who = unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="fifteentwo-"))
    try:
        if who:
            os.chown(folder, who["user"], who["group"])
        data = folder / "data"
        made = subprocess.run(
            [
                initdb,
                "-D",
                str(data),
                "-U",
                "fifteentwo",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--no-locale",
                "--no-sync",
            ],
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
        words = [postgres, "-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder)]
        with (folder / "log").open("w") as log:
            server = subprocess.Popen(words, cwd=folder, stdout=log, stderr=log, **who)
        try:
            wait_for(port, server, folder / "log")
            yield f"postgresql://fifteentwo@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(port: int, server: "subprocess.Popen[bytes]", log: Path) -> None:
    import psycopg

    for _ in range(600):
        if server.poll() is not None:
            lacking(f"postgres ended: {log.read_text()[-300:]}")
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="fifteentwo", dbname="postgres").close()
            return
        except psycopg.OperationalError:
            time.sleep(0.1)
    lacking("postgres does not answer")
