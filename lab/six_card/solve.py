"""Solve six-card pegging alone, or discards and pegging together, and write the tables."""

import time
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from fifteentwo.fast.hands import FOURS
from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.files import data_file, read_tables
from fifteentwo.strategy.pegging import read_pegging_book
from lab import cfr
from lab.cfr import BRANCH_COUNT, PARTS, ROLES, Doubles, Say
from lab.measure.report import BOOK, TABLE, shipped_joint, write_figures
from lab.six_card.discard_book import write_discards
from lab.six_card.joint import Joint, Recipe
from lab.six_card.pegging import PeggingGame
from lab.six_card.pegging_book import add_to_header, read_cells, write_book
from lab.six_card.ranges import couplings, fit_ranges, hand_ways, mix_random_hands
from lab.six_card.tree import build_tree

Ranged = tuple[Doubles, Doubles]
"""Weights of the pone's and of the dealer's hands."""
MIN_PACKED = 4
"""Probabilities of fewer 255ths than this are written to the book as 0."""
CHECKPOINT_FILE = "pegging.npz"
WHOLE_CHECKPOINT_FILE = "joint.npz"
MEASURE_EVERY = 20
"""Iterations between two measurements when pegging alone is solved."""
MEASURE_WHOLE_EVERY = 50
"""Iterations between two measurements when discards and pegging are solved."""


def solve_pegging(
    *,
    iterations: int = 100,
    averaging_delay: int = 0,
    ranks: str = "",
    jobs: int | None = None,
    checkpoint: Path | None = None,
    out: Path | None = None,
    progress: Say = print,
) -> dict[str, Any]:
    """Solve pegging alone with the hands that the shipped discards keep; return exploitability and costs.

    No random numbers are used. Two cores: about a second an iteration, 1 GB.

    Args:
        iterations: Iterations in all.
        averaging_delay: Iterations that the averages do not contain.
        ranks: Ranks of a small deck, whose hands have the frequencies of a random deal; "" for the full deck.
        jobs: Threads.
        checkpoint: A folder to continue from.
        out: A file for the book. Its header has the digest of the discards and the book's exploitability.
        progress: Prints a line.
    """
    began = time.monotonic()
    ranges = small_deck(ranks) if ranks else shipped_ranges(FLOOR)
    game = PeggingGame(build_tree(branches_of(ranks)), jobs or 2)
    file = None if checkpoint is None else checkpoint / CHECKPOINT_FILE
    alone = cfr.PeggingOnly(game, ranges, averaging_delay)
    solved = cfr.solve(alone, iterations, every=MEASURE_EVERY, checkpoint=file, progress=progress)
    if out is not None:
        about = {
            "iterations": game.iteration,
            "averaging_delay": averaging_delay,
            "floor": FLOOR,
            "least": MIN_PACKED,
            "keeps": read_tables(data_file(DISCARD_TABLE)).about["digest"],
            "seed": 0,
            "version": version("fifteentwo"),
        }
        write_book(game.tree, game.total, out, about, MIN_PACKED)
        packed = game.exploitability(
            ranges if ranks else shipped_ranges(), read_cells(game.tree, read_pegging_book(out))
        )
        add_to_header(out, {part: packed[part] for part in ("exploitability", "value")})
        progress(f"{out.name}: exploitability as packed, no floor, {packed['exploitability']:.5f}")
    return {
        "exploitability": {"pegging": solved.figures["exploitability"]},
        "iterations": game.iteration,
        "seconds_an_iteration": solved.seconds,
        "seconds": time.monotonic() - began,
        "history": solved.history,
    }


FLOOR = 0.001
"""Part (0–1) of random hands mixed into the hands that pegging is solved for, so that all occur."""


def shipped_ranges(floor: float = 0.0) -> Ranged:
    """Return weights of the hands that the shipped discards keep. floor: part of random hands, 0–1."""
    tables = read_tables(data_file(DISCARD_TABLE)).arrays
    pone, dealer = (
        mix_random_hands(np.asarray(tables[f"{role}_keeps"], np.float64) + 1e-12, floor) for role in ROLES
    )
    return fit_ranges(couplings(), pone, dealer, 100)


def small_deck(ranks: str) -> Ranged:
    """Return weights of the hands that consist of these ranks only ("5TJ"), as a deck deals them."""
    kept = np.asarray(np.isin(FOURS, _rank_numbers(ranks)).all(axis=1))
    return fit_ranges(couplings() * kept[:, None] * kept, hand_ways() * kept, hand_ways() * kept)


def branches_of(ranks: str) -> list[int]:
    """Return the branches (13 · lead + reply) of these ranks, or all 169 branches if `ranks` is empty."""
    numbers = _rank_numbers(ranks)
    return (
        [13 * lead + reply for lead in numbers for reply in numbers] if ranks else list(range(BRANCH_COUNT))
    )


def _rank_numbers(ranks: str) -> list[int]:
    return sorted({"A23456789TJQK".index(rank) for rank in ranks})


def solve_whole(
    out: Path,
    *,
    recipe: Recipe | None = None,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    progress: Say = print,
) -> dict[str, Any]:
    """Solve discards and pegging from nothing, write the tables to the folder `out` and measure them.

    No random numbers are used. Continues from the folder `checkpoint`, which is at most a minute behind.
    About half an hour of two idle cores, 2 GB.
    """
    began = time.process_time()
    joint = Joint.fresh(jobs or 2, recipe=recipe)
    file = None if checkpoint is None else checkpoint / WHOLE_CHECKPOINT_FILE
    cfr.solve(joint, joint.recipe.iterations, every=MEASURE_WHOLE_EVERY, checkpoint=file, progress=progress)
    joint.correct_cribs()
    figures = write(joint, out, {"recipe": asdict(joint.recipe)}, progress)
    return {**figures, "core_seconds": time.process_time() - began}


def write(joint: Joint, folder: Path, about: dict[str, Any], progress: Say) -> dict[str, Any]:
    """Write the tables of a solution and their measured exploitability to a folder; return the figures."""
    about = {
        **about,
        "rounds": joint.rounds,
        "iterations": joint.iterations_done,
        "seed": 0,
        "version": version("fifteentwo"),
    }
    progress("Packing …")
    write_book(joint.game.tree, joint.game.total, folder / BOOK, about)
    cells = read_cells(joint.game.tree, read_pegging_book(folder / BOOK))
    write_discards(joint, cells, folder / TABLE, about)
    progress("Measuring what was packed …")
    figures = shipped_joint(folder / BOOK, folder / TABLE, joint.game.threads).exploitability()
    write_figures(figures, about, folder)
    return {part: figures[part] for part in PARTS}
