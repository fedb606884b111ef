"""Solve the play alone, from nothing, under the keep frequencies that ship."""

import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fifteentwo.analysis.solved_tables import data_file, read_tables
from fifteentwo.solver.joint import floored
from fifteentwo.solver.pegging_book import write_book
from fifteentwo.solver.pegging_game import Cells, PeggingGame, build_tree, couplings, fit_ranges


def run(
    *,
    iterations: int = 100,
    price: float = 1.0,
    floor: float = 0.001,
    every: int = 20,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    out: Path | None = None,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Solve the play under the shipped keeps; returns exploitability and costs, writes a book to `out`.

    `price`: what a dealer's point costs the pone (1: net points). Deterministic: no seed. Checkpoints every
    minute and goes on from `checkpoint`. Two cores: about a second an iteration, 1 GB.
    """
    tables = read_tables(data_file("laying_away.table")).arrays
    pone, dealer = (np.asarray(tables[f"{role}_keeps"], dtype=np.float64) for role in ("pone", "dealer"))
    ranges = fit_ranges(couplings(), floored(pone, floor), floored(dealer, floor), 100)
    began = time.monotonic()
    game = PeggingGame(build_tree(price), jobs or 2)
    if checkpoint is not None:
        load(game, checkpoint)
    started, saved, solving = game.iteration, time.monotonic(), 0.0
    history = []
    while game.iteration < iterations:
        before = time.monotonic()
        game.step(ranges)
        solving += time.monotonic() - before
        if game.iteration % every == 0 or game.iteration == iterations:
            found = game.exploitability(ranges)
            spent = time.monotonic() - began
            left = solving / (game.iteration - started) * (iterations - game.iteration)
            history.append((game.iteration, round(spent, 1), found["exploitability"]))
            say(
                f"{game.iteration} iterations, {spent:.0f} s, about {left:.0f} s left:"
                f" exploitability {found['exploitability']:.5f}, value to the pone {found['value']:.4f}"
            )
        if checkpoint is not None and time.monotonic() - saved > 50:
            save(game, checkpoint)
            saved = time.monotonic()
    if checkpoint is not None:
        save(game, checkpoint)
    if out is not None:
        write_book(game.tree, game.total, out, {"iterations": game.iteration, "floor": floor})
    return {
        "exploitability": {"pegging": game.exploitability(ranges)["exploitability"]},
        "iterations": game.iteration,
        "seconds_an_iteration": solving / max(game.iteration - started, 1),
        "seconds": time.monotonic() - began,
        "memory_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        "history": history,
    }


def save(game: PeggingGame, folder: Path) -> None:
    """Write a checkpoint under another name first: a kill leaves the last one whole."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f"pegging-{game.tree.price}.tmp"
    arrays = {
        f"{name}_{part}": getattr(cells, part)
        for name, cells in (("regret", game.regret), ("total", game.total))
        for part in ("lead", "reply", "rest")
    }
    with fresh.open("wb") as file:
        np.savez(file, iteration=game.iteration, **arrays)
    fresh.replace(folder / f"pegging-{game.tree.price}.npz")


def load(game: PeggingGame, folder: Path) -> bool:
    """Go on from a checkpoint; False where there is none."""
    path = folder / f"pegging-{game.tree.price}.npz"
    if not path.exists():
        return False
    with np.load(path) as kept:
        game.iteration = int(kept["iteration"])
        game.regret = Cells(*(kept[f"regret_{part}"] for part in ("lead", "reply", "rest")))
        game.total = Cells(*(kept[f"total_{part}"] for part in ("lead", "reply", "rest")))
    return True
