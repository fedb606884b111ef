"""Solve five-card cribbage, write its table, and measure what best responses gain on the table."""

import json
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fifteentwo.strategy.files import data_bytes, data_file, read_tables
from fifteentwo.strategy.five_card import FILE
from lab import cfr
from lab.cfr import PARTS, Say
from lab.files import write_json
from lab.five_card import tables
from lab.five_card.joint import Joint

MEASURE_EVERY = 10
"""Iterations between two measurements of the exploitability."""
CHECKPOINT_FILE = "joint.npz"
FIGURES = "five_card.json"
"""Name of the file with the measured exploitability of the shipped table."""
BEST_RESPONSE_KNOWLEDGE = "five cards, the starter, every card and go so far"
"""What the measured best responses know."""


def solve_whole(
    *,
    iterations: int,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    out: Path | None = None,
    progress: Say = print,
) -> dict[str, Any]:
    """Solve discards and pegging together; return exploitability and costs. Memory 2.8 GB.

    No random numbers are used. Continues from the folder `checkpoint`. Writes the table and the figures that
    are measured on it to the folder `out`.
    """
    joint = Joint.empty(threads=jobs or 2)
    file = None if checkpoint is None else checkpoint / CHECKPOINT_FILE
    if file is None or not file.exists():
        joint.start()
    done = cfr.solve(joint, iterations, every=MEASURE_EVERY, checkpoint=file, progress=progress)
    costs = {
        "rounds": joint.rounds,
        "history": done.history,
        "seconds_a_round": done.seconds,
        "core_seconds_a_round": done.core_seconds,
    }
    figures = done.figures if out is None else write(joint, out, {"rounds": joint.rounds}, progress)
    return {"five_card": {**figures, **costs}}


def write(joint: Joint, folder: Path, about: dict[str, Any], progress: Say) -> dict[str, Any]:
    """Write a solution's table and its measured exploitability to a folder; return the figures."""
    about = {**about, "version": version("fifteentwo")}
    progress("Packing …")
    tables.write(joint, folder / FILE, about)
    # The solution and the table read back would take 2 GB each.
    joint.games = ()
    progress("Measuring what was packed …")
    figures = {**measured(folder / FILE), **about}
    write_json(folder / FIGURES, figures)
    return figures


def measured(path: Path | None = None, threads: int = 2) -> dict[str, Any]:
    """Return the exploitability of a table, by default the shipped one, and the seconds it took."""
    path = path or data_file(FILE)
    began, cores = time.monotonic(), time.process_time()
    figures = tables.read(path, threads).exploitability()
    return {
        "exploitability": {part: figures[part] for part in PARTS},
        "by_role": {part: figures[f"{part}_by_role"] for part in PARTS},
        "real_table": BEST_RESPONSE_KNOWLEDGE,
        "digests": {FILE: read_tables(path).about["digest"]},
        "seconds_to_check": time.monotonic() - began,
        "core_seconds_to_check": time.process_time() - cores,
    }


def report(measure: bool, jobs: int | None, progress: Say) -> dict[str, Any]:
    """Return the exploitability stored with the shipped table, or measure it again if `measure`."""
    stored: dict[str, Any] = json.loads(data_bytes(FIGURES))
    if measure:
        progress("Five-card cribbage: reading the table, and every best response to it …")
        stored |= measured(threads=jobs or 2)
    digest = read_tables(data_file(FILE)).about["digest"]
    return {**stored, "files_are_those_measured": stored["digests"] == {FILE: digest}}
