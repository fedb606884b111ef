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
from lab.bench.rated_games import Game, played
from lab.measure.practice_sets import mean_gap, played_out

Floats = npt.NDArray[np.float64]
PAIRS = (("beginner", "casual"), ("casual", "club"), ("club", "expert"))
"""Levels whose decisions are judged, because they make mistakes as people do."""
EACH = 10
"""Decisions of each game."""


class Judged(NamedTuple):
    """Win probability that a decision lost, by the review and by deals played out with a standard error."""

    kind: str
    review: float
    dealt: float
    error: float


def judged(decisions: int, deals: int, seed: int = 1) -> Iterator[Judged]:
    """Yield this number of decisions that count for a rating; a quarter of a second each."""
    luck = random.Random(f"judged/{seed}")
    number = 0
    while number < decisions:
        record = played(Game(PAIRS[number // EACH % len(PAIRS)], 1000 + number // EACH))
        rated = [one for one in reviewed(record) if isinstance(one, Decision) and not one.obvious]
        some = luck.sample(rated, min(EACH, len(rated), decisions - number))
        number += EACH
        yield from _of_game(record, {one.step: one for one in some}, deals)


def _of_game(record: Record, chosen: dict[int, Decision], deals: int) -> Iterator[Judged]:
    state = start(record.rules, named=record.named)
    for step, (_, after, _) in enumerate(replay(record)):
        if step in chosen:
            yield _judged(view(state, chosen[step].seat), chosen[step], deals)
        state = after


def _judged(seen: View, one: Decision, deals: int) -> Judged:
    assert one.loss_win is not None
    if one.chosen == one.best:
        return Judged(one.kind, 0.0, 0.0, 0.0)
    weights, won = played_out(seen, (one.best, one.chosen), deals, one.step)
    return Judged(one.kind, one.loss_win, *mean_gap(weights, won[:, 0] - won[:, 1]))


def spearman(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation; equal values share their ranks."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Floats) -> Floats:
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    shared: Floats = (times.cumsum() - (times - 1) / 2)[place]
    return shared
