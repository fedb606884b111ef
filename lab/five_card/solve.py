"""Solve five-card pegging with each starter, or all of five-card cribbage, and measure its table."""

import json
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fifteentwo.strategy.files import data_bytes, data_file, read_tables, write_whole
from fifteentwo.strategy.five_card import FILE
from lab import cfr
from lab.cfr import PARTS, SIDES
from lab.five_card import tables
from lab.five_card.discards import for_hand_and_crib, fractions
from lab.five_card.joint import Joint
from lab.five_card.pegging import FiveCardPegging, size, weights

RANKS = "A23456789TJQK"
EVERY = 10
"""Iterations from one measurement to the next."""
CHECKPOINT = "joint.npz"
FIGURES = "five_card.json"
KNOWS = "five cards, the starter, every card and go so far"
"""What the best response that is measured plays by."""

Say = Callable[[str], None]


def solve_pegging(
    starters: Sequence[int],
    *,
    iterations: int = 30,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    progress: Say = print,
) -> dict[str, Any]:
    """Solve pegging with each of these starters (0–12), under discards for hand and crib.

    Returns the size of each game, its exploitability, and what it cost. No random numbers are used. Continues
    from the folder `checkpoint`, where each starter has a file of 0.2 GB. Memory 0.5 GB.
    """
    pair = for_hand_and_crib()
    pone, dealer = (weights(fractions(pair[side].average())) for side in SIDES)
    solved = {}
    for starter in starters:
        name = RANKS[starter]
        alone = cfr.Alone(FiveCardPegging(starter, jobs or 2), (pone, dealer))
        file = None if checkpoint is None else checkpoint / f"five-card-{name}.npz"
        progress(f"starter {name}")
        done = cfr.solve(alone, iterations, every=EVERY, checkpoint=file, progress=progress)
        solved[name] = {
            **size(starter)._asdict(),
            **done.figures,
            "iterations": alone.done,
            "history": done.history,
            "seconds_an_iteration": done.seconds,
            "core_seconds_an_iteration": done.core_seconds,
        }
    whole = sum(one["deals"] for one in solved.values())
    return {
        "five_card": {
            "pegging": sum(one["deals"] * one["exploitability"] for one in solved.values()) / whole,
            "value": sum(one["deals"] * one["value"] for one in solved.values()) / whole,
            "starters": solved,
        }
    }


def solve_whole(
    *,
    iterations: int,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    out: Path | None = None,
    progress: Say = print,
) -> dict[str, Any]:
    """Solve discards and pegging together; return exploitability and costs.

    out: a folder for the table and what is measured on it. Memory 2.8 GB. No random numbers are used.
    Continues from the folder `checkpoint`.
    """
    joint = Joint.empty(threads=jobs or 2)
    file = None if checkpoint is None else checkpoint / CHECKPOINT
    if file is None or not file.exists():
        joint.begin()
    done = cfr.solve(joint, iterations, every=EVERY, checkpoint=file, progress=progress)
    costs = {
        "rounds": joint.rounds,
        "history": done.history,
        "seconds_a_round": done.seconds,
        "core_seconds_a_round": done.core_seconds,
    }
    figures = done.figures if out is None else write(joint, out, {"rounds": joint.rounds}, progress)
    return {"five_card": {**figures, **costs}}


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
