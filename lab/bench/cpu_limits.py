"""A share of a core for a process, so that what several of them carry can be compared where cores are few.

By Linux's control groups of the first version, which only root may set up.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CPU = Path("/sys/fs/cgroup/cpu")
PERIOD = 10_000
"""Microseconds in which a process may use its part."""


@contextmanager
def limited(process: int, cores: float) -> Iterator[None]:
    """While this lasts a process has no more than so many cores; OSError where it cannot be had."""
    group = CPU / f"fifteentwo-{process}"
    group.mkdir()
    try:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(int(PERIOD * cores)))
        (group / "cgroup.procs").write_text(str(process))
        yield
    finally:
        # It has ended by now, or goes back to everybody else.
        with suppress(OSError):
            (CPU / "cgroup.procs").write_text(str(process))
        group.rmdir()
