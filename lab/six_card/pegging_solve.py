"""Solve pegging alone, from nothing, under the keeps that ship."""

import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.strategy.discards import FILE as DISCARD_TABLE
from fifteentwo.strategy.files import data_file, read_tables, whole_file
from fifteentwo.strategy.pegging import read_pegging_book
from lab.six_card.pegging_book import add_to_header, read_cells, write_book
from lab.six_card.ranges import couplings, fit_ranges, floored
from lab.six_card.real_table import setting, shipped_pairs
from lab.six_card.regret import CELL_PARTS, Cells, PeggingGame
from lab.six_card.tree import build_tree

Doubles = npt.NDArray[np.float64]
Ranged = tuple[Doubles, Doubles]
LEAST = 4
"""Probabilities below this many of 255 are packed as none."""
CHECKPOINT = "pegging.npz"
EVERY = 20
"""Iterations from one measurement to the next."""


def _memory_gb() -> float:
    """The most memory this process had, in GB; 0.0 where the system does not say."""
    if sys.platform == "win32":
        return 0.0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def run(
    *,
    iterations: int = 100,
    averaging_delay: int = 0,
    real_table: bool = False,
    floor: float = 0.001,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    out: Path | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Solve pegging under the shipped keeps; returns exploitability and costs, writes a book to `out`.

    `averaging_delay`: iterations before the averages begin, so that the first iterations do not count.
    `real_table`: hands fall together as six cards each from one deck are kept (module `real_table`). The
    book's header names the keeps by the digest of their table, and what the packed strategies give away
    under them. Deterministic: the seed is 0 and unused. Checkpoints every minute and goes on from
    `checkpoint`. Two cores: about a second an iteration, 1 GB.
    """
    began = time.monotonic()
    game = PeggingGame(build_tree(), jobs or 2)
    game.affinity, ranges, unfloored = _hands(real_table, floor)
    if checkpoint is not None:
        load(game, checkpoint)
    started, saved, solving = game.iteration, time.monotonic(), 0.0
    history = []
    while game.iteration < iterations:
        before = time.monotonic()
        game.averaging_delay = averaging_delay if game.iteration >= averaging_delay else 0
        game.step(ranges)
        solving += time.monotonic() - before
        if game.iteration % EVERY == 0 or game.iteration == iterations:
            figures = game.exploitability(ranges)
            spent = time.monotonic() - began
            left = solving / (game.iteration - started) * (iterations - game.iteration)
            history.append((game.iteration, round(spent, 1), figures["exploitability"]))
            progress(
                f"{game.iteration} iterations, {spent:.0f} s, about {left:.0f} s left:"
                f" exploitability {figures['exploitability']:.5f}, value to the pone {figures['value']:.4f}"
            )
        if checkpoint is not None and time.monotonic() - saved > 50:
            save(game, checkpoint)
            saved = time.monotonic()
    if checkpoint is not None:
        save(game, checkpoint)
    if out is not None:
        settings = {"averaging_delay": averaging_delay, "floor": floor, "real_table": real_table}
        _write(game, settings, unfloored, out, progress)
    return {
        "exploitability": {"pegging": game.exploitability(ranges)["exploitability"]},
        "iterations": game.iteration,
        "seconds_an_iteration": solving / max(game.iteration - started, 1),
        "seconds": time.monotonic() - began,
        "memory_gb": _memory_gb(),
        "history": history,
    }


def _hands(real_table: bool, floor: float) -> tuple[Doubles, Ranged, Ranged]:
    """(affinities, ranges with a floor, ranges without): how hands fall together."""
    if not real_table:
        return np.ones((13, 13)), shipped_ranges(floor), shipped_ranges()
    found = setting(shipped_pairs(), floor)
    return found.affinity, found.trained, found.ranges


def _write(
    game: PeggingGame,
    settings: dict[str, Any],
    ranges: Ranged,
    out: Path,
    progress: Callable[[str], None],
) -> None:
    """Write the averages as a book, and into its header what they give away as packed under these ranges."""
    about = {
        "iterations": game.iteration,
        **settings,
        "least": LEAST,
        "keeps": read_tables(data_file(DISCARD_TABLE)).about["digest"],
        "seed": 0,
        "version": version("fifteentwo"),
    }
    write_book(game.tree, game.total, out, about, LEAST)
    packed = game.exploitability(ranges, read_cells(game.tree, read_pegging_book(out)))
    add_to_header(out, {part: packed[part] for part in ("exploitability", "value")})
    progress(
        f"{out.name}: exploitability as packed, no floor under the keeps, {packed['exploitability']:.5f}"
    )


def shipped_ranges(floor: float = 0.0) -> tuple[Doubles, Doubles]:
    """Weights of pone's and dealer's hands under the keeps that ship, a part `floor` dealt at random."""
    tables = read_tables(data_file(DISCARD_TABLE)).arrays
    pone, dealer = (
        floored(np.asarray(tables[f"{role}_keeps"], dtype=np.float64) + 1e-12, floor)
        for role in ("pone", "dealer")
    )
    return fit_ranges(couplings(), pone, dealer, 100)


def save(game: PeggingGame, folder: Path) -> None:
    """Write a checkpoint: a kill leaves the last one whole."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {
        f"{name}_{part}": getattr(cells, part)
        for name, cells in (("regret", game.regret), ("total", game.total))
        for part in CELL_PARTS
    }
    with whole_file(folder / CHECKPOINT) as file:
        np.savez(file, iteration=game.iteration, **arrays)


def load(game: PeggingGame, folder: Path) -> bool:
    """Continue from a checkpoint; return False if there is none."""
    path = folder / CHECKPOINT
    if not path.exists():
        return False
    with np.load(path) as kept:
        game.iteration = int(kept["iteration"])
        game.regret = Cells(*(kept[f"regret_{part}"] for part in CELL_PARTS))
        game.total = Cells(*(kept[f"total_{part}"] for part in CELL_PARTS))
    return True
