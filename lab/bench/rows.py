"""One line of the table that `make bench` prints; a module of this package gives its lines by `rows()`."""

from typing import NamedTuple


class Row(NamedTuple):
    """What was measured; figures of C and a bar only where there are any."""

    name: str
    figure: float
    unit: str
    c: float | None = None
    """The C program's figure in the same unit and run."""
    ratio: float | None = None
    bar: str = ""
    """What it should be at least, in words."""
    met: bool | None = None
    note: str = ""


def line(row: Row) -> str:
    """A row as a line of a Markdown table."""
    c = "" if row.c is None else number(row.c)
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    met = {True: "yes", False: "NO", None: ""}[row.met]
    name = f"{row.name} ({row.note})" if row.note else row.name
    return f"| {name} | {number(row.figure)} {row.unit} | {c} | {ratio} | {row.bar} | {met} |"


HEAD = "| what | here | C | ratio | at least | met |\n|---|---:|---:|---:|---|---|"


def number(figure: float) -> str:
    """Short, with enough figures to compare."""
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"
