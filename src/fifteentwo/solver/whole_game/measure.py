"""What a responder over whole games gains from 0–0 against the strategies that ship, in win chance.

    fifteentwo solve report --whole-game

A lower bound on what they can be exploited by: the responder is real, and another may gain more.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from fifteentwo.fast.deal import DEALER, PONE
from fifteentwo.solver.board.deal_counts import count_deals, digests
from fifteentwo.solver.board.induction import Deals
from fifteentwo.solver.discards.discard_book import ROLES
from fifteentwo.solver.whole_game.games import Results, play_games
from fifteentwo.solver.whole_game.responder import (
    WEIGHTS,
    Aim,
    best_pegging,
    board_aim,
    boards_aimed_at,
    weight_aims,
)
from fifteentwo.solver.whole_game.trials import Dealt, Plan, Trial, deal, plan, trial, usual_play

ZONES = (0, 60, 84, 96, 106, 113, 121)
"""Where the gains are, by the higher of both scores."""


@dataclass(frozen=True)
class Job:
    """What is measured from; the same job gives the same figures."""

    many: int = 200_000
    """Deals on which the ways to discard for weights are compared."""
    few: int = 40_000
    """Those for the ways of one board."""
    usual: int = 1_000_000
    """Deals of what ships, for every board."""
    games: int = 1_000_000
    """Games that the responder plays, half of them as first dealer."""
    seed: int = 7


def try_aims(
    aims: Sequence[Aim], side: int, dealt: tuple[Dealt, Dealt], progress: Callable[[str], None]
) -> list[Trial]:
    """The trials of one side's aims, on many deals where they are for any board, else on few."""
    usual = [usual_play(one) for one in dealt]
    found = []
    for number, aim in enumerate(aims):
        which = 0 if aim.cell is None else 1
        found.append(trial(aim, side, dealt[which], usual[which]))
        if number % 20 == 19:
            progress(f"{ROLES[side]}: {number + 1} of {len(aims)} ways to discard tried")
    return found


def run(job: Job | None = None, progress: Callable[[str], None] = print) -> dict[str, Any]:
    """Make the responder, let it choose at every board, and play its games; about seven core-minutes."""
    job = job or Job()
    began = time.process_time()
    chances = [np.random.default_rng(one) for one in np.random.SeedSequence(job.seed).spawn(4)]
    books = best_pegging(WEIGHTS, progress)
    dealt = deal(job.many, chances[0]), deal(job.few, chances[1])
    aims: tuple[list[Aim], list[Aim]] = ([], [])
    for side in (PONE, DEALER):
        aims[side].extend(weight_aims(side, books[side]))
        aims[side].extend(board_aim(side, cell, books[side]) for cell in boards_aimed_at())
    pone, dealer = (try_aims(aims[side], side, dealt, progress) for side in (PONE, DEALER))
    progress("Choosing at every board, from the game hole backwards …")
    planned = plan((pone, dealer), Deals([count_deals(job.usual, job.seed)]))
    progress("Playing games …")
    results = [
        play_games(job.games // 2, aims, planned, first, chance)
        for first, chance in zip((PONE, DEALER), chances[2:], strict=True)
    ]
    spent = {"core_seconds": round(time.process_time() - began)}
    return {**figures(results, planned), **asdict(job), **spent, "digests": digests()}


def figures(results: Sequence[Results], planned: Plan) -> dict[str, Any]:
    """The gain over 50 %, mean of both first roles, and where it is made; in win chance."""
    gains = [float(one.adjusted.mean()) / 2 for one in results]
    errors = [float(one.adjusted.std(ddof=1)) / 2 / len(one.adjusted) ** 0.5 for one in results]
    plain = [float(one.plain.mean()) / 2 for one in results]
    highest = np.maximum.outer(np.arange(121), np.arange(121))
    gained = np.sum([one.gained for one in results], axis=0) / 2 / sum(len(one.plain) for one in results)
    return {
        "gain": sum(gains) / 2,
        "standard_error": sum(error**2 for error in errors) ** 0.5 / 2,
        "by_induction": float(planned.net[DEALER, 0, 0] - planned.net[PONE, 0, 0]) / 4,
        "without_control_variates": sum(plain) / 2,
        "wins": {name: 0.5 + gain for name, gain in zip(ROLES, gains, strict=True)},
        "by_highest_score": {
            f"{low}-{high - 1}": float(gained[(highest >= low) & (highest < high)].sum())
            for low, high in pairwise(ZONES)
        },
    }
