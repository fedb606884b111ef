"""Solve five-card cribbage (`python -m lab solve five-card --discards`), and measure its table."""

import json
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fifteentwo.strategy.files import data_bytes, data_file, read_tables, write_whole
from fifteentwo.strategy.five_card import FILE
from lab.five_card import tables
from lab.five_card.joint import Joint

FIGURES = "five_card.json"
PARTS = ("pegging", "discard", "deal")
KNOWS = "five cards, the starter, every card and go so far"
"""What the best response that is measured plays by."""

Say = Callable[[str], None]


def run(
    *,
    iterations: int,
    every: int = 10,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    out: Path | None = None,
    progress: Say = print,
) -> dict[str, Any]:
    """Solve discards and pegging together; returns exploitability and costs.

    out: a folder for the table and what is measured on it. Memory 2.8 GB. No random numbers. Resumes from the
    folder `checkpoint`.
    """
    joint = Joint.empty(threads=jobs or 2)
    if checkpoint is None or not joint.load(checkpoint):
        joint.begin()
    started, began, cores, history = joint.rounds, time.monotonic(), time.process_time(), []
    figures: dict[str, Any] = {}
    while joint.rounds < iterations:
        joint.round()
        if joint.rounds % every == 0 or joint.rounds == iterations:
            joint.correct()
            figures = joint.exploitability()
            history.append((joint.rounds, *(figures[part] for part in PARTS)))
            shown = " ".join(f"{part} {figures[part]:.5f}" for part in PARTS)
            progress(f"{joint.rounds} of {iterations} rounds: exploitability {shown}")
            if checkpoint is not None:
                joint.save(checkpoint)
    done = max(joint.rounds - started, 1)
    costs = {
        "seconds_a_round": (time.monotonic() - began) / done,
        "core_seconds_a_round": (time.process_time() - cores) / done,
    }
    if out is not None:
        figures = write(joint, out, {"rounds": joint.rounds}, progress)
    return {
        "five_card": {
            **(figures or joint.exploitability()),
            "rounds": joint.rounds,
            "history": history,
            **costs,
        }
    }


def write(joint: Joint, folder: Path, about: dict[str, Any], progress: Say) -> dict[str, Any]:
    """Write the table of a joint solution to a folder, measure it, and write the figures."""
    about = {**about, "version": version("fifteentwo")}
    progress("Packing …")
    tables.write(joint, folder / FILE, about)
    # The solution goes before the table is read: each takes 2 GB.
    joint.games = ()
    progress("Measuring what was packed …")
    figures = {**measured(folder / FILE), **about}
    write_whole(folder / FIGURES, f"{json.dumps(figures, indent=1)}\n".encode())
    return figures


def measured(path: Path | None = None, threads: int = 2) -> dict[str, Any]:
    """Return what best responses gain on a table, by default the one that ships, and what that took."""
    path = path or data_file(FILE)
    began, cores = time.monotonic(), time.process_time()
    figures = tables.read(path, threads).exploitability()
    return {
        "exploitability": {part: figures[part] for part in PARTS},
        "by_role": {part: figures[f"{part}_by_role"] for part in PARTS},
        "real_table": KNOWS,
        "digests": {FILE: read_tables(path).about["digest"]},
        "seconds_to_check": time.monotonic() - began,
        "core_seconds_to_check": time.process_time() - cores,
    }


def report(measure: bool, jobs: int | None, progress: Say) -> dict[str, Any]:
    """Return the figures stored with the table, or with `measure` those of now."""
    stored: dict[str, Any] = json.loads(data_bytes(FIGURES))
    if measure:
        progress("Five-card cribbage: reading the table, and every best response to it …")
        stored |= measured(threads=jobs or 2)
    digest = read_tables(data_file(FILE)).about["digest"]
    return {**stored, "files_are_those_measured": stored["digests"] == {FILE: digest}}
