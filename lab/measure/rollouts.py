"""A comparison of win probabilities with deals that the shipped strategies play out.

    python -m lab solve rollouts

A position is six cards, a role and a board. All discards within a margin of the best are played out with the
same other cards. The result of a deal is the win probability after it.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.win.model import after_deal, chances, prospects
from fifteentwo.analysis.win.near_end import provenance as near_end_provenance
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.contest.executor import get_executor, run_all
from fifteentwo.rules.cards import DECK, Card
from fifteentwo.strategy.board import board as board_values
from fifteentwo.strategy.board import pays
from fifteentwo.strategy.board import provenance as board_provenance
from fifteentwo.strategy.pegging_points import provenance
from lab.board.board import play_styles_at
from lab.board.board_ends import SidePlan, plans_at, win_probabilities_after
from lab.board.deal import Played, Policies, best_discards, play_deals
from lab.board.deal_counts import strategies
from lab.board.near_end import TO_WIN
from lab.files import store_row, stored_rows, write_json

Floats = npt.NDArray[np.float64]

CHECKPOINT = "rollouts.jsonl"
"""File in which finished positions are stored."""
MIN_END_SCORE, MIN_CHANCE = 97, 0.03
"""Smallest score and smallest win probability of both sides in positions near the end."""
SHARE_NEAR_END = 0.3
"""Share of random positions in which a side has 100 points or more."""
MARGIN, MAX_DISCARDS = 0.02, 4
"""Largest win probability lost by a discard that is played out, and the largest number of such discards."""


class Job(NamedTuple):
    """Options of a comparison."""

    positions: int = 1000
    deals: int = 20_000
    """Deals played out for each discard."""
    seed: int = 1
    end: bool = False
    """Whether all positions are undecided and near the game hole: `MIN_END_SCORE`, `MIN_CHANCE`."""


class Position(NamedTuple):
    """A decision before the discard."""

    six: tuple[int, ...]
    """Card indices, ascending."""
    dealer: bool
    """Whether the seat deals."""
    board: tuple[int, int]
    """Own and opponent's scores."""


