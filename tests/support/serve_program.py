"""`fifteentwo serve` as a program."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def program(*words: str) -> Iterator[subprocess.Popen[str]]:
    """Run `fifteentwo` in its own process in the block."""
    command = [sys.executable, "-m", "fifteentwo", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
