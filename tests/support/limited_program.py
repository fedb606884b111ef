"""`fifteentwo serve` as a program with its rate limits."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def program(database: Path, *words: str, descriptors: int | None = None) -> Iterator[subprocess.Popen[str]]:
    """Run `fifteentwo serve` with a limit of file descriptors."""

    def few() -> None:
        if descriptors is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    command = [
        sys.executable,
        "-m",
        "fifteentwo",
        "serve",
        "--port",
        "0",
        "--database",
        str(database),
        *words,
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=few
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def port_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
