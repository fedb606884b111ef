"""How strong is what ships: exploitability of the play, of laying away, and of a whole deal."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fifteentwo.analysis.pegging import read_pegging_book
from fifteentwo.analysis.solved_tables import data_file, read_tables
from fifteentwo.solver.joint import Joint
from fifteentwo.solver.laying_away import DEALER, PONE
from fifteentwo.solver.laying_book import ROLES, unpack_strategy
from fifteentwo.solver.pegging_book import read_cells

BOOK, TABLE, FIGURES = "pegging.book", "laying_away.table", "equilibrium.json"


def shipped(
    pegging: Path | None = None, laying: Path | None = None, threads: int = 2, *, cribs: bool = True
) -> Joint:
    """The strategies of the shipped files as a joint solution to be measured (not to be solved on).

    Without `cribs` (a minute saved) it is good for the play alone.
    """
    joint = Joint.fresh(threads)
    joint.game.total = read_cells(joint.game.tree, read_pegging_book(pegging or data_file(BOOK)))
    tables = read_tables(laying or data_file(TABLE)).arrays
    for role, name in enumerate(ROLES):
        joint.laying[role].total = unpack_strategy(tables[f"{name}_options"], tables[f"{name}_share"])
    joint.means = [joint.laying[role].average() for role in (PONE, DEALER)]
    if cribs:
        joint.correct()
    return joint


def digests(folder: Path | None = None) -> dict[str, str]:
    """Digests of strategies on disk (those that ship), read from the files."""
    folder = folder or data_file("")
    return {
        BOOK: read_pegging_book(folder / BOOK).header["digest"],
        TABLE: read_tables(folder / TABLE).about["digest"],
    }


def run(
    *,
    measure: bool = False,
    jobs: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Exploitability in points a deal of what ships, and where it comes from.

    Reads the figures measured when the files were made, after checking that the files are those; with
    `measure` works them out again from the files (about two minutes on two cores, numba wanted, 2 GB).
    """
    found: dict[str, Any] = json.loads(data_file(FIGURES).read_text(encoding="utf-8"))
    found["files_are_those_measured"] = found["digests"] == digests()
    if measure:
        say("Reading the shipped strategies and counting every crib exactly …")
        figures = shipped(threads=jobs or 2).exploitability()
        found["exploitability"] = {part: figures[part] for part in ("pegging", "discard", "deal")}
        found["measured_now"] = figures
        found["files_are_those_measured"] = True
    return found


def write_figures(figures: dict[str, Any], provenance: dict[str, Any], folder: Path) -> None:
    """Put measured figures beside the files they belong to."""
    about = {
        "exploitability": {part: figures[part] for part in ("pegging", "discard", "deal")},
        "by_role": {name: figures[f"{name}_by_role"] for name in ("pegging", "discard", "deal")},
        "pegging_value": figures["pegging_value"],
        "digests": digests(folder),
        **provenance,
    }
    (folder / FIGURES).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
