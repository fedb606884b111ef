"""Every measurement of speed in one table: python -m lab bench [MODULE …]."""

import os
import platform
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from lab.bench.rows import HEAD, Row, line

MODULES = ("speed", "others", "step", "environments")
"""Modules with `rows()`, in the order of the table."""


def main(chosen: Sequence[str]) -> None:
    """Print the machine, then the rows of these modules as they are measured; exit 1 if a bar is missed."""
    print(machine())
    print()
    print(HEAD, flush=True)
    missed = False
    for name in chosen:
        for row in import_module(f"lab.bench.{name}").rows():
            measured = Row(*row)
            missed = missed or measured.met is False
            print(line(measured), flush=True)
    sys.exit(missed)


def machine() -> str:
    """The processor, the cores, the load, and what measures."""
    model = platform.processor() or platform.machine()
    cpus = Path("/proc/cpuinfo")
    if cpus.exists():
        names = [row.split(":", 1)[1].strip() for row in cpus.read_text().splitlines() if "model name" in row]
        model = names[0] if names else model
    try:
        numba = f"numba {version('numba')}"
    except PackageNotFoundError:
        numba = "no numba"
    load = os.getloadavg()[0]
    return (
        f"{model}, {os.cpu_count()} cores, load {load:.1f} at the start; {platform.system()}, "
        f"Python {platform.python_version()}, NumPy {version('numpy')}, {numba}"
    )
