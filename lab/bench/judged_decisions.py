"""Decisions of levels in games, judged by the review and by deals that are played out."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.review.review import Decision, reviewed
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import start
from fifteentwo.rules.view import View, view
from lab.bench.rated_games import Game, play_game
from lab.measure.practice_sets import mean_gap, play_out_choices

Floats = npt.NDArray[np.float64]
PAIRS = (("beginner", "casual"), ("casual", "club"), ("club", "expert"))
"""Pairs of levels whose decisions are judged, because they make mistakes as people do."""
PER_GAME = 10
"""Decisions that are drawn from each game."""


class Judged(NamedTuple):
    """Win probability (0–1) that a decision lost, by the review and in deals that are played out."""

    kind: str
    """"discard" or "play"."""
    review: float
    """Win probability lost, by the review."""
    dealt: float
    """Mean win probability lost in deals that are played out."""
    error: float
    """Standard error of `dealt`."""


def judge_decisions(decisions: int, deals: int, seed: int = 1) -> Iterator[Judged]:
    """Yield `decisions` judged decisions that count for a rating, each by this number of deals played out."""
    luck = random.Random(f"judged/{seed}")
    number = 0
    while number < decisions:
        record = play_game(Game(PAIRS[number // PER_GAME % len(PAIRS)], 1000 + number // PER_GAME))
        rated = [one for one in reviewed(record) if isinstance(one, Decision) and not one.obvious]
        some = luck.sample(rated, min(PER_GAME, len(rated), decisions - number))
        number += PER_GAME
        yield from _judge_game(record, {one.step: one for one in some}, deals)


def _judge_game(record: Record, chosen: dict[int, Decision], deals: int) -> Iterator[Judged]:
    state = start(record.rules, named=record.named)
    for step, (_, after, _) in enumerate(replay(record)):
        if step in chosen:
            yield _judge(view(state, chosen[step].seat), chosen[step], deals)
        state = after


def _judge(seen: View, one: Decision, deals: int) -> Judged:
    assert one.loss_win is not None
    if one.chosen == one.best:
        return Judged(one.kind, 0.0, 0.0, 0.0)
    weights, won = play_out_choices(seen, (one.best, one.chosen), deals, one.step)
    return Judged(one.kind, one.loss_win, *mean_gap(weights, won[:, 0] - won[:, 1]))


def spearman(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation; equal values share their ranks."""
    return float(np.corrcoef(_shared_ranks(one), _shared_ranks(other))[0, 1])


def _shared_ranks(values: Floats) -> Floats:
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    shared: Floats = (times.cumsum() - (times - 1) / 2)[place]
    return shared
