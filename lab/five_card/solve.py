"""Solve five-card pegging with all that a player knows: `python -m lab solve five-card`."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fifteentwo.strategy.files import whole_file
from lab.five_card.discards import DEALER, PONE, for_hand_and_crib, fractions
from lab.five_card.pegging import CELL_PARTS, Cells, FiveCardPegging, size, weights

Floats = npt.NDArray[np.float32]
Ranges = tuple[Floats, Floats]

RANKS = "A23456789TJQK"
SAVED_EVERY = 240.0
"""Seconds between two checkpoints of 0.2 GB."""


def run(
    starters: Sequence[int],
    *,
    iterations: int = 30,
    every: int = 10,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Solve pegging with each of these starters (0–12), under discards for hand and crib.

    Returns the size of each game, its exploitability after `every` iterations, and what it cost. No random
    numbers. Resumes from the folder `checkpoint`, where each starter has a file of 0.2 GB. Memory 0.5 GB.
    """
    pair = for_hand_and_crib()
    ranges = weights(fractions(pair[PONE].average())), weights(fractions(pair[DEALER].average()))
    solved = {}
    for starter in starters:
        game = FiveCardPegging(starter, jobs or 2)
        file = None if checkpoint is None else checkpoint / f"five-card-{RANKS[starter]}.npz"
        if file is not None:
            load(game, file)
        solved[RANKS[starter]] = _solve(game, ranges, iterations, every, file, progress)
    whole = sum(one["deals"] for one in solved.values())
    return {
        "five_card": {
            "pegging": sum(one["deals"] * one["exploitability"] for one in solved.values()) / whole,
            "value": sum(one["deals"] * one["value"] for one in solved.values()) / whole,
            "starters": solved,
        }
    }


def _solve(
    game: FiveCardPegging,
    ranges: Ranges,
    iterations: int,
    every: int,
    file: Path | None,
    progress: Callable[[str], None],
) -> dict[str, Any]:
    """Go on with one starter's game up to so many iterations; its figures."""
    name, started, saved = RANKS[game.starter], game.iteration, time.monotonic()
    seconds = cores = 0.0
    history, figures = [], {}
    while game.iteration < iterations:
        before, spent = time.monotonic(), time.process_time()
        game.step(ranges)
        seconds += time.monotonic() - before
        cores += time.process_time() - spent
        if game.iteration % every == 0 or game.iteration == iterations:
            figures = game.exploitability(ranges)
            history.append((game.iteration, figures["exploitability"]))
            progress(
                f"starter {name}: {game.iteration} of {iterations} iterations,"
                f" exploitability {figures['exploitability']:.5f}, value to the pone {figures['value']:.4f},"
                f" {seconds / (game.iteration - started):.2f} s an iteration"
            )
        if file is not None and time.monotonic() - saved > SAVED_EVERY:
            save(game, file)
            saved = time.monotonic()
    if file is not None and game.iteration > started:
        save(game, file)
    done = max(game.iteration - started, 1)
    return {
        **size(game.starter)._asdict(),
        **(figures or game.exploitability(ranges)),
        "iterations": game.iteration,
        "history": history,
        "seconds_an_iteration": seconds / done,
        "core_seconds_an_iteration": cores / done,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
    }


def save(game: FiveCardPegging, file: Path) -> None:
    """Write a checkpoint: a kill leaves the last one whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    parts = {
        f"{name}_{part}": getattr(cells, part)
        for name, cells in (("regret", game.regret), ("total", game.total))
        for part in CELL_PARTS
    }
    with whole_file(file) as open_file:
        np.savez(open_file, iteration=game.iteration, starter=game.starter, **parts)


def load(game: FiveCardPegging, file: Path) -> bool:
    """Go on from a checkpoint; False where there is none. ValueError where it is another starter's."""
    if not file.exists():
        return False
    with np.load(file) as kept:
        if int(kept["starter"]) != game.starter:
            raise ValueError(f"{file} is a checkpoint of another starter")
        game.iteration = int(kept["iteration"])
        game.regret = Cells(*(kept[f"regret_{part}"] for part in CELL_PARTS))
        game.total = Cells(*(kept[f"total_{part}"] for part in CELL_PARTS))
    return True
