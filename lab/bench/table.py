"""The table of speeds that `python -m lab bench [MODULE …]` prints."""

import os
import platform
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

MODULES = ("speed", "others", "step", "environments")
"""Modules of this package whose `rows()` yields the rows of the table."""
TABLE_HEAD = "| what | here | C | ratio | at least | met |\n|---|---:|---:|---:|---|---|"


class Row(NamedTuple):
    """A measured speed: one row of the table."""

    name: str
    figure: float
    unit: str
    c_figure: float | None = None
    """The C program's figure, in the same unit and from the same run."""
    ratio: float | None = None
    """`figure` / `c_figure`."""
    required: str = ""
    """The required figure, in words."""
    is_met: bool | None = None
    """Whether the figure reaches the required one; None if none is required."""
    note: str = ""


def main(modules: Sequence[str]) -> None:
    """Print the machine and each row when it is measured; exit with 1 if a required figure is not reached."""
    print(machine())
    print()
    print(TABLE_HEAD, flush=True)
    missed = False
    for name in modules:
        for row in import_module(f"lab.bench.{name}").rows():
            missed = missed or row.is_met is False
            print(_table_line(row), flush=True)
    sys.exit(missed)


def _table_line(row: Row) -> str:
    c = "" if row.c_figure is None else _format_number(row.c_figure)
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    met = {True: "yes", False: "NO", None: ""}[row.is_met]
    name = f"{row.name} ({row.note})" if row.note else row.name
    return f"| {name} | {_format_number(row.figure)} {row.unit} | {c} | {ratio} | {row.required} | {met} |"


def _format_number(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"


def machine() -> str:
    """Return a line with the processor, number of cores, load, and versions of Python, NumPy and numba."""
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
