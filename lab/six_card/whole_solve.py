"""The whole solve by one command: strategies, tables, figures and provenance."""

import time
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fifteentwo.strategy.pegging import read_pegging_book
from lab.measure.report import BOOK, TABLE, shipped, write_figures
from lab.six_card.discard_book import write_discards
from lab.six_card.joint import Joint, Recipe, solve
from lab.six_card.pegging_book import read_cells, write_book


def run(
    out: Path,
    *,
    recipe: Recipe | None = None,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Solve discarding and pegging from nothing, write the tables to folder `out` and measure them.

    Deterministic: the seed of the tables is 0 and unused. Goes on from `checkpoint` after a kill, at most a
    minute behind. About half an hour of two quiet cores, 2 GB.
    """
    chosen = recipe or Recipe()
    began = time.process_time()
    joint = Joint.fresh(jobs or 2)
    if checkpoint is not None:
        joint.load(checkpoint)
    solve(joint, chosen, checkpoint=checkpoint, progress=progress)
    figures = write(joint, out, {"recipe": asdict(chosen)}, progress)
    return {**figures, "core_seconds": time.process_time() - began}


def write(
    joint: Joint, folder: Path, about: dict[str, Any], progress: Callable[[str], None]
) -> dict[str, Any]:
    """Write the tables of a joint solution and the figures measured on them."""
    about = {
        **about,
        "rounds": joint.rounds,
        "iterations": joint.game.iteration,
        "seed": 0,
        "version": version("fifteentwo"),
    }
    progress("Packing …")
    write_book(joint.game.tree, joint.game.total, folder / BOOK, about)
    cells = read_cells(joint.game.tree, read_pegging_book(folder / BOOK))
    write_discards(joint, cells, folder / TABLE, about)
    progress("Measuring what was packed …")
    figures = shipped(folder / BOOK, folder / TABLE, joint.game.threads).exploitability()
    write_figures(figures, about, folder)
    return {part: figures[part] for part in ("pegging", "discard", "deal")}
