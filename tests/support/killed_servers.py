"""Servers that are started and killed."""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.live_server import Live


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
