"""Decisions of levels in games, judged by the review and by deals that are played out."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fifteentwo.analysis.review.review import Decision, reviewed
from fifteentwo.analysis.win.shows import WAYS
from fifteentwo.rules.cards import RANK_TEXT, cards
from fifteentwo.rules.events import DealEnded
from fifteentwo.rules.record import Record, replay
from fifteentwo.rules.state import State, start
from fifteentwo.rules.view import view
from lab.bench.rated_games import Game, played
from lab.measure import card_rollouts, rollouts

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
    state, began = start(record.rules, named=record.named), (0, 0)
    for step, (_, after, events) in enumerate(replay(record)):
        if step in chosen:
            yield _judged(state, (began[0], began[1]), chosen[step], deals)
        if any(isinstance(event, DealEnded) for event in events):
            began = (after.front[0], after.front[1])
        state = after


def _judged(state: State, began: tuple[int, int], one: Decision, deals: int) -> Judged:
    assert one.loss_win is not None
    if one.chosen == one.best:
        return Judged(one.kind, 0.0, 0.0, 0.0)
    own = (began[one.seat], began[1 - one.seat])
    if one.kind == "discard":
        weights, chances = np.ones(deals), _discarded(one, state.dealer == one.seat, own, deals)
    else:
        ranks = [RANK_TEXT.index(choice) for choice in (one.best, one.chosen)]
        weights, chances = card_rollouts.rollout(view(state, one.seat), own, ranks, deals, one.step)
    normalized = weights / weights.sum()
    lost = chances[:, 0] - chances[:, 1]
    mean = float(normalized @ lost)
    return Judged(one.kind, one.loss_win, mean, float(np.sqrt(normalized**2 @ (lost - mean) ** 2)))


def _discarded(one: Decision, dealer: bool, board: tuple[int, int], deals: int) -> Floats:
    six = tuple(sorted(card.index for card in cards(" ".join(one.hand))))
    ways = [
        WAYS.index(tuple(sorted(six.index(card.index) for card in cards(choice))))
        for choice in (one.best, one.chosen)
    ]
    return rollouts.rollout(rollouts.Position(six, dealer, board), ways, deals, one.step)


def spearman(one: Floats, other: Floats) -> float:
    """Return Spearman's rank correlation; equal values share their ranks."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Floats) -> Floats:
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    shared: Floats = (times.cumsum() - (times - 1) / 2)[place]
    return shared
