"""What a responder over whole games gains from 0–0 against discards and pegging by the score, in win chance.

    fifteentwo solve report --whole-game

A lower bound on what they can be exploited by: the responder is real, and another may gain more.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from fifteentwo.fast.deal import DEALER, PONE, Book
from fifteentwo.solver.board.deal_counts import count_deals, digests, strategies
from fifteentwo.solver.board.induction import Deals
from fifteentwo.solver.discards.discard_book import ROLES
from fifteentwo.solver.whole_game.games import Against, Results, play_games
from fifteentwo.solver.whole_game.policy import Policy, by_score, for_points
from fifteentwo.solver.whole_game.responder import WEIGHTS, Aim, Way, best_pegging, sided, ways_at
from fifteentwo.solver.whole_game.trials import Plan, Trial, deal, plan, tallied, trial, usual_play
from fifteentwo.strategy import board as board_tables
from fifteentwo.strategy import pegging_by_score, pegging_points
from fifteentwo.strategy.board import board

ZONES = (0, 60, 84, 96, 106, 113, 121)
"""Where the gains are, by the higher of both scores."""


@dataclass(frozen=True)
class Job:
    """What is measured from; the same job gives the same figures."""

    tried: int = 16_000
    """Deals on which the ways of a board are compared."""
    usual: int = 40_000
    """Deals of the policy at a board, for its value."""
    points: int = 500_000
    """Deals for points, for the boards that are decided."""
    games: int = 2_000_000
    """Games that the responder plays, half of them as first dealer."""
    seed: int = 7


class Found(NamedTuple):
    """What either side, pone and dealer, may do against the policy at a cell's boards."""

    aims: tuple[list[Aim], list[Aim]]
    tried: tuple[list[Trial], list[Trial]]
    """What each aim brings."""
    usual: Deals
    """The policy's own deals."""


def run(job: Job | None = None, progress: Callable[[str], None] = print) -> dict[str, Any]:
    """Make the responder, let it choose at every board, and play its games; about 15 core-minutes."""
    job = job or Job()
    began = time.process_time()
    seeds = np.random.SeedSequence(job.seed).spawn(5)
    policy = by_score(progress)
    books = best_pegging(policy.books, WEIGHTS, progress)
    found = []
    for number, seed in enumerate(seeds[4].spawn(len(policy.cells))):
        best = books[policy.pegging[number]]
        found.append(try_cell(policy, number, best, job, np.random.default_rng(seed)))
        if number % 10 == 9:
            progress(f"The ways of {number + 1} of {len(policy.cells)} boards tried")
    progress("Choosing at every board, from the game hole backwards …")
    usual = [one.usual for one in found]
    usual.append(Deals([count_deals(job.points, job.seed)]))
    planned = plan(policy, [one.tried for one in found], usual)
    progress("Playing games …")
    against = Against(policy, [one.aims for one in found], planned)
    results = [
        play_games(job.games // 2, against, first, np.random.default_rng(seed))
        for first, seed in zip((PONE, DEALER), seeds[:2], strict=True)
    ]
    progress("Playing games against discards for points …")
    over = over_points(policy, usual[-1], job, seeds[2:4])
    spent = {"core_seconds": round(time.process_time() - began)}
    return {
        **figures(results, planned),
        "over_points": over,
        **asdict(job),
        **spent,
        "digests": digests(),
        "tables": tables(),
    }


def tables() -> dict[str, str]:
    """Return the digests of what discards by the score are made of, besides the strategies."""
    return {
        board_tables.NAME: board_tables.provenance()["digest"],
        pegging_points.FILE: pegging_points.provenance()["digest"],
        pegging_by_score.FILE: pegging_by_score.provenance()["digest"],
    }


def over_points(
    policy: Policy, counted: Deals, job: Job, seeds: Sequence[np.random.SeedSequence]
) -> dict[str, float]:
    """What the policy wins over 50 % against discards and pegging for points at every score.

    counted: deals for points.
    """
    usual = plan(for_points(), [], [counted])
    numbers = np.broadcast_to(policy.of, usual.aim.shape)
    policies, books = strategies().policies(), sided(policy.books)
    scored = [
        [
            Aim(None if both is None else both[side], (Way(policies._replace(book=books[side][number])),))
            for both, number in zip(policy.values, policy.pegging.tolist(), strict=False)
        ]
        for side in (PONE, DEALER)
    ]
    against = Against(for_points(), [(scored[PONE], scored[DEALER])], usual._replace(aim=numbers))
    results = [
        play_games(job.games // 2, against, first, np.random.default_rng(seed))
        for first, seed in zip((PONE, DEALER), seeds, strict=True)
    ]
    found = figures(results, usual)
    return {name: found[name] for name in ("gain", "standard_error")}


def try_cell(
    policy: Policy,
    number: int,
    books: tuple[Sequence[Book], Sequence[Book]],
    job: Job,
    chance: np.random.Generator,
) -> Found:
    """Try what either side may do against the policy at a cell's boards.

    Its discards with every way to peg, and those of the cells around with the best of these ways.
    """
    here = np.full(max(job.usual, job.tried), number, np.int16)
    usual = Deals([tallied(policy, number, deal(policy, here[: job.usual], chance))])
    dealt = deal(policy, here[: job.tried], chance)
    played = usual_play(policy, number, dealt)
    cell = policy.cells[number]
    behind = board().game.astype(np.float64)
    aims: tuple[list[Aim], list[Aim]] = ([], [])
    tried: tuple[list[Trial], list[Trial]] = ([], [])
    for side in (PONE, DEALER):
        ways = ways_at(side, cell, books[side], policy.policies(number))
        own = trial(Aim(None, ways), side, dealt, played)
        aims[side].append(Aim(None, ways))
        tried[side].append(own)
        best = ways[own.best(cell, behind, side)]
        for values in [policy.values[one] for one in policy.around(number)]:
            if values is not None:
                aims[side].append(Aim(values[side], (best,)))
                tried[side].append(trial(aims[side][-1], side, dealt, played))
    return Found(aims, tried, usual)


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
