"""Finds processes by a mark in their environment, also in other process groups and sessions."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

MARK = "ENGINE_TEST_MARK"
POSSIBLE = Path("/proc/self/environ").exists()


def marked(mark: str) -> list[int]:
    """Return the processes, zombies apart, that were started with this mark."""
    return [pid for pid in _processes() if _has(pid, f"{MARK}={mark}".encode())]


def _processes() -> Iterator[int]:
    return (int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal())


def _has(pid: int, setting: bytes) -> bool:
    with suppress(OSError):
        return pid != os.getpid() and setting in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def until_gone(mark: str, seconds: float = 10.0) -> list[int]:
    """Wait until no process has this mark; return those that are left after the given seconds."""
    ends = time.monotonic() + seconds
    while (left := marked(mark)) and time.monotonic() < ends:
        time.sleep(0.02)
    return left