def rollout_at_end(position: Position, ways: Sequence[int], deals: int, seed: int) -> Floats:
    """Return a `rollout` in which the sides play to win; in half of the deals both also peg to win."""
    cell = position.board if position.dealer else position.board[::-1]
    net = board_values().game.astype(np.float64)
    parts = [
        rollout(position, ways, deals // 2, seed + number, plans_at(cell, pegging, net))
        for number, pegging in enumerate((play_styles_at(cell), (TO_WIN, TO_WIN)))
    ]
    # The two kinds of deals alternate, so that each half of the result has both.
    return np.stack(parts, axis=1).reshape(-1, len(ways))


def rollout(
    position: Position,
    ways: Sequence[int],
    deals: int,
    seed: int,
    plans: tuple[SidePlan, SidePlan] | None = None,
) -> Floats:
    """(deals, ways) win probabilities after each deal, for discards `ways` of `win.shows.WAYS`.

    All are played in the same random deals, by the shipped strategies or by `plans` of pone and dealer.
    """
    mine, theirs = position.board
    dealers, pones = (mine, theirs) if position.dealer else (theirs, mine)
    start = (pones, dealers)
    played = deals_by_discard(position.six, position.dealer, ways, deals, seed, start, plans)
    return np.stack(
        [win_probabilities_after(one.events, start, dealer=position.dealer) for one in played], axis=1
    )


def deals_by_discard(
    six: Sequence[int],
    dealer: bool,
    ways: Sequence[int],
    deals: int,
    seed: int,
    start: tuple[int, int] = (0, 0),
    plans: tuple[SidePlan, SidePlan] | None = None,
) -> Iterator[Played]:
    """Yield the deals played for each discard, with the same other cards.

    six: card indices, ascending; ways: indices of `win.shows.WAYS`; start: scores of pone and dealer. Both
    sides play by the shipped strategies, or by `plans` of pone and dealer.
    """
    chance = np.random.default_rng(seed)
    rest = np.array([card for card in range(52) if card not in six], np.uint8)
    keys = chance.random((deals, len(rest)), np.float32)
    drawn = keys.argpartition(7, axis=1)[:, :7]
    # The seven cards are random, but their order is not: it is made random too.
    order = np.take_along_axis(keys, drawn, axis=1).argsort(axis=1)
    others = rest[np.take_along_axis(drawn, order, axis=1)]
    own = np.broadcast_to(np.array(six, np.uint8), (deals, 6))
    first, second = (others[:, :6], own) if dealer else (own, others[:, :6])
    dealt = np.concatenate([first, second, others[:, 6:]], axis=1)
    known = strategies()
    options = known.discard(dealt, chance)
    policies = known.policies()
    if plans is not None:
        dealt[:, :6].sort(axis=1)
        dealt[:, 6:12].sort(axis=1)
        policies = Policies(plans[0].policy, plans[1].policy, known.book)
        for one, plan in enumerate(plans):
            if plan.discard_values is not None:
                best_discards(dealt, plan.discard_values, one, options)
    draws = int(chance.integers(2**31))
    for way in ways:
        one, two = WAYS[way]
        options[:, int(dealer)] = one * 6 + two
        yield play_deals(dealt, policies, draws, options, start)


def random_positions(number: int, seed: int) -> list[Position]:
    """Return random positions; in the first three of ten a side has 100 points or more."""
    chance = np.random.default_rng(seed)
    positions = []
    for place in range(number):
        six = tuple(sorted(int(card) for card in chance.choice(52, 6, replace=False)))
        near = place < round(number * SHARE_NEAR_END)
        scores = chance.integers(0, 121, 2)
        while (scores.max() >= 100) != near:
            scores = chance.integers(0, 121, 2)
        positions.append(Position(six, bool(chance.integers(2)), (int(scores[0]), int(scores[1]))))
    return positions


def end_positions(number: int, seed: int) -> list[Position]:
    """Return random undecided positions with both sides near the game hole."""
    chance = np.random.default_rng(seed)
    positions: list[Position] = []
    while len(positions) < number:
        six = tuple(sorted(int(card) for card in chance.choice(52, 6, replace=False)))
        own, other = (int(points) for points in chance.integers(MIN_END_SCORE, 121, 2))
        position = Position(six, bool(chance.integers(2)), (own, other))
        if MIN_CHANCE < predicted(position, end=True).max() < 1 - MIN_CHANCE:
            positions.append(position)
    return positions


def predicted(position: Position, *, end: bool = False) -> Floats:
    """(15,) win probabilities of discards by `analysis.win`; unless `end`, both sides play for points."""
    held = tuple(DECK[card] for card in position.six)
    reckon = chances if end else point_play_chances
    return reckon(held, dealer=position.dealer, board=position.board)


def point_play_chances(six: Sequence[Card], *, dealer: bool, board: tuple[int, int]) -> Floats:
    """(15,) win probabilities of the discards if both sides play for points throughout."""
    known = prospects(tuple(six), dealer)
    over, paid = after_deal(known.payoff, dealer, False), pays(known.payoff, False)
    return np.asarray((1 + known.expected(board, over, paid)) / 2)


def compare(position: Position, deals: int, seed: int, end: bool = False) -> dict[str, Any]:
    """Return, as a JSON object, win probabilities of a position's best discards: computed, and played out."""
    reckoned = predicted(position, end=end)
    order = np.argsort(-reckoned, kind="stable")[:MAX_DISCARDS]
    ways = [int(way) for way in order if reckoned[way] >= reckoned[order[0]] - MARGIN]
    made = rollout_at_end(position, ways, deals, seed) if end else rollout(position, ways, deals, seed)
    halves = made[: deals // 2].mean(axis=0), made[deals // 2 :].mean(axis=0)
    return {
        "six": list(position.six),
        "dealer": position.dealer,
        "board": list(position.board),
        "ways": ways,
        "computed": reckoned[ways].tolist(),
        "dealt": made.mean(axis=0).tolist(),
        "error": (made.std(axis=0) / np.sqrt(deals)).tolist(),
        "halves": [half.tolist() for half in halves],
    }


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return figures over positions, in hundredths of win probability, for the discard computed as best."""
    missed = 100 * np.array([row["computed"][0] - row["dealt"][0] for row in rows])
    noise = 100 * np.array([row["error"][0] for row in rows])
    least, most = [], []
    for row in rows:
        dealt, halves = np.array(row["dealt"]), np.array(row["halves"])
        most.append(100 * float(dealt.max() - dealt[0]))
        # The best way by one half of the deals is judged by the other half, so luck has no effect.
        pairs = ((halves[0], halves[1]), (halves[1], halves[0]))
        least.append(50 * sum(float(judge[choose.argmax()] - judge[0]) for choose, judge in pairs))
    near = np.array([max(row["board"]) >= 100 for row in rows])
    return {
        "positions": len(rows),
        "near": int(near.sum()),
        "error": float(missed.mean()),
        "error_se": float(np.sqrt((noise**2).sum()) / len(rows)),
        "absolute": float(np.abs(missed).mean()),
        "absolute_by_noise_alone": float(noise.mean() * np.sqrt(2 / np.pi)),
        "root_mean_square_without_noise": float(np.sqrt(max((missed**2 - noise**2).mean(), 0.0))),
        "root_mean_square_without_noise_near": float(
            np.sqrt(max((missed[near] ** 2 - noise[near] ** 2).mean(), 0.0)) if near.any() else 0.0
        ),
        "within_3_errors_and_0.2": float((np.abs(missed) <= 3 * noise + 0.2).mean()),
        "best_way_loses": float(np.mean(least)),
        "best_way_loses_at_most": float(np.mean(most)),
    }


def digests() -> dict[str, str]:
    """Return the digest of each table from which win probabilities are computed."""
    return {
        "play_points.table": provenance()["digest"],
        "board_values.table": board_provenance()["digest"],
        **provenance()["strategies"],
    }


def run(
    job: Job,
    *,
    jobs: int | None = None,
    checkpoint: Path | None = None,
    out: Path | None = None,
    progress: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Compare random positions, 0.6 core-seconds each; write figures to `out`; continue from `checkpoint`."""
    wanted = (end_positions if job.end else random_positions)(job.positions, job.seed)
    about = {"deals": job.deals, "seed": job.seed, "digests": digests()}
    if job.end:
        about["end"] = [MIN_END_SCORE, MIN_CHANCE]
        about["near_end.table"] = near_end_provenance()["digest"]
    file = None if checkpoint is None else checkpoint / CHECKPOINT
    of = [job.positions, about]
    rows = {row["place"]: row for row in stored_rows(file) if row["of"] == of}
    jobs_left = [
        (place, (position, job.deals, job.seed * 1_000_003 + place, job.end))
        for place, position in enumerate(wanted)
        if place not in rows
    ]

    with get_executor(jobs) as executor:
        for place, row in run_all(executor, compare, jobs_left):
            rows[place] = {"place": place, "of": of, **row}
            store_row(file, rows[place])
            if len(rows) % 50 == 0:
                progress(f"{len(rows):,} of {job.positions:,} positions")
    figures = {**about, **summary([rows[place] for place in range(job.positions)])}
    if out is not None:
        write_json(out, figures)
    return figures
